// The 3D scene: puts its parts together, draws them when something has changed, turns clicks into selections.
//
// Two scenes are drawn behind each other: bodies and planes, then (on a cleared depth buffer) contacts, joints and axes,
// which lie inside or between bodies and would be hidden by them.
import { Box3, Group, Scene, Vector3, WebGLRenderer, type Camera } from "three";
import type { FrameLoop } from "../frameloop";
import { cssColor } from "../palette";
import { bodyKey, type Selection, type Store } from "../store";
import { createBodies } from "./bodies";
import { createCamera, type ViewName } from "./camera";
import { createContacts, type ContactScale } from "./contacts";
import { chooseDisplay } from "./defaults";
import type { DrawnVertices } from "./deforming";
import { createFaces } from "./faces";
import { createForces } from "./forces";
import { createGrid } from "./grid";
import { createHighlight } from "./highlight";
import { createOverlays } from "./joints";
import { sceneExtent, upDirection } from "./motion";
import { createPicker } from "./pick";
import { applyQuality, createQuality, drawingKind } from "./quality";
import { areShadowsCheap, createShadows } from "./shadows";
import { createSpecks } from "./specks";

export interface View {
  readonly camera: Camera;
  readonly contactScale: ContactScale | null;
  readonly drawn: Promise<void>; // resolved after the first frame
  draw(): void; // called by the loop
  onDraw(listener: () => void): void;
  look(view: ViewName): void;
  frame(): void; // the selected body, or everything
  aim(at: Selection | null, from: [number, number, number], isInstant: boolean): void; // at a body or everything, from there [m]
  offset(): [number, number, number]; // [m] from what the camera looks at to the camera
  resize(): void;
  project(run: number, body: number): { x: number; y: number; visible: boolean };
  vertices(run: number, body: number): DrawnVertices | null;
  size(): { width: number; height: number }; // [CSS pixels]
  picture(width: number, height: number): HTMLCanvasElement; // what is shown now, so many pixels, with its ground and the time
}

function createRenderer(canvas: HTMLCanvasElement, isSoftware: boolean): WebGLRenderer | null {
  try {
    const renderer = new WebGLRenderer({ canvas, antialias: !isSoftware, alpha: true });
    renderer.autoClear = false;
    renderer.setClearColor(0, 0); // the ground is the element's own, so that themes need no drawing
    return renderer;
  } catch {
    return null;
  }
}

const restMilliseconds = 250;
const symbolHeight = 720; // [pixels] of a saved picture in which symbols are as large as on the screen

