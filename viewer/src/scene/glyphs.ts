// Instances of small symbols whose size is given in pixels, so that they can be read at any distance.
import { Color, InstancedMesh, Matrix4, Vector3, type BufferGeometry, type Group, type Material } from "three";

export interface Glyphs {
  begin(): void;
  add(matrix: Matrix4, color: Color): void;
  end(): void;
}

export function createGlyphs(geometry: BufferGeometry, material: Material, group: Group): Glyphs {
  let mesh = new InstancedMesh(geometry, material, 16);
  let count = 0;
  const prepare = (made: InstancedMesh): void => {
    made.frustumCulled = false;
    made.setColorAt(0, new Color());
    group.add(made);
  };
  prepare(mesh);

  // There is no upper bound on contact points: room is doubled when it runs out.
  const grow = (): void => {
    const old = mesh;
    mesh = new InstancedMesh(geometry, material, 2 * old.instanceMatrix.count);
    prepare(mesh);
    mesh.instanceMatrix.array.set(old.instanceMatrix.array);
    mesh.instanceColor?.array.set(old.instanceColor?.array ?? []);
    group.remove(old);
    old.dispose();
  };

  return {
    begin() {
      count = 0;
    },
    add(matrix, color) {
      if (count === mesh.instanceMatrix.count) grow();
      mesh.setMatrixAt(count, matrix);
      mesh.setColorAt(count, color);
      ++count;
    },
    end() {
      mesh.count = count;
      mesh.visible = count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    },
  };
}

const side = new Vector3();
const other = new Vector3();

// Matrix that takes z to a direction (a unit vector), scales across by `width` and along by `length`.
export function along(direction: Vector3, at: Vector3, width: number, length: number, out: Matrix4): Matrix4 {
  side.set(1, 0, 0);
  if (Math.abs(direction.x) > 0.8) side.set(0, 1, 0);
  other.crossVectors(direction, side).normalize();
  side.crossVectors(other, direction);
  out.makeBasis(side.multiplyScalar(width), other.multiplyScalar(width), direction.clone().multiplyScalar(length));
  return out.setPosition(at);
}
