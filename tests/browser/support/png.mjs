// Pictures as the browser gives them: PNG with 8 bits per channel, RGB or RGBA, not interlaced.
import { inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunksOf(file) {
  if (!file.subarray(0, 8).equals(signature)) throw new Error("not a PNG");
  const chunks = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    chunks.push({ type: file.toString("latin1", at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

// The neighbour (left, above, above left) that is nearest to left + above - above left; PNG specification, 9.4.
function paeth(left, above, corner) {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

// The value that a filter of PNG expects from the bytes to the left and above; 1 to 4, 0 expects nothing.
function predict(filter, left, above, corner) {
  if (filter === 1) return left;
  if (filter === 2) return above;
  return filter === 3 ? (left + above) >> 1 : paeth(left, above, corner);
}

function unfilter(raw, width, height, channels) {
  const stride = width * channels;
  const data = new Uint8Array(stride * height);
  for (let y = 0, from = 0, at = 0; y < height; ++y) {
    const filter = raw[from++];
    for (let k = 0; k < stride; ++k, ++at, ++from) {
      if (filter === 0) {
        data[at] = raw[from];
        continue;
      }
      const left = k >= channels ? data[at - channels] : 0;
      const above = y > 0 ? data[at - stride] : 0;
      const corner = k >= channels && y > 0 ? data[at - stride - channels] : 0;
      data[at] = raw[from] + predict(filter, left, above, corner);
    }
  }
  return data;
}

const decoded = new WeakMap(); // a picture is often compared with several others

// { width, height, channels, data }
export function decodePng(file) {
  if (!decoded.has(file)) decoded.set(file, decode(file));
  return decoded.get(file);
}

function decode(file) {
  const chunks = chunksOf(file);
  const header = chunks.find((chunk) => chunk.type === "IHDR").data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, color, , , interlace] = header.subarray(8);
  const channels = { 2: 3, 6: 4 }[color];
  if (depth !== 8 || !channels || interlace !== 0) throw new Error(`unexpected PNG: depth ${depth}, colour type ${color}`);
  const raw = inflateSync(Buffer.concat(chunks.filter((chunk) => chunk.type === "IDAT").map((chunk) => chunk.data)));
  return { width, height, channels, data: unfilter(raw, width, height, channels) };
}

// A channel has to differ by this much before a pixel counts as another one: less is rounding.
const noticeable = 12;

// How many pixels of two pictures of the same size differ.
export function differingPixels(one, other) {
  if (one.equals(other)) return 0;
  const [a, b] = [decodePng(one), decodePng(other)];
  if (a.width !== b.width || a.height !== b.height) return Infinity;
  let count = 0;
  for (let pixel = 0; pixel < a.width * a.height; ++pixel) {
    for (let k = 0; k < 3; ++k) {
      if (Math.abs(a.data[pixel * a.channels + k] - b.data[pixel * b.channels + k]) <= noticeable) continue;
      ++count;
      break;
    }
  }
  return count;
}

// Mean of red, green and blue, 0 to 255.
export function brightness(file) {
  const { width, height, channels, data } = decodePng(file);
  let sum = 0;
  for (let pixel = 0; pixel < width * height; ++pixel) {
    for (let k = 0; k < 3; ++k) sum += data[pixel * channels + k];
  }
  return sum / (3 * width * height);
}
