// Keeping a panel in step with the store: at most one update per drawn frame, and none while the panel is out of sight.
import { el } from "../dom";
import { formatNumber } from "../numbers";
import { isVisible } from "../panel";
import type { Store, Topic } from "../store";

// Calls `update` in the next drawn frame after a change of one of the topics. What it returns asks for an update too:
// a panel calls it from resize(), since it has missed the changes made while it was hidden.
export function follow(store: Store, root: HTMLElement, topics: Topic[], update: () => void): () => void {
  let waiting = false;
  const run = (): void => {
    waiting = false;
    if (isVisible(root)) update();
  };
  const ask = (): void => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(run);
  };
  for (const topic of topics) store.on(topic, ask);
  return ask;
}

// A running number. Its element holds the name of the signal and the value in full.
export class LiveNumber {
  readonly element: HTMLElement;
  private readonly digits: number;
  private last: number | null | undefined = undefined;

  constructor(signal: string, digits = 5) {
    this.element = el("span", { class: "p-num", "data-signal": signal });
    this.digits = digits;
  }

  rename(signal: string): void {
    if (this.element.dataset["signal"] !== signal) this.element.dataset["signal"] = signal;
  }

  set(value: number | null): void {
    if (Object.is(value, this.last)) return;
    this.last = value;
    this.element.dataset["value"] = value === null ? "" : String(value);
    const text = formatNumber(value, { digits: this.digits, steady: true });
    // In narrow columns a power of ten takes the room of digits.
    this.element.textContent = text.includes("e") && this.digits < 5 ? formatNumber(value, { digits: 2, steady: true }) : text;
  }
}
