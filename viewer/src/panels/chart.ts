// One chart: uPlot with the page's colours, a line at the present time, faint lines at events, and the pointer:
// dragging moves the time, dragging with Shift or Ctrl zooms in, the wheel with Ctrl or Shift and two fingers zoom,
// a double click shows everything again.
import uPlot from "uplot";
import { el } from "../dom";
import { formatNumber, formatTicks } from "../numbers";
import { resolveColor } from "../palette";
import { rangeWithoutSpikes } from "./axis_range";
import { watchPointer } from "./chart_pointer";

export interface Curve {
  label: string;
  color: string; // CSS; variables are resolved
  dash?: number[];
  width?: number;
  fill?: string; // from the curve down to the next one in `fillTo`
  fillTo?: number; // index of another curve; left out: down to zero
  values: (number | null | undefined)[] | Float64Array;
}

interface ChartOptions {
  height: number;
  log: boolean;
  zero?: boolean; // the axis starts at zero
  isFrequency?: boolean; // the axis is one of frequencies: it does not follow the clock
  noise?: number; // values smaller than this are rounding, not to be magnified
  isWhole?: boolean; // spikes set the scale all the same
  onSpikes?: (cut: [number, number] | null) => void; // told the whole range where short spikes are, or would be, left out of the scale
  label: string; // for people who do not see it
  marks: { time: number; color: string }[]; // events
  hover?: (index: number | null, left: number, top: number) => void;
  onTime(time: number): void;
  onZoom(range: [number, number] | null): void; // null: everything
}

interface ChartData {
  time: number[] | Float64Array;
  curves: Curve[];
}

const axisFont = "11px system-ui, sans-serif";
const yAxisSize = 54; // [px] the same for all charts, so that their times lie below each other
const mostMarks = 400; // lines at events; beyond that they are only a grey wall

export class Chart {
  readonly element: HTMLElement;
  readonly plot: uPlot;
  private readonly options: ChartOptions;
  private readonly data: ChartData;
  private readonly needle: HTMLElement;
  private time = 0;
  private readonly full: [number, number];

  constructor(root: HTMLElement, data: ChartData, options: ChartOptions, width: number) {
    this.data = data;
    this.options = options;
    this.full = fullRange(data.time);
    this.element = el("div", { class: "p-chart", role: "img", "aria-label": options.label });
    root.append(this.element);
    this.plot = new uPlot(this.configuration(width), this.aligned(), this.element);
    this.needle = el("div", { class: "p-needle" });
    this.plot.over.append(this.needle);
    this.needle.hidden = options.isFrequency === true;
    watchPointer(this.plot, this.full, options.onTime, options.onZoom);
  }

  setTime(time: number): void {
    this.time = time;
    if (this.options.isFrequency === true) return;
    const left = this.plot.valToPos(time, "x");
    const inside = left >= -0.5 && left <= this.plot.over.clientWidth + 0.5;
    this.needle.style.transform = `translateX(${left}px)`;
    this.needle.hidden = !inside;
  }

  setRange(range: [number, number] | null): void {
    const [min, max] = range ?? this.full;
    this.plot.setScale("x", { min, max });
    this.setTime(this.time);
  }

