// A page of modes: a press lets a mode swing, and it swings until another is chosen.
import { assert, assertChanged } from "./support/check.mjs";

export async function swing(report) {
  assert.deepEqual(await report.tabs(), ["modes"]);
  await report.keep("opened");
  const first = await report.scenePicture();
  await report.press(".p-modes tbody tr:nth-child(2) td");
  await report.until(() => window.carom.store.time > 1.5);
  await report.until(() => window.carom.store.time < 1.5); // around
  // Also where frames end within rounding of its end, as sixtieths of a second do.
  await report.ask(() => {
    const { store } = window.carom;
    [store.speed, window.usualSpeed] = [2e-8, store.speed];
    store.setTime(2 - 1.1 * store.rounding);
  });
  await report.until(() => window.carom.store.time < 1.5);
  await report.ask(() => (window.carom.store.speed = window.usualSpeed));
  const time = await report.time();
  assert.ok(time >= 1 && time < 2, `mode 2 swings at ${time}`);
  await report.key("Space");
  await report.key("n");
  assert.equal(await report.time(), 2.25);
  assert.equal(await report.ask(() => document.querySelector(".p-modes [aria-current] th").textContent), "3");
  assertChanged(first, await report.scenePicture(), "another mode");
  await report.key("Shift+N");
  assert.equal(await report.time(), 1.25);
}

// The node that moves most moves by a tenth of the size, 0.3 m, where the mode is bent most. Clamped at both ends: the strain there is
// radius times 28.2 / length^2 per displacement of the middle; of beams of finite elements within a per cent.
export async function numbers(report) {
  await report.ask(() => window.carom.store.setTime(0.25));
  const { places, offsets } = await report.ask(() => window.carom.view.vertices(0, 0));
  const middle = places.map((part, k) => part - offsets[k]).filter((_, k) => k % 3 === 1);
  const reach = Math.max(...middle.map(Math.abs));
  assert.ok(Math.abs(reach - 0.03) < 3e-3, `moves by ${reach} m`); // sections turn, which is left in the difference
  const strain = await report.ask(() => window.carom.store.runs[0].modes.list[0].strain);
  assert.ok(Math.abs(strain / ((1e-3 * 0.003 * 28.2) / 0.09) - 1) < 0.02, `strain ${strain} per mm`);
}
