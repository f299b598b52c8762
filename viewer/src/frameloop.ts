// One animation loop for the page, and it stands still while nothing changes. Tickers move things (the clock, a camera on
// its way) and say whether they want to go on; then the scene is drawn once, if anything asked for it.

export interface FrameLoop {
  invalidate(): void; // something that is drawn has changed
  tick(ticker: Ticker): void; // runs until it returns false
  fps(): number; // frames drawn within the last second
}

type Ticker = (seconds: number) => boolean; // since the last frame

const longestStep = 0.25; // [s] a tab that was in the background does not jump

export function createFrameLoop(draw: () => void): FrameLoop {
  const tickers = new Set<Ticker>();
  let isDirty = false;
  let isScheduled = false;
  let last = 0; // 0: the loop stood still
  let drawn: number[] = [];

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(frame);
  };

  const note = (now: number): void => {
    drawn.push(now);
    if (drawn.length > 240) drawn = drawn.slice(-120);
  };

  function frame(now: number): void {
    isScheduled = false;
    const seconds = last > 0 ? Math.min((now - last) / 1000, longestStep) : 0;
    last = now;
    for (const ticker of [...tickers]) if (!ticker(seconds)) tickers.delete(ticker);
    if (isDirty) {
      isDirty = false;
      draw();
      note(performance.now());
    }
    if (tickers.size > 0 || isDirty) schedule();
    else last = 0;
  }

  return {
    invalidate() {
      isDirty = true;
      schedule();
    },
    tick(ticker) {
      tickers.add(ticker);
      schedule();
    },
    fps() {
      const now = performance.now();
      const recent = drawn.filter((time) => now - time < 1000);
      const span = (recent[recent.length - 1] ?? 0) - (recent[0] ?? 0);
      return span > 0 ? (1000 * (recent.length - 1)) / span : 0;
    },
  };
}
