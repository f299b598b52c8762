// The summary of a run in words and numbers: how it ended, how well its account closes, where the time went.
import { el, userText } from "../dom";
import type { Summary } from "../format";
import { framesOf, length } from "../frames";
import { formatCount, formatDuration, formatNumber, formatPercent, formatQuantity } from "../numbers";
import { seriesColor } from "../palette";
import type { Store } from "../store";
import { chip, note, section } from "./dom";
import { extremes } from "./ledger_stack";
import { signalIndex } from "./signals";

type Verdict = { text: string; mood: "good" | "warn" | "bad" };

function num(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function part(summary: Summary, ...path: string[]): unknown {
  let at: unknown = summary;
  for (const key of path) at = typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  return at;
}

function largest(store: Store, run: number, names: string[]): number {
  const index = signalIndex(store);
  const squares = names.map((name) => index.values(run, name)).filter((values) => values !== null);
  return Math.hypot(...squares.map((values) => Math.max(...extremes(values).map(Math.abs))));
}

function energyVerdict(summary: Summary, kinetic: number): Verdict | null {
  const error = num(part(summary, "energy", "worst_balance_error"));
  if (error === null) return null;
  if (error === 0) return { text: "Energy closes exactly.", mood: "good" };
  if (kinetic === 0)
    return { text: `Energy is off by ${formatQuantity(error, "J", { digits: 2 })} at worst.`, mood: "warn" };
  const share = error / kinetic;
  const amount = `${formatPercent(share)} of the largest kinetic energy`;
  if (share < 1e-3) return { text: `Energy closes to ${amount}.`, mood: "good" };
  if (share < 1e-2) return { text: `Energy closes to ${amount}: fair.`, mood: "warn" };
  return { text: `Energy does not close: it is off by ${amount}. Tighten the tolerance.`, mood: "bad" };
}

function statusMood(status: string): Verdict["mood"] {
  return status === "done" ? "good" : status === "interrupted" ? "warn" : "bad";
}

function banner(verdicts: Verdict[]): HTMLElement {
  const lines = verdicts.map(({ text, mood }) =>
    el("div", { class: `p-verdict p-${mood}` }, el("span", { class: "p-dot", "aria-hidden": "true" }), userText(text)),
  );
  return el("div", { class: "p-verdicts", role: "status" }, ...lines);
}

export type Row = [label: string, value: string | null, title?: string];

function keyValues(rows: Row[]): HTMLElement {
  const list = el("dl", { class: "p-kv" });
  for (const [label, value, title] of rows) {
    if (value === null) continue;
    list.append(el("dt", title === undefined ? {} : { title }, label), el("dd", {}, value));
  }
  return list;
}

function quantity(value: number | null, unit: string): string | null {
  return value === null ? null : formatQuantity(value, unit, { digits: 4 });
}

function relative(value: number | null, unit: string, whole: number): string | null {
  if (value === null) return null;
  const share = whole > 0 ? ` (${formatPercent(value / whole)})` : "";
  return `${formatQuantity(value, unit, { digits: 3 })}${share}`;
}

function effort(summary: Summary): Row[] {
  const wall = num(summary["wall_s"]);
  const time = num(summary["time"]);
  const count = (key: string): string | null => (num(summary[key]) === null ? null : formatNumber(num(summary[key])));
  const pace =
    wall !== null && time !== null && wall > 0 ? `${formatNumber(time / wall, { digits: 3 })}\u00d7 real time` : null;
  return [
    ["Simulated time", quantity(time, "s")],
    ["Wall time", wall === null ? null : [formatDuration(wall), pace].filter((text) => text !== null).join(", ")],
    ["Steps", count("steps")],
    ["Rejected steps", count("rejected"), "attempts thrown away"],
    ["Evaluations", count("evaluations"), "of the right-hand side"],
    ["Most contact points", count("contacts_max")],
    ["Impacts", count("impacts")],
    ["Contact switches", num(summary["contact_switches"]) ? count("contact_switches") : null, "nodes that came into contact or left it"],
  ];
}

// What momentum is measured against: the sum of its sizes over bodies, which does not cancel as momentum itself may.
function momentumScales(store: Store, run: number): [linear: number, angular: number] {
  const bodies = store.runs[run]?.bodies ?? [];
  const frames = framesOf(store, run);
  const count = store.frameTimes(run).length;
  const scales: [number, number] = [
    0,
    largest(store, run, ["angular_momentum.x", "angular_momentum.y", "angular_momentum.z"]),
  ];
  for (let frame = 0; frame < count; frame += Math.ceil(count / 200)) {
    const sums = [0, 0];
    bodies.forEach(({ role, mass }, body) => {
      if (role !== "free") return;
      const velocity = length(frames.bodyVector("velocity", frame, body));
      sums[0]! += mass * velocity;
      sums[1]! += mass * velocity * length(frames.bodyVector("position", frame, body));
    });
    scales.forEach((scale, k) => (scales[k] = Math.max(scale, sums[k] || 0)));
  }
  return scales;
}

function trust(store: Store, run: number, summary: Summary, kinetic: number): Row[] {
  const [momentum, angular] = momentumScales(store, run);
  const at = (...path: string[]): number | null => num(part(summary, ...path));
  return [
    [
      "Energy error",
      relative(at("energy", "worst_balance_error"), "J", kinetic),
      "worst; share of the largest kinetic energy",
    ],
    [
      "Momentum drift",
      relative(at("momentum", "worst_drift"), "kg*m/s", momentum),
      "worst, net of external impulse; share of the momenta of all bodies together",
    ],
    [
      "Angular momentum drift",
      relative(at("momentum", "angular", "worst_drift"), "kg*m^2/s", angular),
      "worst; share of the angular momenta of all bodies together",
    ],
    ["Joint position error", quantity(at("constraint_error_max", "position"), "m")],
    ["Joint velocity error", quantity(at("constraint_error_max", "velocity"), "m/s")],
    ["Deepest penetration", quantity(num(summary["penetration_max"]), "m")],
    ["Smallest distance", quantity(num(summary["distance_min"]), "m"), "between surfaces; negative: they overlap"],
  ];
}

function balance(summary: Summary): Row[] {
  const at = (...path: string[]): number | null => num(part(summary, "energy", ...path));
  const ends = [at("initial"), at("final"), at("kinetic"), at("potential")].map((value) => Math.abs(value ?? 0));
  const counts = (value: number | null): boolean => value !== null && Math.abs(value) > 1e-12 * Math.max(...ends);
  const rows: Row[] = [["At the start", quantity(at("initial"), "J")]];
  for (const key of Object.keys((part(summary, "energy", "work") ?? {}) as object)) {
    if (counts(at("work", key))) rows.push([`+ work of ${key}`, quantity(at("work", key), "J")]);
  }
  for (const key of Object.keys((part(summary, "energy", "dissipated") ?? {}) as object)) {
    if (counts(at("dissipated", key))) rows.push([`\u2212 lost to ${key}`, quantity(at("dissipated", key), "J")]);
  }
  rows.push(["= at the end", quantity(at("final"), "J")]);
  for (const key of ["kinetic", "potential", "elastic"]) rows.push([`of it ${key}`, quantity(at(key), "J")]);
  return rows;
}

// Seconds of the phases; what they leave of the wall time is "other".
function phaseShares(summary: Summary): { name: string; seconds: number; share: number }[] {
  const wall = num(summary["wall_s"]) ?? 0;
  const phases = Object.entries((summary["phases"] ?? {}) as Record<string, unknown>).map(([name, value]) => ({
    name: name.replace("_", " "),
    seconds: num(value) ?? 0,
  }));
  const spent = phases.reduce((sum, phase) => sum + phase.seconds, 0);
  if (wall > spent) phases.push({ name: "other", seconds: wall - spent });
  const whole = Math.max(wall, spent);
  return phases.filter((phase) => phase.seconds > 0).map((phase) => ({ ...phase, share: phase.seconds / whole }));
}

function phaseBar(summary: Summary): HTMLElement | null {
  const shares = phaseShares(summary);
  if (shares.length === 0) return null;
  const color = (name: string, k: number): string => (name === "other" ? "var(--border-strong)" : seriesColor(k));
  const bar = el("div", {
    class: "p-phases",
    role: "img",
    "aria-label": shares.map((phase) => `${phase.name} ${formatPercent(phase.share)}`).join(", "),
  });
  const list = el("div", { class: "p-phase-list" });
  shares.forEach((phase, k) => {
    const piece = el("span", { title: `${phase.name}: ${formatDuration(phase.seconds)}` });
    piece.style.flexGrow = String(phase.share);
    piece.style.background = color(phase.name, k);
    bar.append(piece);
    list.append(
      el(
        "span",
        { class: "p-entry" },
        chip(color(phase.name, k)),
        el("span", { class: "p-entry-name" }, phase.name),
        el("span", { class: "p-num" }, formatDuration(phase.seconds)),
        el("span", { class: "p-muted p-num" }, formatPercent(phase.share)),
      ),
    );
  });
  return section("Time per phase", [], bar, list);
}

function rowsSection(title: string, rows: Row[]): HTMLElement | null {
  return rows.every(([, value]) => value === null) ? null : section(title, [], keyValues(rows));
}

export function summaryOf(store: Store, run: number): HTMLElement {
  const summary = store.runs[run]?.summary ?? null;
  if (summary === null) {
    const frames = formatCount(store.runs[run]?.frames.total ?? 0, "frame");
    return el(
      "div",
      {},
      banner([{ text: "This run has not ended: there is no summary yet.", mood: "warn" }]),
      note(`The charts show the ${frames} recorded so far.`),
    );
  }
  const kinetic = largest(store, run, ["energy.kinetic"]);
  const status = String(summary["status"] ?? "unknown");
  const verdict = energyVerdict(summary, kinetic);
  const verdicts: Verdict[] = [
    { text: status === "done" ? "The run is done." : `The run is ${status}.`, mood: statusMood(status) },
  ];
  if (verdict !== null) verdicts.push(verdict);
  return el(
    "div",
    { class: "p-summary" },
    banner(verdicts),
    el(
      "div",
      { class: "p-columns" },
      rowsSection("How far to trust it", trust(store, run, summary, kinetic)),
      rowsSection("Effort", effort(summary)),
      rowsSection("Energy account", balance(summary)),
      phaseBar(summary),
    ),
  );
}