// null: the browser draws no 3D.
export function createScene(store: Store, canvas: HTMLCanvasElement, loop: FrameLoop): View | null {
  const drawing = drawingKind();
  const isSoftware = drawing === "software";
  const renderer = drawing === "none" ? null : createRenderer(canvas, isSoftware);
  if (!renderer) return null;
  const { all, framed: box } = sceneExtent(store);
  chooseDisplay(store, box);
  store.display.shadows = areShadowsCheap(store, isSoftware);
  const size = box.getSize(new Vector3()).length();
  const up = upDirection(store.runs[0]?.scene ?? "");
  const [world, above] = [new Scene(), new Scene()];
  const faces = createFaces(up);
  const group = (scene: Scene): Group => {
    const made = new Group();
    scene.add(made);
    return made;
  };

  const rig = createCamera(canvas, up, all, loop);
  const bodies = store.runs.map((_, run) => createBodies(store, run, group(world), size, faces));
  const highlight = createHighlight(store, bodies, group(world), faces.material());
  const gridGroup = group(world);
  const shadows = createShadows(faces.shade, box, up);
  const grid = createGrid(store, bodies, box, up, gridGroup, faces.shade);
  const contacts = createContacts(store, group(above));
  const overlays = createOverlays(store, bodies, group(above), faces.plainMaterial());
  const forces = createForces(store, bodies, group(world), group(above), faces);
  const specks = createSpecks(store, bodies, group(world));
  const picker = createPicker(store, bodies, specks, rig.camera, canvas);
  const listeners: (() => void)[] = [];
  let resolveDrawn: () => void;
  const drawn = new Promise<void>((resolve) => (resolveDrawn = resolve));

  // Poses change with time, all else only with what the user does; one flag each keeps frames of a play short.
  let isStale = true;
  const stale = (): void => {
    isStale = true;
    loop.invalidate();
  };
  for (const topic of ["time", "select", "display", "theme"] as const) store.on(topic, stale);

  const follow = createFollow(store, (run, body) => picker.box(run, body), rig.shift);

  function updateWorld(): void {
    isStale = false;
    for (const run of bodies) run.update();
    follow();
    highlight.update();
    grid.update();
  }

  // Every picture counts as part of a movement until nothing has changed for a while; then it is drawn again, finely.
  const quality = createQuality(isSoftware);
  const viewport = { width: 1, height: 1 };
  let isResting = false;
  let restTimer = 0;
  const rest = (): void => {
    isResting = !store.playing;
    if (isResting && !quality.isFine) loop.invalidate();
  };
  const chooseQuality = (): void => {
    const isChanged = isResting ? quality.rested() : quality.moved(performance.now());
    if (isChanged) applyQuality(renderer, quality, viewport.width, viewport.height);
    if (!isResting || store.playing) {
      clearTimeout(restTimer);
      restTimer = window.setTimeout(rest, restMilliseconds);
    }
    isResting = false;
  };

  function drawShadows(): void {
    const { shadows: isShaded, wireframe, transparent, grid: hasGrid } = store.display;
    const isWanted = isShaded && !wireframe && !transparent;
    faces.setShaded(isWanted);
    grid.setShaded(isWanted);
    if (!isWanted) return;
    gridGroup.visible = false; // a plane throws none
    shadows.draw(renderer!, world);
    gridGroup.visible = hasGrid;
  }

  function drawScenes(ratio: number): void {
    if (isStale) updateWorld();
    drawShadows();
    rig.beforeDraw();
    faces.follow(rig.camera);
    contacts.update(rig.camera, rig.perPixel, ratio);
    overlays.update(rig.perPixel);
    forces.update(rig.camera, rig.perPixel);
    specks.update(rig.perPixel, ratio);
    renderer!.clear();
    renderer!.render(world, rig.camera);
    renderer!.clearDepth();
    renderer!.render(above, rig.camera);
  }

  function draw(): void {
    chooseQuality();
    drawScenes(quality.ratio);
    resolveDrawn();
    for (const listener of listeners) listener();
  }

  let isSized = false;
  const resize = (): void => {
    const { clientWidth: width, clientHeight: height } = canvas.parentElement!;
    if (width < 2 || height < 2) return;
    Object.assign(viewport, { width, height });
    applyQuality(renderer, quality, width, height);
    rig.resize(width, height);
    highlight.resize(width, height);
    if (!isSized) rig.frame(box, true);
    isSized = true;
    loop.invalidate();
  };

  // All over all times; asked for once more, all that is there now.
  const presentBox = (): Box3 => {
    const present = new Box3();
    store.runs.forEach((run, index) => {
      const isShown = (body: number): boolean => !store.isHidden(index, body);
      run.bodies.forEach((_, body) => isShown(body) && present.union(picker.box(index, body)));
    });
    return present;
  };
  const frameAll = (): void => {
    const present = rig.isFraming(box) ? presentBox() : new Box3();
    rig.frame(present.isEmpty() ? box : present.expandByScalar(size * 1e-3));
  };

  const frame = (): void => {
    const { selected } = store;
    const own = selected ? picker.box(selected.run, selected.body) : new Box3();
    if (own.isEmpty()) return frameAll();
    const radius = own.getSize(new Vector3()).length() / 2;
    rig.frame(own.expandByScalar(Math.max(radius * 0.35, size * 0.05 - radius)));
  };

  const aim: View["aim"] = (at, from, isInstant) => {
    if (isStale) updateWorld(); // boxes of bodies are those of the last update
    const own = at ? picker.box(at.run, at.body) : new Box3();
    rig.place(own.isEmpty() ? box : own, new Vector3(...from), isInstant);
  };

  // Drawn and read in one task: later the buffer would be empty. What is on the screen is drawn again before anyone sees it.
  const picture: View["picture"] = (width, height) => {
    const ratio = height / symbolHeight;
    renderer!.setPixelRatio(ratio);
    renderer!.setSize((width + 0.01) / ratio, (height + 0.01) / ratio, false);
    rig.resize(width / ratio, height / ratio);
    drawScenes(ratio);
    const made = pictureOf(canvas, store.time, ratio);
    applyQuality(renderer!, quality, viewport.width, viewport.height);
    rig.resize(viewport.width, viewport.height);
    drawScenes(quality.ratio);
    return made;
  };

  addClicks(store, canvas, picker.pick, frame);
  canvas.addEventListener("webglcontextrestored", stale);

  return {
    camera: rig.camera,
    contactScale: contacts.scale,
    drawn,
    draw,
    onDraw: (listener) => listeners.push(listener),
    look: (view) => rig.look(view),
    frame,
    aim,
    offset: () => rig.offset().toArray(),
    resize,
    picture,
    size: () => ({ ...viewport }),
    project: (run, body) => {
      if (isStale) updateWorld();
      rig.beforeDraw();
      return picker.project(run, body);
    },
    vertices: (run, body) => {
      if (isStale) updateWorld();
      return bodies[run]?.vertices(body) ?? null;
    },
  };
}

