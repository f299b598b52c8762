// Arrows of given lengths in pixels, all in one mesh: a software renderer draws every instance of an instanced mesh by
// itself, and thousands of them take longer than the few vertices that are written here.
//
// The shaft is a ribbon that faces the camera, the head a pyramid whose base is darker than its tip: that looks round
// without lights. All are known before the first is written: in a crowd they are thinner and let more through.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Mesh,
  ShaderMaterial,
  Vector3,
  type Camera,
  type Group,
} from "three";
import { createCrowd } from "./crowd";

export interface Arrows {
  begin(camera: Camera): void;
  add(from: Vector3, direction: Vector3, pixels: number, pixel: number, color: Color): void; // `pixel` [m] there
  end(): void;
}

const sides = 6; // of a head
const perArrow = 4 + 1 + sides; // vertices: ribbon, tip, base
const longestHead = 14; // pixels
const baseShade = 0.72;
const thinnest = 0.45; // share of the usual width that is left in a crowd
const faintest = 0.12; // opacity there

const circle = Array.from({ length: sides }, (_, k) => {
  const angle = (2 * Math.PI * k) / sides;
  return [Math.cos(angle), Math.sin(angle)] as const;
});

const triangles = [
  0, 1, 2, 2, 1, 3,
  ...circle.flatMap((_, k) => [4, 5 + k, 5 + ((k + 1) % sides)]),
  ...Array.from({ length: sides - 2 }, (_, k) => [5, 6 + k, 7 + k]).flat(),
];

