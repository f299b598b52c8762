// The Khronos validator's verdict on glTF files, as JSON: { "file.glb": { errors, warnings, infos, hints, messages } }.
//
//     node tests/browser/validate_glb.mjs FILE...
//
// Exits with 1 when a file has errors or warnings. The package gltf-validator is taken from CAROM_NODE_MODULES, or else
// from viewer/node_modules; without it the exit code is 77.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const modules = process.env.CAROM_NODE_MODULES || join(root, "viewer", "node_modules");

let validator;
try {
  validator = createRequire(join(modules, "_.js"))(join(modules, "gltf-validator"));
} catch {
  console.error(`gltf-validator is not in ${modules}; run 'npm ci' in viewer/`);
  process.exit(77);
}

const verdicts = {};
let bad = false;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { format: "glb", maxIssues: 50 });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  verdicts[file] = {
    errors: numErrors,
    warnings: numWarnings,
    infos: numInfos,
    hints: numHints,
    messages: messages.map((m) => `${m.code} at ${m.pointer}: ${m.message}`),
    animations: report.info.animationCount,
    triangles: report.info.totalTriangleCount,
  };
  bad = bad || numErrors + numWarnings > 0;
}
console.log(JSON.stringify(verdicts, null, 2));
process.exitCode = bad ? 1 : 0;
