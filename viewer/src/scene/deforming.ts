// Bodies that deform, of one run: each is a mesh of its own, whose vertices are moved and coloured when time or display change. What is
// drawn is what is picked, framed and outlined: a few thousand vertices are moved in less than a millisecond.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineSegments, Matrix4, Mesh, Vector3, type Color, type Group } from "three";
import { deformationsOf, exaggerationOf, fieldRanges, type Deformation, type Range } from "../deformation";
import type { Store } from "../store";
import type { Part } from "./bodies";
import { edgeMaterial, sharpEnds, type EdgeMaterial } from "./edges";
import type { FaceMaterial, Faces } from "./faces";
import { cleaned, findCreases, gathered, geometryOf, vertexNormals, type Creases } from "./geometry";

export interface Deforming {
  readonly part: Part;
  readonly faces: FaceMaterial;
  readonly lines: EdgeMaterial;
  readonly objects: (Mesh | LineSegments)[];
  place(pose: Matrix4 | null): void; // null: not drawn
  update(color: Color): void; // at the store's time
  drawn(pose: Matrix4 | null): DrawnVertices | null;
}

// What the renderer is given, for tests and for the curious: per vertex its node in the results, its place, its colour.
export interface DrawnVertices {
  nodes: number[];
  offsets: number[] | null; // from its node in the undeformed body [m]
  places: number[]; // in the world [m]
  levels: number[]; // 0..1 of the colours; -1: the body's own
}

function dynamic(geometry: BufferGeometry, name: string, array: Float32Array, size: number): BufferAttribute {
  const attribute = new BufferAttribute(array, size).setUsage(DynamicDrawUsage);
  geometry.setAttribute(name, attribute);
  return attribute;
}

// Where vertices are that move with their nodes: X + d + factor (u + theta x d).
export function movedVertices(of: Deformation, factor: number, out: Float32Array): void {
  const { nodes, u, turn, vertexNode, vertexOffset } = of;
  for (let v = 0; v < vertexNode.length; ++v) {
    const [at, to] = [3 * vertexNode[v]!, 3 * v];
    for (let k = 0; k < 3; ++k) out[to + k] = nodes[at + k]! + factor * u[at + k]!;
    if (!vertexOffset) continue;
    const [x, y, z] = [vertexOffset[to]!, vertexOffset[to + 1]!, vertexOffset[to + 2]!];
    const [a, b, c] = turn ? [factor * turn[at]!, factor * turn[at + 1]!, factor * turn[at + 2]!] : [0, 0, 0];
    out[to]! += x + b * z - c * y;
    out[to + 1]! += y + c * x - a * z;
    out[to + 2]! += z + a * y - b * x;
  }
}

class DeformingBody implements Deforming {
  readonly part: Part;
  readonly faces: FaceMaterial;
  readonly lines = edgeMaterial("own");
  readonly objects: (Mesh | LineSegments)[];
  private readonly creases: Creases;
  private readonly vertices: Float32Array;
  private readonly values: Float32Array; // of nodes
  private readonly geometry: BufferGeometry;
  private readonly edges = new BufferGeometry();

  constructor(
    private readonly store: Store,
    private readonly of: Deformation,
    private readonly ranges: Map<string, Range>,
    faces: Faces,
  ) {
    this.vertices = new Float32Array(3 * of.vertexNode.length);
    this.values = new Float32Array(of.count);
    of.u.fill(0);
    of.turn?.fill(0);
    movedVertices(of, 0, this.vertices);
    const triangles = cleaned(this.vertices, of.triangles);
    this.creases = findCreases(this.vertices, triangles);
    const position = gathered(this.vertices, this.creases.source);
    this.geometry = geometryOf(position, vertexNormals(position, this.creases.index), this.creases.index);
    dynamic(this.geometry, "position", position, 3);
    dynamic(this.geometry, "level", new Float32Array(this.creases.source.length).fill(-1), 1);
    dynamic(this.edges, "position", this.vertices, 3);
    this.edges.setIndex(new BufferAttribute(sharpEnds(this.vertices, triangles), 1));
    this.faces = faces.fieldMaterial();
    this.objects = [new Mesh(this.geometry, this.faces), new LineSegments(this.edges, this.lines)];
    for (const object of this.objects) object.matrixAutoUpdate = false;
    this.geometry.computeBoundingBox();
    this.geometry.computeBoundingSphere();
    this.part = { body: of.body, geometry: this.geometry, inBody: new Matrix4(), surface: -1, deforms: true };
  }

  place(pose: Matrix4 | null): void {
    for (const object of this.objects) {
      object.visible = pose !== null;
      if (pose) object.matrix.copy(pose);
      object.matrixWorldNeedsUpdate = true;
    }
  }

  update(color: Color): void {
    this.of.update(this.store.time);
    movedVertices(this.of, exaggerationOf(this.store), this.vertices);
    const position = this.geometry.getAttribute("position") as BufferAttribute;
    position.array.set(gathered(this.vertices, this.creases.source));
    this.geometry.getAttribute("normal").array.set(vertexNormals(position.array as Float32Array, this.creases.index));
    this.color();
    this.faces.uniforms.color.value.copy(color);
    for (const name of ["position", "normal", "level"]) (this.geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
    (this.edges.getAttribute("position") as BufferAttribute).needsUpdate = true;
    this.geometry.computeBoundingBox();
    this.geometry.computeBoundingSphere();
  }

  drawn(pose: Matrix4 | null): DrawnVertices | null {
    if (!pose) return null;
    const position = this.geometry.getAttribute("position");
    const at = new Vector3();
    const { source } = this.creases;
    const places = Array.from(source, (_, v) => at.fromBufferAttribute(position, v).applyMatrix4(pose).toArray()).flat();
    const offset = this.of.vertexOffset;
    return {
      nodes: Array.from(source, (v) => this.of.numbers[this.of.vertexNode[v]!]!),
      offsets: offset && Array.from(source, (v) => [0, 1, 2].map((k) => offset[3 * v + k]!)).flat(),
      places,
      levels: Array.from(this.geometry.getAttribute("level").array),
    };
  }

  private color(): void {
    const name = this.store.display.bodyColor;
    const range = this.ranges.get(name);
    const level = this.geometry.getAttribute("level").array as Float32Array;
    if (!range) {
      level.fill(-1);
      return;
    }
    const width = range.high - range.low;
    this.of.read(name, this.store.time, this.values);
    const { source } = this.creases;
    for (let v = 0; v < source.length; ++v) {
      const value = this.values[this.of.vertexNode[source[v]!]!]!;
      level[v] = Number.isNaN(value) ? -1 : width > 0 ? (value - range.low) / width : 0;
    }
  }
}

export function createDeforming(store: Store, run: number, group: Group, faces: Faces): Deforming[] {
  const ranges = fieldRanges(store);
  const list = deformationsOf(store)[run]!.map((of) => new DeformingBody(store, of, ranges, faces));
  for (const object of list.flatMap(({ objects }) => objects)) group.add(object);
  return list;
}
