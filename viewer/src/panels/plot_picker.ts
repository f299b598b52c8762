// Choosing signals: a search box and a list by group, of which only the rows in sight exist.
import { el, setText, setUserText } from "../dom";
import { formatCount, formatUnit } from "../numbers";
import { searchBox } from "./dom";
import { groupTitles, matches, wordsOf, type Choice, type SignalIndex } from "./signals";
import { moveFocus, VirtualList, type VirtualRow } from "./virtual";

type Entry = { heading: string; group: Choice["group"]; count: number } | { choice: Choice };

export class Picker {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  private readonly list: VirtualList;
  private readonly status = el("span", { class: "p-muted", role: "status" });
  private entries: Entry[] = [];
  private readonly folded = new Set<Choice["group"]>();
  private readonly index: SignalIndex;
  private readonly isChosen: (name: string) => boolean;
  private readonly onChoose: (name: string, on: boolean) => void;

  constructor(index: SignalIndex, isChosen: (name: string) => boolean, onChoose: (name: string, on: boolean) => void) {
    this.index = index;
    this.isChosen = isChosen;
    this.onChoose = onChoose;
    this.search = searchBox("Search signals, e.g. velocity x", () => this.filter());
    this.list = new VirtualList({
      label: "signals",
      role: "list",
      rowRole: "listitem",
      rowHeight: 28,
      maxRows: 9,
      makeRow: () => this.makeRow(),
    });
    this.list.element.addEventListener("keydown", (event) => moveFocus(event, this.list.element, "input, .p-group"));
    this.element = el(
      "div",
      { class: "p-picker" },
      el("div", { class: "p-bar" }, this.search, this.status),
      this.list.element,
    );
    this.filter();
  }

  refresh(): void {
    this.list.refresh();
  }

  private filter(): void {
    const words = wordsOf(this.search.value);
    const found = this.index.choices.filter((choice) => matches(choice, words));
    this.entries = this.withHeadings(found, words.length > 0);
    this.list.element.scrollTop = 0;
    this.list.setCount(this.entries.length);
    setText(this.status, formatCount(found.length, "signal"));
  }

  private withHeadings(found: Choice[], all: boolean): Entry[] {
    const entries: Entry[] = [];
    const counts = new Map<Choice["group"], number>();
    for (const { group } of found) counts.set(group, (counts.get(group) ?? 0) + 1);
    let last: Choice["group"] | null = null;
    for (const choice of found) {
      const { group } = choice;
      if (group !== last) entries.push({ heading: groupTitles[group] ?? group, group, count: counts.get(group) ?? 0 });
      last = group;
      if (all || !this.folded.has(group)) entries.push({ choice });
    }
    return entries;
  }

  private fold(group: Choice["group"]): void {
    if (!this.folded.delete(group)) this.folded.add(group);
    const words = wordsOf(this.search.value);
    this.entries = this.withHeadings(
      this.index.choices.filter((choice) => matches(choice, words)),
      words.length > 0,
    );
    this.list.setCount(this.entries.length);
  }

  private makeRow(): VirtualRow {
    let entry: Entry | undefined;
    const box = el("input", { type: "checkbox" });
    const name = el("bdi", { class: "user-text" });
    const unit = el("span", { class: "p-unit" });
    const signal = el("label", { class: "p-pick" }, box, name, unit);
    const heading = el("button", { type: "button", class: "p-group" });
    const element = el("div", {}, heading, signal);
    box.addEventListener("change", () => {
      if (entry !== undefined && "choice" in entry) this.onChoose(entry.choice.name, box.checked);
    });
    heading.addEventListener("click", () => {
      if (entry !== undefined && "heading" in entry) this.fold(entry.group);
    });
    const fill = (index: number): void => {
      entry = this.entries[index];
      const isHeading = entry !== undefined && "heading" in entry;
      heading.hidden = !isHeading;
      signal.hidden = isHeading;
      if (entry === undefined) return;
      if ("heading" in entry) {
        setText(heading, `${entry.heading} (${entry.count})`);
        heading.setAttribute("aria-expanded", String(!this.folded.has(entry.group)));
      } else {
        setUserText(name, entry.choice.name);
        setText(unit, formatUnit(entry.choice.unit));
        box.checked = this.isChosen(entry.choice.name);
      }
    };
    return { element, fill };
  }
}
