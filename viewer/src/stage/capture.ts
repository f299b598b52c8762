// Buttons that save what the scene shows: a picture, a film.
import { iconButton, setIcon } from "../dom";
import { makeFilm, pngOf } from "../film/film";
import { fileName, saveFile } from "../panels/dom";
import type { Player } from "../player";
import type { View } from "../scene/view";
import type { Store } from "../store";

export interface Capture {
  buttons: HTMLElement[];
  savePicture(): void;
}

const filmSize = { width: 1280, height: 720 };

export function createCapture(store: Store, player: Player, view: View): Capture {
  const name = (): string => fileName(store.data.report.title || "carom");
  const savePicture = (): void => {
    const { width, height } = view.size();
    const factor = Math.max(2, Math.ceil(1600 / width));
    void pngOf(view.picture(factor * width, factor * height)).then((blob) => saveFile(`${name()}.png`, blob));
  };

  const pictureText = "Save a picture (I)";
  const filmText = "Save a film";
  let isFilming = false;
  const film = iconButton("film", filmText, () => {
    if (isFilming) {
      isFilming = false;
      return;
    }
    isFilming = true;
    setIcon(film, "close");
    const progress = (share: number): boolean => {
      film.title = `Filming: ${Math.round(100 * share)} % – press to stop`;
      film.style.setProperty("--done", `${Math.round(100 * share)}%`);
      return isFilming;
    };
    progress(0);
    const end = (): void => {
      isFilming = false;
      setIcon(film, "film");
      film.title = filmText;
      film.style.removeProperty("--done");
    };
    makeFilm(store, view, player.loopFrom, filmSize, progress)
      .then((file) => file && saveFile(`${name()}.${file.ending}`, file.blob))
      .catch((error: unknown) => {
        film.setAttribute("aria-label", `No film: ${String(error)}`);
        console.error(error);
      })
      .finally(end);
  });
  film.classList.add("film-button");
  return { buttons: [iconButton("camera", pictureText, savePicture), film], savePicture };
}
