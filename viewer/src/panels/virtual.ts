// A list of any length: only the rows in sight exist, and they are used again when scrolling. All rows have one height.
import { el } from "../dom";
import { keepScrollKeys } from "./dom";

export interface VirtualRow {
  element: HTMLElement;
  fill(index: number): void;
}

interface VirtualOptions {
  label: string;
  role: "list" | "listbox" | "rowgroup";
  rowRole: "listitem" | "option" | "row";
  rowHeight: number; // [px]
  maxRows: number; // in sight at once; fewer when the list is shorter
  makeRow(): VirtualRow;
}

const margin = 3; // rows drawn beyond the visible ones

export class VirtualList {
  readonly element: HTMLElement;
  private readonly options: VirtualOptions;
  private readonly inner: HTMLElement;
  private readonly rows: VirtualRow[] = [];
  private count = 0;

  constructor(options: VirtualOptions) {
    this.options = options;
    this.inner = el("div", { class: "p-virtual-inner", role: "presentation" });
    this.element = el(
      "div",
      { class: "p-virtual", role: options.role, tabindex: 0, "aria-label": options.label },
      this.inner,
    );
    keepScrollKeys(this.element);
    this.element.addEventListener("scroll", () => this.refresh(), { passive: true });
  }

  setCount(count: number): void {
    const { rowHeight, maxRows } = this.options;
    if (count !== this.count) {
      this.count = count;
      this.inner.style.height = `${count * rowHeight}px`;
      this.element.style.height = `${Math.min(count, maxRows) * rowHeight}px`;
    }
    this.refresh();
  }

  // Fills the rows in sight again.
  refresh(): void {
    const { rowHeight, maxRows } = this.options;
    const visible = Math.min(this.count, maxRows + 2 * margin);
    const wanted = Math.floor(this.element.scrollTop / rowHeight) - margin;
    const first = Math.max(0, Math.min(wanted, this.count - visible));
    while (this.rows.length < visible) this.addRow();
    for (const row of this.rows.slice(visible)) row.element.hidden = true;
    // An entry keeps its row while it is in sight, and with it the focus.
    for (let index = first; index < first + visible; ++index) this.place(this.rows[index % visible]!, index);
  }

  scrollTo(index: number): void {
    const { rowHeight, maxRows } = this.options;
    const top = index * rowHeight;
    const height = Math.min(this.count, maxRows) * rowHeight;
    const from = this.element.scrollTop;
    if (top < from) this.element.scrollTop = top;
    else if (top + rowHeight > from + height) this.element.scrollTop = top + rowHeight - height;
  }

  private place(row: VirtualRow, index: number): void {
    row.element.hidden = false;
    row.element.style.transform = `translateY(${index * this.options.rowHeight}px)`;
    if (this.options.rowRole === "row") row.element.setAttribute("aria-rowindex", String(index + 1));
    row.fill(index);
  }

  private addRow(): void {
    const row = this.options.makeRow();
    row.element.classList.add("p-virtual-row");
    row.element.setAttribute("role", this.options.rowRole);
    row.element.style.height = `${this.options.rowHeight}px`;
    this.rows.push(row);
    this.inner.append(row.element);
  }
}

// Arrow keys move between the rows' main buttons: the browser's own Tab order stays as it is.
export function moveFocus(event: KeyboardEvent, list: HTMLElement, selector: string): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const all = Array.from(list.querySelectorAll<HTMLElement>(selector)).filter((item) => item.offsetParent !== null);
  all.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = all[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}
