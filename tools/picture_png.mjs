// PNG files as small as they get: 256 colours chosen for the picture, the hardest compression.
import { deflateSync } from "node:zlib";
import { decodePng } from "../tests/browser/support/png.mjs";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, crc]);
}

function header(width, height, colorType) {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, colorType, 0, 0, 0], 8);
  return chunk("IHDR", data);
}

// ---- Colours --------------------------------------------------------------------------------------------------------

const paletteSize = 256;
const channelOf = (color, k) => (color >> (16 - 8 * k)) & 0xff;

// Each pixel as one number, and how often each occurs.
function colorsOf({ width, height, channels, data }) {
  const pixels = new Uint32Array(width * height);
  const counts = new Map();
  for (let at = 0; at < pixels.length; ++at) {
    const [red, green, blue] = data.subarray(channels * at, channels * at + 3);
    pixels[at] = (red << 16) | (green << 8) | blue;
    counts.set(pixels[at], (counts.get(pixels[at]) ?? 0) + 1);
  }
  return { pixels, counts };
}

// A set of colours: its mean, and the channel along which it spreads most. Frequent colours count by the square root,
// so that a small bright thing on a large ground keeps its colour.
function boxOf(colors, counts) {
  const weights = colors.map((color) => Math.sqrt(counts.get(color)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const over = (value) => colors.reduce((sum, color, at) => sum + weights[at] * value(color), 0) / total;
  const mean = [0, 1, 2].map((k) => over((color) => channelOf(color, k)));
  const spread = mean.map((middle, k) => total * over((color) => (channelOf(color, k) - middle) ** 2));
  const widest = spread.indexOf(Math.max(...spread));
  return { colors, mean, widest, error: colors.length > 1 ? spread[widest] : 0 };
}

// Splits the box with the largest error at its mean until there are enough (Heckbert 1982, with variances).
function boxesOf(counts) {
  const boxes = [boxOf([...counts.keys()], counts)];
  while (boxes.length < paletteSize) {
    const worst = boxes.reduce((a, b) => (b.error > a.error ? b : a));
    if (worst.error === 0) break;
    const isLow = (color) => channelOf(color, worst.widest) <= worst.mean[worst.widest];
    const [low, high] = [worst.colors.filter(isLow), worst.colors.filter((color) => !isLow(color))];
    boxes.splice(boxes.indexOf(worst), 1, boxOf(low, counts), boxOf(high, counts));
  }
  return boxes.sort((a, b) => a.mean[0] + a.mean[1] + a.mean[2] - b.mean[0] - b.mean[1] - b.mean[2]);
}

export function smaller(file) {
  const picture = decodePng(file);
  const { width, height } = picture;
  const { pixels, counts } = colorsOf(picture);
  const boxes = boxesOf(counts);
  const indexOf = new Map(boxes.flatMap(({ colors }, index) => colors.map((color) => [color, index])));
  const rows = Buffer.alloc((width + 1) * height); // each begins with 0: no filter
  pixels.forEach((color, at) => (rows[at + Math.floor(at / width) + 1] = indexOf.get(color)));
  const palette = Buffer.from(boxes.flatMap(({ mean }) => mean.map(Math.round)));
  const data = deflateSync(rows, { level: 9, memLevel: 9 });
  const chunks = [header(width, height, 3), chunk("PLTE", palette), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}
