// What a run has found about how far it can be trusted: `trust` of summary.json, read with care.
import type { Run } from "./format";

export type Severity = "wrong" | "warning" | "note";

export interface Finding {
  name: string;
  severity: Severity;
  text: string;
  remedy: string;
  count: number;
  first: number | null; // [s]
  worst: number | null; // [s]
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function finding(value: unknown): Finding | null {
  if (typeof value !== "object" || value === null) return null;
  const from = value as Record<string, unknown>;
  const severity = text(from["severity"]);
  return {
    name: text(from["finding"]),
    severity: severity === "wrong" || severity === "warning" ? severity : "note",
    text: text(from["text"]),
    remedy: text(from["remedy"]),
    count: number(from["count"]) ?? 1,
    first: number(from["first"]),
    worst: number(from["worst"]),
  };
}

// Gravest first, as they were written; none in results of a carom that did not judge.
export function findingsOf(run: Run | undefined): Finding[] {
  const list = run?.summary?.["trust"];
  return Array.isArray(list) ? list.map(finding).filter((one) => one !== null) : [];
}

export const mood: Record<Severity, "bad" | "warn" | "good"> = { wrong: "bad", warning: "warn", note: "good" };
