// Saving what a chart shows: its numbers as CSV, its picture as PNG with title and legend.
import type uPlot from "uplot";
import { shortened } from "../dom";
import { resolveColor } from "../palette";
import type { Curve } from "./chart";
import { fileName, saveFile } from "./dom";

export function saveText(text: string, ending: "csv" | "json", title: string[]): void {
  saveFile(
    `${fileName(...title)}.${ending}`,
    new Blob([text], { type: ending === "csv" ? "text/csv" : "application/json" }),
  );
}

const lineHeight = 18; // [CSS px] of the legend

// The canvas of the chart with a legend above it, on the colour of the page.
function pictureOf(plot: uPlot, curves: Curve[], title: string): HTMLCanvasElement {
  const source = plot.ctx.canvas;
  const ratio = source.width / Math.max(plot.width, 1);
  const listed = curves.slice(0, 16);
  const top = (listed.length + 1.6) * lineHeight;
  const canvas = document.createElement("canvas");
  canvas.width = source.width;
  canvas.height = source.height + Math.round(top * ratio);
  const context = canvas.getContext("2d");
  if (context === null) return canvas;
  context.fillStyle = resolveColor("var(--surface)");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, Math.round(top * ratio));
  context.scale(ratio, ratio);
  drawLegend(context, listed, title, plot.width);
  return canvas;
}

function drawLegend(context: CanvasRenderingContext2D, curves: Curve[], title: string, width: number): void {
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.fillStyle = resolveColor("var(--text-muted)");
  context.fillText(title, 10, lineHeight * 0.8);
  curves.forEach((curve, k) => {
    const y = (k + 1.8) * lineHeight;
    context.strokeStyle = resolveColor(curve.color);
    context.lineWidth = 2;
    context.setLineDash(curve.dash ?? []);
    context.beginPath();
    context.moveTo(10, y);
    context.lineTo(34, y);
    context.stroke();
    context.fillStyle = resolveColor("var(--text)");
    context.fillText(shortened(curve.label, Math.max(10, Math.floor((width - 50) / 7))), 42, y);
  });
  context.setLineDash([]);
}

export function saveChart(plot: uPlot, curves: Curve[], title: string, file: string[]): void {
  pictureOf(plot, curves, title).toBlob((blob) => {
    if (blob !== null) saveFile(`${fileName(...file)}.png`, blob);
  }, "image/png");
}
