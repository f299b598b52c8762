// Which colour a body, a run, a curve or an event has in the panels; always the one it has in the 3D scene.
import type { EventKind } from "../format";
import { cssColor, eventVariable, runVariable, seriesVariable } from "../palette";
import { bodyColor as sceneColor } from "../scene/colors";
import type { Store } from "../store";

export function runColor(run: number): string {
  return `var(${runVariable(run)})`;
}

export function seriesColor(series: number): string {
  return `var(${seriesVariable(series)})`;
}

export function eventColor(kind: EventKind): string {
  return `var(${eventVariable(kind)}, var(${seriesVariable(0)}))`;
}

// A canvas needs the value of a variable, not its name.
export function resolveColor(color: string): string {
  const name = /^var\((--[^,)]+)/.exec(color)?.[1];
  if (name === undefined) return color;
  return cssColor(name) || "#888888";
}

export function bodyColor(store: Store, run: number, body: number): string {
  return sceneColor(store.runs[run]?.bodies[body], body).getStyle();
}

export function bodyName(store: Store, run: number, body: number): string {
  return body < 0 ? "ground" : (store.runs[run]?.bodies[body]?.name ?? "?");
}
