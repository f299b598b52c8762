// Colours that the 3D scene, the plots and the legends must agree on. The values live in styles/theme.css.
import type { EventKind } from "./format";

const runColorCount = 6;

// Name of the CSS variable with the colour of a run of a comparison; the first run is the reference.
export function runVariable(run: number): string {
  return run === 0 ? "--run-0" : `--run-${((run - 1) % (runColorCount - 1)) + 1}`;
}

export function eventVariable(kind: EventKind): string {
  return `--event-${kind.replace(" ", "-")}`;
}

// The same for style sheets and attributes.
export function runColor(run: number): string {
  return `var(${runVariable(run)})`;
}

export function seriesColor(series: number): string {
  return `var(--series-${(series % 8) + 1})`;
}

export function eventColor(kind: EventKind): string {
  return `var(${eventVariable(kind)}, ${seriesColor(0)})`;
}

// What a variable is in the present theme, as "#rrggbb" or whatever the style sheet says. Asked for in every frame, so
// the answers are kept for each theme.
const known = new Map<string, string>();

export function cssColor(variable: string): string {
  const root = document.documentElement;
  const key = `${root.dataset["theme"] ?? ""} ${variable}`;
  const color = known.get(key) ?? getComputedStyle(root).getPropertyValue(variable).trim();
  known.set(key, color);
  return color;
}

// A canvas needs the value of a variable, not its name.
export function resolveColor(color: string): string {
  const name = /^var\((--[^,)]+)/.exec(color)?.[1];
  return name === undefined ? color : cssColor(name) || "#888888";
}
