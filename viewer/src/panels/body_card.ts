// The numbers of the selected body at the present time: position, velocity, orientation, contact force.
import { el, setUserText } from "../dom";
import { framesOf, length, type Frames, type Vector } from "../frames";
import { formatQuantity, formatUnit } from "../numbers";
import { bodyColorCss } from "../scene/colors";
import type { Selection, Store } from "../store";
import { chip } from "./dom";
import { LiveNumber } from "./live";
import { quickPlots } from "./quick_plots";
import { signalIndex } from "./signals";

interface Quantity {
  title: string;
  suffix: string; // of the signals' names
  unit: string;
  read(frames: Frames, frame: number, body: number): Vector | null;
}

const quantities: Quantity[] = [
  { title: "position", suffix: "position", unit: "m", read: (f, k, b) => f.bodyVector("position", k, b) },
  { title: "velocity", suffix: "velocity", unit: "m/s", read: (f, k, b) => f.bodyVector("velocity", k, b) },
  {
    title: "angular velocity",
    suffix: "angular_velocity",
    unit: "rad/s",
    read: (f, k, b) => f.bodyVector("angular_velocity", k, b),
  },
  { title: "contact force", suffix: "contact.force", unit: "N", read: (f, k, b) => f.contactForce(k, b) },
];

const axes = ["x", "y", "z"] as const;

export class BodyCard {
  readonly element: HTMLElement;
  private readonly title = el("bdi", { class: "user-text" });
  private readonly color = chip("transparent");
  private readonly facts = el("span", { class: "p-muted" });
  private readonly table = el("div", {
    class: "p-vectors",
    role: "table",
    "aria-label": "numbers of the selected body",
  });
  private readonly plots = el("div", { class: "p-quick" });
  private selection: Selection | null = null;
  private rows: { quantity: Quantity; numbers: LiveNumber[]; size: LiveNumber }[] = [];
  private turn: LiveNumber[] = [];

  constructor(private readonly store: Store) {
    const head = el(
      "header",
      { class: "p-head" },
      el("h3", {}, this.color, this.title),
      el("span", { class: "p-aside" }, this.facts),
    );
    this.element = el(
      "section",
      { class: "p-section p-selected-card", "aria-label": "selected body" },
      head,
      this.table,
      this.plots,
    );
    this.element.hidden = true;
  }

  show(selection: Selection | null): void {
    this.selection = selection;
    this.element.hidden = selection === null;
    if (selection === null) return;
    const { run, body } = selection;
    const found = this.store.runs[run]?.bodies[body];
    const name = this.store.bodyName(run, body);
    setUserText(this.title, name);
    this.color.style.setProperty("--chip", bodyColorCss(this.store.runs[run]?.bodies[body], body));
    this.facts.textContent = found === undefined ? "" : `${found.role}, ${formatQuantity(found.mass, "kg")}`;
    this.fillTable(name, run, body);
    this.plots.hidden = found === undefined;
    const openPlots = (): void => document.getElementById("tab-plots")?.click();
    this.plots.replaceChildren(el("span", { class: "p-muted" }, "Plot"), ...quickPlots(this.store, name, openPlots));
  }

  update(): void {
    if (this.selection === null) return;
    const { run, body } = this.selection;
    const frames = framesOf(this.store, run);
    const frame = frames.frame();
    for (const row of this.rows) this.updateRow(row, frames, frame, body);
    if (this.turn.length === 4) frames.orientation(frame, body).forEach((part, k) => this.turn[k]!.set(part));
  }

  // The signals have twice the digits of the animation; where they are of the same frame, they are shown.
  private updateRow(row: BodyCard["rows"][number], frames: Frames, frame: number, body: number): void {
    const vector = row.quantity.read(frames, frame, body);
    const run = this.selection?.run ?? 0;
    const index = signalIndex(this.store);
    const time = frames.time(frame);
    const exact: (number | null)[] = axes.map((_, k) => {
      const name = row.numbers[k]!.element.dataset["signal"] ?? "";
      return (index.exact(run) ? index.at(run, name, time) : null) ?? vector?.[k] ?? null;
    });
    exact.forEach((value, k) => row.numbers[k]!.set(value));
    row.size.set(exact.some((value) => value === null) ? null : length(exact as Vector));
  }

  private fillTable(name: string, run: number, body: number): void {
    const contacts = this.store.runs[run]?.contacts !== null;
    const shown = quantities.filter((quantity) =>
      body >= 0 ? quantity.suffix !== "contact.force" || contacts : quantity.suffix === "contact.force" && contacts,
    );
    this.rows = shown.map((quantity) => ({
      quantity,
      numbers: axes.map((axis) => new LiveNumber(`${name}.${quantity.suffix}.${axis}`, 4)),
      size: new LiveNumber(`${name}.${quantity.suffix}`, 4),
    }));
    this.turn = body < 0 ? [] : ["w", "x", "y", "z"].map((part) => new LiveNumber(`${name}.orientation.${part}`, 4));
    this.table.replaceChildren(
      headerRow(["", "x", "y", "z", "size"]),
      ...this.rows.map((row) => vectorRow(row.quantity, row.numbers, row.size)),
    );
    if (this.turn.length === 4)
      this.table.append(headerRow(["", "w", "x", "y", "z"], "p-turn-head"), quaternionRow(this.turn));
  }
}

function headerRow(titles: string[], className = ""): HTMLElement {
  return el(
    "div",
    { class: `p-vector-row p-vector-head ${className}`.trim(), role: "row" },
    ...titles.map((title) => el("span", { role: "columnheader" }, title)),
  );
}

function vectorRow(quantity: Quantity, numbers: LiveNumber[], size: LiveNumber): HTMLElement {
  const label = el(
    "span",
    { class: "p-vector-name", role: "rowheader" },
    quantity.title,
    el("span", { class: "p-unit" }, formatUnit(quantity.unit)),
  );
  return el("div", { class: "p-vector-row", role: "row" }, label, ...numbers.map((number) => cell(number)), cell(size));
}

function quaternionRow(numbers: LiveNumber[]): HTMLElement {
  const label = el(
    "span",
    { class: "p-vector-name p-turn-name", role: "rowheader" },
    "orientation ",
    el("span", { class: "p-unit" }, "w x y z"),
  );
  return el("div", { class: "p-vector-row", role: "row" }, label, ...numbers.map((number) => cell(number)));
}

function cell(number: LiveNumber): HTMLElement {
  number.element.setAttribute("role", "cell");
  return number.element;
}
