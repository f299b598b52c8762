// Comparisons that show numbers when they fail.
import assert from "node:assert/strict";
import { differingPixels } from "./png.mjs";

// Poses, velocities and contacts are sent to the page as 32-bit floats: half a unit in the last place is 6e-8 of the
// value. What the page adds up (a sum of forces, a length) keeps that precision relative to the largest part of it.
export const singlePrecision = 1e-6;
const smallest = 1e-37; // where 32-bit floats begin to lose digits

export function assertNear(actual, expected, what, scale = Math.abs(expected)) {
  const isNear = actual !== null && Math.abs(actual - expected) <= singlePrecision * scale + smallest;
  assert.ok(isNear, `${what}: the page shows ${actual}, result.h5 has ${expected}`);
}

export function assertSame(actual, expected, what) {
  assert.ok(Object.is(actual, expected) || actual === expected, `${what}: the page shows ${actual}, result.h5 has ${expected}`);
}

// Fewer pixels could be the edge of something redrawn.
const fewest = 30;

export function assertChanged(before, after, what) {
  const count = differingPixels(before, after);
  assert.ok(count >= fewest, `${what}: ${count} pixels of the scene have changed, at least ${fewest} should`);
}

export function assertUnchanged(before, after, what) {
  const count = differingPixels(before, after);
  assert.ok(count < fewest, `${what}: ${count} pixels of the scene have changed, none should`);
}

export const length = (vector) => Math.hypot(...vector);

export { assert };
