// What a chart shows of its signals: as they are or calculated, in the unit of its choice, on the time axis of its run or, as
// spectra, on one axis of frequencies.
import { lastAtOrBefore } from "../search";
import { derivative, difference, integral, spectrum, type Calculation, type Spectrum } from "./calculation";
import type { SignalIndex } from "./signals";
import type { Unit } from "./units";

export interface Subtrahend {
  run: number;
  name: string;
}

// The value of the last point at or before a time; null where there is none.
export type ValueAt = (run: number, name: string, time: number) => number | null;

export class Shown {
  private readonly made = new Map<string, Float64Array>();
  private readonly spectra = new Map<string, Spectrum>();

  constructor(
    private readonly index: SignalIndex,
    readonly calculation: Calculation,
    readonly unit: Unit,
    private readonly subtrahendOf: (run: number, name: string) => Subtrahend, // of differences
  ) {}

  // One value for each point of the run.
  values(run: number, name: string): Float64Array | null {
    const raw = this.index.values(run, name);
    if (raw === null || (this.calculation === "signal" && this.unit.size === 1)) return raw;
    const key = JSON.stringify([run, name]);
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const calculated = this.calculated(run, name, raw);
    const values = this.unit.size === 1 ? calculated : calculated.map((value) => value / this.unit.size);
    this.made.set(key, values);
    return values;
  }

  private calculated(run: number, name: string, raw: Float64Array): Float64Array {
    const time = this.index.time(run);
    if (this.calculation === "derivative") return derivative(time, raw);
    if (this.calculation === "integral") return integral(time, raw);
    if (this.calculation !== "difference") return raw;
    const other = this.subtrahendOf(run, name);
    const values = this.index.values(other.run, other.name);
    return values === null ? new Float64Array(raw.length).fill(NaN) : difference(time, raw, this.index.time(other.run), values);
  }

  // Amplitudes at the frequencies of another run, between which they are interpolated.
  amplitudes(run: number, name: string, axis: Float64Array): Float64Array | null {
    const { frequency, amplitude } = this.spectrum(run, name) ?? {};
    if (frequency === undefined || amplitude === undefined) return null;
    const last = frequency.length - 1;
    return axis.map((at) => {
      if (last < 1 || at > frequency[last]!) return NaN;
      const i = Math.min(lastAtOrBefore(frequency, at), last - 1);
      const part = (at - frequency[i]!) / (frequency[i + 1]! - frequency[i]!);
      return (part <= 0 ? amplitude[i]! : amplitude[i]! + part * (amplitude[i + 1]! - amplitude[i]!)) / this.unit.size;
    });
  }

  spectrum(run: number, name: string): Spectrum | null {
    const raw = this.index.values(run, name);
    if (raw === null) return null;
    const key = JSON.stringify([run, name]);
    const known = this.spectra.get(key);
    if (known !== undefined) return known;
    const made = spectrum(this.index.time(run), raw);
    this.spectra.set(key, made);
    return made;
  }

  readonly at: ValueAt = (run, name, time) => {
    if (this.calculation === "signal" && this.unit.size === 1) return this.index.at(run, name, time);
    const values = this.values(run, name);
    const times = this.index.time(run);
    if (values === null || times.length === 0) return null;
    if (time > times[times.length - 1]! + 1e-9 * Math.abs(time)) return null; // this run ended before
    const value = values[lastAtOrBefore(times, time)]!;
    return Number.isFinite(value) ? value : null;
  };
}
