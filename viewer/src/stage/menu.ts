// The menu of how things are shown: a popover over the 3D scene with a control for every option.
import { exaggerationOf, fieldTitles, mostExaggerated } from "../deformation";
import { fieldChoices, setBodyColor, setExaggeration } from "../deformation_choice";
import { el, icon, iconButton } from "../dom";
import { copyText } from "../panels/dom";
import type { ViewName } from "../scene/camera";
import type { Display, Store } from "../store";

type Switch = { [K in keyof Display]: Display[K] extends boolean ? K : never }[keyof Display];

export interface Menu {
  button: HTMLElement;
  element: HTMLElement;
  close(): boolean; // false: it was not open
}

function createSwitch(store: Store, option: Switch, text: string, key: string): HTMLElement {
  const box = el("input", { type: "checkbox", "data-option": option });
  const update = (): void => {
    box.checked = store.display[option];
  };
  box.addEventListener("change", () => {
    store.display[option] = box.checked;
    store.emit("display");
  });
  store.on("display", update);
  update();
  return el("label", { class: "menu-row" }, box, el("span", { text }), key ? el("kbd", { text: key }) : null);
}

function createChoice<K extends "forceScale" | "contactColor">(
  store: Store,
  option: K,
  text: string,
  choices: [Display[K], string][],
): HTMLElement {
  const select = el("select", { "data-option": option, "aria-label": text });
  select.append(...choices.map(([value, name]) => el("option", { value, text: name })));
  const update = (): void => {
    select.value = store.display[option];
  };
  select.addEventListener("change", () => {
    store.display[option] = select.value as Display[K];
    store.emit("display");
  });
  store.on("display", update);
  update();
  return el("label", { class: "menu-row" }, el("span", { text }), select);
}

// Sizes are factors: the slider is logarithmic, a tenth to ten times.
function createSlider(store: Store, option: "forceSize", text: string): HTMLElement {
  const input = el("input", { type: "range", min: "-1", max: "1", step: "0.02", "data-option": option, "aria-label": text });
  const value = el("output", {});
  const update = (): void => {
    input.value = String(Math.log10(store.display[option]));
    value.textContent = `${store.display[option].toFixed(store.display[option] < 1 ? 2 : 1)}×`;
  };
  input.addEventListener("input", () => {
    store.display[option] = 10 ** Number(input.value);
    store.emit("display");
  });
  store.on("display", update);
  update();
  return el("label", { class: "menu-row" }, el("span", { text }), input, value);
}

// What bodies that deform are coloured by.
function createFieldChoice(store: Store): HTMLElement {
  const select = el("select", { "data-option": "bodyColor", "aria-label": "Colour of bodies that deform" });
  select.append(...fieldChoices(store).map((name) => el("option", { value: name, text: fieldTitles[name]?.title ?? "their own colours" })));
  const update = (): void => {
    select.value = store.display.bodyColor;
  };
  select.addEventListener("change", () => setBodyColor(store, select.value));
  store.on("display", update);
  update();
  return el("label", { class: "menu-row" }, el("span", { text: "Colour by" }), select, el("kbd", { text: "M" }));
}

// 1 to 1000, logarithmic; or as much as is needed to see something.
function createExaggeration(store: Store): HTMLElement[] {
  const label = "Exaggeration of deformation";
  const input = el("input", {
    type: "range", min: "0", max: String(Math.log10(mostExaggerated)), step: "0.02", "data-option": "exaggeration", "aria-label": label,
  });
  const value = el("output", {});
  const auto = el("input", { type: "checkbox", "data-option": "autoExaggeration" });
  const update = (): void => {
    const factor = exaggerationOf(store);
    input.value = String(Math.log10(factor));
    value.textContent = `${factor < 9.95 ? factor.toFixed(factor % 1 === 0 ? 0 : 1) : factor.toFixed(0)}×`;
    auto.checked = store.display.exaggeration === 0;
  };
  input.addEventListener("input", () => setExaggeration(store, 10 ** Number(input.value)));
  auto.addEventListener("change", () => setExaggeration(store, auto.checked ? 0 : 1));
  store.on("display", update);
  update();
  return [
    el("label", { class: "menu-row" }, el("span", { text: "Exaggerate" }), input, value),
    el("label", { class: "menu-row" }, auto, el("span", { text: "as much as is needed to see it" }), el("kbd", { text: "E" })),
  ];
}

