// The panels: ledger, plots, scene. Their numbers are those of result.h5.
import { readFileSync } from "node:fs";
import { assert, assertChanged, assertSame } from "./support/check.mjs";
import { frameOf } from "./check_bodies.mjs";

// Signals are sent as 64-bit floats: they are the same, bit for bit.
export async function ledger(report, { h5 }) {
  await report.reset();
  await report.openTab("ledger");
  for (const key of ["Home", "ArrowRight", "End"]) {
    await report.key(key);
    const frame = frameOf(h5, await report.time());
    const numbers = await report.numbers("#panel-ledger");
    const names = Object.keys(numbers).filter((name) => h5[`ledger/${name}`]);
    for (const name of ["energy.kinetic", "energy.potential"]) assert.ok(names.includes(name), `the ledger lacks ${name}`);
    for (const name of names) assertSame(numbers[name], h5[`ledger/${name}`][frame], `${name} in frame ${frame}`);
  }
  await chartsAreDrawn(report, "#panel-ledger");
}

async function chartsAreDrawn(report, scope) {
  const inked = await report.ask((selector) => Array.from(document.querySelectorAll(`${selector} canvas`), (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 3; k < data.length; k += 4) count += data[k] > 0 ? 1 : 0;
    return count;
  }), scope);
  assert.ok(inked.length > 0, `${scope} has charts`);
  inked.forEach((count, k) => assert.ok(count > 500, `chart ${k} of ${scope}: only ${count} pixels are drawn`));
}

export async function plots(report, { h5 }) {
  await report.reset();
  await report.openTab("plots");
  await chartsAreDrawn(report, "#panel-plots");
  await report.key("End");
  await comparePlots(report, h5);

  await report.key("Home");
  const before = await report.scenePicture();
  const chart = report.page.locator("#panel-plots .u-over").first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  await report.press({ x: box.x + 0.6 * box.width, y: box.y + box.height / 2 });
  const { time, start, end } = await report.clock();
  const expected = start + 0.6 * (end - start);
  assert.ok(Math.abs(time - expected) < 0.03 * (end - start), `pressed at 60 % of a chart: t = ${time}, expected ${expected}`);
  assertChanged(before, await report.scenePicture(), "a press in a chart moves the scene");
  await comparePlots(report, h5);
  await report.keep("plots-pressed");
}

async function comparePlots(report, h5) {
  const numbers = await report.numbers("#panel-plots");
  const time = await report.time();
  const frame = h5.time.findLastIndex((t) => t <= time);
  let compared = 0;
  h5["signals/name"].forEach((name, k) => {
    if (!(name in numbers)) return;
    assertSame(numbers[name], h5["signals/value"][frame][k], `${name} in frame ${frame}`);
    ++compared;
  });
  assert.ok(compared > 0, `no recorded signal is plotted: ${Object.keys(numbers)}`);
}

const choose = (report, label, card, value) => report.page.locator("#panel-plots .p-card").nth(card).locator(`.p-choice[aria-label=${label}]`).selectOption(value);

// The numbers beside the curves of a chart.
const numbersOf = (report, card) => report.numbers(`#panel-plots .p-card:nth-child(${card + 1})`);

// Charts of the position and of the velocity of a body that moves; their names.
async function plotMotion(report) {
  await report.reset();
  await report.openTab("plots");
  const names = await report.ask(() => {
    const { store } = window.carom;
    const body = store.runs[0].bodies.find(({ role }) => role !== "fixed").name;
    store.signals = [`${body}.position.x`, `${body}.velocity.x`];
    store.emit("signals");
    return store.signals;
  });
  await report.nextFrame();
  return names;
}

// Units chosen for one chart: its numbers follow, and come back.
export async function units(report) {
  await plotMotion(report);
  await report.key("End");
  const si = await numbersOf(report, 0);
  await choose(report, "Unit", 0, "mm");
  const shown = await numbersOf(report, 0);
  assert.ok(Object.keys(si).length > 0);
  for (const [name, value] of Object.entries(si)) assert.ok(Math.abs(shown[name] - 1e3 * value) <= 1e-9 * Math.abs(value), `${name}: ${shown[name]} mm for ${value} m`);
  await report.keep("units");
  await choose(report, "Unit", 0, "m");
  assert.deepEqual(await numbersOf(report, 0), si, "back to metres");
}

// The derivative of a position is the velocity, as far as frames tell; the integral of the velocity leads back to the position.
export async function calculations(report) {
  const names = await plotMotion(report);
  const atFrame = async (frame) => {
    await report.ask((k) => window.carom.store.setTime(window.carom.store.frameTimes(0)[k]), frame);
    await report.nextFrame();
    return [await numbersOf(report, 0), await numbersOf(report, 1)];
  };
  const [start] = await atFrame(0);
  const [end, speed] = await atFrame(40);
  await choose(report, "Show", 0, "derivative");
  const [rate] = await atFrame(40);
  assert.ok(Math.abs(rate[names[0]] - speed[names[1]]) < 2e-3 * Math.max(1, Math.abs(speed[names[1]])), `derivative ${rate[names[0]]}, velocity ${speed[names[1]]}`);
  await choose(report, "Show", 0, "signal");
  await choose(report, "Show", 1, "integral");
  const [, way] = await atFrame(40);
  const moved = end[names[0]] - start[names[0]];
  assert.ok(Math.abs(way[names[1]] - moved) < 2e-3 * Math.max(1, Math.abs(moved)), `integral ${way[names[1]]}, moved ${moved}`);
  await choose(report, "Show", 1, "spectrum");
  await report.nextFrame();
  const frequency = await report.page.locator("#panel-plots .p-card").nth(1).locator("[title='frequency of the highest peak']").textContent();
  assert.match(frequency, /^[\d.]+\u00a0Hz$/, `a main frequency is told: "${frequency}"`);
  await report.keep("spectrum");
  await choose(report, "Show", 1, "signal");
}

