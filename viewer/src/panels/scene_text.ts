// The text of a scene, coloured as JSON with comments, with line numbers and a search. It is built from text nodes.
import { el } from "../dom";
import { keepScrollKeys } from "./dom";

type TokenKind = "key" | "string" | "number" | "word" | "comment" | "plain";

interface Token {
  kind: TokenKind;
  text: string;
}

const mostColored = 250_000; // characters; colouring more would only make the page slow

// Characters that reorder what follows them: a text that is shown as code must not look other than it reads.
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// Strings, comments, numbers and words; whatever is between is plain. A string before a colon is a key.
function tokenize(text: string): Token[] {
  const pattern = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|-?\d[\d.]*(?:[eE][+-]?\d+)?|[A-Za-z_]\w*/g;
  const tokens: Token[] = [];
  let end = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match.index > end) tokens.push({ kind: "plain", text: text.slice(end, match.index) });
    end = match.index + match[0].length;
    tokens.push({ kind: kindOf(match[0], text, end), text: match[0] });
  }
  if (end < text.length) tokens.push({ kind: "plain", text: text.slice(end) });
  return tokens;
}

function kindOf(token: string, text: string, end: number): TokenKind {
  const start = token[0] ?? "";
  if (start === '"') return /^\s*:/.test(text.slice(end, end + 20)) ? "key" : "string";
  if (start === "/") return "comment";
  return /[-\d]/.test(start) ? "number" : "word";
}

// The values of a scene, as far as they can be read: comments and commas too many are let pass. null: it is no JSON.
export function readLeniently(text: string): Record<string, unknown> | null {
  const kept = tokenize(text)
    .filter((token) => token.kind !== "comment")
    .map((token) => token.text)
    .join("");
  try {
    const value: unknown = JSON.parse(withoutTrailingCommas(kept));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function withoutTrailingCommas(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])/g, (match) => (match === "," ? "" : match));
}

interface Piece {
  start: number; // offset in the text
  node: Text;
}

export class SceneText {
  readonly element: HTMLElement;
  private readonly pieces: Piece[] = [];
  private readonly code = el("code", { class: "p-code", dir: "ltr" });
  private readonly lower: string;

  constructor(private readonly text: string) {
    this.lower = text.toLowerCase();
    this.fill();
    const lines = text.split("\n").length;
    const numbers = el(
      "span",
      { class: "p-lines", "aria-hidden": "true" },
      Array.from({ length: lines }, (_, k) => k + 1).join("\n"),
    );
    this.element = el("pre", { class: "p-source", tabindex: 0, "aria-label": "text of the scene" }, numbers, this.code);
    keepScrollKeys(this.element);
  }

  // Offsets of all places where the query stands; case does not matter.
  find(query: string): number[] {
    const places: number[] = [];
    const wanted = query.toLowerCase();
    if (wanted === "" || this.lower.length !== this.text.length) return wanted === "" ? [] : this.findExactly(query);
    for (
      let at = this.lower.indexOf(wanted);
      at >= 0 && places.length < 10_000;
      at = this.lower.indexOf(wanted, at + wanted.length)
    )
      places.push(at);
    return places;
  }

  // Lower case may have another length (İ): then case matters.
  private findExactly(query: string): number[] {
    const places: number[] = [];
    for (
      let at = this.text.indexOf(query);
      at >= 0 && places.length < 10_000;
      at = this.text.indexOf(query, at + query.length)
    )
      places.push(at);
    return places;
  }

  // Marks one stretch and brings it into view.
  reveal(start: number, length: number): void {
    const range = this.range(start, length);
    mark("carom-scene-current", [range]);
    this.element.scrollIntoView({ block: "nearest" });
    const box = range.getBoundingClientRect();
    const frame = this.element.getBoundingClientRect();
    if (box.top < frame.top || box.bottom > frame.bottom)
      this.element.scrollTop += box.top - frame.top - frame.height / 3;
    if (box.left < frame.left + 60 || box.right > frame.right)
      this.element.scrollLeft += box.left - frame.left - frame.width / 2;
  }

  highlight(places: number[], length: number): void {
    mark(
      "carom-scene-found",
      places.slice(0, 2000).map((start) => this.range(start, length)),
    );
    if (places.length === 0) mark("carom-scene-current", []);
  }

  private fill(): void {
    const shown = this.text.replace(bidiControls, "\ufffd");
    if (shown.length > mostColored) return void this.append(el("span", {}), shown, 0);
    const fragment = document.createDocumentFragment();
    let start = 0;
    for (const { kind, text } of tokenize(shown)) {
      const span = kind === "plain" ? null : el("span", { class: `p-t-${kind}` });
      const node = document.createTextNode(text);
      fragment.append(span ?? node);
      span?.append(node);
      this.pieces.push({ start, node });
      start += text.length;
    }
    this.code.append(fragment);
  }

  private append(span: HTMLElement, text: string, start: number): void {
    const node = document.createTextNode(text);
    span.append(node);
    this.pieces.push({ start, node });
    this.code.append(span);
  }

  private range(start: number, length: number): Range {
    const range = document.createRange();
    const [from, to] = [this.piece(start), this.piece(start + length)];
    if (from !== undefined) range.setStart(from.node, start - from.start);
    if (to !== undefined) range.setEnd(to.node, Math.min(start + length - to.start, to.node.length));
    return range;
  }

  private piece(offset: number): Piece | undefined {
    let low = 0;
    let high = this.pieces.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pieces[middle]!.start <= offset) low = middle + 1;
      else high = middle;
    }
    return this.pieces[Math.max(low - 1, 0)];
  }
}

// Highlights without touching the elements; browsers that cannot do that select the place instead.
function mark(name: string, ranges: Range[]): void {
  const highlights = (CSS as unknown as { highlights?: Map<string, unknown> }).highlights;
  const make = (globalThis as unknown as { Highlight?: new (...ranges: Range[]) => unknown }).Highlight;
  if (highlights !== undefined && make !== undefined) {
    highlights.set(name, new make(...ranges));
  } else if (name === "carom-scene-current" && ranges[0] !== undefined) {
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(ranges[0]);
  }
}
