// Small helpers to make elements. Texts only ever become text nodes: names come from users and may hold anything.

export type Child = Node | string | null | undefined;

// "text" is the text of the element, "onclick" and its like listen; true is an empty attribute, false and undefined none.
type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

function setAttribute(element: HTMLElement, name: string, value: Attributes[string]): void {
  if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
  else if (name === "text") element.textContent = String(value ?? "");
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
}

const svgNamespace = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: SVGElement[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

// A browser shows the whole of a title: 10 kB of it would cover the screen.
export function shortened(text: string, most = 200): string {
  const glyphs = Array.from(text.slice(0, 4 * most));
  return glyphs.length > most || text.length > 4 * most ? `${glyphs.slice(0, most - 1).join("")}…` : text;
}

// A user's text on one line: cut with an ellipsis by the style sheet, its direction kept to itself. What is far beyond
// any screen is not even put into the page.
export function userText(text: string, className = ""): HTMLElement {
  const element = el("bdi", { class: `user-text ${className}`.trim() });
  setUserText(element, text);
  return element;
}

export function setUserText(element: HTMLElement, text: string): void {
  const shown = shortened(text);
  if (element.textContent === shown && element.title !== "") return;
  element.textContent = shown;
  element.title = shortened(text, 600);
}

// Running texts: an element that is given the text it has is still laid out again.
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

// Icons: strokes on a grid of 24.
const icons = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M7.5 5v14M16.5 5v14",
  restart: "M18.5 5.5v13L9 12zM6 5.5v13",
  previous: "M15.5 5.5v13L6 12zM19 5.5v13",
  next: "M8.5 5.5v13L18 12zM5 5.5v13",
  loop: "M4.5 12.5V11a4 4 0 0 1 4-4h10M15.5 3.5 19 7l-3.5 3.5M19.5 11.5V13a4 4 0 0 1-4 4h-10M8.5 20.5 5 17l3.5-3.5",
  theme: "M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17",
  help: "M9 9.2a3.1 3.1 0 1 1 4.3 2.8c-.9.4-1.3 1-1.3 2v.4M12 17.6v.2M12 3.2a8.8 8.8 0 1 0 0 17.6 8.8 8.8 0 0 0 0-17.6",
  display: "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h11M19 17h1M15 5v4M9 10v4M17 15v4",
  frame: "M4 9V4.5h4.5M20 9V4.5h-4.5M4 15v4.5h4.5M20 15v4.5h-4.5M9.5 9.5h5v5h-5z",
  close: "M6 6l12 12M18 6 6 18",
  hide: "M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM4.5 19.5l15-15",
  show: "M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  isolate: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3",
  follow: "M12 20.5s6.5-6 6.5-10.5a6.5 6.5 0 1 0-13 0C5.5 14.5 12 20.5 12 20.5zM12 7.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6",
  cube: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  camera: "M3.5 7.5h4L9 5h6l1.5 2.5h4v11.5h-17zM12 9.5a3.7 3.7 0 1 0 0 7.4 3.7 3.7 0 0 0 0-7.4",
  film: "M3.5 6.5h11.5v11h-11.5zM15 10.5l5.5-3v9l-5.5-3",
  screen: "M14 4h6v6M20 4l-6.5 6.5M10 20H4v-6M4 20l6.5-6.5",
  dock: "M3.5 5h17v14h-17zM14.5 5v14",
} as const;

export type IconName = keyof typeof icons;

export function icon(name: IconName): SVGSVGElement {
  const filled = name === "play" || name === "restart" || name === "previous" || name === "next";
  const path = svg("path", { d: icons[name], fill: filled ? "currentColor" : "none" });
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, path);
}

export function setIcon(button: HTMLElement, name: IconName): void {
  button.querySelector("svg")?.replaceWith(icon(name));
}

export function iconButton(name: IconName, label: string, action: () => void, className = ""): HTMLButtonElement {
  const attributes = { type: "button", class: `icon-button ${className}`.trim(), "aria-label": label, title: label };
  const button = el("button", attributes, icon(name));
  button.addEventListener("click", action);
  return button;
}
