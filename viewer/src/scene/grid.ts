// Infinite planes, and a reference grid where a scene has none: lines that stay one pixel wide and fade with distance.
import { Color, DoubleSide, Group, Matrix4, Mesh, CircleGeometry, ShaderMaterial, Vector3, Quaternion, type Box3 } from "three";
import { cssColor } from "../palette";
import type { Store } from "../store";
import type { Bodies } from "./bodies";
import { shownColor } from "./colors";
import { hasDown, shapeMatrix } from "./motion";
import { shadeText, type Shade } from "./shadows";

export interface Grid {
  setShaded(on: boolean): void;
  update(): void;
}

const vertexShader = `
uniform float spacing;
uniform float radius;
uniform vec3 centre;
varying vec2 cell;
varying vec3 from_centre; // 1 where the plane has faded away
#ifdef IS_SHADED
uniform mat4 shade_matrix;
varying vec3 shade_at;
#endif
void main() {
  cell = position.xy / spacing;
  vec4 world = modelMatrix * vec4(position, 1.0);
  from_centre = (world.xyz - centre) / radius;
  #ifdef IS_SHADED
  shade_at = (shade_matrix * world).xyz;
  #endif
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

// Runs for nearly every pixel: no roots, no powers.
const fragmentShader = `
varying vec2 cell;
varying vec3 from_centre;
uniform vec3 line_color;
uniform vec3 fill_color;
uniform float fill;
#ifdef IS_SHADED
${shadeText}
#endif
float lines(vec2 x, vec2 width) {
  vec2 near = abs(fract(x - 0.5) - 0.5) / width;
  // Cells smaller than a few pixels would flicker: they fade.
  float visible = clamp(1.33 - 3.33 * max(width.x, width.y), 0.0, 1.0);
  return (1.0 - min(min(near.x, near.y), 1.0)) * visible;
}
void main() {
  vec2 width = max(fwidth(cell), vec2(1e-6));
  float left = clamp(1.07 - 1.07 * dot(from_centre, from_centre), 0.0, 1.0);
  float line = max(0.16 * lines(cell, width), 0.34 * lines(0.1 * cell, 0.1 * width));
  float side = gl_FrontFacing ? 1.0 : 0.5;
  float alpha = (fill + (1.0 - fill) * line) * left * left * side;
  vec3 color = mix(fill_color, line_color, line);
  #ifdef IS_SHADED
  float dark = 0.3 * left * shade();
  color *= 1.0 - dark / max(alpha + dark - alpha * dark, 1e-6); // black over the plane
  alpha += (1.0 - alpha) * dark;
  #endif
  gl_FragColor = vec4(color, alpha);
}`;

interface PlaneMesh {
  mesh: Mesh<CircleGeometry, ShaderMaterial>;
  run: number;
  body: number;
  inBody: Matrix4;
}

function materialOf(spacing: number, radius: number, centre: Vector3, fill: number, shade: Shade): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader,
    fragmentShader,
    uniforms: {
      line_color: { value: new Color() },
      fill_color: { value: new Color() },
      fill: { value: fill },
      spacing: { value: spacing },
      radius: { value: radius },
      centre: { value: centre },
      ...shade,
    },
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
  });
}

// A round number of metres, about a twentieth of the scene.
function spacingFor(size: number): number {
  return 10 ** Math.round(Math.log10(size / 20));
}

// The part of an infinite plane that can be seen lies around the foot of the scene's middle on it.
function footMatrix(plane: Matrix4, centre: Vector3, spacing: number): Matrix4 {
  const foot = centre.clone().applyMatrix4(plane.clone().invert());
  const snap = (x: number): number => Math.round(x / (10 * spacing)) * 10 * spacing;
  return plane.clone().multiply(new Matrix4().makeTranslation(snap(foot.x), snap(foot.y), 0));
}

export function createGrid(store: Store, bodiesOfRuns: Bodies[], box: Box3, up: Vector3, group: Group, shade: Shade): Grid {
  const size = box.getSize(new Vector3()).length();
  const centre = box.getCenter(new Vector3());
  const spacing = spacingFor(size);
  const radius = size * 1.7;
  // Its middle is on a line of the grid, up to 8 spacings from where the plane fades to.
  const geometry = new CircleGeometry(radius + 8 * spacing, 48);
  const planes: PlaneMesh[] = [];

  const add = (run: number, body: number, inBody: Matrix4, fill: number): void => {
    const mesh = new Mesh(geometry, materialOf(spacing, radius, centre, fill, shade));
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.renderOrder = 1;
    group.add(mesh);
    planes.push({ mesh, run, body, inBody });
  };

  store.runs.forEach((run, index) => {
    if (index > 0) return; // all runs of a comparison stand on the same planes
    for (const shape of run.shapes) if (shape.surface < 0) add(index, shape.body, shapeMatrix(shape, new Matrix4()), 0.12);
  });
  if (planes.length === 0 && hasDown(store.runs[0]?.scene ?? "")) {
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
    const foot = centre.clone().addScaledVector(up, -Math.abs(box.getSize(new Vector3()).dot(up)) / 2 - 0.02 * size);
    add(0, -2, new Matrix4().compose(foot, turn, new Vector3(1, 1, 1)), 0);
  }

  const place = ({ mesh, run, body, inBody }: PlaneMesh): void => {
    const pose = new Matrix4();
    mesh.visible = !store.isHidden(run, body) && (body < 0 || bodiesOfRuns[run]!.pose(body, pose));
    if (body < 0) pose.identity();
    mesh.matrix.copy(footMatrix(pose.multiply(inBody), centre, spacing));
    mesh.matrixWorldNeedsUpdate = true;
    const isSelected = store.selected?.run === run && store.selected.body === body;
    const { line_color: line, fill_color: fill } = mesh.material.uniforms;
    shownColor(cssColor(isSelected ? "--accent" : "--text-faint"), line!.value as Color);
    shownColor(cssColor(isSelected ? "--accent" : "--text-muted"), fill!.value as Color);
  };

  let isShaded = false;
  return {
    setShaded(on) {
      if (on === isShaded) return;
      isShaded = on;
      for (const { mesh } of planes) {
        mesh.material.defines = on ? { IS_SHADED: "" } : {};
        mesh.material.needsUpdate = true;
      }
    },
    update() {
      group.visible = store.display.grid;
      if (group.visible) planes.forEach(place);
    },
  };
}
