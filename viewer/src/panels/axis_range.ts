// The range of an axis of values: neither a few spikes nor rounding set its scale.

type Values = ArrayLike<number | null | undefined>;

export interface AxisRange {
  min: number;
  max: number;
  cut: [number, number] | null; // the whole range, where spikes are left out
}

const spikeShare = 0.005; // of the visible time
const muchLarger = 4; // times the range of all else: only then a spike is left out
const leastRest = 1e-4; // of the whole range: what is flatter than this is not what the chart is about

// The ends of what a curve does for all but a small share of the time.
function commonEnds(time: ArrayLike<number>, values: Values, from: number, to: number): [number, number] | null {
  const samples: [number, number][] = [];
  for (let k = 0; k < values.length; ++k) {
    const value = values[k];
    if (value === null || value === undefined || !Number.isFinite(value) || time[k]! < from || time[k]! > to) continue;
    const [before, after] = [Math.max(time[k - 1] ?? time[k]!, from), Math.min(time[k + 1] ?? time[k]!, to)];
    samples.push([value, 0.5 * (after - before)]);
  }
  if (samples.length === 0) return null;
  samples.sort((a, b) => a[0] - b[0]);
  const allowed = 0.5 * spikeShare * samples.reduce((sum, [, weight]) => sum + weight, 0);
  const end = (list: [number, number][]): number => {
    let passed = 0;
    for (const [value, weight] of list) {
      passed += weight;
      if (passed > allowed) return value;
    }
    return list[list.length - 1]![0];
  };
  return [end(samples), end(samples.reverse())];
}

// `min` and `max` are those of all visible values. Each curve counts for itself: one that is larger than all others is no spike.
export function rangeWithoutSpikes(time: ArrayLike<number>, curves: Values[], from: number, to: number, min: number, max: number): AxisRange {
  const ends = curves.map((values) => commonEnds(time, values, from, to)).filter((pair) => pair !== null);
  const low = Math.min(...ends.map(([least]) => least));
  const high = Math.max(...ends.map(([, most]) => most));
  const rest = high - low;
  if (!(rest > leastRest * (max - min))) return { min, max, cut: null };
  const isCut = [low - min > muchLarger * rest, max - high > muchLarger * rest];
  if (!isCut[0] && !isCut[1]) return { min, max, cut: null };
  return { min: isCut[0] ? low : min, max: isCut[1] ? high : max, cut: [min, max] };
}
