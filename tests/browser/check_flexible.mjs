// Bodies that deform: what is drawn is what result.h5 says, exaggerated by the factor that the page shows, and coloured by the field
// that it names.
import { assert, assertChanged, assertUnchanged } from "./support/check.mjs";
import { deformed, placeOf, sizeOf } from "./support/nodes.mjs";

// Displacements of nodes that move on their own have 16 bits, half a unit of 1/32767 of the largest; poses have 24. Relative to the size of
// the body, whose displacements are at most a tenth of it.
const drawn = 1e-5;

const vertices = (report, body) => report.ask((row) => window.carom.view.vertices(0, row), body);
const setFactor = (report, factor) =>
  report.ask((value) => {
    const { store } = window.carom;
    store.display.exaggeration = value;
    store.emit("display");
  }, factor);
const goTo = (report, share) =>
  report.ask((part) => {
    const { store } = window.carom;
    const times = store.frameTimes(0);
    store.setTime(times[Math.round(part * (times.length - 1))]);
    return store.frameAt(0);
  }, share);

async function compare(report, h5, body, frame, factor) {
  const shown = await vertices(report, body);
  const truth = deformed(h5, body, frame);
  const size = sizeOf(truth.X);
  let worst = 0;
  shown.nodes.forEach((node, v) => {
    const offset = shown.offsets ? shown.offsets.slice(3 * v, 3 * v + 3) : [0, 0, 0];
    const place = placeOf(truth, node, offset, factor);
    worst = Math.max(worst, Math.hypot(...place.map((part, k) => part - shown.places[3 * v + k])) / size);
  });
  assert.ok(shown.nodes.length >= 24, `only ${shown.nodes.length} vertices`);
  assert.ok(worst <= drawn * Math.max(1, factor / 10), `vertices of body ${body} in frame ${frame}, exaggerated ${factor} times, are off by ${worst} of its size`);
}

export async function verticesAreThoseOfTheResult(report, { h5 }) {
  await report.reset();
  for (const factor of [1, 7]) {
    await setFactor(report, factor);
    for (const share of [0, 0.3, 0.71, 1]) {
      const frame = await goTo(report, share);
      for (const body of h5["flexible/body"]) await compare(report, h5, body, frame, factor);
    }
  }
  await report.keep("exaggerated");
  await setFactor(report, 0);
}

// Keys on a desktop, the menu on a phone; the legend says the factor, and the choice outlives the page.
export async function exaggeration(report) {
  await report.reset();
  await setFactor(report, 1);
  await goTo(report, 0.4);
  const before = await report.scenePicture();
  const note = () => report.ask(() => document.querySelector(".field-legend .legend-note:last-child")?.textContent ?? "");
  if (report.isPhone) {
    await report.openMenu();
    await report.page.locator(".menu [data-option=exaggeration]").fill("2.5");
    await report.key("Escape");
  } else {
    for (let k = 0; k < 7; ++k) await report.key("]");
  }
  const factor = await report.ask(() => window.carom.store.display.exaggeration);
  assert.ok(factor >= 100, `exaggerated ${factor} times`);
  assert.match(await note(), new RegExp(`× ${Math.round(factor)}`));
  assertChanged(before, await report.scenePicture(), "exaggerated");
  const kept = await report.ask(() => JSON.parse(sessionStorage.getItem("carom-deformation") ?? "null"));
  assert.equal(kept[1], factor, "the factor is remembered");
  await setFactor(report, 1);
  assertUnchanged(before, await report.scenePicture(), "and back");
  await setFactor(report, 0);
  if (!report.isPhone) {
    await report.key("e");
    assert.equal(await report.ask(() => window.carom.store.display.exaggeration), 1);
    await report.key("e");
  }
  assert.equal(await report.ask(() => window.carom.store.display.exaggeration), 0);
}

