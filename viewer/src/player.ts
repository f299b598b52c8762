// The clock: plays, loops, changes speed.
import type { FrameLoop } from "./frameloop";
import { modeCount, swung } from "./modes";
import type { Store } from "./store";

export interface Player {
  isLooping: boolean;
  loopFrom: number; // [s] where a repeated play begins
  readonly speeds: number[]; // to choose from
  readonly fitSpeed: number; // the whole run in ten seconds
  toggle(): void;
  restart(): void;
  changeSpeed(by: number): void; // steps of the list
  setSpeed(speed: number): void;
}

const usualSpeeds = [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100];
const fitSeconds = 10;

// A microsecond or a year needs other speeds: 1, 2, 5 times powers of ten around the one that fits.
function speedsFor(fit: number): number[] {
  if (fit >= 0.005 && fit <= 20) return usualSpeeds;
  const power = Math.floor(Math.log10(fit));
  const decades = [power - 2, power - 1, power, power + 1];
  return decades.flatMap((k) => [1, 2, 5].map((digit) => Number(`${digit}e${k}`)));
}

// Real time where that can be watched; a very short or very long run is fitted.
function firstSpeed(duration: number, fit: number): number {
  return duration >= 2 && duration <= 60 ? 1 : fit;
}

export function createPlayer(store: Store, loop: FrameLoop): Player {
  const duration = store.end - store.start;
  const fitSpeed = duration > 0 ? duration / fitSeconds : 1;
  const speeds = speedsFor(fitSpeed);
  store.speed = firstSpeed(duration, fitSpeed);

  const advance = (seconds: number): boolean => {
    if (!store.playing) return false;
    const next = store.time + seconds * store.speed;
    if (modeCount(store) > 0) {
      store.setTime(swung(store, next));
    } else if (next < store.end) {
      store.setTime(next);
    } else if (player.isLooping && duration > 0) {
      store.setTime(player.loopFrom);
    } else {
      store.setTime(store.end);
      store.setPlaying(false);
    }
    return store.playing;
  };

  store.on("play", () => {
    if (store.playing) loop.tick(advance);
  });

  const player: Player = {
    isLooping: false,
    loopFrom: store.start,
    speeds,
    fitSpeed,
    toggle() {
      if (!store.playing && store.time >= store.end) store.setTime(store.start);
      store.setPlaying(!store.playing && duration > 0);
    },
    restart() {
      store.setTime(store.start);
    },
    setSpeed(speed) {
      store.speed = speed;
      store.emit("play");
    },
    changeSpeed(by) {
      const faster = speeds.find((speed) => speed > store.speed * 1.001);
      const slower = [...speeds].reverse().find((speed) => speed < store.speed * 0.999);
      player.setSpeed((by > 0 ? faster : slower) ?? store.speed);
    },
  };
  return player;
}
