// Contact points of the present frame and the forces at them, for every run that is shown.
//
// Arrows start at the point and show the force on the body that moves freely: what a floor does to a foot, not what the
// foot does to the floor. Where both do, it is the force on body A. Or on the selected body, if that is one of the two.
// Lengths are in pixels and mean the same in all frames and runs. Beside the peak of an impact all other forces would vanish: the linear scale takes its measure from what most
// frames reach and cuts what is longer than a few arrows; the logarithmic one spans four decades below the peak.
import { Color, Vector3, type Camera, type Group } from "three";
import type { NumberArray } from "../decode";
import type { Contacts } from "../format";
import { cssColor, runVariable } from "../palette";
import type { Store } from "../store";
import { createArrows } from "./arrows";
import { rampColor, shownColor } from "./colors";
import { createDots } from "./dots";

export const arrowPixels = 90; // of the reference force
export const longestArrow = 3; // times that
const shortestArrow = 3;
const decades = 4;
const gapRounding = 1e-9; // [m] below this all gaps are rounding: rigid contact has none to show

export interface Range {
  low: number; // has the first colour
  high: number;
}

export interface ContactScale {
  force: Range; // [N]
  reference: number; // [N] the force whose arrow on the linear scale has the usual length
  gap: Range | null; // [m]; low > high: the smaller the redder; null: none to speak of
  hasPenetration: boolean;
}

interface Table {
  first: NumberArray;
  bodyA: NumberArray;
  bodyB: NumberArray;
  position: NumberArray;
  force: NumberArray;
  gap: NumberArray;
}

function tableOf(store: Store, contacts: Contacts): Table {
  return {
    first: store.array(contacts.first),
    bodyA: store.array(contacts.body_a),
    bodyB: store.array(contacts.body_b),
    position: store.array(contacts.position),
    force: store.array(contacts.force),
    gap: store.array(contacts.gap),
  };
}

function sizeOf(force: NumberArray, row: number): number {
  return Math.hypot(force[3 * row]!, force[3 * row + 1]!, force[3 * row + 2]!);
}

// Of all frames of all runs: colours mean the same at every time.
function scaleOf(tables: (Table | null)[]): ContactScale {
  let largest = 0;
  let [deepest, widest] = [Infinity, -Infinity];
  for (const table of tables) {
    for (let row = 0; table && row < table.gap.length; ++row) {
      const size = sizeOf(table.force, row);
      if (size > largest && Number.isFinite(size)) largest = size;
      const gap = table.gap[row]!;
      if (gap < deepest && gap > -Infinity) deepest = gap;
      if (gap > widest && gap < Infinity) widest = gap;
    }
  }
  const hasPenetration = deepest < -gapRounding || (deepest < 0 && !(widest > gapRounding));
  const gap = hasPenetration ? { low: 0, high: deepest } : { low: Math.max(widest, 0), high: Math.min(deepest, widest) };
  const force = { low: 0, high: largest };
  const reference = roundForce(referenceForce(usualForce(tables), largest));
  const seen = Math.max(Math.abs(deepest), Math.abs(widest)) >= gapRounding && Number.isFinite(gap.high);
  return { force, reference, gap: seen ? gap : null, hasPenetration };
}

// Where the peak is not far above the usual, no arrow need be cut.
function referenceForce(usual: number, largest: number): number {
  return usual > 0 && largest > 10 * usual ? usual : Math.max(usual, largest / longestArrow);
}

// What nine of ten frames with contacts stay below.
function usualForce(tables: (Table | null)[]): number {
  const peaks: number[] = [];
  for (const table of tables) {
    for (let frame = 0; table && frame + 1 < table.first.length; ++frame) {
      let peak = 0;
      for (let row = table.first[frame]!; row < table.first[frame + 1]!; ++row) peak = Math.max(peak, sizeOf(table.force, row));
      if (peak > 0 && Number.isFinite(peak)) peaks.push(peak);
    }
  }
  peaks.sort((a, b) => a - b);
  return peaks[Math.floor(0.9 * (peaks.length - 1))] ?? 0;
}

