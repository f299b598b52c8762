// The panel of plots: charts of chosen signals, one per unit, all on one time axis, tied to the clock of the page.
import { el, setText, userText } from "../dom";
import { formatCount, formatNumber } from "../numbers";
import { eventColor } from "../palette";
import type { Panel, PanelView } from "../panel";
import type { Store } from "../store";
import { button, note } from "./dom";
import { follow } from "./live";
import { PlotCard, type CardStyle } from "./plot_card";
import { sharedAxis, type TimeAxis } from "./plot_data";
import { Picker } from "./plot_picker";
import { chooseSignals, quickPlots } from "./quick_plots";
import { largestMagnitude, signalIndex, type SignalIndex } from "./signals";
import { unitAfter, unitsFor } from "./units";

const mostDefaults = 8; // signals at the start
const mostDefaultCharts = 4;
const leastShare = 1e-18; // of the largest value with the same unit: what is smaller is the rounding of a rounding
const plain: CardStyle = { log: false, calculation: "signal", isWhole: false };

export const plotsPanel: Panel = {
  id: "plots",
  title: "Plots",
  available: (store) => store.runs.some((run) => run.signals.list.length > 0),
  create: (store, root) => new PlotsView(store, root),
};

// The first signals that the scene records, of few units; energies where it records none.
function defaultSignals(index: SignalIndex): string[] {
  const units = new Set<string>();
  const names: string[] = [];
  for (const { name, unit, group } of index.choices) {
    if (group !== "recorded" || names.length >= mostDefaults) continue;
    if (!units.has(unit) && units.size >= mostDefaultCharts) continue;
    units.add(unit);
    names.push(name);
  }
  if (names.length > 0) return names;
  const energies = ["energy.kinetic", "energy.potential", "energy.elastic", "energy.total"].filter((name) =>
    index.has(name),
  );
  return energies.length > 0 ? energies : index.choices.slice(0, 3).map((choice) => choice.name);
}

class PlotsView implements PanelView {
  private readonly index: SignalIndex;
  private readonly axis: TimeAxis;
  private readonly picker: Picker;
  private readonly charts = el("div", { class: "p-charts" });
  private readonly quick = el("div", { class: "p-quick" });
  private readonly chooser: HTMLButtonElement;
  private readonly resetButton: HTMLButtonElement;
  private readonly share = el("span", { class: "p-muted p-share", role: "status" });
  private readonly marks: { time: number; color: string }[];
  private readonly styles = new Map<string, CardStyle>(); // of charts, by the unit of their signals
  private readonly units = new Map<string, string>(); // chosen ones by those of SI
  private readonly asks: (() => void)[];
  private cards: PlotCard[] = [];
  private range: [number, number] | null = null;
  private drawn = ""; // signals and runs of the present cards

