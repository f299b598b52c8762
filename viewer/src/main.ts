// Starts the page: unpacks the data, builds the shell, and says when the first picture stands.
import { decode, type Data } from "./decode";
import { fieldRanges, type Range } from "./deformation";
import { initDeformation } from "./deformation_choice";
import { el } from "./dom";
import { initDrop } from "./drop";
import { createFrameLoop } from "./frameloop";
import { showMode } from "./modes";
import { createShell } from "./shell";
import { Store } from "./store";
import type { DrawnVertices } from "./scene/deforming";
import { createStudy } from "./study/study";
import { initTheme, preferredTheme } from "./theme";

declare global {
  interface Window {
    carom?: Handle;
  }
}

// For tests and for the curious at the console.
interface Handle {
  store: Store;
  ready: Promise<void>;
  fps(): number;
  view: {
    project(run: number, body: number): { x: number; y: number; visible: boolean };
    vertices(run: number, body: number): DrawnVertices | null; // of a body that deforms, as they are drawn
    range(field: string): Range | null; // of its colours
  };
}

function showError(root: HTMLElement, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  root.replaceChildren(
    el(
      "div",
      { class: "fatal", role: "alert" },
      el("h1", { text: "The results in this page cannot be read" }),
      el("p", { text: reason }),
      el("p", { text: "Write the page again with: carom view RESULT" }),
    ),
  );
}

// Errors of the browser's own unpacking speak of fetching and of strings: they say nothing to a reader of the page.
async function read(text: string): Promise<Data> {
  try {
    return await decode(text);
  } catch (error) {
    const isOwn = error instanceof Error && error.message.startsWith("the page");
    throw isOwn ? error : new Error(`Its data are damaged or incomplete (${String(error)}).`);
  }
}

async function start(root: HTMLElement): Promise<void> {
  const element = document.getElementById("carom-data");
  const text = element?.textContent ?? "";
  element?.remove(); // the text is large, and unpacked it is needed no more
  const data = await read(text);
  if (data.report.study) {
    document.title = `${data.report.title.slice(0, 100)} – carom`;
    createStudy(root, data.report.title, data.report.study, data);
    document.documentElement.dataset["ready"] = "true";
    return;
  }
  if (data.report.runs.length === 0) throw new Error("the page holds no run");
  const store = new Store(data);
  document.title = store.data.report.title ? `${store.data.report.title.slice(0, 100)} – carom` : "carom";
  initTheme(store);
  initDeformation(store);
  let draw = (): void => undefined;
  const loop = createFrameLoop(() => draw());
  const view = createShell(store, root, loop);
  const ready = view?.drawn ?? Promise.resolve();
  const nowhere = { x: 0, y: 0, visible: false };
  const project = (run: number, body: number): typeof nowhere => view?.project(run, body) ?? nowhere;
  const vertices = (run: number, body: number): DrawnVertices | null => view?.vertices(run, body) ?? null;
  window.carom = { store, ready, fps: () => loop.fps(), view: { project, vertices, range: (field) => fieldRanges(store).get(field) ?? null } };
  if (view) draw = view.draw;
  showMode(store, 0);
  loop.invalidate();
  await ready;
  document.documentElement.dataset["ready"] = "true";
}

document.documentElement.dataset["theme"] = preferredTheme();
const root = document.getElementById("app")!;
initDrop();
start(root).catch((error: unknown) => {
  console.error(error);
  showError(root, error);
});
