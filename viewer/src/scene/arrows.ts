// Arrows of given lengths in pixels, all in one mesh: a software renderer draws every instance of an instanced mesh by
// itself, and thousands of them take longer than the few vertices that are written here.
//
// The shaft is a ribbon that faces the camera, the head a pyramid whose base is darker than its tip: that looks round
// without lights.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, ShaderMaterial, Vector3, type Group } from "three";

export interface Arrows {
  begin(eye: Vector3): void;
  add(from: Vector3, direction: Vector3, pixels: number, pixel: number, color: Color): void; // `pixel` [m] there
  end(): void;
}

const sides = 6; // of a head
const perArrow = 4 + 1 + sides; // vertices: ribbon, tip, base
const longestHead = 14; // pixels
const baseShade = 0.72;

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
attribute vec3 tint;
varying vec3 shade;
void main() {
  shade = tint;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

// Colours come as they are shown (glColor below): nothing is converted for each pixel.
const fragmentShader = `
varying vec3 shade;
void main() {
  gl_FragColor = vec4(shade, 1.0);
}`;

function geometryFor(count: number): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const name of ["position", "tint"]) {
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * perArrow * count), 3));
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
  let [room, count, at] = [64, 0, 0];
  const eye = new Vector3();
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

  const grow = (): void => {
    const [oldGeometry, oldPosition, oldTint] = [mesh.geometry, position, tint];
    room *= 2;
    mesh.geometry = geometryFor(room);
    bind();
    position.set(oldPosition);
    tint.set(oldTint);
    oldGeometry.dispose();
  };

  const put = (x: number, y: number, z: number, color: Color, shade: number): void => {
    position[at] = x;
    position[at + 1] = y;
    position[at + 2] = z;
    tint[at] = color.r * shade;
    tint[at + 1] = color.g * shade;
    tint[at + 2] = color.b * shade;
    at += 3;
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
    const tip = base + length;
    put(from.x + direction.x * tip, from.y + direction.y * tip, from.z + direction.z * tip, color, 1);
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

  return {
    begin(from) {
      count = at = 0;
      eye.copy(from);
    },
    add(from, direction, pixels, pixel, color) {
      if (count === room) grow();
      ++count;
      across(from, direction);
      const headPixels = Math.min(longestHead, pixels * 0.6);
      const shaft = (pixels - headPixels) * pixel;
      ribbon(from, direction, shaft, Math.min(1.4, 0.4 + pixels * 0.05) * pixel, color);
      head(from, direction, shaft, headPixels * pixel, headPixels * 0.36 * pixel, color);
    },
    end() {
      mesh.visible = count > 0;
      mesh.geometry.setDrawRange(0, count * triangles.length);
      for (const name of ["position", "tint"]) {
        attribute(name).clearUpdateRanges();
        attribute(name).addUpdateRange(0, at);
        attribute(name).needsUpdate = count > 0;
      }
    },
  };
}
