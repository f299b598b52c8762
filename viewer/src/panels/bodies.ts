// The panel of bodies: who there is, who is shown, the numbers of the selected one; the joints with their reactions.
import { el, setText } from "../dom";
import { formatCount } from "../numbers";
import type { Panel, PanelView } from "../panel";
import { bodyKey, type Store } from "../store";
import { BodyCard } from "./body_card";
import { BodyList } from "./body_list";
import { button, note, searchBox, section } from "./dom";
import { JointList } from "./joint_list";
import { follow } from "./live";
import { RunSwitch } from "./run_switch";

export const bodiesPanel: Panel = {
  id: "bodies",
  title: "Bodies",
  available: (store) => store.runs.some((run) => run.bodies.length > 0),
  create: (store, root) => new BodiesView(store, root),
};

class BodiesView implements PanelView {
  private readonly runs: RunSwitch;
  private readonly card: BodyCard;
  private readonly list: BodyList;
  private readonly joints: JointList;
  private readonly count = el("span", { class: "p-muted", role: "status" });
  private readonly isolateButton: HTMLButtonElement;
  private readonly cardHint = note("Click a body, here or in the scene, for its numbers.", "p-empty");
  private readonly asks: (() => void)[];

  constructor(
    private readonly store: Store,
    root: HTMLElement,
  ) {
    root.classList.add("panel");
    this.runs = new RunSwitch(store, () => this.showRun());
    this.card = new BodyCard(store);
    this.list = new BodyList(store);
    this.joints = new JointList(store);
    this.isolateButton = button("Isolate", "Show only the selected body of this run", () => this.isolate());
    const filter = searchBox("Filter bodies", (text) => this.applyFilter(text));
    const tools = el(
      "div",
      { class: "p-bar" },
      filter,
      button("Show all", "Show all bodies of this run", () => this.setHidden(() => false)),
      button("Hide all", "Hide all bodies of this run", () => this.setHidden(() => true)),
      this.isolateButton,
    );
    root.append(
      this.runs.element,
      section("Bodies", [this.count], tools, this.list.element),
      this.card.element,
      this.cardHint,
      this.joints.element,
    );
    this.asks = [
      follow(store, root, ["time"], () => this.updateNumbers()),
      follow(store, root, ["select"], () => this.showSelection()),
      follow(store, root, ["display", "theme"], () => this.list.refresh()),
    ];
    this.showRun();
    this.showSelection();
  }

  resize(): void {
    this.asks.forEach((ask) => ask());
  }

  private applyFilter(text: string): void {
    const shown = this.list.filter(text);
    const total = this.store.runs[this.runs.run]?.bodies.length ?? 0;
    setText(
      this.count,
      shown === total ? formatCount(total, "body", "bodies") : `${shown} of ${formatCount(total, "body", "bodies")}`,
    );
  }

  private showRun(): void {
    this.list.setRun(this.runs.run);
    this.joints.setRun(this.runs.run);
    this.applyFilter(this.list.query);
    this.updateNumbers();
  }

  private showSelection(): void {
    const { selected } = this.store;
    if (selected !== null) this.runs.set(selected.run);
    this.card.show(selected);
    this.cardHint.hidden = selected !== null;
    this.isolateButton.disabled = selected === null || selected.body < 0;
    this.list.refresh();
    if (selected !== null) this.list.reveal(selected.body);
    this.updateNumbers();
  }

  private updateNumbers(): void {
    this.card.update();
    this.joints.update();
  }

  private setHidden(hidden: (body: number) => boolean): void {
    const run = this.runs.run;
    (this.store.runs[run]?.bodies ?? []).forEach((_, body) => {
      if (hidden(body)) this.store.display.hidden.add(bodyKey(run, body));
      else this.store.display.hidden.delete(bodyKey(run, body));
    });
    this.store.emit("display");
  }

  private isolate(): void {
    const { selected } = this.store;
    if (selected === null) return;
    this.runs.set(selected.run);
    this.setHidden((body) => body !== selected.body);
  }
}
