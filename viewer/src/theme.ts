// Light and dark: what the system prefers until the user says otherwise, for as long as the tab is open.
import type { Store } from "./store";

const key = "carom-theme";

function stored(): "light" | "dark" | null {
  try {
    const value = sessionStorage.getItem(key);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null; // a page opened from disk may be denied any storage
  }
}

function remember(theme: string): void {
  try {
    sessionStorage.setItem(key, theme);
  } catch {
    // Nothing is lost but the choice.
  }
}

export function preferredTheme(): "light" | "dark" {
  return stored() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function apply(store: Store, theme: "light" | "dark"): void {
  store.theme = theme;
  document.documentElement.dataset["theme"] = theme;
  store.emit("theme");
}

// For pages without a store.
export function turnTheme(): void {
  const theme = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
  remember(theme);
  document.documentElement.dataset["theme"] = theme;
}

export function followTheme(changed: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    document.documentElement.dataset["theme"] = preferredTheme();
    changed();
  });
}

export function initTheme(store: Store): void {
  apply(store, preferredTheme());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (!stored()) apply(store, preferredTheme());
  });
}

export function toggleTheme(store: Store): void {
  const theme = store.theme === "dark" ? "light" : "dark";
  remember(theme);
  apply(store, theme);
}
