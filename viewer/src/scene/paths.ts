// Paths of bodies: where they have been, strong, and where they will go, faint. The selected body's alone, or those of
// all that move.
import { BufferAttribute, BufferGeometry, Color, Line, LineBasicMaterial, Vector3, type Group } from "three";
import { cssColor } from "../palette";
import { bodyKey, type Store } from "../store";
import type { Bodies } from "./bodies";
import { motionOf } from "./motion";

export interface Paths {
  update(): void;
}

const most = 40; // of all bodies; more would be a ball of wool

interface Path {
  past: Line<BufferGeometry, LineBasicMaterial>;
  future: Line<BufferGeometry, LineBasicMaterial>;
}

function pointsOf(store: Store, run: number, body: number): Float32Array {
  const motion = motionOf(store, run);
  const frames = store.runs[run]!.frames.shown;
  const points = new Float32Array(3 * frames);
  const point = new Vector3();
  const last = new Vector3();
  for (let frame = 0; frame < frames; ++frame) {
    if (motion.origin(frame, body, point)) last.copy(point); // a gap is bridged
    last.toArray(points, 3 * frame);
  }
  return points;
}

function createPath(store: Store, run: number, body: number, group: Group): Path {
  const position = new BufferAttribute(pointsOf(store, run, body), 3);
  const line = (material: LineBasicMaterial): Path["past"] => {
    const made = new Line(new BufferGeometry().setAttribute("position", position), material);
    made.frustumCulled = false;
    group.add(made);
    return made;
  };
  return {
    past: line(new LineBasicMaterial()),
    future: line(new LineBasicMaterial({ transparent: true, opacity: 0.3 })),
  };
}

export function createPaths(store: Store, bodiesOfRuns: Bodies[], group: Group): Paths {
  const made = new Map<string, Path>();
  const accent = new Color();

  const show = (run: number, body: number, color: Color): void => {
    const key = bodyKey(run, body);
    const path = made.get(key) ?? createPath(store, run, body, group);
    made.set(key, path);
    const frame = store.frameAt(run);
    path.past.visible = path.future.visible = true;
    path.past.geometry.setDrawRange(0, frame + 1);
    path.future.geometry.setDrawRange(frame, Infinity);
    for (const line of [path.past, path.future]) line.material.color.copy(color);
  };

  const showAll = (): void => {
    let left = most;
    store.runs.forEach((run, index) => {
      run.bodies.forEach(({ role }, body) => {
        const isShown = role !== "fixed" && !store.isHidden(index, body);
        if (isShown && (store.display.runs[index] ?? true) && left-- > 0) show(index, body, bodiesOfRuns[index]!.color(body));
      });
    });
  };

  return {
    update() {
      for (const { past, future } of made.values()) past.visible = future.visible = false;
      const { selected, display } = store;
      if (!display.trails) return;
      if (selected === null) showAll();
      else if (selected.body >= 0 && (display.runs[selected.run] ?? true)) {
        show(selected.run, selected.body, accent.set(cssColor("--accent")));
      }
    },
  };
}
