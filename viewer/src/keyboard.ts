// Keys: one table for what they do and for the help that lists them.
import { changeExaggeration, nextBodyColor, toggleExaggeration } from "./deformation_choice";
import { modeAt, showMode } from "./modes";
import type { Player } from "./player";
import type { ViewName } from "./scene/camera";
import type { Display, Store } from "./store";

interface KeyTargets {
  store: Store;
  player: Player;
  look(view: ViewName): void;
  chooseView(index: number): void; // of those that the scene asks for
  frame(): void;
  savePicture(): void;
  togglePanels(): void;
  toggleFullScreen(): void;
  isPointerInScene(): boolean;
  toggleTheme(): void;
  toggleHelp(): void;
  escape(): void;
}

interface Binding {
  keys: string[]; // KeyboardEvent.key, letters in lower case
  shown: string[]; // on the caps in the help
  does: string;
  group: "Time" | "View" | "Show" | "Page";
  applies?(targets: KeyTargets): boolean; // left out: always
  run(targets: KeyTargets, isShift: boolean, key: string): void;
}

function toggle(option: { [K in keyof Display]: Display[K] extends boolean ? K : never }[keyof Display]) {
  return ({ store }: KeyTargets): void => {
    store.display[option] = !store.display[option];
    store.emit("display");
  };
}

function look(key: string, view: ViewName, keys: string[] = [key]): Binding {
  return { keys, shown: keys, does: view, group: "View", run: (targets) => targets.look(view) };
}

const step = (by: number) => ({ store }: KeyTargets, isShift: boolean): void => {
  store.setPlaying(false);
  store.stepFrames(isShift ? 10 * by : by);
};

export const bindings: Binding[] = [
  { keys: [" "], shown: ["Space"], does: "play or pause", group: "Time", run: ({ player }) => player.toggle() },
  { keys: ["arrowleft", ",", "<"], shown: ["←", ","], does: "a frame back (Shift: ten)", group: "Time", run: step(-1) },
  { keys: ["arrowright", ".", ">"], shown: ["→", "."], does: "a frame on (Shift: ten)", group: "Time", run: step(1) },
  {
    keys: ["n"], shown: ["N"], does: "the next mode, of a page of modes (Shift: the one before)", group: "Time",
    run: ({ store }, isShift) => showMode(store, modeAt(store) + (isShift ? -1 : 1)),
  },
  { keys: ["home"], shown: ["Home"], does: "to the start", group: "Time", run: ({ store }) => store.setTime(store.start) },
  { keys: ["end"], shown: ["End"], does: "to the end", group: "Time", run: ({ store }) => store.setTime(store.end) },
  { keys: ["arrowup"], shown: ["↑"], does: "faster", group: "Time", run: ({ player }) => player.changeSpeed(1) },
  { keys: ["arrowdown"], shown: ["↓"], does: "slower", group: "Time", run: ({ player }) => player.changeSpeed(-1) },
  {
    keys: ["l"], shown: ["L"], does: "repeat", group: "Time",
    run: ({ player, store }) => {
      player.isLooping = !player.isLooping;
      store.emit("play");
    },
  },
  {
    keys: ["f"], shown: ["F"], does: "frame the selected body or all; again: all that is there now", group: "View",
    run: (targets) => targets.frame(),
  },
  {
    keys: ["shift+1", "shift+2", "shift+3", "shift+4", "shift+5", "shift+6", "shift+7", "shift+8", "shift+9"], shown: ["Shift+1", "…"],
    does: "a view of the scene's own", group: "View", run: (targets, _isShift, key) => targets.chooseView(Number(key.slice(-1)) - 1),
  },
  look("1", "front"),
  look("2", "back"),
  look("3", "left"),
  look("4", "right"),
  look("5", "top"),
  look("6", "bottom"),
  look("0", "isometric", ["0", "7"]),
  { keys: ["w"], shown: ["W"], does: "wireframe", group: "Show", run: toggle("wireframe") },
  { keys: ["x"], shown: ["X"], does: "see-through bodies", group: "Show", run: toggle("transparent") },
  { keys: ["c"], shown: ["C"], does: "contact points", group: "Show", run: toggle("contacts") },
  { keys: ["v"], shown: ["V"], does: "force arrows", group: "Show", run: toggle("forces") },
  { keys: ["s"], shown: ["S"], does: "springs, dampers, motors, loads", group: "Show", run: toggle("springs") },
  { keys: ["j"], shown: ["J"], does: "joint axes", group: "Show", run: toggle("joints") },
  { keys: ["b"], shown: ["B"], does: "body axes", group: "Show", run: toggle("frames") },
  { keys: ["p"], shown: ["P"], does: "path of the selected body or of all", group: "Show", run: toggle("trails") },
  { keys: ["g"], shown: ["G"], does: "grid and planes", group: "Show", run: toggle("grid") },
  {
    keys: ["m"], shown: ["M"], does: "next colours of bodies that deform (Shift: previous)", group: "Show",
    run: ({ store }, isShift) => nextBodyColor(store, isShift ? -1 : 1),
  },
  { keys: ["e"], shown: ["E"], does: "deformation as it is, or exaggerated", group: "Show", run: ({ store }) => toggleExaggeration(store) },
  { keys: ["["], shown: ["["], does: "less exaggeration", group: "Show", run: ({ store }) => changeExaggeration(store, -1) },
  { keys: ["]"], shown: ["]"], does: "more exaggeration", group: "Show", run: ({ store }) => changeExaggeration(store, 1) },
  { keys: ["i"], shown: ["I"], does: "save a picture of the scene", group: "Page", run: (targets) => targets.savePicture() },
  { keys: ["d"], shown: ["D"], does: "panels shown or hidden", group: "Page", run: (targets) => targets.togglePanels() },
  {
    // Tab leads from control to control, for those who go without a mouse.
    keys: ["tab"], shown: ["Tab"], does: "the same, with the pointer in the scene", group: "Page",
    applies: (targets) => document.activeElement === document.body && targets.isPointerInScene(),
    run: (targets) => targets.togglePanels(),
  },
  { keys: ["o"], shown: ["O"], does: "over the whole screen", group: "Page", run: (targets) => targets.toggleFullScreen() },
  { keys: ["t"], shown: ["T"], does: "light or dark", group: "Page", run: (targets) => targets.toggleTheme() },
  { keys: ["?", "h"], shown: ["?", "H"], does: "this help", group: "Page", run: (targets) => targets.toggleHelp() },
  { keys: ["escape"], shown: ["Esc"], does: "close, deselect", group: "Page", run: (targets) => targets.escape() },
];

