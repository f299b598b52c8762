// Nodes of bodies that deform from result.h5, as docs/results.md describes them.
const range = (h5, what, k) => [h5[`flexible/first_${what}`][k], h5[`flexible/first_${what}`][k + 1]];

// R r for a quaternion w x y z.
export function rotated([w, x, y, z], r) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const v = [x, y, z];
  const t = cross(v, r).map((part) => 2 * part);
  const c = cross(v, t);
  return r.map((part, k) => part + w * t[k] + c[k]);
}

// What shapes make of their coordinates: displacements, or rotations by their own table.
function summed(h5, k, frame, table, firstRow, count) {
  const [q0] = range(h5, "coordinate", k);
  const [s0, s1] = range(h5, "shape", k);
  const q = h5["flexible/coordinate"][frame];
  const sum = Array.from({ length: count }, () => [0, 0, 0]);
  for (let s = s0; s < s1; ++s) {
    const [a, b] = h5["flexible/shape"][s];
    const factor = b < 0 ? q[q0 + a] : (a === b ? 0.5 : 1) * q[q0 + a] * q[q0 + b];
    sum.forEach((u, node) => h5[table][firstRow + (s - s0) * count + node].forEach((part, axis) => (u[axis] += factor * part)));
  }
  return sum;
}

// Rows before body k in the table of displacements of shapes.
function basisRow(h5, k) {
  const size = (j) => (range(h5, "shape", j)[1] - range(h5, "shape", j)[0]) * (range(h5, "node", j)[1] - range(h5, "node", j)[0]);
  return Array.from({ length: k }, (_, j) => size(j)).reduce((a, b) => a + b, 0);
}

// The body with this row among all: X undeformed, u displacements, turn rotations, x and q its frame.
export function deformed(h5, body, frame) {
  const k = h5["flexible/body"].findIndex((row) => row === body);
  const [n0, n1] = range(h5, "node", k);
  const X = h5["flexible/node"].slice(n0, n1);
  const [m0, m1] = range(h5, "moved", k);
  const axes = (m1 - m0) / X.length;
  const moved = (i) => [0, 1, 2].map((axis) => (axis < axes ? h5["flexible/displacement"][frame][m0 + axes * i + axis] : 0));
  const u = axes > 0 ? X.map((_, i) => moved(i)) : summed(h5, k, frame, "flexible/basis", basisRow(h5, k), X.length);
  const [t0, t1] = range(h5, "turn", k);
  const turn = t1 > t0 ? summed(h5, k, frame, "flexible/turn", t0, X.length) : X.map(() => [0, 0, 0]);
  return { X, u, turn, x: h5["bodies/position"][frame][body], q: h5["bodies/orientation"][frame][body] };
}

// Where a vertex is: its node, its offset from it, deformation exaggerated by a factor.
export function placeOf({ X, u, turn, x, q }, node, offset, factor) {
  const t = turn[node].map((part) => factor * part);
  const across = [t[1] * offset[2] - t[2] * offset[1], t[2] * offset[0] - t[0] * offset[2], t[0] * offset[1] - t[1] * offset[0]];
  return rotated(q, X[node].map((part, k) => part + offset[k] + factor * u[node][k] + across[k])).map((part, k) => part + x[k]);
}

export function sizeOf(X) {
  return Math.hypot(...[0, 1, 2].map((k) => Math.max(...X.map((p) => p[k])) - Math.min(...X.map((p) => p[k]))));
}
