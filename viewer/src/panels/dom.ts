// Building blocks of the panels: buttons, sections, search boxes, files to save, texts to copy.
import { el, type Child } from "../dom";

export function chip(color: string, className = ""): HTMLElement {
  const element = el("span", { class: `p-chip ${className}`.trim(), "aria-hidden": "true" });
  element.style.setProperty("--chip", color);
  return element;
}

export function button(label: string, title: string, onClick: () => void, className = ""): HTMLButtonElement {
  return el("button", { type: "button", class: `p-button ${className}`.trim(), title, onclick: onClick }, label);
}

interface Toggle {
  element: HTMLButtonElement;
  set(on: boolean): void;
}

export function toggle(label: string, title: string, on: boolean, onChange: (on: boolean) => void): Toggle {
  const element = button(
    label,
    title,
    () => {
      set(element.getAttribute("aria-pressed") !== "true");
      onChange(element.getAttribute("aria-pressed") === "true");
    },
    "p-toggle",
  );
  const set = (value: boolean): void => element.setAttribute("aria-pressed", String(value));
  set(on);
  return { element, set };
}

// Esc leaves the field, so that the keys of the page work again; what was typed stays.
export function searchBox(label: string, onInput: (text: string) => void): HTMLInputElement {
  const input = el("input", {
    type: "search",
    class: "p-search",
    placeholder: label,
    "aria-label": label,
    spellcheck: "false",
    autocomplete: "off",
  });
  input.addEventListener("input", () => onInput(input.value));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault(); // the browser would empty the field
    input.blur();
  });
  return input;
}

// A part of a panel with a heading; `aside` stands at the right of it.
export function section(title: string, aside: Child[], ...children: Child[]): HTMLElement {
  const head = el("header", { class: "p-head" }, el("h3", {}, title), el("span", { class: "p-aside" }, ...aside));
  return el("section", { class: "p-section", "aria-label": title }, head, ...children);
}

export function note(text: string, className = ""): HTMLElement {
  return el("p", { class: `p-note ${className}`.trim() }, text);
}

// The keys that scroll a focused region scroll it, and do not move the clock of the page.
export function keepScrollKeys(region: HTMLElement): void {
  region.addEventListener("keydown", (event) => {
    if (/^(Arrow|Page|Home$|End$)/.test(event.key)) event.stopPropagation();
  });
}

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

export function fileName(...parts: string[]): string {
  const clean = parts.map((part) =>
    part
      .normalize("NFKC")
      .replace(/[^\p{L}\p{N}.]+/gu, "-")
      .replace(/^[-.]+|[-.]+$/g, ""),
  );
  return (
    clean
      .filter((part) => part !== "")
      .join("-")
      .slice(0, 80) || "carom"
  );
}

export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// The clipboard is not there for every page opened from disk: then the text is shown, selected, to be copied by hand.
export async function copyText(text: string, source: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    flash(source, "Copied");
  } catch {
    if (copyBySelection(text)) flash(source, "Copied");
    else offerText(text, source);
  }
}

function flash(source: HTMLButtonElement, message: string): void {
  const before = source.dataset["label"] ?? source.textContent ?? "";
  source.dataset["label"] = before;
  source.textContent = message;
  setTimeout(() => (source.textContent = before), 1200);
}

function copyBySelection(text: string): boolean {
  const area = el("textarea", { class: "p-offscreen", readonly: true, "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  let done = false;
  try {
    done = document.execCommand("copy");
  } catch {
    done = false;
  }
  area.remove();
  return done;
}

function offerText(text: string, source: HTMLElement): void {
  const area = el("textarea", { class: "p-offer", readonly: true, rows: 8, "aria-label": "text to copy" });
  area.value = text;
  area.addEventListener("blur", () => area.remove());
  source.closest(".p-section, .panel")?.append(area);
  area.focus();
  area.select();
}
