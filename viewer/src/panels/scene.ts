// The panel of the scene: what was run, how, what this page leaves out, and the text of the scene.
import { el, setText, userText } from "../dom";
import type { Run } from "../format";
import { formatCount, formatNumber, formatQuantity, formatUnit } from "../numbers";
import type { Panel } from "../panel";
import type { Store } from "../store";
import { button, copyText, fileName, note, saveFile, searchBox, section } from "./dom";
import { openRunPanel, type RunSwitch } from "./run_switch";
import { readLeniently, SceneText } from "./scene_text";
import { type Exponents, fileUnit, isAllNumbers, scaled, siFactor, siUnit } from "./scene_units";

export const scenePanel: Panel = {
  id: "scene",
  title: "Scene",
  available: (store) => store.runs.length > 0,
  create: (store, root) => {
    new SceneView(store, root);
    return {};
  },
};

class SceneView {
  private readonly body = el("div", {});
  private readonly runs: RunSwitch;

  constructor(
    private readonly store: Store,
    root: HTMLElement,
  ) {
    this.runs = openRunPanel(store, root, this.body, () => this.rebuild());
    this.rebuild();
  }

  private rebuild(): void {
    const run = this.store.runs[this.runs.run]!;
    const scene = readLeniently(run.scene);
    const times = this.store.frameTimes(this.runs.run);
    this.body.replaceChildren(settings(run, scene, times[times.length - 1]), contents(run), sourceSection(run));
  }
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );
}

// A value of the scene in one line; expressions stay as they are.
function plainText(value: unknown, unit = ""): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "number") return formatQuantity(value, unit);
  return unit === "" ? describe(value) : `${describe(value)}\u00a0${formatUnit(unit)}`;
}

// A value of the scene in SI, as all results are. What is not all numbers (an expression) stays as it is written, with
// the units of the file.
function inSi(scene: Record<string, unknown> | null, value: unknown, quantity: Exponents): string | null {
  const factor = siFactor(scene, quantity);
  const isKnown = factor !== null && isAllNumbers(value);
  return isKnown ? plainText(scaled(value, factor), siUnit(quantity)) : plainText(value, fileUnit(scene, quantity));
}

