// The list of bodies of a run: shown or hidden, colour, name, role and mass; a click selects.
import { el, setText, setUserText, shortened } from "../dom";
import type { Body } from "../format";
import { formatQuantity } from "../numbers";
import { bodyColorCss } from "../scene/colors";
import { bodyKey, type Store } from "../store";
import { chip } from "./dom";
import { moveFocus, VirtualList, type VirtualRow } from "./virtual";

export class BodyList {
  readonly element: HTMLElement;
  query = "";
  private readonly list: VirtualList;
  private run = 0;
  private shown: number[] = [];

  constructor(private readonly store: Store) {
    this.list = new VirtualList({
      label: "bodies",
      role: "list",
      rowRole: "listitem",
      rowHeight: 34,
      maxRows: 8,
      makeRow: () => this.makeRow(),
    });
    this.element = this.list.element;
    this.element.addEventListener("keydown", (event) => moveFocus(event, this.element, ".p-body-name"));
  }

  setRun(run: number): void {
    this.run = run;
    this.filter(this.query);
  }

  // How many bodies match.
  filter(query: string): number {
    this.query = query;
    const text = query.trim().toLowerCase();
    const bodies = this.store.runs[this.run]?.bodies ?? [];
    this.shown = bodies
      .map((_, k) => k)
      .filter((k) => text === "" || `${bodies[k]!.name} ${bodies[k]!.role}`.toLowerCase().includes(text));
    this.list.setCount(this.shown.length);
    return this.shown.length;
  }

  refresh(): void {
    this.list.refresh();
  }

  reveal(body: number): void {
    const at = this.shown.indexOf(body);
    if (at >= 0) this.list.scrollTo(at);
  }

  private body(index: number): { body: Body; at: number } | null {
    const at = this.shown[index];
    const body = at === undefined ? undefined : this.store.runs[this.run]?.bodies[at];
    return body === undefined || at === undefined ? null : { body, at };
  }

  private setVisible(at: number, visible: boolean): void {
    const key = bodyKey(this.run, at);
    if (visible) this.store.display.hidden.delete(key);
    else this.store.display.hidden.add(key);
    this.store.emit("display");
  }

  private makeRow(): VirtualRow {
    let at = -1;
    const box = el("input", { type: "checkbox", title: "Shown in the scene" });
    const color = chip("transparent");
    const name = el("bdi", { class: "user-text" });
    const select = el("button", { type: "button", class: "p-body-name" }, color, name);
    const role = el("span", { class: "p-badge" });
    const mass = el("span", { class: "p-num p-mass" });
    box.addEventListener("change", () => this.setVisible(at, box.checked));
    select.addEventListener("click", () => this.store.select({ run: this.run, body: at }));
    const element = el("div", { class: "p-body-row" }, box, select, role, mass);
    const fill = (index: number): void => {
      const found = this.body(index);
      if (found === null) return;
      at = found.at;
      box.checked = !this.store.isHidden(this.run, at);
      box.setAttribute("aria-label", `Show ${shortened(found.body.name, 80)}`);
      color.style.setProperty("--chip", bodyColorCss(this.store.runs[this.run]?.bodies[at], at));
      setUserText(name, found.body.name);
      setText(role, found.body.role === "free" ? "" : found.body.role);
      setText(mass, found.body.role === "free" ? formatQuantity(found.body.mass, "kg", { digits: 4 }) : "");
      const selected = this.store.selected?.run === this.run && this.store.selected.body === at;
      element.classList.toggle("p-selected", selected);
      element.classList.toggle("p-hidden-body", !box.checked);
      select.setAttribute("aria-pressed", String(selected));
    };
    return { element, fill };
  }
}
