// The results that the pages show, made by the built program in a folder of the tests, and what result.h5 says.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./chromium.mjs";
import { files as studyFiles } from "../check_study.mjs";
import { hostileScene } from "./hostile.mjs";

const run = promisify(execFile);
const program = process.env.CAROM_BIN || join(root, "build", "bin", "carom");
const python = process.env.CAROM_PYTHON || "/usr/bin/python3"; // the one that sees Debian's h5py
const h5Script = join(root, "tests", "browser", "support", "h5.py");
export const example = (name) => join(root, "examples", "scenes", `${name}.json`);

export async function carom(...args) {
  try {
    return (await run(program, args, { timeout: 600_000 })).stdout;
  } catch (error) {
    throw new Error(`carom ${args.join(" ").slice(0, 200)}: ${error.message.slice(0, 2000)}`);
  }
}

// Every dataset of a result by its path.
export async function readH5(folder) {
  const { stdout } = await run(python, [h5Script, "dump", join(folder, "result.h5")], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

// A copy of a result that a killed run would have left: so many frames, no summary.
async function unfinished(from, folder, frames) {
  cpSync(from, folder, { recursive: true });
  for (const file of ["summary.json", "report.html"]) rmSync(join(folder, file));
  await run(python, [h5Script, "cut", join(folder, "result.h5"), String(frames)]);
  await carom("view", folder, "--no-open");
}

// A result with impacts in its events, at bodies and at a joint whose name does harm where it can, and its page.
async function withImpacts(folder, count) {
  const name = JSON.stringify("<img src=x onerror=alert(1)>");
  const changes = [`joints.elbow.name=${name}`, 'record.signals=["hinge.angle"]'].flatMap((change) => ["-s", change]);
  await carom("run", example("double-pendulum"), "-d", "2", ...changes, "-o", folder, "-q", "--no-report");
  await run(python, [h5Script, "impacts", join(folder, "result.h5"), String(count)]);
  await carom("view", folder, "--no-open");
}

// A ball that falls, in a scene of millimetres, grams and milliseconds; one time is an expression.
const millimetreScene = JSON.stringify({
  carom: 1, units: { length: "mm", mass: "g", time: "ms" }, gravity: [0, 0, -0.00981], time: { end: 250 },
  bodies: [{ name: "ball", shape: { sphere: 20 }, mass: 30, position: [0, 0, 400] }],
  record: { every: "5+5" },
});

// A view for each way to ask for one; the first opens the page.
const viewsScene = JSON.stringify({
  carom: 1, gravity: [0, 0, -9.81], time: { end: 0.4 }, contact: { method: "impact" },
  bodies: [
    { name: "floor", fixed: true, shape: { plane: [0, 0, 1] } },
    { name: "ball", mass: 1, shape: { sphere: 0.1 }, position: [0, 0, 0.5], velocity: [2, 0, 0] },
    { name: "wall", fixed: true, shape: { box: [0.2, 4, 1] }, position: [4, 0, 0.5] },
  ],
  record: { every: 0.005, signals: ["ball.position.z"] },
  view: [
    { name: "ball", look_at: "ball", from: [0.4, -2, 0.3], follow: true, at: 0.1, hide: ["wall"], show: ["paths"], plots: ["ball.velocity.x", "ball.velocity.z"] },
    { name: "running", at: 0.2, speed: 0.05, play: true },
    { look_at: "wall" },
  ],
});

function write(folder, name, text) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

// Reports by name: { page, results: [folder of each run], scene: file }. Made all at once, two processes at a time.
export async function makeResults(folder) {
  const at = (name) => join(folder, name);
  const report = (name, scene) => ({ page: join(at(name), "report.html"), results: [at(name)], scene });
  const millimetres = write(folder, "millimetres.json", millimetreScene);
  const views = write(folder, "views.json", viewsScene);
  const hostile = write(folder, "hostile.json", hostileScene());
  for (const [name, text] of Object.entries(studyFiles)) write(folder, name, text);

  await Promise.all([
    carom("run", example("double-pendulum"), "-d", "4", "-o", at("pendulum"), "-q"),
    carom("compare", example("stack"), "--methods", "compliant,none", "-d", "0.6", "-o", at("stack"), "-q"),
  ]);
  await Promise.all([
    carom("run", hostile, "-o", at("hostile"), "-q"),
    carom("modes", example("slider-crank-flexible"), "rod", "-o", at("modes")),
    carom("run", example("two-rods-wave"), "-s", "record.every=5e-6", "-s", "variables.count=60", "-o", at("wave"), "-q"),
    carom("run", example("slider-crank-flexible"), "-s", "record.every=1e-3", "-o", at("crank"), "-q"),
    carom("run", join(root, "tests", "scenes", "constraint_blocks.json"), "-o", at("blocks"), "-q"),
    carom("run", views, "-o", at("views"), "-q"),
    carom("sweep", join(folder, "study.json"), "-o", at("study"), "-q"),
    carom("run", example("spring-laws"), "-d", "0.8", "-o", at("springs"), "-q"),
    carom("run", millimetres, "-o", at("millimetres"), "-q"),
    carom("run", example("pendulum"), "-s", "record.every=0.0005", "-d", "2", "-o", at("large"), "-q"),
    unfinished(at("pendulum"), at("unfinished"), 40),
    withImpacts(at("impacts"), 300),
    unfinished(at("pendulum"), at("one-frame"), 1),
    unfinished(at("pendulum"), at("no-frames"), 0),
  ]);

  const stack = join(at("stack"), "compliant");
  return {
    pendulum: report("pendulum", example("double-pendulum")), // method none
    stack: { page: join(stack, "report.html"), results: [stack], scene: example("stack") }, // method compliant
    comparison: { page: join(at("stack"), "comparison.html"), results: [stack, join(at("stack"), "none")], scene: example("stack") },
    hostile: report("hostile", hostile),
    study: { page: join(at("study"), "report.html"), results: [] },
    modes: { page: join(at("modes"), "modes.html"), results: [] },
    wave: report("wave", example("two-rods-wave")), // bars in nodal coordinates
    crank: report("crank", example("slider-crank-flexible")), // a beam of shapes
    blocks: report("blocks", join(root, "tests", "scenes", "constraint_blocks.json")), // solids in nodal coordinates
    millimetres: report("millimetres", millimetres),
    views: report("views", views),
    springs: report("springs", example("spring-laws")),
    impacts: report("impacts", example("double-pendulum")),
    large: report("large", example("pendulum")),
    unfinished: report("unfinished", example("double-pendulum")),
    "one-frame": report("one-frame", example("double-pendulum")),
    "no-frames": report("no-frames", example("double-pendulum")),
  };
}
