// Finds and starts the browser: Chromium of the system, driven by playwright-core of the viewer's packages.
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const modules = process.env.CAROM_NODE_MODULES || join(root, "viewer", "node_modules");

// No graphics card is needed: ANGLE draws with SwiftShader. Nothing is fetched behind the pages' back.
const flags = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--no-first-run", "--disable-dev-shm-usage",
];

export function findChromium() {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"];
  const candidates = [process.env.CAROM_CHROMIUM, ...names.flatMap((name) => folders.map((folder) => join(folder, name)))];
  return candidates.find((file) => file && isExecutable(file)) ?? null;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function findPlaywright() {
  try {
    return createRequire(join(modules, "_.js"))(join(modules, "playwright-core"));
  } catch {
    return null;
  }
}

// What the tests need and this machine lacks, in words; empty when all is there.
export function missing() {
  const lacks = [];
  if (!findChromium()) lacks.push("Chromium (package chromium)");
  if (!findPlaywright()) lacks.push("playwright-core (npm ci in viewer/)");
  return lacks;
}

// A profile of its own, in the folder that TMPDIR names. The browser ends with this process, however that ends: it is
// held by a pipe.
export function launchChromium() {
  return findPlaywright().chromium.launch({ executablePath: findChromium(), args: flags, headless: true, timeout: 150_000 });
}
