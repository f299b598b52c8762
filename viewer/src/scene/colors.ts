// Colours of bodies and of values.
//
// Lit faces are given linear colours, as three.js wants them. Symbols, lines and grids have no lights: their shaders
// write colours as they are shown, since converting every pixel costs a software renderer more than all else.
import { Color, LinearSRGBColorSpace, SRGBColorSpace } from "three";
import type { Body } from "../format";

// Categories that are told apart on light and dark grounds, calm enough for large faces.
const categories = [
  "#5b8fc9", "#e0925a", "#5fae7c", "#c96b6b", "#9a82c4", "#b59a5b", "#d089b4", "#5aa9b5", "#8aa35a", "#7c8db0",
];

const fixedColor = "#9aa3ad";

export function bodyColor(body: Body | undefined, index: number): Color {
  if (body?.color) return new Color().setRGB(body.color[0], body.color[1], body.color[2], SRGBColorSpace);
  if (!body || body.role === "fixed") return new Color(fixedColor);
  return new Color(categories[index % categories.length]);
}

export function bodyColorCss(body: Body | undefined, index: number): string {
  return bodyColor(body, index).getStyle();
}

// Sequential colours for 0..1: dark blue, green, yellow (after "viridis", lightened at its dark end so that it reads on
// dark grounds too), red at the top where it matters.
const stops: [number, number, number][] = [
  [88, 120, 225],
  [40, 160, 205],
  [60, 185, 120],
  [200, 200, 60],
  [240, 140, 40],
  [215, 40, 40],
];

// As it is shown.
export function rampColor(value: number, out: Color): Color {
  const x = Math.min(Math.max(Number.isFinite(value) ? value : 0, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(x), stops.length - 2);
  const part = x - low;
  const [a, b] = [stops[low]!, stops[low + 1]!];
  const mix = (k: 0 | 1 | 2): number => (a[k] + (b[k] - a[k]) * part) / 255;
  return out.setRGB(mix(0), mix(1), mix(2), LinearSRGBColorSpace);
}

// The same for lit faces: linear.
const linear = (part: number): string => new Color().setRGB(part / 255, 0, 0, SRGBColorSpace).r.toFixed(5);

export const rampShader = `
const vec3 stops[${stops.length}] = vec3[${stops.length}](${stops.map((rgb) => `vec3(${rgb.map(linear).join(", ")})`).join(", ")});
vec3 ramp(float value) {
  float x = clamp(value, 0.0, 1.0) * ${stops.length - 1}.0;
  int low = min(int(x), ${stops.length - 2});
  return mix(stops[low], stops[low + 1], x - float(low));
}`;

// The components of a CSS colour as they are shown, for shaders that write them unchanged.
export function shownColor(css: string, out: Color): Color {
  return out.set(css).convertLinearToSRGB();
}

export function rampCss(direction: string): string {
  return `linear-gradient(${direction}, ${stops.map(([r, g, b]) => `rgb(${r} ${g} ${b})`).join(", ")})`;
}
