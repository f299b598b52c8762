// The tabs of the dock, in order.
import type { Panel } from "../panel";
import { bodiesPanel } from "./bodies";
import { comparePanel } from "./compare";
import { contactsPanel } from "./contacts";
import { modeCount } from "../modes";
import { ledgerPanel } from "./ledger";
import { modesPanel } from "./modes";
import { plotsPanel } from "./plots";
import { scenePanel } from "./scene";
import { trustPanel } from "./trust";

const ofRuns = [comparePanel, plotsPanel, trustPanel, ledgerPanel, bodiesPanel, contactsPanel, scenePanel];

// A page of modes has nothing of a run.
export const panels: Panel[] = [
  modesPanel,
  ...ofRuns.map((panel): Panel => ({ ...panel, available: (store) => modeCount(store) === 0 && panel.available(store) })),
];
