// A chart of the signals that share a unit, with its legend: the values at the present time, one column per run.
import { el, shortened, userText } from "../dom";
import { formatNumber, formatQuantity } from "../numbers";
import { runColor, seriesColor } from "../palette";
import type { Store } from "../store";
import type { Calculation } from "./calculation";
import { Chart, type Curve } from "./chart";
import { button, chip, toggle } from "./dom";
import { LiveNumber } from "./live";
import { csvOf, onAxis, quantityTitle, unitTitle, type TimeAxis } from "./plot_data";
import { saveChart, saveText } from "./plot_save";
import { Shown, type Subtrahend } from "./shown";
import type { SignalIndex } from "./signals";
import { unitAfter, unitsFor, type Unit } from "./units";

// How a chart shows its signals.
export interface CardStyle {
  log: boolean;
  calculation: Calculation;
  isWhole: boolean; // spikes set the scale
}

interface CardOptions {
  unit: string; // of the signals
  names: string[];
  style: CardStyle;
  shownUnit: Unit; // of what is made of them
  noise: number; // [SI] values below are rounding
  range: [number, number] | null;
  marks: { time: number; color: string }[];
  width: number;
  height: number;
  onStyle(change: Partial<CardStyle>): void;
  onUnit(si: string, name: string): void;
  onRemove(names: string[]): void;
  onZoom(range: [number, number] | null): void;
}

