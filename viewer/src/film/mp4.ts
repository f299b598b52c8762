// Pictures in H.264 as an MP4 file (ISO 14496-12, 14496-15): one track, its samples in one block, the index before them, so that a film
// begins to play while it is still loaded.
import { big, joined, text, type FilmSize, type Part, type Sample } from "./bytes";

const ticks = 1000; // per second and frame: the rate may be any number with three decimals

function box(name: string, ...parts: Part[]): Uint8Array {
  const body = joined(...parts);
  return joined(big(body.length + 8, 4), text(name), body);
}

// With version and flags.
function fullBox(name: string, flags: number, ...parts: Part[]): Uint8Array {
  return box(name, big(flags, 4), ...parts);
}

const zeros = (count: number): number[] => new Array<number>(count).fill(0);

// 16.16 numbers: the unit matrix.
const matrix = [...big(0x10000, 4), ...zeros(12), ...big(0x10000, 4), ...zeros(12), ...big(0x40000000, 4)];

function sampleTable(samples: Sample[], { width, height }: FilmSize, description: Uint8Array, offset: number): Uint8Array {
  const keys = samples.flatMap(({ isKey }, k) => (isKey ? [k + 1] : []));
  const codec = box(
    "avc1", zeros(6), big(1, 2), zeros(16), big(width, 2), big(height, 2), big(0x480000, 4), big(0x480000, 4), zeros(4), big(1, 2), zeros(32),
    big(24, 2), [255, 255], box("avcC", description),
  );
  return box(
    "stbl",
    fullBox("stsd", 0, big(1, 4), codec),
    fullBox("stts", 0, big(1, 4), big(samples.length, 4), big(ticks, 4)),
    fullBox("stss", 0, big(keys.length, 4), keys.flatMap((key) => big(key, 4))),
    fullBox("stsc", 0, big(1, 4), big(1, 4), big(samples.length, 4), big(1, 4)),
    fullBox("stsz", 0, big(0, 4), big(samples.length, 4), samples.flatMap(({ data }) => big(data.length, 4))),
    fullBox("stco", 0, big(1, 4), big(offset, 4)),
  );
}

function movie(samples: Sample[], size: FilmSize, description: Uint8Array, offset: number): Uint8Array {
  const scale = Math.round(size.fps * ticks);
  const duration = big(samples.length * ticks, 4);
  const header = fullBox("mvhd", 0, zeros(8), big(scale, 4), duration, big(0x10000, 4), big(0x100, 2), zeros(10), matrix, zeros(24), big(2, 4));
  const track = fullBox(
    "tkhd", 3, zeros(8), big(1, 4), zeros(4), duration, zeros(8), zeros(8), matrix, big(size.width * 65536, 4), big(size.height * 65536, 4),
  );
  const media = box(
    "mdia",
    fullBox("mdhd", 0, zeros(8), big(scale, 4), duration, big(0x55c4, 2), zeros(2)),
    fullBox("hdlr", 0, zeros(4), text("vide"), zeros(12), text("carom"), [0]),
    box(
      "minf",
      fullBox("vmhd", 1, zeros(8)),
      box("dinf", fullBox("dref", 0, big(1, 4), fullBox("url ", 1))),
      sampleTable(samples, size, description, offset),
    ),
  );
  return box("moov", header, box("trak", track, media));
}

// `description`: the decoder's configuration as the encoder gives it.
export function mp4File(samples: Sample[], size: FilmSize, description: Uint8Array): Uint8Array<ArrayBuffer> {
  const type = box("ftyp", text("isom"), big(0x200, 4), text("isomiso2avc1mp41"));
  const before = type.length + movie(samples, size, description, 0).length + 8;
  const data = joined(...samples.map((sample) => sample.data));
  return joined(type, movie(samples, size, description, before), big(data.length + 8, 4), text("mdat"), data);
}
