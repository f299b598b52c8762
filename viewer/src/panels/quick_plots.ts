// Buttons that add the main signals of a body to the plots.
import { shortened } from "../dom";
import type { Store } from "../store";
import { button } from "./dom";
import { signalIndex } from "./signals";

const quantities = [
  { title: "position", suffix: "position" },
  { title: "velocity", suffix: "velocity" },
  { title: "contact force", suffix: "contact.force" },
];

export function chooseSignals(store: Store, names: string[], on: boolean): void {
  const others = store.signals.filter((name) => !names.includes(name));
  store.signals = on ? [...others, ...names] : others;
  store.emit("signals");
}

// `then` is called after a click.
export function quickPlots(store: Store, body: string, then: () => void = () => undefined): HTMLButtonElement[] {
  const index = signalIndex(store);
  return quantities.map(({ title, suffix }) => {
    const names = ["x", "y", "z"].map((axis) => `${body}.${suffix}.${axis}`).filter((name) => index.has(name));
    const result = button(title, `Plot the ${title} of ${shortened(body, 80)}`, () => {
      chooseSignals(store, names, true);
      then();
    });
    result.disabled = names.length === 0;
    return result;
  });
}
