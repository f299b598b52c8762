// Round dots of a few pixels with a rim: one vertex each, so that thousands of contact points cost next to nothing.
import { BufferAttribute, BufferGeometry, Color, Points, ShaderMaterial, type Group, type Vector3 } from "three";

export interface Dots {
  readonly count: number; // since begin
  begin(): void;
  add(at: Vector3, color: Color, rim: Color): void;
  end(radius: number): void; // drawn pixels, with the rim
}

const vertexShader = `
attribute vec3 fill;
attribute vec3 rim;
uniform float size;
varying vec3 fill_color;
varying vec3 rim_color;
void main() {
  fill_color = fill;
  rim_color = rim;
  gl_PointSize = size;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const fragmentShader = `
varying vec3 fill_color;
varying vec3 rim_color;
uniform float size;
void main() {
  float from_rim = 0.5 * size - length(gl_PointCoord - 0.5) * size; // pixels
  if (from_rim < 0.0) discard;
  float inside = clamp(from_rim - 0.14 * size + 0.5, 0.0, 1.0);
  gl_FragColor = vec4(mix(rim_color, fill_color, inside), clamp(from_rim + 0.5, 0.0, 1.0));
}`;

const names = ["position", "fill", "rim"] as const;

function geometryFor(count: number): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const name of names) geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * count), 3));
  return geometry;
}

export function createDots(group: Group): Dots {
  const uniforms = { size: { value: 1 } };
  const material = new ShaderMaterial({ vertexShader, fragmentShader, uniforms, transparent: true });
  const points = new Points(geometryFor(64), material);
  points.frustumCulled = false;
  group.add(points);
  let count = 0;

  const attribute = (name: string): BufferAttribute => points.geometry.getAttribute(name) as BufferAttribute;

  const grow = (): void => {
    const old = points.geometry;
    points.geometry = geometryFor(2 * attribute("position").count);
    for (const name of names) attribute(name).array.set(old.getAttribute(name).array);
    old.dispose();
  };

  return {
    get count() {
      return count;
    },
    begin() {
      count = 0;
    },
    add(at, color, rim) {
      if (count === attribute("position").count) grow();
      attribute("position").setXYZ(count, at.x, at.y, at.z);
      attribute("fill").setXYZ(count, color.r, color.g, color.b);
      attribute("rim").setXYZ(count, rim.r, rim.g, rim.b);
      ++count;
    },
    end(radius) {
      points.visible = count > 0;
      points.geometry.setDrawRange(0, count);
      uniforms.size.value = 2 * radius;
      for (const name of names) {
        attribute(name).clearUpdateRanges();
        attribute(name).addUpdateRange(0, 3 * count);
        attribute(name).needsUpdate = count > 0;
      }
    },
  };
}
