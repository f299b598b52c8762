// Reports in a real browser: headless Chromium opens the pages that the built program writes, at the size of a desktop
// and of a phone, and does with them what people do.
//
//     tests/browser/run.sh [NAME...]      NAME: some reports only, see `journeys` below
//
// Screenshots of every state are kept in CAROM_BUILD_DIR/tests/browser. Exits with 77 (skipped) where Chromium or the
// viewer's packages are missing, and with 1 where they are and CAROM_BROWSER_REQUIRED or CI is set.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as bodies from "./check_bodies.mjs";
import * as capture from "./check_capture.mjs";
import * as compare from "./check_compare.mjs";
import * as contacts from "./check_contacts.mjs";
import * as flexible from "./check_flexible.mjs";
import * as hostile from "./check_hostile.mjs";
import * as impacts from "./check_impacts.mjs";
import * as modes from "./check_modes.mjs";
import * as every from "./check_page.mjs";
import * as panels from "./check_panels.mjs";
import * as policy from "./check_policy.mjs";
import * as study from "./check_study.mjs";
import * as time from "./check_time.mjs";
import * as views from "./check_views.mjs";
import { launchChromium, missing, root } from "./support/chromium.mjs";
import { ReportPage, sizes } from "./support/page.mjs";
import { makeResults, readH5 } from "./support/results.mjs";

const clock = [time.play, time.scrub, time.keys];
const common = [every.layout, every.help, every.themes, every.tabs];
const briefly = [every.layout, every.help, every.themes, every.tabsOpen];

// What is done with each report, in this order. `body`: one that can be pressed.
const journeys = {
  pendulum: { body: 1, checks: [...clock, time.playToTheEnd, time.camera, bodies.card, bodies.looks, bodies.jointAxes,
    bodies.hiding, panels.ledger, panels.plots, panels.units, panels.calculations, panels.choosing, panels.leavingSearch, panels.saysHowFarItCame,
    panels.sceneText, ...common, every.panelsAway, every.dropped] },
  stack: { body: 5, checks: [...clock, bodies.card, bodies.hiding, contacts.inTheScene, contacts.inThePanel,
    contacts.eventTicks, panels.ledger, panels.plots, panels.sceneText, ...common] },
  comparison: { body: 5, checks: [...clock, bodies.card, compare.table, compare.filter, compare.ghosts, compare.overlaid,
    panels.sceneText, ...common] },
  hostile: { body: 1, checks: [...clock, bodies.card, hostile.nothingComesToLife, hostile.namesAreShown,
    hostile.namesInPlots, panels.sceneText, ...common] },
  impacts: { body: 1, checks: [impacts.inThePanel, impacts.byMode, impacts.hints, ...briefly] },
  wave: { body: 1, checks: [flexible.verticesAreThoseOfTheResult, flexible.coloursFollowStress, flexible.exaggeration,
    flexible.fields, flexible.plays, flexible.picked, ...briefly] },
  crank: { body: 1, checks: [flexible.verticesAreThoseOfTheResult, flexible.exaggeration, flexible.fields, flexible.picked] },
  blocks: { body: 1, checks: [flexible.verticesAreThoseOfTheResult, flexible.fields, flexible.picked] },
  views: { body: 1, checks: [views.opensOnTheFirst, views.followsItsBody, views.othersByKeyAndButton, views.addressLeadsThere, views.copiedViewLeadsBack, ...briefly] },
  springs: { body: 1, checks: [capture.springs, capture.aPicture, capture.aFilm, ...briefly] },
  millimetres: { body: 0, checks: [panels.settingsInSi, bodies.card] },
  large: { body: 0, checks: [panels.saysThatItIsThinned, ...clock, bodies.card, panels.sceneText, ...briefly] },
  unfinished: { body: 1, checks: [panels.saysThatItHasNotEnded, ...clock, bodies.card, ...briefly] },
  "one-frame": { body: 1, checks: [panels.saysThatItHasNotEnded, time.standsStill, ...briefly] },
  "no-frames": { body: 1, checks: [panels.saysThatItHasNotEnded, time.standsStill, ...common] },
};

