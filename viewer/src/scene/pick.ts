// Which body is at a place on the screen, and where on the screen a body can be clicked.
import { Box3, Matrix4, Mesh, Raycaster, Vector2, Vector3, type Camera, type Intersection } from "three";
import type { Selection, Store } from "../store";
import type { Bodies } from "./bodies";
import { cornersOf } from "./motion";
import type { Specks } from "./specks";

export interface Picker {
  pick(x: number, y: number): Selection | null; // client coordinates
  box(run: number, body: number): Box3; // of a body's shapes in the world; empty: it has no place
  project(run: number, body: number): { x: number; y: number; visible: boolean };
}

const speckReach = 9; // pixels around a dot that count as it
const samples = 60; // places tried on a body whose middle is empty or covered

interface Hit {
  selection: Selection;
  distance: number; // [m] from the camera
}

export function createPicker(
  store: Store,
  bodiesOfRuns: Bodies[],
  specks: Specks,
  camera: Camera,
  canvas: HTMLElement,
): Picker {
  const raycaster = new Raycaster();
  const probe = new Mesh();
  const pose = new Matrix4();

  const isShown = (run: number, body: number): boolean =>
    (store.display.runs[run] ?? true) && !store.isHidden(run, body);

  const nearestIn = (run: number): Hit | null => {
    let best: Hit | null = null;
    const hits: Intersection[] = [];
    for (const part of bodiesOfRuns[run]!.parts) {
      if (!isShown(run, part.body) || !bodiesOfRuns[run]!.pose(part.body, pose)) continue;
      probe.geometry = part.geometry;
      probe.matrixWorld.multiplyMatrices(pose, part.inBody);
      hits.length = 0;
      probe.raycast(raycaster, hits);
      const distance = Math.min(...hits.map((hit) => hit.distance));
      if (distance < (best?.distance ?? Infinity)) best = { selection: { run, body: part.body }, distance };
    }
    return best;
  };

  // The speck nearest to a place; it need not be hit exactly.
  const speckAt = (x: number, y: number): Hit | null => {
    let best: Hit | null = null;
    let nearest = speckReach;
    for (const { run, body, at } of specks.list) {
      const place = onScreen(at);
      const off = Math.hypot(place.x - x, place.y - y);
      if (off > nearest) continue;
      nearest = off;
      best = { selection: { run, body }, distance: camera.position.distanceTo(at) };
    }
    return best;
  };

  // Ghosts of a comparison are only hit where the first run is not.
  const pick = (x: number, y: number): Selection | null => {
    const rect = canvas.getBoundingClientRect();
    const at = new Vector2(((x - rect.left) / rect.width) * 2 - 1, 1 - ((y - rect.top) / rect.height) * 2);
    raycaster.setFromCamera(at, camera);
    const hits = store.runs.map((_, run) => nearestIn(run));
    const speck = speckAt(x, y);
    const solid = hits[0];
    if (speck && speck.distance < (solid?.distance ?? Infinity)) return speck.selection;
    if (solid) return solid.selection;
    const ghosts = hits.filter((hit) => hit !== null).sort((a, b) => a.distance - b.distance);
    return ghosts[0]?.selection ?? null;
  };

  const box = (run: number, body: number): Box3 => {
    const all = new Box3();
    const bodies = bodiesOfRuns[run];
    if (!bodies?.pose(body, pose)) return all;
    const matrix = new Matrix4();
    for (const part of bodies.parts) {
      if (part.body !== body) continue;
      matrix.multiplyMatrices(pose, part.inBody);
      part.geometry.boundingBox ?? part.geometry.computeBoundingBox();
      for (const corner of cornersOf(part.geometry.boundingBox!)) all.expandByPoint(corner.applyMatrix4(matrix));
    }
    if (all.isEmpty()) all.expandByPoint(new Vector3().setFromMatrixPosition(pose));
    return all;
  };

  const onScreen = (point: Vector3): { x: number; y: number } => {
    const rect = canvas.getBoundingClientRect();
    const clip = point.clone().project(camera);
    return { x: rect.left + ((clip.x + 1) / 2) * rect.width, y: rect.top + ((1 - clip.y) / 2) * rect.height };
  };

  const surfacePoints = (run: number, body: number): Vector3[] => {
    const points: Vector3[] = [];
    const bodies = bodiesOfRuns[run];
    const matrix = new Matrix4();
    for (const part of bodies?.parts ?? []) {
      if (part.body !== body || !bodies!.pose(body, pose)) continue;
      matrix.multiplyMatrices(pose, part.inBody);
      const position = part.geometry.getAttribute("position");
      const index = part.geometry.getIndex();
      const triangles = (index?.count ?? position.count) / 3;
      const step = Math.max(1, Math.floor(triangles / samples));
      const corner = (k: number): Vector3 => new Vector3().fromBufferAttribute(position, index ? index.getX(k) : k);
      for (let t = 0; t < triangles; t += step) {
        const middle = corner(3 * t).add(corner(3 * t + 1)).add(corner(3 * t + 2)).divideScalar(3);
        points.push(middle.applyMatrix4(matrix));
      }
    }
    return points;
  };

  const hitsBody = (at: { x: number; y: number }, run: number, body: number): boolean => {
    const hit = pick(at.x, at.y);
    return hit?.run === run && hit.body === body;
  };

  return {
    pick,
    box,
    // The middle where it can be clicked, else a place of the surface that can: the middle of a ring is a hole.
    project(run, body) {
      const middle = onScreen(box(run, body).getCenter(new Vector3()));
      if (hitsBody(middle, run, body)) return { ...middle, visible: true };
      const place = surfacePoints(run, body).map(onScreen).find((at) => hitsBody(at, run, body));
      return place ? { ...place, visible: true } : { ...middle, visible: false };
    },
  };
}