// Typing is typing; a check box keeps only its space bar, a slider or a list its arrows.
function belongsToField(event: KeyboardEvent): boolean {
  const field = event.target instanceof Element ? event.target.closest("input, select, textarea, [contenteditable]") : null;
  if (!field || event.key === "Escape") return false;
  if (field instanceof HTMLInputElement && ["checkbox", "radio", "button"].includes(field.type)) return event.key === " ";
  if (field instanceof HTMLInputElement && field.type === "range") return !/^[a-z?]$/i.test(event.key);
  return true;
}

// A button or tab that the keyboard has reached answers to Space and Enter itself, tabs also to arrows.
function belongsToButton(event: KeyboardEvent): boolean {
  const button = event.target instanceof Element ? event.target.closest("button, a, summary, [role=tab]") : null;
  if (!button) return false;
  if (event.key === " " || event.key === "Enter") return true;
  return button.getAttribute("role") === "tab" && /^(Arrow|Home|End)/.test(event.key);
}

// What Shift makes of a digit depends on the keyboard; its place does not.
function keyOf(event: KeyboardEvent): string {
  return event.shiftKey && /^Digit[1-9]$/.test(event.code) ? `shift+${event.code.slice(-1)}` : event.key.toLowerCase();
}

export function initKeyboard(targets: KeyTargets): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (belongsToField(event) || belongsToButton(event)) return;
    const key = keyOf(event);
    const binding = bindings.find(({ keys }) => keys.includes(key));
    if (!binding || binding.applies?.(targets) === false) return;
    event.preventDefault();
    binding.run(targets, event.shiftKey, key);
  });
  // After a click the keys go on to play and step: a button keeps the focus only for those who came by keyboard.
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button && event.detail > 0) button.blur();
  });
}
