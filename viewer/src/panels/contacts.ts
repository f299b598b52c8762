// The panel of contacts: who touched whom and how hard, the points at the present time, and what happened when.
import { el } from "../dom";
import type { Panel, PanelView } from "../panel";
import type { Store } from "../store";
import { EventList } from "./event_list";
import { ImpactList } from "./impact_list";
import { follow } from "./live";
import { pairTable } from "./pair_table";
import { PointList } from "./point_list";
import { RunSwitch } from "./run_switch";

export const contactsPanel: Panel = {
  id: "contacts",
  title: "Contacts",
  available: (store) => store.runs.some((run) => run.contacts !== null || run.events.length > 0),
  create: (store, root) => new ContactsView(store, root),
};

class ContactsView implements PanelView {
  private readonly runs: RunSwitch;
  private readonly pairs = el("div", {});
  private readonly points: PointList;
  private readonly impacts: ImpactList;
  private readonly events: EventList;
  private readonly ask: () => void;

  constructor(
    private readonly store: Store,
    root: HTMLElement,
  ) {
    root.classList.add("panel");
    this.runs = new RunSwitch(store, () => this.showRun());
    this.points = new PointList(store);
    this.impacts = new ImpactList(store);
    this.events = new EventList(store);
    root.append(this.runs.element, this.points.element, this.pairs, this.impacts.element, this.events.element);
    this.ask = follow(store, root, ["time"], () => this.update());
    this.showRun();
  }

  resize(): void {
    this.ask();
  }

  private showRun(): void {
    const { run } = this.runs;
    this.pairs.replaceChildren(pairTable(this.store, run));
    this.points.setRun(run);
    this.impacts.setRun(run);
    this.events.setRun(run);
    this.update();
  }

  private update(): void {
    this.points.update();
    this.impacts.update();
    this.events.update();
  }
}
