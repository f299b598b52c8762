// Pairs of bodies that touched, hardest first. A click on the peak goes to its time.
import { el, setUserText } from "../dom";
import type { Pair } from "../format";
import { formatCount, formatShort } from "../numbers";
import type { Store } from "../store";
import { keepScrollKeys, note, section } from "./dom";
import { twoNames } from "./names";

const most = 200; // rows

interface Column {
  title: string;
  hint: string;
  unit: string;
  value(pair: Pair): number;
}

const columns: Column[] = [
  { title: "peak", hint: "largest force between the two", unit: "N", value: (pair) => pair.peak_force },
  { title: "at", hint: "time of the largest force", unit: "s", value: (pair) => pair.peak_at },
  { title: "impulse", hint: "integral of the normal force over time", unit: "N\u00b7s", value: (pair) => pair.impulse },
  { title: "deepest", hint: "deepest penetration", unit: "m", value: (pair) => pair.penetration },
  { title: "touch", hint: "time of the first touch", unit: "s", value: (pair) => pair.first_touch },
  { title: "in contact", hint: "time in contact", unit: "s", value: (pair) => pair.in_contact },
];

export function pairTable(store: Store, run: number): HTMLElement {
  const { pairs, pairs_total: total } = store.runs[run]!;
  if (pairs.length === 0) return section("Pairs", [], note("Nothing touched in the recorded frames.", "p-empty"));
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, "bodies"),
    ...columns.map(({ title, hint, unit }) =>
      el("th", { scope: "col", class: "p-right", title: hint }, title, el("span", { class: "p-unit" }, unit)),
    ),
  );
  const rows = pairs.slice(0, most).map((pair) => pairRow(store, run, pair));
  const table = el("table", { class: "p-table" }, el("thead", {}, head), el("tbody", {}, ...rows));
  const wrapper = el(
    "div",
    { class: "p-scroll", tabindex: 0, role: "region", "aria-label": "pairs of bodies that touched" },
    table,
  );
  keepScrollKeys(wrapper);
  const shown = Math.min(pairs.length, most);
  const rest = total > shown ? note(`The ${shown} hardest of ${formatCount(total, "pair")} are listed.`) : null;
  return section("Pairs", [el("span", { class: "p-muted" }, formatCount(total, "pair"))], wrapper, rest);
}

function pairRow(store: Store, run: number, pair: Pair): HTMLElement {
  const names = twoNames();
  setUserText(names.a, store.bodyName(run, pair.a));
  setUserText(names.b, store.bodyName(run, pair.b));
  const cells = columns.map((column) => cellOf(store, column, pair));
  return el("tr", {}, el("th", { scope: "row" }, names.element), ...cells);
}

function cellOf(store: Store, column: Column, pair: Pair): HTMLElement {
  const text = formatShort(column.value(pair));
  if (column.unit !== "s" || column.title === "in contact") return el("td", { class: "p-num" }, text);
  const jump = el(
    "button",
    { type: "button", class: "p-link", title: "Go to this time", onclick: () => store.setTime(column.value(pair)) },
    text,
  );
  return el("td", { class: "p-num" }, jump);
}
