// How fast reports open and play: headless Chromium at 1280 x 720, drawing in software.
//
//     node bench/viewer.mjs NAME=REPORT.html...
//
// Opening: from the request to the first drawn frame, median of three. Playing: frames per second, median of five seconds,
// once with the panels and once with the scene alone. Lines "name MB open_s fps fps_scene frames bodies triangles".
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launchChromium, missing } from "../tests/browser/support/chromium.mjs";

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function open(browser, file) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("html[data-ready=true]", { state: "attached", timeout: 120_000 });
  return { page, context, seconds: (performance.now() - start) / 1000 };
}

async function openingTime(browser, file) {
  const seconds = [];
  for (let k = 0; k < 3; ++k) {
    const opened = await open(browser, file);
    seconds.push(opened.seconds);
    await opened.context.close();
  }
  return median(seconds);
}

// Plays on and on, and asks each second how many frames were drawn within it.
async function framesPerSecond(page) {
  await page.keyboard.press("Home");
  await page.evaluate(() => window.carom.store.setPlaying(true));
  const rates = [];
  for (let second = 0; second < 6; ++second) {
    await page.waitForTimeout(1000);
    rates.push(await page.evaluate(() => window.carom.fps()));
    await page.evaluate(() => window.carom.store.setPlaying(true)); // it may have come to the end
  }
  await page.evaluate(() => window.carom.store.setPlaying(false));
  return median(rates.slice(1)); // the first second finds out how finely it can draw
}

async function measure(browser, name, file) {
  const seconds = await openingTime(browser, file);
  const { page, context } = await open(browser, file);
  await page.keyboard.press("l"); // repeat
  const withPanels = await framesPerSecond(page);
  await page.click(".dock-toggle");
  const sceneAlone = await framesPerSecond(page);
  const [frames, bodies, triangles] = await page.evaluate(() => {
    const [run] = window.carom.store.runs;
    return [run.frames.shown, run.bodies.length, run.triangles.shown];
  });
  await context.close();
  const size = statSync(file).size / 1e6;
  console.log(name, size.toFixed(1), seconds.toFixed(2), withPanels.toFixed(0), sceneAlone.toFixed(0), frames, bodies, triangles);
}

const lacks = missing();
if (lacks.length > 0) {
  console.error(`bench/viewer.mjs needs ${lacks.join(" and ")}`);
  process.exit(1);
}
const scratch = mkdtempSync(join(tmpdir(), "carom-bench-"));
process.env.TMPDIR = scratch;
const browser = await launchChromium();
try {
  for (const argument of process.argv.slice(2)) {
    const [name, file] = argument.split("=");
    await measure(browser, name, file);
  }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}
