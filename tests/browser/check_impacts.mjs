// Impacts: the list in the panel with its impulses, contact modes that can be left out, what the time line says.
import { assert, assertNear } from "./support/check.mjs";

const list = "[role=table][aria-label=impacts]";
const names = { kind: ["contact on", "contact off", "stick", "slip", "impact", "topology", "rest", "jam", "paradox", "event", "too deep"] };

// Rows of events in result.h5 that are impacts.
const impactsOf = (h5) => h5["events/kind"].flatMap((kind, row) => (names.kind[kind] === "impact" ? [row] : []));

// The rows in sight, top to bottom: the words of each.
const rowsOf = (report) => report.ask((selector) => Array.from(document.querySelectorAll(`${selector} .p-virtual-row:not([hidden])`))
  .sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex"))
  .map((row) => ({
    index: Number(row.getAttribute("aria-rowindex")) - 1,
    time: row.querySelector(".p-link").textContent,
    place: Array.from(row.querySelectorAll("bdi"), (name) => name.textContent),
    ...Object.fromEntries(Array.from(row.querySelectorAll("[data-cell]"), (cell) => [cell.dataset.cell, cell.textContent])),
  })), list);

const numberOf = (text) => Number(text.replace("\u2212", "-").replace("e\u2212", "e-").replace(/\u202f/g, ""));

function placeOf(h5, row) {
  const name = (body) => (body < 0 ? "ground" : h5["bodies/name"][body]);
  const joint = h5["events/joint"][row];
  return joint >= 0 ? [h5["joints/name"][joint], "joint"] : [name(h5["events/body_a"][row]), name(h5["events/body_b"][row])];
}

function assertRow(shown, h5, row) {
  const isClose = (text, value) => Math.abs(numberOf(text) - value) <= 6e-4 * Math.abs(value) + 1e-12;
  const [x, , z] = h5["events/impulse"][row];
  assertNear(numberOf(shown.time), h5["events/time"][row], "time of an impact");
  assert.deepEqual(shown.place, placeOf(h5, row), "between whom");
  assert.ok(isClose(shown.normal, z), `normal impulse ${shown.normal}, not ${z}`);
  assert.ok(Math.abs(numberOf(shown.across) - Math.abs(x)) <= 6e-3 * Math.abs(x), `tangential impulse ${shown.across}, not ${x}`);
  const [before, after] = shown.speed.split(" \u2192 ").map(numberOf);
  assert.ok(Math.abs(before - h5["events/speed"][row]) < 0.01 && Math.abs(after - h5["events/speed_after"][row]) < 0.01, shown.speed);
  const lost = h5["events/energy_lost"][row];
  if (lost === null) assert.equal(shown.lost, "\u2013", "what is not a number");
  else assert.ok(isClose(shown.lost, lost), `energy lost ${shown.lost}, not ${lost}`);
}

export async function inThePanel(report, { h5 }) {
  await report.reset();
  await report.openTab("contacts");
  await report.page.locator(list).scrollIntoViewIfNeeded();
  const rows = impactsOf(h5);
  const shown = await rowsOf(report);
  assert.ok(shown.length >= 6, `${shown.length} rows`);
  for (const row of shown) assertRow(row, h5, rows[row.index]);
  await report.keep("impacts");

  await report.page.locator(`${list} .p-link`).nth(2).click();
  const times = rows.map((row) => h5["events/time"][row]);
  assert.ok(times.includes(await report.time()), "an impact takes the clock to its time");
  const beyond = await report.ask((selector) => {
    const cells = Array.from(document.querySelectorAll(`${selector} .p-impact-row > :not(.p-two)`));
    return cells.filter((cell) => cell.scrollWidth - cell.clientWidth > 1).map((cell) => `${cell.textContent} by ${cell.scrollWidth - cell.clientWidth} px`);
  }, list);
  assert.deepEqual(beyond, [], "cells of the table of impacts that are cut");

  await report.page.mouse.move(5, 5);
  await report.ask(() => document.activeElement.blur());
  await report.key("End"); // the list follows the clock
  await report.nextFrame();
  const last = (await rowsOf(report)).at(-1);
  assertRow(last, h5, rows[last.index]);
  assert.equal(last.index, rows.length - 1, "the last impact is in sight at the end");
}

export async function byMode(report, { h5 }) {
  await report.openTab("contacts");
  const counted = () => report.page.textContent("[aria-label='Impacts'] .p-aside");
  const all = impactsOf(h5);
  assert.match(await counted(), new RegExp(`^${all.length}\\simpacts`), "how many impacts");
  const modes = new Map();
  for (const row of all) modes.set(h5["events/mode"][row], (modes.get(h5["events/mode"][row]) ?? 0) + 1);
  const buttons = report.page.locator("[aria-label='contact modes'] button");
  assert.equal(await buttons.count(), modes.size, "a button for each contact mode");
  const first = buttons.first();
  const count = Number((await first.locator(".p-muted").textContent()).trim());
  assert.equal(count, modes.get(h5["events/mode"][all[0]]), "impacts of the first mode");
  await first.click();
  assert.match(await counted(), new RegExp(`^${all.length - count}\\simpacts`), "without the first mode");
  await first.click();
  assert.match(await counted(), new RegExp(`^${all.length}\\simpacts`), "with it again");
}

// The pointer on a tick: what it was, how hard, what it cost.
export async function hints(report, { h5 }) {
  const legend = await report.page.textContent(".event-legend");
  for (const kind of names.kind) assert.ok(legend.includes(kind), `legend of events: ${legend}`);
  if (report.isPhone) return;
  const box = await report.box(".scrub");
  const { start, end } = await report.clock();
  const hintOf = async (row) => {
    await report.page.mouse.move(box.x + (box.width * (h5["events/time"][row] - start)) / (end - start), box.y + box.height / 2);
    await report.page.waitForSelector(".scrub-hint:not([hidden])");
    return report.page.textContent(".scrub-hint");
  };
  const rowOf = (kind) => h5["events/kind"].length - names.kind.length + names.kind.indexOf(kind); // one of each kind stands at the end
  assert.ok((await hintOf(rowOf("event"))).includes("event: "), "an event of the scene");
  const hint = await hintOf(rowOf("paradox"));
  for (const part of ["paradox", "N\u00b7s across", "J lost", "m/s along the normal"]) assert.ok(hint.includes(part), `hint: ${hint}`);
  await report.keep("impact-hint");
  await report.page.mouse.move(5, 5);
}
