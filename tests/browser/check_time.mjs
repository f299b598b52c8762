// The clock: play and pause, scrubbing, frame steps.
import { assert, assertChanged, assertUnchanged } from "./support/check.mjs";

const isPlaying = () => window.carom.store.playing;
const isResting = () => !window.carom.store.playing;

// Presses play, waits until a part of the run has gone by, pauses.
async function playAndPause(report, press, what) {
  await report.key("Home");
  const { time, start, end } = await report.clock();
  await press();
  await report.until(isPlaying);
  await report.until((since) => window.carom.store.time > since || !window.carom.store.playing, time + 0.03 * (end - start));
  const shown = await report.page.textContent(".readout-time");
  if (await report.ask(isPlaying)) await press();
  await report.until(isResting);
  const now = await report.time();
  assert.ok(now > time, `${what}: time went from ${time} to ${now}`);
  assert.ok(Number.parseFloat(shown.replace(/[^\d.]*/, "")) > time, `${what}: the readout still says ${shown}`);
  await report.rest();
  assert.equal(await report.time(), now, `${what}: time goes on after pause`);
}

export async function play(report) {
  await report.key("Home");
  const before = await report.scenePicture();
  await playAndPause(report, () => report.press(".transport .primary"), "play button");
  assertChanged(before, await report.scenePicture(), "playing");
  await report.keep("played");
  await playAndPause(report, () => report.key("Space"), "space bar");
}

export async function scrub(report) {
  await report.key("End");
  const before = await report.scenePicture();
  const { start, end } = await report.clock();
  const bar = await report.box(".scrub");
  const at = (share) => ({ x: bar.x + share * bar.width, y: bar.y + bar.height / 2 });
  for (const share of [0.7, 0.3]) {
    await report.drag(at(0.1), at(share));
    const expected = start + share * (end - start);
    const pixel = (end - start) / bar.width;
    const time = await report.time();
    assert.ok(Math.abs(time - expected) <= 2 * pixel, `dragged to ${share}: t = ${time}, expected ${expected} within two pixels`);
  }
  assertChanged(before, await report.scenePicture(), "scrubbing");
  await report.drag(at(0.5), { x: bar.x - 40, y: bar.y + bar.height / 2 });
  assert.equal(await report.time(), start, "dragged beyond the start");
}

export async function keys(report) {
  const times = await report.frameTimes();
  const steps = [
    ["Home", 0], ["ArrowRight", 1], [".", 2], ["Shift+ArrowRight", 12], ["ArrowLeft", 11], [",", 10], ["Shift+ArrowLeft", 0],
    ["ArrowLeft", 0], ["End", times.length - 1], [".", times.length - 1], [",", times.length - 2],
  ];
  for (const [key, frame] of steps) {
    await report.key(key);
    const { time } = await report.clock();
    assert.equal(time, times[frame], `after ${key} the clock should be at frame ${frame}`);
    const readout = (await report.page.textContent(".readout-frame")).replace(/\u2007/g, "");
    assert.equal(readout, `frame ${frame + 1}/${times.length}`, `readout after ${key}`);
  }
  // A time typed or computed elsewhere differs from the recorded one by rounding.
  const middle = Math.floor(times.length / 2);
  const shown = await report.ask((time) => {
    window.carom.store.setTime(time);
    return window.carom.store.frameAt(0);
  }, times[middle] * (1 - 2 ** -52));
  assert.equal(shown, middle, "a time that is off by rounding means its frame");
  await report.key("Home");
}

// Playing to the end stops there; playing again starts over.
export async function playToTheEnd(report) {
  await report.key("End");
  await report.key(",");
  await report.key("Space");
  await report.until(isResting);
  const { time, start, end } = await report.clock();
  assert.equal(time, end, "the clock stops at the end");
  await report.key("Space");
  await report.until((last) => window.carom.store.time < last, end);
  await report.key("Space");
  await report.until(isResting);
  assert.ok((await report.time()) < end, `played again from ${start}`);
}

// Without anything to play the button does nothing and breaks nothing.
export async function standsStill(report) {
  const before = await report.clock();
  await report.press(".transport .primary");
  for (const key of ["Space", "ArrowRight", ",", "Home", "End"]) await report.key(key);
  await report.nextFrame();
  const after = await report.clock();
  assert.equal(after.time, before.time);
  assert.equal(after.playing, false);
}

// Turning, zooming and standard views change the picture and nothing else.
export async function camera(report) {
  const { time } = await report.clock();
  const canvas = await report.box("canvas.scene");
  const middle = { x: canvas.x + canvas.width / 2, y: canvas.y + canvas.height / 2 };
  const by = (dx, dy) => ({ x: middle.x + dx, y: middle.y + dy });
  let last = await report.scenePicture();
  const look = async (what) => {
    const now = await report.scenePicture();
    assertChanged(last, now, what);
    last = now;
  };
  await report.drag(middle, by(90, 30));
  await look(report.isPhone ? "one finger turns" : "dragging turns");
  if (report.isPhone) {
    await report.dragFingers([{ from: by(-20, 0), to: by(-70, 0) }, { from: by(20, 0), to: by(70, 0) }]);
    await look("two fingers zoom");
    await report.dragFingers([{ from: by(-20, 0), to: by(20, 50) }, { from: by(20, 0), to: by(60, 50) }]);
    await look("two fingers move");
  } else {
    await report.page.mouse.wheel(0, -300);
    await look("the wheel zooms");
    await report.key("1");
    await look("front view");
    await report.key("5");
    await look("top view");
    await report.keep("top");
  }
  await report.key("0");
  await look("isometric view");
  const again = await report.scenePicture();
  assertUnchanged(last, again, "nothing moves by itself");
  assert.equal(await report.time(), time, "looking around does not move the clock");
  assert.equal(await report.ask(() => window.carom.store.selected), null, "looking around selects nothing");
}
