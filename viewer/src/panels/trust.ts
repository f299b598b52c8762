// The panel of findings: what a balance cannot see, each with a place, a number, a time and a remedy. It is there only
// where there is something to say.
import { el } from "../dom";
import { findingsOf, mood, type Finding } from "../findings";
import { formatCount, formatNumber } from "../numbers";
import type { Panel, PanelView } from "../panel";
import type { Store } from "../store";
import { note } from "./dom";
import { openRunPanel, type RunSwitch } from "./run_switch";

export const trustPanel: Panel = {
  id: "trust",
  title: "Trust",
  available: (store) => store.runs.some((run) => findingsOf(run).length > 0),
  create: (store, root) => new TrustView(store, root),
};

function when({ count, first }: Finding): string {
  const begin = first === null ? "" : ` at t = ${formatNumber(first)} s`;
  return count > 1 ? `${formatCount(count, "time")}, first${begin}` : `once,${begin}`;
}

function card(found: Finding): HTMLElement {
  return el(
    "li",
    { class: `p-finding p-${mood[found.severity]}` },
    el("strong", {}, `${found.severity}: ${found.name.replaceAll("-", " ")}`),
    el("bdi", { class: "p-finding-text" }, found.text),
    el("span", { class: "p-finding-when" }, when(found)),
    el("bdi", { class: "p-finding-remedy" }, found.remedy),
  );
}

class TrustView implements PanelView {
  private readonly body = el("div", { class: "p-trust" });
  private readonly runs: RunSwitch;

  constructor(
    private readonly store: Store,
    root: HTMLElement,
  ) {
    this.runs = openRunPanel(store, root, this.body, () => this.rebuild());
    this.rebuild();
  }

  resize(): void {
    // text flows by itself
  }

  private rebuild(): void {
    const found = findingsOf(this.store.runs[this.runs.run]);
    const intro = found.length > 0 ? "What the account of energy cannot see:" : "Nothing was found in this run.";
    this.body.replaceChildren(note(intro), el("ul", { class: "p-findings" }, ...found.map(card)));
  }
}
