// How deformation is shown: what colours it and how much it is exaggerated; remembered for as long as the tab is open.
import { exaggerationOf, fieldRanges, fieldTitles, mostExaggerated } from "./deformation";
import type { Store } from "./store";

const key = "carom-deformation";

export function fieldChoices(store: Store): string[] {
  const ranges = fieldRanges(store);
  return ["body", ...Object.keys(fieldTitles).filter((name) => ranges.has(name))];
}

function remember({ display }: Store): void {
  try {
    sessionStorage.setItem(key, JSON.stringify([display.bodyColor, display.exaggeration]));
  } catch {
    // Nothing is lost but the choice: a page opened from disk may be denied any storage.
  }
}

function stored(): [unknown, unknown] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return Array.isArray(value) ? [value[0], value[1]] : [null, null];
  } catch {
    return [null, null];
  }
}

// At first stresses, and as much exaggeration as is needed to see something.
export function initDeformation(store: Store): void {
  const choices = fieldChoices(store);
  const [color, factor] = stored();
  const first = ["von_mises", "relative_strain"].find((name) => choices.includes(name)) ?? "body";
  store.display.bodyColor = typeof color === "string" && choices.includes(color) ? color : first;
  store.display.exaggeration = typeof factor === "number" && factor >= 0 && factor <= mostExaggerated ? factor : 0;
}

export function setBodyColor(store: Store, name: string): void {
  store.display.bodyColor = name;
  remember(store);
  store.emit("display");
}

// 0: as much as is needed.
export function setExaggeration(store: Store, factor: number): void {
  store.display.exaggeration = factor === 0 ? 0 : Math.min(Math.max(factor, 1), mostExaggerated);
  remember(store);
  store.emit("display");
}

export function nextBodyColor(store: Store, by: number): void {
  const choices = fieldChoices(store);
  const at = choices.indexOf(store.display.bodyColor);
  setBodyColor(store, choices[(at + by + choices.length) % choices.length]!);
}

export function toggleExaggeration(store: Store): void {
  setExaggeration(store, store.display.exaggeration === 1 ? 0 : 1);
}

// To the next of 1, 2, 5, 10, 20, ...
export function changeExaggeration(store: Store, by: number): void {
  const steps = [0, 1, 2].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power)).concat(mostExaggerated);
  const now = exaggerationOf(store);
  const next = by > 0 ? steps.find((step) => step > now * 1.001) : [...steps].reverse().find((step) => step < now * 0.999);
  setExaggeration(store, next ?? now);
}
