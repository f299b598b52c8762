// Force elements: springs as coils, dampers as cylinders with a rod, bushings as short coils, all of them among the bodies; loads as arrows and
// motors as arcs about their axes, over them. Sizes are those of src/render/springs.c.
import { BufferAttribute, BufferGeometry, Color, ConeGeometry, Matrix4, Mesh, TorusGeometry, Vector3, type Camera, type Group } from "three";
import type { NumberArray } from "../decode";
import type { ForceElement, Run } from "../format";
import { cssColor } from "../palette";
import type { Store } from "../store";
import { createArrows } from "./arrows";
import type { Bodies } from "./bodies";
import { shownColor } from "./colors";
import type { FaceMaterial, Faces } from "./faces";
import { along, createGlyphs } from "./glyphs";
import { shapeMatrix } from "./motion";

interface ForceView {
  update(camera: Camera, perPixel: (at: Vector3) => number): void;
}

const arrowPixels = 80; // of the largest load
const arcPixels = 24; // radius of the largest torque
const wirePixels = 1.2; // radius
const radiusPixels = { least: 3, most: 16 };
const wireSides = 6;
const perTurn = 16;
const most = 400; // springs of a run: more are a crowd that hides what it holds

const isPair = ({ joint, body }: ForceElement): boolean => joint < 0 && body[1] >= -1;

// ---- wires ------------------------------------------------------------------------------------------------------------

// A wire in its own axes: x and y across in radii, z from 0 to 1 along. NaN lifts the pen.
type Wire = [number, number, number][];

const ring = (z: number, radius: number): Wire =>
  Array.from({ length: perTurn + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / perTurn;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  });

const lift: Wire = [[NaN, NaN, NaN]];

function coil(turns: number): Wire {
  const [straight, steps] = [0.1, turns * perTurn];
  const turned = Array.from({ length: steps + 1 }, (_, k): [number, number, number] => {
    const angle = (2 * Math.PI * k) / perTurn;
    return [Math.cos(angle), Math.sin(angle), straight + ((1 - 2 * straight) * k) / steps];
  });
  return [[0, 0, 0], [0, 0, straight], ...turned, [0, 0, 1 - straight], [0, 0, 1]];
}

function damper(): Wire {
  const [begin, piston, end, wide] = [0.3, 0.52, 0.68, 0.8];
  const walls = ring(0, wide).flatMap(([x, y]): Wire => [...lift, [x, y, begin], [x, y, end]]);
  return [
    [0, 0, 0], [0, 0, begin], ...lift, ...ring(begin, wide), ...lift, ...ring(piston, wide), ...lift, ...ring(end, wide), ...walls, ...lift,
    [0, 0, piston], [0, 0, 1],
  ];
}

const wires: Record<string, Wire> = { spring: coil(8), user: coil(8), damper: damper(), bushing: coil(3) };

// A tube along a wire, whose vertices are placed anew for every picture.
interface Tube {
  wire: Wire;
  mesh: Mesh<BufferGeometry, FaceMaterial>;
}

function createTube(wire: Wire, material: FaceMaterial, group: Group): Tube {
  const geometry = new BufferGeometry();
  const index: number[] = [];
  wire.forEach((point, k) => {
    const next = wire[k + 1];
    if (!next || Number.isNaN(point[0]) || Number.isNaN(next[0])) return;
    for (let s = 0; s < wireSides; ++s) {
      const [a, b] = [k * wireSides + s, k * wireSides + ((s + 1) % wireSides)];
      index.push(a, b, a + wireSides, b, b + wireSides, a + wireSides);
    }
  });
  for (const name of ["position", "normal"]) {
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * wireSides * wire.length), 3));
  }
  const mesh = new Mesh(geometry.setIndex(index), material);
  mesh.frustumCulled = false;
  group.add(mesh);
  return { wire, mesh };
}

const circle = Array.from({ length: wireSides }, (_, s) => {
  const angle = (2 * Math.PI * s) / wireSides;
  return [Math.cos(angle), Math.sin(angle)] as const;
});

// Places the tube between two points.
function placeTube({ wire, mesh }: Tube, from: Vector3, to: Vector3, radius: number, thickness: number): void {
  const position = mesh.geometry.getAttribute("position") as BufferAttribute;
  const normal = mesh.geometry.getAttribute("normal") as BufferAttribute;
  const direction = new Vector3().subVectors(to, from);
  const length = direction.length();
  direction.divideScalar(length);
  const side = Math.abs(direction.x) > 0.8 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
  const other = new Vector3().crossVectors(direction, side).normalize();
  side.crossVectors(other, direction);
  const at = (k: number, out: Vector3): boolean => {
    const point = wire[k];
    if (!point || Number.isNaN(point[0])) return false;
    out.copy(from).addScaledVector(direction, point[2] * length).addScaledVector(side, point[0] * radius);
    out.addScaledVector(other, point[1] * radius);
    return true;
  };
  const [here, before, after, tangent, u, v, n] = Array.from({ length: 7 }, () => new Vector3()) as [
    Vector3, Vector3, Vector3, Vector3, Vector3, Vector3, Vector3,
  ];
  wire.forEach((_, k) => {
    if (!at(k, here)) return;
    const hasBefore = at(k - 1, before);
    const hasAfter = at(k + 1, after);
    tangent.subVectors(hasAfter ? after : here, hasBefore ? before : here).normalize();
    u.crossVectors(tangent, direction);
    if (u.lengthSq() < 1e-6) u.copy(side);
    u.normalize();
    v.crossVectors(tangent, u);
    circle.forEach(([c, s], i) => {
      n.copy(u).multiplyScalar(c).addScaledVector(v, s);
      const row = k * wireSides + i;
      normal.setXYZ(row, n.x, n.y, n.z);
      position.setXYZ(row, here.x + thickness * n.x, here.y + thickness * n.y, here.z + thickness * n.z);
    });
  });
  position.needsUpdate = normal.needsUpdate = true;
}