const vertexShader = `
attribute vec4 tint;
varying vec4 shade;
void main() {
  shade = tint;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

// Colours come as they are shown (glColor below): nothing is converted for each pixel.
const fragmentShader = `
varying vec4 shade;
void main() {
  gl_FragColor = shade;
}`;

const attributes = [["position", 3], ["tint", 4]] as const; // and their numbers per vertex

interface Arrow {
  from: Vector3;
  direction: Vector3;
  pixels: number;
  pixel: number;
  color: Color;
}

const newArrow = (): Arrow => ({ from: new Vector3(), direction: new Vector3(), pixels: 0, pixel: 0, color: new Color() });

function geometryFor(count: number): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const [name, size] of attributes) {
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(size * perArrow * count), size));
  }
  const index = new Uint32Array(triangles.length * count);
  for (let arrow = 0; arrow < count; ++arrow) {
    triangles.forEach((vertex, k) => (index[arrow * triangles.length + k] = arrow * perArrow + vertex));
  }
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}

export function createArrows(group: Group): Arrows {
  const material = new ShaderMaterial({ vertexShader, fragmentShader, side: DoubleSide });
  const mesh = new Mesh(geometryFor(64), material);
  mesh.frustumCulled = false;
  group.add(mesh);
  let [room, count, vertex] = [64, 0, 0];
  let opacity = 1; // of the arrow that is being written
  let view: Camera | null = null;
  const list: Arrow[] = []; // the first `count` are those of this picture
  const crowd = createCrowd();
  const eye = new Vector3();
  const start = new Vector3();
  const tip = new Vector3();
  const side = new Vector3();
  const other = new Vector3();
  let position: Float32Array;
  let tint: Float32Array;

  const attribute = (name: string): BufferAttribute => mesh.geometry.getAttribute(name) as BufferAttribute;
  const bind = (): void => {
    position = attribute("position").array as Float32Array;
    tint = attribute("tint").array as Float32Array;
  };
  bind();

  const makeRoom = (): void => {
    if (count <= room) return;
    while (room < count) room *= 2;
    mesh.geometry.dispose();
    mesh.geometry = geometryFor(room);
    bind();
  };

  const put = (x: number, y: number, z: number, color: Color, shade: number): void => {
    position[3 * vertex] = x;
    position[3 * vertex + 1] = y;
    position[3 * vertex + 2] = z;
    tint[4 * vertex] = color.r * shade;
    tint[4 * vertex + 1] = color.g * shade;
    tint[4 * vertex + 2] = color.b * shade;
    tint[4 * vertex + 3] = opacity;
    ++vertex;
  };

  // Two directions across: the first also across the line of sight.
  const across = (from: Vector3, direction: Vector3): void => {
    side.subVectors(eye, from).cross(direction);
    if (!(side.lengthSq() > 0)) side.set(direction.y, direction.z, direction.x).cross(direction);
    side.normalize();
    other.crossVectors(direction, side);
  };

  const ribbon = (from: Vector3, direction: Vector3, length: number, width: number, color: Color): void => {
    for (let k = 0; k < 4; ++k) {
      const [along, aside] = [k < 2 ? 0 : length, k % 2 === 0 ? -width : width];
      put(
        from.x + direction.x * along + side.x * aside,
        from.y + direction.y * along + side.y * aside,
        from.z + direction.z * along + side.z * aside,
        color,
        0.9,
      );
    }
  };

  const head = (from: Vector3, direction: Vector3, base: number, length: number, radius: number, color: Color): void => {
    const end = base + length;
    put(from.x + direction.x * end, from.y + direction.y * end, from.z + direction.z * end, color, 1);
    for (const [cosine, sine] of circle) {
      put(
        from.x + direction.x * base + (side.x * cosine + other.x * sine) * radius,
        from.y + direction.y * base + (side.y * cosine + other.y * sine) * radius,
        from.z + direction.z * base + (side.z * cosine + other.z * sine) * radius,
        color,
        baseShade,
      );
    }
  };

  // In pixels from the middle of the picture.
  const enterCrowd = ({ from, direction, pixels, pixel }: Arrow): void => {
    start.copy(from).applyMatrix4(view!.matrixWorldInverse).divideScalar(pixel);
    tip.copy(direction).transformDirection(view!.matrixWorldInverse).multiplyScalar(pixels).add(start);
    crowd.add(start.x, start.y, tip.x, tip.y);
  };

  const write = ({ from, direction, pixels, pixel, color }: Arrow, ease: number): void => {
    const thickness = Math.max(thinnest, Math.sqrt(ease));
    opacity = Math.max(faintest, ease);
    across(from, direction);
    const headPixels = thickness * Math.min(longestHead, pixels * 0.6);
    const shaft = (pixels - headPixels) * pixel;
    ribbon(from, direction, shaft, thickness * Math.min(1.4, 0.4 + pixels * 0.05) * pixel, color);
    head(from, direction, shaft, headPixels * pixel, headPixels * 0.36 * pixel, color);
  };

  // Opaque arrows hide what is behind them; of faint ones all shine through, in whatever order they are drawn.
  const writeAll = (): void => {
    crowd.begin();
    for (let k = 0; k < count; ++k) enterCrowd(list[k]!);
    let least = 1;
    for (let k = 0; k < count; ++k) {
      const ease = crowd.ease(k);
      least = Math.min(least, ease);
      write(list[k]!, ease);
    }
    material.transparent = least < 1;
    material.depthWrite = least === 1;
  };

  return {
    begin(camera) {
      count = vertex = 0;
      view = camera;
      camera.updateMatrixWorld();
      eye.setFromMatrixPosition(camera.matrixWorld);
    },
    add(from, direction, pixels, pixel, color) {
      const arrow = (list[count++] ??= newArrow());
      arrow.from.copy(from);
      arrow.direction.copy(direction);
      arrow.color.copy(color);
      arrow.pixels = pixels;
      arrow.pixel = pixel;
    },
    end() {
      makeRoom();
      writeAll();
      mesh.visible = count > 0;
      mesh.geometry.setDrawRange(0, count * triangles.length);
      for (const [name, size] of attributes) {
        attribute(name).clearUpdateRanges();
        attribute(name).addUpdateRange(0, size * vertex);
        attribute(name).needsUpdate = count > 0;
      }
    },
  };
}
