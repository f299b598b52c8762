// How crowded lines are on the screen: cells of a coarse grid count the lines that cross them. Where many arrows lie on
// each other only an outline would be left of what they touch: there they are drawn thinner and let more through.
export interface Crowd {
  begin(): void;
  add(x: number, y: number, toX: number, toY: number): void; // pixels
  ease(line: number): number; // 1: there is room for the line, in the order they were added; towards 0: a crowd
}

const cell = 24; // pixels
const samples = 6; // of a line
const fewLines = 60; // so many are never thinned
const roomy = 6; // lines in a cell that do not hide each other

function keyOf(x: number, y: number): number {
  return Math.floor(x / cell) * 65536 + Math.floor(y / cell);
}

export function createCrowd(): Crowd {
  const counts = new Map<number, number>();
  const lastLine = new Map<number, number>(); // a line counts once in a cell
  const keys: number[] = [];
  let lines = 0;

  const enter = (key: number): void => {
    keys.push(key);
    if (lastLine.get(key) === lines) return;
    lastLine.set(key, lines);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };

  return {
    begin() {
      counts.clear();
      lastLine.clear();
      keys.length = lines = 0;
    },
    add(x, y, toX, toY) {
      for (let k = 0; k < samples; ++k) {
        const share = k / (samples - 1);
        enter(keyOf(x + (toX - x) * share, y + (toY - y) * share));
      }
      ++lines;
    },
    ease(line) {
      if (lines <= fewLines) return 1;
      let sum = 0;
      for (let k = line * samples; k < (line + 1) * samples; ++k) sum += counts.get(keys[k]!) ?? 1;
      return Math.min(1, (roomy * samples) / sum);
    },
  };
}
