// Impacts with their impulses: how many of which contact mode, what they cost, and each one on two lines. A click on the
// time goes there.
import { el, setText, setUserText } from "../dom";
import { frictionOf, lastHappened, placeOf, speedsOf } from "../events";
import type { Event, EventDetails } from "../format";
import { formatCount, formatNumber, formatQuantity, formatShort } from "../numbers";
import type { Store } from "../store";
import { note, section } from "./dom";
import { twoNames } from "./names";
import { moveFocus, VirtualList, type VirtualRow } from "./virtual";

interface Impact extends Event {
  details: EventDetails;
}

function isImpact(event: Event): event is Impact {
  return event.kind === "impact" && event.details !== undefined;
}

const modeOf = ({ details }: Impact): string => details.mode || "unknown";

const lostIn = (impacts: Impact[]): number => impacts.reduce((sum, { details }) => sum + (details.energy_lost ?? NaN), 0);

const titles: [string, string, string][] = [
  ["time", "s", "p-impact-time"],
  ["between", "", "p-impact-place"],
  ["mode", "", "p-impact-mode"],
  ["normal", "N\u00b7s", ""],
  ["across", "N\u00b7s", ""],
  ["speed", "m/s", ""],
  ["lost", "J", ""],
  ["friction", "", ""],
];

export class ImpactList {
  readonly element: HTMLElement;
  private readonly list: VirtualList;
  private readonly modes = el("div", { class: "p-bar p-kinds", role: "group", "aria-label": "contact modes" });
  private readonly count = el("span", { class: "p-muted" });
  private readonly cut = note("");
  private readonly hiddenModes = new Set<string>();
  private run = 0;
  private all: Impact[] = [];
  private impacts: Impact[] = [];
  private current = -1;

  constructor(private readonly store: Store) {
    this.list = new VirtualList({
      label: "impacts",
      role: "rowgroup",
      rowRole: "row",
      rowHeight: 48,
      maxRows: 6,
      makeRow: () => this.makeRow(),
    });
    this.list.element.addEventListener("keydown", (event) => moveFocus(event, this.list.element, ".p-link"));
    const heads = titles.map(([title, unit, className]) =>
      el("span", { role: "columnheader", class: className }, title, el("span", { class: "p-unit" }, unit)),
    );
    const head = el("div", { class: "p-impact-row p-table-head", role: "row" }, ...heads);
    const table = el("div", { class: "p-grid", role: "table", "aria-label": "impacts" }, head, this.list.element);
    this.element = section("Impacts", [this.count], this.modes, table, this.cut);
  }

  setRun(run: number): void {
    this.run = run;
    const { events, events_total: total } = this.store.runs[run]!;
    this.all = events.filter(isImpact);
    this.element.hidden = this.all.length === 0;
    this.fillModes();
    this.cut.hidden = total <= events.length;
    setText(this.cut, `Those among the first ${formatNumber(events.length)} of ${formatCount(total, "event")} are listed.`);
    this.filter();
  }

  // Marks the last impact that has happened.
  update(): void {
    const at = lastHappened(this.impacts, this.store.time);
    if (at === this.current) return;
    this.current = at;
    if (at >= 0 && !this.list.element.matches(":hover, :focus-within")) this.list.scrollTo(at);
    this.list.refresh();
  }

  private filter(): void {
    this.impacts = this.all.filter((impact) => !this.hiddenModes.has(modeOf(impact)));
    this.current = -2; // so that rows are filled again whatever has happened
    const lost = lostIn(this.impacts);
    const cost = Number.isFinite(lost) ? `, ${formatQuantity(lost, "J", { digits: 4 })} lost` : "";
    setText(this.count, formatCount(this.impacts.length, "impact") + cost);
    this.list.setCount(this.impacts.length);
    this.update();
  }

  private fillModes(): void {
    const ofMode = new Map<string, Impact[]>();
    for (const impact of this.all) {
      if (!ofMode.has(modeOf(impact))) ofMode.set(modeOf(impact), []);
      ofMode.get(modeOf(impact))!.push(impact);
    }
    this.modes.replaceChildren(...Array.from(ofMode, ([mode, impacts]) => this.modeButton(mode, impacts)));
  }

  private modeButton(mode: string, impacts: Impact[]): HTMLElement {
    const item = el(
      "button",
      {
        type: "button",
        class: "p-button p-toggle",
        "aria-pressed": String(!this.hiddenModes.has(mode)),
        title: `Show or hide impacts of this mode; they lost ${formatQuantity(lostIn(impacts), "J")}`,
      },
      `${mode} `,
      el("span", { class: "p-muted" }, formatNumber(impacts.length)),
    );
    item.addEventListener("click", () => {
      if (!this.hiddenModes.delete(mode)) this.hiddenModes.add(mode);
      item.setAttribute("aria-pressed", String(!this.hiddenModes.has(mode)));
      this.filter();
    });
    return item;
  }

  private makeRow(): VirtualRow {
    let impact: Impact | undefined;
    const time = el("button", { type: "button", class: "p-link p-num", title: "Go to this time" });
    time.addEventListener("click", () => {
      if (impact !== undefined) this.store.setTime(impact.t);
    });
    const names = twoNames();
    names.element.classList.add("p-impact-place");
    names.element.setAttribute("role", "cell");
    const mode = el("span", { class: "p-impact-mode", role: "cell" });
    const cells = ["normal", "across", "speed", "lost", "friction"].map((name) =>
      el("span", { class: "p-num", role: "cell", "data-cell": name }),
    );
    const head = el("span", { class: "p-impact-time", role: "cell" }, time);
    const element = el("div", { class: "p-impact-row" }, head, names.element, mode, ...cells);
    const fill = (index: number): void => {
      impact = this.impacts[index];
      if (impact === undefined) return;
      const { details } = impact;
      const [a, b] = placeOf(this.store, this.run, impact);
      setText(time, formatNumber(impact.t, { digits: 9 }));
      setUserText(names.a, a);
      setUserText(names.b, b);
      setText(mode, details.mode);
      const texts = [
        formatShort(details.normal_impulse),
        formatShort(details.tangential_impulse),
        speedsOf(impact, details),
        formatShort(details.energy_lost),
        frictionOf(details),
      ];
      cells.forEach((cell, k) => setText(cell, texts[k]!));
      cells[2]!.title = `${speedsOf(impact, details, 6)} m/s along the normal`;
      element.classList.toggle("p-selected", index === this.current);
    };
    return { element, fill };
  }
}
