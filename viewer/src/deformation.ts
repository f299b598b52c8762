// Bodies that deform: where their nodes are at a time, and the fields that can be seen on them.
import type { NumberArray } from "./decode";
import type { Flexible, FlexibleField } from "./format";
import { lastAtOrBefore } from "./search";
import type { Store } from "./store";

// What bodies can be coloured by, in the order of the menu. Displacements are not sent: they are at hand.
export const fieldTitles: Record<string, { title: string; unit: string }> = {
  displacement: { title: "displacement in the body", unit: "m" },
  speed: { title: "speed", unit: "m/s" },
  von_mises: { title: "von Mises stress", unit: "Pa" },
  relative_strain: { title: "strain, of the largest of the mode", unit: "" },
  principal_strain: { title: "principal strain", unit: "m/m" },
};

// What colours reach from and to. Single nodes may lie beyond: where bodies touch, stresses are a hundred times those of the waves which
// that sends out, and nobody would see the waves.
export interface Range {
  low: number;
  high: number;
  least: number;
  most: number;
}

const unknown = 65535;
const outside = 0.005; // share of the surface and of time that may be beyond the colours
const much = 1.5; // where colours would be so much wider with it; else they take all
const bins = 2048;
const samples = 120; // times that are tried for the largest displacement

// Two rows of a table around a time, and how far it has come from the first to the second.
interface Between {
  row: number;
  next: number;
  part: number;
}

function between(times: Float64Array, time: number): Between {
  const row = lastAtOrBefore(times, time);
  const next = Math.min(row + 1, times.length - 1);
  const [from, to] = [times[row] ?? 0, times[next] ?? 0];
  return { row, next, part: to > from ? Math.min(Math.max((time - from) / (to - from), 0), 1) : 0 };
}

function mix(a: number, b: number, part: number): number {
  return part === 0 ? a : a + (b - a) * part;
}

interface Shapes {
  factors: Int32Array;
  move: Float32Array;
  turn: Float32Array | null;
  coordinate: NumberArray;
  coordinates: number;
}

export class Deformation {
  readonly body: number;
  readonly nodes: Float32Array;
  readonly numbers: Uint32Array; // of the nodes in the results
  readonly vertexNode: Uint32Array;
  readonly vertexOffset: Float32Array | null;
  readonly triangles: Uint32Array;
  readonly count: number; // nodes
  readonly size: number; // [m]
  readonly u: Float32Array; // [m] x y z of each node, as update() has left them
  readonly turn: Float32Array | null; // [rad]
  readonly largest: number; // [m] displacement over the run
  private readonly times: Float64Array; // of snapshots
  private readonly shapes: Shapes | null;
  private readonly scale: NumberArray | null;
  private readonly values: NumberArray | null;
  private readonly fields = new Map<string, { field: FlexibleField; values: NumberArray }>();

  constructor(
    store: Store,
    private readonly frameTimes: Float64Array,
    of: Flexible,
  ) {
    this.body = of.body;
    this.nodes = store.array(of.nodes) as Float32Array;
    this.numbers = store.array(of.numbers) as Uint32Array;
    this.vertexNode = store.array(of.vertex_node) as Uint32Array;
    this.vertexOffset = of.vertex_offset ? (store.array(of.vertex_offset) as Float32Array) : null;
    this.triangles = store.array(of.triangles) as Uint32Array;
    this.count = this.nodes.length / 3;
    this.times = store.array(of.time) as Float64Array;
    this.shapes = of.shapes && {
      factors: store.array(of.shapes.factors) as Int32Array,
      move: store.array(of.shapes.move) as Float32Array,
      turn: of.shapes.turn ? (store.array(of.shapes.turn) as Float32Array) : null,
      coordinate: store.array(of.shapes.coordinate),
      coordinates: frameTimes.length > 0 ? of.shapes.coordinate.count / frameTimes.length : 0,
    };
    this.scale = of.displacement && store.array(of.displacement.scale);
    this.values = of.displacement && store.array(of.displacement.values);
    for (const field of of.fields) this.fields.set(field.name, { field, values: store.array(field.values) });
    this.u = new Float32Array(3 * this.count);
    this.turn = this.shapes?.turn ? new Float32Array(3 * this.count) : null;
    this.size = sizeOf(this.nodes);
    this.largest = this.findLargest();
  }

