// What a tab of the dock is. The shell (dock.ts) makes the tabs; each panel fills its own root and follows the store.
import type { Store } from "./store";

export interface PanelView {
  resize?(): void; // called when the root has got another size, and when the panel becomes visible
}

export interface Panel {
  id: string; // short, for element ids
  title: string; // on the tab
  available(store: Store): boolean; // false: no tab
  create(store: Store, root: HTMLElement): PanelView; // called when the tab is first shown
}

// Panels only work while they can be seen: the shell hides the root of every tab but the open one.
export function isVisible(root: HTMLElement): boolean {
  return !root.hidden && root.closest("[hidden]") === null;
}