// 1, 2 or 5 times a power of ten, not below: the legend shows it.
function roundForce(force: number): number {
  if (!(force > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(force));
  return power * ([1, 2, 5].find((digit) => digit * power >= force * 0.999) ?? 10);
}

// Length of an arrow.
function arrowLength(size: number, scale: ContactScale, kind: "linear" | "log"): number {
  if (kind === "linear") return arrowPixels * Math.min(size / scale.reference, longestArrow);
  return arrowPixels * forceShare(size, scale.force.high, "log");
}

// 0..1 on the scale of forces.
function forceShare(size: number, largest: number, scale: "linear" | "log"): number {
  if (!(size > 0) || !(largest > 0)) return 0;
  if (scale === "linear") return Math.min(size / largest, 1);
  return Math.max(0, Math.min(1 + Math.log10(size / largest) / decades, 1));
}

function rangeShare(value: number, { low, high }: Range): number {
  return high === low ? 0 : Math.min(Math.max((value - low) / (high - low), 0), 1);
}

// [CSS pixels] Hundreds of points must not hide what they touch.
function dotRadius(count: number): number {
  return Math.max(2.4, 4.2 - 0.006 * count);
}

interface ContactView {
  readonly scale: ContactScale | null; // null: no run has contacts
  // Sizes depend on the camera, those of dots also on the pixels drawn per CSS pixel.
  update(camera: Camera, perPixel: (at: Vector3) => number, ratio: number): void;
}

export function createContacts(store: Store, group: Group): ContactView {
  const tables = store.runs.map((run) => (run.contacts ? tableOf(store, run.contacts) : null));
  const scale = tables.some(Boolean) ? scaleOf(tables) : null;
  const arrows = createArrows(group);
  const points = createDots(group);
  const at = new Vector3();
  const direction = new Vector3();
  const color = new Color();
  const rimColor = new Color();

  const colorOf = (table: Table, row: number, size: number): Color => {
    const { contactColor, forceScale } = store.display;
    const { gap } = scale!;
    if (contactColor === "gap") return rampColor(gap ? rangeShare(table.gap[row]!, gap) : 0, color);
    return rampColor(forceShare(size, scale!.force.high, forceScale), color);
  };

  const drawArrow = (size: number, pixel: number): void => {
    const { forceScale, forceSize } = store.display;
    const pixels = forceSize * arrowLength(size, scale!, forceScale);
    if (!(pixels >= shortestArrow)) return;
    arrows.add(at, direction, pixels, pixel, color);
  };

  // Recorded forces act on A; the arrow of the one on B points the other way.
  const actsOnB = (run: number, a: number, b: number): boolean => {
    const selected = store.selected?.run === run ? store.selected.body : null;
    if (selected === a || selected === b) return selected === b;
    const isFree = (body: number): boolean => store.runs[run]?.bodies[body]?.role === "free";
    return isFree(b) && !isFree(a);
  };

  const drawRow = (run: number, table: Table, row: number, perPixel: (at: Vector3) => number): void => {
    const { display } = store;
    if (store.isHidden(run, table.bodyA[row]!) && store.isHidden(run, table.bodyB[row]!)) return;
    at.set(table.position[3 * row]!, table.position[3 * row + 1]!, table.position[3 * row + 2]!);
    if (!Number.isFinite(at.x + at.y + at.z)) return;
    const pixel = perPixel(at);
    const size = sizeOf(table.force, row);
    colorOf(table, row, size);
    if (display.contacts) points.add(at, color, rimColor);
    if (!display.forces || !(size > 0)) return;
    direction.set(table.force[3 * row]!, table.force[3 * row + 1]!, table.force[3 * row + 2]!).divideScalar(size);
    if (actsOnB(run, table.bodyA[row]!, table.bodyB[row]!)) direction.negate();
    if (Number.isFinite(size)) drawArrow(size, pixel);
  };

  const drawRun = (run: number, perPixel: (at: Vector3) => number): void => {
    const table = tables[run];
    if (!table || !(store.display.runs[run] ?? true)) return;
    shownColor(cssColor(store.runs.length > 1 ? runVariable(run) : "--surface"), rimColor);
    const frame = store.frameAt(run);
    const end = table.first[frame + 1] ?? 0;
    for (let row = table.first[frame] ?? 0; row < end; ++row) drawRow(run, table, row, perPixel);
  };

  return {
    scale,
    update(camera, perPixel, ratio) {
      points.begin();
      arrows.begin(camera);
      if (store.display.contacts || store.display.forces) store.runs.forEach((_, run) => drawRun(run, perPixel));
      arrows.end();
      points.end(ratio * dotRadius(points.count));
    },
  };
}
