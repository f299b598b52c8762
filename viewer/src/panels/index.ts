// The tabs of the dock, in order.
import type { Panel } from "../panel";
import { bodiesPanel } from "./bodies";
import { comparePanel } from "./compare";
import { contactsPanel } from "./contacts";
import { ledgerPanel } from "./ledger";
import { plotsPanel } from "./plots";
import { scenePanel } from "./scene";
import { trustPanel } from "./trust";

export const panels: Panel[] = [comparePanel, plotsPanel, trustPanel, ledgerPanel, bodiesPanel, contactsPanel, scenePanel];