  setWidth(width: number): void {
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: this.options.height });
    this.setTime(this.time);
  }

  destroy(): void {
    this.plot.destroy();
    this.element.remove();
  }

  private aligned(): uPlot.AlignedData {
    const log = this.options.log;
    return [this.data.time, ...this.data.curves.map((curve) => drawable(curve.values, log))] as uPlot.AlignedData;
  }

  private configuration(width: number): uPlot.Options {
    const [min, max] = this.full;
    return {
      width: Math.max(width, 120),
      height: this.options.height,
      padding: [8, 20, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        bind: { dblclick: () => null, mousedown: () => null, mouseup: () => null },
        ...(this.options.isFrequency === true ? {} : { sync: { key: "carom", setSeries: false } }),
        points: { size: 6 },
      },
      scales: {
        x: { time: false, range: (_, from, to) => (this.data.time.length > 1 && from < to ? [from, to] : [min, max]) },
        y: this.yScale(),
      },
      axes: [this.xAxis(), this.yAxis()],
      series: [{}, ...this.data.curves.map((curve) => this.series(curve))],
      bands: this.bands(),
      hooks: { drawAxes: [(plot) => this.drawMarks(plot)], setCursor: [(plot) => this.tellHover(plot)] },
    };
  }

  private yScale(): uPlot.Scale {
    if (this.options.log) return { distr: 3, log: 10, range: logRange };
    if (this.options.zero === true)
      return { range: (_, min, max) => [Math.min(min ?? 0, 0), max !== null && max > 0 ? 1.06 * max : 1] };
    return { range: (plot, min, max) => this.linearScale(plot, min, max) };
  }

  private linearScale(plot: uPlot, min: number | null, max: number | null): [number, number] {
    const { noise = 0, onSpikes } = this.options;
    if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
    if (Math.max(Math.abs(min), Math.abs(max)) < noise) return linearRange(0, 0);
    if (onSpikes === undefined) return linearRange(min, max);
    const { min: from = this.full[0], max: to = this.full[1] } = plot.scales["x"] ?? {};
    const curves = this.data.curves.map(({ values }) => values);
    const range = rangeWithoutSpikes(this.data.time, curves, from, to, min, max);
    onSpikes(range.cut);
    return this.options.isWhole === true ? linearRange(min, max) : linearRange(range.min, range.max);
  }

  private series(curve: Curve): uPlot.Series {
    const color = (): string => resolveColor(curve.color);
    return {
      label: curve.label.slice(0, 200),
      stroke: color,
      width: curve.width ?? 1.5,
      ...(curve.dash === undefined ? {} : { dash: curve.dash }),
      ...(curve.fill === undefined ? {} : { fill: () => translucent(resolveColor(curve.fill ?? "")) }),
      points: { show: this.data.time.length < 3 },
      spanGaps: false,
      pxAlign: 0, // rounded to whole pixels a slope becomes a stair
    };
  }

  private bands(): uPlot.Band[] {
    const bands: uPlot.Band[] = [];
    this.data.curves.forEach((curve, k) => {
      if (curve.fillTo === undefined || curve.fill === undefined) return;
      bands.push({ series: [k + 1, curve.fillTo + 1] });
    });
    return bands;
  }

  private xAxis(): uPlot.Axis {
    return {
      ...axisColors(),
      size: 26,
      gap: 3,
      space: 62,
      values: (_, ticks) => formatTicks(ticks).map((text, k) => (k === ticks.length - 1 ? `${text} ${this.options.isFrequency === true ? "Hz" : "s"}` : text)),
    };
  }

  private yAxis(): uPlot.Axis {
    const log = this.options.log;
    return {
      ...axisColors(),
      ...(log
        ? {
            splits: (_: uPlot, __: number, min: number, max: number) => logTicks(min, max),
            filter: (_: uPlot, ticks: number[]) => ticks,
          }
        : {}),
      size: (_, values) =>
        Math.max(yAxisSize, 6.6 * Math.max(0, ...(values ?? []).map((text) => (text ?? "").length)) + 12),
      gap: 4,
      space: this.options.height < 150 ? 22 : 30,
      values: (_, ticks) =>
        log ? ticks.map((tick) => (tick === null ? "" : formatNumber(tick, { digits: 2 }))) : formatTicks(ticks),
    };
  }

  private drawMarks(plot: uPlot): void {
    const { marks } = this.options;
    const { left, top, width, height } = plot.bbox;
    const every = Math.max(1, Math.ceil(marks.length / mostMarks));
    plot.ctx.save();
    plot.ctx.globalAlpha = 0.16;
    plot.ctx.lineWidth = Math.max(1, Math.round(uPlot.pxRatio));
    const colors = new Map<string, string>();
    let last = -Infinity;
    for (let k = 0; k < marks.length; k += every) {
      const mark = marks[k]!;
      const x = Math.round(plot.valToPos(mark.time, "x", true));
      if (x < left || x > left + width || x < last + 2) continue; // a line per pixel at most
      last = x;
      if (!colors.has(mark.color)) colors.set(mark.color, resolveColor(mark.color));
      plot.ctx.strokeStyle = colors.get(mark.color) ?? "";
      plot.ctx.beginPath();
      plot.ctx.moveTo(x, top);
      plot.ctx.lineTo(x, top + height);
      plot.ctx.stroke();
    }
    plot.ctx.restore();
  }

  private tellHover(plot: uPlot): void {
    const { left = -1, top = -1, idx } = plot.cursor;
    this.options.hover?.(left < 0 ? null : (idx ?? null), left, top);
  }
}

function fullRange(time: number[] | Float64Array): [number, number] {
  const from = time[0] ?? 0;
  const to = time[time.length - 1] ?? 1;
  return to > from ? [from, to] : [from - 0.5, from + 0.5];
}

// What cannot be drawn is a gap. On a logarithmic axis magnitudes are drawn.
function drawable(values: Curve["values"], log: boolean): Curve["values"] {
  let clean = true;
  for (let k = 0; k < values.length && clean; ++k) {
    const value = values[k];
    clean = value === undefined || (value !== null && Number.isFinite(value) && !log);
  }
  if (clean) return values;
  return Array.from(values as ArrayLike<number | null | undefined>, (value) => {
    if (value === undefined) return undefined;
    if (value === null || !Number.isFinite(value)) return null;
    if (!log) return value;
    return value === 0 ? null : Math.abs(value);
  });
}

function linearRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const span = max - min;
  if (span <= 1e-12 * Math.max(Math.abs(min), Math.abs(max))) return flatRange(0.5 * (min + max));
  return [min - 0.06 * span, max + 0.06 * span];
}

// A constant is drawn in the middle, on an axis that does not magnify rounding.
function flatRange(value: number): [number, number] {
  const half = value === 0 ? 1 : 0.1 * Math.abs(value);
  return [value - half, value + half];
}

function logRange(_: uPlot, min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !(min > 0) || !(max > 0)) return [0.1, 10];
  const low = Math.max(min, max * 1e-12); // rounding to almost zero must not flatten the rest
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(max * 1.0001))];
}

// Powers of ten, not more than fit; with few of them also their two- and fivefolds.
function logTicks(min: number, max: number): number[] {
  const [from, to] = [Math.floor(Math.log10(min) + 1e-9), Math.ceil(Math.log10(max) - 1e-9)];
  const stride = Math.max(1, Math.ceil((to - from) / 6));
  const factors = to - from <= 2 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = from; power <= to; power += stride)
    for (const factor of factors) ticks.push(Number(`${factor}e${power}`));
  return ticks.filter((tick) => tick >= min * 0.999999 && tick <= max * 1.000001);
}

function axisColors(): Partial<uPlot.Axis> {
  const line = (): string => resolveColor("var(--border)");
  return {
    stroke: () => resolveColor("var(--text-muted)"),
    font: axisFont,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1, size: 4 },
  };
}

// "#rrggbb" with less weight.
function translucent(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? `${color}73` : color;
}
