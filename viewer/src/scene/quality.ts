// How finely the scene is drawn: as fine as the screen while it stands still, as coarse as needed while it moves.
//
// Without a graphics card the processor draws every sample. Antialiasing in hardware's way (four samples each) is too
// dear there; instead pictures that stay are drawn with twice the resolution, and moving ones with less.
import type { WebGLRenderer } from "three";

interface Quality {
  readonly ratio: number; // pixels drawn per CSS pixel now
  readonly isFine: boolean; // as fine as it gets
  moved(now: number): boolean; // before each draw while things move; true: the ratio has changed
  rested(): boolean; // nothing has moved for a while; true: the ratio has changed
}

const slowFrame = 1000 / 32; // [ms] what takes longer is drawn coarser
const patience = 6; // slow frames in a row
const step = 0.85;
const coarsest = 0.6;

type Drawing = "none" | "software" | "hardware";

// Asked before anything is made: whoever draws is chosen with the first context of a canvas, and cannot be changed.
export function drawingKind(): Drawing {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return "none";
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name) ? "software" : "hardware";
}

export function createQuality(isSoftware: boolean): Quality {
  const screen = (): number => Math.min(devicePixelRatio, 2);
  const still = (): number => (isSoftware ? 2 : screen());
  const finestMoving = (): number => (isSoftware ? 1 : screen());
  let moving = finestMoving();
  let slow = 0;
  let last = 0;
  let ratio = moving; // the first picture is wanted soon
  const change = (to: number): boolean => {
    const isNew = to !== ratio;
    ratio = to;
    return isNew;
  };
  return {
    get ratio() {
      return ratio;
    },
    get isFine() {
      return ratio === still();
    },
    moved(now) {
      const took = now - last;
      last = now;
      slow = took > slowFrame && took < 2000 ? slow + 1 : 0;
      if (slow >= patience && moving > coarsest) {
        moving = Math.max(moving * step, coarsest);
        slow = 0;
      }
      return change(moving);
    },
    rested() {
      slow = 0;
      last = 0;
      moving = Math.min(moving / step, finestMoving()); // another program may have taken the time
      return change(still());
    },
  };
}

export function applyQuality(renderer: WebGLRenderer, quality: Quality, width: number, height: number): void {
  renderer.setPixelRatio(quality.ratio);
  renderer.setSize(width, height, false);
}
