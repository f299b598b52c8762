// The pointer on a chart: scrubbing, zooming by a dragged range, by the wheel and by two fingers.
import type uPlot from "uplot";

type Range = [number, number];

interface Drag {
  kind: "scrub" | "range";
  from: number; // [px] in the plotting area
}

export function watchPointer(
  plot: uPlot,
  full: Range,
  onTime: (time: number) => void,
  onZoom: (range: Range | null) => void,
): void {
  new ChartPointer(plot, full, onTime, onZoom);
}

class ChartPointer {
  private drag: Drag | null = null;
  private readonly fingers = new Map<number, number>(); // id -> x [px]

  constructor(
    private readonly plot: uPlot,
    private readonly full: Range,
    private readonly onTime: (time: number) => void,
    private readonly onZoom: (range: Range | null) => void,
  ) {
    const { over } = plot;
    over.addEventListener("pointerdown", (event) => this.down(event));
    over.addEventListener("pointermove", (event) => this.move(event));
    over.addEventListener("pointerup", (event) => this.up(event));
    over.addEventListener("pointercancel", (event) => this.cancel(event));
    over.addEventListener("dblclick", () => this.onZoom(null));
    over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  private x(event: MouseEvent): number {
    return event.clientX - this.plot.over.getBoundingClientRect().left;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.plot.over.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, this.x(event));
    if (this.fingers.size > 1) {
      this.drag = null;
      return;
    }
    this.drag = { kind: event.shiftKey || event.ctrlKey || event.metaKey ? "range" : "scrub", from: this.x(event) };
    if (this.drag.kind === "scrub") this.scrub(event);
  }

  private move(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId);
    if (before === undefined) return;
    if (this.fingers.size === 2) this.pinch(event);
    else if (this.drag?.kind === "scrub") this.scrub(event);
    else if (this.drag?.kind === "range") this.showRange(this.drag.from, this.x(event));
    this.fingers.set(event.pointerId, this.x(event));
  }

  private up(event: PointerEvent): void {
    if (this.drag?.kind === "range") this.zoomTo(this.drag.from, this.x(event));
    this.cancel(event);
  }

  private cancel(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    this.drag = null;
    this.plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  private scrub(event: PointerEvent): void {
    this.onTime(this.plot.posToVal(this.x(event), "x"));
  }

  private showRange(from: number, to: number): void {
    const height = this.plot.over.clientHeight;
    this.plot.setSelect({ left: Math.min(from, to), top: 0, width: Math.abs(to - from), height }, false);
  }

  private zoomTo(from: number, to: number): void {
    if (Math.abs(to - from) < 4) return; // a click, not a range
    const ends = [this.plot.posToVal(from, "x"), this.plot.posToVal(to, "x")];
    this.setRange([Math.min(...ends), Math.max(...ends)]);
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.shiftKey && !event.metaKey) return; // plain wheel scrolls the panel
    event.preventDefault();
    const turn = event.deltaY !== 0 ? event.deltaY : event.deltaX;
    this.zoomAround(this.x(event), Math.exp(Math.sign(turn) * Math.min(Math.abs(turn), 100) * 0.003));
  }

  private zoomAround(x: number, factor: number): void {
    const { min = 0, max = 1 } = this.plot.scales["x"] ?? {};
    const center = this.plot.posToVal(x, "x");
    this.setRange([center - (center - min) * factor, center + (max - center) * factor]);
  }

  // The points of the time axis under both fingers stay under them.
  private pinch(event: PointerEvent): void {
    const old = Array.from(this.fingers.values());
    const now = Array.from(this.fingers, ([id, x]) => (id === event.pointerId ? this.x(event) : x));
    const spread = (now[1] ?? 0) - (now[0] ?? 0);
    if (Math.abs(spread) < 12 || Math.abs((old[1] ?? 0) - (old[0] ?? 0)) < 12) return;
    const values = old.map((x) => this.plot.posToVal(x, "x"));
    const perPixel = ((values[1] ?? 0) - (values[0] ?? 0)) / spread;
    const min = (values[0] ?? 0) - perPixel * (now[0] ?? 0);
    this.setRange([min, min + perPixel * this.plot.over.clientWidth]);
  }

  private setRange([min, max]: Range): void {
    const [from, to] = this.full;
    const low = Math.max(min, from);
    const high = Math.min(max, to);
    if (high - low >= (to - from) * (1 - 1e-9)) this.onZoom(null);
    else if (high - low > (to - from) * 1e-7) this.onZoom([low, high]);
  }
}
