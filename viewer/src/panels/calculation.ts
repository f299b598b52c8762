// What charts make of signals: derivatives, integrals, spectra, differences.
import { lastAtOrBefore } from "../search";

export type Calculation = "signal" | "derivative" | "integral" | "spectrum" | "difference";

type Numbers = ArrayLike<number>;

// Ends of stretches without a jump: a run may have two points at one instant, with the values before and after an impact.
function stretches(time: Numbers): [number, number][] {
  const found: [number, number][] = [];
  let first = 0;
  for (let k = 1; k <= time.length; ++k) {
    if (k < time.length && time[k]! > time[k - 1]!) continue;
    found.push([first, k - 1]);
    first = k;
  }
  return time.length > 0 ? found : [];
}

// Of the parabola through a point and its neighbours: exact for uneven distances up to the second order. At the ends of a stretch that
// of its last two points; none for a single point.
export function derivative(time: Numbers, values: Numbers): Float64Array {
  const rate = new Float64Array(time.length).fill(NaN);
  const slope = (k: number): number => (values[k + 1]! - values[k]!) / (time[k + 1]! - time[k]!);
  for (const [first, last] of stretches(time)) {
    if (first === last) continue;
    rate[first] = slope(first);
    rate[last] = slope(last - 1);
    for (let k = first + 1; k < last; ++k) {
      const [before, after] = [time[k]! - time[k - 1]!, time[k + 1]! - time[k]!];
      rate[k] = (after * slope(k - 1) + before * slope(k)) / (before + after);
    }
  }
  return rate;
}

// By trapezoids from the first point; what is not a number adds nothing.
export function integral(time: Numbers, values: Numbers): Float64Array {
  const sum = new Float64Array(time.length);
  for (let k = 1; k < time.length; ++k) {
    const piece = 0.5 * (values[k]! + values[k - 1]!) * (time[k]! - time[k - 1]!);
    sum[k] = sum[k - 1]! + (Number.isFinite(piece) ? piece : 0);
  }
  return sum;
}

// A curve minus another one, which is interpolated; nothing where the other has ended.
export function difference(time: Numbers, values: Numbers, otherTime: Float64Array, other: Numbers): Float64Array {
  const last = otherTime.length - 1;
  const tolerance = 1e-9 * Math.abs(otherTime[last] ?? 0);
  return Float64Array.from(values as ArrayLike<number>, (value, k) => {
    const at = time[k]!;
    if (last < 0 || at > otherTime[last]! + tolerance) return NaN;
    const i = lastAtOrBefore(otherTime, at);
    const width = i < last ? otherTime[i + 1]! - otherTime[i]! : 0;
    const part = width > 0 ? (at - otherTime[i]!) / width : 0;
    return value - (part > 0 ? other[i]! + part * (other[i + 1]! - other[i]!) : other[i]!);
  });
}

const mostSamples = 8192;

export interface Spectrum {
  frequency: Float64Array; // [Hz]
  amplitude: Float64Array; // of the sine of each frequency, in the unit of the signal
}

// Amplitudes by a Fourier transform of evenly interpolated values less their mean, under Hann's window: a sine of amplitude A that
// fits into the run is a peak of height A.
export function spectrum(time: Float64Array, values: Numbers): Spectrum {
  const span = time.length > 1 ? time[time.length - 1]! - time[0]! : 0;
  const count = 2 ** Math.floor(Math.log2(Math.min(Math.max(time.length, 1), mostSamples)));
  if (count < 8 || !(span > 0)) return { frequency: new Float64Array(0), amplitude: new Float64Array(0) };
  const real = sampled(time, values, count, span);
  const mean = real.reduce((sum, value) => sum + value, 0) / count;
  for (let k = 0; k < count; ++k) real[k] = (real[k]! - mean) * (1 - Math.cos((2 * Math.PI * k) / count));
  const imaginary = new Float64Array(count);
  transform(real, imaginary);
  const half = count / 2;
  const frequency = Float64Array.from({ length: half }, (_, k) => k / span);
  const amplitude = Float64Array.from({ length: half }, (_, k) => (2 * Math.hypot(real[k]!, imaginary[k]!)) / count);
  return { frequency, amplitude };
}

// At so many even instants; as a period that begins anew where it ends, so the last instant is left out.
function sampled(time: Float64Array, values: Numbers, count: number, span: number): Float64Array {
  const even = new Float64Array(count);
  for (let k = 0; k < count; ++k) {
    const at = time[0]! + (span * k) / count;
    const i = Math.min(lastAtOrBefore(time, at), time.length - 2);
    const width = time[i + 1]! - time[i]!;
    const value = width > 0 ? values[i]! + ((at - time[i]!) / width) * (values[i + 1]! - values[i]!) : values[i]!;
    even[k] = Number.isFinite(value) ? value : 0;
  }
  return even;
}

// Cooley and Tukey's, in place, for a power of two.
function transform(real: Float64Array, imaginary: Float64Array): void {
  const count = real.length;
  for (let k = 1, mirrored = 0; k < count; ++k) {
    let bit = count >> 1;
    for (; mirrored & bit; bit >>= 1) mirrored ^= bit;
    mirrored ^= bit;
    if (k < mirrored) {
      [real[k], real[mirrored]] = [real[mirrored]!, real[k]!];
      [imaginary[k], imaginary[mirrored]] = [imaginary[mirrored]!, imaginary[k]!];
    }
  }
  for (let size = 2; size <= count; size *= 2) {
    for (let k = 0; k < size / 2; ++k) {
      const [c, s] = [Math.cos((-2 * Math.PI * k) / size), Math.sin((-2 * Math.PI * k) / size)];
      for (let a = k; a < count; a += size) {
        const b = a + size / 2;
        const [x, y] = [real[b]! * c - imaginary[b]! * s, real[b]! * s + imaginary[b]! * c];
        [real[b], imaginary[b]] = [real[a]! - x, imaginary[a]! - y];
        [real[a], imaginary[a]] = [real[a]! + x, imaginary[a]! + y];
      }
    }
  }
}
