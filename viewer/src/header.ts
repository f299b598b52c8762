// The top of the page: what was run, how it ended, by which method; theme and help.
import { el, icon, iconButton, shortened, userText } from "./dom";
import { findingsOf, mood } from "./findings";
import type { Run } from "./format";
import { runVariable } from "./palette";
import type { Store } from "./store";

// "failed: why" is long: the badge has the first word, its hint all of it.
function statusBadge(run: Run): HTMLElement {
  const status = typeof run.summary?.["status"] === "string" ? (run.summary["status"] as string) : "";
  const word = status === "" ? "not ended" : status.split(":")[0]!;
  const tone = word === "done" ? "good" : word === "failed" ? "bad" : "warn";
  const title = status === "" ? "The run had not ended when this page was written" : `status: ${shortened(status)}`;
  return el("span", { class: `badge ${tone}`, text: shortened(word, 24), title });
}

// The gravest finding; none where there is nothing grave.
function trustBadge(run: Run): HTMLElement[] {
  const [gravest] = findingsOf(run);
  if (!gravest || gravest.severity === "note") return [];
  const text = gravest.severity === "wrong" ? "not to be trusted" : "warning";
  return [el("span", { class: `badge ${mood[gravest.severity]}`, text, title: shortened(gravest.text, 400) })];
}

function runChip(store: Store, run: number): HTMLElement {
  const { label } = store.runs[run]!;
  const swatch = el("i", { class: "swatch", style: `background: var(${runVariable(run)})` });
  return el("span", { class: "chip" }, swatch, userText(label), statusBadge(store.runs[run]!), ...trustBadge(store.runs[run]!));
}

function facts(store: Store): HTMLElement[] {
  const [run] = store.runs;
  if (!run) return [];
  if (run.modes) return [el("span", { class: "chip", text: `${run.modes.total} shapes` })];
  if (store.runs.length > 1) return store.runs.map((_, index) => runChip(store, index));
  const method = el("span", { class: "chip", title: "contact method" }, "method ", userText(run.method));
  return [statusBadge(run), ...trustBadge(run), method];
}

interface HeaderActions {
  toggleTheme(): void;
  toggleHelp(): void;
  toggleDock(): void;
  toggleFullScreen: (() => void) | null; // null: this browser has none
}

export function createHeader(store: Store, actions: HeaderActions): HTMLElement {
  const { title } = store.data.report;
  return el(
    "header",
    { class: "header" },
    el("span", { class: "brand", title: `carom ${shortened(store.data.report.carom, 40)}` }, icon("cube"), el("span", { text: "carom" })),
    el("h1", {}, userText(title)),
    el("div", { class: "facts" }, ...facts(store)),
    el(
      "div",
      { class: "header-buttons" },
      iconButton("dock", "Show or hide the panels (D, Tab)", actions.toggleDock, "dock-toggle"),
      actions.toggleFullScreen ? iconButton("screen", "Over the whole screen (O)", actions.toggleFullScreen, "screen-toggle") : null,
      iconButton("theme", "Light or dark (T)", actions.toggleTheme),
      iconButton("help", "Keys and help (?)", actions.toggleHelp),
    ),
  );
}
