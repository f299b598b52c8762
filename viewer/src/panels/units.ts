// Units that charts can be read in, beside those of SI in which all numbers of the page are kept.
import type { Calculation } from "./calculation";

export interface Unit {
  name: string; // as results spell units: "kg*m^2/s"
  size: number; // [SI] of one of it
}

const degree = Math.PI / 180;

const others: Record<string, [string, number][]> = {
  s: [["ms", 1e-3], ["us", 1e-6], ["min", 60]],
  m: [["mm", 1e-3], ["um", 1e-6], ["cm", 1e-2], ["km", 1e3], ["in", 0.0254], ["ft", 0.3048]],
  "m/s": [["mm/s", 1e-3], ["um/s", 1e-6], ["km/h", 1 / 3.6], ["in/s", 0.0254], ["ft/s", 0.3048]],
  "m/s^2": [["mm/s^2", 1e-3], ["g", 9.80665]],
  rad: [["deg", degree], ["turn", 2 * Math.PI]],
  "rad/s": [["deg/s", degree], ["rpm", Math.PI / 30]],
  "rad/s^2": [["deg/s^2", degree]],
  kg: [["g", 1e-3], ["t", 1e3], ["lb", 0.45359237]],
  N: [["kN", 1e3], ["mN", 1e-3], ["MN", 1e6], ["lbf", 4.4482216152605]],
  "N*m": [["N*mm", 1e-3], ["kN*m", 1e3], ["lbf*ft", 1.3558179483314]],
  "N*s": [["kN*s", 1e3], ["mN*s", 1e-3]],
  J: [["mJ", 1e-3], ["uJ", 1e-6], ["kJ", 1e3], ["MJ", 1e6]],
  W: [["mW", 1e-3], ["kW", 1e3], ["MW", 1e6]],
  Pa: [["kPa", 1e3], ["MPa", 1e6], ["GPa", 1e9]],
  "N/m": [["N/mm", 1e3], ["kN/mm", 1e6]],
  Hz: [["kHz", 1e3]],
};

// SI first.
export function unitsFor(si: string): Unit[] {
  return [{ name: si, size: 1 }, ...(others[si] ?? []).map(([name, size]) => ({ name, size }))];
}

// Each is the derivative of the one before it.
const ladders = [
  ["m*s", "m", "m/s", "m/s^2", "m/s^3"],
  ["rad*s", "rad", "rad/s", "rad/s^2", "rad/s^3"],
  ["J*s", "J", "W", "W/s"],
  ["N*s", "N", "N/s"],
  ["s", "", "1/s", "1/s^2"],
];

function stepped(unit: string, by: 1 | -1): string {
  for (const ladder of ladders) {
    const next = ladder.includes(unit) ? ladder[ladder.indexOf(unit) + by] : undefined;
    if (next !== undefined) return next;
  }
  return by === 1 ? `${unit}/s` : `${unit}*s`;
}

// The SI unit of what is made of signals with a unit.
export function unitAfter(calculation: Calculation, unit: string): string {
  if (calculation === "derivative") return stepped(unit, 1);
  if (calculation === "integral") return stepped(unit, -1);
  return unit;
}
