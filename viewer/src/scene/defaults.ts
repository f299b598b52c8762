// What is switched on when a page opens, where that depends on the scene.
import { Vector3, type Box3 } from "three";
import type { Run } from "../format";
import type { Store } from "../store";
import { bodyBox } from "./motion";

const tiny = 1 / 25; // of the scene
const mostPaths = 12;

const sizeOf = (box: Box3): number => (box.isEmpty() ? 0 : box.getSize(new Vector3()).length());

// A joint that is far from the shapes of its body (a ball on a thread that is not drawn) explains how it moves.
function hasHangingJoint(store: Store, run: Run): boolean {
  const at = new Vector3();
  return run.joints.some(({ body, markers }) =>
    body.some((row, k) => {
      const marker = markers?.[k];
      if (row < 0 || !marker) return false;
      const box = bodyBox(store, run, row);
      return !box.isEmpty() && box.distanceToPoint(at.set(...marker.position)) > sizeOf(box);
    }),
  );
}

// Where nothing is large enough to be watched, paths show what happens.
function areAllTiny(store: Store, run: Run, sceneSize: number): boolean {
  const moving = run.bodies.flatMap(({ role }, body) => (role === "fixed" ? [] : [body]));
  if (moving.length === 0 || moving.length > mostPaths) return false;
  return moving.every((body) => sizeOf(bodyBox(store, run, body)) < tiny * sceneSize);
}

export function chooseDisplay(store: Store, scene: Box3): void {
  const run = store.runs[0];
  if (!run) return;
  store.display.joints = hasHangingJoint(store, run);
  store.display.trails = areAllTiny(store, run, sizeOf(scene));
}
