// What the parts of the page share: the data, where the clock stands, what is selected, how things are shown.
// A part subscribes to the topics it draws and is called once per change; nobody else touches its elements.
import type { Data, NumberArray } from "./decode";
import type { Ref, Run } from "./format";
import { lastAtOrBefore } from "./search";

export type Topic = "time" | "play" | "select" | "display" | "theme" | "signals";

export interface Selection {
  run: number;
  body: number; // -1: the ground
}

export interface Display {
  contacts: boolean; // points where bodies touch
  forces: boolean; // arrows at them
  forceScale: "linear" | "log";
  forceSize: number; // factor on the length of arrows
  contactColor: "force" | "gap"; // what colours points and arrows
  joints: boolean; // axes of joints
  springs: boolean; // springs, dampers, motors, loads
  frames: boolean; // axes of bodies
  grid: boolean;
  wireframe: boolean;
  transparent: boolean; // all bodies
  shadows: boolean;
  trails: boolean; // path of the selected body, or of all
  follow: boolean; // the camera goes with the selected body
  hidden: Set<string>; // keys of bodies
  runs: boolean[]; // shown or not, by run
  bodyColor: string; // "body": each its own; or the field that colours bodies which deform
  exaggeration: number; // of deformation; 0: chosen for the run
}

export function bodyKey(run: number, body: number): string {
  return `${run}:${body}`;
}

export class Store {
  readonly data: Data;
  readonly runs: Run[];
  readonly display: Display;
  readonly start: number; // [s] of the longest run
  readonly end: number;
  time: number; // [s] simulated
  playing = false;
  speed = 1; // simulated seconds per second
  selected: Selection | null = null;
  followed: Selection | null = null; // by the camera, because a view of the scene asks for it
  signals: string[] = []; // names of the plotted ones
  theme: "light" | "dark" = "light";
  private readonly listeners = new Map<Topic, (() => void)[]>();
  private readonly times: Float64Array[];

  constructor(data: Data) {
    this.data = data;
    this.runs = data.report.runs;
    this.times = this.runs.map((run) => data.array(run.frames.time) as Float64Array);
    this.start = Math.min(...this.times.map((t) => (t.length ? t[0]! : 0)));
    this.end = Math.max(...this.times.map((t) => (t.length ? t[t.length - 1]! : 0)));
    this.time = this.start;
    this.display = {
      contacts: true,
      forces: true,
      forceScale: "linear",
      forceSize: 1,
      contactColor: "gap",
      joints: false,
      springs: true,
      frames: false,
      grid: true,
      wireframe: false,
      transparent: false,
      shadows: false,
      trails: false,
      follow: false,
      hidden: new Set(),
      runs: this.runs.map(() => true),
      bodyColor: "body",
      exaggeration: 0,
    };
  }

  on(topic: Topic, listener: () => void): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  emit(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  array(ref: Ref): NumberArray {
    return this.data.array(ref);
  }

  // Asked for every body and contact in every frame: mostly nothing is hidden, and no key need be made.
  isHidden(run: number, body: number): boolean {
    return this.display.hidden.size > 0 && this.display.hidden.has(bodyKey(run, body));
  }

  bodyName(run: number, body: number): string {
    return body < 0 ? "ground" : (this.runs[run]?.bodies[body]?.name ?? "?");
  }

  jointName(run: number, joint: number): string {
    return this.runs[run]?.joints[joint]?.name ?? "?";
  }

  frameTimes(run: number): Float64Array {
    return this.times[run]!;
  }

  // The last frame of a run at or before a time; 0 when there is none.
  frameAt(run: number, time: number = this.time): number {
    return lastAtOrBefore(this.times[run]!, time);
  }

  // [s] times that differ by less are the same.
  get rounding(): number {
    return 1e-9 * (this.end - this.start);
  }

  // A time that differs from a frame's by rounding only means that frame: 0.7 may be recorded as 0.7000000000000001.
  private snapped(time: number): number {
    const times = this.times[0]!;
    const near = times[lastAtOrBefore(times, time + this.rounding)] ?? time;
    return Math.abs(near - time) <= this.rounding ? near : time;
  }

  setTime(time: number): void {
    const clamped = this.snapped(Math.min(Math.max(time, this.start), this.end));
    if (clamped === this.time) return;
    this.time = clamped;
    this.emit("time");
  }

  setPlaying(playing: boolean): void {
    if (playing === this.playing) return;
    this.playing = playing;
    this.emit("play");
  }

  select(selection: Selection | null): void {
    this.selected = selection;
    this.emit("select");
  }

  // Goes to the frame `by` frames further in the first run.
  stepFrames(by: number): void {
    const times = this.times[0]!;
    const frame = this.frameAt(0);
    const next = by < 0 && this.time > (times[frame] ?? 0) ? frame + by + 1 : frame + by;
    this.setTime(times[Math.min(Math.max(next, 0), times.length - 1)] ?? this.start);
  }
}
