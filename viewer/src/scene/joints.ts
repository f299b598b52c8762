// Axes of joints (z of marker A, with a symbol for what the joint lets free, and thin lines to the bodies it holds: a
// pendulum's rod may have no shape), axes of body frames, the path of the selected body. All of it lies over the bodies.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  Line,
  LineBasicMaterial,
  Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
  SphereGeometry,
  TorusGeometry,
  Vector3,
  type Group,
} from "three";
import type { Joint } from "../format";
import type { Store } from "../store";
import { cssColor } from "../palette";
import { bodyKey, type Bodies } from "./bodies";
import { along, createGlyphs, type Glyphs } from "./glyphs";
import { motionOf, shapeMatrix } from "./motion";

export interface Overlays {
  update(perPixel: (at: Vector3) => number): void;
}

const axisLength = 34; // pixels to each side
const frameLength = 34;
const axisColors = ["#e0483e", "#3fa34d", "#3b7de0"];

type Symbol = "ring" | "box" | "ball";

// Joints that slide get a box, those that turn about more than one axis a ball, all others a ring about their axis.
function symbolOf(type: string): Symbol {
  if (/prismatic|slid|line|plan/.test(type)) return "box";
  return /spher|ball|universal|cardan|point/.test(type) ? "ball" : "ring";
}

function createJoints(store: Store, bodiesOfRuns: Bodies[], group: Group): Overlays {
  const material = new MeshLambertMaterial();
  const rods = createGlyphs(new CylinderGeometry(1, 1, 2, 8, 1).rotateX(Math.PI / 2), material, group);
  const linkGeometry = new CylinderGeometry(1, 1, 1, 6, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);
  const links = createGlyphs(linkGeometry, new MeshBasicMaterial({ transparent: true, opacity: 0.45 }), group);
  const symbols: Record<Symbol, Glyphs> = {
    ring: createGlyphs(new TorusGeometry(1, 0.22, 8, 24), material, group),
    box: createGlyphs(new BoxGeometry(1.3, 1.3, 2), material, group),
    ball: createGlyphs(new SphereGeometry(1, 14, 10), material, group),
  };
  const pose = new Matrix4();
  const marker = new Matrix4();
  const at = new Vector3();
  const axis = new Vector3();
  const matrix = new Matrix4();
  const color = new Color();

  const drawJoint = (bodies: Bodies, joint: Joint, perPixel: (at: Vector3) => number): void => {
    const first = joint.markers?.[0];
    if (!first || !bodies.pose(joint.body[0], pose)) return;
    marker.multiplyMatrices(pose, shapeMatrix(first, marker));
    at.setFromMatrixPosition(marker);
    axis.setFromMatrixColumn(marker, 2).normalize();
    if (!Number.isFinite(at.x + at.y + at.z + axis.x)) return;
    const pixel = perPixel(at);
    rods.add(along(axis, at, 1.1 * pixel, axisLength * pixel, matrix), color);
    symbols[symbolOf(joint.type)].add(along(axis, at, 6 * pixel, 6 * pixel, matrix), color);
    for (const body of joint.body) if (body >= 0) drawLink(bodies, body, pixel);
  };

  const drawLink = (bodies: Bodies, body: number, pixel: number): void => {
    if (!bodies.pose(body, pose)) return;
    axis.setFromMatrixPosition(pose).sub(at);
    const length = axis.length();
    if (length > pixel) links.add(along(axis.divideScalar(length), at, 0.6 * pixel, length, matrix), color);
  };

  return {
    update(perPixel) {
      const all = [rods, links, ...Object.values(symbols)];
      for (const glyphs of all) glyphs.begin();
      color.set(cssColor("--series-4"));
      store.runs.forEach((run, index) => {
        const isShown = store.display.joints && (store.display.runs[index] ?? true);
        if (isShown) for (const joint of run.joints) drawJoint(bodiesOfRuns[index]!, joint, perPixel);
      });
      for (const glyphs of all) glyphs.end();
    },
  };
}

function createFrames(store: Store, bodiesOfRuns: Bodies[], group: Group): Overlays {
  const material = new MeshLambertMaterial();
  const rods = createGlyphs(new CylinderGeometry(1, 1, 1, 8, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5), material, group);
  const colors = axisColors.map((name) => new Color(name));
  const pose = new Matrix4();
  const at = new Vector3();
  const axis = new Vector3();
  const matrix = new Matrix4();

  const drawBody = (run: number, body: number, perPixel: (at: Vector3) => number): void => {
    if (store.display.hidden.has(bodyKey(run, body)) || !bodiesOfRuns[run]!.pose(body, pose)) return;
    at.setFromMatrixPosition(pose);
    const pixel = perPixel(at);
    colors.forEach((color, k) => {
      axis.setFromMatrixColumn(pose, k).normalize();
      rods.add(along(axis, at, 1.3 * pixel, frameLength * pixel, matrix), color);
    });
  };

  return {
    update(perPixel) {
      rods.begin();
      store.runs.forEach((run, index) => {
        if (!store.display.frames || !(store.display.runs[index] ?? true)) return;
        run.bodies.forEach((_, body) => drawBody(index, body, perPixel));
      });
      rods.end();
    },
  };
}

// Where the selected body has been, strong, and where it will go, faint.
function createTrail(store: Store, group: Group): Overlays {
  const past = new Line(new BufferGeometry(), new LineBasicMaterial());
  const future = new Line(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.3 }));
  for (const line of [past, future]) {
    line.frustumCulled = false;
    group.add(line);
  }
  let shown = "";

  const rebuild = (run: number, body: number): void => {
    const motion = motionOf(store, run);
    const frames = store.runs[run]!.frames.shown;
    const points = new Float32Array(3 * frames);
    const point = new Vector3();
    const last = new Vector3();
    for (let frame = 0; frame < frames; ++frame) {
      if (motion.origin(frame, body, point)) last.copy(point); // a gap is bridged
      last.toArray(points, 3 * frame);
    }
    for (const line of [past, future]) {
      line.geometry.dispose();
      line.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(points, 3));
    }
  };

  return {
    update() {
      const { selected, display } = store;
      const isShown = display.trails && selected !== null && selected.body >= 0 && (display.runs[selected.run] ?? true);
      past.visible = future.visible = isShown;
      if (!isShown || !selected) return;
      const key = bodyKey(selected.run, selected.body);
      if (key !== shown) rebuild(selected.run, selected.body);
      shown = key;
      const frame = store.frameAt(selected.run);
      past.geometry.setDrawRange(0, frame + 1);
      future.geometry.setDrawRange(frame, Infinity);
      for (const line of [past, future]) line.material.color.set(cssColor("--accent"));
    },
  };
}

export function createOverlays(store: Store, bodiesOfRuns: Bodies[], group: Group): Overlays {
  const all = [
    createJoints(store, bodiesOfRuns, group),
    createFrames(store, bodiesOfRuns, group),
    createTrail(store, group),
  ];
  return { update: (perPixel) => all.forEach((overlay) => overlay.update(perPixel)) };
}
