// The bodies of one run: where their parts are, which are drawn, and in which colours.
//
// A hidden or missing body has parts of size zero. The selected body leaves its own to the highlight
// (highlight.ts), which draws it solid and with an outline.
import {
  Color,
  Matrix4,
  OctahedronGeometry,
  Quaternion,
  Vector3,
  type BufferGeometry,
  type Group,
} from "three";
import type { Run } from "../format";
import { cssColor, runVariable } from "../palette";
import type { Store } from "../store";
import { createBatches, type Batch } from "./batches";
import { bodyColor, shownColor } from "./colors";
import { createDeforming, type Deforming, type DrawnVertices } from "./deforming";
import { sharpEdges } from "./edges";
import type { Faces } from "./faces";
import { cleaned, creased } from "./geometry";
import { motionOf, shapeMatrix } from "./motion";

export interface Part {
  body: number;
  geometry: BufferGeometry;
  inBody: Matrix4; // shape to body
  surface: number; // -1: a marker for a body without shapes, or a body that deforms
  deforms?: true; // drawn by deforming.ts
}

export interface Bodies {
  readonly parts: Part[];
  readonly color: (body: number) => Color;
  readonly pose: (body: number, out: Matrix4) => boolean; // of the last update
  update(): void; // after a change of time, selection, display or theme
  vertices(body: number): DrawnVertices | null; // of a body that deforms
}

// Bodies without shapes are shown as small octahedra, so that they can be seen and clicked.
function partsOf(store: Store, run: Run, size: number): Part[] {
  const deforming = new Set(run.flexible.map(({ body }) => body));
  const geometries = new Map<number, BufferGeometry>();
  const geometryOf = (surface: number): BufferGeometry => {
    const known = geometries.get(surface);
    if (known) return known;
    const vertices = store.array(run.surfaces[surface]!.vertices) as Float32Array;
    const made = creased(vertices, cleaned(vertices, store.array(run.surfaces[surface]!.triangles) as Uint32Array));
    geometries.set(surface, made);
    return made;
  };
  const parts: Part[] = run.shapes
    .filter((shape) => shape.surface >= 0 && shape.surface < run.surfaces.length && !deforming.has(shape.body))
    .map((shape) => ({
      body: shape.body,
      geometry: geometryOf(shape.surface),
      inBody: shapeMatrix(shape, new Matrix4()),
      surface: shape.surface,
    }));
  const shaped = new Set(run.shapes.map((shape) => shape.body));
  const marker = new OctahedronGeometry(size * 0.012);
  marker.computeBoundingSphere();
  // Sections of bodies that deform are bodies of their own ("rod.left end"), and drawn with them.
  const names = [...deforming].map((body) => `${run.bodies[body]?.name ?? ""}.`);
  run.bodies.forEach(({ name }, body) => {
    const isSection = names.some((own) => name.startsWith(own));
    if (!shaped.has(body) && !deforming.has(body) && !isSection) parts.push({ body, geometry: marker, inBody: new Matrix4(), surface: -1 });
  });
  return parts;
}

// Surfaces are shared by many parts: their edges are looked for once.
function edgeFinder(store: Store, run: Run): (part: Part) => Float32Array {
  const known = new Map<number, Float32Array>();
  return ({ surface }) => {
    const ref = run.surfaces[surface];
    if (!ref) return new Float32Array(0);
    const vertices = store.array(ref.vertices) as Float32Array;
    const ends = known.get(surface) ?? sharpEdges(vertices, cleaned(vertices, store.array(ref.triangles) as Uint32Array));
    known.set(surface, ends);
    return ends;
  };
}

