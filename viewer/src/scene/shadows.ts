// Soft shadows of bodies on each other and on the ground: the scene is drawn once more as a light above it sees it, and whoever draws
// a face or the ground asks how much of the light arrives (`shadeText`).
import {
  DepthTexture,
  Matrix4,
  NearestFilter,
  OrthographicCamera,
  UnsignedIntType,
  Vector3,
  WebGLRenderTarget,
  type Box3,
  type Scene,
  type Texture,
  type WebGLRenderer,
} from "three";
import type { Store } from "../store";

const size = 2048; // texels of a side
const mostTriangles = 200_000;
const lean = 0.45; // of the light to the side, of its height: shadows lie beside bodies, not only below them

export interface Shade {
  shade_map: { value: Texture | null };
  shade_matrix: { value: Matrix4 }; // world to the map
  shade_light: { value: Vector3 }; // towards the light
}

export function createShade(): Shade {
  return { shade_map: { value: null }, shade_matrix: { value: new Matrix4() }, shade_light: { value: new Vector3(0, 0, 1) } };
}

// In a fragment shader: how much of the light is held off there, 0..1. Nine samples make the edge soft.
export const shadeText = `
uniform highp sampler2D shade_map;
varying vec3 shade_at;
float shade() {
  if (any(lessThan(shade_at, vec3(0.0))) || any(greaterThan(shade_at, vec3(1.0)))) return 0.0;
  float held = 0.0;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      held += texture2D(shade_map, shade_at.xy + vec2(x, y) * ${(1 / size).toFixed(8)}).r < shade_at.z - 0.0012 ? 1.0 : 0.0;
  return held / 9.0;
}`;

export interface Shadows {
  draw(renderer: WebGLRenderer, scene: Scene): void; // before a picture
}

// Shadows are wanted where they cost little.
export function areShadowsCheap(store: Store, isSoftware: boolean): boolean {
  const triangles = store.runs.reduce((sum, run) => sum + run.shapes.reduce((own, { surface }) => own + (run.surfaces[surface]?.triangles.count ?? 0) / 3, 0), 0);
  return !isSoftware && triangles <= mostTriangles && !matchMedia("(pointer: coarse)").matches;
}

export function createShadows(shade: Shade, box: Box3, up: Vector3): Shadows {
  const radius = Math.max(0.5 * box.getSize(new Vector3()).length(), 1e-9) * 1.05;
  const centre = box.getCenter(new Vector3());
  const aside = new Vector3(-up.y, up.z, up.x).cross(up).normalize();
  const light = up.clone().addScaledVector(aside, lean).addScaledVector(aside.clone().cross(up), 0.6 * lean).normalize();
  const camera = new OrthographicCamera(-radius, radius, radius, -radius, 0, 4 * radius);
  camera.up.copy(aside);
  camera.position.copy(centre).addScaledVector(light, 2 * radius);
  camera.lookAt(centre);
  camera.updateMatrixWorld();
  shade.shade_light.value.copy(light);
  const toTexture = new Matrix4().makeTranslation(0.5, 0.5, 0.5).multiply(new Matrix4().makeScale(0.5, 0.5, 0.5));
  shade.shade_matrix.value.copy(toTexture).multiply(camera.projectionMatrix).multiply(camera.matrixWorldInverse);
  let target: WebGLRenderTarget | null = null;
  const made = (): WebGLRenderTarget => {
    const depth = new DepthTexture(size, size, UnsignedIntType);
    depth.minFilter = depth.magFilter = NearestFilter;
    return new WebGLRenderTarget(size, size, { depthTexture: depth, minFilter: NearestFilter, magFilter: NearestFilter });
  };
  return {
    draw(renderer, scene) {
      target ??= made();
      shade.shade_map.value = null; // it cannot be read while it is written
      renderer.setRenderTarget(target);
      renderer.clear();
      renderer.render(scene, camera);
      renderer.setRenderTarget(null);
      shade.shade_map.value = target.depthTexture;
    },
  };
}