function leaveWithoutBrowser(lacks) {
  const isRequired = Boolean(process.env.CAROM_BROWSER_REQUIRED || process.env.CI);
  console.error(`${isRequired ? "FAILED" : "SKIPPED"}: the browser tests need ${lacks.join(" and ")}; 'tools/setup test' installs it`);
  process.exit(isRequired ? 1 : 77);
}

// The browser may still be writing to its profile when a failure ends this process; what is left is for the system.
function cleanUp() {
  try {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    console.error(`left behind: ${error.message}`);
  }
}

const pictureNames = (folder) => readdirSync(folder).filter((name) => name.endsWith(".png"));

// Without the pictures of the last time; whatever else is there, such as files of CMake, stays.
function folderForPictures(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of pictureNames(folder)) rmSync(join(folder, name));
  return folder;
}

const mostFailures = 3; // a page that is so broken need not be tried further: each trial waits long

// One check after the other on the same page. What fails is kept as a picture, and the others are tried all the same.
async function travel(t, report, { checks }, facts) {
  let failures = 0;
  for (const check of [...checks, every.quiet]) {
    if (failures >= mostFailures) return t.diagnostic(`left out after ${failures} failures: ${check.name} and what follows`);
    await t.test(check.name, async () => {
      try {
        await check(report, facts);
      } catch (error) {
        ++failures;
        await report.keep(`FAILED-${check.name}`).catch(() => {});
        await report.reset().catch(() => {});
        throw error;
      }
    });
  }
}

async function visit(t, browser, name, size, made, pictures) {
  const journey = journeys[name];
  const h5s = await made.h5s;
  const report = await ReportPage.open(browser, made.page, size, pictures, name);
  try {
    await report.keep("opened");
    await travel(t, report, journey, { h5: h5s[0], h5s, body: journey.body, scene: made.scene });
  } finally {
    await report.close();
  }
}

const lacks = missing();
if (lacks.length > 0) leaveWithoutBrowser(lacks);

const scratch = mkdtempSync(join(tmpdir(), "carom-browser-"));
process.env.TMPDIR = scratch; // the browser's profile, too
process.on("exit", cleanUp);
const pictures = folderForPictures(join(process.env.CAROM_BUILD_DIR || join(root, "build"), "tests", "browser"));
const [browser, results] = await Promise.all([launchChromium(), makeResults(join(scratch, "results"))]);
after(async () => {
  await browser.close();
  console.log(`${pictureNames(pictures).length} pictures in ${pictures}`);
});

const wanted = process.argv.slice(2);
for (const name of Object.keys(journeys).filter((key) => wanted.length === 0 || wanted.includes(key))) {
  const made = results[name];
  made.h5s = Promise.all(made.results.map(readH5));
  // Both sizes at the same time: one computes while the other waits for a clock or an answer.
  test(name, { concurrency: 2 }, (t) => Promise.all(Object.keys(sizes).map((size) => t.test(size, (s) => visit(s, browser, name, size, made, pictures)))));
}

test("modes of a body", async (t) => {
  const report = await ReportPage.open(browser, results.modes.page, "desktop", pictures, "modes");
  await t.test("swing one at a time", () => modes.swing(report));
  await t.test("are told with their numbers", () => modes.numbers(report));
  await t.test("quiet", () => every.quiet(report));
  await report.close();
});

for (const size of wanted.length === 0 || wanted.includes("study") ? Object.keys(sizes) : []) {
  test(`a study, ${size}`, async (t) => {
    const report = await ReportPage.open(browser, results.study.page, size, pictures, `study-${size}`);
    for (const check of [...study.checks, every.quiet]) await t.test(check.name, () => check(report));
    await report.close();
  });
}

test("the page's own policy", async (t) => {
  await t.test("the data is armoured", () => hostile.dataIsArmoured(results.hostile.page));
  const report = await ReportPage.open(browser, results["one-frame"].page, "desktop", pictures, "policy");
  await t.test("forbids the network", () => policy.forbidsTheNetwork(report));
  await report.close();
});
