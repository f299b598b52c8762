// What happened when: touching, parting, sticking, slipping, impacts. A click goes to the time.
import { el, setText, setUserText } from "../dom";
import { lastHappened, placeOf } from "../events";
import type { Event, EventKind } from "../format";
import { formatCount, formatNumber } from "../numbers";
import { eventColor } from "../palette";
import type { Store } from "../store";
import { chip, note, section } from "./dom";
import { twoNames } from "./names";
import { moveFocus, VirtualList, type VirtualRow } from "./virtual";

export class EventList {
  readonly element: HTMLElement;
  private readonly list: VirtualList;
  private readonly kinds = el("div", { class: "p-bar p-kinds", role: "group", "aria-label": "kinds of events" });
  private readonly count = el("span", { class: "p-muted" });
  private readonly cut = note("");
  private readonly hiddenKinds = new Set<EventKind>();
  private run = 0;
  private events: Event[] = [];
  private current = -1;

  constructor(private readonly store: Store) {
    this.list = new VirtualList({
      label: "events",
      role: "rowgroup",
      rowRole: "row",
      rowHeight: 28,
      maxRows: 9,
      makeRow: () => this.makeRow(),
    });
    this.list.element.addEventListener("keydown", (event) => moveFocus(event, this.list.element, ".p-link"));
    const titles = [
      ["time", "s"],
      ["kind", ""],
      ["bodies", ""],
      ["speed", "m/s"],
    ].map(([title = "", unit = ""]) =>
      el("span", { role: "columnheader" }, title, el("span", { class: "p-unit" }, unit)),
    );
    const head = el("div", { class: "p-event-row p-table-head", role: "row" }, ...titles);
    const table = el("div", { class: "p-grid", role: "table", "aria-label": "events" }, head, this.list.element);
    this.element = section("Events", [this.count], this.kinds, table, this.cut);
  }

  setRun(run: number): void {
    this.run = run;
    const { events, events_total: total } = this.store.runs[run]!;
    this.element.hidden = events.length === 0;
    this.fillKinds(events);
    this.cut.hidden = total <= events.length;
    setText(this.cut, `The first ${formatNumber(events.length)} of ${formatCount(total, "event")} are listed.`);
    this.filter();
  }

  // Marks the last event that has happened.
  update(): void {
    const at = lastHappened(this.events, this.store.time);
    if (at === this.current) return;
    this.current = at;
    if (at >= 0 && !this.list.element.matches(":hover, :focus-within")) this.list.scrollTo(at);
    this.list.refresh();
  }

  private filter(): void {
    this.events = this.store.runs[this.run]!.events.filter((event) => !this.hiddenKinds.has(event.kind));
    this.current = -1;
    setText(this.count, formatCount(this.events.length, "event"));
    this.list.setCount(this.events.length);
    this.update();
  }

  private fillKinds(events: Event[]): void {
    const counts = new Map<EventKind, number>();
    for (const { kind } of events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    this.kinds.replaceChildren(...Array.from(counts, ([kind, count]) => this.kindButton(kind, count)));
    this.kinds.hidden = counts.size < 2;
  }

  private kindButton(kind: EventKind, count: number): HTMLElement {
    const item = el(
      "button",
      {
        type: "button",
        class: "p-button p-toggle",
        "aria-pressed": String(!this.hiddenKinds.has(kind)),
        title: `Show or hide events of this kind`,
      },
      chip(eventColor(kind)),
      `${kind} `,
      el("span", { class: "p-muted" }, formatNumber(count)),
    );
    item.addEventListener("click", () => {
      if (!this.hiddenKinds.delete(kind)) this.hiddenKinds.add(kind);
      item.setAttribute("aria-pressed", String(!this.hiddenKinds.has(kind)));
      this.filter();
    });
    return item;
  }

  private makeRow(): VirtualRow {
    let event: Event | undefined;
    const time = el("button", { type: "button", class: "p-link p-num", title: "Go to this time" });
    const color = chip("transparent");
    const kind = el("span", {});
    const names = twoNames();
    const speed = el("span", { class: "p-num", role: "cell" });
    time.addEventListener("click", () => {
      if (event !== undefined) this.store.setTime(event.t);
    });
    const element = el(
      "div",
      { class: "p-event-row" },
      el("span", { role: "cell" }, time),
      el("span", { class: "p-kind", role: "cell" }, color, kind),
      names.element,
      speed,
    );
    const fill = (index: number): void => {
      event = this.events[index];
      if (event === undefined) return;
      setText(time, formatNumber(event.t, { digits: 5 }));
      color.style.setProperty("--chip", eventColor(event.kind));
      setText(kind, event.kind);
      const [a, b] = placeOf(this.store, this.run, event);
      setUserText(names.a, a);
      setUserText(names.b, b);
      setText(speed, event.speed === null ? "" : formatNumber(event.speed, { digits: 3 }));
      element.classList.toggle("p-selected", index === this.current);
    };
    return { element, fill };
  }
}