// ---- loads and motors -------------------------------------------------------------------------------------------------

// Three quarters of a turn about z with a head, radius 1.
function arcGeometry(): BufferGeometry {
  const turn = 1.5 * Math.PI;
  const arc = new TorusGeometry(1, 0.055, 8, 36, turn);
  const head = new ConeGeometry(0.2, 0.5, 14).translate(0, 0.25, 0).rotateZ(turn).translate(Math.cos(turn), Math.sin(turn), 0);
  const merged = new BufferGeometry();
  const parts = [arc, head];
  for (const name of ["position", "normal"]) {
    merged.setAttribute(name, new BufferAttribute(new Float32Array(parts.flatMap((part) => [...part.getAttribute(name).array])), 3));
  }
  const first = arc.getAttribute("position").count;
  return merged.setIndex(parts.flatMap((part, k) => [...part.getIndex()!.array].map((i) => i + k * first)));
}

interface Efforts {
  force: NumberArray;
  torque: NumberArray;
  largestForce: number; // of those that are drawn as arrows
  largestTorque: number;
}

function effortsOf(store: Store, run: Run): Efforts | null {
  if (!run.effort_force || !run.effort_torque) return null;
  const [force, torque] = [store.array(run.effort_force), store.array(run.effort_torque)];
  const largest = (values: NumberArray): number => {
    let found = 0;
    for (let row = 0; 3 * row + 2 < values.length; ++row) {
      const size = Math.hypot(values[3 * row]!, values[3 * row + 1]!, values[3 * row + 2]!);
      if (!isPair(run.forces[row % run.forces.length]!) && size > found && Number.isFinite(size)) found = size;
    }
    return found;
  };
  return { force, torque, largestForce: largest(force), largestTorque: largest(torque) };
}

export function createForces(store: Store, bodiesOfRuns: Bodies[], world: Group, above: Group, faces: Faces): ForceView {
  const material = faces.material();
  material.uniforms.color.value = new Color("#77838f");
  const tubes = store.runs.map((run) =>
    run.forces.map((force, k) => (isPair(force) && k < most ? createTube(wires[force.kind] ?? wires["spring"]!, material, world) : null)),
  );
  const efforts = store.runs.map((run) => effortsOf(store, run));
  const arrows = createArrows(above);
  const arcs = createGlyphs(arcGeometry(), faces.plainMaterial(), above);
  const [pose, marker, matrix] = [new Matrix4(), new Matrix4(), new Matrix4()];
  const [from, to, axis, effort] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const [shown, lit] = [new Color(), new Color()];

  const place = (bodies: Bodies, force: ForceElement, side: 0 | 1, at: Vector3): boolean => {
    const own = force.markers[side];
    if (!bodies.pose(force.body[side], pose)) return false;
    marker.multiplyMatrices(pose, shapeMatrix(own, marker));
    at.setFromMatrixPosition(marker);
    return Number.isFinite(at.x + at.y + at.z);
  };

  const drawTube = (tube: Tube, bodies: Bodies, force: ForceElement, perPixel: (at: Vector3) => number): boolean => {
    if (!place(bodies, force, 0, from) || !place(bodies, force, 1, to)) return false;
    const length = from.distanceTo(to);
    const pixel = perPixel(axis.lerpVectors(from, to, 0.5));
    if (!(length > 1e-3 * pixel)) return false;
    const radius = Math.max(Math.min(0.14 * length, radiusPixels.most * pixel), radiusPixels.least * pixel);
    placeTube(tube, from, to, radius, wirePixels * pixel);
    return true;
  };

  const drawEffort = (run: number, row: number, perPixel: (at: Vector3) => number): void => {
    const own = efforts[run];
    const force = store.runs[run]!.forces[row]!;
    if (!own || !place(bodiesOfRuns[run]!, force, 0, from)) return;
    const at = 3 * (store.frameAt(run) * store.runs[run]!.forces.length + row);
    const pixel = perPixel(from);
    if (force.joint >= 0 && force.turns) {
      axis.setFromMatrixColumn(marker, 2).normalize();
      const torque = effort.fromArray(own.torque, at).dot(axis);
      const share = Math.abs(torque) / own.largestTorque;
      if (share > 1e-3) arcs.add(along(torque < 0 ? axis.negate() : axis, from, arcPixels * Math.sqrt(share) * pixel, arcPixels * Math.sqrt(share) * pixel, matrix), lit);
      return;
    }
    effort.fromArray(own.force, at);
    const size = effort.length();
    const pixels = (arrowPixels * size) / own.largestForce;
    if (!(pixels >= 3)) return;
    effort.divideScalar(size);
    arrows.add(from.addScaledVector(effort, -pixels * pixel), effort, pixels, pixel, shown); // loads push, as one draws them
  };

  return {
    update(camera, perPixel) {
      arrows.begin(camera);
      arcs.begin();
      shownColor(cssColor("--series-6"), shown);
      lit.set(cssColor("--series-6"));
      store.runs.forEach((run, index) => {
        const isShown = store.display.springs && (store.display.runs[index] ?? true);
        run.forces.forEach((force, row) => {
          const tube = tubes[index]![row];
          if (tube) tube.mesh.visible = isShown && drawTube(tube, bodiesOfRuns[index]!, force, perPixel);
          else if (isShown && !isPair(force)) drawEffort(index, row, perPixel);
        });
      });
      arrows.end();
      arcs.end();
    },
  };
}
