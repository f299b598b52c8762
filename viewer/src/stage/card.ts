// The card of the selected body: who it is, its numbers at the present frame, and what can be done with it.
import { el, icon, iconButton, setUserText, type IconName } from "../dom";
import { eulerDegrees, framesOf, length } from "../frames";
import { formatFixed, formatQuantity, formatShort, formatUnit } from "../numbers";
import { runVariable } from "../palette";
import { bodyKey, type Selection, type Store } from "../store";

interface Row {
  element: HTMLElement;
  set(values: (number | null)[]): void;
}

// A line of running numbers. Each holds its value in full for those who read the page by program.
function createRow(name: string, signal: string, unit: string, parts: string[], format = formatShort): Row {
  const cells = parts.map((part) => el("span", { class: "card-number", "data-signal": part ? `${signal}.${part}` : signal }));
  const label = el("span", { class: "card-label" }, name, unit ? el("small", { text: ` ${formatUnit(unit)}` }) : null);
  return {
    element: el("div", { class: "card-row" }, label, el("span", { class: `card-values of-${parts.length}` }, ...cells)),
    set(values) {
      cells.forEach((cell, k) => {
        const value = values[k] ?? null;
        cell.dataset["value"] = value === null ? "" : String(value);
        cell.textContent = format(tidy(value, values, unit));
      });
    },
  };
}

// Beside a component of 1, one of 1e-17 is a rounding error, and is shown as 0; so is an angle that no one can see.
function tidy(value: number | null, all: (number | null)[], unit: string): number | null {
  const largest = Math.max(...all.map((other) => Math.abs(other ?? 0)), /deg|rad/.test(unit) ? 1e-3 : 0);
  return value !== null && Math.abs(value) < 1e-9 * largest ? 0 : value;
}

function textButton(name: IconName, text: string, action: () => void): HTMLButtonElement {
  const button = el("button", { type: "button", class: "text-button" }, icon(name), el("span", { text }));
  button.addEventListener("click", action);
  return button;
}

function changeHidden(store: Store, change: (hidden: Set<string>) => void): void {
  change(store.display.hidden);
  store.emit("display");
}

// Hides all other bodies of all runs; once more shows them again.
function toggleIsolation(store: Store, selection: Selection): void {
  const own = bodyKey(selection.run, selection.body);
  changeHidden(store, (hidden) => {
    const isIsolated = isIsolating(store, selection);
    hidden.clear();
    if (isIsolated) return;
    store.runs.forEach((run, index) => {
      [-1, ...run.bodies.keys()].forEach((body) => hidden.add(bodyKey(index, body)));
    });
    hidden.delete(own);
  });
}

function isIsolating(store: Store, { run, body }: Selection): boolean {
  const all = store.runs.reduce((sum, one) => sum + one.bodies.length + 1, 0);
  return store.display.hidden.size === all - 1 && !store.isHidden(run, body);
}

export function createCard(store: Store): HTMLElement {
  const name = el("bdi", { class: "user-text card-name" });
  const facts = el("p", { class: "card-facts" });
  const rows = {
    position: createRow("position", "position", "m", ["x", "y", "z"]),
    orientation: createRow("quaternion", "orientation", "w x y z", ["w", "x", "y", "z"], formatFixed),
    euler: createRow("angles", "angles", "deg", ["x", "y", "z"]),
    velocity: createRow("velocity", "velocity", "m/s", ["x", "y", "z"]),
    angularVelocity: createRow("turning", "angular_velocity", "rad/s", ["x", "y", "z"]),
    speed: createRow("speed", "speed", "m/s", [""]),
    contactForce: createRow("contacts", "contact.force", "N", ["x", "y", "z"]),
  };
  const selection = (): Selection => store.selected ?? { run: 0, body: -1 };
  const hide = textButton("hide", "Hide", () => {
    const key = bodyKey(selection().run, selection().body);
    changeHidden(store, (hidden) => (hidden.has(key) ? hidden.delete(key) : hidden.add(key)));
  });
  const isolate = textButton("isolate", "Isolate", () => toggleIsolation(store, selection()));
  const follow = textButton("follow", "Follow", () => {
    store.display.follow = !store.display.follow;
    store.emit("display");
  });
  const close = iconButton("close", "Close (Esc)", () => store.select(null));
  const table = el("div", { class: "card-table" }, ...Object.values(rows).map(({ element }) => element));
  const element = el(
    "section",
    { class: "card", "aria-label": "Selected body", hidden: "" },
    el("header", {}, name, close),
    facts,
    el("div", { class: "card-heads", "aria-hidden": "true" }, ...["x", "y", "z"].map((axis) => el("span", { text: axis }))),
    table,
    el("div", { class: "card-buttons" }, hide, isolate, follow),
  );

  const describe = (): void => {
    const { run, body } = selection();
    const own = store.runs[run];
    const of = own?.bodies[body];
    setUserText(name, of?.name ?? "ground");
    facts.replaceChildren();
    if (store.runs.length > 1) {
      const swatch = el("i", { class: "swatch", style: `background: var(${runVariable(run)})` });
      facts.append(swatch, el("bdi", { class: "user-text", text: (own?.label ?? "").slice(0, 80) }), " · ");
    }
    const mass = of && Number.isFinite(of.mass) && of.mass > 0 ? ` · mass ${formatQuantity(of.mass, "kg", { digits: 4 })}` : "";
    facts.append(`${of?.role ?? "fixed"}${mass}`);
  };

  const updateNumbers = (): void => {
    if (!store.selected) return;
    const { run, body } = store.selected;
    const frames = framesOf(store, run);
    const frame = frames.frame();
    for (const [key, row] of Object.entries(rows)) row.element.hidden = body < 0 && key !== "contactForce";
    const force = frames.contactForce(frame, body);
    rows.contactForce.element.hidden = force === null;
    rows.contactForce.set(force ?? []);
    if (body < 0) return;
    const velocity = frames.bodyVector("velocity", frame, body);
    const orientation = frames.orientation(frame, body);
    rows.position.set(frames.bodyVector("position", frame, body));
    rows.orientation.set(orientation);
    rows.euler.set(eulerDegrees(orientation));
    rows.velocity.set(velocity);
    rows.angularVelocity.set(frames.bodyVector("angular_velocity", frame, body));
    rows.speed.set([length(velocity)]);
  };

  const updateButtons = (): void => {
    const { run, body } = selection();
    const isHidden = store.isHidden(run, body);
    hide.querySelector("span")!.textContent = isHidden ? "Show" : "Hide";
    isolate.setAttribute("aria-pressed", String(isIsolating(store, selection())));
    follow.setAttribute("aria-pressed", String(store.display.follow));
    follow.disabled = body < 0;
  };

  store.on("select", () => {
    element.hidden = store.selected === null;
    describe();
    updateNumbers();
    updateButtons();
  });
  store.on("time", updateNumbers);
  store.on("display", updateButtons);
  return element;
}
