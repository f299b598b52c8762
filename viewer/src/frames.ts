// Numbers of bodies, joints and contacts in the frames of the animation.
import type { NumberArray } from "./decode";
import type { Contacts, Ref, Run } from "./format";
import type { Store } from "./store";

export type Vector = [number, number, number];

interface ContactViews {
  first: NumberArray;
  bodyA: NumberArray;
  bodyB: NumberArray;
  normal: NumberArray;
  force: NumberArray;
  slip: NumberArray;
  gap: NumberArray;
}

export interface ContactPoint {
  a: number;
  b: number;
  gap: number; // [m]
  normal: number; // [N] pushing the bodies apart
  friction: number; // [N]
  slip: number; // [m/s]
}

export class Frames {
  private readonly run: Run;
  private readonly views = new Map<Ref, NumberArray>();
  private readonly touching: ContactViews | null;

  constructor(
    private readonly store: Store,
    private readonly at: number,
  ) {
    this.run = store.runs[at]!;
    this.touching = this.run.contacts === null ? null : this.contactViews(this.run.contacts);
  }

  frame(): number {
    return this.store.frameAt(this.at);
  }

  time(frame: number): number {
    return this.store.frameTimes(this.at)[frame] ?? 0;
  }

  bodyVector(quantity: "position" | "velocity" | "angular_velocity", frame: number, body: number): Vector {
    return this.vector(this.run[quantity], frame * this.run.bodies.length + body);
  }

  orientation(frame: number, body: number): [number, number, number, number] {
    const values = this.view(this.run.orientation);
    const k = 4 * (frame * this.run.bodies.length + body);
    return [values[k] ?? NaN, values[k + 1] ?? NaN, values[k + 2] ?? NaN, values[k + 3] ?? NaN];
  }

  jointVector(quantity: "joint_force" | "joint_torque", frame: number, joint: number): Vector | null {
    const ref = this.run[quantity];
    return ref === null ? null : this.vector(ref, frame * this.run.joints.length + joint);
  }

  // Rows of the contact points of a frame: from, to.
  contactRows(frame: number): [number, number] {
    const first = this.touching?.first;
    return [first?.[frame] ?? 0, first?.[frame + 1] ?? first?.[frame] ?? 0];
  }

  contactPoint(row: number): ContactPoint {
    const views = this.touching!;
    const force = triple(views.force, row);
    const normal = triple(views.normal, row);
    const along = dot(force, normal);
    const across: Vector = [force[0] - along * normal[0], force[1] - along * normal[1], force[2] - along * normal[2]];
    return {
      a: views.bodyA[row] ?? -1,
      b: views.bodyB[row] ?? -1,
      gap: views.gap[row] ?? NaN,
      normal: along,
      friction: length(across),
      slip: length(triple(views.slip, row)),
    };
  }

  // The sum of all contact forces on a body.
  contactForce(frame: number, body: number): Vector | null {
    const views = this.touching;
    if (views === null) return null;
    const sum: Vector = [0, 0, 0];
    const [from, to] = this.contactRows(frame);
    for (let row = from; row < to; ++row) {
      const sign = (views.bodyA[row] === body ? 1 : 0) - (views.bodyB[row] === body ? 1 : 0);
      if (sign !== 0) triple(views.force, row).forEach((part, axis) => (sum[axis]! += sign * part));
    }
    return sum;
  }

  // The deepest penetration of each frame [m]; 0 where nothing overlaps.
  penetrations(): Float64Array | null {
    const gap = this.touching?.gap;
    if (gap === undefined) return null;
    const depths = new Float64Array(this.store.frameTimes(this.at).length);
    for (let frame = 0; frame < depths.length; ++frame) {
      const [from, to] = this.contactRows(frame);
      for (let row = from; row < to; ++row) depths[frame] = Math.max(depths[frame]!, -(gap[row] ?? 0));
    }
    return depths;
  }

  private contactViews(contacts: Contacts): ContactViews {
    return {
      first: this.view(contacts.first),
      bodyA: this.view(contacts.body_a),
      bodyB: this.view(contacts.body_b),
      normal: this.view(contacts.normal),
      force: this.view(contacts.force),
      slip: this.view(contacts.slip),
      gap: this.view(contacts.gap),
    };
  }

  private view(ref: Ref): NumberArray {
    const known = this.views.get(ref) ?? this.store.array(ref);
    this.views.set(ref, known);
    return known;
  }

  private vector(ref: Ref, row: number): Vector {
    return triple(this.view(ref), row);
  }
}

function triple(values: NumberArray, row: number): Vector {
  return [values[3 * row] ?? NaN, values[3 * row + 1] ?? NaN, values[3 * row + 2] ?? NaN];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function length(a: Vector): number {
  return Math.hypot(a[0], a[1], a[2]);
}

// Angles of rotations about the fixed axes x, y, z, in this order.
export function eulerDegrees([w = NaN, x = NaN, y = NaN, z = NaN]: number[]): number[] {
  const roll = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  const pitch = Math.asin(Math.min(Math.max(2 * (w * y - z * x), -1), 1));
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return [roll, pitch, yaw].map((angle) => (angle * 180) / Math.PI);
}

const known = new WeakMap<Store, Frames[]>();

export function framesOf(store: Store, run: number): Frames {
  const all = known.get(store) ?? store.runs.map((_, k) => new Frames(store, k));
  known.set(store, all);
  return all[run]!;
}
