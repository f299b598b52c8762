// Makes the pictures of the documentation: photographs of reports in headless Chromium, plots, figures of papers.
//
//   node pictures.mjs PROGRAM RESULTS PICTURES [NAME...]     into PICTURES/NAME.png; all pictures without a NAME
//
// RESULTS receives the results that the pictures need; those that are there already are taken as they are. Cameras are
// moved as people move them, by keys and mouse, so that a picture shows what everybody can get to see.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launchChromium, missing } from "../tests/browser/support/chromium.mjs";
import { examples, pages, papers, plots, runs } from "./picture_list.mjs";
import { smaller } from "./picture_png.mjs";

const scenes = join(dirname(fileURLToPath(import.meta.url)), "..", "examples", "scenes");
const [program, results, folder, ...asked] = process.argv.slice(2);
const patience = 60_000; // [ms] on a machine that has much else to do
const scene = { width: 500, height: 400 }; // CSS pixels of the two halves of an example's picture
const plot = { width: 460, height: 400 };
const scale = 1.25;

function carom(...words) {
  execFileSync(program, words, { cwd: results, stdio: ["ignore", "ignore", "inherit"] });
}

// ---- Results --------------------------------------------------------------------------------------------------------

// The folder of a run: an example as it is, or with the changes of `runs`.
function resultOf(name) {
  const { scene: example = name, words = [] } = runs[name] ?? {};
  if (!existsSync(join(results, name, "summary.json"))) carom("run", join(scenes, `${example}.json`), ...words, "-o", name, "-q");
  return name;
}

function reportOf({ result, compare, modes, title }) {
  if (modes) {
    carom("modes", join(scenes, `${modes[0]}.json`), modes[1], "-o", `${modes.join("-")}-modes`);
    return join(results, `${modes.join("-")}-modes`, "modes.html");
  }
  if (!compare) return join(results, resultOf(result), "report.html");
  const page = `${compare.join("-and-")}.html`;
  carom("compare", ...compare.map(resultOf), "-o", page, "-q", ...(title ? ["--title", title] : []));
  return join(results, page);
}

function plotOf(name, words) {
  const file = `${name}.svg`;
  const millimetres = (pixels) => ((pixels * 25.4) / 96).toFixed(2);
  carom("plot", resultOf(name), "-o", file, "--width", millimetres(plot.width), "--height", millimetres(plot.height - 16), ...words);
  return readFileSync(join(results, file), "utf8");
}

// ---- Reports --------------------------------------------------------------------------------------------------------

