// Pairs of bodies that touched, hardest first. A click on the peak goes to its time.
import { el, setUserText } from "../dom";
import type { Pair, Run } from "../format";
import { formatCount, formatNumber, formatShort } from "../numbers";
import type { Store } from "../store";
import { keepScrollKeys, note, section } from "./dom";
import { twoNames } from "./names";

const most = 200; // rows

interface Column {
  title: string;
  hint: string;
  unit: string;
  value(pair: Pair): number;
  time?(pair: Pair): number; // [s] where a click goes
}

const columns: Column[] = [
  {
    title: "peak",
    hint: "largest force between the two; a click goes to its time",
    unit: "N",
    value: (pair) => pair.peak_force,
    time: (pair) => pair.peak_at,
  },
  { title: "impulse", hint: "integral of the normal force over time", unit: "N\u00b7s", value: (pair) => pair.impulse },
  { title: "deepest", hint: "deepest penetration", unit: "m", value: (pair) => pair.penetration },
  {
    title: "touch",
    hint: "time of the first touch; a click goes there",
    unit: "s",
    value: (pair) => pair.first_touch,
    time: (pair) => pair.first_touch,
  },
  { title: "in contact", hint: "time in contact", unit: "s", value: (pair) => pair.in_contact },
];

function originOf({ pairs_from: from }: Run): string {
  return from === "frames" ? "of recorded frames only: shorter touches are not seen" : "of all steps";
}

// Without a contact in any frame the scene looks as if nothing had touched. Frames that were left out of the page are not
// known here.
function missedBy({ pairs, contacts, frames }: Run): HTMLElement | null {
  if (pairs.length === 0 || contacts === null || contacts.total > 0) return null;
  const where = frames.shown < frames.total ? "frame in this page" : "recorded frame";
  return note(`No ${where} holds a contact: they are shorter than the time between frames.`, "p-thinned");
}

// Columns out of sight are easily taken for none.
function sidewaysHint(wrapper: HTMLElement): HTMLElement {
  const hint = note("Scroll the table sideways for the other columns \u2192", "p-sideways");
  const update = (): void => {
    const beyond = wrapper.scrollWidth - wrapper.clientWidth;
    hint.hidden = beyond <= 1;
    wrapper.classList.toggle("p-more", wrapper.scrollLeft < beyond - 1);
  };
  hint.hidden = true;
  wrapper.addEventListener("scroll", update, { passive: true });
  new ResizeObserver(update).observe(wrapper);
  return hint;
}

export function pairTable(store: Store, run: number): HTMLElement {
  const { pairs, pairs_total: total, pairs_from: from } = store.runs[run]!;
  const nothing = from === "frames" ? "Nothing touched in the recorded frames." : "Nothing touched.";
  if (pairs.length === 0) return section("Pairs", [], note(nothing, "p-empty"));
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, "bodies"),
    ...columns.map(({ title, hint, unit }) =>
      el("th", { scope: "col", class: "p-right", title: hint }, title, el("span", { class: "p-unit" }, unit)),
    ),
  );
  const rows = pairs.slice(0, most).map((pair) => pairRow(store, run, pair));
  const table = el("table", { class: "p-table p-pairs" }, el("thead", {}, head), el("tbody", {}, ...rows));
  const wrapper = el(
    "div",
    { class: "p-scroll", tabindex: 0, role: "region", "aria-label": "pairs of bodies that touched" },
    table,
  );
  keepScrollKeys(wrapper);
  const shown = Math.min(pairs.length, most);
  const rest = total > shown ? note(`The ${shown} hardest of ${formatCount(total, "pair")} are listed.`) : null;
  const aside = el("span", { class: "p-muted" }, formatCount(total, "pair"));
  const made = section("Pairs", [aside], wrapper, sidewaysHint(wrapper), rest, missedBy(store.runs[run]!));
  const heading = made.querySelector("h3");
  heading?.classList.add("p-with-origin");
  heading?.append(el("span", { class: "p-origin" }, originOf(store.runs[run]!)));
  return made;
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
  const time = column.time?.(pair);
  if (time === undefined) return el("td", { class: "p-num" }, text);
  const title = `Go to t = ${formatNumber(time)} s`;
  const jump = el(
    "button",
    { type: "button", class: "p-link", title, onclick: () => store.setTime(time) },
    text,
  );
  return el("td", { class: "p-num" }, jump);
}
