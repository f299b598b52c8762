// A comparison: the table of differences, ghosts in the scene, signals over each other.
import { assert, assertChanged, assertSame, assertUnchanged, length } from "./support/check.mjs";

const finalStates = { position: "xyz", velocity: "xyz", angular_velocity: "xyz" };

// Components that are rounding beside the whole vector are set to zero in the table; all others are sent in full.
function compareState(shown, vector, k, what) {
  const isNear = typeof shown === "number" && Math.abs(shown - vector[k]) <= 1e-12 * length(vector);
  assert.ok(isNear, `${what}: the table shows ${shown}, result.h5 has ${vector[k]}`);
}

export async function table(report, { h5, h5s }) {
  await report.openTab("compare");
  const rows = await report.ask(() => Object.fromEntries(Array.from(document.querySelectorAll("#panel-compare tbody tr:not(.p-group-row)"), (row) => [
    row.querySelector("th bdi").textContent,
    Array.from(row.querySelectorAll("td[data-run]"), ({ dataset }) => (dataset.value === "" ? null : Number(dataset.value))),
  ])));
  const sent = await report.ask(() => window.carom.store.data.report.comparison.rows.length);
  assert.equal(Object.keys(rows).length, sent, "rows of the table");
  let compared = 0;
  h5["bodies/name"].forEach((name, body) => {
    if (h5["bodies/role"][body] !== "free") return;
    for (const [quantity, parts] of Object.entries(finalStates)) {
      h5s.forEach((result, run) => {
        const vector = result[`bodies/${quantity}`].at(-1)[body];
        [...parts].forEach((part, k) => compareState(rows[`${name}.${quantity}.${part}`]?.[run], vector, k, `${name}.${quantity}.${part} of run ${run}`));
        compared += parts.length;
      });
    }
  });
  h5s.forEach((result, run) => assertSame(rows["energy.kinetic"]?.[run], result["ledger/energy.kinetic"].at(-1), `energy.kinetic of run ${run}`));
  assert.ok(compared >= 90, `only ${compared} numbers could be compared`);
}

export async function filter(report) {
  await report.openTab("compare");
  const count = () => report.page.locator("#panel-compare tbody tr:not(.p-group-row)").count();
  const all = await count();
  await report.page.fill("#panel-compare input[type=search]", "box[4].position");
  assert.equal(await count(), 3, "rows of a body's position");
  await report.page.fill("#panel-compare input[type=search]", "");
  await report.press("#panel-compare button:has-text('Only differences')");
  const differing = await count();
  assert.ok(differing > 0 && differing < all, `${differing} of ${all} rows differ`);
  await report.press("#panel-compare button:has-text('Only differences')");
}

export async function ghosts(report) {
  await report.reset();
  await report.key("End");
  const both = await report.scenePicture();
  await report.keep("ghosts");
  const boxes = report.page.locator(".run-legend input");
  assert.equal(await boxes.count(), 2);
  for (const run of [1, 0]) {
    await boxes.nth(run).setChecked(false);
    assertChanged(both, await report.scenePicture(), `without run ${run}`);
    await report.keep(`without-run-${run}`);
    await boxes.nth(run).setChecked(true);
    assertUnchanged(both, await report.scenePicture(), `run ${run} shown again`);
  }
}

// Each signal has a value per run.
export async function overlaid(report, { h5s }) {
  await report.reset();
  await report.openTab("plots");
  await report.key("End");
  await report.nextFrame();
  const cells = await report.ask(() => Array.from(document.querySelectorAll("#panel-plots [data-run]"), ({ dataset }) => ({ ...dataset })));
  const names = new Set(cells.map((cell) => cell.signal));
  assert.ok(names.size > 0 && cells.length === 2 * names.size, `${cells.length} values of ${names.size} signals`);
  for (const { signal, run, value } of cells) {
    const result = h5s[Number(run)];
    const column = result["signals/name"].indexOf(signal);
    if (column >= 0) assertSame(Number(value), result["signals/value"].at(-1)[column], `${signal} of run ${run}`);
  }
}
