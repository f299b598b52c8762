// Energy by kind, laid on top of each other: what is stored, above it what was lost so far. When the account closes,
// the upper edge is the energy at the start plus the work put in.
import { seriesColor } from "../palette";
import type { Curve } from "./chart";
import type { SignalIndex } from "./signals";

interface Layer {
  name: string; // of the signal
  title: string;
  color: string;
  shift: number; // [J] subtracted so that the layer starts at zero
}

interface Stack {
  layers: Layer[]; // from below
  curves: Curve[]; // as the chart draws them; the last is the account
  work: string[]; // signals of work put in that are not zero
  potentialShift: number; // [J]
}

const stored = ["energy.kinetic", "energy.potential", "energy.elastic"];
const colorsByName: Record<string, number> = {
  "energy.kinetic": 0,
  "energy.potential": 2,
  "energy.elastic": 4,
  "lost.friction": 1,
  "lost.damping": 5,
  "lost.contact": 3,
  "lost.impact": 6,
  "lost.stops": 7,
  "lost.drag": 4,
  "lost.handover": 2,
};

// Smallest and largest; what is not a number does not count.
export function extremes(values: ArrayLike<number>): [number, number] {
  let min = Infinity;
  let max = -Infinity;
  for (let k = 0; k < values.length; ++k) {
    const value = values[k] ?? NaN;
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? [min, max] : [0, 0];
}

function namesWith(index: SignalIndex, run: number, prefix: string): string[] {
  const names = index.choices.map((choice) => choice.name).filter((name) => name.startsWith(prefix));
  return names.filter((name) => /^[a-z]+\.[a-z_]+$/.test(name) && index.values(run, name) !== null);
}

export function energyStack(index: SignalIndex, run: number): Stack {
  const names = [...stored.filter((name) => index.values(run, name) !== null), ...namesWith(index, run, "lost.")];
  const ranges = names.map((name) => extremes(index.values(run, name)!));
  const shifts = names.map((name, k) => (name === "energy.potential" ? ranges[k]![0] : Math.min(ranges[k]![0], 0)));
  const largest = Math.max(...ranges.map((range, k) => range[1] - shifts[k]!), 0);
  const layers: Layer[] = [];
  names.forEach((name, k) => {
    if (ranges[k]![1] - shifts[k]! <= 1e-9 * largest) return; // nothing to see
    layers.push({ name, title: titleOf(name), color: seriesColor(colorsByName[name] ?? k), shift: shifts[k]! });
  });
  const work = namesWith(index, run, "work.").filter((name) =>
    extremes(index.values(run, name)!).some((end) => Math.abs(end) > 1e-9 * largest),
  );
  const curves = [...edges(index, run, layers), account(index, run, layers, work)];
  return { layers, curves, work, potentialShift: shifts[names.indexOf("energy.potential")] ?? 0 };
}

export function titleOf(name: string): string {
  const [head = "", tail = ""] = name.split(".");
  if (head === "lost") return `lost: ${tail}`;
  if (head === "work") return `work of ${tail}`;
  return tail.replace("_", " ");
}

// The upper edge of each layer.
function edges(index: SignalIndex, run: number, layers: Layer[]): Curve[] {
  const points = index.time(run).length;
  const sum = new Float64Array(points);
  return layers.map((layer, k) => {
    const values = index.values(run, layer.name)!;
    for (let i = 0; i < points; ++i) sum[i]! += (values[i] ?? 0) - layer.shift;
    const below = k === 0 ? {} : { fillTo: k - 1 };
    return { label: layer.title, color: layer.color, fill: layer.color, width: 1, values: sum.slice(), ...below };
  });
}

function account(index: SignalIndex, run: number, layers: Layer[], work: string[]): Curve {
  const points = index.time(run).length;
  const start = layers.reduce((sum, layer) => sum + (index.values(run, layer.name)![0] ?? 0) - layer.shift, 0);
  const inputs = work.map((name) => index.values(run, name)!);
  const values = new Float64Array(points);
  for (let i = 0; i < points; ++i)
    values[i] = inputs.reduce((sum, input) => sum + (input[i] ?? 0) - (input[0] ?? 0), start);
  return { label: "energy at the start plus work put in", color: "var(--text)", dash: [5, 4], width: 1.5, values };
}
