// Pictures in VP9 as a WebM file (Matroska, RFC 9559): one track, a cluster for each key picture.
import { big, joined, text, type FilmSize, type Part, type Sample } from "./bytes";

// The length of an element as 8 bytes: as long as any, and no thought is spent on it.
const sizeOf = (bytes: number): number[] => [1, ...big(bytes, 7)];

function element(id: number[], ...parts: Part[]): Uint8Array {
  const body = joined(...parts);
  return joined(id, sizeOf(body.length), body);
}

const whole = (id: number[], value: number): Uint8Array => element(id, big(value, 4));

function real(id: number[], value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

function header(): Uint8Array {
  return element(
    [0x1a, 0x45, 0xdf, 0xa3],
    whole([0x42, 0x86], 1), whole([0x42, 0xf7], 1), whole([0x42, 0xf2], 4), whole([0x42, 0xf3], 8),
    element([0x42, 0x82], text("webm")), whole([0x42, 0x87], 4), whole([0x42, 0x85], 2),
  );
}

function tracks({ width, height, fps }: FilmSize): Uint8Array {
  const video = element([0xe0], whole([0xb0], width), whole([0xba], height));
  const entry = element(
    [0xae], whole([0xd7], 1), whole([0x73, 0xc5], 1), whole([0x83], 1), element([0x86], text("V_VP9")),
    whole([0x23, 0xe3, 0x83], Math.round(1e9 / fps)), video,
  );
  return element([0x16, 0x54, 0xae, 0x6b], entry);
}

// [ms] A block's time is relative to its cluster and has 16 bits: a cluster is begun anew before they run out.
const longestCluster = 30000;

function clusters(samples: Sample[], fps: number): Uint8Array[] {
  const timeOf = (k: number): number => Math.round((1000 * k) / fps);
  const out: Uint8Array[] = [];
  let first = 0;
  const end = (next: number): void => {
    const blocks = samples.slice(first, next).map(({ data, isKey }, i) =>
      element([0xa3], [0x81], big((timeOf(first + i) - timeOf(first)) & 0xffff, 2), [isKey ? 0x80 : 0], data),
    );
    out.push(element([0x1f, 0x43, 0xb6, 0x75], whole([0xe7], timeOf(first)), ...blocks));
    first = next;
  };
  samples.forEach(({ isKey }, k) => {
    if (k > first && (isKey || timeOf(k) - timeOf(first) > longestCluster)) end(k);
  });
  if (samples.length > 0) end(samples.length);
  return out;
}

export function webmFile(samples: Sample[], size: FilmSize): Uint8Array<ArrayBuffer> {
  const info = element(
    [0x15, 0x49, 0xa9, 0x66], whole([0x2a, 0xd7, 0xb1], 1000000), real([0x44, 0x89], (1000 * samples.length) / size.fps),
    element([0x4d, 0x80], text("carom")), element([0x57, 0x41], text("carom")),
  );
  return joined(header(), element([0x18, 0x53, 0x80, 0x67], info, tracks(size), ...clusters(samples, size.fps)));
}
