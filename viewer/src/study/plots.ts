// Scatter, map, heat map, histogram and probability of a study.
import { el } from "../dom";
import { formatQuantity } from "../numbers";
import type { Column, Study } from "./data";
import { drawMark, legend, markOf } from "./marks";
import { axesOn, card, nearest, rangeOf, titleOf, widened, type Axes, type Plot } from "./plot";

const canvasOf = (): HTMLCanvasElement => el("canvas", { class: "study-canvas" });

// Points of two columns; a press chooses the run.
function pointPlot(study: Study, title: string, explains: string, columns: () => [Column, Column], event: () => Column | null): Plot {
  const canvas = canvasOf();
  const key = el("div", {});
  let axes: Axes | null = null;
  const place = (row: number): [number, number] | null => {
    const [x, y] = columns();
    const known = axes && Number.isFinite(x.values[row]) && Number.isFinite(y.values[row]);
    return known ? [axes!.x(x.values[row]!), axes!.y(y.values[row]!)] : null;
  };
  const draw = (): void => {
    const [x, y] = columns();
    axes = axesOn(canvas, widened(rangeOf(x.values)), widened(rangeOf(y.values)), [titleOf(x), titleOf(y)]);
    for (let row = 0; row < study.count; ++row) {
      const at = place(row);
      if (at) drawMark(axes, at[0], at[1], markOf(study, row, event()), !study.brushed(row), false);
    }
    const at = study.row === null ? null : place(study.row);
    if (at) drawMark(axes, at[0], at[1], markOf(study, study.row!, event()), false, true);
    key.replaceChildren(legend(study, event()));
  };
  canvas.addEventListener("click", (press) => {
    const box = canvas.getBoundingClientRect();
    const row = nearest(study.count, place, press.clientX - box.left, press.clientY - box.top);
    if (row !== null) {
      study.row = row;
      study.changed();
    }
  });
  return { element: card(title, explains, canvas, key), canvas, draw };
}

export function scatter(study: Study): Plot {
  return pointPlot(study, "Measure over a variable", "Every run as a mark; press one to see its numbers.", () => [study.x, study.measure], () => (study.measure.event ? null : study.event));
}

// ---- maps of two variables

export function map(study: Study): Plot {
  const explains = study.event ? "Where it happened, where it did not, and where nobody knows." : "Where runs lie, and which of them are not good.";
  return pointPlot(study, "Map of two variables", explains, () => [study.x, study.y], () => study.event);
}

function levelsOf(column: Column): number[] {
  return [...new Set(column.values)].sort((a, b) => a - b);
}

// Means of the measure over the cells of a grid.
export function heatMap(study: Study): Plot {
  const canvas = canvasOf();
  const scale = el("p", { class: "study-legend" });
  const draw = (): void => {
    const xs = levelsOf(study.x);
    const ys = levelsOf(study.y);
    const sums = new Map<number, { sum: number; count: number }>();
    for (let row = 0; row < study.count; ++row) {
      const value = study.measure.values[row]!;
      if (!study.good(row) || !Number.isFinite(value)) continue;
      const cell = xs.indexOf(study.x.values[row]!) + xs.length * ys.indexOf(study.y.values[row]!);
      const old = sums.get(cell) ?? { sum: 0, count: 0 };
      sums.set(cell, { sum: old.sum + value, count: old.count + 1 });
    }
    const means = [...sums.values()].map((c) => c.sum / c.count);
    const range = rangeOf(means);
    const axes = axesOn(canvas, { low: -0.5, high: xs.length - 0.5 }, { low: -0.5, high: ys.length - 0.5 },
      [titleOf(study.x), titleOf(study.y)], { x: xs, y: ys });
    for (const [cell, c] of sums) {
      const share = (c.sum / c.count - range.low) / (range.high - range.low);
      const i = cell % xs.length;
      const k = Math.floor(cell / xs.length);
      axes.context.fillStyle = `color-mix(in srgb, ${axes.color("series-2")} ${Math.round(100 * share)}%, ${axes.color("accent-soft")})`;
      axes.context.fillRect(axes.x(i - 0.5) + 1, axes.y(k + 0.5) + 1, axes.x(i + 0.5) - axes.x(i - 0.5) - 2, axes.y(k - 0.5) - axes.y(k + 0.5) - 2);
    }
    scale.textContent = `${study.measure.title}: from ${formatQuantity(range.low, study.measure.unit, { digits: 4 })} (blue) to ${formatQuantity(range.high, study.measure.unit, { digits: 4 })} (orange)`;
  };
  return { element: card("Heat map", "Means of the measure over all runs with the same two levels.", canvas, scale), canvas, draw };
}