export function createBodies(
  store: Store,
  runIndex: number,
  group: Group,
  size: number,
  faces: Faces,
): Bodies {
  const motion = motionOf(store, runIndex);
  const run = store.runs[runIndex]!;
  const isGhost = runIndex > 0;
  const rigid = partsOf(store, run, size);
  const batches = createBatches(rigid, faces, edgeFinder(store, run));
  const deforming = createDeforming(store, runIndex, group, faces);
  const drawn = [...batches, ...deforming];
  for (const batch of drawn) {
    batch.faces.polygonOffset = true; // edges lie before faces, and where runs agree the solid one before ghosts
    batch.faces.polygonOffsetFactor = isGhost ? 2 : 1;
    batch.faces.polygonOffsetUnits = isGhost ? 8 : 1;
    for (const object of batch.objects) {
      object.renderOrder = isGhost ? 2 : 0;
      object.frustumCulled = false; // its box would have to follow every frame
      group.add(object);
    }
  }
  const poses: (Matrix4 | null)[] = run.bodies.map(() => null);
  const unit = new Matrix4();
  const nothing = new Matrix4().makeScale(0, 0, 0);
  const position = new Vector3();
  const orientation = new Quaternion();
  const one = new Vector3(1, 1, 1);

  const color = (body: number): Color => {
    const own = bodyColor(run.bodies[body], body);
    return isGhost ? own.lerp(new Color(cssColor(runVariable(runIndex))), 0.8) : own;
  };

  const pose = (body: number, out: Matrix4): boolean => {
    const known = body < 0 ? unit : poses[body];
    if (known) out.copy(known);
    return Boolean(known);
  };

  const updatePoses = (): void => {
    for (let body = 0; body < run.bodies.length; ++body) {
      const isThere = motion.pose(body, position, orientation);
      poses[body] = isThere ? (poses[body] ?? new Matrix4()).compose(position, orientation, one) : null;
    }
  };

  const isShown = (body: number): boolean => !store.isHidden(runIndex, body) && (body < 0 || poses[body] !== null);
  const isDrawn = (body: number): boolean => {
    const { selected } = store;
    return !(selected?.run === runIndex && selected.body === body) && isShown(body);
  };

  const matrix = new Matrix4();
  const updateMatrices = (batch: Batch): void => {
    batch.parts.forEach((part, k) => {
      if (isDrawn(part.body) && pose(part.body, matrix)) batch.setMatrix(k, matrix.multiply(part.inBody));
      else batch.setMatrix(k, nothing);
    });
    batch.commit();
  };

  let colorsOf = ""; // the theme the colours were made for
  const updateColors = (): void => {
    if (colorsOf === store.theme) return;
    colorsOf = store.theme;
    for (const batch of batches) batch.parts.forEach((part, k) => batch.setColor(k, color(part.body)));
  };

  const updateDeforming = (one: Deforming): void => {
    const { body } = one.part;
    const isThere = isShown(body) && pose(body, matrix);
    one.place(isThere ? matrix : null);
    if (isThere) one.update(color(body));
  };

  const updateMaterial = ({ faces: material, lines }: Pick<Batch, "faces" | "lines">): void => {
    const { wireframe, transparent } = store.display;
    const isSeeThrough = isGhost || transparent;
    if (material.transparent !== isSeeThrough || material.wireframe !== wireframe) material.needsUpdate = true;
    material.wireframe = wireframe;
    material.transparent = isSeeThrough;
    material.uniforms.opacity.value = isSeeThrough ? (isGhost && transparent ? 0.18 : 0.34) : 1;
    material.depthWrite = !isSeeThrough;
    lines.visible = !wireframe;
    shownColor(cssColor(isGhost ? runVariable(runIndex) : "--edge"), lines.uniforms.color.value);
    lines.uniforms.opacity.value = isGhost ? 0.85 : 0.5;
  };

  return {
    parts: [...rigid, ...deforming.map(({ part }) => part)],
    color,
    pose,
    update() {
      group.visible = store.display.runs[runIndex] ?? true;
      updatePoses();
      if (!group.visible) return;
      updateColors();
      drawn.forEach(updateMaterial);
      batches.forEach(updateMatrices);
      deforming.forEach(updateDeforming);
    },
    vertices: (body) => deforming.find(({ part }) => part.body === body)?.drawn(poses[body] ?? null) ?? null,
  };
}

