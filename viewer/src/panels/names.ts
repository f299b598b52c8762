// Two bodies in one cell: each name is cut off on its own where there is no room.
import { el } from "../dom";

export function twoNames(): { element: HTMLElement; a: HTMLElement; b: HTMLElement } {
  const a = el("bdi", { class: "user-text" });
  const b = el("bdi", { class: "user-text" });
  return { element: el("span", { class: "p-two" }, a, el("span", { class: "p-muted" }, "\u00b7"), b), a, b };
}
