// What every report keeps, whatever it shows: layout, tabs, themes, help.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assert } from "./support/check.mjs";
import { brightness } from "./support/png.mjs";

export async function layout(report) {
  const { scroll, inner } = await report.ask(() => ({ scroll: document.scrollingElement.scrollWidth, inner: innerWidth }));
  assert.ok(scroll <= inner, `the page is ${scroll} px wide in a window of ${inner} px`);
  assert.deepEqual(await coveredPlaces(report, ".timeline"), [], "covered parts of the time line");
  if (report.isPhone) assert.deepEqual(await smallControls(report), [], "controls too small for a finger");
}

// Points of a part of the page where something else lies on top, and controls in it that lie on each other.
export function coveredPlaces(report, selector) {
  return report.ask((part) => {
    const root = document.querySelector(part);
    const { left, top, width, height } = root.getBoundingClientRect();
    const found = [];
    const nameOf = (element) => `${element?.tagName}.${element?.className?.baseVal ?? element?.className}`;
    const step = 8; // [px]
    for (let y = step / 2; y < height; y += step) {
      for (let x = step / 2; x < width; x += 3 * step) {
        const element = document.elementFromPoint(left + x, top + y);
        if (!root.contains(element)) found.push(`${nameOf(element)} at ${x}, ${y}`);
      }
    }
    for (const control of root.querySelectorAll("button, select, .scrub")) {
      const box = control.getBoundingClientRect();
      const element = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (!control.contains(element)) found.push(`${nameOf(control)} lies under ${nameOf(element)}`);
    }
    return found;
  }, selector);
}

const finger = 32; // [px] height and width at least

// Times in tables that can be pressed count as links in a text: they are as high as their line.
function smallControls(report) {
  return report.ask((least) => {
    const controls = Array.from(document.querySelectorAll("button:not(.p-link), select, [role=tab], .scrub"));
    const seen = controls.filter((control) => control.checkVisibility() && control.offsetWidth > 0);
    return seen
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.height < least - 0.5 || box.width < least - 0.5)
      .map(({ control, box }) => {
        const name = (control.getAttribute("aria-label") ?? control.textContent).slice(0, 30);
        return `${control.className} "${name}": ${box.width.toFixed(0)} x ${box.height.toFixed(0)}`;
      });
  }, finger);
}

// Each tab opens, fills, and stays inside the window.
export async function tabs(report) {
  await openTabs(report, (id) => report.keep(`tab-${id}`));
}

// The same without pictures, for reports whose panels look like those of others.
export async function tabsOpen(report) {
  await openTabs(report, () => {});
}

async function openTabs(report, onOpen) {
  for (const id of await report.tabs()) {
    await report.openTab(id);
    const panel = await report.ask((name) => {
      const root = document.getElementById(`panel-${name}`);
      const overflow = document.scrollingElement.scrollWidth - innerWidth;
      return { text: root.textContent.trim(), error: root.querySelector(".panel-error")?.textContent ?? null, overflow };
    }, id);
    assert.equal(panel.error, null, `tab ${id}`);
    assert.ok(panel.text.length > 20, `tab ${id} is empty: "${panel.text}"`);
    assert.ok(panel.overflow <= 0, `tab ${id} makes the page ${panel.overflow} px too wide`);
    if (report.isPhone) assert.deepEqual(await smallControls(report), [], `tab ${id}: controls too small for a finger`);
    await onOpen(id);
  }
}

export async function themes(report) {
  const light = brightness(await report.keep("light"));
  await report.press("[aria-label^='Light or dark']");
  await report.page.waitForSelector("html[data-theme=dark]", { state: "attached" });
  const dark = brightness(await report.keep("dark"));
  assert.ok(dark < 0.5 * light, `mean brightness ${light.toFixed(0)} in the light theme, ${dark.toFixed(0)} in the dark one`);
  await report.key("t");
  await report.page.waitForSelector("html[data-theme=light]", { state: "attached" });
}

export async function help(report) {
  await (report.isPhone ? report.press("[aria-label^='Keys and help']") : report.key("?"));
  await report.page.waitForSelector(".help", { state: "visible" });
  const text = await report.page.locator(".help").innerText();
  for (const word of ["Space", "Home", "End", "wireframe", "force arrows"]) assert.ok(text.includes(word), `the help lacks "${word}"`);
  await report.keep("help");
  await report.key("Escape");
  await report.page.waitForSelector(".help", { state: "hidden" });
}

export async function quiet(report) {
  await report.nextFrame();
  assert.deepEqual(report.complaints, [], "what the page complained about or asked for");
}

const dockWidth = (report) => report.ask(() => document.querySelector(".dock").offsetWidth);

// D hides the panels and shows them again, Tab with the pointer in the scene; elsewhere Tab leads from control to control.
export async function panelsAway(report) {
  await report.reset();
  await report.ask(() => document.activeElement.blur());
  const width = await dockWidth(report);
  assert.ok(width > 0);
  await report.key("d");
  assert.equal(await dockWidth(report), 0, "D hides the panels");
  await report.key("d");
  assert.equal(await dockWidth(report), width, "and shows them again");
  if (report.isPhone) return;
  const { x, y, width: across } = await report.box("canvas.scene");
  await report.page.mouse.move(x + across / 2, y + 40);
  await report.key("Tab");
  assert.equal(await dockWidth(report), 0, "Tab does the same in the scene");
  await report.key("Tab");
  await report.page.mouse.move(x + across / 2, 5);
  await report.key("Tab");
  assert.equal(await dockWidth(report), width);
  assert.ok(await report.ask(() => document.activeElement !== document.body), "Tab reaches a control");
  await report.ask(() => document.activeElement.blur());
}

function drop(report, name, text) {
  return report.ask(([file, content]) => {
    const files = new DataTransfer();
    files.items.add(new File([content], file));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
  }, [name, text]);
}

// A dropped page is shown in place of this one; what is none is refused, and its scripts do not run. Comes last: afterwards the page is another.
export async function dropped(report) {
  await report.reset();
  const text = readFileSync(fileURLToPath(report.address), "utf8");
  const title = await report.page.title();
  const evil = "<script>window.evil = 1</script>";
  await drop(report, "notes.html", `${evil} not a page of carom`);
  await report.page.waitForSelector(".drop-hint:has-text('holds no results')", { state: "visible" });
  await drop(report, "evil.html", text.replace('type="text/plain">', `type="text/plain">${evil.replace("</script>", "")}`));
  await report.page.waitForSelector(".drop-hint:has-text('evil.html')", { state: "visible" });
  await report.ask(() => (window.carom.isOld = true));
  await report.key("End");
  await drop(report, "report.html", evil + text);
  await report.page.waitForFunction(() => window.carom && !window.carom.isOld && document.documentElement.dataset.ready === "true");
  assert.equal(await report.page.title(), title);
  assert.equal(await report.ask(() => window.evil), undefined, "scripts of the dropped file do not run");
  const before = await report.clock();
  await report.key("ArrowRight");
  assert.equal((await report.clock()).frame, before.frame + 1, "keys work once, not twice");
}
