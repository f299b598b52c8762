// The signals of all runs by name: what can be chosen, in which group, and their values at a time.
import { isDerived } from "../derived";
import type { Ref, Signal } from "../format";
import { lastAtOrBefore } from "../search";
import type { Store } from "../store";

export interface Choice {
  name: string;
  unit: string;
  group: Signal["group"];
}

const groupOrder: Signal["group"][] = ["recorded", "ledger", "contact", "coordinate", "body", "joint", "solver"];

export const groupTitles: Record<Signal["group"], string> = {
  recorded: "Recorded by the scene",
  ledger: "Ledger",
  contact: "Contact",
  coordinate: "Joint coordinates",
  body: "Bodies",
  joint: "Joint reactions",
  solver: "Solver",
};

export class SignalIndex {
  readonly choices: Choice[] = []; // by group
  private readonly store: Store;
  private readonly byRun: Map<string, Signal>[];
  private readonly byName = new Map<string, Choice>();
  private readonly times: Float64Array[];

  constructor(store: Store) {
    this.store = store;
    this.times = store.runs.map((run) => store.array(run.signals.time) as Float64Array);
    this.byRun = store.runs.map((run) => firstByName(run.signals.list));
    for (const signals of this.byRun) for (const signal of signals.values()) this.addChoice(signal);
    const rank = new Map(groupOrder.map((group, k) => [group, k]));
    this.choices.sort((a, b) => (rank.get(a.group) ?? 99) - (rank.get(b.group) ?? 99)); // stable: order of the result
  }

  private addChoice(signal: Signal): void {
    if (this.byName.has(signal.name)) return;
    const choice = { name: signal.name, unit: signal.unit, group: signal.group };
    this.byName.set(signal.name, choice);
    this.choices.push(choice);
  }

  choice(name: string): Choice | undefined {
    return this.byName.get(name);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  time(run: number): Float64Array {
    return this.times[run] ?? new Float64Array(0);
  }

  values(run: number, name: string): Float64Array | null {
    const signal = this.byRun[run]?.get(name);
    return signal === undefined ? null : (this.store.array(signal.data) as Float64Array);
  }

  // The value of the last recorded point at or before a time; null when there is none.
  at(run: number, name: string, time: number): number | null {
    const times = this.time(run);
    const values = this.values(run, name);
    if (values === null || times.length === 0) return null;
    if (time > (times[times.length - 1] ?? 0) + 1e-9 * Math.abs(time)) return null; // this run ended before
    return values[lastAtOrBefore(times, time)] ?? null;
  }

  // Whether the points of a run are the recorded frames themselves.
  exact(run: number): boolean {
    return this.store.runs[run]?.signals.every === 1;
  }
}

function firstByName(list: Signal[]): Map<string, Signal> {
  const map = new Map<string, Signal>();
  for (const signal of list) if (!map.has(signal.name)) map.set(signal.name, signal);
  return map;
}

const indices = new WeakMap<Store, SignalIndex>();

export function signalIndex(store: Store): SignalIndex {
  const known = indices.get(store);
  if (known !== undefined) return known;
  const index = new SignalIndex(store);
  indices.set(store, index);
  return index;
}

// The largest value with a unit that a page holds: signals that were sent, and places and velocities of bodies.
export function largestMagnitude(store: Store, unit: string): number {
  const tables = { m: "position", "m/s": "velocity", "rad/s": "angular_velocity" } as const;
  let largest = 0;
  const look = (ref: Ref | null): void => {
    if (ref === null || isDerived(ref)) return;
    for (const value of store.array(ref)) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  };
  for (const run of store.runs) {
    for (const signal of run.signals.list) if (signal.unit === unit) look(signal.data);
    if (unit in tables) look(run[tables[unit as keyof typeof tables]]);
  }
  return largest;
}

// All words of the query somewhere in the name, group or unit.
export function matches(choice: Choice, words: string[]): boolean {
  if (words.length === 0) return true;
  const text = `${choice.name} ${groupTitles[choice.group] ?? ""} ${choice.unit}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}