// Another signal, found by the search, gets a chart.
export async function choosing(report) {
  await report.openTab("plots");
  await report.press("#panel-plots button:has-text('Signals')");
  await report.page.fill("#panel-plots .p-picker input[type=search]", "kinetic");
  await report.keep("picker");
  const row = report.page.locator(".p-pick").filter({ hasText: "energy.kinetic" }).first();
  const wasChosen = await row.locator("input").isChecked();
  await row.locator("input").setChecked(!wasChosen);
  await report.until((was) => window.carom.store.signals.includes("energy.kinetic") !== was, wasChosen);
  await report.nextFrame();
  assert.equal("energy.kinetic" in (await report.numbers("#panel-plots")), !wasChosen, "the chart follows the choice");
  await row.locator("input").setChecked(wasChosen);
  await report.press("#panel-plots button:has-text('Signals')");
}

// Esc closes the list of signals and leaves every search field: after that the keys are those of the page again.
export async function leavingSearch(report) {
  await report.reset();
  await report.openTab("plots");
  const chooser = "#panel-plots button:has-text('Signals')";
  await report.press(chooser);
  await report.page.waitForSelector("#panel-plots .p-picker", { state: "visible" });
  await report.page.keyboard.type("kin");
  await report.key("Escape");
  await report.page.waitForSelector("#panel-plots .p-picker", { state: "hidden" });
  assert.ok(await report.page.locator(chooser).evaluate((button) => button === document.activeElement), "Esc goes back to the button");
  await keysWork(report, "after the list of signals");

  for (const panel of ["bodies", "scene"]) {
    await report.openTab(panel);
    const field = report.page.locator(`#panel-${panel} input[type=search]`).first();
    await field.fill("a");
    await report.key("Escape");
    assert.equal(await field.inputValue(), "a", `Esc keeps what was typed in the field of ${panel}`);
    await keysWork(report, `after the search field of ${panel}`);
    await field.fill("");
    await report.key("Escape");
  }
}

async function keysWork(report, when) {
  await report.key("Home");
  const before = await report.clock();
  await report.key("ArrowRight");
  const after = await report.clock();
  assert.deepEqual([before.frame, after.frame], [0, 1], `the arrow key steps a frame ${when}`);
}

// The time that was simulated, not only the one that the scene file asks for.
export async function saysHowFarItCame(report, { h5 }) {
  await report.openTab("scene");
  const text = await report.page.locator("#panel-scene dt:has-text('Simulated time') + dd").first().textContent();
  const reached = h5.time.at(-1);
  assert.ok(Math.abs(parseFloat(text) - reached) <= 1e-3 * reached, `"${text}" for ${reached} s`);
}

// Marks that change the direction of text could show a scene other than it is: the page shows where they stand.
const turningMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function firstDifference(one, other) {
  for (let k = 0; k < Math.max(one.length, other.length); ++k) if (one[k] !== other[k]) return k;
  return -1;
}

export async function sceneText(report, { scene }) {
  await report.openTab("scene");
  const shown = await report.page.textContent("#panel-scene .p-code");
  const text = readFileSync(scene, "utf8");
  const at = firstDifference(shown, text.replace(turningMarks, "\ufffd"));
  assert.ok(at < 0, `the text of the scene differs at ${at}: "${shown.slice(at, at + 40)}" for "${text.slice(at, at + 40)}"`);
  assert.equal(await report.ask(() => window.carom.store.runs[0].scene), text, "what is copied and saved is the text itself");
}

// What is shown beside results has their units, whatever the scene file was written in; expressions keep the file's.
export async function settingsInSi(report) {
  await report.openTab("scene");
  const rows = await report.ask(() => Object.fromEntries(Array.from(document.querySelectorAll("#panel-scene dl.p-kv dt"),
    (title) => [title.textContent, title.nextElementSibling.textContent])));
  const plain = (label) => (rows[label] ?? "").replace(/[\s\u202f\u2066-\u2069]/g, "").replace(/\u2212/g, "-");
  assert.equal(plain("Gravity"), "(0,0,-9.81)m/s²");
  assert.equal(plain("Simulated time"), "0.25s");
  assert.equal(plain("Recorded every"), "5+5ms", "an expression stays as it is written");
}

export async function saysThatItIsThinned(report, { h5 }) {
  const { frames } = await report.clock();
  assert.equal(frames.total, h5.time.length);
  assert.ok(frames.total > 2000 && frames.shown < frames.total, `${frames.shown} of ${frames.total} frames are in the page`);
  const note = (await report.page.textContent(".timeline-notes")).replace(/[\s\u202f]/g, "");
  assert.ok(note.includes(`${frames.shown}of${frames.total}`), `the note says: ${note}`);
  const times = await report.frameTimes();
  assert.equal(times[0], h5.time[0]);
  assert.equal(times.at(-1), h5.time.at(-1), "the last frame is kept");
}

export async function saysThatItHasNotEnded(report, { h5 }) {
  assert.equal(await report.page.textContent(".header .badge"), "not ended");
  const { frames } = await report.clock();
  assert.equal(frames.total, h5.time.length);
  if (h5.time.length === 0) assert.match(await report.page.textContent(".stage"), /No frames were recorded/);
}
