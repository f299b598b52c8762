// The page of a study: what came of its runs, drawn in several ways that share one choice of columns, one brush and one run.
import type { Data } from "../decode";
import { el, icon, iconButton, userText } from "../dom";
import type { StudyReport } from "../format";
import { followTheme, preferredTheme, turnTheme } from "../theme";
import { statusNames, Study, type Column } from "./data";
import { parallel } from "./parallel";
import { heatMap, histogram, map, probability, scatter } from "./plots";
import { rowCard, table } from "./table";

function chooser(label: string, columns: Column[], now: Column, choose: (column: Column) => void): HTMLElement {
  const select = el("select", { "aria-label": label }, ...columns.map((c, k) => el("option", { value: k, text: c.name, selected: c === now })));
  select.addEventListener("change", () => choose(columns[Number(select.value)]!));
  return el("label", {}, el("span", { text: label }), select);
}

function choosers(study: Study): HTMLElement {
  const varied = study.columns.filter((c) => c.varied);
  const measured = study.columns.filter((c) => !c.varied);
  const set = (key: "measure" | "x" | "y") => (column: Column): void => {
    study[key] = column;
    study.changed();
  };
  return el("div", { class: "study-choosers" }, chooser("measure", measured, study.measure, set("measure")),
    chooser("across", varied, study.x, set("x")), chooser("up (map)", varied, study.y, set("y")));
}

function counts(study: Study): HTMLElement[] {
  const tones = ["warn", "good", "bad", "warn", "warn", "bad"];
  return statusNames.flatMap((name, status) => {
    const count = Array.prototype.filter.call(study.status, (s: number) => s === status).length;
    return count === 0 ? [] : [el("span", { class: `badge ${tones[status]}`, text: `${count} ${name}` })];
  });
}

function header(study: Study, title: string, redraw: () => void): HTMLElement {
  const turn = (): void => {
    turnTheme();
    redraw();
  };
  return el("header", { class: "header" }, el("span", { class: "brand" }, icon("cube"), el("span", { text: "carom" })), el("h1", {}, userText(title)),
    el("div", { class: "facts" }, el("span", { class: "chip", text: study.report.sampling }), ...counts(study)),
    el("div", { class: "header-buttons" }, iconButton("theme", "Light or dark", turn)));
}

// A line too long for the screen goes on further in than it began.
function line(text: string): HTMLElement {
  const words = text.trimStart();
  return el("div", { style: `--indent: ${text.length - words.length}ch`, text: words });
}

function summary(study: Study): HTMLElement {
  const { total } = study.report;
  const thinned = total > study.count ? `${study.count} of ${total} runs are drawn; the statistics here are of all.` : "";
  return el("section", { class: "study-card study-wide-card" }, el("h2", { text: "What came of it" }), el("pre", { class: "study-summary", tabindex: 0 }, ...study.report.summary.trimEnd().split("\n").map(line)),
    thinned === "" ? null : el("p", { class: "study-note", text: thinned }));
}

export function createStudy(root: HTMLElement, title: string, report: StudyReport, data: Data): void {
  const study = new Study(report, data);
  const grid = report.sampling === "grid";
  const plots = [scatter(study), histogram(study), map(study), ...(grid ? [heatMap(study)] : []),
    ...study.columns.filter((c) => c.curve && c.curve.runs.length > 0).map((c) => probability(c))];
  const lines = parallel(study);
  const rows = table(study);
  const card = rowCard(study);
  lines.element.classList.add("study-wide-card");
  const parts = [...plots, lines, rows, card];
  let asked = false;
  const redraw = (): void => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      for (const part of parts) part.draw();
    });
  };
  document.documentElement.dataset["theme"] = preferredTheme();
  root.replaceChildren(el("div", { class: "study" }, header(study, title, redraw),
    el("main", { class: "study-main" }, summary(study), choosers(study), ...plots.map((p) => p.element), card.element, lines.element, rows.element)));
  study.onChange(redraw);
  followTheme(redraw);
  new ResizeObserver(redraw).observe(root);
  for (const part of parts) part.draw();
}
