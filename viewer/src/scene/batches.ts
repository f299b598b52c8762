// How bodies get to the renderer: few draws for many parts.
//
// Small surfaces are put into one mesh, whose vertices know their part and find its pose and colour in a texture: one
// draw for all of them. A surface with many vertices, or one that would be repeated too often, is kept once and drawn
// with instances. (A software renderer draws each instance by itself: a thousand boxes took a tenth of a second.)
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  FloatType,
  InstancedMesh,
  LineSegments,
  Mesh,
  RGBAFormat,
  type Color,
  type Matrix4,
  type Object3D,
} from "three";
import type { Part } from "./bodies";
import { createEdgeLines, edgeMaterial, type EdgeMaterial } from "./edges";
import type { FaceMaterial, Faces } from "./faces";

export interface Batch {
  readonly parts: Part[];
  readonly objects: Object3D[];
  readonly faces: FaceMaterial;
  readonly lines: EdgeMaterial;
  setMatrix(k: number, matrix: Matrix4): void;
  setColor(k: number, color: Color): void;
  commit(): void; // after changes
}

type EdgesOf = (part: Part) => Float32Array; // ends of the sharp edges of its surface

const mostVertices = 200000; // of the common mesh
const mostParts = 4096;
const texels = 5; // of a part: the columns of its matrix, its colour

// Parts by surface, the cheapest first into the common mesh until that is full.
export function createBatches(parts: Part[], faces: Faces, edgesOf: EdgesOf): Batch[] {
  const groups = new Map<BufferGeometry, Part[]>();
  for (const part of parts) {
    const known = groups.get(part.geometry);
    if (known) known.push(part);
    else groups.set(part.geometry, [part]);
  }
  const costOf = ([geometry, list]: [BufferGeometry, Part[]]): number => geometry.getAttribute("position").count * list.length;
  const common: Part[] = [];
  const batches: Batch[] = [];
  let vertices = 0;
  for (const entry of [...groups].sort((a, b) => costOf(a) - costOf(b))) {
    vertices += costOf(entry);
    const fits = vertices <= mostVertices && common.length + entry[1].length <= mostParts;
    if (fits) common.push(...entry[1]);
    else batches.push(createInstanced(entry[0], entry[1], faces.material(), edgesOf));
  }
  if (common.length > 0) batches.push(createCommon(common, faces, edgesOf));
  return batches;
}

function createInstanced(geometry: BufferGeometry, parts: Part[], faces: FaceMaterial, edgesOf: EdgesOf): Batch {
  const mesh = new InstancedMesh(geometry, faces, parts.length);
  const lines = edgeMaterial(null);
  const ends = edgesOf(parts[0]!);
  const edges = ends.length > 0 ? createEdgeLines(ends, mesh, lines) : null;
  return {
    parts,
    objects: edges ? [mesh, edges.lines] : [mesh],
    faces,
    lines,
    setMatrix: (k, matrix) => mesh.setMatrixAt(k, matrix),
    setColor: (k, color) => mesh.setColorAt(k, color),
    commit() {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      edges?.update();
    },
  };
}

function createCommon(parts: Part[], faces: Faces, edgesOf: EdgesOf): Batch {
  const data = new Float32Array(4 * texels * parts.length);
  const poses = new DataTexture(data, texels, parts.length, RGBAFormat, FloatType);
  const material = faces.material(poses);
  const lines = edgeMaterial(poses);
  const mesh = new Mesh(merged(parts.map(({ geometry }) => geometry)), material);
  const edges = new LineSegments(mergedEdges(parts.map(edgesOf)), lines);
  return {
    parts,
    objects: [mesh, edges],
    faces: material,
    lines,
    setMatrix: (k, matrix) => void matrix.toArray(data, 4 * texels * k),
    setColor: (k, color) => void color.toArray(data, 4 * texels * k + 16),
    commit() {
      poses.needsUpdate = true;
    },
  };
}

function merged(geometries: BufferGeometry[]): BufferGeometry {
  const countOf = (geometry: BufferGeometry): number => geometry.getAttribute("position").count;
  const indexCount = (geometry: BufferGeometry): number => geometry.getIndex()?.count ?? countOf(geometry);
  const vertices = geometries.reduce((sum, geometry) => sum + countOf(geometry), 0);
  const position = new Float32Array(3 * vertices);
  const normal = new Float32Array(3 * vertices);
  const part = new Float32Array(vertices);
  const index = new Uint32Array(geometries.reduce((sum, geometry) => sum + indexCount(geometry), 0));
  let [vertex, corner] = [0, 0];
  geometries.forEach((geometry, k) => {
    const count = countOf(geometry);
    position.set(geometry.getAttribute("position").array, 3 * vertex);
    normal.set(geometry.getAttribute("normal").array, 3 * vertex);
    part.fill(k, vertex, vertex + count);
    const own = geometry.getIndex();
    for (let c = 0; c < indexCount(geometry); ++c) index[corner + c] = vertex + (own ? own.getX(c) : c);
    vertex += count;
    corner += indexCount(geometry);
  });
  const result = new BufferGeometry();
  result.setAttribute("position", new BufferAttribute(position, 3));
  result.setAttribute("normal", new BufferAttribute(normal, 3));
  result.setAttribute("part", new BufferAttribute(part, 1));
  return result.setIndex(new BufferAttribute(index, 1));
}

function mergedEdges(ends: Float32Array[]): BufferGeometry {
  const position = new Float32Array(ends.reduce((sum, own) => sum + own.length, 0));
  const part = new Float32Array(position.length / 3);
  let at = 0;
  ends.forEach((own, k) => {
    position.set(own, at);
    part.fill(k, at / 3, (at + own.length) / 3);
    at += own.length;
  });
  const result = new BufferGeometry();
  result.setAttribute("position", new BufferAttribute(position, 3));
  return result.setAttribute("part", new BufferAttribute(part, 1));
}
