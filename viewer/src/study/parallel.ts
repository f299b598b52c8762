// Parallel coordinates: an axis for each variable and measure, a line for each run. Drag along an axis to keep the runs within, press it to
// let all in again.
import { el } from "../dom";
import { formatShort } from "../numbers";
import type { Column, Study } from "./data";
import { markColors, markOf } from "./marks";
import { card, prepare, rangeOf, type Plot, type Range } from "./plot";

const top = 46;
const below = 22;
const apart = 70; // axes, at least [px]: their numbers must not touch

export function parallel(study: Study): Plot {
  const canvas = el("canvas", { class: "study-canvas study-wide" });
  const columns = study.columns.filter((c) => c.values.some((value) => value !== c.values[0] && Number.isFinite(value)));
  canvas.style.minWidth = `${apart * columns.length + 10}px`;
  const ranges = columns.map((c): Range => rangeOf(c.values));
  const brushes = new Map<Column, Range>();
  study.brushed = (row) => [...brushes].every(([c, r]) => c.values[row]! >= r.low && c.values[row]! <= r.high);

  const xOf = (k: number): number => 40 + (k * (canvas.clientWidth - 80)) / Math.max(columns.length - 1, 1);
  const yOf = (k: number, value: number): number => {
    const { low, high } = ranges[k]!;
    return canvas.clientHeight - below - ((value - low) / (high - low)) * (canvas.clientHeight - below - top);
  };
  const valueAt = (k: number, y: number): number => {
    const share = (canvas.clientHeight - below - y) / (canvas.clientHeight - below - top);
    return ranges[k]!.low + Math.min(Math.max(share, 0), 1) * (ranges[k]!.high - ranges[k]!.low);
  };

  const drawRow = (context: CanvasRenderingContext2D, row: number): void => {
    context.beginPath();
    let open = false;
    columns.forEach((c, k) => {
      const known = Number.isFinite(c.values[row]);
      if (known) context[open ? "lineTo" : "moveTo"](xOf(k), yOf(k, c.values[row]!));
      open = known;
    });
    context.stroke();
  };
  const draw = (): void => {
    const { context, color } = prepare(canvas);
    const order = [...Array(study.count).keys()].sort((a, b) => Number(study.brushed(a)) - Number(study.brushed(b)));
    const dense = Math.min(0.8, Math.max(0.04, 40 / study.count));
    context.lineWidth = 1;
    for (const row of order) {
      const kept = study.brushed(row);
      context.globalAlpha = kept ? dense : 0.3 * dense;
      context.strokeStyle = color(kept ? markColors[markOf(study, row, study.event)] : "border-strong");
      drawRow(context, row);
    }
    context.globalAlpha = 1;
    if (study.row !== null) {
      context.strokeStyle = color("text");
      context.lineWidth = 2;
      drawRow(context, study.row);
    }
    columns.forEach((c, k) => {
      context.lineWidth = 1;
      context.strokeStyle = color("border-strong");
      context.beginPath();
      context.moveTo(xOf(k), top);
      context.lineTo(xOf(k), canvas.clientHeight - below);
      context.stroke();
      const brush = brushes.get(c);
      if (brush) {
        context.fillStyle = color("accent");
        context.globalAlpha = 0.35;
        context.fillRect(xOf(k) - 6, yOf(k, brush.high), 12, Math.max(yOf(k, brush.low) - yOf(k, brush.high), 2));
        context.globalAlpha = 1;
      }
      context.textAlign = "center";
      context.textBaseline = "alphabetic";
      context.fillStyle = color("text");
      context.fillText(c.title, xOf(k), k % 2 ? 26 : 12, (2 * canvas.clientWidth) / columns.length);
      context.fillStyle = color("text-muted");
      context.fillText(formatShort(ranges[k]!.high), xOf(k), top - 5, 70);
      context.fillText(formatShort(ranges[k]!.low), xOf(k), canvas.clientHeight - 6, 70);
    });
  };

  let dragged: { axis: number; from: number } | null = null;
  const placed = (event: PointerEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    const [x, y] = placed(event);
    const axis = columns.findIndex((_, k) => Math.abs(xOf(k) - x) < 18);
    if (axis < 0) return;
    dragged = { axis, from: y };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const [, y] = placed(event);
    const ends = [valueAt(dragged.axis, dragged.from), valueAt(dragged.axis, y)];
    if (Math.abs(y - dragged.from) > 3) brushes.set(columns[dragged.axis]!, { low: Math.min(...ends), high: Math.max(...ends) });
    else brushes.delete(columns[dragged.axis]!);
    study.changed();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (dragged && Math.abs(placed(event)[1] - dragged.from) <= 3) {
      brushes.delete(columns[dragged.axis]!);
      study.changed();
    }
    dragged = null;
  });
  return { element: card("All together", "One line per run. Drag along an axis to keep the runs within; press it to let all in again.", canvas), canvas, draw };
}
