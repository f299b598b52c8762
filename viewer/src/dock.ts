// The panels beside (on a phone: below) the 3D scene: tabs, and a splitter that gives them more or less room.
import { el } from "./dom";
import type { Panel, PanelView } from "./panel";
import type { Store } from "./store";

interface Dock {
  element: HTMLElement;
  splitter: HTMLElement;
  resize(): void;
  toggle(): void;
}

interface Tab {
  panel: Panel;
  button: HTMLButtonElement;
  root: HTMLElement;
  view: PanelView | null; // null: not shown yet
}

function createTab(panel: Panel): Tab {
  const button = el("button", {
    type: "button", role: "tab", id: `tab-${panel.id}`, class: "tab", text: panel.title, tabindex: "-1",
    "aria-controls": `panel-${panel.id}`, "aria-selected": "false",
  });
  const root = el("div", {
    role: "tabpanel", id: `panel-${panel.id}`, class: "panel", "aria-labelledby": `tab-${panel.id}`, hidden: "",
  });
  return { panel, button, root, view: null };
}

// A panel that breaks must not take the page with it.
function createView(store: Store, tab: Tab): PanelView {
  try {
    return tab.panel.create(store, tab.root);
  } catch (error) {
    const text = `This panel cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
    tab.root.replaceChildren(el("p", { class: "panel-error", text }));
    console.error(error);
    return {};
  }
}

export function createDock(store: Store, panels: Panel[]): Dock {
  const tabs = panels.filter((panel) => panel.available(store)).map(createTab);
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Panels" }, ...tabs.map(({ button }) => button));
  const body = el("div", { class: "panels" }, ...tabs.map(({ root }) => root));
  const element = el("aside", { class: "dock", "aria-label": "Panels" }, list, body);
  let open: Tab | null = null;

  const show = (tab: Tab): void => {
    for (const other of tabs) {
      const isOpen = other === tab;
      other.root.hidden = !isOpen;
      other.button.tabIndex = isOpen ? 0 : -1;
      other.button.setAttribute("aria-selected", String(isOpen));
    }
    open = tab;
    tab.view ??= createView(store, tab);
    tab.view.resize?.();
    tab.button.scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  const move = (event: KeyboardEvent): void => {
    const at = open ? tabs.indexOf(open) : 0;
    const steps: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length]!;
    show(tab);
    tab.button.focus();
  };

  for (const tab of tabs) tab.button.addEventListener("click", () => show(tab));
  list.addEventListener("keydown", move);
  const splitter = createSplitter(element);
  return {
    element,
    splitter,
    resize() {
      if (open) open.view?.resize?.();
      else if (tabs[0] && element.clientWidth > 0) show(tabs[0]);
    },
    toggle() {
      element.hidden = !element.hidden;
      splitter.hidden = element.hidden;
    },
  };
}

// The width of the dock is a CSS variable, so that the style sheet can bound it.
function createSplitter(dock: HTMLElement): HTMLElement {
  const attributes = { class: "splitter", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": "Width of the panels" };
  const splitter = el("div", attributes);
  const setWidth = (width: number): void => {
    const bounded = Math.round(Math.min(Math.max(width, 260), innerWidth - 300));
    document.documentElement.style.setProperty("--dock-width", `${bounded}px`);
  };
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  splitter.addEventListener("pointermove", (event) => {
    if (splitter.hasPointerCapture(event.pointerId)) setWidth(innerWidth - event.clientX);
  });
  splitter.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowLeft" ? 24 : event.key === "ArrowRight" ? -24 : 0;
    if (by === 0) return;
    event.preventDefault();
    setWidth(dock.clientWidth + by);
  });
  return splitter;
}
