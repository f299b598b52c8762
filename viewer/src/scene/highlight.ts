// The selected body: drawn solid in its own colour, a little brighter, with an outline in the accent colour that also
// shows through what is in front of it.
import {
  BackSide,
  BufferGeometry,
  Color,
  Group,
  Matrix4,
  Mesh,
  ShaderMaterial,
  Vector2,
  type Material,
} from "three";
import { cssColor } from "../palette";
import { bodyKey, type Store } from "../store";
import type { Bodies, Part } from "./bodies";
import { shownColor } from "./colors";
import type { FaceMaterial } from "./faces";
import { cleaned, grownHull } from "./geometry";

export interface Highlight {
  update(): void;
  resize(width: number, height: number): void;
}

// Vertices are moved along their normals by a number of pixels on the screen, and the back of what results is drawn.
const outlineVertex = `
uniform vec2 pixels; // width of the outline over half the size of the viewport
void main() {
  vec4 position_clip = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec3 normal_view = normalize(normalMatrix * normal);
  vec2 direction = (projectionMatrix * vec4(normal_view, 0.0)).xy;
  float size = length(direction);
  if (size > 1e-6) position_clip.xy += direction / size * pixels * position_clip.w;
  gl_Position = position_clip;
}`;

const outlineFragment = `
uniform vec3 color;
void main() {
  gl_FragColor = vec4(color, 1.0);
}`;

function outlineMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: outlineVertex,
    fragmentShader: outlineFragment,
    uniforms: { pixels: { value: new Vector2() }, color: { value: new Color() } },
    side: BackSide,
  });
}

export function createHighlight(store: Store, bodiesOfRuns: Bodies[], group: Group, solid: FaceMaterial): Highlight {
  const outline = outlineMaterial();
  const hulls = new Map<string, BufferGeometry>();
  let shown = ""; // key of the body the meshes were made for
  let meshes: { mesh: Mesh<BufferGeometry, Material>; part: Part }[] = [];

  const hullOf = (run: number, part: Part): BufferGeometry => {
    const surface = store.runs[run]!.surfaces[part.surface];
    if (!surface) return part.geometry;
    const key = `${run}:${part.surface}`;
    const vertices = store.array(surface.vertices) as Float32Array;
    const hull = hulls.get(key) ?? grownHull(vertices, cleaned(vertices, store.array(surface.triangles) as Uint32Array));
    hulls.set(key, hull);
    return hull;
  };

  const add = (geometry: BufferGeometry, material: Material, part: Part): void => {
    const mesh = new Mesh(geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.renderOrder = 3;
    group.add(mesh);
    meshes.push({ mesh, part });
  };

  const rebuild = (): void => {
    for (const { mesh } of meshes) mesh.removeFromParent();
    meshes = [];
    const { selected } = store;
    if (!selected) return;
    for (const part of bodiesOfRuns[selected.run]!.parts) {
      if (part.body !== selected.body) continue;
      if (!part.deforms) add(part.geometry, solid, part); // else it is drawn as ever, with the colours of its field
      add(hullOf(selected.run, part), outline, part);
    }
  };

  const place = (bodies: Bodies): void => {
    const pose = new Matrix4();
    const isThere = bodies.pose(store.selected!.body, pose);
    for (const { mesh, part } of meshes) {
      mesh.visible = isThere;
      mesh.matrix.multiplyMatrices(pose, part.inBody);
      mesh.matrixWorldNeedsUpdate = true;
    }
  };

  return {
    update() {
      const { selected, display } = store;
      const key = selected ? bodyKey(selected.run, selected.body) : "";
      if (key !== shown) {
        shown = key;
        rebuild();
      }
      group.visible = selected !== null && !display.hidden.has(key) && (display.runs[selected.run] ?? true);
      if (!selected || !group.visible) return;
      const bodies = bodiesOfRuns[selected.run]!;
      solid.uniforms.color.value.copy(bodies.color(selected.body)).lerp(new Color("#ffffff"), 0.15);
      solid.wireframe = display.wireframe;
      // Among see-through bodies it is drawn last, or their colours would lie over it.
      for (const material of [solid, outline]) material.transparent = display.transparent || selected.run > 0;
      shownColor(cssColor("--accent"), outline.uniforms["color"]!.value as Color);
      outline.visible = !display.wireframe;
      place(bodies);
    },
    resize(width, height) {
      const thickness = 2.5; // pixels
      outline.uniforms["pixels"]!.value.set((2 * thickness) / width, (2 * thickness) / height);
    },
  };
}
