// Views that a scene asks for: where the camera is, what is drawn, where time begins. The page opens on the first one.
import { el, shortened } from "./dom";
import type { SceneView } from "./format";
import { signalIndex } from "./panels/signals";
import type { Player } from "./player";
import type { View } from "./scene/view";
import { bodyKey, type Display, type Selection, type Store } from "./store";

type Switch = "contacts" | "forces" | "joints" | "frames" | "trails" | "grid" | "springs";

const switches: Record<string, Switch> = {
  contacts: "contacts", forces: "forces", joints: "joints", axes: "frames", paths: "trails", grid: "grid",
  springs: "springs",
};

// A comparison shows one scene in all its runs: the views are those of the first.
export function viewsOf(store: Store): SceneView[] {
  return store.runs[0]?.views ?? [];
}

export function viewName(view: SceneView, index: number): string {
  return view.name ?? `view ${index + 1}`;
}

function bodyNamed(store: Store, name: string | null): Selection | null {
  if (name === "ground") return { run: 0, body: -1 };
  const body = store.runs[0]?.bodies.findIndex((other) => other.name === name) ?? -1;
  return name !== null && body >= 0 ? { run: 0, body } : null;
}

function hide(store: Store, names: string[]): void {
  store.display.hidden.clear();
  store.runs.forEach((run, index) => {
    if (names.includes("ground")) store.display.hidden.add(bodyKey(index, -1));
    run.bodies.forEach(({ name }, body) => names.includes(name) && store.display.hidden.add(bodyKey(index, body)));
  });
}

function show(display: Display, words: string[]): void {
  if (words.length === 0) return;
  for (const [word, option] of Object.entries(switches)) display[option] = words.includes(word);
}

function plot(store: Store, names: string[]): void {
  const index = signalIndex(store);
  const known = names.filter((name) => index.has(name));
  if (known.length === 0) return;
  store.signals = known;
  store.emit("signals");
}

// Whoever wants things to stay calm starts the clock by hand.
const isCalm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

function setClock(store: Store, player: Player, view: SceneView): void {
  store.setPlaying(false);
  player.loopFrom = view.at;
  store.setTime(view.at);
  if (view.speed > 0) player.setSpeed(view.speed);
  if (!view.play || isCalm()) return;
  player.isLooping = true;
  store.setPlaying(store.end > store.start);
}

export function applyView(store: Store, player: Player, scene: View | null, view: SceneView, isInstant = false): void {
  const body = bodyNamed(store, view.look_at);
  setClock(store, player, view);
  hide(store, view.hide);
  show(store.display, view.show);
  store.followed = view.follow ? body : null;
  store.emit("display");
  plot(store, view.plots);
  scene?.aim(body, view.from, isInstant);
}

const metres = (value: number): string | number => (value === 0 ? 0 : `${Number(value.toPrecision(4))} m`);

// What is seen now, as a scene writes it: numbers carry their units, so that it fits into files of any. The body that is followed, or chosen,
// is looked at from where the camera stands now.
export function viewNow(store: Store, scene: View | null): Record<string, unknown> {
  const at = store.followed ?? store.selected;
  const [run, hidden] = [store.runs[0], store.display.hidden];
  const from = scene?.offset() ?? [0, 0, 0];
  return {
    ...(at && run && at.run === 0 && { look_at: run.bodies[at.body]?.name ?? "ground", follow: store.followed !== null || store.display.follow }),
    from: from.map(metres),
    at: `${Number(store.time.toPrecision(6))} s`,
    speed: store.speed,
    play: store.playing,
    hide: [...(hidden.has(bodyKey(0, -1)) ? ["ground"] : []), ...(run?.bodies ?? []).flatMap(({ name }, body) => (hidden.has(bodyKey(0, body)) ? [name] : []))],
    show: Object.keys(switches).filter((word) => store.display[switches[word]!]),
    plots: store.signals,
  };
}

// What the address asks for: #t=2.45 the time [s], #view=latch a view by its name or number, or both.
export function followAddress(store: Store, choose: (view: SceneView) => void): void {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const name = wanted.get("view");
  const view = viewsOf(store).find((one, index) => name !== null && (viewName(one, index) === name || String(index + 1) === name));
  if (view) choose(view);
  const time = Number(wanted.get("t") || NaN);
  if (!Number.isFinite(time)) return;
  store.setPlaying(false);
  store.setTime(time);
}

// One button for each view; nothing where the scene asks for none or one without a name.
export function createViewButtons(store: Store, choose: (view: SceneView) => void): HTMLElement | null {
  const views = viewsOf(store);
  if (views.length === 0 || (views.length === 1 && views[0]!.name === null)) return null;
  const buttons = views.map((view, index) => {
    const name = viewName(view, index);
    const key = index < 9 ? ` (Shift+${index + 1})` : "";
    const button = el("button", { type: "button", class: "text-button", text: shortened(name, 24), title: `${shortened(name, 80)}${key}` });
    button.addEventListener("click", () => choose(view));
    return button;
  });
  return el("div", { class: "scene-views", role: "group", "aria-label": "Views of the scene" }, ...buttons);
}
