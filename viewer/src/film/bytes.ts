// Bytes of files, put together from numbers, texts and other bytes.

export type Part = number[] | Uint8Array;

export function joined(...parts: Part[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function text(of: string): Uint8Array {
  return new TextEncoder().encode(of);
}

// Big-endian, as film containers have them.
export function big(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, k) => Math.floor(value / 256 ** (bytes - 1 - k)) % 256);
}

export function little(value: number, bytes: number): number[] {
  return big(value, bytes).reverse();
}

// A picture of a film, packed.
export interface Sample {
  data: Uint8Array;
  isKey: boolean;
}

export interface FilmSize {
  width: number;
  height: number;
  fps: number;
}
