// Unpacks the data block of the page (format.ts).
import { addDerivedSignals, derive, isDerived } from "./derived";
import type { Ref, Report } from "./format";

export type NumberArray = Float32Array | Float64Array | Uint32Array | Int32Array | Uint16Array | Int16Array;

export interface Data {
  report: Report;
  array(ref: Ref): NumberArray; // a view, no copy; derived arrays are made once
}

const views = {
  f32: Float32Array, f64: Float64Array, u32: Uint32Array, i32: Int32Array, u16: Uint16Array, i16: Int16Array,
} as const;

function bytesOfBase64(text: string): Uint8Array {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
  return await new Response(stream).arrayBuffer();
}

export async function decode(base64: string): Promise<Data> {
  const buffer = await inflate(bytesOfBase64(base64));
  const length = new DataView(buffer).getUint32(0, true);
  const report = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Report;
  if (report.format !== 1) throw new Error(`the page holds data of format ${String(report.format)}, not 1`);
  const start = Math.ceil((4 + length) / 8) * 8;
  addDerivedSignals(report);
  return { report, array: reader(buffer, start) };
}

function reader(buffer: ArrayBuffer, start: number): Data["array"] {
  const made = new Map<Ref, Float64Array>();
  const array = (ref: Ref): NumberArray => {
    if (!isDerived(ref)) return new views[ref.type](buffer, start + ref.at, ref.count);
    const known = made.get(ref);
    if (known !== undefined) return known;
    const values = derive(ref, array);
    made.set(ref, values);
    return values;
  };
  return array;
}
