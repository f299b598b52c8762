// The layout of the page: header, 3D scene with what lies over it, panels, time line.
import { createDock } from "./dock";
import { el, iconButton } from "./dom";
import type { SceneView } from "./format";
import type { FrameLoop } from "./frameloop";
import { createHeader } from "./header";
import { createHelp } from "./help";
import { initKeyboard } from "./keyboard";
import { panels } from "./panels";
import { createPlayer, type Player } from "./player";
import type { ViewName } from "./scene/camera";
import { createScene, type View } from "./scene/view";
import { createCapture, type Capture } from "./stage/capture";
import { createCard } from "./stage/card";
import { createGizmo } from "./stage/gizmo";
import { createContactLegend, createFieldLegend, createRunLegend } from "./stage/legend";
import { createMenu, type Menu } from "./stage/menu";
import type { Store } from "./store";
import { toggleTheme } from "./theme";
import { createTimeline } from "./timeline";
import { applyView, createViewButtons, followAddress, viewNow, viewsOf } from "./views";

interface Stage {
  element: HTMLElement;
  view: View | null;
  menu: Menu;
  capture: Capture | null;
}

function createStage(store: Store, loop: FrameLoop, player: Player): Stage {
  const canvas = el("canvas", { class: "scene", "aria-label": "3D scene" });
  const element = el("main", { class: "stage" }, canvas);
  const view = createScene(store, canvas, loop);
  const look = (name: ViewName): void => view?.look(name);
  const menu = createMenu(store, look, () => JSON.stringify(viewNow(store, view)));
  const frame = iconButton("frame", "Frame the selected body or everything (F)", () => view?.frame());
  const capture = view ? createCapture(store, player, view) : null;
  const corner = el("div", { class: "stage-tools" }, frame, ...(capture?.buttons ?? []), menu.button);
  const legends = el("div", { class: "legends" }, createRunLegend(store), createFieldLegend(store), createContactLegend(store, view?.contactScale ?? null));
  element.append(corner, menu.element);
  if (view) {
    const gizmo = createGizmo();
    element.append(legends, gizmo.element);
    view.onDraw(() => gizmo.update(view.camera));
  } else {
    canvas.remove();
    element.append(el("p", { class: "stage-message", text: "This browser does not draw 3D (WebGL is off). Everything else works." }));
  }
  if (!store.runs.some((run) => run.frames.shown > 0)) {
    element.append(el("p", { class: "stage-message", text: "No frames were recorded." }));
  }
  return { element, view, menu, capture };
}

export function createShell(store: Store, root: HTMLElement, loop: FrameLoop): View | null {
  const help = createHelp();
  const player = createPlayer(store, loop);
  const stage = createStage(store, loop, player);
  const dock = createDock(store, panels);
  const timeline = createTimeline(store, player);
  const changeTheme = (): void => toggleTheme(store);
  const toggleDock = (): void => {
    dock.toggle();
    root.classList.toggle("without-dock", dock.element.hidden === true);
  };
  const header = createHeader(store, {
    toggleTheme: changeTheme,
    toggleHelp: help.toggle,
    toggleDock,
    toggleFullScreen: hasFullScreen() ? toggleFullScreen : null,
  });
  const card = createCard(store);
  root.replaceChildren(header, stage.element, card, dock.splitter, dock.element, timeline.element, help.element);

  const chooseView = (view: SceneView): void => applyView(store, player, stage.view, view);
  stage.element.append(createViewButtons(store, chooseView) ?? "");

  initKeyboard({
    store,
    player,
    chooseView: (index) => viewsOf(store)[index] && chooseView(viewsOf(store)[index]!),
    look: (view) => stage.view?.look(view),
    frame: () => stage.view?.frame(),
    savePicture: () => stage.capture?.savePicture(),
    togglePanels: toggleDock,
    toggleFullScreen,
    isPointerInScene: () => stage.element.matches(":hover"),
    toggleTheme: changeTheme,
    toggleHelp: help.toggle,
    // One thing at a time: what lies on top goes first.
    escape: () => void (help.close() || stage.menu.close() || (store.selected && store.select(null))),
  });

  watchSize(stage.element, () => stage.view?.resize());
  watchSize(dock.element, () => dock.resize());
  watchSize(timeline.element, () => timeline.resize());
  const [first] = viewsOf(store);
  if (first) applyView(store, player, stage.view, first, true);
  followAddress(store, (view) => applyView(store, player, stage.view, view, true));
  window.addEventListener("hashchange", () => followAddress(store, chooseView));
  return stage.view;
}

const hasFullScreen = (): boolean => document.fullscreenEnabled === true;

// A browser may refuse, in a frame of a notebook for instance.
function toggleFullScreen(): void {
  if (!hasFullScreen()) return;
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  change.catch(() => undefined);
}

function watchSize(element: HTMLElement, resize: () => void): void {
  resize();
  new ResizeObserver(resize).observe(element);
}
