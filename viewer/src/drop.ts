// Dropping another page of carom onto this one shows its results here.
//
// Only the data of the dropped file are taken, and only if they are base64: its markup and scripts are not. The page then begins anew
// with them, in the same document.
import { el } from "./dom";

const opening = '<script id="carom-data" type="text/plain">';
const remedy = "Drop a page that carom has written, such as report.html. Of other results: carom view RESULT";

// The data block of a page; null where there is none.
export function dataOf(page: string): string | null {
  const from = page.indexOf(opening);
  const to = from < 0 ? -1 : page.indexOf("</script>", from);
  if (to < 0) return null;
  const text = page.slice(from + opening.length, to).trim();
  return text !== "" && /^[A-Za-z0-9+/=\s]+$/.test(text) ? text : null;
}

function beginAnew(data: string): void {
  const head = document.head.outerHTML;
  const script = document.querySelector("body > script:last-of-type")?.outerHTML ?? "";
  const body = `<div id="app"><p class="loading">Reading the results ...</p></div>${opening}${data}</script>${script}`;
  Reflect.deleteProperty(window, "__THREE__"); // three.js warns of a second copy of itself; this one goes
  document.open(); // takes all listeners away
  document.write(`<!doctype html><html lang="en">${head}<body>${body}</body></html>`);
  document.close();
}

export function initDrop(): void {
  const hint = el("div", { class: "drop-hint", role: "status", hidden: "" });
  document.body.append(hint);
  let timer = 0;
  const show = (text: string, milliseconds: number): void => {
    hint.textContent = text;
    hint.hidden = false;
    clearTimeout(timer);
    timer = window.setTimeout(() => (hint.hidden = true), milliseconds);
  };
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show("Drop a report.html here to open it", 400); // comes again as long as something hovers
  });
  document.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    show("Reading …", 60_000);
    file.text().then((text) => {
      const data = dataOf(text);
      if (data === null) show(`${file.name} holds no results. ${remedy}`, 6000);
      else beginAnew(data);
    }, (error: unknown) => show(`${file.name} cannot be read (${String(error)}).`, 6000));
  });
}
