// A chart with a heading and a compact legend of running values, for panels that decide themselves what to draw.
import { el } from "../dom";
import { formatUnit } from "../numbers";
import type { Store } from "../store";
import { Chart, type Curve } from "./chart";
import { chip, note } from "./dom";
import { LiveNumber } from "./live";

export interface LegendEntry {
  signal: string; // name in data-signal
  title: string;
  color: string;
  value(time: number): number | null;
}

export interface SmallChartOptions {
  title: string;
  unit: string;
  remark?: string;
  height: number;
  log?: boolean;
  zero?: boolean; // the axis starts at zero
  time: Float64Array;
  curves: Curve[];
  legend: LegendEntry[];
  marks?: { time: number; color: string }[];
}

export class SmallChart {
  readonly element: HTMLElement;
  readonly chart: Chart;
  private readonly numbers: { entry: LegendEntry; number: LiveNumber }[];

  constructor(
    private readonly store: Store,
    root: HTMLElement,
    options: SmallChartOptions,
    width: number,
  ) {
    const { title, unit, legend } = options;
    this.numbers = legend.map((entry) => ({ entry, number: new LiveNumber(entry.signal) }));
    const entries = this.numbers.map(({ entry, number }) =>
      el(
        "span",
        { class: "p-entry" },
        chip(entry.color),
        el("span", { class: "p-entry-name" }, entry.title),
        number.element,
      ),
    );
    const head = el(
      "header",
      { class: "p-head" },
      el("h3", {}, title),
      el("span", { class: "p-aside p-muted" }, formatUnit(unit)),
    );
    this.element = el(
      "section",
      { class: "p-card", "aria-label": title },
      head,
      el("div", { class: "p-entries" }, ...entries),
    );
    root.append(this.element);
    this.chart = new Chart(
      this.element,
      { time: options.time, curves: options.curves },
      {
        height: options.height,
        log: options.log ?? false,
        zero: options.zero ?? false,
        label: `${title} over time`,
        marks: options.marks ?? [],
        onTime: (time) => store.setTime(time),
        onZoom: (range) => this.chart.setRange(range),
      },
      width,
    );
    if (options.remark !== undefined) this.element.append(note(options.remark));
    this.update();
  }

  update(): void {
    const { time } = this.store;
    this.chart.setTime(time);
    for (const { entry, number } of this.numbers) number.set(entry.value(time));
  }

  destroy(): void {
    this.chart.destroy();
    this.element.remove();
  }
}
