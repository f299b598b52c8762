// The numbers behind the charts: curves of several runs on one time axis, and their export as CSV.
import { formatUnit } from "../numbers";
import type { Store } from "../store";
import { csvField } from "./dom";
import type { SignalIndex } from "./signals";

type Values = (number | null | undefined)[] | Float64Array;

export interface TimeAxis {
  time: number[] | Float64Array;
  rows: (Int32Array | null)[]; // by run: where its points stand on the axis; null: at the same places
}

function sameTimes(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}

// All instants of all runs, ascending. An instant that a run has twice keeps both places.
export function sharedAxis(store: Store, index: SignalIndex): TimeAxis {
  const times = store.runs.map((_, run) => index.time(run));
  const first = times[0] ?? new Float64Array(0);
  if (times.every((time) => sameTimes(time, first))) return { time: first, rows: times.map(() => null) };
  return mergeTimes(times);
}

function mergeTimes(times: Float64Array[]): TimeAxis {
  const merged: number[] = [];
  const next = times.map(() => 0);
  const rows = times.map((time) => new Int32Array(time.length));
  for (;;) {
    const heads = times.map((time, run) => time[next[run] ?? 0] ?? Infinity);
    const least = Math.min(...heads);
    if (!Number.isFinite(least)) return { time: merged, rows };
    heads.forEach((head, run) => {
      if (head !== least) return;
      rows[run]![next[run]!] = merged.length;
      next[run]! += 1;
    });
    merged.push(least);
  }
}

// The values of a run spread over the axis; `undefined` where only other runs have points.
export function onAxis(axis: TimeAxis, run: number, values: Float64Array): Values {
  const rows = axis.rows[run];
  if (rows === null || rows === undefined) return values;
  const spread = new Array<number | undefined>(axis.time.length).fill(undefined);
  for (let k = 0; k < values.length; ++k) spread[rows[k] ?? 0] = values[k];
  return spread;
}

// Headers of "name [unit]" as in signals.csv; 17 digits are what String() gives at most. A value that is none is empty.
export function csvOf(abscissa: string, at: ArrayLike<number>, columns: { title: string; values: Values }[], range: [number, number] | null): string {
  const lines = [[abscissa, ...columns.map(({ title }) => csvField(title))].join(",")];
  for (let k = 0; k < at.length; ++k) {
    const x = at[k]!;
    if (range !== null && (x < range[0] || x > range[1])) continue;
    lines.push([x, ...columns.map(({ values }) => (Number.isNaN(values[k]) ? "" : (values[k] ?? "")))].join(","));
  }
  return `${lines.join("\n")}\n`;
}

// What a chart shows, without whose it is, which the legend tells: "position.x" of several bodies, "energy" of its kinds.
export function quantityTitle(names: string[]): string {
  const parts = names.map((name) => name.split("."));
  const shortest = Math.min(...parts.map((part) => part.length));
  const first = parts[0] ?? [];
  const isShared = (at: (part: string[]) => string | undefined): boolean => parts.every((part) => at(part) === at(first));
  let ends = 0;
  while (ends < shortest && isShared((part) => part[part.length - 1 - ends])) ++ends;
  let starts = 0;
  while (starts < shortest && isShared((part) => part[starts])) ++starts;
  const whose = first.length > 1 ? 1 : 0;
  if (ends > 0) return first.slice(Math.max(first.length - ends, whose)).join(".");
  if (starts > 0) return first.slice(0, starts).join(".");
  const kinds = [...new Set(parts.map((part) => part.slice(part.length > 1 ? 1 : 0).join(".")))];
  return kinds.length > 3 ? `${kinds.slice(0, 3).join(", ")}, …` : kinds.join(", ");
}

export function unitTitle(unit: string): string {
  return unit === "" ? "no unit" : formatUnit(unit);
}
