// Dots in place of bodies that are too small to be seen from where the camera is: a satellite beside its planet, a
// parachute in the whole of its fall. They can be clicked like the body itself.
import { Box3, Color, Matrix4, Vector3, type Group } from "three";
import { cssColor } from "../palette";
import type { Selection, Store } from "../store";
import type { Bodies } from "./bodies";
import { shownColor } from "./colors";
import { createDots } from "./dots";

interface Speck extends Selection {
  at: Vector3;
}

export interface Specks {
  readonly list: readonly Speck[]; // those of the last picture
  update(perPixel: (at: Vector3) => number, ratio: number): void;
}

const smallest = 5; // pixels; what is smaller gets a dot
const dotRadius = 4.5;

interface Extent {
  middle: Vector3; // in the body frame
  size: number; // [m]
}

function extentsOf(bodies: Bodies, count: number): Extent[] {
  const boxes = Array.from({ length: count }, () => new Box3());
  for (const { body, geometry, inBody } of bodies.parts) {
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    if (body >= 0) boxes[body]?.union(geometry.boundingBox!.clone().applyMatrix4(inBody));
  }
  return boxes.map((box) => ({ middle: box.getCenter(new Vector3()), size: box.getSize(new Vector3()).length() }));
}

export function createSpecks(store: Store, bodiesOfRuns: Bodies[], group: Group): Specks {
  const dots = createDots(group);
  const extents = store.runs.map((run, index) => extentsOf(bodiesOfRuns[index]!, run.bodies.length));
  // A body that is nothing but an infinite plane is no speck, nor one that nothing is drawn of.
  const flat = store.runs.map((run, index) => {
    const drawn = new Set(bodiesOfRuns[index]!.parts.map(({ body }) => body));
    const planes = run.shapes.filter(({ surface }) => surface < 0).map(({ body }) => body);
    return new Set([...planes, ...[...run.bodies.keys()].filter((body) => !drawn.has(body))]);
  });
  const list: Speck[] = [];
  const pose = new Matrix4();
  const at = new Vector3();
  const color = new Color();
  const rim = new Color();

  const drawBody = (run: number, body: number, perPixel: (at: Vector3) => number): void => {
    if (store.isHidden(run, body) || flat[run]!.has(body)) return;
    if (!bodiesOfRuns[run]!.pose(body, pose)) return;
    const { middle, size } = extents[run]![body]!;
    at.copy(middle).applyMatrix4(pose);
    if (size > smallest * perPixel(at)) return;
    const isSelected = store.selected?.run === run && store.selected.body === body;
    shownColor(cssColor(isSelected ? "--accent" : "--surface"), rim);
    dots.add(at, color.copy(bodiesOfRuns[run]!.color(body)).convertLinearToSRGB(), rim);
    list.push({ run, body, at: at.clone() });
  };

  return {
    list,
    update(perPixel, ratio) {
      list.length = 0;
      dots.begin();
      store.runs.forEach((run, index) => {
        if (store.display.runs[index] ?? true) run.bodies.forEach((_, body) => drawBody(index, body, perPixel));
      });
      dots.end(dotRadius * ratio);
    },
  };
}
