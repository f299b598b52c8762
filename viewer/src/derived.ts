// Signals of bodies and joints, which the program does not send a second time: they are columns of the frames, and sums
// over the contact points of a body. Where the time axis of the plots is finer or coarser than the frames, each point
// shows the last frame at or before it.
import type { NumberArray } from "./decode";
import type { Contacts, Ref, Report, Run, Signal } from "./format";
import { lastAtOrBefore } from "./search";

type Source =
  | { table: Ref; width: number; column: number } // a column of a table with a row for each frame
  | { contacts: Contacts; body: number; component: number }; // the force of all contacts on a body

interface DerivedRef extends Ref {
  of: Source & { frames: Ref; time: Ref };
}

export const isDerived = (ref: Ref): ref is DerivedRef => "of" in ref;

interface Quantity {
  name: string;
  components: string;
  unit: string;
  table: Ref | null;
}

function refOf(run: Run, source: Source): DerivedRef {
  const of = { ...source, frames: run.frames.time, time: run.signals.time };
  return { at: 0, count: run.signals.time.count, type: "f64", of };
}

// Only where every contact point is there: sums over some of them would be wrong.
function contactForces(run: Run): Signal[] {
  const contacts = run.contacts;
  if (contacts === null || contacts.shown < contacts.total) return [];
  const known = new Set(run.signals.list.map((signal) => signal.name));
  return run.bodies.flatMap(({ name }, body) =>
    ["x", "y", "z"].map((axis, component): Signal => {
      const data = refOf(run, { contacts, body, component });
      return { name: `${name}.contact.force.${axis}`, unit: "N", group: "contact", data };
    }),
  ).filter((signal) => !known.has(signal.name));
}

function signalsOf(run: Run, names: string[], quantities: Quantity[], group: Signal["group"]): Signal[] {
  const known = new Set(run.signals.list.map((signal) => signal.name));
  const list: Signal[] = [];
  names.forEach((name, item) => {
    for (const { name: quantity, components, unit, table } of quantities) {
      if (table === null) continue;
      const width = names.length * components.length;
      [...components].forEach((component, k) => {
        const column = item * components.length + k;
        const full = `${name}.${quantity}.${component}`;
        if (!known.has(full)) list.push({ name: full, unit, group, data: refOf(run, { table, width, column }) });
      });
    }
  });
  return list;
}

export function addDerivedSignals(report: Report): void {
  for (const run of report.runs) {
    const ofBodies = [
      { name: "position", components: "xyz", unit: "m", table: run.position },
      { name: "orientation", components: "wxyz", unit: "", table: run.orientation },
      { name: "velocity", components: "xyz", unit: "m/s", table: run.velocity },
      { name: "angular_velocity", components: "xyz", unit: "rad/s", table: run.angular_velocity },
    ];
    const ofJoints = [
      { name: "force", components: "xyz", unit: "N", table: run.joint_force },
      { name: "torque", components: "xyz", unit: "N*m", table: run.joint_torque },
    ];
    const bodies = run.bodies.map((body) => body.name);
    const joints = run.joints.map((joint) => joint.name);
    run.signals.list = [
      ...run.signals.list,
      ...signalsOf(run, bodies, ofBodies, "body"),
      ...signalsOf(run, joints, ofJoints, "joint"),
      ...contactForces(run),
    ];
  }
}

// The force on a body in each frame, from all its contact points.
function sumForces(source: { contacts: Contacts; body: number; component: number }, array: (ref: Ref) => NumberArray) {
  const { contacts, body, component } = source;
  const first = array(contacts.first);
  const bodyA = array(contacts.body_a);
  const bodyB = array(contacts.body_b);
  const force = array(contacts.force);
  const sums = new Float64Array(Math.max(first.length - 1, 0));
  for (let frame = 0; frame < sums.length; ++frame) {
    for (let i = first[frame]!; i < first[frame + 1]!; ++i) {
      const sign = bodyA[i] === body ? 1 : bodyB[i] === body ? -1 : 0; // recorded forces act on A
      sums[frame] = sums[frame]! + sign * force[3 * i + component]!;
    }
  }
  return sums;
}

export function derive(ref: DerivedRef, array: (ref: Ref) => NumberArray): Float64Array {
  const source = ref.of;
  const whole = "table" in source ? array(source.table) : sumForces(source, array);
  const [width, column] = "table" in source ? [source.width, source.column] : [1, 0];
  const frames = array(source.frames) as Float64Array;
  const time = array(source.time) as Float64Array;
  const same = frames.length === time.length;
  const values = new Float64Array(time.length);
  for (let i = 0; i < time.length; ++i) {
    const frame = same ? i : lastAtOrBefore(frames, time[i]!);
    values[i] = whole[frame * width + column] ?? NaN;
  }
  return values;
}
