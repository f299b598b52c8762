// The panel of the ledger: the account of energy and momentum over time, and the summary of the run.
import { el } from "../dom";
import type { Panel, PanelView } from "../panel";
import type { Store } from "../store";
import { ledgerCharts } from "./ledger_charts";
import { summaryOf } from "./ledger_summary";
import { follow } from "./live";
import { openRunPanel, type RunSwitch } from "./run_switch";
import { SmallChart } from "./small_chart";

export const ledgerPanel: Panel = {
  id: "ledger",
  title: "Ledger",
  available: (store) =>
    store.runs.some(
      (run) => run.summary !== null || run.signals.list.some((signal) => signal.name.startsWith("energy.")),
    ),
  create: (store, root) => new LedgerView(store, root),
};

class LedgerView implements PanelView {
  private readonly body = el("div", { class: "p-ledger" });
  private readonly charts = el("div", { class: "p-charts" });
  private readonly runs: RunSwitch;
  private readonly ask: () => void;
  private cards: SmallChart[] = [];

  constructor(
    private readonly store: Store,
    root: HTMLElement,
  ) {
    this.runs = openRunPanel(store, root, this.body, () => this.rebuild());
    this.ask = follow(store, root, ["time"], () => this.cards.forEach((card) => card.update()));
    follow(store, root, ["theme"], () => this.cards.forEach((card) => card.chart.plot.redraw()));
    this.rebuild();
  }

  resize(): void {
    const width = this.width();
    for (const card of this.cards) card.chart.setWidth(width);
    this.cards.forEach((card) => card.chart.plot.redraw()); // the theme may have changed out of sight
    this.ask();
  }

  private width(): number {
    return Math.max(this.charts.clientWidth - 2, 120);
  }

  private rebuild(): void {
    for (const card of this.cards) card.destroy();
    this.body.replaceChildren(summaryOf(this.store, this.runs.run), this.charts);
    const width = this.width();
    this.cards = ledgerCharts(this.store, this.runs.run).map(
      (chart) => new SmallChart(this.store, this.charts, chart, width),
    );
  }
}
