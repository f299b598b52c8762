// A chart of the signals that share a unit, with its legend: the values at the present time, one column per run.
import { el, shortened, userText } from "../dom";
import { formatNumber, formatQuantity } from "../numbers";
import { runColor, seriesColor } from "../palette";
import type { Store } from "../store";
import { Chart, type Curve } from "./chart";
import { button, chip, toggle } from "./dom";
import { LiveNumber } from "./live";
import { csvOf, onAxis, quantityTitle, unitTitle, type TimeAxis } from "./plot_data";
import { saveChart, saveText } from "./plot_save";
import type { SignalIndex } from "./signals";

interface CardOptions {
  unit: string;
  names: string[];
  log: boolean;
  range: [number, number] | null;
  marks: { time: number; color: string }[];
  width: number;
  height: number;
  onLog(on: boolean): void;
  onRemove(names: string[]): void;
  onZoom(range: [number, number] | null): void;
}

const dashes: (number[] | undefined)[] = [undefined, [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [1, 4], [12, 4]];

interface Value {
  name: string;
  run: number;
  number: LiveNumber;
}

export class PlotCard {
  readonly element: HTMLElement;
  readonly chart: Chart;
  private readonly values: Value[] = [];
  private readonly tip = el("div", { class: "p-tip" });
  private readonly curves: (Curve & { name: string; run: number })[];

  constructor(
    private readonly store: Store,
    private readonly index: SignalIndex,
    private readonly axis: TimeAxis,
    private readonly options: CardOptions,
    root: HTMLElement,
  ) {
    this.curves = options.names.flatMap((name, k) => this.curvesOf(name, k));
    this.element = el(
      "section",
      { class: "p-card", "aria-label": `chart of ${unitTitle(options.unit)}` },
      this.head(),
      this.legend(),
    );
    root.append(this.element);
    this.chart = new Chart(
      this.element,
      { time: axis.time, curves: this.curves },
      {
        height: options.height,
        log: options.log,
        label: shortened(
          `${options.names
            .slice(0, 6)
            .map((name) => shortened(name, 60))
            .join(", ")} over time`,
          300,
        ),
        marks: options.marks,
        hover: (at, left) => this.showTip(at, left),
        onTime: (time) => store.setTime(time),
        onZoom: options.onZoom,
      },
      options.width,
    );
    this.tip.hidden = true;
    this.chart.plot.over.append(this.tip);
    if (options.range !== null) this.chart.setRange(options.range);
    this.update();
  }

  update(): void {
    const { time } = this.store;
    this.chart.setTime(time);
    for (const { name, run, number } of this.values) number.set(this.index.at(run, name, time));
  }

  private curvesOf(name: string, k: number): (Curve & { name: string; run: number })[] {
    const several = this.store.runs.length > 1;
    const dash = dashes[k % dashes.length];
    const curves: (Curve & { name: string; run: number })[] = [];
    this.store.runs.forEach((run, r) => {
      const values = this.index.values(r, name);
      if (values === null || !this.store.display.runs[r]) return;
      const width = r === 0 ? 2.8 : 1.4; // the reference stays visible below the others
      const style = several
        ? { color: runColor(r), width, ...(dash === undefined ? {} : { dash }) }
        : { color: seriesColor(k) };
      curves.push({
        ...style,
        name,
        run: r,
        label: several ? `${name}, ${run.label}` : name,
        values: onAxis(this.axis, r, values),
      });
    });
    return curves;
  }

  private head(): HTMLElement {
    const { unit, names, log } = this.options;
    const quantity = userText(quantityTitle(names));
    const title = el("h3", {}, quantity, el("span", { class: "p-muted", text: ` [${unitTitle(unit)}]${log ? ", magnitudes" : ""}` }));
    const logButton = toggle("log", "Logarithmic axis; shows magnitudes", log, (on) => this.options.onLog(on));
    const tools = el(
      "span",
      { class: "p-aside" },
      logButton.element,
      button("CSV", "Save the visible stretch as CSV", () => this.saveCsv()),
      button("PNG", "Save this chart as PNG", () =>
        saveChart(this.chart.plot, this.curves, `${quantityTitle(names)} [${unitTitle(unit)}]`, this.fileTitle()),
      ),
      button("\u00d7", "Remove this chart", () => this.options.onRemove(names), "p-close"),
    );
    tools.lastElementChild?.setAttribute("aria-label", "Remove this chart");
    return el("header", { class: "p-head" }, title, tools);
  }

  private legend(): HTMLElement {
    const several = this.store.runs.length > 1;
    const rows = this.options.names.map((name, k) => this.legendRow(name, k, several));
    const legend = el("div", { class: several ? "p-legend p-several" : "p-legend" });
    if (several) legend.append(this.runHeader());
    legend.style.setProperty("--runs", String(this.store.runs.length));
    legend.append(...rows);
    return legend;
  }

  private runHeader(): HTMLElement {
    const labels = this.store.runs.map((run, r) => {
      const label = el("span", { class: "p-cell" }, chip(runColor(r)), userText(run.label));
      label.style.color = runColor(r);
      return label;
    });
    return el(
      "div",
      { class: "p-legend-row p-legend-head" },
      el("span", {}),
      el("span", {}),
      ...labels,
      el("span", {}),
    );
  }

  private legendRow(name: string, k: number, several: boolean): HTMLElement {
    const numbers = this.store.runs.map((_, run) => {
      const number = new LiveNumber(name);
      if (several) number.element.style.color = runColor(run);
      number.element.dataset["run"] = String(run);
      this.values.push({ name, run, number });
      return number.element;
    });
    const remove = button("\u00d7", "Remove this signal", () => this.options.onRemove([name]), "p-close");
    remove.setAttribute("aria-label", `Remove ${shortened(name, 80)}`);
    const row = el(
      "div",
      { class: "p-legend-row" },
      swatch(several ? "var(--text-muted)" : seriesColor(k), several ? dashes[k % dashes.length] : undefined),
      userText(name),
      ...numbers,
      remove,
    );
    return row;
  }

  private showTip(at: number | null, left: number): void {
    const over = this.chart.plot.over;
    if (at === null || !over.matches(":hover")) {
      this.tip.hidden = true;
      return;
    }
    const lines = this.curves.slice(0, 8).map((curve) => this.tipLine(curve, at));
    this.tip.replaceChildren(el("div", { class: "p-tip-time" }, formatQuantity(this.axis.time[at], "s")), ...lines);
    this.tip.hidden = false;
    const space = over.clientWidth - left - 10;
    const onLeft = this.tip.offsetWidth > space && left > space;
    this.tip.style.left = onLeft ? "auto" : `${left + 10}px`;
    this.tip.style.right = onLeft ? `${over.clientWidth - left + 10}px` : "auto";
  }

  private tipLine(curve: Curve & { name: string; run: number }, at: number): HTMLElement {
    const value = this.index.at(curve.run, curve.name, this.axis.time[at] ?? 0);
    return el("div", {}, chip(curve.color), userText(curve.label), el("b", { class: "p-num" }, formatNumber(value)));
  }

  private fileTitle(): string[] {
    return [this.store.runs[0]?.name ?? "carom", shortened(this.options.names[0] ?? "signals", 40)];
  }

  private saveCsv(): void {
    const { min, max } = this.chart.plot.scales["x"] ?? {};
    const range: [number, number] | null = min === undefined || max === undefined ? null : [min, max];
    saveText(csvOf(this.store, this.index, this.axis, this.options.names, range), "csv", this.fileTitle());
  }
}

// A short stretch of the curve.
export function swatch(color: string, dash: number[] | undefined): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", "p-swatch");
  svg.setAttribute("viewBox", "0 0 22 10");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(namespace, "line");
  for (const [key, value] of Object.entries({ x1: "0", y1: "5", x2: "22", y2: "5" })) line.setAttribute(key, value);
  if (dash !== undefined) line.setAttribute("stroke-dasharray", dash.join(" "));
  line.style.stroke = color;
  svg.append(line);
  return svg;
}
