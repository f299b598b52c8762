// Pages of modes: mode k swings once between k and k + 1 seconds, and again.
import type { Store } from "./store";

export function modeCount(store: Store): number {
  return store.runs[0]?.modes?.list.length ?? 0;
}

export function modeAt(store: Store): number {
  return Math.min(Math.max(Math.floor(store.time + store.rounding), 0), modeCount(store) - 1);
}

// Where a mode is bent most.
export function showMode(store: Store, mode: number): void {
  const count = modeCount(store);
  if (count > 0) store.setTime(((mode + count) % count) + 0.25);
}

// The time after one that lies beyond the mode which is swinging: back at its beginning. What is its end to rounding lies
// beyond: 45 frames of a sixtieth of a second from 1.25 s led to the next mode.
export function swung(store: Store, next: number): number {
  const end = modeAt(store) + 1;
  return next < end - store.rounding ? next : end - 1 + (Math.max(next - end, 0) % 1);
}
