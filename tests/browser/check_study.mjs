// A page of a study: columns, marks, brush, table, and the command that repeats a run.
import { assert } from "./support/check.mjs";

const study = { // a ball is thrown: how far it comes in a second, and whether that is over the line
  "carom-study": 1, name: "<b>thrown</b> & far", scene: "thrown.json", sampling: { random: { runs: 60, seed: 3 } },
  vary: { "variables.v": { uniform: [1, 5] }, "variables.m": { uniform: [-0.2, 2] } },
  measures: { x: { final: "ball.position.x" }, over: { event: "over" } },
  events: { over: "ball.position.x > 2.5" },
};
const scene = {
  carom: 1, time: { end: 1 }, variables: { v: 1, m: 1 },
  bodies: [{ name: "ball", mass: "$m", shape: { sphere: 0.1 }, velocity: ["$v", 0, 0] }],
};
export const files = { "thrown.json": JSON.stringify(scene), "study.json": JSON.stringify(study) };

const rows = (report) => report.page.locator(".study-table tbody tr").count();
const text = (report, selector) => report.page.locator(selector).first().textContent();

// How many pixels of a canvas are drawn at all.
const ink = (report, index) => report.ask((k) => {
  const canvas = document.querySelectorAll(".study-canvas")[k];
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((sum, value, i) => sum + (i % 4 === 3 && value > 0 ? 1 : 0), 0);
}, index);

export async function opens(report) {
  assert.equal(await text(report, ".header h1"), study.name, "names stay names");
  assert.match(await text(report, ".study-summary"), /over {2}\d+ of \d+: 0\.\d+, 95 % between/);
  assert.equal(await rows(report), 60);
  assert.deepEqual(await report.page.locator(".study-card h2").allTextContents(), ["What came of it", "Measure over a variable", "Histogram",
    "Map of two variables", "Probability of over", "A run", "All together", "Runs"]);
  for (let k = 0; k < 5; ++k) assert.ok((await ink(report, k)) > 1000, `plot ${k} is drawn`);
  const wide = await report.ask(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
  const cut = await report.ask(() => [...document.querySelectorAll(".study .badge")].filter((badge) => badge.getBoundingClientRect().right > innerWidth).length);
  assert.equal(cut, 0, "all counts are on the screen");
  const { width } = await report.page.locator(".study-wide").boundingBox();
  const axes = 4; // v, m, x, over
  assert.ok(width / axes >= 70, `axes stand apart: ${width} pixels for ${axes}`);
  assert.deepEqual(await report.page.locator(".study-legend").first().locator("span").allTextContents(),
    ["● over", "○ not over", "✕ failed, doubtful, cut off"]);
}

export async function search(report) {
  const field = report.page.locator(".p-search");
  await field.fill("failed");
  await report.rest();
  const failed = await rows(report);
  assert.ok(failed > 0 && failed < 20, `${failed} rows failed`);
  const states = new Set(await report.page.locator(".study-table tbody td:nth-child(2)").allTextContents());
  assert.deepEqual([...states], ["failed"]);
  await field.fill("");
  await report.rest();
  assert.equal(await rows(report), 60);
}

export async function order(report) {
  await report.page.locator(".study-sort", { hasText: "x [m]" }).click();
  await report.rest();
  const values = (await report.page.locator(".study-table tbody td:nth-child(5)").allTextContents()).map(Number).filter(Number.isFinite);
  assert.ok(values.length > 40 && values.every((value, k) => k === 0 || value <= values[k - 1]), "from the largest on");
}

export async function aRun(report) {
  const first = report.page.locator(".study-table tbody tr").first();
  const run = await first.locator("td").first().textContent();
  await first.click();
  await report.rest();
  assert.match(await text(report, ".study-row h2"), new RegExp(`^Run ${run}: done$`));
  assert.match(await text(report, ".study-command code"), new RegExp(`^carom sweep .+ --run ${run}$`));
  const x = await text(report, ".study-values tr:nth-child(3) td");
  const v = await text(report, ".study-values tr:nth-child(1) td");
  assert.equal(x.split("\u00a0")[0], v, "after a second it is as many metres away as its speed");
  await report.keep("chosen");
}

export async function brush(report) {
  const lines = report.page.locator(".study-wide");
  await lines.scrollIntoViewIfNeeded();
  const { x, y, height } = await lines.boundingBox();
  const { mouse } = report.page;
  await mouse.move(x + 40, y + 40); // the axis of v, from its top to the middle
  await mouse.down();
  await mouse.move(x + 40, y + height / 2, { steps: 4 });
  await mouse.up();
  await report.rest();
  const kept = await rows(report);
  assert.ok(kept > 10 && kept < 50, `${kept} rows are kept`);
  const speeds = (await report.page.locator(".study-table tbody td:nth-child(3)").allTextContents()).map(Number);
  assert.ok(Math.min(...speeds) > 2.5, "the slow ones are brushed away");
  await report.keep("brushed");
  await mouse.click(x + 40, y + height / 2);
  await report.rest();
  assert.equal(await rows(report), 60, "a press lets all in again");
}

export async function aMark(report) {
  const plot = report.page.locator(".study-canvas").first();
  await report.page.locator(".study-choosers select").first().selectOption({ label: "x" });
  await plot.scrollIntoViewIfNeeded();
  const before = await text(report, ".study-row h2");
  const { width, height } = await plot.boundingBox();
  await plot.click({ position: { x: 64 + 0.5 * (width - 76), y: 8 + 0.5 * (height - 46) } }); // x is v: marks lie on the diagonal
  await report.rest();
  assert.notEqual(await text(report, ".study-row h2"), before, "another run is looked at");
}

export async function themes(report) {
  const before = await report.ask(() => getComputedStyle(document.body).backgroundColor);
  await report.page.locator(".header-buttons button").click();
  await report.rest();
  assert.notEqual(await report.ask(() => getComputedStyle(document.body).backgroundColor), before);
  await report.keep("dark");
}

export const checks = [opens, search, order, aRun, brush, aMark, themes];
