// In a comparison: which run a panel shows. Nothing is drawn for a report of one run.
import { el, userText } from "../dom";
import { runColor } from "../palette";
import type { Store } from "../store";
import { chip } from "./dom";

export class RunSwitch {
  readonly element: HTMLElement;
  run = 0;
  private readonly buttons: HTMLButtonElement[];

  constructor(
    store: Store,
    private readonly onChange: (run: number) => void,
  ) {
    this.buttons = store.runs.map((run, k) => {
      const item = el("button", { type: "button", class: "p-button p-toggle", onclick: () => this.set(k) });
      item.append(chip(runColor(k)), userText(run.label));
      return item;
    });
    this.element = el("div", { class: "p-runs", role: "group", "aria-label": "run shown here" }, ...this.buttons);
    this.element.hidden = store.runs.length < 2;
    this.mark();
  }

  set(run: number): void {
    if (run === this.run) return;
    this.run = run;
    this.mark();
    this.onChange(run);
  }

  private mark(): void {
    this.buttons.forEach((item, k) => item.setAttribute("aria-pressed", String(k === this.run)));
  }
}

// A panel with one body that shows one run: the switch above it, and `rebuild` whenever another run is chosen.
export function openRunPanel(store: Store, root: HTMLElement, body: HTMLElement, rebuild: () => void): RunSwitch {
  const runs = new RunSwitch(store, rebuild);
  root.classList.add("panel");
  root.append(runs.element, body);
  return runs;
}
