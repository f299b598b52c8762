// What a page of a study holds (src/study/study_page.c), and what all its parts share: the columns, what was chosen, what is brushed.
import type { Data } from "../decode";
import type { StudyReport } from "../format";

export const statusNames = ["missing", "done", "failed", "doubtful", "limit", "crashed"];
const done = 1;

export interface Column {
  name: string; // as the study names it
  title: string; // its last part
  unit: string;
  event: boolean; // 1 where it has happened, else 0
  varied: boolean;
  values: Float64Array;
  curve: { runs: Float64Array; share: Float64Array; low: Float64Array; high: Float64Array } | null;
}

export class Study {
  readonly runs: ArrayLike<number>;
  readonly status: ArrayLike<number>;
  readonly reasons: Map<number, string>;
  readonly columns: Column[];
  measure: Column;
  x: Column;
  y: Column;
  row: number | null = null; // the row that is looked at
  brushed: (row: number) => boolean = () => true;
  private listeners: (() => void)[] = [];

  constructor(readonly report: StudyReport, data: Data) {
    const f64 = (ref: StudyReport["runs"]): Float64Array => data.array(ref) as Float64Array;
    this.runs = data.array(report.runs);
    this.status = data.array(report.status);
    this.reasons = new Map(report.reasons);
    const varied = report.variables.map((v): Column => ({
      name: v.name, title: v.name.slice(v.name.lastIndexOf(".") + 1), unit: "", event: false, varied: true, values: f64(v.column), curve: null,
    }));
    const measured = report.measures.map((m): Column => ({
      name: m.name, title: m.name, unit: m.unit, event: m.event, varied: false, values: f64(m.column),
      curve: m.curve ? { runs: f64(m.curve.runs), share: f64(m.curve.share), low: f64(m.curve.low), high: f64(m.curve.high) } : null,
    }));
    this.columns = [...varied, ...measured];
    const moving = varied.filter((v) => v.values.some((value) => value !== v.values[0]));
    this.x = moving[0] ?? varied[0]!;
    this.y = moving[1] ?? moving[0] ?? varied[0]!;
    const known = (m: Column): number => m.values.reduce((sum, value) => sum + Number(Number.isFinite(value)), 0);
    this.measure = measured.reduce((best, m) => (best.event && !m.event) || (best.event === m.event && known(m) > known(best)) ? m : best);
  }

  get count(): number {
    return this.runs.length;
  }

  good(row: number): boolean {
    return this.status[row] === done;
  }

  // The event that a map marks: the first, if there is one.
  get event(): Column | null {
    return this.measure.event ? this.measure : (this.columns.find((c) => c.event) ?? null);
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  changed(): void {
    for (const listener of this.listeners) listener();
  }
}
