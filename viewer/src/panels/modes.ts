// The panel of a page of modes: all shapes with their numbers; a press on one lets it swing.
import { el, userText } from "../dom";
import type { ModeList } from "../format";
import { modeAt, modeCount, showMode } from "../modes";
import { formatNumber } from "../numbers";
import type { Panel } from "../panel";
import type { Store } from "../store";
import { note, section } from "./dom";

export const modesPanel: Panel = {
  id: "modes",
  title: "Modes",
  available: (store) => modeCount(store) > 0,
  create: (store, root) => {
    new ModesView(store, root, store.runs[0]!.modes!);
    return {};
  },
};

const percent = (part: number, whole: number): string => (whole > 0 && part > 5e-4 * whole ? ((100 * part) / whole).toFixed(1) : "0");
const short = (value: number | null): string => (value === null ? "" : formatNumber(value, { digits: 4 }));

function cells(texts: string[]): HTMLElement[] {
  return texts.map((text) => el("td", { class: "p-num", text }));
}

class ModesView {
  private readonly rows: HTMLElement[];

  constructor(
    private readonly store: Store,
    root: HTMLElement,
    private readonly modes: ModeList,
  ) {
    this.rows = modes.list.map((_, k) => this.row(k));
    const hasMass = modes.list.some(({ kind }) => kind === "fixed-interface");
    const heads = ["mode", "kind", "Hz", "strain per mm", ...(hasMass ? ["x %", "y %", "z %"] : [])];
    const head = el("tr", {}, ...heads.map((text, k) => el("th", { class: k > 1 ? "p-right" : "", scope: "col", text })));
    const table = el("table", { class: "p-table p-modes" }, el("thead", {}, head), el("tbody", {}, ...this.rows));
    const left = modes.total > modes.list.length ? note(`The first ${modes.list.length} of ${modes.total} shapes.`) : null;
    const about = note("x, y, z: mass that shaking the attachments along an axis moves with the mode. Colours: strain, relative to the largest of the mode.");
    root.append(section("Shapes", [], table, left, hasMass ? about : null), this.frequencies());
    store.on("time", () => this.update());
    this.update();
  }

  private row(k: number): HTMLElement {
    const { kind, attachment, frequency, mass, strain } = this.modes.list[k]!;
    const button = el("button", { type: "button", class: "p-link", text: String(k + 1), "aria-label": `Show mode ${k + 1}` });
    const what = el("td", {}, kind, attachment ? " of " : "", attachment ? userText(attachment) : "");
    const hasMass = this.modes.list.some((mode) => mode.kind === "fixed-interface");
    const shares = hasMass ? (kind === "fixed-interface" ? mass.map((part) => percent(part ?? 0, this.modes.mass)) : ["", "", ""]) : [];
    const row = el("tr", {}, el("th", { scope: "row" }, button), what, ...cells([short(frequency), short(strain), ...shares]));
    row.addEventListener("click", () => {
      showMode(this.store, k);
      this.store.setPlaying(true);
    });
    return row;
  }

  private frequencies(): HTMLElement {
    const rows = this.modes.frequencies.map(([body, better], k) => {
      const off = body !== null && better !== null && better > 0 ? `${(100 * (body / better - 1)).toFixed(2)} %` : "";
      return el("tr", {}, el("th", { scope: "row", text: String(k + 1) }), ...cells([short(body), short(better), off]));
    });
    const heads = ["number", "body Hz", "better Hz", "off"].map((text, k) => el("th", { class: k > 0 ? "p-right" : "", scope: "col", text }));
    const table = el("table", { class: "p-table" }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows));
    return section("Frequencies of the free body", [], table, note("Better: with twice the modes, or those of the finite elements (--free)."));
  }

  private update(): void {
    const shown = modeAt(this.store);
    this.rows.forEach((row, k) => {
      if (k === shown) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
  }
}