// ---- histogram

export function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (place - low) * (sorted[high]! - sorted[low]!);
}

export function histogram(study: Study): Plot {
  const canvas = canvasOf();
  const words = el("p", { class: "study-legend" });
  const draw = (): void => {
    const values = study.measure.values.filter((value, row) => Number.isFinite(value) && study.good(row) && study.brushed(row)).sort();
    const range = rangeOf(values);
    const bins = Math.max(1, Math.min(60, Math.ceil(2 * Math.cbrt(values.length))));
    const counts = new Array<number>(bins).fill(0);
    for (const value of values) counts[Math.min(bins - 1, Math.floor(((value - range.low) / (range.high - range.low)) * bins))]! += 1;
    const axes = axesOn(canvas, widened(range, 0.02), { low: 0, high: Math.max(...counts, 1) * 1.08 }, [titleOf(study.measure), "good runs"]);
    const edge = (k: number): number => axes.x(range.low + (k / bins) * (range.high - range.low));
    axes.context.fillStyle = axes.color("series-1");
    counts.forEach((n, k) => axes.context.fillRect(edge(k) + 0.5, axes.y(n), Math.max(edge(k + 1) - edge(k) - 1, 1), axes.y(0) - axes.y(n)));
    if (values.length === 0) {
      words.textContent = "no good run has a value";
      return;
    }
    const marks = [0.05, 0.5, 0.95].map((share) => quantile(values, share));
    axes.context.strokeStyle = axes.color("series-2");
    axes.context.lineWidth = 1.5;
    for (const at of marks) {
      axes.context.setLineDash([5, 3]);
      axes.context.beginPath();
      axes.context.moveTo(axes.x(at), axes.top);
      axes.context.lineTo(axes.x(at), axes.bottom);
      axes.context.stroke();
    }
    axes.context.setLineDash([]);
    const text = (value: number): string => formatQuantity(value, study.measure.unit, { digits: 4 });
    words.textContent = `5 % below ${text(marks[0]!)}, median ${text(marks[1]!)}, 95 % below ${text(marks[2]!)}; ${values.length} runs`;
  };
  return { element: card("Histogram", "Good runs that are not brushed away; dashed: 5 %, median, 95 %.", canvas, words), canvas, draw };
}

// ---- probability

export function probability(column: Column): Plot {
  const canvas = canvasOf();
  const { runs, share, low, high } = column.curve!;
  const draw = (): void => {
    const axes = axesOn(canvas, { low: 0, high: Math.max(runs[runs.length - 1] ?? 1, 1) }, { low: 0, high: 1 }, ["good runs", `probability of ${column.title}`]);
    const { context } = axes;
    context.beginPath();
    runs.forEach((n, k) => context[k ? "lineTo" : "moveTo"](axes.x(n), axes.y(high[k]!)));
    for (let k = runs.length - 1; k >= 0; --k) context.lineTo(axes.x(runs[k]!), axes.y(low[k]!));
    context.closePath();
    context.globalAlpha = 0.2;
    context.fillStyle = context.strokeStyle = axes.color("series-1");
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 2;
    context.beginPath();
    runs.forEach((n, k) => context[k ? "lineTo" : "moveTo"](axes.x(n), axes.y(share[k]!)));
    context.stroke();
  };
  return { element: card(`Probability of ${column.title}`, "How it settles with the number of runs; band: 95 % by Clopper and Pearson.", canvas), canvas, draw };
}
