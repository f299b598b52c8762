// The bar at the foot of the page: play, step, speed, scrub, where the clock stands, and what was left out.
import { el, iconButton, setIcon } from "./dom";
import { formatNumber, formatPower } from "./numbers";
import { modeAt, modeCount } from "./modes";
import type { Player } from "./player";
import { createScrub, eventLegend } from "./scrub";
import type { Store } from "./store";

interface Timeline {
  element: HTMLElement;
  resize(): void;
}

// The unit in which a clock counts, and the decimals that tell two frames apart in it.
interface Clock {
  factor: number; // [s]
  unit: string;
  decimals: number;
}

const units: [number, string][] = [[1, "s"], [1e-3, "ms"], [1e-6, "\u00b5s"], [1e-9, "ns"]];

function clockOf(store: Store): Clock {
  const times = store.frameTimes(0);
  const longest = Math.max(Math.abs(store.start), Math.abs(store.end));
  const [factor, unit] = units.find(([size]) => longest >= 0.1 * size) ?? units[longest > 0 ? units.length - 1 : 0]!;
  const step = times.length > 1 ? (times[times.length - 1]! - times[0]!) / (times.length - 1) / factor : 1;
  const decimals = step > 0 ? Math.min(Math.max(Math.ceil(-Math.log10(step)) + 1, 2), 9) : 2;
  return { factor, unit, decimals };
}

function speedName(speed: number, digits = 3): string {
  const isHandy = speed >= 1e-3 && speed < 1e4;
  return `${isHandy ? formatNumber(speed, { digits }) : formatPower(speed)}\u00d7`;
}

function createSpeedSelect(store: Store, player: Player): HTMLSelectElement {
  const select = el("select", { class: "speed", "aria-label": "Speed", title: "Speed (up and down arrows)" });
  const fit = el("option", { value: "fit", text: `fit · ${speedName(player.fitSpeed, 2)}` });
  const own = el("option", { value: "own" });
  const { speeds } = player;
  select.append(fit, ...speeds.map((speed) => el("option", { value: String(speed), text: speedName(speed) })));
  const update = (): void => {
    const isListed = speeds.includes(store.speed);
    own.remove();
    if (store.speed === player.fitSpeed && !isListed) select.value = "fit";
    else if (isListed) select.value = String(store.speed);
    else {
      own.textContent = speedName(store.speed);
      select.append(own);
      select.value = "own";
    }
  };
  select.addEventListener("change", () => {
    player.setSpeed(select.value === "fit" ? player.fitSpeed : Number(select.value));
    select.blur();
  });
  store.on("play", update);
  update();
  return select;
}

// Spaces as wide as a digit: a readout that grew with its numbers would push the scrub bar away under the finger.
function padded(number: string, length: number): string {
  return number.padStart(length, "\u2007");
}

function createReadout(store: Store): HTMLElement {
  const time = el("span", { class: "readout-time" });
  const frame = el("span", { class: "readout-frame" });
  const { factor, unit, decimals } = clockOf(store);
  const total = store.runs[0]?.frames.shown ?? 0;
  const width = Math.max(...[store.start, store.end].map((end) => (end / factor).toFixed(decimals).length));
  const end = formatNumber(store.end / factor, { digits: 6 });
  const modes = store.runs[0]?.modes;
  const update = (): void => {
    if (modes) {
      const k = modeAt(store);
      time.textContent = `mode ${k + 1} / ${modeCount(store)}`;
      frame.textContent = `${modes.list[k]?.kind ?? ""} \u00b7 ${formatNumber(modes.list[k]?.frequency ?? NaN, { digits: 5 })} Hz`;
      return;
    }
    time.textContent = `t = ${padded((store.time / factor).toFixed(decimals), width)} ${unit} / ${end} ${unit}`;
    frame.textContent = total > 0 ? `frame ${padded(String(store.frameAt(0) + 1), String(total).length)}/${total}` : "no frames";
  };
  store.on("time", update);
  update();
  return el("div", { class: "readout", "aria-live": "off" }, time, frame);
}

// "showing 1500 of 20000 frames": said where the eye is when something seems to be missing.
function thinned(store: Store): string[] {
  const label = (run: number): string => (store.runs.length > 1 ? ` (${store.runs[run]!.label.slice(0, 40)})` : "");
  return store.runs.flatMap((run, index) => {
    const notes: string[] = [];
    const note = (shown: number, all: number, what: string): void => {
      if (shown < all) notes.push(`showing ${formatNumber(shown)} of ${formatNumber(all)} ${what}${label(index)}`);
    };
    note(run.frames.shown, run.frames.total, "frames");
    note(run.triangles.shown, run.triangles.total, "triangles");
    const nodes = (of: "shown" | "all"): number =>
      run.flexible.reduce((sum, one) => sum + (of === "all" ? one.nodes_total : one.numbers.count), 0);
    note(nodes("shown"), nodes("all"), "nodes of surfaces");
    if (run.flexible.length > 0 && !run.modes) note(Math.min(...run.flexible.map(({ time }) => time.count)), run.frames.shown, "frames with stresses");
    if (run.contacts) note(run.contacts.shown, run.contacts.total, "contact points");
    note(run.events.length, run.events_total, "events");
    return notes;
  });
}

function createNotes(store: Store): HTMLElement {
  const legend = eventLegend(store);
  const notes = thinned(store);
  const title = "The page holds a part of the results, evenly spread; result.h5 has all of them";
  const text = notes.length > 0 ? el("span", { class: "thinned", text: notes.join(" · "), title }) : null;
  const element = el("div", { class: "timeline-notes" }, legend, text);
  element.hidden = !legend && !text;
  return element;
}

export function createTimeline(store: Store, player: Player): Timeline {
  const scrub = createScrub(store);
  const play = iconButton("play", "Play (Space)", () => player.toggle(), "primary");
  const loop = iconButton("loop", "Repeat (L)", () => {
    player.isLooping = !player.isLooping;
    store.emit("play");
  });
  const updatePlay = (): void => {
    setIcon(play, store.playing ? "pause" : "play");
    const label = store.playing ? "Pause (Space)" : "Play (Space)";
    play.setAttribute("aria-label", label);
    play.title = label;
    loop.setAttribute("aria-pressed", String(player.isLooping));
  };
  store.on("play", updatePlay);
  updatePlay();
  const buttons = el(
    "div",
    { class: "transport", role: "group", "aria-label": "Playback" },
    iconButton("restart", "To the start (Home)", () => player.restart()),
    iconButton("previous", "One frame back (left arrow)", () => store.stepFrames(-1)),
    play,
    iconButton("next", "One frame on (right arrow)", () => store.stepFrames(1)),
    loop,
    createSpeedSelect(store, player),
  );
  const element = el(
    "section",
    { class: "timeline", "aria-label": "Time line" },
    buttons,
    scrub.element,
    createReadout(store),
    createNotes(store),
  );
  return { element, resize: scrub.resize };
}
