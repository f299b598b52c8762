// Differences between the runs of a comparison: absolute, relative where that means something, how much they matter.
import type { Comparison } from "../format";
import { csvField } from "./dom";

export type Row = Comparison["rows"][number];

export interface Difference {
  absolute: number | null; // against the first run
  relative: number | null; // of the first run's value; null where that is noise
  weight: 0 | 1 | 2 | 3; // 0: none or noise, 3: more than a tenth
}

// Of the largest number with the same unit in the group: below it digits are rounding; below it nothing is emphasised.
const noise = 1e-9;
const small = 1e-6;
const least = 1e-9; // a group in which all is smaller holds nothing but rounding

// The largest magnitude of each group and unit.
export function scalesOf(rows: Row[]): Map<string, number> {
  const scales = new Map<string, number>();
  for (const row of rows) {
    const sizes = row.values.map((value) => Math.abs(value ?? 0)).filter(Number.isFinite);
    scales.set(scaleKey(row), Math.max(scales.get(scaleKey(row)) ?? least, ...sizes));
  }
  return scales;
}

export function scaleKey(row: Row): string {
  return `${row.group}\n${row.unit}`;
}

export function differenceOf(row: Row, run: number, scale: number): Difference {
  const reference = row.values[0] ?? null;
  const value = row.values[run] ?? null;
  if (reference === null || value === null) return { absolute: null, relative: null, weight: 0 };
  const absolute = value - reference;
  const isNoise = Math.abs(absolute) <= noise * scale;
  if (isNoise) return { absolute, relative: null, weight: 0 };
  const relative = Math.abs(reference) > noise * scale ? absolute / Math.abs(reference) : null;
  return { absolute, relative, weight: Math.abs(absolute) <= small * scale ? 1 : weightOf(relative) };
}

function weightOf(relative: number | null): Difference["weight"] {
  if (relative === null) return 3; // something against nothing
  const size = Math.abs(relative);
  return size > 0.1 ? 3 : size > 0.01 ? 2 : 1;
}

export function differs(row: Row, scale: number): boolean {
  const known = row.values.map((value) => value !== null && value !== undefined);
  if (known.some((flag) => flag !== known[0])) return true;
  return row.values.some((_, run) => differenceOf(row, run, scale).weight > 0);
}

export function comparisonCsv(rows: Row[], labels: string[]): string {
  const others = labels.slice(1);
  const header = [
    "group",
    "name",
    "unit",
    ...labels,
    ...others.flatMap((label) => [`${label} - ${labels[0] ?? ""}`, `${label} relative`]),
  ];
  const lines = rows.map((row) => {
    const differences = others.flatMap((_, k) => {
      const reference = row.values[0] ?? null;
      const value = row.values[k + 1] ?? null;
      if (reference === null || value === null) return ["", ""];
      return [String(value - reference), reference === 0 ? "" : String((value - reference) / Math.abs(reference))];
    });
    const values = labels.map((_, k) => String(row.values[k] ?? ""));
    return [row.group, row.name, row.unit, ...values, ...differences].map(csvField).join(",");
  });
  return `${[header.map(csvField).join(","), ...lines].join("\n")}\n`;
}
