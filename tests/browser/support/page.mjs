// An open report: what a person does with it (press, drag, type, look) and what it complains about.
//
// Nothing here waits for a fixed time: numbers are waited for until they are there, pictures until the page stands still.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const sizes = {
  desktop: { viewport: { width: 1280, height: 720 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

const patience = 100_000; // [ms] five times what a machine needs that has much else to do

// What the software renderer says about itself when a screenshot reads its pixels; no word of ours.
const ofTheDriver = /GL Driver Message \(OpenGL, Performance, /;

// Runs in the page before its own script: keeps account of what the page means to do soon, frames and short timers.
function countPlans() {
  const plans = new Set();
  const soon = 500; // [ms] a picture that has come to rest is drawn once more, finely, a moment later
  const track = (askName, cancelName, isSoon) => {
    const ask = window[askName].bind(window);
    const cancel = window[cancelName].bind(window);
    window[askName] = (callback, ...rest) => {
      const id = ask((...args) => {
        plans.delete(`${askName} ${id}`);
        return callback(...args);
      }, ...rest);
      if (isSoon(...rest)) plans.add(`${askName} ${id}`);
      return id;
    };
    window[cancelName] = (id) => {
      plans.delete(`${askName} ${id}`);
      cancel(id);
    };
  };
  track("requestAnimationFrame", "cancelAnimationFrame", () => true);
  track("setTimeout", "clearTimeout", (delay = 0) => delay <= soon);
  window.plans = plans;
}

export class ReportPage {
  // `pictures`: the folder where screenshots are kept.
  static async open(browser, file, sizeName, pictures, label) {
    const context = await browser.newContext({ ...sizes[sizeName], colorScheme: "light" });
    const report = new ReportPage();
    Object.assign(report, { context, sizeName, pictures, label, complaints: [], address: pathToFileURL(file).href });
    report.isPhone = sizeName === "phone";
    report.page = await context.newPage();
    report.page.setDefaultTimeout(patience);
    await report.watch();
    await report.page.addInitScript(countPlans);
    await report.page.goto(report.address);
    await report.page.waitForSelector("html[data-ready=true]", { state: "attached" });
    await report.rest();
    return report;
  }

  // Whatever a quiet page never does goes to `complaints`.
  async watch() {
    const { page, context, complaints, address } = this;
    page.on("console", (message) => {
      const isWord = ["error", "warning"].includes(message.type());
      if (isWord && !ofTheDriver.test(message.text())) complaints.push(`console ${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`error: ${error.stack ?? error}`));
    page.on("crash", () => complaints.push("the page crashed"));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      dialog.dismiss().catch(() => {});
    });
    page.on("request", (request) => {
      const url = request.url();
      if (url !== address && !/^(data|blob):/.test(url)) complaints.push(`request: ${url.slice(0, 200)}`);
    });
    page.on("popup", () => complaints.push("a window was opened"));
    page.on("framenavigated", (frame) => {
      const place = frame.url().replace(/#.*/, ""); // moments and views are places within the page
      if (place !== address && frame.url() !== "about:blank") complaints.push(`went to ${frame.url().slice(0, 200)}`);
    });
    await context.route(/^(?!file:|data:|blob:)/, (route) => route.abort());
  }

  async close() {
    await this.context.close();
  }

  // ---- Asking the page ------------------------------------------------------------------------------------------

  ask(question, argument) {
    return this.page.evaluate(question, argument);
  }

  // Waits until the page answers yes. A page that never does says what it was asked and where it stands.
  async until(question, argument) {
    try {
      return await this.page.waitForFunction(question, argument, { timeout: patience, polling: "raf" });
    } catch (error) {
      const stands = await Promise.race([this.clock(), new Promise((done) => setTimeout(done, 5000, "no answer"))]).catch(String);
      throw new Error(`never true: ${question} (${JSON.stringify(argument)}); the page: ${JSON.stringify(stands)}; ${this.complaints.join("; ")}`, { cause: error });
    }
  }

  time() {
    return this.ask(() => window.carom.store.time);
  }

  clock() {
    return this.ask(() => {
      const { store } = window.carom;
      return { time: store.time, start: store.start, end: store.end, playing: store.playing, frame: store.frameAt(0), frames: store.runs[0].frames };
    });
  }

  // The times of the frames of a run that the page has.
  frameTimes(run = 0) {
    return this.ask((index) => Array.from(window.carom.store.frameTimes(index)), run);
  }

  // Values of the running numbers below `scope` by name, as the page holds them in full; null: none.
  async numbers(scope) {
    await this.nextFrame();
    return this.ask((selector) => {
      const cells = Array.from(document.querySelectorAll(`${selector} [data-signal]`));
      return Object.fromEntries(cells.map(({ dataset }) => [dataset.signal, dataset.value === "" ? null : Number(dataset.value)]));
    }, scope);
  }

  // Panels follow the clock one drawn frame later.
  nextFrame() {
    return this.ask(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
  }

  // ---- Doing things ---------------------------------------------------------------------------------------------

  // A click with the mouse or a tap with a finger, on an element or on a place of the window.
  async press(target) {
    if (typeof target === "string") return this.isPhone ? this.page.tap(target) : this.page.click(target);
    return this.isPhone ? this.page.touchscreen.tap(target.x, target.y) : this.page.mouse.click(target.x, target.y);
  }

  key(name) {
    return this.page.keyboard.press(name);
  }

  async drag(from, to) {
    return this.isPhone ? this.dragFingers([{ from, to }]) : this.dragMouse(from, to);
  }

  async dragMouse(from, to) {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(to.x, to.y, { steps: 6 });
    await mouse.up();
  }

  // One or more fingers that move at the same time.
  async dragFingers(fingers) {
    const devTools = await this.context.newCDPSession(this.page);
    const steps = 6;
    const at = (share) => fingers.map(({ from, to }, id) => ({ id, x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }));
    const send = (type, touchPoints) => devTools.send("Input.dispatchTouchEvent", { type, touchPoints });
    await send("touchStart", at(0));
    for (let step = 1; step <= steps; ++step) await send("touchMove", at(step / steps));
    await send("touchEnd", []);
    await devTools.detach();
  }

  async openTab(id) {
    await this.press(`#tab-${id}`);
    await this.page.waitForSelector(`#panel-${id}:not([hidden])`);
    await this.nextFrame();
  }

  tabs() {
    return this.ask(() => Array.from(document.querySelectorAll("[role=tab]"), (tab) => tab.id.replace("tab-", "")));
  }

  // By a key where there is a keyboard, by the menu where there is none: both have to work.
  async toggleOption(option, key) {
    const before = await this.ask((name) => window.carom.store.display[name], option);
    if (this.isPhone) {
      await this.openMenu();
      await this.page.locator(`.menu [data-option=${option}]`).tap();
      await this.key("Escape");
    } else {
      await this.key(key);
    }
    await this.until(([name, old]) => window.carom.store.display[name] !== old, [option, before]);
  }

  async openMenu() {
    await this.press(".menu-button");
    await this.page.waitForSelector(".menu", { state: "visible" });
  }

  // As after opening, but for the camera and the open tab.
  async reset() {
    await this.ask(() => {
      const { store } = window.carom;
      store.setPlaying(false);
      store.select(null);
      store.display.hidden.clear();
      store.emit("display");
      store.setTime(store.start);
    });
  }

  // Where a body can be pressed; null: nowhere at this time.
  async placeOf(run, body) {
    const place = await this.ask(([r, b]) => window.carom.view.project(r, b), [run, body]);
    const top = place.visible && (await this.ask(({ x, y }) => document.elementFromPoint(x, y)?.matches("canvas.scene"), place));
    return top ? place : null;
  }

  // ---- Looking --------------------------------------------------------------------------------------------------

  box(selector) {
    return this.page.locator(selector).first().boundingBox();
  }

  // Until the page has nothing left to draw.
  rest() {
    return this.until(() => window.plans.size === 0);
  }

  // The 3D scene alone, without what lies over it.
  async scenePicture() {
    await this.rest();
    const clip = await this.box("canvas.scene");
    return this.page.screenshot({ clip, style: ".stage > :not(canvas) { visibility: hidden !important }", animations: "disabled" });
  }

  // Keeps the whole window as a picture.
  async keep(state) {
    await this.rest();
    const picture = await this.page.screenshot({ animations: "disabled" });
    writeFileSync(join(this.pictures, `${this.label}-${this.sizeName}-${state}.png`), picture);
    return picture;
  }
}