// The scene on its ground, which is the element's own on the page, with the time in a corner.
function pictureOf(scene: HTMLCanvasElement, time: number, scale: number): HTMLCanvasElement {
  const made = document.createElement("canvas");
  [made.width, made.height] = [scene.width, scene.height];
  const context = made.getContext("2d")!;
  const ground = context.createLinearGradient(0, 0, 0, made.height);
  ground.addColorStop(0, cssColor("--stage-top"));
  ground.addColorStop(1, cssColor("--stage-bottom"));
  context.fillStyle = ground;
  context.fillRect(0, 0, made.width, made.height);
  context.drawImage(scene, 0, 0);
  context.font = `${Math.round(15 * scale)}px system-ui, sans-serif`;
  context.fillStyle = cssColor("--text");
  context.fillText(`t = ${time.toFixed(3)} s`, 18 * scale, made.height - 18 * scale);
  return made;
}

// The camera goes along with the selected body while following is on, else with the one that a view follows.
function createFollow(
  store: Store,
  box: (run: number, body: number) => Box3,
  shift: (by: Vector3) => void,
): () => void {
  let followed = "";
  const last = new Vector3();
  const now = new Vector3();
  return () => {
    const whom = store.selected && store.display.follow ? store.selected : store.followed;
    const key = whom ? bodyKey(whom.run, whom.body) : "";
    const place = whom ? box(whom.run, whom.body) : null;
    if (place && !place.isEmpty()) {
      place.getCenter(now);
      if (key === followed) shift(now.clone().sub(last));
      last.copy(now);
    }
    followed = place && !place.isEmpty() ? key : "";
  };
}

// A click selects, a drag does not; a double click also frames.
function addClicks(
  store: Store,
  canvas: HTMLCanvasElement,
  pick: (x: number, y: number) => ReturnType<ReturnType<typeof createPicker>["pick"]>,
  frame: () => void,
): void {
  let down: { x: number; y: number } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    down = event.button === 0 && event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
  });
  canvas.addEventListener("pointerup", (event) => {
    const isClick = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 5;
    if (isClick && event.isPrimary) store.select(pick(event.clientX, event.clientY));
    down = null;
  });
  canvas.addEventListener("dblclick", () => {
    if (store.selected) frame();
  });
}
