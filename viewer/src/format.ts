// The data block of a page: what the program writes (src/page) and the page reads. Nothing else is shared.
//
// The page holds one element <script id="carom-data" type="text/plain"> with base64 of a zlib stream ("deflate" of the
// Compression Streams API). Unpacked: a little-endian u32 with the number of bytes of the header; the header, UTF-8
// JSON of the type Report below; zeros up to a multiple of 8; then the arrays. A Ref names an array: `at` bytes behind
// the start of the arrays, always a multiple of 8.
//
// Numbers are in SI units and world axes unless the name says otherwise. Names and texts come from users: they may hold
// any character, and are only ever put into text nodes.

export type ArrayType = "f32" | "f64" | "u32" | "i32" | "u16" | "i16";

export interface Ref {
  at: number;
  count: number;
  type: ArrayType;
}

export interface Report {
  format: 1;
  carom: string; // version of the program that wrote the page
  title: string;
  runs: Run[]; // one for a report; several for a comparison, the first is the reference
  comparison: Comparison | null;
  study?: StudyReport; // of the page of a study, which has no runs of its own
}

// Rows of a study, by run; columns are as long as `runs`.
export interface StudyReport {
  sampling: string;
  scene: string;
  folder: string; // where the study is
  summary: string; // for people, of all rows
  total: number; // rows; fewer are here when there are too many
  runs: Ref; // u32
  status: Ref; // u16, carom_row_status
  reasons: [number, string][]; // of runs that are not good
  variables: { name: string; column: Ref /* f64 */ }[];
  measures: {
    name: string;
    unit: string;
    event: boolean;
    column: Ref; // f64
    curve?: { runs: Ref; share: Ref; low: Ref; high: Ref }; // f64; of independent draws: the probability after so many good runs
  }[];
}

export interface Run {
  label: string; // "compliant", or whatever tells the runs of a comparison apart
  name: string; // of the scene
  method: string;
  command: string;
  version: string; // of the program that ran it
  scene: string; // its text: JSON with comments, as it was read
  views: SceneView[]; // how the scene asks to be looked at; the page opens on the first
  summary: Summary | null; // summary.json; null when the run has not ended

  // Frames of the animation: `shown` of the `total` recorded ones. Everything "frames x ..." below has `shown` rows.
  frames: { total: number; shown: number; time: Ref /* f64 */ };
  bodies: Body[];
  position: Ref; // f32, frames x bodies x 3, of the body frame's origin
  orientation: Ref; // f32, frames x bodies x 4: w x y z, body axes to world axes
  velocity: Ref; // f32, frames x bodies x 3
  angular_velocity: Ref; // f32, frames x bodies x 3

  surfaces: { vertices: Ref /* f32 x 3 */; triangles: Ref /* u32 x 3 */ }[];
  shapes: Shape[];
  triangles: { total: number; shown: number }; // of all surfaces; fewer are shown when there were too many
  modes?: ModeList; // of a page of modes, which has no other run
  flexible: Flexible[]; // bodies that deform: drawn by their finite elements and not by their shapes

  joints: Joint[];
  joint_force: Ref | null; // f32, frames x joints x 3, reaction on body B at marker B
  joint_torque: Ref | null;

  forces: ForceElement[]; // springs, dampers, bushings, motors, loads
  effort_force: Ref | null; // f32, frames x forces x 3, what each exerts on A; those that drive a joint: on B
  effort_torque: Ref | null;

  contacts: Contacts | null; // null: the method finds none
  events: Event[];
  events_total: number; // more than events.length when only the first ones are listed
  pairs: Pair[]; // bodies that touched, hardest first
  pairs_total: number;
  pairs_from?: "steps" | "frames"; // frames: a touch between two of them is not seen; left out: steps

  // Plots: one time axis for all. With every > 1 each stretch of `every` recorded frames is shown by its smallest and its
  // largest value, in the order they came, so no peak is lost. Signals of bodies and joints are not sent: the page makes
  // them from the frames (derived.ts).
  signals: { time: Ref /* f64 */; every: number; total: number; list: Signal[] };
}

export interface SceneView {
  name: string | null;
  look_at: string | null; // name of a body; null: all that moves
  from: [number, number, number]; // [m] to the camera, from what it looks at; zeros: so that it fills the picture
  follow: boolean;
  play: boolean;
  at: number; // [s]
  speed: number; // 0: as the page chooses
  hide: string[]; // names of bodies
  show: string[]; // "contacts", "forces", "joints", "axes", "paths", "grid", "springs"; none: as the page chooses
  plots: string[]; // names of signals
}

export interface Body {
  name: string;
  role: "free" | "fixed" | "kinematic";
  mass: number;
  color: [number, number, number] | null; // 0..1
}

export interface Shape {
  body: number; // row of bodies; -1: the ground
  kind: string;
  surface: number; // row of surfaces; -1: an infinite plane z = 0 in its own axes, solid below
  position: [number, number, number]; // in the body frame
  orientation: [number, number, number, number]; // w x y z
}

