// Surfaces for drawing: normals that are smooth over curved faces and sharp over edges.
//
// A corner of a triangle shares its normal with the neighbours around the same vertex that are turned by less than the
// crease angle; a vertex with several such groups is split. Groups keep the mesh indexed, which a software renderer
// thanks us for: shared vertices are transformed once.
import { BufferAttribute, BufferGeometry } from "three";

export const creaseCosine = Math.cos((35 * Math.PI) / 180);
const pairwiseLimit = 32; // triangles at a vertex that are compared with each other
const mostLeaders = 64; // groups around a vertex with more of them

// Index of the first vertex at the same place: meshes from STL files repeat each vertex in every triangle.
export function weld(vertices: Float32Array): Uint32Array {
  const count = vertices.length / 3;
  const size = 1 << Math.max(4, Math.ceil(Math.log2(count * 2 + 1)));
  const table = new Int32Array(size).fill(-1);
  const bits = new Uint32Array(vertices.map((x) => x + 0).buffer); // -0 becomes 0, which has other bits
  const first = new Uint32Array(count);
  for (let v = 0; v < count; ++v) first[v] = place(bits, table, size - 1, v);
  return first;
}

function place(bits: Uint32Array, table: Int32Array, mask: number, v: number): number {
  const x = bits[3 * v]!;
  const y = bits[3 * v + 1]!;
  const z = bits[3 * v + 2]!;
  let hash = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(z, 0xc2b2ae35);
  hash ^= hash >>> 15;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const other = table[slot]!;
    if (other < 0) {
      table[slot] = v;
      return v;
    }
    if (bits[3 * other] === x && bits[3 * other + 1] === y && bits[3 * other + 2] === z) return other;
  }
}

// Normals of triangles with the length of twice their area: sums of them weigh large triangles more.
export function faceNormals(vertices: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t]!;
    const b = 3 * triangles[t + 1]!;
    const c = 3 * triangles[t + 2]!;
    const ux = vertices[b]! - vertices[a]!;
    const uy = vertices[b + 1]! - vertices[a + 1]!;
    const uz = vertices[b + 2]! - vertices[a + 2]!;
    const vx = vertices[c]! - vertices[a]!;
    const vy = vertices[c + 1]! - vertices[a + 1]!;
    const vz = vertices[c + 2]! - vertices[a + 2]!;
    normals[t] = uy * vz - uz * vy;
    normals[t + 1] = uz * vx - ux * vz;
    normals[t + 2] = ux * vy - uy * vx;
  }
  return normals;
}

// Corners by vertex: those of vertex v are list[start[v]] .. list[start[v + 1]].
function cornersByVertex(triangles: Uint32Array, first: Uint32Array): { start: Uint32Array; list: Uint32Array } {
  const start = new Uint32Array(first.length + 1);
  for (let c = 0; c < triangles.length; ++c) start[first[triangles[c]!]! + 1]! += 1;
  for (let v = 0; v < first.length; ++v) start[v + 1]! += start[v]!;
  const next = start.slice(0, first.length);
  const list = new Uint32Array(triangles.length);
  for (let c = 0; c < triangles.length; ++c) {
    const v = first[triangles[c]!]!;
    list[next[v]!] = c;
    next[v]! += 1;
  }
  return { start, list };
}

export function unit(normals: Float32Array): Float32Array {
  const units = new Float32Array(normals.length);
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!);
    const scale = length > 0 ? 1 / length : 0;
    units[i] = normals[i]! * scale;
    units[i + 1] = normals[i + 1]! * scale;
    units[i + 2] = normals[i + 2]! * scale;
  }
  return units;
}

// Whether the triangles of two corners are turned against each other by less than the crease angle.
function isAlike(units: Float32Array, corner: number, other: number): boolean {
  const a = 3 * Math.floor(corner / 3);
  const b = 3 * Math.floor(other / 3);
  return units[a]! * units[b]! + units[a + 1]! * units[b + 1]! + units[a + 2]! * units[b + 2]! >= creaseCosine;
}

// Group number of each corner around one vertex; their number. Numbers may have gaps where groups have merged.
function group(corners: Uint32Array, units: Float32Array, groups: Int32Array): number {
  if (corners.length > pairwiseLimit) return groupByLeaders(corners, units, groups);
  let count = 0;
  for (let i = 0; i < corners.length; ++i) {
    groups[i] = -1;
    for (let j = 0; j < i; ++j) {
      if (groups[i] === groups[j] || !isAlike(units, corners[i]!, corners[j]!)) continue;
      if (groups[i]! < 0) groups[i] = groups[j]!;
      else merge(groups, i, groups[i]!, groups[j]!);
    }
    if (groups[i]! < 0) groups[i] = count++;
  }
  return count;
}