  // Makes u and turn those of a time.
  update(time: number): void {
    if (this.frameTimes.length === 0) return;
    if (this.shapes) this.addShapes(this.shapes, time);
    else this.readSnapshots(time);
  }

  range(name: string): Range | null {
    if (name === "displacement") return { low: 0, high: this.largest, least: 0, most: this.largest };
    const known = this.fields.get(name);
    if (!known || !(known.field.high >= known.field.low)) return null;
    const { low: least, high: most } = known.field;
    const usual = this.usual(known.values);
    const at = (share: number): number => least + share * (most - least);
    const isNarrow = usual.high - usual.low < 1 / much;
    return isNarrow ? { low: at(usual.low), high: at(usual.high), least, most } : { low: least, high: most, least, most };
  }

  // Between which shares of its range a field is, but for a small part of surface and time.
  private usual(values: NumberArray): { low: number; high: number } {
    const weights = this.weights();
    const histogram = new Float64Array(bins);
    let total = 0;
    for (let k = 0; k < values.length; ++k) {
      const weight = weights[k % this.count]!;
      if (values[k] === unknown) continue;
      histogram[Math.min(Math.floor((values[k]! / (unknown - 1)) * bins), bins - 1)]! += weight;
      total += weight;
    }
    const edge = (from: number, by: number): number => {
      let sum = 0;
      let bin = from;
      for (; bin >= 0 && bin < bins; bin += by) {
        sum += histogram[bin]!;
        if (sum > outside * total) break;
      }
      return (by > 0 ? bin : bin + 1) / bins;
    };
    return total > 0 ? { low: edge(0, 1), high: edge(bins - 1, -1) } : { low: 0, high: 1 };
  }

  // The surface around each node [m^2].
  private weights(): Float64Array {
    const weights = new Float64Array(this.count);
    const at = (v: number, k: number): number => this.nodes[3 * this.vertexNode[v]! + k]! + (this.vertexOffset?.[3 * v + k] ?? 0);
    for (let t = 0; t < this.triangles.length; t += 3) {
      const [a, b, c] = [this.triangles[t]!, this.triangles[t + 1]!, this.triangles[t + 2]!];
      const edge = (to: number): number[] => [0, 1, 2].map((k) => at(to, k) - at(a, k));
      const [u, v] = [edge(b), edge(c)] as [number[], number[]];
      const area = 0.5 * Math.hypot(u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!);
      for (const vertex of [a, b, c]) weights[this.vertexNode[vertex]!]! += area / 3;
    }
    return weights;
  }

  // Values of the field at the nodes, NaN where there are none; u must be that of the time.
  read(name: string, time: number, out: Float32Array): void {
    if (name === "displacement") {
      for (let i = 0; i < this.count; ++i) out[i] = Math.hypot(this.u[3 * i]!, this.u[3 * i + 1]!, this.u[3 * i + 2]!);
      return;
    }
    const known = this.fields.get(name);
    if (!known || this.times.length === 0) {
      out.fill(NaN);
      return;
    }
    const { row, next, part } = between(this.times, time);
    const { low, high } = known.field;
    const [a, b] = [row * this.count, next * this.count];
    for (let i = 0; i < this.count; ++i) {
      const [from, to] = [known.values[a + i]!, known.values[b + i]!];
      out[i] = from === unknown || to === unknown ? NaN : low + (mix(from, to, part) / (unknown - 1)) * (high - low);
    }
  }

