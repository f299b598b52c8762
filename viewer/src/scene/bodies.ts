// The bodies of one run: one instanced mesh per surface, so that a hundred equal bodies cost one draw call.
//
// A hidden or missing body has an instance of size zero. The selected body leaves its instances to the highlight
// (highlight.ts), which draws it solid and with an outline.
import {
  Color,
  DoubleSide,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  OctahedronGeometry,
  Quaternion,
  Vector3,
  type BufferGeometry,
  type Group,
} from "three";
import type { Run } from "../format";
import type { Store } from "../store";
import { cssColor, runVariable } from "../palette";
import { bodyColor } from "./colors";
import { createEdgeLines, edgeMaterial, sharpEdges, type EdgeLines, type EdgeMaterial } from "./edges";
import { cleaned, creased } from "./geometry";
import { shapeMatrix, type Motion } from "./motion";

export interface Part {
  body: number;
  geometry: BufferGeometry;
  inBody: Matrix4; // shape to body
  surface: number; // -1: a marker for a body without shapes
}

export interface Bodies {
  readonly parts: Part[];
  readonly color: (body: number) => Color;
  readonly pose: (body: number, out: Matrix4) => boolean; // of the last update
  update(): void; // after a change of time, selection, display or theme
}

export function bodyKey(run: number, body: number): string {
  return `${run}:${body}`;
}

interface Batch {
  mesh: InstancedMesh;
  parts: Part[];
  edges: EdgeLines | null; // null: the surface has none
}

// Bodies without shapes are shown as small octahedra, so that they can be seen and clicked.
function partsOf(store: Store, run: Run, size: number): Part[] {
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
    .filter((shape) => shape.surface >= 0 && shape.surface < run.surfaces.length)
    .map((shape) => ({
      body: shape.body,
      geometry: geometryOf(shape.surface),
      inBody: shapeMatrix(shape, new Matrix4()),
      surface: shape.surface,
    }));
  const shaped = new Set(run.shapes.map((shape) => shape.body));
  const marker = new OctahedronGeometry(size * 0.012);
  marker.computeBoundingSphere();
  run.bodies.forEach((_, body) => {
    if (!shaped.has(body)) parts.push({ body, geometry: marker, inBody: new Matrix4(), surface: -1 });
  });
  return parts;
}

function edgesOf(store: Store, run: Run, part: Part, mesh: InstancedMesh, material: EdgeMaterial): EdgeLines | null {
  const surface = run.surfaces[part.surface];
  if (!surface) return null;
  const vertices = store.array(surface.vertices) as Float32Array;
  const ends = sharpEdges(vertices, cleaned(vertices, store.array(surface.triangles) as Uint32Array));
  return ends.length > 0 ? createEdgeLines(ends, mesh, material) : null;
}

function batchesOf(store: Store, run: Run, parts: Part[], faces: MeshLambertMaterial, lines: EdgeMaterial): Batch[] {
  const byGeometry = new Map<BufferGeometry, Part[]>();
  for (const part of parts) byGeometry.set(part.geometry, [...(byGeometry.get(part.geometry) ?? []), part]);
  return [...byGeometry].map(([geometry, list]) => {
    const mesh = new InstancedMesh(geometry, faces, list.length);
    mesh.frustumCulled = false; // its box would have to follow every frame
    return { mesh, parts: list, edges: edgesOf(store, run, list[0]!, mesh, lines) };
  });
}

export function createBodies(store: Store, runIndex: number, motion: Motion, group: Group, size: number): Bodies {
  const run = store.runs[runIndex]!;
  const isGhost = runIndex > 0;
  const material = new MeshLambertMaterial({ side: DoubleSide });
  material.polygonOffset = true; // edges lie before faces, and where runs agree the solid one before ghosts
  material.polygonOffsetFactor = isGhost ? 2 : 1;
  material.polygonOffsetUnits = isGhost ? 8 : 1;
  const lineMaterial = edgeMaterial();
  const parts = partsOf(store, run, size);
  const batches = batchesOf(store, run, parts, material, lineMaterial);
  for (const { mesh, edges } of batches) {
    mesh.renderOrder = isGhost ? 2 : 0;
    group.add(mesh);
    if (!edges) continue;
    edges.lines.renderOrder = mesh.renderOrder;
    group.add(edges.lines);
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

  const isDrawn = (body: number): boolean => {
    const { selected, display } = store;
    if (selected?.run === runIndex && selected.body === body) return false;
    return !display.hidden.has(bodyKey(runIndex, body)) && (body < 0 || poses[body] !== null);
  };

  const updateMatrices = ({ mesh, parts: list, edges }: Batch): void => {
    const matrix = new Matrix4();
    list.forEach((part, k) => {
      if (isDrawn(part.body) && pose(part.body, matrix)) mesh.setMatrixAt(k, matrix.multiply(part.inBody));
      else mesh.setMatrixAt(k, nothing);
    });
    mesh.instanceMatrix.needsUpdate = true;
    edges?.update();
  };

  let colorsOf = ""; // the theme the colours were made for
  const updateColors = (): void => {
    if (colorsOf === store.theme) return;
    colorsOf = store.theme;
    for (const { mesh, parts: list } of batches) {
      list.forEach((part, k) => mesh.setColorAt(k, color(part.body)));
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  };

  const updateMaterial = (): void => {
    const { wireframe, transparent } = store.display;
    const isSeeThrough = isGhost || transparent;
    if (material.transparent !== isSeeThrough || material.wireframe !== wireframe) material.needsUpdate = true;
    material.wireframe = wireframe;
    material.transparent = isSeeThrough;
    material.opacity = isSeeThrough ? (isGhost && transparent ? 0.18 : 0.34) : 1;
    material.depthWrite = !isSeeThrough;
    lineMaterial.visible = !wireframe;
    lineMaterial.uniforms.color.value.set(isGhost ? cssColor(runVariable(runIndex)) : cssColor("--edge"));
    lineMaterial.uniforms.opacity.value = isGhost ? 0.85 : 0.5;
  };

  return {
    parts,
    color,
    pose,
    update() {
      group.visible = store.display.runs[runIndex] ?? true;
      updatePoses();
      if (!group.visible) return;
      updateColors();
      updateMaterial();
      batches.forEach(updateMatrices);
    },
  };
}

