// The contact points of the frame at the present time, strongest first.
import { el, setText, setUserText } from "../dom";
import { framesOf, type ContactPoint } from "../frames";
import { formatCount, formatNumber, formatQuantity } from "../numbers";
import type { Store } from "../store";
import { note, section } from "./dom";
import { LiveNumber } from "./live";
import { twoNames } from "./names";
import { VirtualList, type VirtualRow } from "./virtual";

const fields = ["gap", "normal", "friction", "slip"] as const;

export class PointList {
  readonly element: HTMLElement;
  private readonly list: VirtualList;
  private readonly count = el("span", { class: "p-muted" });
  private readonly empty = note("Nothing touches at this time.", "p-empty");
  private readonly table: HTMLElement;
  private readonly cut = note("");
  private run = 0;
  private points: ContactPoint[] = [];
  private frame = -1;

  constructor(private readonly store: Store) {
    this.list = new VirtualList({
      label: "contact points now",
      role: "rowgroup",
      rowRole: "row",
      rowHeight: 28,
      maxRows: 7,
      makeRow: () => this.makeRow(),
    });
    const titles = [
      ["bodies", ""],
      ["gap", "m"],
      ["normal", "N"],
      ["friction", "N"],
      ["slip", "m/s"],
    ].map(([title = "", unit = ""]) =>
      el("span", { role: "columnheader" }, title, el("span", { class: "p-unit" }, unit)),
    );
    const head = el("div", { class: "p-point-row p-table-head", role: "row" }, ...titles);
    this.table = el(
      "div",
      { class: "p-grid", role: "table", "aria-label": "contact points now" },
      head,
      this.list.element,
    );
    this.element = section("Touching now", [this.count], this.table, this.empty, this.cut);
  }

  setRun(run: number): void {
    this.run = run;
    this.frame = -1;
    const contacts = this.store.runs[run]?.contacts ?? null;
    this.element.hidden = contacts === null;
    const thinned = contacts !== null && contacts.shown < contacts.total;
    this.cut.hidden = !thinned;
    if (thinned)
      setText(
        this.cut,
        `Kept in this page: the strongest ${formatNumber(contacts.shown)} of ${formatCount(contacts.total, "point")}.`,
      );
  }

  update(): void {
    if (this.element.hidden) return;
    const frames = framesOf(this.store, this.run);
    const frame = frames.frame();
    if (frame === this.frame) return;
    this.frame = frame;
    const [from, to] = frames.contactRows(frame);
    this.points = [];
    for (let row = from; row < to; ++row) this.points.push(frames.contactPoint(row));
    this.points.sort((a, b) => b.normal - a.normal);
    const total = this.points.reduce((sum, point) => sum + point.normal, 0);
    const sum = this.points.length === 0 ? "" : `, ${formatQuantity(total, "N", { digits: 4 })} in all`;
    setText(this.count, `${formatCount(this.points.length, "point")}${sum}`);
    this.empty.hidden = this.points.length > 0;
    this.table.hidden = this.points.length === 0;
    this.list.setCount(this.points.length);
  }

  private makeRow(): VirtualRow {
    const names = twoNames();
    const numbers = fields.map(() => new LiveNumber("", 3));
    for (const number of numbers) number.element.setAttribute("role", "cell");
    const element = el("div", { class: "p-point-row" }, names.element, ...numbers.map((number) => number.element));
    const fill = (index: number): void => {
      const point = this.points[index];
      if (point === undefined) return;
      setUserText(names.a, this.store.bodyName(this.run, point.a));
      setUserText(names.b, this.store.bodyName(this.run, point.b));
      fields.forEach((field, k) => {
        numbers[k]!.rename(`contact[${index}].${field}`);
        numbers[k]!.set(point[field]);
      });
      numbers[0]!.element.classList.toggle("p-overlap", point.gap < 0);
    };
    return { element, fill };
  }
}
