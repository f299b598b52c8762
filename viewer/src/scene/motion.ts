// Where bodies are at a time: frames interpolated, at a frame exactly that frame. And how large the scene is.
import { Box3, Matrix4, Quaternion, Vector3 } from "three";
import type { Flexible, Run } from "../format";
import type { Store } from "../store";

interface Motion {
  readonly bodies: number;
  // Pose of a body at the store's time; false when it has none (no frames, or not a number). The ground has the unit pose.
  pose(body: number, position: Vector3, orientation: Quaternion): boolean;
  // The origin of a body in a frame.
  origin(frame: number, body: number, out: Vector3): boolean;
  // Makes a box hold points of a body in a frame.
  expand(frame: number, body: number, pointsInBody: Vector3[], box: Box3): void;
}

export function motionOf(store: Store, runIndex: number): Motion {
  const run = store.runs[runIndex]!;
  const position = store.array(run.position);
  const orientation = store.array(run.orientation);
  const times = store.frameTimes(runIndex);
  const bodies = run.bodies.length;
  const otherPosition = new Vector3();
  const otherOrientation = new Quaternion();

  const origin = (frame: number, body: number, out: Vector3): boolean => {
    const at = 3 * (frame * bodies + body);
    out.set(position[at] ?? NaN, position[at + 1] ?? NaN, position[at + 2] ?? NaN);
    return Number.isFinite(out.x + out.y + out.z);
  };

  const turn = (frame: number, body: number, out: Quaternion): boolean => {
    const at = 4 * (frame * bodies + body);
    const [w, x, y, z] = [orientation[at], orientation[at + 1], orientation[at + 2], orientation[at + 3]];
    out.set(x ?? NaN, y ?? NaN, z ?? NaN, w ?? NaN);
    return Number.isFinite(out.x + out.y + out.z + out.w) && out.lengthSq() > 0;
  };

  const pose = (body: number, p: Vector3, q: Quaternion): boolean => {
    if (body < 0) {
      p.set(0, 0, 0);
      q.identity();
      return true;
    }
    const frame = store.frameAt(runIndex);
    if (!origin(frame, body, p) || !turn(frame, body, q)) return false;
    q.normalize();
    const from = times[frame]!;
    const to = times[frame + 1];
    if (to === undefined || store.time <= from || to <= from) return true;
    if (!origin(frame + 1, body, otherPosition) || !turn(frame + 1, body, otherOrientation)) return true;
    const part = Math.min((store.time - from) / (to - from), 1);
    p.lerp(otherPosition, part);
    q.slerp(otherOrientation.normalize(), part);
    return true;
  };

  const expand = (frame: number, body: number, points: Vector3[], box: Box3): void => {
    if (!origin(frame, body, otherPosition) || !turn(frame, body, otherOrientation)) return;
    otherOrientation.normalize();
    const corner = new Vector3();
    for (const point of points) box.expandByPoint(corner.copy(point).applyQuaternion(otherOrientation).add(otherPosition));
  };

  return { bodies, pose, origin, expand };
}

const knownBoxes = new WeakMap<Run, Map<number, Box3>>();

// The box of a body's shapes in the body frame; planes have no size. Not to be changed: it is kept.
export function bodyBox(store: Store, run: Run, body: number): Box3 {
  const known = knownBoxes.get(run) ?? new Map<number, Box3>();
  knownBoxes.set(run, known);
  const box = known.get(body) ?? shapesBox(store, run, body);
  known.set(body, box);
  return box;
}

function shapesBox(store: Store, run: Run, body: number): Box3 {
  const box = new Box3();
  const point = new Vector3();
  const matrix = new Matrix4();
  const flexible = run.flexible.find((one) => one.body === body);
  if (flexible) return nodesBox(store, flexible);
  for (const shape of run.shapes) {
    const surface = run.surfaces[shape.surface];
    if (shape.body !== body || !surface) continue;
    shapeMatrix(shape, matrix);
    const vertices = store.array(surface.vertices);
    for (let v = 0; v + 2 < vertices.length; v += 3) {
      point.set(vertices[v]!, vertices[v + 1]!, vertices[v + 2]!);
      if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point.applyMatrix4(matrix));
    }
  }
  return box;
}

// Of nodes with the vertices around them, undeformed.
function nodesBox(store: Store, of: Flexible): Box3 {
  const nodes = store.array(of.nodes);
  const offset = of.vertex_offset ? store.array(of.vertex_offset) : null;
  const box = new Box3();
  store.array(of.vertex_node).forEach((node, v) => {
    const at = (k: number): number => nodes[3 * node + k]! + (offset ? offset[3 * v + k]! : 0);
    const point = new Vector3(at(0), at(1), at(2));
    if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
  });
  return box;
}

export function shapeMatrix(
  shape: { position: [number, number, number]; orientation: [number, number, number, number] },
  out: Matrix4,
): Matrix4 {
  const [w, x, y, z] = shape.orientation;
  const [px, py, pz] = shape.position;
  return out.compose(new Vector3(px, py, pz), new Quaternion(x, y, z, w).normalize(), new Vector3(1, 1, 1));
}

