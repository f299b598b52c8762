// How numbers and units are written on the page: so many significant digits, powers of ten only where they help,
// units with raised exponents. Full precision stays in data-value attributes and in exported files.

const minus = "\u2212";
const thin = "\u202f"; // narrow space between groups of three digits
const unknown = "\u2013";
const raised: Record<string, string> = {
  "-": "\u207b",
  "0": "\u2070",
  "1": "\u00b9",
  "2": "\u00b2",
  "3": "\u00b3",
  "4": "\u2074",
  "5": "\u2075",
  "6": "\u2076",
  "7": "\u2077",
  "8": "\u2078",
  "9": "\u2079",
};

interface NumberStyle {
  digits?: number; // significant ones
  steady?: boolean; // keeps zeros at the end, so that running numbers do not jump
}

function withoutZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function grouped(digits: string): string {
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, thin);
}

function powerOfTen(size: number, digits: number, steady: boolean): string {
  const [mantissa = "0", exponent = "0"] = size.toExponential(digits - 1).split("e");
  const power = exponent.replace("+", "").replace("-", minus);
  return `${steady ? mantissa : withoutZeros(mantissa)}e${power}`;
}

function plain(size: number, digits: number, steady: boolean): string {
  const rounded = size.toPrecision(digits);
  if (rounded.includes("e")) return grouped(String(Number(rounded))); // 1.092e+4
  const text = steady ? rounded : withoutZeros(rounded);
  const [whole = "0", fraction] = text.split(".");
  return fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
}

// 0.0123, 1.23e−5, 35 139, −2.4e8; an en dash for what is not a number.
export function formatNumber(value: number | null | undefined, style: NumberStyle = {}): string {
  const digits = style.digits ?? 5;
  const steady = style.steady ?? false;
  if (value === null || value === undefined || Number.isNaN(value)) return unknown;
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : `${minus}\u221e`;
  if (value === 0) return "0";
  const size = Math.abs(value);
  const sign = value < 0 ? minus : "";
  if (Number.isInteger(size) && size < 1e9) return sign + grouped(String(size));
  if (size < 1e-3 || size >= 10 ** Math.max(digits, 6)) return sign + powerOfTen(size, digits, steady);
  return sign + plain(size, digits, steady);
}

// Always with a power of ten: 1e5, 2.4e-4.
export function formatPower(value: number, digits = 2): string {
  return (value < 0 ? minus : "") + powerOfTen(Math.abs(value), digits, false);
}

// For narrow columns: a number with a power of ten has two digits fewer.
export function formatShort(value: number | null | undefined): string {
  const text = formatNumber(value, { digits: 4, steady: true });
  return text.includes("e") ? formatNumber(value, { digits: 2, steady: true }) : text;
}

// For numbers between -1 and 1 that stand in a row, as those of a quaternion.
export function formatFixed(value: number | null | undefined, decimals = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return unknown;
  const text = value.toFixed(decimals).replace("-", minus);
  return Number(value.toFixed(decimals)) === 0 ? "0" : text;
}

// "kg*m^2/s" as kg·m²/s.
export function formatUnit(unit: string): string {
  return unit
    .replace(/\*/g, "\u00b7")
    .replace(/\^(-?\d+)/g, (_, power: string) => Array.from(power, (c) => raised[c] ?? c).join(""));
}

export function formatQuantity(value: number | null | undefined, unit: string, style: NumberStyle = {}): string {
  const number = formatNumber(value, style);
  return unit === "" || number === unknown ? number : `${number}\u00a0${formatUnit(unit)}`;
}

// A share of something: 0.0005 as 0.05 %.
export function formatPercent(share: number | null | undefined, digits = 2): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return unknown;
  return `${formatNumber(100 * share, { digits })}\u00a0%`;
}

// A difference, always with its sign.
export function formatDifference(value: number | null, digits = 3): string {
  if (value === null || Number.isNaN(value)) return unknown;
  return (value > 0 ? "+" : "") + formatNumber(value, { digits });
}

// Seconds of computing: 16 ms, 10.8 s, 3 min 20 s, 2 h 5 min.
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return unknown;
  if (seconds > 0 && seconds < 1e-3) return `${formatNumber(seconds * 1e6, { digits: 3 })}\u00a0\u00b5s`;
  if (seconds < 1) return `${formatNumber(seconds * 1e3, { digits: 3 })}\u00a0ms`;
  if (seconds < 60) return `${formatNumber(seconds, { digits: 3 })}\u00a0s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}\u00a0min ${whole % 60}\u00a0s`;
  return `${Math.floor(whole / 3600)}\u00a0h ${Math.floor((whole % 3600) / 60)}\u00a0min`;
}

// "1 frame", "35 139 frames".
export function formatCount(count: number, singular: string, plural: string = `${singular}s`): string {
  return `${formatNumber(count)}\u00a0${count === 1 ? singular : plural}`;
}

// Ticks of an axis need the same number of decimals on all of them.
export function formatTicks(ticks: number[]): string[] {
  const largest = Math.max(...ticks.map((tick) => Math.abs(tick)), 0);
  const step = Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0));
  if (largest === 0 || step === 0) return ticks.map((tick) => formatNumber(tick, { digits: 4 }));
  if (largest < 1e-3 || largest >= 1e6) return ticks.map((tick) => formatTickPower(tick, step));
  const decimals = decimalsOf(step);
  return ticks.map((tick) => (Math.abs(tick) < 1e-9 * step ? 0 : tick).toFixed(decimals).replace("-", minus));
}

// As many as it takes to write a number of few digits: 0 for 250, 2 for 0.25.
function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < 12; ++decimals) {
    const scaled = step * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return decimals;
  }
  return 12;
}

function formatTickPower(tick: number, step: number): string {
  if (Math.abs(tick) < 1e-9 * step) return "0";
  const power = 10 ** Math.floor(Math.log10(Math.abs(tick)) + 1e-9);
  return formatNumber(tick, { digits: Math.min(decimalsOf(step / power) + 1, 12) });
}
