// Events in words: where they happened, what changed.
import { shortened } from "./dom";
import type { Event, EventDetails } from "./format";
import { formatNumber } from "./numbers";
import type { Store } from "./store";

const arrow = "\u2192";

// The two bodies, or a joint, as two texts side by side.
export function placeOf(store: Store, run: number, event: Event): [string, string] {
  if (event.name !== undefined) return [event.name, ""];
  const joint = event.details?.joint ?? -1;
  if (joint >= 0) return [store.jointName(run, joint), "joint"];
  return [store.bodyName(run, event.a), store.bodyName(run, event.b)];
}

export function speedsOf(event: Event, details: EventDetails, digits = 3): string {
  return `${formatNumber(event.speed, { digits })} ${arrow} ${formatNumber(details.speed_after, { digits })}`;
}

// "slip → stick", or one word where nothing changed; nothing without friction.
export function frictionOf({ friction, friction_after: after }: EventDetails): string {
  if (friction === after) return friction === "none" ? "" : friction;
  return `${friction} ${arrow} ${after}`;
}

// One line for a hint: "impact (tip-tip): rod A – rod B"; an event of the scene is where its condition holds, at no body.
export function lineOf(store: Store, run: number, event: Event): string {
  if (event.name !== undefined) return `${event.kind}: ${shortened(event.name, 48)}`;
  const mode = event.details?.mode ? ` (${event.details.mode})` : "";
  const place = placeOf(store, run, event).map((name) => shortened(name, 24));
  return `${event.kind}${mode}: ${place.join(" \u2013 ")}`;
}

// What a hint says of a single event: how fast, how hard, what was lost.
export function numbersOf(event: Event): string[] {
  const { details } = event;
  if (details === undefined) return event.speed === null ? [] : [`${formatNumber(event.speed, { digits: 3 })} m/s`];
  const number = (value: number | null): string => formatNumber(value, { digits: 3 });
  const lines = [`${speedsOf(event, details)} m/s along the normal`];
  if (details.normal_impulse !== 0 || details.tangential_impulse !== 0)
    lines.push(`${number(details.normal_impulse)} N\u00b7s, ${number(details.tangential_impulse)} N\u00b7s across`);
  if (details.energy_lost !== 0) lines.push(`${number(details.energy_lost)} J lost`);
  if (frictionOf(details) !== "") lines.push(frictionOf(details));
  return lines;
}

// The last of events, which ascend in time, that has happened; -1: none.
export function lastHappened(events: Event[], time: number): number {
  let low = 0;
  for (let high = events.length; low < high;) {
    const middle = (low + high) >> 1;
    if (events[middle]!.t <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
