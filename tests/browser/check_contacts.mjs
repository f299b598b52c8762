// Contacts: points, force arrows, their colours and scales in the scene; pairs and points in the panel.
import { assert, assertChanged, assertNear, assertUnchanged, length } from "./support/check.mjs";
import { frameOf } from "./check_bodies.mjs";

async function goToContacts(report, h5) {
  await report.reset();
  await report.key("End");
  const frame = frameOf(h5, await report.time());
  const count = h5["contacts/count"][frame];
  assert.ok(count > 0, "the last frame has contacts to look at");
  return { frame, first: h5["contacts/first"][frame], count };
}

export async function inTheScene(report, { h5 }) {
  await goToContacts(report, h5);
  const all = await report.scenePicture();
  await report.keep("contacts");
  for (const [option, key] of [["forces", "v"], ["contacts", "c"]]) {
    await report.toggleOption(option, key);
    assertChanged(all, await report.scenePicture(), `without ${option}`);
    await report.keep(`without-${option}`);
    await report.toggleOption(option, key);
    assertUnchanged(all, await report.scenePicture(), `${option} and back`);
  }
  await choices(report, all, report.isPhone ? [["forceScale", "log"]] : [["forceScale", "log"], ["contactColor", "force"]]);
}

async function choices(report, all, options) {
  const legend = () => report.page.textContent(".contact-legend");
  const before = await legend();
  for (const [option, value] of options) {
    await report.openMenu();
    const old = await report.page.inputValue(`.menu [data-option=${option}]`);
    await report.page.selectOption(`.menu [data-option=${option}]`, value);
    await report.keep(`menu-${option}`);
    await report.key("Escape");
    assertChanged(all, await report.scenePicture(), `${option} ${value}`);
    assert.notEqual(await legend(), before, `the legend follows ${option}`);
    await report.openMenu();
    await report.page.selectOption(`.menu [data-option=${option}]`, old);
    await report.key("Escape");
  }
  assertUnchanged(all, await report.scenePicture(), "all choices taken back");
}

const nameOf = (h5, body) => (body < 0 ? "ground" : h5["bodies/name"][body]);

function pairsOf(h5) {
  const pairs = new Set();
  h5["contacts/body_a"].forEach((a, row) => pairs.add([a, h5["contacts/body_b"][row]].map((body) => nameOf(h5, body)).sort().join(" | ")));
  return [...pairs].sort();
}

// All columns are in sight, or a line says that there are more.
async function pairsAreInReach(report) {
  const { beyond, isHinted } = await report.ask(() => {
    const table = document.querySelector("[aria-label='pairs of bodies that touched']");
    return { beyond: table.scrollWidth - table.clientWidth, isHinted: document.querySelector(".p-sideways").checkVisibility() };
  });
  assert.equal(isHinted, beyond > 1, `${beyond} px of the table of pairs are out of sight`);
  if (!report.isPhone) assert.ok(beyond <= 1, `the table of pairs is cut by ${beyond} px`);
}

export async function inThePanel(report, { h5 }) {
  const { first, count } = await goToContacts(report, h5);
  await report.openTab("contacts");
  const shown = await report.ask(() => Array.from(document.querySelectorAll("[aria-label='pairs of bodies that touched'] tbody tr"), (row) =>
    Array.from(row.querySelectorAll("th bdi"), (name) => name.textContent).sort().join(" | ")).sort());
  assert.deepEqual(shown, pairsOf(h5), "pairs that touched");

  assert.match(await report.page.textContent("[aria-label='Pairs'] h3"), /of all steps/, "where pairs come from");
  await pairsAreInReach(report);

  const status = await report.page.textContent("[aria-label='Touching now'] .p-aside");
  assert.match(status, new RegExp(`^${count}\\spoint`), "points that touch now");
  const rows = Array.from({ length: count }, (_, k) => first + k).map((row) => {
    const [force, normal] = [h5["contacts/force"][row], h5["contacts/normal"][row]];
    const along = force.reduce((sum, part, k) => sum + part * normal[k], 0);
    return { along, gap: h5["contacts/gap"][row], slip: length(h5["contacts/slip"][row]), size: length(force) };
  });
  rows.sort((a, b) => b.along - a.along);
  const numbers = await report.numbers("#panel-contacts");
  assertNear(numbers["contact[0].normal"], rows[0].along, "strongest normal force", rows[0].size);
  assertNear(numbers["contact[0].gap"], rows[0].gap, "its gap");
  assertNear(numbers["contact[0].slip"], rows[0].slip, "its slip");

  const groups = report.page.locator(".p-event-row.p-group .p-link");
  if ((await groups.count()) > 0) {
    const count = Number.parseInt(await report.page.locator(".p-event-row.p-group .p-kind").first().textContent(), 10);
    const pairs = new Map();
    h5["events/body_a"].forEach((a, row) => {
      const key = [Math.min(a, h5["events/body_b"][row]), Math.max(a, h5["events/body_b"][row])].join(" ");
      pairs.set(key, (pairs.get(key) ?? 0) + 1);
    });
    assert.equal(count, [...pairs.values()][0], "events of the first pair");
    await groups.first().click();
  }
  await report.page.locator(".p-event-row:not(.p-group) .p-link").first().click();
  await report.until((last) => window.carom.store.time < last, await report.ask(() => window.carom.store.end));
  const time = await report.time();
  assert.ok(h5["events/time"].includes(time), `an event takes the clock to its time, not to ${time}`);
}

// Ticks of events are drawn on the time line.
export async function eventTicks(report, { h5 }) {
  const colored = await report.ask(() => {
    const canvas = document.querySelector(".scrub-ticks");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, k) => k % 4 === 3 && value > 0).length;
  });
  assert.ok(h5["events/time"].length > 0 && colored > 20, `${colored} pixels of ticks for ${h5["events/time"].length} events`);
  const legend = await report.page.textContent(".event-legend");
  assert.ok(legend.includes("contact on"), `legend of events: ${legend}`);
}