// Modes of a body; null: not a number.
export interface ModeList {
  total: number; // more than the list where there were too many
  mass: number; // [kg]
  list: {
    kind: string; // "fixed-interface", "constraint", "attachment", "free"
    attachment: string | null;
    frequency: number | null; // [Hz]
    mass: (number | null)[]; // [kg] effective along x y z
    strain: number | null; // largest, per mm of the largest displacement
  }[];
  frequencies: [number | null, number | null][]; // [Hz] of the free body, and better ones
}

// A body that deforms. Vertex v is at X + d, moved by u + theta x d, in the body frame: X, u and theta of its node, d its offset (of
// bars, beams and plane bodies, which are as thick as they are).
export interface Flexible {
  body: number;
  kind: string; // "modes", "nodes"
  nodes: Ref; // f32 x 3, undeformed [m]: those that are drawn
  numbers: Ref; // u32, of those nodes in the results
  nodes_total: number; // of the surface; fewer are drawn when there were too many
  vertex_node: Ref; // u32, rows of nodes
  vertex_offset: Ref | null; // f32 x 3 [m]; null: none has any
  triangles: Ref; // u32 x 3, vertices
  shapes: FlexibleShapes | null; // u and theta are sums of shapes; or else
  displacement: { scale: Ref /* f64, snapshots [m] */; values: Ref /* i16, snapshots x nodes x 3, in units of it */ } | null;
  time: Ref; // f64 [s] of snapshots
  fields: FlexibleField[];
}

export interface FlexibleShapes {
  factors: Ref; // i32, shapes x 2: the coordinate that a shape goes with, times another one (half the square where they are the same) unless -1
  move: Ref; // f32, shapes x nodes x 3
  turn: Ref | null; // the same of rotations; null: nodes do not turn
  coordinate: Ref; // f32, frames x coordinates
}

export interface FlexibleField {
  name: string; // "speed", "von_mises", "principal_strain"
  unit: string;
  low: number; // over all snapshots
  high: number;
  values: Ref; // u16, snapshots x nodes: 0 is low, 65534 high, 65535 not known
}

export interface Marker {
  position: [number, number, number];
  orientation: [number, number, number, number];
}

export interface Joint {
  name: string;
  type: string;
  body: [number, number]; // -1: the ground
  markers: Marker[] | null; // in the frames of body A and B; the joint's axis is z
}

export interface ForceElement {
  name: string;
  kind: string; // "spring", "damper", "bushing", "motor", "load", "user"
  body: [number, number]; // A and B; -1: the ground; B is -2 where it acts on one body
  markers: [Marker, Marker]; // in the body frames; those of the joint where it drives one, whose axis is z
  joint: number; // -1: none
  turns: boolean; // drives the joint about its axis, not along it
}

export interface Contacts {
  first: Ref; // u32, frames + 1: rows of frame k are first[k] .. first[k + 1]
  body_a: Ref; // i32, -1: the ground
  body_b: Ref; // i32
  position: Ref; // f32 x 3
  normal: Ref; // f32 x 3, from B to A
  force: Ref; // f32 x 3, on A, friction included
  slip: Ref; // f32 x 3, of A relative to B
  gap: Ref; // f32, negative: penetration
  total: number; // points in the frames shown; fewer are kept when there were too many, strongest first
  shown: number;
}

export type EventKind =
  | "contact on"
  | "contact off"
  | "stick"
  | "slip"
  | "impact"
  | "topology"
  | "rest" // ever smaller impacts have ended in lasting contact
  | "jam" // friction locks a joint
  | "paradox" // no finite forces fit
  | "event" // one of the scene's own
  | "too deep"; // beyond half of the thinner one's width

export type FrictionState = "none" | "stick" | "slip";

export interface Event {
  t: number;
  kind: EventKind;
  name?: string; // of an event of the scene
  a: number; // bodies; -1: the ground
  b: number;
  speed: number | null; // [m/s] along the normal; negative: approaching
  details?: EventDetails; // of methods that resolve impacts and friction exactly
}

// null: not a number.
export interface EventDetails {
  joint: number; // row of joints; -1: surfaces of bodies
  mode: string; // contact mode, "tip-tip"; empty: none
  position: (number | null)[]; // x y z [m]
  speed_after: number | null; // [m/s]
  slip: number | null; // [m/s] across the normal, before
  slip_after: number | null;
  normal_impulse: number | null; // [N s]
  tangential_impulse: number | null;
  energy_lost: number | null; // [J]
  friction: FrictionState; // before
  friction_after: FrictionState;
}

export interface Pair {
  a: number;
  b: number;
  first_touch: number; // [s]
  in_contact: number; // [s]
  peak_force: number; // [N]
  peak_at: number; // [s]
  impulse: number; // [N s] integral of the magnitude of the normal force over recorded frames
  penetration: number; // [m] deepest
}

export interface Signal {
  name: string; // "energy.kinetic", "rod.position.x"
  unit: string;
  group: "recorded" | "ledger" | "coordinate" | "contact" | "solver" | "body" | "joint";
  data: Ref; // f64, as long as signals.time
}

// A table of differences, computed by the program. Rows are grouped; values[k] belongs to runs[k]; null: not known.
export interface Comparison {
  rows: { group: string; name: string; unit: string; values: (number | null)[] }[];
}

// summary.json, see docs/results.md; whatever is missing is not shown.
export type Summary = Record<string, unknown>;
