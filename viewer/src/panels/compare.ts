// The panel of a comparison: final states, energies, forces and times of the runs side by side, with differences.
import { el, setText, userText } from "../dom";
import { formatCount, formatDifference, formatNumber, formatPercent, formatShort, formatUnit } from "../numbers";
import { runColor } from "../palette";
import type { Panel } from "../panel";
import type { Store } from "../store";
import { comparisonCsv, differenceOf, differs, scaleKey, scalesOf, type Difference, type Row } from "./compare_data";
import { button, chip, copyText, keepScrollKeys, note, searchBox, toggle } from "./dom";
import { saveText } from "./plot_save";

const most = 1500; // rows drawn at once

export const comparePanel: Panel = {
  id: "compare",
  title: "Compare",
  available: (store) => store.runs.length > 1,
  create: (store, root) => {
    new CompareView(store, root);
    return {};
  },
};

class CompareView {
  private readonly rows: Row[];
  private readonly scales: Map<string, number>;
  private readonly labels: string[];
  private readonly table = el("div", {
    class: "p-scroll p-compare",
    tabindex: 0,
    role: "region",
    "aria-label": "comparison of the runs",
  });
  private readonly count = el("span", { class: "p-muted", role: "status" });
  private onlyDifferences = false;
  private query = "";

  constructor(
    private readonly store: Store,
    root: HTMLElement,
  ) {
    this.rows = store.data.report.comparison?.rows ?? [];
    this.scales = scalesOf(this.rows);
    this.labels = store.runs.map((run) => run.label);
    root.classList.add("panel");
    keepScrollKeys(this.table);
    root.append(this.toolbar(), this.table, this.legend());
    this.rebuild();
  }

  private toolbar(): HTMLElement {
    const filter = searchBox("Filter rows", (text) => {
      this.query = text.trim().toLowerCase();
      this.rebuild();
    });
    const only = toggle("Only differences", "Hide rows in which all runs agree", false, (on) => {
      this.onlyDifferences = on;
      this.rebuild();
    });
    const copy = button(
      "Copy CSV",
      "Copy the table as CSV",
      () => void copyText(comparisonCsv(this.shown(), this.labels), copy),
    );
    const save = button("Save CSV", "Save the table as CSV", () =>
      saveText(comparisonCsv(this.shown(), this.labels), "csv", [this.store.runs[0]?.name ?? "", "comparison"]),
    );
    return el(
      "div",
      { class: "p-bar", role: "toolbar", "aria-label": "comparison" },
      filter,
      only.element,
      copy,
      save,
      this.count,
    );
  }

  private legend(): HTMLElement {
    const reference = el("span", {}, "Differences are against ", userText(this.labels[0] ?? "", "p-strong"), ": ");
    const steps = (
      [
        ["more than 10 %", 3],
        ["more than 1 %", 2],
      ] as const
    ).map(([text, weight]) => el("span", { class: `p-key p-w${weight}` }, text));
    return el("p", { class: "p-note" }, reference, ...steps);
  }

  private shown(): Row[] {
    return this.rows.filter((row) => {
      if (this.query !== "" && !`${row.group} ${row.name} ${row.unit}`.toLowerCase().includes(this.query)) return false;
      return !this.onlyDifferences || differs(row, this.scales.get(scaleKey(row)) ?? 0);
    });
  }

  private rebuild(): void {
    const rows = this.shown();
    setText(this.count, formatCount(rows.length, "row"));
    if (rows.length === 0) {
      this.table.replaceChildren(
        note(this.rows.length === 0 ? "There is nothing to compare." : "No row matches.", "p-empty"),
      );
      return;
    }
    const table = el("table", { class: "p-table" }, el("thead", {}, this.header()));
    for (const [group, members] of byGroup(rows.slice(0, most))) table.append(this.groupBody(group, members));
    this.table.replaceChildren(table);
    if (rows.length > most)
      this.table.append(note(`The first ${formatNumber(most)} rows are shown; the filter finds the others.`));
  }

  private header(): HTMLElement {
    const cells = this.labels.flatMap((label, k) => {
      const run = el(
        "th",
        { scope: "col", class: "p-right p-delta" },
        el("span", { class: "p-run" }, chip(runColor(k)), userText(label)),
      );
      if (k === 0) return [run];
      return [
        run,
        el("th", { scope: "col", class: "p-right", title: "difference from the first, relative and absolute" }, "\u0394"),
      ];
    });
    return el("tr", {}, el("th", { scope: "col" }, "quantity"), ...cells);
  }

  private groupBody(group: string, rows: Row[]): HTMLElement {
    const columns = 1 + this.labels.length + (this.labels.length - 1);
    const heading = el(
      "tr",
      { class: "p-group-row" },
      el("th", { scope: "rowgroup", colspan: columns }, userText(group)),
    );
    return el("tbody", {}, heading, ...rows.map((row) => this.row(row)));
  }

  private row(row: Row): HTMLElement {
    const scale = this.scales.get(scaleKey(row)) ?? 0;
    const cells = this.labels.flatMap((_, k) => [
      valueCell(row, k),
      ...(k === 0 ? [] : [differenceCell(differenceOf(row, k, scale))]),
    ]);
    const name = el(
      "span",
      { class: "p-quantity" },
      userText(row.name),
      el("span", { class: "p-unit" }, formatUnit(row.unit)),
    );
    return el("tr", {}, el("th", { scope: "row" }, name), ...cells);
  }
}

function byGroup(rows: Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const members = groups.get(row.group) ?? [];
    members.push(row);
    groups.set(row.group, members);
  }
  return groups;
}

function valueCell(row: Row, run: number): HTMLElement {
  const value = row.values[run] ?? null;
  return el(
    "td",
    { class: "p-num p-delta", "data-run": run, "data-value": value === null ? "" : String(value) },
    formatShort(value),
  );
}

// Relative above absolute: side by side they would not fit beside the scene.
function differenceCell({ absolute, relative, weight }: Difference): HTMLElement {
  const className = `p-num p-w${weight}${weight === 0 ? " p-faint" : ""}`;
  if (absolute === null) return el("td", { class: className }, "");
  if (absolute === 0) return el("td", { class: className }, "=");
  const share = relative === null ? null : el("div", {}, relativeText(relative));
  return el("td", { class: className }, share, el("div", { class: "p-absolute" }, formatDifference(absolute)));
}

// Up to ten times as percent, beyond as a factor.
function relativeText(relative: number): string {
  if (Math.abs(relative) >= 10) return `\u00d7\u00a0${formatNumber(1 + relative, { digits: 3 })}`;
  return (relative > 0 ? "+" : "") + formatPercent(relative);
}
