// The rows as a table with search and order, and the card of the row that is looked at.
import { el } from "../dom";
import { formatNumber, formatQuantity, formatUnit } from "../numbers";
import { button, copyText, searchBox } from "../panels/dom";
import { statusNames, type Column, type Study } from "./data";

const mostRows = 300;

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

export function commandOf(study: Study, row: number): string {
  return `carom sweep ${quoted(study.report.folder)} --run ${study.runs[row]}`;
}

export function rowCard(study: Study): { element: HTMLElement; draw(): void } {
  const element = el("section", { class: "study-card study-row", "aria-live": "polite" });
  const draw = (): void => {
    const row = study.row;
    if (row === null) {
      element.replaceChildren(el("h2", { text: "A run" }), el("p", { class: "study-note", text: "Press a mark or a row of the table." }));
      return;
    }
    const command = commandOf(study, row);
    const copy: HTMLButtonElement = button("Copy", "Copy the command", () => void copyText(command, copy));
    const status = statusNames[study.status[row]!] ?? "";
    const value = (c: Column): HTMLElement => el("tr", {}, el("th", { scope: "row", text: c.name }), el("td", { text: formatQuantity(c.values[row], c.unit, { digits: 6 }) }));
    element.replaceChildren(
      el("h2", { text: `Run ${study.runs[row]}: ${status}` }),
      study.reasons.has(study.runs[row]!) ? el("p", { text: study.reasons.get(study.runs[row]!)! }) : "",
      el("table", { class: "study-values" }, el("tbody", {}, ...study.columns.map(value))),
      el("p", { class: "study-command" }, el("code", { text: command }), copy),
      el("p", { class: "study-note", text: "repeats it with everything recorded." }),
    );
  };
  return { element, draw };
}

export function table(study: Study): { element: HTMLElement; draw(): void } {
  const body = el("tbody", {});
  const told = el("p", { class: "study-note" });
  let words: string[] = [];
  let by: Column | null = null;
  let down = false;
  const textOf = (row: number): string =>
    [`run ${study.runs[row]}`, statusNames[study.status[row]!] ?? "", study.reasons.get(study.runs[row]!) ?? "", ...study.columns.map((c) => formatNumber(c.values[row]))].join(" ").toLowerCase();
  const cells = (row: number): HTMLElement[] => [
    el("td", { text: String(study.runs[row]) }),
    el("td", { text: statusNames[study.status[row]!] ?? "", title: study.reasons.get(study.runs[row]!) }),
    ...study.columns.map((c) => el("td", { text: formatNumber(c.values[row], { digits: 4 }) })),
  ];
  const draw = (): void => {
    const rows = [...Array(study.count).keys()].filter((row) => study.brushed(row) && words.every((word) => textOf(row).includes(word)));
    if (by) {
      const { values } = by;
      const key = (row: number): number => (Number.isNaN(values[row]!) ? Infinity : down ? -values[row]! : values[row]!);
      rows.sort((a, b) => key(a) - key(b) || a - b);
    }
    body.replaceChildren(...rows.slice(0, mostRows).map((row) => {
      const choose = (): void => {
        study.row = row;
        study.changed();
      };
      return el("tr", {
        class: row === study.row ? "chosen" : study.good(row) ? "" : "not-good", tabindex: 0, onclick: choose,
        onkeydown: (event) => { if ((event as KeyboardEvent).key === "Enter") choose(); },
      }, ...cells(row));
    }));
    told.textContent = `${rows.length} of ${study.count} runs${rows.length > mostRows ? `; the first ${mostRows} are shown` : ""}`;
  };
  const head = (c: Column): HTMLElement => el("th", { scope: "col" }, el("button", {
    type: "button", class: "study-sort", title: `Order by ${c.name}`,
    onclick: () => {
      down = by === c ? !down : true;
      by = c;
      draw();
    },
  }, c.unit === "" ? c.title : `${c.title} [${formatUnit(c.unit)}]`));
  const search = searchBox("Search: doubtful, run 88, a reason ...", (text) => {
    words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
    draw();
  });
  const element = el("section", { class: "study-card study-wide-card" }, el("h2", { text: "Runs" }), search, told,
    el("div", { class: "study-scroll", tabindex: 0, role: "region", "aria-label": "Runs" },
      el("table", { class: "study-table" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col", text: "run" }), el("th", { scope: "col", text: "status" }), ...study.columns.map(head))), body)));
  return { element, draw };
}