  private addShapes({ factors, move, turn, coordinate, coordinates }: Shapes, time: number): void {
    const { row, next, part } = between(this.frameTimes, time);
    const q = (k: number): number => mix(coordinate[row * coordinates + k] ?? 0, coordinate[next * coordinates + k] ?? 0, part);
    this.u.fill(0);
    this.turn?.fill(0);
    for (let s = 0; 2 * s < factors.length; ++s) {
      const [first, second] = [factors[2 * s]!, factors[2 * s + 1]!];
      const factor = second < 0 ? q(first) : (first === second ? 0.5 : 1) * q(first) * q(second);
      const at = 3 * this.count * s;
      for (let i = 0; i < this.u.length; ++i) this.u[i]! += factor * move[at + i]!;
      if (this.turn && turn) for (let i = 0; i < this.turn.length; ++i) this.turn[i]! += factor * turn[at + i]!;
    }
  }

  private readSnapshots(time: number): void {
    const { row, next, part } = between(this.times, time);
    const [a, b] = [3 * this.count * row, 3 * this.count * next];
    const [from, to] = [this.scale![row] ?? 0, this.scale![next] ?? 0];
    const values = this.values!;
    for (let i = 0; i < this.u.length; ++i) this.u[i] = mix(values[a + i]! * from, values[b + i]! * to, part);
  }

  private findLargest(): number {
    const frames = this.shapes ? this.frameTimes : this.times;
    const step = Math.max(1, Math.floor(frames.length / samples));
    let most = 0;
    for (let k = 0; k < frames.length; k += step) {
      this.update(frames[k]!);
      for (let i = 0; i < this.u.length; i += 3) most = Math.max(most, Math.hypot(this.u[i]!, this.u[i + 1]!, this.u[i + 2]!));
    }
    return most;
  }
}

function sizeOf(nodes: Float32Array): number {
  const spans = [0, 1, 2].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < nodes.length; i += 3) [low, high] = [Math.min(low, nodes[i]!), Math.max(high, nodes[i]!)];
    return high > low ? high - low : 0;
  });
  return Math.hypot(...spans);
}

const known = new WeakMap<Store, Deformation[][]>();

export function deformationsOf(store: Store): Deformation[][] {
  const all = known.get(store) ?? store.runs.map((run, k) => run.flexible.map((one) => new Deformation(store, store.frameTimes(k), one)));
  known.set(store, all);
  return all;
}

function union(a: Range | undefined, b: Range): Range {
  if (!a) return b;
  const [low, high] = [Math.min(a.low, b.low), Math.max(a.high, b.high)];
  return { low, high, least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) };
}

const knownRanges = new WeakMap<Store, Map<string, Range>>();

// Fields that some body has, with their range over all bodies, runs and times.
export function fieldRanges(store: Store): Map<string, Range> {
  const ranges = knownRanges.get(store) ?? new Map<string, Range>();
  if (knownRanges.has(store)) return ranges;
  knownRanges.set(store, ranges);
  for (const name of Object.keys(fieldTitles)) {
    for (const one of deformationsOf(store).flat()) {
      const own = one.range(name);
      if (own) ranges.set(name, union(ranges.get(name), own));
    }
  }
  for (const name of ["speed", "von_mises"]) {
    const range = ranges.get(name);
    if (range) range.low = range.least = 0;
  }
  const strain = ranges.get("principal_strain"); // none is in the middle
  if (strain) strain.low = -(strain.high = Math.max(Math.abs(strain.low), Math.abs(strain.high)));
  return ranges;
}

const visible = 0.05; // of its size is how far the body that deforms most is seen to deform
export const mostExaggerated = 1000;

// The factor that shows the deformation of the run: 1, 2 or 5 times a power of ten, 1 where it can be seen as it is.
export function autoExaggeration(store: Store): number {
  const shares = deformationsOf(store).flat().map(({ largest, size }) => (size > 0 ? largest / size : 0));
  const share = Math.max(0, ...shares);
  const wanted = share > 0 ? visible / share : 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const handy = [5, 2, 1].map((digit) => digit * power).find((factor) => factor <= wanted * 1.0001) ?? 1;
  return Math.min(Math.max(handy, 1), mostExaggerated);
}

export function exaggerationOf(store: Store): number {
  return store.display.exaggeration > 0 ? store.display.exaggeration : autoExaggeration(store);
}
