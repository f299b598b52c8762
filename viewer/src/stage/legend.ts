// Legends over the 3D scene: what the colours and arrows of contacts mean, and which ghost is which run.
import { exaggerationOf, fieldRanges, fieldTitles } from "../deformation";
import { el, svg, userText } from "../dom";
import { formatNumber } from "../numbers";
import { runVariable } from "../palette";
import { rampCss } from "../scene/colors";
import { arrowPixels, longestArrow, type ContactScale } from "../scene/contacts";
import type { Store } from "../store";

const prefixes: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

// A unit in which the largest value has one to three digits before the point.
function unitFor(largest: number, unit: string): { factor: number; unit: string } {
  const [factor, prefix] = prefixes.find(([size]) => Math.abs(largest) >= size) ?? prefixes[prefixes.length - 1]!;
  return largest === 0 || unit === "" ? { factor: 1, unit } : { factor, unit: prefix + unit };
}

interface Ramp {
  title: string;
  values: number[]; // at the low end, in the middle, at the high end
  unit: string;
}

// null: all have one colour.
function rampOf(store: Store, scale: ContactScale): Ramp | null {
  const { contactColor, forceScale } = store.display;
  if (contactColor === "gap") {
    if (!scale.gap) return null;
    const { low, high } = scale.gap;
    const sign = scale.hasPenetration ? -1 : 1;
    const title = scale.hasPenetration ? "penetration" : "gap";
    return { title, values: [low * sign, ((low + high) / 2) * sign, high * sign], unit: "m" };
  }
  const top = scale.force.high;
  const values = forceScale === "log" ? [top * 1e-4, top * 1e-2, top] : [0, top / 2, top];
  return { title: `contact force${forceScale === "log" ? ", log" : ""}`, values, unit: "N" };
}

function rampElements(ramp: Ramp): HTMLElement[] {
  const { factor, unit } = unitFor(Math.max(...ramp.values.map(Math.abs)), ramp.unit);
  return [
    el("figcaption", { text: unit ? `${ramp.title} [${unit}]` : ramp.title }),
    el("div", { class: "ramp", style: `background: ${rampCss("to right")}` }),
    el("div", { class: "ramp-values" }, ...ramp.values.map((value) => el("span", { text: formatNumber(value / factor, { digits: 3 }) }))),
  ];
}

// What the colours of bodies that deform mean, and how much their deformation is exaggerated.
export function createFieldLegend(store: Store): HTMLElement {
  const element = el("figure", { class: "legend field-legend", "aria-label": "Colours of bodies that deform" });
  const ranges = fieldRanges(store);
  const update = (): void => {
    const range = ranges.get(store.display.bodyColor);
    const about = fieldTitles[store.display.bodyColor];
    const factor = exaggerationOf(store);
    const values = range ? [range.low, (range.low + range.high) / 2, range.high] : [];
    element.hidden = ranges.size === 0 || (!range && factor === 1);
    element.replaceChildren(...(range && about ? rampElements({ ...about, values }) : []));
    const beyond = range ? [range.least < range.low ? range.least : NaN, range.most > range.high ? range.most : NaN] : [];
    const texts = beyond.filter((value) => !Number.isNaN(value)).map((value) => {
      const { factor: of, unit } = unitFor(Math.abs(value), about?.unit ?? "");
      return `${formatNumber(value / of, { digits: 3 })}\u00a0${unit}`;
    });
    if (texts.length > 0) element.append(el("div", { class: "legend-note", text: `some nodes up to ${texts.join(", ")}` }));
    if (factor !== 1) element.append(el("div", { class: "legend-note", text: `deformation \u00d7 ${formatNumber(factor, { digits: 3 })}` }));
  };
  store.on("display", update);
  update();
  return element;
}

export function createContactLegend(store: Store, scale: ContactScale | null): HTMLElement {
  const element = el("figure", { class: "legend contact-legend", "aria-label": "Colours of contacts", hidden: "" });
  const update = (): void => {
    const { contacts, forces } = store.display;
    const ramp = scale && rampOf(store, scale);
    element.hidden = !scale || (!contacts && !forces) || scale.force.high === 0 || (!ramp && !forces);
    if (!scale || element.hidden) return;
    element.replaceChildren(...(ramp ? rampElements(ramp) : []));
    if (forces) element.append(arrowScale(store, scale));
  };
  store.on("display", update);
  update();
  return element;
}

const longestPicture = 170; // pixels

// An arrow of known force, like the bar of a map.
function arrowScale(store: Store, scale: ContactScale): HTMLElement {
  const { forceScale, forceSize } = store.display;
  const isLong = arrowPixels * forceSize > longestPicture; // then the arrow of a tenth is shown
  const share = isLong && forceScale === "linear" ? 0.1 : 1;
  const force = (forceScale === "log" ? scale.force.high : scale.reference) * share;
  const { factor, unit } = unitFor(force, "N");
  const length = Math.min(Math.max(arrowPixels * forceSize * share, 9), longestPicture);
  const shaft = svg("path", { d: `M0 5H${length - 7}M${length} 5l-9 -3.5v7z`, class: "arrow-scale" });
  const picture = svg("svg", { width: length, height: 10, "aria-hidden": "true" }, shaft);
  const text = `${formatNumber(force / factor, { digits: 3 })} ${unit}${forceScale === "log" ? " (log)" : ""}`;
  const arrow = el("div", { class: "legend-arrow" }, picture, el("span", { text }));
  const longest = scale.reference * longestArrow;
  if (forceScale === "log" || scale.force.high <= longest) return arrow;
  // A long arrow that was cut must not be read as a force.
  const cut = unitFor(longest, "N");
  const note = `arrows cut above ${formatNumber(longest / cut.factor, { digits: 3 })} ${cut.unit}`;
  return el("div", {}, arrow, el("div", { class: "legend-note", text: note }));
}

// Runs of a comparison; each can be switched off.
export function createRunLegend(store: Store): HTMLElement {
  const element = el("fieldset", { class: "legend run-legend", "aria-label": "Runs" });
  element.hidden = store.runs.length < 2;
  store.runs.forEach((run, index) => {
    const box = el("input", { type: "checkbox" });
    box.checked = store.display.runs[index] ?? true;
    box.addEventListener("change", () => {
      store.display.runs[index] = box.checked;
      store.emit("display");
    });
    store.on("display", () => (box.checked = store.display.runs[index] ?? true));
    const swatch = el("i", { class: index === 0 ? "swatch" : "swatch ghost", style: `background: var(${runVariable(index)})` });
    element.append(el("label", {}, box, swatch, userText(run.label)));
  });
  return element;
}
