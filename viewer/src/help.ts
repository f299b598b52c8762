// The help: every key, and what the mouse and fingers do.
import { el, iconButton } from "./dom";
import { bindings } from "./keyboard";

interface Help {
  element: HTMLElement;
  toggle(): void;
  close(): boolean; // false: it was not open
}

const gestures: [string, string][] = [
  ["Drag", "turn (one finger)"],
  ["Right drag", "move (two fingers)"],
  ["Wheel", "zoom (pinch)"],
  ["Click", "select a body"],
  ["Double click", "frame a body"],
];

function row(caps: string[], does: string): HTMLElement {
  const keys = el("dt", {}, ...caps.map((cap) => el("kbd", { text: cap })));
  return el("div", { class: "help-row" }, keys, el("dd", { text: does }));
}

function section(title: string, rows: HTMLElement[]): HTMLElement {
  return el("section", { class: `help-${title.split(" ")[0]!.toLowerCase()}` }, el("h3", { text: title }), el("dl", {}, ...rows));
}

export function createHelp(): Help {
  const groups = ["Time", "View", "Show", "Page"] as const;
  const sections = groups.map((group) => {
    const own = bindings.filter((binding) => binding.group === group);
    return section(group, own.map(({ shown, does }) => row(shown, does)));
  });
  const mouse = section("Mouse and touch", gestures.map(([cap, does]) => row([cap], does)));
  const closeButton = iconButton("close", "Close", () => close());
  const head = el("header", {}, el("h2", { id: "help-title", text: "Keyboard, mouse and touch" }), closeButton);
  const box = el("div", { class: "help-box" }, head, el("div", { class: "help-columns" }, ...sections, mouse));
  const attributes = { class: "help", role: "dialog", "aria-modal": "true", "aria-labelledby": "help-title", hidden: "" };
  const element = el("div", attributes, box);
  element.addEventListener("click", (event) => {
    if (event.target === element) close();
  });
  let before: Element | null = null;

  const close = (): boolean => {
    if (element.hidden) return false;
    element.hidden = true;
    if (before instanceof HTMLElement) before.focus();
    return true;
  };

  const toggle = (): void => {
    if (close()) return;
    before = document.activeElement;
    element.hidden = false;
    closeButton.focus();
  };

  return { element, toggle, close };
}
