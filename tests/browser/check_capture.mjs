// Springs on the picture, and pictures and films that are saved.
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { assert, assertChanged } from "./support/check.mjs";

export async function springs(report) {
  await report.ask(() => window.carom.store.setTime(0.3));
  await report.rest();
  const before = await report.scenePicture();
  await report.key("s");
  await report.rest();
  const without = await report.scenePicture();
  assertChanged(before, without, "springs are gone");
  assert.equal(await report.ask(() => window.carom.store.display.springs), false);
  await report.key("s");
  await report.rest();
  assertChanged(without, await report.scenePicture(), "springs are back");
  await report.keep("springs");
}

async function saved(report, act) {
  const [download] = await Promise.all([report.page.waitForEvent("download", { timeout: 300_000 }), act()]);
  return { name: download.suggestedFilename(), data: readFileSync(await download.path()) };
}

// All chunks of a PNG with this name, joined.
function chunk(data, name) {
  const found = [];
  for (let at = 8; at < data.length; at += 12 + data.readUInt32BE(at)) {
    if (data.toString("latin1", at + 4, at + 8) === name) found.push(data.subarray(at + 8, at + 8 + data.readUInt32BE(at)));
  }
  return Buffer.concat(found);
}

export async function aPicture(report) {
  const { name, data } = await saved(report, () => report.key("i"));
  assert.match(name, /\.png$/);
  const header = chunk(data, "IHDR");
  const shown = await report.ask(() => {
    const { clientWidth: width, clientHeight: height } = document.querySelector("canvas.scene").parentElement;
    return { width, height };
  });
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  assert.ok(width >= 1600 && width % shown.width === 0, `${width} pixels of ${shown.width}`);
  assert.ok(Math.abs(height / width - shown.height / shown.width) < 2e-3);
  assert.ok(new Set(inflateSync(chunk(data, "IDAT"))).size > 20, "the picture shows something");
}

// Boxes of an MP4 file by their paths.
function boxes(data, path = "", from = 0, to = data.length, out = new Map()) {
  const folders = ["moov", "trak", "mdia", "minf", "stbl"];
  for (let at = from; at + 8 <= to; at += data.readUInt32BE(at)) {
    const name = data.toString("latin1", at + 4, at + 8);
    const end = at + data.readUInt32BE(at);
    assert.ok(end <= to && end > at, `the box ${name} fits`);
    out.set(path + name, data.subarray(at + 8, end));
    if (folders.includes(name)) boxes(data, `${path}${name}/`, at + 8, end, out);
  }
  return out;
}

// The whole run at its usual speed, thirty pictures a second, and the clock stands where it stood.
export async function aFilm(report) {
  const before = await report.ask(() => {
    window.carom.store.setTime(0.2);
    return { time: window.carom.store.time, wanted: Math.floor(((window.carom.store.end - window.carom.store.start) / window.carom.store.speed) * 30 + 1e-9) + 1 };
  });
  const { name, data } = await saved(report, () => report.press(".film-button"));
  assert.equal(await report.ask(() => window.carom.store.time), before.time);
  if (name.endsWith(".mp4")) {
    const found = boxes(data);
    const sizes = found.get("moov/trak/mdia/minf/stbl/stsz");
    const count = sizes.readUInt32BE(8);
    let sum = 0;
    for (let k = 0; k < count; ++k) sum += sizes.readUInt32BE(12 + 4 * k);
    assert.equal(count, before.wanted, "pictures");
    assert.equal(sum, found.get("mdat").length, "the index fits the data");
    const offset = found.get("moov/trak/mdia/minf/stbl/stco").readUInt32BE(8);
    assert.equal(offset, found.get("mdat").byteOffset - data.byteOffset, "and says where they are");
    assert.ok(data.readUInt32BE(offset) + 4 <= sizes.readUInt32BE(12), "units with their lengths");
  } else if (name.endsWith(".webm")) {
    assert.equal(data.readUInt32BE(0), 0x1a45dfa3);
  } else {
    assert.match(name, /\.zip$/);
    assert.equal(data.readUInt16LE(data.length - 12), before.wanted, "pictures");
  }
  // In an empty page: the policy of a report lets it play nothing.
  const other = await report.page.context().newPage();
  const plays = await other.evaluate(async ([type, base64]) => {
    if (type === "zip") return true;
    const video = document.createElement("video");
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: `video/${type}` }));
    return new Promise((resolve) => {
      video.onloadeddata = () => resolve({ width: video.videoWidth, height: video.videoHeight, duration: video.duration });
      video.onerror = () => resolve(String(video.error?.message));
    });
  }, [name.split(".").at(-1), data.toString("base64")]);
  await other.close();
  if (plays !== true) {
    assert.deepEqual([plays.width, plays.height], [1280, 720], JSON.stringify(plays));
    assert.ok(Math.abs(plays.duration - before.wanted / 30) < 0.05, `${plays.duration} s`);
  }
}