// Every field has its colours and its legend; colours of the bodies themselves have none.
export async function fields(report) {
  await report.reset();
  await goTo(report, 0.4);
  const seen = new Map();
  const first = await report.ask(() => window.carom.store.display.bodyColor);
  assert.equal(first, "von_mises");
  for (let k = 0; k < 5; ++k) {
    const name = await report.ask(() => window.carom.store.display.bodyColor);
    const caption = await report.ask(() => document.querySelector(".field-legend figcaption")?.textContent ?? "");
    seen.set(name, { caption, picture: await report.scenePicture() });
    await report.keep(`by-${name}`);
    if (report.isPhone) {
      await report.openMenu();
      const names = await report.ask(() => Array.from(document.querySelectorAll("[data-option=bodyColor] option"), (one) => one.value));
      await report.page.selectOption(".menu [data-option=bodyColor]", names[(names.indexOf(name) + 1) % names.length]);
      await report.key("Escape");
    } else {
      await report.key("m");
    }
  }
  assert.deepEqual([...seen.keys()].sort(), ["body", "displacement", "principal_strain", "speed", "von_mises"]);
  assert.match(seen.get("von_mises").caption, /^von Mises stress \[[kMG]?Pa\]$/);
  assert.match(seen.get("speed").caption, /^speed \[[mµ]?m\/s\]$/);
  assert.equal(seen.get("body").caption, "");
  for (const name of ["speed", "von_mises"]) assertChanged(seen.get("body").picture, seen.get(name).picture, `colours of ${name}`);
  assert.equal(await report.ask(() => window.carom.store.display.bodyColor), first, "all around");
}

// The rods: stress is E times the strain of the elements, at a node the mean of those beside it. Colours have 16 bits, displacements in
// result.h5 24 of what they are differences of.
export async function coloursFollowStress(report, { h5 }) {
  await report.reset();
  const young = h5["flexible/young"][0];
  const { low, high } = await report.ask(() => window.carom.view.range("von_mises"));
  let most = 0;
  for (const share of [0.1, 0.25, 0.4, 0.6, 0.9]) {
    const frame = await goTo(report, share);
    for (const body of h5["flexible/body"]) {
      const { X, u } = deformed(h5, body, frame);
      const strain = X.slice(1).map((p, i) => (u[i + 1][0] - u[i][0]) / (p[0] - X[i][0]));
      const stress = X.map((_, i) => young * Math.abs(((strain[i - 1] ?? strain[i]) + (strain[i] ?? strain[i - 1])) / 2));
      const shown = await vertices(report, body);
      shown.nodes.forEach((node, v) => {
        const value = low + shown.levels[v] * (high - low);
        assert.ok(Math.abs(value - stress[node]) <= 2e-3 * high, `node ${node} in frame ${frame}: the page shows ${value} Pa, it has ${stress[node]} Pa`);
        most = Math.max(most, value);
      });
    }
  }
  assert.ok(most > 0.5 * high, `only ${most} Pa of ${high} Pa seen`);
}

// A run of microseconds plays within ten seconds: the wave can be watched.
export async function plays(report) {
  await report.reset();
  const before = await report.scenePicture();
  const { speed, duration } = await report.ask(() => ({ speed: window.carom.store.speed, duration: window.carom.store.end - window.carom.store.start }));
  assert.ok(Math.abs(duration / speed - 10) < 1, `plays for ${duration / speed} s`);
  await report.key("Space");
  await report.until(() => window.carom.store.time > 0.2 * window.carom.store.end);
  await report.key("Space");
  assertChanged(before, await report.scenePicture(), "the wave");
}

// A body that deforms is pressed where it is drawn, and keeps its colours under the outline.
export async function picked(report, { h5 }) {
  await report.reset();
  await goTo(report, 0.5);
  const body = h5["flexible/body"][0];
  const place = await report.placeOf(0, body);
  assert.ok(place, "it can be pressed nowhere");
  await report.press(place);
  await report.page.waitForSelector(".card", { state: "visible" });
  assert.deepEqual(await report.ask(() => window.carom.store.selected), { run: 0, body });
  await report.keep("picked");
  await report.reset();
}
