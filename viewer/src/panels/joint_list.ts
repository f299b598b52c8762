// The joints of a run with the size of their reactions at the present time.
import { el, setText, setUserText, shortened } from "../dom";
import { framesOf, length, type Vector } from "../frames";
import { formatCount } from "../numbers";
import type { Store } from "../store";
import { section } from "./dom";
import { LiveNumber } from "./live";
import { VirtualList, type VirtualRow } from "./virtual";

export class JointList {
  readonly element: HTMLElement;
  private readonly list: VirtualList;
  private readonly count = el("span", { class: "p-muted" });
  private run = 0;

  constructor(private readonly store: Store) {
    this.list = new VirtualList({
      label: "joints",
      role: "rowgroup",
      rowRole: "row",
      rowHeight: 30,
      maxRows: 7,
      makeRow: () => this.makeRow(),
    });
    const titles = ["joint", "type", "force N", "torque N\u00b7m"].map((title) =>
      el("span", { role: "columnheader" }, title),
    );
    const head = el("div", { class: "p-joint-row p-table-head", role: "row" }, ...titles);
    const table = el("div", { class: "p-grid", role: "table", "aria-label": "joints" }, head, this.list.element);
    this.element = section("Joints", [this.count], table);
  }

  setRun(run: number): void {
    this.run = run;
    const joints = this.store.runs[run]?.joints.length ?? 0;
    this.element.hidden = joints === 0;
    setText(this.count, formatCount(joints, "joint"));
    this.list.setCount(joints);
  }

  update(): void {
    if (!this.element.hidden) this.list.refresh();
  }

  private makeRow(): VirtualRow {
    const name = el("bdi", { class: "user-text", role: "rowheader" });
    const type = el("span", { class: "p-muted user-text", role: "cell" });
    const force = new LiveNumber("", 4);
    const torque = new LiveNumber("", 4);
    for (const number of [force, torque]) number.element.setAttribute("role", "cell");
    const element = el("div", { class: "p-joint-row" }, name, type, force.element, torque.element);
    const fill = (index: number): void => {
      const joint = this.store.runs[this.run]?.joints[index];
      if (joint === undefined) return;
      const frames = framesOf(this.store, this.run);
      const frame = frames.frame();
      setUserText(name, joint.name);
      setText(type, joint.type);
      const between = joint.body.map((body) => shortened(this.store.bodyName(this.run, body), 80)).join(" and ");
      if (element.title !== between) element.title = between;
      force.rename(`${joint.name}.force`);
      torque.rename(`${joint.name}.torque`);
      force.set(size(frames.jointVector("joint_force", frame, index)));
      torque.set(size(frames.jointVector("joint_torque", frame, index)));
    };
    return { element, fill };
  }
}

function size(vector: Vector | null): number | null {
  return vector === null ? null : length(vector);
}
