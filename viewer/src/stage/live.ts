// Numbers of a body at the present frame.
import type { NumberArray } from "../decode";
import type { Ref } from "../format";
import type { Selection, Store } from "../store";

export interface BodyNumbers {
  position: number[]; // [m]
  orientation: number[]; // w x y z
  euler: number[]; // [deg] about x, then y, then z of the world
  velocity: number[]; // [m/s]
  angularVelocity: number[]; // [rad/s]
  speed: number;
  contactForce: number[] | null; // [N] sum over all points; null: the method finds no contacts
}

function rowOf(array: NumberArray, row: number, width: number): number[] {
  return Array.from({ length: width }, (_, k) => array[row * width + k] ?? NaN);
}

// Angles of rotations about the fixed axes x, y, z, in this order.
export function eulerDegrees([w = NaN, x = NaN, y = NaN, z = NaN]: number[]): number[] {
  const roll = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  const pitch = Math.asin(Math.min(Math.max(2 * (w * y - z * x), -1), 1));
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return [roll, pitch, yaw].map((angle) => (angle * 180) / Math.PI);
}

// On A as it is, on B reversed.
export function contactForce(store: Store, { run, body }: Selection): number[] | null {
  const contacts = store.runs[run]?.contacts;
  if (!contacts) return null;
  const [first, bodyA, bodyB, force] = [contacts.first, contacts.body_a, contacts.body_b, contacts.force].map((ref) =>
    store.array(ref),
  ) as [NumberArray, NumberArray, NumberArray, NumberArray];
  const frame = store.frameAt(run);
  const sum = [0, 0, 0];
  for (let row = first[frame] ?? 0; row < (first[frame + 1] ?? 0); ++row) {
    const sign = Number(bodyA[row] === body) - Number(bodyB[row] === body);
    for (let k = 0; sign !== 0 && k < 3; ++k) sum[k]! += sign * force[3 * row + k]!;
  }
  return sum;
}

export function bodyNumbers(store: Store, selection: Selection): BodyNumbers | null {
  const run = store.runs[selection.run];
  if (!run || selection.body < 0 || run.frames.shown === 0) return null;
  const row = store.frameAt(selection.run) * run.bodies.length + selection.body;
  const read = (ref: Ref, width: number): number[] => rowOf(store.array(ref), row, width);
  const orientation = read(run.orientation, 4);
  const velocity = read(run.velocity, 3);
  return {
    position: read(run.position, 3),
    orientation,
    euler: eulerDegrees(orientation),
    velocity,
    angularVelocity: read(run.angular_velocity, 3),
    speed: Math.hypot(...velocity),
    contactForce: contactForce(store, selection),
  };
}
