// What happened when: touching, parting, sticking, slipping, impacts. A click goes to the time. Many events are grouped by who
// took part; a group opens by a click.
import { el, setText, setUserText } from "../dom";
import { lastHappened, placeOf } from "../events";
import type { Event, EventKind } from "../format";
import { formatCount, formatNumber } from "../numbers";
import { eventColor } from "../palette";
import type { Store } from "../store";
import { chip, note, section } from "./dom";
import { twoNames } from "./names";
import { moveFocus, VirtualList, type VirtualRow } from "./virtual";

// All events between the same two bodies, or at the same joint.
interface Group {
  key: string;
  events: Event[];
}

type Row = { group: Group; event?: undefined } | { group: Group | null; event: Event };

const fewEvents = 30; // that need no groups

const keyOf = ({ a, b, name, details }: Event): string => name !== undefined ? `event ${name}` : ((details?.joint ?? -1) >= 0 ? `joint ${details!.joint}` : `${Math.min(a, b)} ${Math.max(a, b)}`);

// In the order of their first events.
function groupsOf(events: Event[]): Group[] {
  const groups = new Map<string, Group>();
  for (const event of events) {
    const key = keyOf(event);
    const group = groups.get(key) ?? { key, events: [] };
    groups.set(key, group);
    group.events.push(event);
  }
  return [...groups.values()];
}

export class EventList {
  readonly element: HTMLElement;
  private readonly list: VirtualList;
  private readonly kinds = el("div", { class: "p-bar p-kinds", role: "group", "aria-label": "kinds of events" });
  private readonly count = el("span", { class: "p-muted" });
  private readonly cut = note("");
  private readonly hiddenKinds = new Set<EventKind>();
  private run = 0;
  private events: Event[] = [];
  private rows: Row[] = [];
  private readonly open = new Set<string>(); // keys of groups
  private isGrouped = false;
  private current = -1; // row
  private readonly grouping = el("button", { type: "button", class: "p-button p-toggle", text: "by pair", title: "Group events by who took part" });

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
    this.element = section("Events", [this.count, this.grouping], this.kinds, table, this.cut);
    this.grouping.addEventListener("click", () => {
      this.isGrouped = !this.isGrouped;
      this.fillRows();
    });
  }

  setRun(run: number): void {
    this.run = run;
    const { events, events_total: total } = this.store.runs[run]!;
    this.element.hidden = events.length === 0;
    this.open.clear();
    this.isGrouped = events.length > fewEvents;
    this.grouping.hidden = groupsOf(events).length < 2;
    this.fillKinds(events);
    this.cut.hidden = total <= events.length;
    setText(this.cut, `The first ${formatNumber(events.length)} of ${formatCount(total, "event")} are listed.`);
    this.filter();
  }

  // Marks the last event that has happened.
  update(): void {
    const at = this.rowOf(lastHappened(this.events, this.store.time));
    if (at === this.current) return;
    this.current = at;
    if (at >= 0 && !this.list.element.matches(":hover, :focus-within")) this.list.scrollTo(at);
    this.list.refresh();
  }

  private filter(): void {
    this.events = this.store.runs[this.run]!.events.filter((event) => !this.hiddenKinds.has(event.kind));
    setText(this.count, formatCount(this.events.length, "event"));
    this.fillRows();
  }

  private fillRows(): void {
    const listed = (group: Group): Row[] => [{ group }, ...(this.open.has(group.key) ? group.events.map((event): Row => ({ group, event })) : [])];
    const isGrouped = this.isGrouped && !this.grouping.hidden;
    this.rows = isGrouped ? groupsOf(this.events).flatMap(listed) : this.events.map((event) => ({ group: null, event }));
    this.grouping.setAttribute("aria-pressed", String(isGrouped));
    this.current = -1;
    this.list.setCount(this.rows.length);
    this.update();
    this.list.refresh();
  }

  // Where an event is listed: itself, or the closed group that it is in.
  private rowOf(index: number): number {
    const event = this.events[index];
    if (!event) return -1;
    const own = this.rows.findIndex((row) => row.event === event);
    return own >= 0 ? own : this.rows.findIndex((row) => !row.event && row.group.key === keyOf(event));
  }

  private toggleGroup(key: string): void {
    if (!this.open.delete(key)) this.open.add(key);
    this.fillRows();
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
    let row: Row | undefined;
    const time = el("button", { type: "button", class: "p-link p-num", title: "Go to this time" });
    const color = chip("transparent");
    const kind = el("span", {});
    const names = twoNames();
    const speed = el("span", { class: "p-num", role: "cell" });
    time.addEventListener("click", () => {
      if (row?.event) this.store.setTime(row.event.t);
      else if (row?.group) this.toggleGroup(row.group.key);
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
      row = this.rows[index];
      if (row === undefined) return;
      const { event } = row;
      const first = event ?? row.group.events[0]!;
      const isOpen = !event && this.open.has(row.group.key);
      setText(time, event ? formatNumber(event.t, { digits: 5 }) : `${isOpen ? "▾" : "▸"} ${formatNumber(first.t, { digits: 5 })}`);
      time.title = event ? "Go to this time" : isOpen ? "Close this group" : "Open this group";
      color.style.setProperty("--chip", event ? eventColor(event.kind) : "transparent");
      setText(kind, event ? event.kind : formatCount(row.group!.events.length, "event"));
      const [a, b] = placeOf(this.store, this.run, first);
      setUserText(names.a, a);
      setUserText(names.b, b);
      setText(speed, !event || event.speed === null ? "" : formatNumber(event.speed, { digits: 3 }));
      element.classList.toggle("p-group", !event);
      element.classList.toggle("p-selected", index === this.current);
    };
    return { element, fill };
  }
}
