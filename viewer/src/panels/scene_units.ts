// The units of a scene file, for the few of its numbers that a page shows. Same names as the scene reader knows.

export type Exponents = Partial<Record<"length" | "mass" | "time" | "angle", number>>;
type Quantity = keyof Exponents;

const si: Record<Quantity, string> = { length: "m", mass: "kg", time: "s", angle: "rad" };

const known: Record<Quantity, Record<string, number>> = {
  length: { m: 1, mm: 1e-3, cm: 1e-2, km: 1e3, um: 1e-6, in: 0.0254, ft: 0.3048 },
  mass: { kg: 1, g: 1e-3, t: 1e3, lb: 0.45359237 },
  time: { s: 1, ms: 1e-3, us: 1e-6, min: 60, h: 3600 },
  angle: { rad: 1, deg: Math.PI / 180, turn: 2 * Math.PI },
};

function written(scene: Record<string, unknown> | null, quantity: Quantity): unknown {
  const units = scene?.["units"];
  return typeof units === "object" && units !== null ? (units as Record<string, unknown>)[quantity] : undefined;
}

function parts(exponents: Exponents): [Quantity, number][] {
  return Object.entries(exponents) as [Quantity, number][];
}

// What one unit of the file is worth in SI; null where the file names a unit that nobody knows.
export function siFactor(scene: Record<string, unknown> | null, exponents: Exponents): number | null {
  let factor = 1;
  for (const [quantity, exponent] of parts(exponents)) {
    const unit = written(scene, quantity);
    const value = unit === undefined ? 1 : typeof unit === "number" ? unit : known[quantity][String(unit)];
    if (value === undefined) return null;
    factor *= value ** exponent;
  }
  return factor;
}

function unitText(exponents: Exponents, name: (quantity: Quantity) => string): string {
  const power = ([quantity, exponent]: [Quantity, number]) =>
    name(quantity) + (Math.abs(exponent) === 1 ? "" : `^${Math.abs(exponent)}`);
  const above = parts(exponents).filter(([, exponent]) => exponent > 0).map(power);
  const below = parts(exponents).filter(([, exponent]) => exponent < 0).map(power);
  return [above.join("*"), ...below].join("/");
}

// "m/s^2".
export function siUnit(exponents: Exponents): string {
  return unitText(exponents, (quantity) => si[quantity]);
}

// "mm/s^2", as the file has it.
export function fileUnit(scene: Record<string, unknown> | null, exponents: Exponents): string {
  return unitText(exponents, (quantity) => {
    const unit = written(scene, quantity);
    return typeof unit === "string" ? unit : typeof unit === "number" ? `(${unit} ${si[quantity]})` : si[quantity];
  });
}

export function isAllNumbers(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isAllNumbers) : typeof value === "number";
}

// Times a factor, without the noise of rounding (-9810 * 1e-3 is -9.81).
export function scaled(value: unknown, factor: number): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => scaled(inner, factor));
  return typeof value === "number" ? Number((value * factor).toPrecision(12)) : value;
}