// Around a vertex with very many triangles (the middle of a disc) each is only compared with the first of every group.
function groupByLeaders(corners: Uint32Array, units: Float32Array, groups: Int32Array): number {
  const leaders: number[] = [];
  corners.forEach((corner, i) => {
    const found = leaders.findIndex((leader) => isAlike(units, corner, leader));
    if (found >= 0) groups[i] = found;
    else groups[i] = leaders.length < mostLeaders ? leaders.push(corner) - 1 : 0; // slivers without a normal
  });
  return leaders.length;
}

function merge(groups: Int32Array, last: number, into: number, from: number): void {
  for (let k = 0; k <= last; ++k) if (groups[k] === from) groups[k] = into;
}

// Vertices that have one normal each: where they come from, and triangles of them.
export interface Creases {
  source: Uint32Array; // vertices
  index: Uint32Array; // three per triangle
}

export function findCreases(vertices: Float32Array, triangles: Uint32Array): Creases {
  const first = weld(vertices);
  const { start, list } = cornersByVertex(triangles, first);
  const units = unit(faceNormals(vertices, triangles));
  const source: number[] = [];
  const index = new Uint32Array(triangles.length);
  const groups = new Int32Array(maxValence(start));
  const made = new Int32Array(groups.length);
  for (let v = 0; v < first.length; ++v) {
    const corners = list.subarray(start[v]!, start[v + 1]!);
    made.fill(-1, 0, group(corners, units, groups));
    for (let i = 0; i < corners.length; ++i) {
      const g = groups[i]!;
      if (made[g]! < 0) made[g] = source.push(v) - 1;
      index[corners[i]!] = made[g]!;
    }
  }
  return { source: new Uint32Array(source), index };
}

// Normals of vertices: sums over their triangles, by area.
export function vertexNormals(position: Float32Array, index: Uint32Array): Float32Array {
  const normals = faceNormals(position, index);
  const sum = new Float32Array(position.length);
  for (let c = 0; c < index.length; ++c) {
    const [to, from] = [3 * index[c]!, 3 * Math.floor(c / 3)];
    for (let k = 0; k < 3; ++k) sum[to + k]! += normals[from + k]!;
  }
  return unit(sum);
}

export function gathered(vertices: Float32Array, source: Uint32Array): Float32Array {
  const out = new Float32Array(3 * source.length);
  for (let v = 0; v < source.length; ++v) {
    for (let k = 0; k < 3; ++k) out[3 * v + k] = vertices[3 * source[v]! + k]!;
  }
  return out;
}

export function creased(vertices: Float32Array, triangles: Uint32Array): BufferGeometry {
  const { source, index } = findCreases(vertices, triangles);
  const position = gathered(vertices, source);
  const geometry = geometryOf(position, vertexNormals(position, index), index);
  geometry.computeBoundingSphere(); // for picking
  geometry.computeBoundingBox();
  return geometry;
}

function maxValence(start: Uint32Array): number {
  let most = 1;
  for (let v = 0; v + 1 < start.length; ++v) most = Math.max(most, start[v + 1]! - start[v]!);
  return most;
}

export function geometryOf(position: Float32Array, normal: Float32Array, index: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(position, 3));
  geometry.setAttribute("normal", new BufferAttribute(normal, 3));
  const small = position.length / 3 <= 65535;
  geometry.setIndex(new BufferAttribute(small ? new Uint16Array(index) : index, 1));
  return geometry;
}

// The same surface with one normal per place: grown along it, it has no gaps at edges. For outlines.
export function grownHull(vertices: Float32Array, triangles: Uint32Array): BufferGeometry {
  const first = weld(vertices);
  const normals = faceNormals(vertices, triangles);
  const units = unit(normals); // all faces alike: a small chamfer must not be pulled in by its large neighbours
  const sum = new Float32Array(vertices.length);
  const index = new Uint32Array(triangles.length);
  for (let c = 0; c < triangles.length; ++c) {
    const v = first[triangles[c]!]!;
    const face = 3 * Math.floor(c / 3);
    index[c] = v;
    for (let k = 0; k < 3; ++k) sum[3 * v + k]! += units[face + k]!;
  }
  return geometryOf(vertices, unit(sum), index);
}

// Vertices and triangles that are safe to draw: indices out of range and vertices that are no numbers are left out.
export function cleaned(vertices: Float32Array, triangles: Uint32Array): Uint32Array {
  const count = vertices.length / 3;
  const good = (v: number): boolean =>
    v < count && Number.isFinite(vertices[3 * v]! + vertices[3 * v + 1]! + vertices[3 * v + 2]!);
  const isGood = (t: number): boolean => good(triangles[t]!) && good(triangles[t + 1]!) && good(triangles[t + 2]!);
  const kept: number[] = [];
  for (let t = 0; t + 2 < triangles.length; t += 3) if (isGood(t)) kept.push(t);
  if (3 * kept.length === triangles.length) return triangles;
  return Uint32Array.from(kept.flatMap((t) => [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!]));
}