// {"linear": {"k": 3e6}} as "linear (k = 3e6)".
function describe(value: unknown): string {
  if (typeof value === "number") return formatNumber(value);
  if (Array.isArray(value)) return `(${value.map(describe).join(", ")})`;
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.entries(value).map(([key, inner]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? `${key} (${describe(inner)})`
      : `${key} = ${describe(inner)}`,
  );
  return parts.join(", ");
}

// How far the run came, and how far the scene file asks for: -d, an interruption or a failure make the two differ.
function simulatedTime(run: Run, scene: Record<string, unknown> | null, lastFrame: number | undefined): string | null {
  const written = at(scene, "time", "end");
  const factor = siFactor(scene, { time: 1 });
  const asked = typeof written === "number" && factor !== null ? written * factor : undefined;
  const told = run.summary?.["time"];
  const reached = typeof told === "number" && Number.isFinite(told) ? told : lastFrame;
  if (reached === undefined) return inSi(scene, written, { time: 1 });
  const text = formatQuantity(reached, "s");
  if (written === undefined || written === null) return text;
  const isSame = asked !== undefined && Math.abs(asked - reached) <= 1e-9 * Math.abs(asked);
  return isSame ? text : `${text}, of ${inSi(scene, written, { time: 1 }) ?? ""} in the scene file`;
}

function settings(run: Run, scene: Record<string, unknown> | null, lastFrame: number | undefined): HTMLElement {
  const description = at(scene, "description");
  const rows: [string, string | null][] = [
    ["Method", run.method],
    ["Contact law", plainText(at(scene, "contact", "law"))],
    ["Friction", plainText(at(scene, "contact", "friction"))],
    ["Restitution", plainText(at(scene, "contact", "restitution"))],
    ["Gravity", inSi(scene, at(scene, "gravity"), { length: 1, time: -2 })],
    ["Simulated time", simulatedTime(run, scene, lastFrame)],
    ["Tolerance", plainText(at(scene, "time", "tolerance"))],
    ["Integrator", plainText(at(scene, "time", "integrator"))],
    ["Recorded every", inSi(scene, at(scene, "record", "every"), { time: 1 })],
    ["Version", `carom ${run.version}`],
    ["Command", run.command],
  ];
  const list = el("dl", { class: "p-kv p-wide" });
  for (const [label, value] of rows) {
    if (value !== null && value !== "")
      list.append(el("dt", {}, label), el("dd", {}, userText(value, label === "Command" ? "p-mono p-wrap" : "p-wrap")));
  }
  const text =
    typeof description === "string"
      ? el("p", { class: "p-description", dir: "auto" }, description.slice(0, 2000))
      : null;
  const head = section("Settings", [], text, list);
  head.querySelector("h3")?.replaceChildren(userText(run.name === "" ? "Settings" : run.name));
  return head;
}

function share(shown: number, total: number, one: string): string {
  return shown < total ? `${formatNumber(shown)} of ${formatCount(total, one)} shown` : formatCount(total, one);
}

// What the result holds, and what was left out to keep the page small.
function contents(run: Run): HTMLElement {
  const { frames, triangles, contacts, signals } = run;
  const lines: [string, string][] = [
    ["Frames", share(frames.shown, frames.total, "frame")],
    ["Bodies", `${formatCount(run.bodies.length, "body", "bodies")}, ${formatCount(run.joints.length, "joint")}`],
    ["Surfaces", share(triangles.shown, triangles.total, "triangle")],
  ];
  if (contacts !== null) lines.push(["Contacts", share(contacts.shown, contacts.total, "point")]);
  if (run.events_total > 0) lines.push(["Events", share(run.events.length, run.events_total, "event")]);
  const every =
    signals.every > 1 ? `, each point pair shows the extremes of ${formatNumber(signals.every)} recorded frames` : "";
  lines.push([
    "Signals",
    `${formatCount(signals.list.length, "signal")} over ${formatCount(signals.total, "frame")}${every}`,
  ]);
  const list = el("dl", { class: "p-kv p-wide" });
  for (const [label, value] of lines) list.append(el("dt", {}, label), el("dd", {}, value));
  const thinned =
    frames.shown < frames.total ||
    triangles.shown < triangles.total ||
    signals.every > 1 ||
    (contacts !== null && contacts.shown < contacts.total);
  const remark = thinned
    ? note("This page is thinned; result.h5 has everything.", "p-thinned")
    : note("Everything that was recorded is in this page.");
  return section("In this page", [], list, remark);
}

function sourceSection(run: Run): HTMLElement {
  const source = new SceneText(run.scene);
  const finder = new Finder(source);
  const copy = button("Copy", "Copy the text", () => void copyText(run.scene, copy));
  const save = button("Download", "Save the text as a file", () =>
    saveFile(`${fileName(run.name.slice(0, 60))}.json`, new Blob([run.scene], { type: "application/json" })),
  );
  return section("Scene text", [copy, save], finder.element, source.element);
}

class Finder {
  readonly element: HTMLElement;
  private readonly status = el("span", { class: "p-muted p-num", role: "status" });
  private places: number[] = [];
  private current = 0;
  private query = "";

  constructor(private readonly source: SceneText) {
    const input = searchBox("Search the text", (text) => this.search(text));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
    });
    const previous = button("\u2191", "Previous (Shift + Enter)", () => this.step(-1));
    const next = button("\u2193", "Next (Enter)", () => this.step(1));
    previous.setAttribute("aria-label", "Previous match");
    next.setAttribute("aria-label", "Next match");
    this.element = el("div", { class: "p-bar" }, input, el("span", { class: "p-join" }, previous, next), this.status);
  }

  private search(query: string): void {
    this.query = query;
    this.places = this.source.find(query);
    this.current = 0;
    this.source.highlight(this.places, query.length);
    this.show();
  }

  private step(by: number): void {
    if (this.places.length === 0) return;
    this.current = (this.current + by + this.places.length) % this.places.length;
    this.show();
  }

  private show(): void {
    const count = this.places.length;
    setText(
      this.status,
      this.query === "" ? "" : count === 0 ? "not found" : `${this.current + 1} of ${formatNumber(count)}`,
    );
    if (count > 0) this.source.reveal(this.places[this.current]!, this.query.length);
  }
}