const views: [ViewName, string][] = [
  ["front", "1"], ["back", "2"], ["left", "3"], ["right", "4"], ["top", "5"], ["bottom", "6"], ["isometric", "0"],
];

function createViews(look: (view: ViewName) => void): HTMLElement {
  const buttons = views.map(([view, key]) => {
    const button = el("button", { type: "button", class: "text-button", text: view, title: `${view} (${key})` });
    button.addEventListener("click", () => look(view));
    return button;
  });
  return el("div", { class: "menu-views" }, ...buttons);
}

function createShowAll(store: Store): HTMLElement {
  const button = el("button", { type: "button", class: "text-button" }, icon("show"), el("span", {}));
  const update = (): void => {
    const count = store.display.hidden.size;
    button.hidden = count === 0;
    button.querySelector("span")!.textContent = `Show all (${count} hidden)`;
  };
  button.addEventListener("click", () => {
    store.display.hidden.clear();
    store.emit("display");
  });
  store.on("display", update);
  update();
  return button;
}

function section(title: string, ...rows: (HTMLElement | null)[]): HTMLElement {
  return el("section", {}, el("h3", { text: title }), ...rows);
}

function createCopyView(viewText: () => string): HTMLElement {
  const button = el("button", { type: "button", class: "text-button copy-view", text: "Copy view", title: "This view as a scene's \"view\" writes it" });
  button.addEventListener("click", () => void copyText(viewText(), button));
  return el("div", { class: "menu-views" }, button);
}

// viewText: what is seen now, as a scene writes it.
export function createMenu(store: Store, look: (view: ViewName) => void, viewText: () => string): Menu {
  const hasContacts = store.runs.some((run) => run.contacts);
  const hasForces = store.runs.some((run) => run.forces.length > 0);
  const hasJoints = store.runs.some((run) => run.joints.some((joint) => joint.markers));
  const contacts = section(
    "Contacts",
    createSwitch(store, "contacts", "Points", "C"),
    createSwitch(store, "forces", "Force arrows", "V"),
    createChoice(store, "forceScale", "Force scale", [["linear", "linear"], ["log", "logarithmic"]]),
    createSlider(store, "forceSize", "Arrow size"),
    createChoice(store, "contactColor", "Colour by", [["gap", "penetration or gap"], ["force", "force"]]),
  );
  const bodies = section(
    "Bodies",
    createSwitch(store, "wireframe", "Wireframe", "W"),
    createSwitch(store, "transparent", "See-through", "X"),
    createSwitch(store, "shadows", "Shadows", ""),
    createSwitch(store, "frames", "Body axes", "B"),
    hasForces ? createSwitch(store, "springs", "Springs, motors, loads", "S") : null,
    hasJoints ? createSwitch(store, "joints", "Joint axes", "J") : null,
    createSwitch(store, "trails", "Paths", "P"),
    createSwitch(store, "follow", "Follow the selected body", ""),
    createSwitch(store, "grid", "Grid and planes", "G"),
    createShowAll(store),
  );
  const deforms = fieldChoices(store).length > 1;
  const deformation = deforms ? section("Deformation", createFieldChoice(store), ...createExaggeration(store)) : null;
  const attributes = { class: "menu", id: "display-menu", "aria-label": "Display", role: "group", hidden: "" };
  const element = el("div", attributes, section("Views", createViews(look), createCopyView(viewText)), deformation, bodies, hasContacts ? contacts : null);
  const button = iconButton("display", "Display options", () => toggle(), "menu-button");
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-controls", "display-menu");

  const toggle = (): void => {
    element.hidden = !element.hidden;
    button.setAttribute("aria-expanded", String(!element.hidden));
  };
  const close = (): boolean => {
    if (element.hidden) return false;
    toggle();
    return true;
  };
  document.addEventListener("pointerdown", (event) => {
    const isInside = event.target instanceof Node && (element.contains(event.target) || button.contains(event.target));
    if (!isInside) close();
  });
  return { button, element, close };
}
