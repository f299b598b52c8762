// Pictures and films of the scene. A film steps time itself, one picture after the other, however long each takes; nothing is recorded from the
// screen. H.264 in MP4 where the browser can, else VP9 in WebM, else an archive of PNGs.
import type { View } from "../scene/view";
import type { Store } from "../store";
import type { FilmSize, Sample } from "./bytes";
import { mp4File } from "./mp4";
import { webmFile } from "./webm";
import { zipFile } from "./zip";

export interface FilmFile {
  ending: "mp4" | "webm" | "zip";
  blob: Blob;
}

const fps = 30;
const keyEvery = 60; // pictures
const mostWaiting = 8; // pictures that the encoder has not looked at yet
const mostPictures = 3000; // of an archive; 100 s

const even = (pixels: number): number => 2 * Math.round(pixels / 2);

interface Codec {
  ending: "mp4" | "webm";
  config: VideoEncoderConfig;
}

async function chooseCodec({ width, height }: FilmSize): Promise<Codec | null> {
  if (typeof VideoEncoder === "undefined") return null;
  const common = { width, height, bitrate: 8e6 * Math.max(1, (width * height) / (1280 * 720)), framerate: fps };
  const known: Codec[] = [
    { ending: "mp4", config: { ...common, codec: "avc1.640034", avc: { format: "avc" } } },
    { ending: "mp4", config: { ...common, codec: "avc1.42003e", avc: { format: "avc" } } },
    { ending: "webm", config: { ...common, codec: "vp09.00.41.08" } },
  ];
  for (const codec of known) {
    const answer = await VideoEncoder.isConfigSupported(codec.config).catch(() => null);
    if (answer?.supported) return codec;
  }
  return null;
}

// The times of a film: from the present view's beginning to the end, at the speed of the clock.
function timesOf(store: Store, from: number): number[] {
  const step = store.speed / fps;
  const count = Math.floor((store.end - from) / step + 1e-9) + 1;
  return Array.from({ length: count }, (_, k) => Math.min(from + k * step, store.end));
}

type Progress = (share: number) => boolean; // false: stop

async function encode(codec: Codec, size: FilmSize, pictures: AsyncGenerator<HTMLCanvasElement>): Promise<FilmFile> {
  const samples: Sample[] = [];
  let description = new Uint8Array();
  let failure: unknown = null;
  const encoder = new VideoEncoder({
    output: (chunk, meta) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      samples.push({ data, isKey: chunk.type === "key" });
      const given = meta?.decoderConfig?.description;
      if (given) description = new Uint8Array(given instanceof ArrayBuffer ? given.slice(0) : (given as Uint8Array<ArrayBuffer>));
    },
    error: (error) => {
      failure = error;
    },
  });
  encoder.configure(codec.config);
  let number = 0;
  for await (const canvas of pictures) {
    const frame = new VideoFrame(canvas, { timestamp: Math.round((1e6 * number) / fps), duration: Math.round(1e6 / fps) });
    encoder.encode(frame, { keyFrame: number % keyEvery === 0 });
    frame.close();
    ++number;
    while (encoder.encodeQueueSize > mostWaiting && failure === null) await new Promise((resolve) => setTimeout(resolve, 1));
    if (failure !== null) throw failure;
  }
  await encoder.flush();
  encoder.close();
  if (failure !== null) throw failure;
  const file = codec.ending === "mp4" ? mp4File(samples, size, description) : webmFile(samples, size);
  return { ending: codec.ending, blob: new Blob([file], { type: `video/${codec.ending}` }) };
}

export function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser makes no PNG"))), "image/png");
  });
}

async function archive(pictures: AsyncGenerator<HTMLCanvasElement>): Promise<FilmFile> {
  const files: { name: string; data: Uint8Array }[] = [];
  for await (const canvas of pictures) {
    const data = new Uint8Array(await (await pngOf(canvas)).arrayBuffer());
    files.push({ name: `frame-${String(files.length).padStart(6, "0")}.png`, data });
    if (files.length >= mostPictures) break;
  }
  return { ending: "zip", blob: new Blob([zipFile(files)], { type: "application/zip" }) };
}

// null: it was stopped.
export async function makeFilm(store: Store, view: View, from: number, pixels: { width: number; height: number }, progress: Progress): Promise<FilmFile | null> {
  const size = { width: even(pixels.width), height: even(pixels.height), fps };
  const times = timesOf(store, from);
  const before = store.time;
  let isStopped = false;
  async function* pictures(): AsyncGenerator<HTMLCanvasElement> {
    for (const [k, time] of times.entries()) {
      store.setTime(time);
      yield view.picture(size.width, size.height);
      await new Promise((resolve) => setTimeout(resolve, 0)); // the page stays alive
      isStopped = !progress((k + 1) / times.length);
      if (isStopped) return;
    }
  }
  store.setPlaying(false);
  try {
    const codec = await chooseCodec(size);
    const file = codec ? await encode(codec, size, pictures()) : await archive(pictures());
    return isStopped ? null : file;
  } finally {
    store.setTime(before);
  }
}