async function openReport(browser, file, { size, dark = false, isPhone = false, density = scale, style = "" }) {
  const context = await browser.newContext({
    viewport: size, deviceScaleFactor: density, isMobile: isPhone, hasTouch: isPhone,
    colorScheme: dark ? "dark" : "light", reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.addInitScript((text) => {
    addEventListener("DOMContentLoaded", () => document.head.append(Object.assign(document.createElement("style"), { textContent: text })));
  }, style);
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("html[data-ready=true]", { state: "attached" });
  return page;
}

function drawn(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// The scene is drawn coarsely while it moves and finely when it has stood still for a while.
async function rest(page) {
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  await page.waitForFunction(() => {
    const canvas = document.querySelector("canvas.scene");
    return canvas.width > 1.9 * canvas.clientWidth;
  });
  await drawn(page);
}

// How things are shown, and when.
async function arrange(page, { at, show = {}, hide = [], signals, trail }) {
  await page.evaluate(
    (wish) => {
      const { store } = window.carom;
      const bodyOf = (name) => store.runs[0].bodies.findIndex((body) => body.name === name);
      Object.assign(store.display, wish.show, wish.trail ? { trails: true } : {});
      for (const name of wish.hide) store.display.hidden.add(`0:${bodyOf(name)}`);
      store.emit("display");
      if (wish.signals) store.signals = wish.signals;
      if (wish.signals) store.emit("signals");
      if (wish.trail) store.select({ run: 0, body: bodyOf(wish.trail) });
      const times = Array.from(store.frameTimes(0)); // a recorded frame: contacts are known there, not between
      store.setTime(times.reduce((best, time) => (Math.abs(time - wish.at) < Math.abs(best - wish.at) ? time : best)));
    },
    { at, show, hide, signals, trail },
  );
  await drawn(page);
}

async function middle(page) {
  const { x, y, width, height } = await page.locator("canvas.scene").boundingBox();
  return { x: x + width / 2, y: y + height / 2, height };
}

async function drag(page, button, dx, dy) {
  const { x, y } = await middle(page);
  await page.mouse.move(x, y);
  await page.mouse.down({ button });
  await page.mouse.move(x + dx, y + dy);
  await page.mouse.up({ button });
}

// A whole turn is a drag of the scene's height, times the speed that the page has set.
async function turn(page, [right, up]) {
  const perDegree = (await middle(page)).height / 360 / 0.9;
  await drag(page, "left", -right * perDegree, up * perDegree);
}

// A notch of the wheel (100) is a step of 5 %.
async function zoom(page, factor) {
  const { x, y } = await middle(page);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, (100 * Math.log(factor)) / Math.log(0.95));
}

const viewKeys = { front: "1", back: "2", left: "3", right: "4", top: "5", bottom: "6", isometric: "0" };

// `frame`: a body to look at; `look`: a standard view; `turn` [degrees], `zoom`, `shift` [pixels]: from there.
async function aim(page, wish) {
  if (wish.frame) await arrange(page, { at: wish.at, trail: wish.frame, show: { trails: false } });
  await page.keyboard.press("f");
  if (wish.frame && !wish.trail) await page.keyboard.press("Escape");
  if (wish.look) await page.keyboard.press(viewKeys[wish.look]);
  if (wish.turn) await turn(page, wish.turn);
  if (wish.zoom) await zoom(page, wish.zoom);
  if (wish.shift) await drag(page, "right", ...wish.shift);
  await page.mouse.move(1, 1);
  await drawn(page);
}

// ---- Pictures -------------------------------------------------------------------------------------------------------

const sceneAlone = `.header, .dock, .splitter, .timeline, .card, .stage-tools { display: none !important }
  #app { display: block !important }
  .stage { position: fixed !important; inset: 0; border: 0 !important; background: #f1f4f7 !important }`; // plain: half the size

function seconds(time) {
  return `t = ${Number(time.toPrecision(3))} s`;
}

// The moving scene at one time, and its main signals beside it.
function composed(photograph, drawing, time) {
  const data = (type, bytes) => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
  return `<!doctype html><style>
    body { margin: 0; display: flex; background: #fff; font: 13px "DejaVu Sans", sans-serif; color: #4a5463 }
    figure { margin: 0; position: relative } figcaption { position: absolute; left: 12px; top: 9px }
    .plot { margin: 8px 0 } img { display: block }
  </style>
  <figure><img src="${data("image/png", photograph)}" width="${scene.width}" height="${scene.height}">
    <figcaption>${seconds(time)}</figcaption></figure>
  <img class="plot" src="${data("image/svg+xml", drawing)}" width="${plot.width}" height="${plot.height - 16}">`;
}

async function examplePicture(browser, name) {
  const wish = examples[name];
  const report = await openReport(browser, reportOf({ result: name }), { size: scene, style: sceneAlone });
  await aim(report, wish);
  await arrange(report, wish);
  await rest(report);
  const photograph = await report.screenshot();
  await report.context().close();
  const page = await browser.newPage({ viewport: { width: scene.width + plot.width, height: scene.height }, deviceScaleFactor: scale });
  await page.setContent(composed(photograph, plotOf(name, wish.plot), wish.at), { waitUntil: "load" });
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

// A report as it is on the screen.
async function pagePicture(browser, name) {
  const wish = pages[name];
  const page = await openReport(browser, reportOf(wish), wish);
  if (wish.tab) await page.locator(`#tab-${wish.tab}`).click();
  await aim(page, wish);
  await arrange(page, wish);
  if (wish.press) await page.keyboard.press(wish.press);
  if (wish.scroll) await page.locator(wish.scroll).first().evaluate((element) => element.scrollIntoView({ block: "start" }));
  await rest(page);
  const picture = await (wish.part ? page.locator(wish.part).screenshot() : page.screenshot());
  await page.context().close();
  return picture;
}

function plotPicture(name) {
  const { results: shown, words } = plots[name];
  carom("plot", ...shown.map(resultOf), "-o", `${name}.png`, ...words);
  return readFileSync(join(results, `${name}.png`));
}

function paperPicture(name) {
  const { paper, item, figure } = papers[name];
  const folder = `paper-${paper}-${item.replaceAll(" ", "-")}`;
  if (!existsSync(join(results, folder, "summary.json"))) carom("papers", String(paper), "--item", item, "-o", folder);
  return readFileSync(join(results, folder, `${figure}.png`));
}

async function pictureOf(browser, name) {
  if (name in examples) return examplePicture(browser, name);
  if (name in pages) return pagePicture(browser, name);
  return name in papers ? paperPicture(name) : plotPicture(name);
}

async function main() {
  const known = [examples, pages, plots, papers].flatMap((list) => Object.keys(list));
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no picture is called '${unknown[0]}'; there are: ${known.join(", ")}`);
  if (missing().length > 0) throw new Error(`missing: ${missing().join(", ")}`);
  for (const path of [results, folder]) mkdirSync(path, { recursive: true });
  const browser = await launchChromium();
  try {
    for (const name of asked.length > 0 ? asked : known) {
      const picture = smaller(await pictureOf(browser, name));
      writeFileSync(join(folder, `${name}.png`), picture);
      console.log(`${name}.png  ${(picture.length / 1024).toFixed(0)} KiB`);
    }
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(`tools/pictures: ${error.message ?? error}`);
  process.exitCode = 1;
});
