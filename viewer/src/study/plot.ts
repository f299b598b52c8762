// A plot of its own on a canvas: frame, ticks and titles; the marks are drawn by its owner.
import { el } from "../dom";
import { formatNumber, formatTicks, formatUnit } from "../numbers";
import type { Column } from "./data";

export interface Range {
  low: number;
  high: number;
}

export interface Axes {
  context: CanvasRenderingContext2D;
  x(value: number): number;
  y(value: number): number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  color(name: string): string;
}

export interface Plot {
  element: HTMLElement;
  draw(): void;
  canvas: HTMLCanvasElement;
}

export function titleOf(column: Column): string {
  return column.unit === "" ? column.title : `${column.title} [${formatUnit(column.unit)}]`;
}

export function rangeOf(values: ArrayLike<number>, takes: (index: number) => boolean = () => true): Range {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (!Number.isFinite(value) || !takes(i)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return { low: 0, high: 1 };
  return low < high ? { low, high } : { low: low - 0.5 * (Math.abs(low) || 1), high: high + 0.5 * (Math.abs(high) || 1) };
}

export function widened(range: Range, part = 0.04): Range {
  const by = part * (range.high - range.low);
  return { low: range.low - by, high: range.high + by };
}

export function ticksOf(range: Range, most: number): number[] {
  const rough = (range.high - range.low) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const ticks: number[] = [];
  for (let k = Math.ceil(range.low / step); k * step <= range.high + 1e-9 * step; ++k) ticks.push(k * step);
  return ticks;
}

// The canvas in device pixels, cleared; coordinates are those of the page.
export function prepare(canvas: HTMLCanvasElement): { context: CanvasRenderingContext2D; width: number; height: number; color: Axes["color"] } {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d")!;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  context.font = `11px ${color("font")}`;
  return { context, width, height, color };
}

// Places of ticks and what stands there: of levels, where there are any, those of whole numbers.
function labelled(range: Range, most: number, levels: number[] | undefined): { ticks: number[]; texts: string[] } {
  const ticks = ticksOf(range, most).filter((tick) => !levels || (Number.isInteger(tick) && levels[tick] !== undefined));
  return { ticks, texts: levels ? ticks.map((tick) => formatNumber(levels[tick], { digits: 4 })) : formatTicks(ticks) };
}

export interface Levels {
  x: number[];
  y: number[];
}

function drawFrame(axes: Axes, x: Range, y: Range, titles: [string, string], levels?: Levels): void {
  const { context, left, right, top, bottom, color } = axes;
  context.strokeStyle = color("border");
  context.fillStyle = color("text-muted");
  context.lineWidth = 1;
  const across = labelled(x, Math.max((right - left) / 90, 2), levels?.x);
  const up = labelled(y, Math.max((bottom - top) / 45, 2), levels?.y);
  context.textAlign = "center";
  context.textBaseline = "top";
  across.texts.forEach((text, k) => {
    const at = Math.round(axes.x(across.ticks[k]!)) + 0.5;
    line(context, at, top, at, bottom);
    context.fillText(text, at, bottom + 5);
  });
  context.textAlign = "right";
  context.textBaseline = "middle";
  up.texts.forEach((text, k) => {
    const at = Math.round(axes.y(up.ticks[k]!)) + 0.5;
    line(context, left, at, right, at);
    context.fillText(text, left - 6, at);
  });
  context.fillStyle = color("text");
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(titles[0], (left + right) / 2, bottom + 34, right - left);
  context.save();
  context.translate(11, (top + bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "middle";
  context.fillText(titles[1], 0, 0, bottom - top);
  context.restore();
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

export function axesOn(canvas: HTMLCanvasElement, x: Range, y: Range, titles: [string, string], levels?: Levels): Axes {
  const { context, width, height, color } = prepare(canvas);
  const left = 64;
  const right = width - 12;
  const top = 8;
  const bottom = height - 38;
  const axes: Axes = {
    context, left, right, top, bottom, color,
    x: (value) => left + ((value - x.low) / (x.high - x.low)) * (right - left),
    y: (value) => bottom - ((value - y.low) / (y.high - y.low)) * (bottom - top),
  };
  drawFrame(axes, x, y, titles, levels);
  return axes;
}

export function card(title: string, explains: string, canvas: HTMLCanvasElement, ...more: HTMLElement[]): HTMLElement {
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${title}: ${explains}`);
  return el("section", { class: "study-card" }, el("h2", { text: title }), el("div", { class: "study-across" }, canvas), el("p", { class: "study-note", text: explains }), ...more);
}

// The nearest of many points to a press, within a finger's width.
export function nearest(count: number, at: (index: number) => [number, number] | null, x: number, y: number): number | null {
  let best = 18 ** 2;
  let found: number | null = null;
  for (let i = 0; i < count; ++i) {
    const point = at(i);
    if (!point) continue;
    const distance = (point[0] - x) ** 2 + (point[1] - y) ** 2;
    if (distance < best) {
      best = distance;
      found = i;
    }
  }
  return found;
}