// What there is to see: all of it, over all frames, and what is framed at first.
export interface Extent {
  all: Box3;
  framed: Box3;
}

interface Travel {
  isFixed: boolean;
  start: Box3; // in the first frame
  path: Box3; // over all frames
}

const sizeOf = (box: Box3): number => (box.isEmpty() ? 0 : box.getSize(new Vector3()).length());

export function sceneExtent(store: Store): Extent {
  const travels = store.runs.flatMap((run, index) => travelsOf(store, run, index));
  const all = unionOf(travels.map(({ path }) => path));
  const framed = framedOf(travels, all);
  for (const box of [all, framed]) {
    expandByPivots(store, box);
    if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    if (!(sizeOf(box) > 0)) box.expandByScalar(0.5);
  }
  return { all: all.union(framed), framed };
}

// A few bodies that leave the scene for good (one that falls off the table) must not make all others dots: they are
// framed for a part of their way. Where most of them travel far, the travel is what there is to see.
function framedOf(travels: Travel[], all: Box3): Box3 {
  const reach = 2 * sizeOf(unionOf(travels.map(({ start }) => start)));
  const stays = ({ start, path }: Travel): boolean => sizeOf(path) - sizeOf(start) <= reach;
  const moving = travels.filter(({ isFixed }) => !isFixed);
  const leaving = moving.filter((travel) => !stays(travel));
  if (leaving.length === 0 || leaving.length > moving.length / 3) return all.clone();
  const core = unionOf(travels.filter(stays).map(({ path }) => path));
  const near = core.clone().expandByScalar(0.3 * sizeOf(core));
  for (const { path } of leaving) {
    const part = path.clone().intersect(near);
    if (!part.isEmpty()) core.union(part);
  }
  return core;
}

function unionOf(boxes: Box3[]): Box3 {
  return boxes.reduce((sum, box) => sum.union(box), new Box3());
}

function travelsOf(store: Store, run: Run, index: number): Travel[] {
  const motion = motionOf(store, index);
  const travels = run.bodies.map(({ role }, body): Travel => {
    const box = bodyBox(store, run, body);
    const corners = box.isEmpty() ? [new Vector3()] : cornersOf(box);
    const isFixed = role === "fixed";
    const [start, path] = [new Box3(), new Box3()];
    const step = isFixed ? Math.max(run.frames.shown, 1) : Math.max(1, Math.floor(run.frames.shown / 200));
    motion.expand(0, body, corners, start);
    for (let frame = 0; frame < run.frames.shown; frame += step) motion.expand(frame, body, corners, path);
    return { isFixed, start, path };
  });
  const ground = bodyBox(store, run, -1);
  return [...travels, { isFixed: true, start: ground, path: ground }];
}

// Joints and springs on the ground belong to the picture (what a pendulum hangs from), unless they are far away.
function expandByPivots(store: Store, all: Box3): void {
  if (all.isEmpty()) return;
  const reach = all.clone().expandByScalar(all.getSize(new Vector3()).length());
  for (const { body, markers } of store.runs.flatMap((run) => [...run.joints, ...run.forces])) {
    const pivot = body[0] === -1 ? markers?.[0] : body[1] === -1 ? markers?.[1] : undefined;
    const point = pivot ? new Vector3(...pivot.position) : null;
    if (point && reach.containsPoint(point)) all.expandByPoint(point);
  }
}

export function cornersOf(box: Box3): Vector3[] {
  const { min, max } = box;
  const pick = (k: number, bit: number): boolean => (k & bit) !== 0;
  return Array.from(
    { length: 8 },
    (_, k) => new Vector3(pick(k, 1) ? max.x : min.x, pick(k, 2) ? max.y : min.y, pick(k, 4) ? max.z : min.z),
  );
}

// [m/s^2] Where the scene's text tells it, else zero. The text may hold comments and expressions, so it is searched, not parsed.
function gravityOf(sceneText: string): Vector3 {
  const match = /"gravity"\s*:\s*\[([^\]]*)\]/.exec(sceneText);
  const numbers = (match?.[1] ?? "").split(",").map((part) => Number.parseFloat(part.replace(/["$\s]/g, "")));
  const gravity = new Vector3(numbers[0], numbers[1], numbers[2]);
  return Number.isFinite(gravity.length()) ? gravity : new Vector3();
}

// Whether something is down: without it, nothing lies below a scene.
export function hasDown(sceneText: string): boolean {
  return gravityOf(sceneText).length() > 0;
}

// Up: against gravity, else z.
export function upDirection(sceneText: string): Vector3 {
  const gravity = gravityOf(sceneText);
  const up = new Vector3(0, 0, 1);
  if (!(gravity.length() > 0)) return up;
  const parts = gravity.toArray().map(Math.abs);
  const axis = parts.indexOf(Math.max(...parts));
  // A slope is often written as tilted gravity: the picture stays upright along the nearest axis.
  return up.set(0, 0, 0).setComponent(axis, gravity.getComponent(axis) > 0 ? -1 : 1);
}
