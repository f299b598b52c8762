// The charts of the ledger: energy by kind, what numerics alone did to energy and momentum, penetration, the solver.
import { framesOf } from "../frames";
import { formatQuantity } from "../numbers";
import { seriesColor } from "../palette";
import { lastAtOrBefore } from "../search";
import type { Store } from "../store";
import type { Curve } from "./chart";
import { energyStack, extremes, titleOf } from "./ledger_stack";
import { signalIndex, type SignalIndex } from "./signals";
import type { LegendEntry, SmallChartOptions } from "./small_chart";

type Description = SmallChartOptions;

const residueRemark =
  "What numerics alone did: positive values appeared, negative ones vanished. " +
  "Frames between two steps also show the error of interpolation.";

export function ledgerCharts(store: Store, run: number): Description[] {
  const index = signalIndex(store);
  const make = new Maker(index, run);
  const all = [
    stackChart(index, run),
    make.chart("Energy residue", ["energy.residue"], residueRemark),
    make.chart("Work put in", energyStack(index, run).work),
    make.chart("Momentum residue", axesOf("momentum.residue"), "Change that no external impulse explains."),
    make.chart("Angular momentum residue", axesOf("angular_momentum.residue"), "About the world\u2019s origin."),
    penetrationChart(store, index, run, make),
    make.chart("Constraint error", ["constraint.position"], "Largest residual of the joints, in m or rad.", true),
    make.chart("Step size", ["solver.step"], undefined, true),
  ];
  return all.filter((chart): chart is Description => chart !== null);
}

function axesOf(name: string): string[] {
  return ["x", "y", "z"].map((axis) => `${name}.${axis}`);
}

function shortTitle(name: string): string {
  if (/\.[xyz]$/.test(name)) return name.slice(-1);
  return name.startsWith("work.") ? titleOf(name) : name.slice(name.lastIndexOf(".") + 1);
}

class Maker {
  constructor(
    private readonly index: SignalIndex,
    private readonly run: number,
  ) {}

  entry(name: string, title: string, color: string): LegendEntry {
    return { signal: name, title, color, value: (time) => this.index.at(this.run, name, time) };
  }

  // null when the run has none of the signals, or all of them are zero throughout.
  chart(title: string, names: string[], remark?: string, log = false): Description | null {
    const { index, run } = this;
    const known = names.filter((name) => index.values(run, name) !== null);
    if (!known.some((name) => extremes(index.values(run, name)!).some((end) => end !== 0))) return null;
    const curves: Curve[] = known.map((name, k) => ({
      label: name,
      color: seriesColor(k),
      values: index.values(run, name)!,
    }));
    const legend = known.map((name, k) => this.entry(name, shortTitle(name), seriesColor(k)));
    const unit = index.choice(known[0] ?? "")?.unit ?? "";
    const scale = log ? "logarithmic" : "";
    return {
      title,
      unit: [unit, scale].filter((part) => part !== "").join(", "),
      height: 120,
      log,
      time: index.time(run),
      curves,
      legend,
      ...(remark === undefined ? {} : { remark }),
    };
  }
}

function stackChart(index: SignalIndex, run: number): Description | null {
  const stack = energyStack(index, run);
  if (stack.layers.length === 0) return null;
  const make = new Maker(index, run);
  const legend = stack.layers.map((layer) => make.entry(layer.name, layer.title, layer.color)).reverse();
  return {
    title: "Energy by kind",
    unit: "J",
    height: 210,
    zero: true,
    time: index.time(run),
    curves: stack.curves,
    legend,
    remark: stackRemark(stack),
  };
}

function stackRemark(stack: ReturnType<typeof energyStack>): string {
  const account = stack.work.length > 0 ? "energy at the start plus work put in" : "energy at the start";
  const line = `Dashed: ${account}; the stack ends there when the account closes.`;
  const shown = stack.layers.some((layer) => layer.name === "energy.potential");
  if (!shown || stack.potentialShift === 0) return line;
  return `${line} Potential energy is drawn from its lowest value, ${formatQuantity(stack.potentialShift, "J")}.`;
}

function penetrationChart(store: Store, index: SignalIndex, run: number, make: Maker): Description | null {
  if (index.values(run, "contact.penetration") !== null)
    return make.chart("Deepest penetration", ["contact.penetration"]);
  const depths = framesOf(store, run).penetrations();
  if (depths === null || extremes(depths)[1] === 0) return null;
  const time = store.frameTimes(run);
  const color = seriesColor(0);
  const value = (at: number): number | null => depths[lastAtOrBefore(time, at)] ?? null;
  return {
    title: "Deepest penetration",
    unit: "m",
    height: 120,
    time,
    curves: [{ label: "penetration", color, values: depths }],
    legend: [{ signal: "contact.penetration", title: "penetration", color, value }],
    remark: "Of the contact points kept in this page.",
  };
}
