// Pictures as an archive, for browsers that make no films: stored, since PNGs are packed already.
import { joined, little, text } from "./bytes";

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let crc = n;
  for (let k = 0; k < 8; ++k) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

export function crc32(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) crc = table[(crc ^ byte) & 255]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

export function zipFile(files: { name: string; data: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const entries = files.map(({ name, data }) => {
    const bytes = text(name);
    const sizes = [...little(crc32(data), 4), ...little(data.length, 4), ...little(data.length, 4), ...little(bytes.length, 2), 0, 0];
    return { bytes, data, common: [20, 0, 0, 0, 0, 0, 0, 0, 33, 0, ...sizes] }; // the first day of 1980
  });
  let at = 0;
  const places = entries.map(({ bytes, data }) => {
    const place = at;
    at += 30 + bytes.length + data.length;
    return place;
  });
  const local = entries.map(({ bytes, data, common }) => joined(little(0x04034b50, 4), common, bytes, data));
  const central = entries.map(({ bytes, common }, k) =>
    joined(little(0x02014b50, 4), [20, 0], common, new Array<number>(10).fill(0), little(places[k]!, 4), bytes),
  );
  const length = central.reduce((sum, entry) => sum + entry.length, 0);
  const end = [
    ...little(0x06054b50, 4), 0, 0, 0, 0, ...little(files.length, 2), ...little(files.length, 2), ...little(length, 4), ...little(at, 4), 0, 0,
  ];
  return joined(...local, ...central, end);
}