const dashes: (number[] | undefined)[] = [undefined, [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [1, 4], [12, 4]];

const calculations: [Calculation, string, string][] = [
  ["signal", "signal", ""],
  ["derivative", "derivative", "derivative of "],
  ["integral", "integral", "integral of "],
  ["spectrum", "spectrum", "spectrum of "],
  ["difference", "difference", "difference of "],
];

const calculationTitle = (calculation: Calculation): string => calculations.find(([name]) => name === calculation)![2];

type CardCurve = Curve & { name: string; run: number };

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
  private readonly peaks: HTMLButtonElement;
  private readonly shown: Shown;
  private readonly abscissa: number[] | Float64Array; // times, or frequencies of spectra
  private readonly curves: CardCurve[];

  constructor(
    private readonly store: Store,
    private readonly index: SignalIndex,
    private readonly axis: TimeAxis,
    private readonly options: CardOptions,
    root: HTMLElement,
  ) {
    const { calculation } = options.style;
    this.shown = new Shown(index, calculation, options.shownUnit, (run, name) => this.subtrahendOf(run, name));
    this.abscissa = this.isSpectrum() ? (this.shown.spectrum(0, options.names[0] ?? "")?.frequency ?? []) : axis.time;
    this.curves = options.names.flatMap((name, k) => this.curvesOf(name, k));
    this.peaks = this.peaksButton();
    this.element = el(
      "section",
      { class: "p-card", "aria-label": `chart of ${this.title()}` },
      this.head(),
      this.peaks,
      this.legend(),
    );
    root.append(this.element);
    this.chart = new Chart(
      this.element,
      { time: this.abscissa, curves: this.curves },
      {
        height: options.height,
        log: options.style.log,
        isFrequency: this.isSpectrum(),
        noise: options.noise / options.shownUnit.size,
        ...(this.isSpectrum() ? {} : { isWhole: options.style.isWhole, onSpikes: (cut: [number, number] | null) => this.tellSpikes(cut) }),
        label: shortened(
          `${options.names
            .slice(0, 6)
            .map((name) => shortened(name, 60))
            .join(", ")} over ${this.isSpectrum() ? "frequency" : "time"}`,
          300,
        ),
        marks: this.isSpectrum() ? [] : options.marks,
        hover: (at, left) => this.showTip(at, left),
        onTime: (time) => !this.isSpectrum() && store.setTime(time),
        onZoom: (range) => (this.isSpectrum() ? this.chart.setRange(range) : options.onZoom(range)),
      },
      options.width,
    );
    this.tip.hidden = true;
    this.chart.plot.over.append(this.tip);
    this.setRange(options.range);
    this.update();
  }

  // The stretch of time that all charts show.
  setRange(range: [number, number] | null): void {
    if (!this.isSpectrum()) this.chart.setRange(range);
  }

  private isSpectrum(): boolean {
    return this.options.style.calculation === "spectrum";
  }

  update(): void {
    const { time } = this.store;
    this.chart.setTime(time);
    for (const { name, run, number } of this.values) number.set(this.shown.at(run, name, time));
  }

  // Runs differ from the reference, signals of one run from the first.
  private subtrahendOf(run: number, name: string): Subtrahend {
    return this.store.runs.length > 1 ? { run: 0, name } : { run, name: this.options.names[0] ?? name };
  }

  private isOwnSubtrahend(run: number, name: string): boolean {
    const other = this.subtrahendOf(run, name);
    return this.options.style.calculation === "difference" && other.run === run && other.name === name;
  }

  private onAbscissa(run: number, name: string): Curve["values"] | null {
    if (this.isSpectrum()) return this.shown.amplitudes(run, name, this.abscissa as Float64Array);
    const values = this.shown.values(run, name);
    return values === null ? null : onAxis(this.axis, run, values);
  }

  private curvesOf(name: string, k: number): CardCurve[] {
    const several = this.store.runs.length > 1;
    const dash = dashes[k % dashes.length];
    const curves: CardCurve[] = [];
    this.store.runs.forEach((run, r) => {
      const values = this.onAbscissa(r, name);
      if (values === null || !this.store.display.runs[r] || this.isOwnSubtrahend(r, name)) return;
      const width = r === 0 ? 2.8 : 1.4; // the reference stays visible below the others
      const style = several
        ? { color: runColor(r), width, ...(dash === undefined ? {} : { dash }) }
        : { color: seriesColor(k) };
      curves.push({
        ...style,
        name,
        run: r,
        label: several ? `${name}, ${run.label}` : name,
        values,
      });
    });
    return curves;
  }

  private head(): HTMLElement {
    const { names, style } = this.options;
    const title = el("h3", {}, userText(quantityTitle(names)), el("span", { class: "p-muted p-in-unit" }, "[", this.unitChoice(), style.log ? "], magnitudes" : "]"));
    const logButton = toggle("log", "Logarithmic axis; shows magnitudes", style.log, (log) => this.options.onStyle({ log }));
    const tools = el(
      "span",
      { class: "p-aside" },
      this.calculationChoice(),
      logButton.element,
      button("CSV", "Save the visible stretch as CSV", () => this.saveCsv()),
      button("PNG", "Save this chart as PNG", () =>
        saveChart(this.chart.plot, this.curves, `${this.title()} over ${this.isSpectrum() ? "frequency in Hz" : "time in s"}`, this.fileTitle()),
      ),
      button("\u00d7", "Remove this chart", () => this.options.onRemove(names), "p-close"),
    );
    tools.lastElementChild?.setAttribute("aria-label", "Remove this chart");
    return el("header", { class: "p-head" }, title, tools);
  }

  private title(): string {
    const { names, style, shownUnit } = this.options;
    return `${calculationTitle(style.calculation)}${quantityTitle(names)} [${unitTitle(shownUnit.name)}]`;
  }

  // Only the name where there is no other unit.
  private unitChoice(): HTMLElement | string {
    const { unit, style, shownUnit } = this.options;
    const si = unitAfter(style.calculation, unit);
    const units = unitsFor(si);
    if (units.length === 1) return unitTitle(si);
    const options = units.map(({ name }) => el("option", { value: name, text: unitTitle(name), selected: name === shownUnit.name }));
    const select = el("select", { class: "p-choice", title: "Unit of this quantity in all charts", "aria-label": "Unit" }, ...options);
    select.addEventListener("change", () => this.options.onUnit(si, select.value));
    return select;
  }

  // Pairs of extremes are no samples of a curve: nothing can be calculated of them.
  private calculationChoice(): HTMLElement {
    const { names, style } = this.options;
    const isThinned = this.store.runs.some((_, run) => !this.index.exact(run));
    const isOffered = (name: Calculation): boolean =>
      name === "signal" || (name === "difference" ? this.store.runs.length > 1 || names.length > 1 : !isThinned);
    const offered = calculations.filter(([name]) => isOffered(name) || name === style.calculation);
    const select = el(
      "select",
      { class: "p-choice", title: isThinned ? "This page holds extremes of several frames: no derivatives, integrals, spectra" : "What to show of these signals", "aria-label": "Show" },
      ...offered.map(([name, text]) => el("option", { value: name, text, selected: name === style.calculation })),
    );
    select.hidden = offered.length < 2;
    select.addEventListener("change", () => this.options.onStyle({ calculation: select.value as Calculation }));
    return select;
  }

  private peaksButton(): HTMLButtonElement {
    const made = button("", "", () => this.options.onStyle({ isWhole: !this.options.style.isWhole }), "p-peaks");
    made.hidden = true;
    return made;
  }

  // That something lies outside of the chart must be seen; one press shows it, another leaves it out again.
  private tellSpikes(cut: [number, number] | null): void {
    this.peaks.hidden = cut === null;
    if (cut === null) return;
    const largest = Math.abs(cut[0]) > Math.abs(cut[1]) ? cut[0] : cut[1];
    const text = formatQuantity(largest, this.options.shownUnit.name, { digits: 3 });
    this.peaks.textContent = this.options.style.isWhole ? "Leave short peaks out of the scale" : `Short peaks up to ${text} lie outside: show them`;
    this.peaks.title = "Peaks that last less than 0.5 % of the time shown";
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
      if (this.isSpectrum()) return this.mainFrequency(run, name);
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

  private mainFrequency(run: number, name: string): HTMLElement {
    const { frequency, amplitude } = this.shown.spectrum(run, name) ?? {};
    const largest = amplitude?.reduce((best, value, k) => (value > amplitude[best]! ? k : best), 0) ?? 0;
    const text = frequency?.length ? formatQuantity(frequency[largest], "Hz", { digits: 4 }) : "";
    return el("span", { class: "p-num", text, title: "frequency of the highest peak" });
  }

  private showTip(at: number | null, left: number): void {
    const over = this.chart.plot.over;
    if (at === null || !over.matches(":hover")) {
      this.tip.hidden = true;
      return;
    }
    const lines = this.curves.slice(0, 8).map((curve) => this.tipLine(curve, at));
    this.tip.replaceChildren(el("div", { class: "p-tip-time" }, formatQuantity(this.abscissa[at], this.isSpectrum() ? "Hz" : "s")), ...lines);
    this.tip.hidden = false;
    const space = over.clientWidth - left - 10;
    const onLeft = this.tip.offsetWidth > space && left > space;
    this.tip.style.left = onLeft ? "auto" : `${left + 10}px`;
    this.tip.style.right = onLeft ? `${over.clientWidth - left + 10}px` : "auto";
  }

  private tipLine(curve: Curve & { name: string; run: number }, at: number): HTMLElement {
    const value = this.isSpectrum() ? curve.values[at] : this.shown.at(curve.run, curve.name, this.axis.time[at] ?? 0);
    return el("div", {}, chip(curve.color), userText(curve.label), el("b", { class: "p-num" }, formatNumber(value)));
  }

  private fileTitle(): string[] {
    return [this.store.runs[0]?.name ?? "carom", shortened(this.options.names[0] ?? "signals", 40)];
  }

  private saveCsv(): void {
    const { min, max } = this.chart.plot.scales["x"] ?? {};
    const range: [number, number] | null = min === undefined || max === undefined ? null : [min, max];
    const whose = (run: number): string => (this.store.runs.length > 1 ? ` (${this.store.runs[run]?.label ?? run})` : "");
    const { shownUnit, style } = this.options;
    const columns = this.curves.map(({ name, run, values }) => ({
      title: `${calculationTitle(style.calculation)}${name}${whose(run)} [${shownUnit.name}]`,
      values,
    }));
    saveText(csvOf(this.isSpectrum() ? "frequency [Hz]" : "time [s]", this.abscissa, columns, range), "csv", this.fileTitle());
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
