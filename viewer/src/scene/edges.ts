// Sharp edges as thin lines: they give boxes and gears their shape where faces have one colour, and ghosts their
// outline. Drawn like the faces: in a common mesh, or for all instances of a surface with their matrices (batches.ts).
import {
  BufferAttribute,
  Color,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineSegments,
  ShaderMaterial,
  type DataTexture,
  type InstancedMesh,
} from "three";
import { partPose } from "./faces";
import { creaseCosine, faceNormals, unit, weld } from "./geometry";

const mostEdges = 60000; // of a surface; beyond that lines are a grey mass

// Ends of the edges between faces that meet at more than the crease angle, and of those with one face only: where they are.
export function sharpEdges(vertices: Float32Array, triangles: Uint32Array): Float32Array {
  const ends = sharpEnds(vertices, triangles);
  return Float32Array.from({ length: 3 * ends.length }, (_, k) => vertices[3 * ends[Math.floor(k / 3)]! + (k % 3)]!);
}

// The same as vertices.
export function sharpEnds(vertices: Float32Array, triangles: Uint32Array): Uint32Array {
  const first = weld(vertices);
  const units = unit(faceNormals(vertices, triangles));
  const table = edgeTable(triangles.length);
  for (let corner = 0; corner < triangles.length; ++corner) {
    const face = 3 * Math.floor(corner / 3);
    const a = first[triangles[corner]!]!;
    const b = first[triangles[face + ((corner + 1) % 3)]!]!;
    if (a !== b) table.add(Math.min(a, b), Math.max(a, b), face, units);
  }
  return table.ends();
}

interface EdgeTable {
  add(low: number, high: number, face: number, units: Float32Array): void;
  ends(): Uint32Array;
}

// Open addressing over typed arrays: meshes have hundreds of thousands of edges.
function edgeTable(corners: number): EdgeTable {
  const size = 1 << Math.ceil(Math.log2(2 * corners + 2));
  const lows = new Int32Array(size).fill(-1);
  const highs = new Int32Array(size);
  const faces = new Int32Array(size);
  const isSmooth = new Uint8Array(size);

  const slotOf = (low: number, high: number): number => {
    let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0;
    for (slot &= size - 1; lows[slot]! >= 0; slot = (slot + 1) & (size - 1)) {
      if (lows[slot] === low && highs[slot] === high) break;
    }
    return slot;
  };

  return {
    add(low, high, face, units) {
      const slot = slotOf(low, high);
      if (lows[slot]! < 0) {
        lows[slot] = low;
        highs[slot] = high;
        faces[slot] = face;
        return;
      }
      const other = faces[slot]!;
      const cosine = units[face]! * units[other]! + units[face + 1]! * units[other + 1]! + units[face + 2]! * units[other + 2]!;
      isSmooth[slot] = Number(cosine >= creaseCosine);
    },
    ends() {
      const out: number[] = [];
      for (let slot = 0; slot < size && out.length < 2 * mostEdges; ++slot) {
        if (lows[slot]! >= 0 && !isSmooth[slot]) out.push(lows[slot]!, highs[slot]!);
      }
      return new Uint32Array(out);
    },
  };
}

const vertexShader = `
#ifdef ON_ITS_OWN
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
#elif defined(IN_PARTS)
attribute float part;
${partPose}
void main() {
  gl_Position = projectionMatrix * viewMatrix * pose_of(part) * vec4(position, 1.0);
}
#else
attribute vec4 column_0;
attribute vec4 column_1;
attribute vec4 column_2;
attribute vec4 column_3;
void main() {
  mat4 pose = mat4(column_0, column_1, column_2, column_3);
  gl_Position = projectionMatrix * viewMatrix * pose * vec4(position, 1.0);
}
#endif`;

const fragmentShader = `
uniform vec3 color;
uniform float opacity;
void main() {
  gl_FragColor = vec4(color, opacity);
}`;

export type EdgeMaterial = ShaderMaterial & { uniforms: { color: { value: Color }; opacity: { value: number } } };

// With poses: of a common mesh; on its own: of an object that is placed by its matrix; else of instances.
export function edgeMaterial(poses: DataTexture | null | "own"): EdgeMaterial {
  const uniforms = { color: { value: new Color() }, opacity: { value: 1 }, poses: { value: poses === "own" ? null : poses } };
  const defines = poses === "own" ? { ON_ITS_OWN: "" } : poses ? { IN_PARTS: "" } : {};
  const options = { vertexShader, fragmentShader, defines, uniforms, transparent: true, depthWrite: false };
  return new ShaderMaterial(options) as unknown as EdgeMaterial;
}

interface EdgeLines {
  lines: LineSegments;
  update(): void; // after the matrices of the mesh have changed
}

export function createEdgeLines(ends: Float32Array, mesh: InstancedMesh, material: EdgeMaterial): EdgeLines {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(ends, 3));
  const matrices = new InstancedInterleavedBuffer(mesh.instanceMatrix.array as Float32Array, 16);
  for (let k = 0; k < 4; ++k) geometry.setAttribute(`column_${k}`, new InterleavedBufferAttribute(matrices, 4, 4 * k));
  geometry.instanceCount = mesh.count;
  const lines = new LineSegments(geometry, material);
  lines.frustumCulled = false;
  return {
    lines,
    update() {
      matrices.needsUpdate = true;
    },
  };
}
