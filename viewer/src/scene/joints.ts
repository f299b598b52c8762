// Axes of joints (z of marker A, with a symbol for what the joint lets free, and thin lines to the bodies it holds: a
// pendulum's rod may have no shape), axes of body frames. All of it lies over the bodies, like paths (paths.ts).
import {
  BoxGeometry,
  Color,
  CylinderGeometry,
  Matrix4,
  MeshBasicMaterial,
  SphereGeometry,
  TorusGeometry,
  Vector3,
  type Group,
} from "three";
import type { Joint, Run } from "../format";
import { cssColor } from "../palette";
import type { Store } from "../store";
import type { Bodies } from "./bodies";
import type { FaceMaterial } from "./faces";
import { along, createGlyphs, type Glyphs } from "./glyphs";
import { bodyBox, shapeMatrix } from "./motion";
import { createPaths } from "./paths";

interface Overlays {
  update(perPixel: (at: Vector3) => number): void;
}

// Pixels; beside small bodies less, so that the links of a chain are not covered by what joins them.
const axisLength = { most: 34, least: 9 }; // to each side
const symbolSize = { most: 6, least: 2.2 };
const frameLength = 34;
const axisColors = ["#e0483e", "#3fa34d", "#3b7de0"];

type Symbol = "ring" | "box" | "ball";

// Joints that slide get a box, those that turn about more than one axis a ball, all others a ring about their axis.
function symbolOf(type: string): Symbol {
  if (/prismatic|slid|line|plan/.test(type)) return "box";
  return /spher|ball|universal|cardan|point/.test(type) ? "ball" : "ring";
}

// A ball joint turns about every axis: none is drawn.
const hasAxis = (type: string): boolean => !/spher|ball|point/.test(type);

// [m] The size of the smaller of the bodies that a joint holds.
function reachesOf(store: Store, run: Run): number[] {
  const sizes = run.bodies.map((_, body) => bodyBox(store, run, body).getSize(new Vector3()).length());
  return run.joints.map(({ body }) => Math.min(...body.map((row) => sizes[row] || Infinity)));
}

function bounded(pixels: { most: number; least: number }, pixel: number, room: number): number {
  return Math.max(Math.min(pixels.most * pixel, room), pixels.least * pixel);
}

function createJoints(store: Store, bodiesOfRuns: Bodies[], group: Group, material: FaceMaterial): Overlays {
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

  const reaches = store.runs.map((run) => reachesOf(store, run));

  const drawJoint = (bodies: Bodies, joint: Joint, reach: number, perPixel: (at: Vector3) => number): void => {
    const first = joint.markers?.[0];
    if (!first || !bodies.pose(joint.body[0], pose)) return;
    marker.multiplyMatrices(pose, shapeMatrix(first, marker));
    at.setFromMatrixPosition(marker);
    axis.setFromMatrixColumn(marker, 2).normalize();
    if (!Number.isFinite(at.x + at.y + at.z + axis.x)) return;
    const pixel = perPixel(at);
    const length = bounded(axisLength, pixel, 0.7 * reach);
    const size = bounded(symbolSize, pixel, 0.2 * reach);
    if (hasAxis(joint.type)) rods.add(along(axis, at, Math.min(1.1 * pixel, 0.3 * size), length, matrix), color);
    symbols[symbolOf(joint.type)].add(along(axis, at, size, size, matrix), color);
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
        if (!isShown) return;
        run.joints.forEach((joint, k) => drawJoint(bodiesOfRuns[index]!, joint, reaches[index]![k]!, perPixel));
      });
      for (const glyphs of all) glyphs.end();
    },
  };
}

function createFrames(store: Store, bodiesOfRuns: Bodies[], group: Group, material: FaceMaterial): Overlays {
  const rods = createGlyphs(new CylinderGeometry(1, 1, 1, 8, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5), material, group);
  const colors = axisColors.map((name) => new Color(name));
  const pose = new Matrix4();
  const at = new Vector3();
  const axis = new Vector3();
  const matrix = new Matrix4();

  const drawBody = (run: number, body: number, perPixel: (at: Vector3) => number): void => {
    if (store.isHidden(run, body) || !bodiesOfRuns[run]!.pose(body, pose)) return;
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

export function createOverlays(store: Store, bodiesOfRuns: Bodies[], group: Group, lit: FaceMaterial): Overlays {
  const all = [
    createJoints(store, bodiesOfRuns, group, lit),
    createFrames(store, bodiesOfRuns, group, lit),
    createPaths(store, bodiesOfRuns, group),
  ];
  return { update: (perPixel) => all.forEach((overlay) => overlay.update(perPixel)) };
}