  constructor(
    private readonly store: Store,
    private readonly root: HTMLElement,
  ) {
    this.index = signalIndex(store);
    this.axis = sharedAxis(store, this.index);
    this.marks = (store.runs[0]?.events ?? []).map((event) => ({ time: event.t, color: eventColor(event.kind) }));
    if (store.signals.length === 0) store.signals = defaultSignals(this.index);
    this.picker = new Picker(
      this.index,
      (name) => store.signals.includes(name),
      (name, on) => this.choose([name], on),
    );
    this.chooser = button("Signals\u2026", "Choose the signals to plot", () =>
      this.openPicker(this.picker.element.hidden === true),
    );
    this.chooser.classList.add("p-primary");
    this.picker.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      this.openPicker(false);
      this.chooser.focus({ preventScroll: true });
    });
    this.resetButton = button("Whole run", "Show the whole time (double click in a chart)", () => this.zoom(null));
    this.openPicker(false);
    root.classList.add("panel");
    root.append(
      ...[this.toolbar(), this.picker.element, this.quick, this.thinning(), this.charts, this.hint()].filter(
        (part) => part !== null,
      ),
    );
    this.asks = [
      follow(store, root, ["signals", "display"], () => this.rebuild()),
      follow(store, root, ["time"], () => this.update()),
      follow(store, root, ["theme"], () => this.cards.forEach((card) => card.chart.plot.redraw())),
      follow(store, root, ["select"], () => this.fillQuick()),
    ];
    this.rebuild();
    this.fillQuick();
  }

  resize(): void {
    const width = this.width();
    for (const card of this.cards) card.chart.setWidth(width);
    this.asks.forEach((ask) => ask());
  }

  private width(): number {
    return Math.max(this.charts.clientWidth - 2, 120);
  }

  private toolbar(): HTMLElement {
    const zoomIn = button("+", "Zoom in around the present time", () => this.zoomBy(0.5));
    const zoomOut = button("\u2212", "Zoom out", () => this.zoomBy(2));
    zoomIn.setAttribute("aria-label", "Zoom in");
    zoomOut.setAttribute("aria-label", "Zoom out");
    const zoom = el("span", { class: "p-join" }, zoomOut, zoomIn);
    return el(
      "div",
      { class: "p-bar", role: "toolbar", "aria-label": "plots" },
      this.chooser,
      zoom,
      this.resetButton,
      this.share,
    );
  }

  private hint(): HTMLElement {
    const text =
      "Drag in a chart to move through time; Shift + drag or Ctrl + wheel zooms, a double click shows everything.";
    return el("div", { class: "p-hint" }, note(text));
  }

  private thinning(): HTMLElement | null {
    const thinned = this.store.runs.find((run) => run.signals.every > 1);
    if (thinned === undefined) return null;
    return el(
      "p",
      { class: "p-note p-thinned p-above" },
      `Each point pair shows the extremes of ${thinned.signals.every} recorded frames.`,
    );
  }

  private openPicker(open: boolean): void {
    this.picker.element.hidden = !open;
    this.chooser.setAttribute("aria-expanded", String(open));
    if (!open) return;
    this.picker.refresh();
    this.picker.search.focus({ preventScroll: true });
  }

  private choose(names: string[], on: boolean): void {
    chooseSignals(this.store, names, on);
  }

  private zoom(range: [number, number] | null): void {
    this.range = range;
    this.resetButton.disabled = range === null;
    for (const card of this.cards) card.setRange(range);
  }

  private zoomBy(factor: number): void {
    const [from, to] = [this.axis.time[0] ?? 0, this.axis.time[this.axis.time.length - 1] ?? 1];
    const [min, max] = this.range ?? [from, to];
    const half = 0.5 * (max - min) * factor;
    const center = Math.min(Math.max(this.store.time, from + half), Math.max(to - half, from + half));
    if (2 * half >= to - from) this.zoom(null);
    else if (2 * half > 1e-7 * (to - from)) this.zoom([center - half, center + half]);
  }

  private update(): void {
    if (this.store.playing) this.turnPage();
    for (const card of this.cards) card.update();
  }

  // While playing, a zoomed stretch moves on when the time leaves it.
  private turnPage(): void {
    if (this.range === null) return;
    const [min, max] = this.range;
    const { time } = this.store;
    if (time >= min && time <= max) return;
    const last = this.axis.time[this.axis.time.length - 1] ?? time;
    const from = Math.max(Math.min(time, last - (max - min)), this.axis.time[0] ?? time);
    this.zoom([from, from + max - min]);
  }

  private fillQuick(): void {
    const { selected } = this.store;
    const name = selected === null ? undefined : this.store.runs[selected.run]?.bodies[selected.body]?.name;
    this.quick.hidden = name === undefined;
    if (name === undefined) return;
    this.quick.replaceChildren(
      el("span", { class: "p-muted" }, "Plot of"),
      userText(name, "p-strong"),
      ...quickPlots(this.store, name),
    );
  }

  private rebuild(): void {
    const key = JSON.stringify([this.store.signals, this.store.display.runs, [...this.styles], [...this.units]]);
    this.picker.refresh();
    if (key === this.drawn) return;
    this.drawn = key;
    for (const card of this.cards) card.chart.destroy();
    this.charts.replaceChildren();
    this.cards = Array.from(this.byUnit(), ([unit, names]) => this.makeCard(unit, names));
    if (this.cards.length === 0)
      this.charts.append(
        note("No signals are chosen. \u201cSignals\u2026\u201d lists what can be plotted.", "p-empty"),
      );
    this.resetButton.disabled = this.range === null;
    this.tellShare();
  }

  // A scene may record more than a page can plot at once: that the others are there must be said.
  private tellShare(): void {
    const recorded = this.index.choices.filter((choice) => choice.group === "recorded");
    const shown = recorded.filter((choice) => this.store.signals.includes(choice.name)).length;
    this.share.hidden = shown === recorded.length;
    const verb = shown === 1 ? "is" : "are";
    setText(
      this.share,
      `${formatNumber(shown)} of ${formatCount(recorded.length, "recorded signal")} ${verb} shown`,
    );
  }

  private byUnit(): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const name of this.store.signals) {
      const choice = this.index.choice(name);
      if (choice !== undefined) groups.set(choice.unit, [...(groups.get(choice.unit) ?? []), name]);
    }
    return groups;
  }

  private makeCard(unit: string, names: string[]): PlotCard {
    const style = this.styles.get(unit) ?? plain;
    const units = unitsFor(unitAfter(style.calculation, unit));
    return new PlotCard(
      this.store,
      this.index,
      this.axis,
      {
        unit,
        names,
        style,
        shownUnit: units.find(({ name }) => name === this.units.get(units[0]!.name)) ?? units[0]!,
        noise: style.calculation === "signal" ? leastShare * largestMagnitude(this.store, unit) : 0,
        range: this.range,
        marks: this.marks,
        width: this.width(),
        height: this.root.clientWidth < 420 ? 150 : 170,
        onStyle: (change) => this.setStyle(unit, { ...style, ...change }),
        onUnit: (si, name) => this.setUnit(si, name),
        onRemove: (gone) => this.choose(gone, false),
        onZoom: (range) => this.zoom(range),
      },
      this.charts,
    );
  }

  private setStyle(unit: string, style: CardStyle): void {
    this.styles.set(unit, style);
    this.rebuild();
  }

  private setUnit(si: string, name: string): void {
    this.units.set(si, name);
    this.rebuild();
  }
}
