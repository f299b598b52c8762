// Marks of runs: a disc where an event has happened (or where no event is asked about), a ring where it has not, a cross for a run that is
// not good. Shapes tell them apart without colours.
import { el } from "../dom";
import type { Column, Study } from "./data";
import type { Axes } from "./plot";

export type Mark = "hit" | "miss" | "bad";

export const markColors: Record<Mark, string> = { hit: "series-1", miss: "series-2", bad: "text-faint" };

export function markOf(study: Study, row: number, event: Column | null): Mark {
  if (!study.good(row)) return "bad";
  return event && !(event.values[row]! > 0.5) ? "miss" : "hit";
}

export function drawMark(axes: Axes, x: number, y: number, mark: Mark, faint: boolean, chosen: boolean): void {
  const { context, color } = axes;
  const size = chosen ? 6 : 3.2;
  context.globalAlpha = faint ? 0.15 : 0.85;
  context.strokeStyle = context.fillStyle = color(chosen ? "text" : markColors[mark]);
  context.lineWidth = 1.6;
  context.beginPath();
  if (mark === "bad") {
    context.moveTo(x - size, y - size);
    context.lineTo(x + size, y + size);
    context.moveTo(x + size, y - size);
    context.lineTo(x - size, y + size);
    context.stroke();
  } else {
    context.arc(x, y, size, 0, 2 * Math.PI);
    if (mark === "hit") context.fill();
    else context.stroke();
  }
  context.globalAlpha = 1;
}

export function legend(study: Study, event: Column | null): HTMLElement {
  const entries: [Mark, string, string][] = event
    ? [["hit", "●", event.title], ["miss", "○", `not ${event.title}`], ["bad", "✕", "failed, doubtful, cut off"]]
    : [["hit", "●", "good"], ["bad", "✕", "failed, doubtful, cut off"]];
  const used = new Set<Mark>();
  for (let row = 0; row < study.count; ++row) used.add(markOf(study, row, event));
  const shown = entries.filter(([mark]) => used.has(mark));
  return el("p", { class: "study-legend" }, ...shown.map(([mark, sign, text]) =>
    el("span", {}, el("b", { style: `color: var(--${markColors[mark]})`, text: sign }), ` ${text}`)));
}
