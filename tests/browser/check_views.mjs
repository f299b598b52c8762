// Views that a scene asks for: the page opens on the first, buttons and keys lead to the others.
import { assert, assertChanged } from "./support/check.mjs";

const state = () => {
  const { store } = window.carom;
  return {
    time: store.time, playing: store.playing, speed: store.speed, hidden: [...store.display.hidden], trails: store.display.trails,
    contacts: store.display.contacts, signals: store.signals,
  };
};

const middle = async (report) => {
  const { width, height } = await report.box("canvas.scene");
  return { x: width / 2, y: height / 2 };
};

// How far a body is from the middle of the picture, in pixels.
async function offMiddle(report, body) {
  const place = await report.ask((row) => window.carom.view.project(0, row), body);
  const { x, y } = await middle(report);
  const canvas = await report.box("canvas.scene");
  return Math.min(Math.hypot(place.x - x, place.y - y), Math.hypot(place.x - canvas.x - x, place.y - canvas.y - y));
}

export async function opensOnTheFirst(report) {
  const now = await report.ask(state);
  assert.equal(now.time, 0.1);
  assert.equal(now.playing, false);
  assert.deepEqual(now.hidden, ["0:2"], "the wall is hidden");
  assert.equal(now.trails, true, "paths are shown");
  assert.equal(now.contacts, false, "and nothing else");
  assert.deepEqual(now.signals, ["ball.velocity.x", "ball.velocity.z"]);
  assert.ok((await offMiddle(report, 1)) < 3, "the ball is in the middle");
  const title = await report.page.getAttribute("#panel-plots .p-card", "aria-label");
  assert.match(title, /^chart of ball\.velocity \[m\/s\]/, "a chart says what it shows");
  await report.keep("first");
}

export async function followsItsBody(report) {
  await report.ask(() => window.carom.store.setTime(0.35));
  await report.rest();
  assert.ok((await offMiddle(report, 1)) < 3, "the camera goes along");
}

export async function othersByKeyAndButton(report) {
  const before = await report.scenePicture();
  await report.key("Shift+Digit3");
  await report.rest();
  assertChanged(before, await report.scenePicture(), "looking at the wall");
  assert.ok((await offMiddle(report, 2)) < 3, "the wall is in the middle");
  assert.deepEqual((await report.ask(state)).hidden, []);
  await report.press(".scene-views button:nth-child(2)");
  await report.until(() => window.carom.store.playing && window.carom.store.time > 0.2);
  assert.equal((await report.ask(state)).speed, 0.05);
  await report.key("Space");
  await report.press(".scene-views button:nth-child(1)");
  await report.rest();
  assert.equal((await report.ask(state)).time, 0.1);
}

export async function addressLeadsThere(report) {
  const open = (hash) => report.ask((wanted) => void (location.hash = wanted), hash);
  await open("view=3&t=0.25");
  await report.until(() => window.carom.store.time === 0.25);
  await report.rest();
  assert.deepEqual({ ...(await report.ask(state)), signals: null }.hidden, [], "nothing is hidden in the third view");
  assert.equal((await report.ask(state)).playing, false, "a moment stands still");
  assert.ok((await offMiddle(report, 2)) < 3, "the wall is in the middle");
  const before = await report.ask(state);
  for (const nothing of ["view=none", "t=soon", "t=", ""]) {
    await open(nothing);
    await report.rest();
    assert.deepEqual(await report.ask(state), before, `#${nothing} changes nothing`);
  }
}

// What is copied leads back to what was seen.
export async function copiedViewLeadsBack(report) {
  await report.key("Shift+Digit1");
  await report.ask(() => window.carom.store.setTime(0.3));
  await report.rest();
  await report.ask(() => {
    window.copied = null;
    navigator.clipboard.writeText = async (text) => void (window.copied = text);
  });
  await report.press(".menu-button");
  await report.press(".copy-view");
  const copied = JSON.parse(await report.ask(() => window.copied));
  await report.key("Escape");
  assert.equal(copied.look_at, "ball");
  assert.equal(copied.follow, true);
  assert.deepEqual(copied.hide, ["wall"]);
  assert.deepEqual(copied.show, ["paths"]);
  assert.equal(copied.at, "0.3 s");
  assert.deepEqual(copied.plots, ["ball.velocity.x", "ball.velocity.z"]);
  copied.from.forEach((part, axis) => {
    assert.match(part, / m$/, "a length with its unit");
    assert.ok(Math.abs(parseFloat(part) - [0.4, -2, 0.3][axis]) < 2e-3, `${part} is what the scene says`);
  });
}
