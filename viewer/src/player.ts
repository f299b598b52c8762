// The clock: plays, loops, changes speed.
import type { FrameLoop } from "./frameloop";
import type { Store } from "./store";

export interface Player {
  isLooping: boolean;
  readonly fitSpeed: number; // the whole run in ten seconds
  toggle(): void;
  restart(): void;
  changeSpeed(by: number): void; // steps of the list
  setSpeed(speed: number): void;
}

export const speeds = [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100];
const fitSeconds = 10;

// Real time where that can be watched; a very short or very long run is fitted.
function firstSpeed(duration: number, fit: number): number {
  return duration >= 2 && duration <= 60 ? 1 : fit;
}

export function createPlayer(store: Store, loop: FrameLoop): Player {
  const duration = store.end - store.start;
  const fitSpeed = duration > 0 ? duration / fitSeconds : 1;
  store.speed = firstSpeed(duration, fitSpeed);

  const advance = (seconds: number): boolean => {
    if (!store.playing) return false;
    const next = store.time + seconds * store.speed;
    if (next < store.end) {
      store.setTime(next);
    } else if (player.isLooping && duration > 0) {
      store.setTime(store.start);
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
