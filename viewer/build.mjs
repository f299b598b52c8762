// Makes the page: bundles src/main.ts and the style sheets into one HTML file with a place for the data.
//
//   node build.mjs OUTPUT.html
//
// The program splits the file at the only @CAROM_DATA@ in it and writes the data between the halves. The copyright
// notices of three.js and uPlot (MIT) stay in the file, as their licences ask.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const token = "@CAROM" + "_DATA@";

const common = { bundle: true, write: false, minify: true, target: "es2020", logLevel: "warning", absWorkingDir: here };

async function bundleOf(entry, options) {
  const result = await build({ ...common, entryPoints: [entry], ...options });
  return result.outputFiles[0].text;
}

function licenceOf(name) {
  const folder = join(here, "node_modules", name);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  return `${name} ${version}\n\n${text}`;
}

// Nothing may be loaded from anywhere: the data comes with the page, pictures only from the page itself.
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; " +
  "base-uri 'none'; form-action 'none'";

// The program may meet "</script" nowhere but at the end of an element.
const forScript = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const forStyle = (text) => text.replaceAll("</style", "<\\/style");

function pageOf(script, style) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="referrer" content="no-referrer">
<title>carom</title>
<link rel="icon" href="data:,">
<!--
This page contains:

${["three", "uplot"].map(licenceOf).join("\n\n").replaceAll("--", "- -")}
-->
<style>${forStyle(style)}</style>
</head>
<body>
<div id="app"><p class="loading">Reading the results ...</p></div>
<noscript>This page needs JavaScript to show its results.</noscript>
<script id="carom-data" type="text/plain">${token}</script>
<script>${forScript(script)}</script>
</body>
</html>
`;
}

async function main() {
  const output = process.argv[2];
  if (!output) throw new Error("usage: node build.mjs OUTPUT.html");
  const script = await bundleOf("src/main.ts", { format: "iife", legalComments: "none" });
  const style = await bundleOf("styles/main.css", { legalComments: "none" });
  const page = pageOf(script, style);
  if (page.split(token).length !== 2) throw new Error(`${token} must occur exactly once in the page`);
  writeFileSync(output, page);
  process.stdout.write(`${output}: ${(page.length / 1024).toFixed(0)} KiB\n`);
}

await main();
