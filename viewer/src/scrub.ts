// The scrub bar: where the clock stands, and what happened when. Ticks of the same kind within a pixel are drawn once;
// the hint under the pointer says how many there are.
import { el } from "./dom";
import { lineOf, numbersOf } from "./events";
import type { Event as RunEvent, EventKind } from "./format";
import { formatNumber } from "./numbers";
import { cssColor, eventVariable } from "./palette";
import type { Store } from "./store";

interface Scrub {
  element: HTMLElement;
  resize(): void;
}

// The last lie on top.
const kinds: EventKind[] = ["contact off", "contact on", "stick", "slip", "topology", "impact", "rest", "jam", "paradox", "event", "too deep"];
const tall: EventKind[] = ["impact", "topology", "rest", "jam", "paradox", "event", "too deep"];
const reach = 4; // pixels in which the pointer finds events

interface Tick {
  event: RunEvent;
  run: number;
}

function ticksOf(store: Store): Tick[] {
  const all = store.runs.flatMap((run, index) => run.events.map((event) => ({ event, run: index })));
  return all.sort((a, b) => a.event.t - b.event.t);
}

export function createScrub(store: Store): Scrub {
  const canvas = el("canvas", { class: "scrub-ticks", "aria-hidden": "true" });
  const fill = el("div", { class: "scrub-fill" });
  const thumb = el("div", { class: "scrub-thumb" });
  const hint = el("div", { class: "scrub-hint", hidden: "" });
  const attributes = { class: "scrub", role: "slider", tabindex: "0", "aria-label": "Time", "aria-orientation": "horizontal" };
  const element = el("div", attributes, el("div", { class: "scrub-track" }, canvas, fill), thumb, hint);
  const ticks = ticksOf(store);
  const span = store.end - store.start;
  element.setAttribute("aria-valuemin", String(store.start));
  element.setAttribute("aria-valuemax", String(store.end));

  const shareOf = (time: number): number => (span > 0 ? (time - store.start) / span : 0);
  const timeAt = (event: PointerEvent): number => {
    const rect = element.getBoundingClientRect();
    return store.start + Math.min(Math.max((event.clientX - rect.left) / rect.width, 0), 1) * span;
  };

  const update = (): void => {
    const share = Math.min(Math.max(shareOf(store.time), 0), 1);
    fill.style.width = `${100 * share}%`;
    thumb.style.left = `${100 * share}%`;
    element.setAttribute("aria-valuenow", String(store.time));
    element.setAttribute("aria-valuetext", `${formatNumber(store.time)} seconds`);
  };

  const draw = (): void => {
    const ratio = Math.min(devicePixelRatio, 3);
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    if (!context) return;
    context.scale(ratio, ratio);
    for (const kind of kinds) drawKind(context, kind, width, height);
  };

  const drawKind = (context: CanvasRenderingContext2D, kind: EventKind, width: number, height: number): void => {
    context.fillStyle = cssColor(eventVariable(kind));
    const inset = tall.includes(kind) ? 0 : Math.round(height * 0.22);
    let last = -2;
    for (const { event } of ticks) {
      if (event.kind !== kind) continue;
      const x = Math.round(shareOf(event.t) * (width - 2));
      if (x === last) continue;
      last = x;
      context.fillRect(x, inset, 1.5, height - 2 * inset);
    }
  };

  // The same thing between the same bodies again and again is one line.
  const describe = (list: Tick[]): string[] => {
    const counts = new Map<string, number>();
    for (const { event, run } of list) {
      const line = lineOf(store, run, event);
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
    const lines = [...counts].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line));
    return lines.length > 6 ? [...lines.slice(0, 5), `and ${lines.length - 5} more`] : lines;
  };

  const showHint = (event: PointerEvent): void => {
    const rect = element.getBoundingClientRect();
    const time = timeAt(event);
    const near = ticks.filter((tick) => Math.abs(shareOf(tick.event.t) - shareOf(time)) * rect.width <= reach);
    const head = near.length > 0 ? near[0]!.event.t : time;
    hint.replaceChildren(el("b", { text: `t = ${formatNumber(head, { digits: 5 })} s` }));
    const numbers = near.length === 1 ? numbersOf(near[0]!.event) : []; // a single event has room for them
    for (const line of [...describe(near), ...numbers]) hint.append(el("bdi", { text: line }));
    hint.hidden = false;
    const half = hint.offsetWidth / 2;
    const x = Math.min(Math.max(event.clientX - rect.left, half - rect.left + 4), innerWidth - rect.left - half - 4);
    hint.style.left = `${x}px`;
  };

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    store.setTime(timeAt(event));
  });
  element.addEventListener("pointermove", (event) => {
    if (element.hasPointerCapture(event.pointerId)) store.setTime(timeAt(event));
    showHint(event);
  });
  element.addEventListener("pointerleave", () => (hint.hidden = true));
  store.on("time", update);
  store.on("theme", draw);
  update();
  return { element, resize: draw };
}

// What the colours of the ticks mean, and how many there are.
export function eventLegend(store: Store): HTMLElement | null {
  const counts = new Map<EventKind, number>();
  for (const { event } of ticksOf(store)) counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
  const found = [...kinds].reverse().filter((kind) => counts.has(kind));
  if (found.length === 0) return null;
  const items = found.map((kind) => {
    const swatch = el("i", { class: "swatch", style: `background: var(${eventVariable(kind)})` });
    return el("span", { class: "event-kind" }, swatch, `${kind} `, el("b", { text: formatNumber(counts.get(kind)!) }));
  });
  return el("div", { class: "event-legend", "aria-label": "Events on the time line" }, ...items);
}
