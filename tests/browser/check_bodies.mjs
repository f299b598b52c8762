// Bodies in the scene: pressing one shows its card, whose numbers are those of result.h5; looks; hiding.
import { assert, assertChanged, assertNear, assertUnchanged, length } from "./support/check.mjs";
import { coveredPlaces } from "./check_page.mjs";

const quantities = { position: "xyz", orientation: "wxyz", velocity: "xyz", angular_velocity: "xyz" };

export function frameOf(h5, time) {
  const frame = h5.time.indexOf(time); // times are sent in full: 64-bit floats
  assert.ok(frame >= 0, `the page stands at t = ${time}, which is no frame of result.h5`);
  return frame;
}

async function pressBody(report, body, name, run = 0) {
  const place = await report.placeOf(run, body);
  assert.ok(place, `body ${body} can be pressed nowhere`);
  await report.press(place);
  await report.page.waitForSelector(".card", { state: "visible" });
  assert.deepEqual(await report.ask(() => window.carom.store.selected), { run, body }, `pressed at ${place.x}, ${place.y}`);
  const shown = await report.page.textContent(".card-name");
  assert.ok(shown === name || (shown.endsWith("…") && name.startsWith(shown.slice(0, -1))), `the card is of "${shown}", not of "${name}"`);
}

// The sum of the contact forces on a body, and the sum of their sizes.
function contactForce(h5, frame, body) {
  const sum = [0, 0, 0];
  let scale = 0;
  const first = h5["contacts/first"][frame];
  for (let row = first; row < first + h5["contacts/count"][frame]; ++row) {
    const sign = Number(h5["contacts/body_a"][row] === body) - Number(h5["contacts/body_b"][row] === body);
    const force = h5["contacts/force"][row];
    force.forEach((part, k) => (sum[k] += sign * part));
    scale += Math.abs(sign) * length(force);
  }
  return { sum, scale };
}

// The numbers of a card against the frame of result.h5. `prefix` stands before the names of the signals.
function compareCard(numbers, prefix, h5, frame, body) {
  let compared = 0;
  for (const [quantity, parts] of Object.entries(quantities)) {
    [...parts].forEach((part, k) => {
      const name = `${prefix}${quantity}.${part}`;
      assert.ok(name in numbers, `the card lacks ${name}`);
      assertNear(numbers[name], h5[`bodies/${quantity}`][frame][body][k], `${name} in frame ${frame}`);
      ++compared;
    });
  }
  if (!h5["contacts/first"]) return compared;
  const { sum, scale } = contactForce(h5, frame, body);
  ["x", "y", "z"].forEach((part, k) => {
    const name = `${prefix}contact.force.${part}`;
    assertNear(numbers[name], sum[k], `${name} in frame ${frame}`, scale);
    ++compared;
  });
  return compared;
}

// Presses a body of the first run and compares its card, at the start, the end and between, with result.h5.
export async function card(report, { h5, body }) {
  await report.reset();
  const name = h5["bodies/name"][body];
  const bar = await report.box(".scrub");
  await pressBody(report, body, name);
  await report.keep("card");
  assert.deepEqual(await coveredPlaces(report, ".card"), [], "parts of the card under something else");
  assert.deepEqual(await coveredPlaces(report, ".timeline"), [], "parts of the time line under the card");
  const stops = [
    () => report.key("Home"),
    () => report.key("ArrowRight"),
    () => report.press({ x: bar.x + 0.55 * bar.width, y: bar.y + bar.height / 2 }),
    () => report.key("End"),
  ];
  for (const go of stops) {
    await go();
    const frame = frameOf(h5, await shownTime(report));
    const compared = compareCard(await report.numbers(".card"), "", h5, frame, body);
    assert.ok(compared >= 13, `only ${compared} numbers in the card`);
    assertNear((await report.numbers(".card")).speed, length(h5["bodies/velocity"][frame][body]), `speed in frame ${frame}`);
  }
  await inThePanel(report, h5, body);
}

// The panel of bodies shows the same. On a phone the card lies over the panels and has to be closed first.
async function inThePanel(report, h5, body) {
  const frame = frameOf(h5, await shownTime(report));
  if (!report.isPhone) {
    await report.openTab("bodies");
    compareCard(await report.numbers("#panel-bodies"), `${h5["bodies/name"][body]}.`, h5, frame, body);
  }
  await report.press(".card [aria-label^=Close]");
  await report.page.waitForSelector(".card", { state: "hidden" });
  await report.openTab("bodies");
  compareJoints(await report.numbers("#panel-bodies"), h5, frame);
}

// Between two frames the numbers are those of the earlier one.
function shownTime(report) {
  return report.ask(() => window.carom.store.frameTimes(0)[window.carom.store.frameAt(0)]);
}

function compareJoints(numbers, h5, frame) {
  h5["joints/name"].forEach((joint, k) => {
    for (const quantity of ["force", "torque"]) {
      assertNear(numbers[`${joint}.${quantity}`], length(h5[`joints/${quantity}`][frame][k]), `${joint}.${quantity} in frame ${frame}`);
    }
  });
}

// Each look changes the picture, and taking it back restores it.
export async function looks(report) {
  await report.reset();
  const before = await report.scenePicture();
  const all = [["wireframe", "w"], ["transparent", "x"], ["grid", "g"]];
  for (const [option, key] of report.isPhone ? all.slice(0, 1) : all) {
    await report.toggleOption(option, key);
    assertChanged(before, await report.scenePicture(), option);
    await report.keep(option);
    await report.toggleOption(option, key);
    assertUnchanged(before, await report.scenePicture(), `${option} and back`);
  }
}

export async function jointAxes(report) {
  await report.reset();
  const before = await report.scenePicture();
  await report.toggleOption("joints", "j");
  assertChanged(before, await report.scenePicture(), "joint axes");
  await report.keep("joints");
  await report.toggleOption("joints", "j");
}

// Hiding a body: by its card and by its row in the list.
export async function hiding(report, { h5, body }) {
  await report.reset();
  const before = await report.scenePicture();
  await report.openTab("bodies");
  const row = report.page.locator(".p-body-row").filter({ hasText: h5["bodies/name"][body] }).first();
  await row.locator("input[type=checkbox]").setChecked(false);
  const without = await report.scenePicture();
  assertChanged(before, without, "hidden in the list");
  assert.equal(await report.placeOf(0, body), null, "a hidden body cannot be pressed");
  await row.locator("input[type=checkbox]").setChecked(true);
  assertUnchanged(before, await report.scenePicture(), "shown again in the list");

  await pressBody(report, body, h5["bodies/name"][body]);
  await report.press(".card-buttons button:has-text('Hide')");
  await report.press(".card [aria-label^=Close]");
  assertUnchanged(without, await report.scenePicture(), "hidden by its card");
  await report.keep("hidden");
  await report.reset();
}
