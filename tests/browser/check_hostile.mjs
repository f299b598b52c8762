// Names and texts of users do no harm: they are shown as they are, and nothing in them comes to life.
import { readFileSync } from "node:fs";
import { assert } from "./support/check.mjs";
import { bodyNames, script } from "./support/hostile.mjs";

// Pieces of markup that were not there before can only have come out of a text.
export async function nothingComesToLife(report) {
  for (const id of await report.tabs()) await report.openTab(id);
  const found = await report.ask(() => ({
    broken: window.broken ?? null,
    images: document.images.length,
    scripts: Array.from(document.scripts, (element) => element.textContent.slice(0, 60)).filter((text) => /window\.broken|alert\(/.test(text)),
    handlers: Array.from(document.querySelectorAll("*")).filter((element) => element.hasAttribute("onerror")).length,
    frames: document.querySelectorAll("iframe, object, embed, base, form").length,
  }));
  assert.deepEqual(found, { broken: null, images: 0, scripts: [], handlers: 0, frames: 0 });
  assert.ok((await report.page.title()).startsWith(script), "the title is the text itself");
}

export async function namesAreShown(report) {
  await report.openTab("bodies");
  for (const name of Object.values(bodyNames)) {
    const count = await report.page.locator(".p-body-row bdi").evaluateAll(
      (cells, text) => cells.filter((cell) => cell.title === text && text.startsWith(cell.textContent.replace("…", ""))).length, name);
    assert.equal(count, 1, `the list shows "${name.slice(0, 60)}"`);
  }
  await report.key("End");
  await report.openTab("contacts");
  await report.ask(() => window.carom.store.select({ run: 0, body: 1 }));
  await report.keep("contacts");
  const { width } = report.page.viewportSize();
  for (const selector of [".header", ".card", ".timeline", ".dock"]) {
    const box = await report.box(selector);
    assert.ok(box.x >= -1 && box.x + box.width <= width + 1, `${selector} spans ${box.x} to ${box.x + box.width} of ${width} px`);
  }
  await report.reset();
}

// A name that ends in a search box or a plot's legend is only a name there, too.
export async function namesInPlots(report) {
  await report.openTab("plots");
  await report.press("#panel-plots button:has-text('Signals')");
  await report.page.fill("#panel-plots .p-picker input[type=search]", script);
  await report.keep("picker");
  assert.ok((await report.page.locator(".p-pick:visible").count()) > 0, "the search finds the name");
  await report.press("#panel-plots button:has-text('Signals')");
}

// The data block holds no markup at all: base64 only.
export function dataIsArmoured(page) {
  const html = readFileSync(page, "utf8");
  const blocks = html.split("<script").length - 1;
  const data = /<script id="carom-data" type="text\/plain">([^<]*)<\/script>/.exec(html);
  assert.ok(data, "the page has its data block");
  assert.match(data[1].trim(), /^[A-Za-z0-9+/=\s]*$/, "the data block is base64");
  assert.ok(!html.includes("window.broken"), "no text of the scene stands in the page as it is");
  assert.ok(blocks >= 2);
}
