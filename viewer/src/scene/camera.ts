// The camera: orbit, pan and zoom, standard views, framing, following a body. z, or whatever is up, stays up.
import { MathUtils, PerspectiveCamera, Quaternion, Sphere, Spherical, Vector3, type Box3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { FrameLoop } from "../frameloop";
import { cornersOf } from "./motion";

export type ViewName = "front" | "back" | "left" | "right" | "top" | "bottom" | "isometric";

interface CameraRig {
  readonly camera: PerspectiveCamera;
  look(view: ViewName): void; // from a standard direction at what is framed
  frame(box: Box3, isInstant?: boolean): void; // from where it looks now
  place(box: Box3, from: Vector3, isInstant: boolean): void; // its middle seen from there; zero: the whole box, from where it looks now
  offset(): Vector3; // from the target to the camera
  isFraming(box: Box3): boolean; // it was told to, and has not been moved by hand
  shift(by: Vector3): void; // moves camera and target along
  resize(width: number, height: number): void;
  beforeDraw(): void;
  perPixel(at: Vector3): number; // [m] that a pixel covers at a place
}

// Directions towards the camera in axes right, backwards, up of a front view.
const directions: Record<ViewName, [number, number, number]> = {
  front: [0, -1, 0],
  back: [0, 1, 0],
  left: [-1, 0, 0],
  right: [1, 0, 0],
  top: [0, -1e-4, 1],
  bottom: [0, -1e-4, -1],
  isometric: [0.62, -1, 0.55],
};

const moveSeconds = 0.32;
const margin = 1.12; // air around what is framed

// Axes of a front view: x to the right unless x is up.
function basis(up: Vector3): { right: Vector3; back: Vector3 } {
  const right = Math.abs(up.x) > 0.5 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
  return { right, back: new Vector3().crossVectors(up, right) };
}

function directionOf(view: ViewName, up: Vector3): Vector3 {
  const [x, y, z] = directions[view];
  const { right, back } = basis(up);
  return new Vector3().addScaledVector(right, x).addScaledVector(back, y).addScaledVector(up, z).normalize();
}

export function createCamera(canvas: HTMLElement, up: Vector3, scene: Box3, loop: FrameLoop): CameraRig {
  const all = scene.getBoundingSphere(new Sphere());
  const camera = new PerspectiveCamera(32, 1, 0.1, 100);
  camera.up.copy(up);
  const controls = new OrbitControls(camera, canvas);
  controls.zoomToCursor = true;
  controls.rotateSpeed = 0.9;
  controls.minDistance = all.radius * 2e-3;
  controls.maxDistance = all.radius * 60;
  const upToY = new Quaternion().setFromUnitVectors(up, new Vector3(0, 1, 0));
  const yToUp = upToY.clone().invert();
  const probe = new Vector3();
  let viewport = { width: 1, height: 1 };
  let isMoving = false;
  let cancelMove = (): void => undefined;

  // The distance from which all corners of a box around the target are in sight.
  const distanceFor = (box: Box3, direction: Vector3): number => {
    const tangent = Math.tan(MathUtils.degToRad(camera.fov) / 2);
    const centre = box.getCenter(new Vector3());
    const across = new Vector3().crossVectors(up, direction).normalize();
    const upwards = new Vector3().crossVectors(direction, across);
    const needed = cornersOf(box).map((corner) => {
      corner.sub(centre);
      const sideways = Math.abs(corner.dot(across)) / (tangent * camera.aspect);
      return Math.max(sideways, Math.abs(corner.dot(upwards)) / tangent) * margin + corner.dot(direction);
    });
    return Math.max(...needed, all.radius * 1e-3);
  };

  // Angles and distance are moved, not points: the camera goes round the scene, never through it.
  const moveTo = (target: Vector3, direction: Vector3, distance: number, isInstant: boolean): void => {
    cancelMove();
    const fromTarget = controls.target.clone();
    const spherical = (v: Vector3): Spherical => new Spherical().setFromVector3(v.clone().applyQuaternion(upToY));
    const from = spherical(camera.position.clone().sub(controls.target));
    const to = spherical(direction.clone().multiplyScalar(distance));
    let turn = (to.theta - from.theta) % (2 * Math.PI);
    if (turn > Math.PI) turn -= 2 * Math.PI;
    if (turn < -Math.PI) turn += 2 * Math.PI;
    let part = isInstant || matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 0;
    let isCancelled = false;
    const place = (eased: number): void => {
      const radius = from.radius ** (1 - eased) * to.radius ** eased;
      const now = new Spherical(radius, MathUtils.lerp(from.phi, to.phi, eased), from.theta + turn * eased);
      controls.target.lerpVectors(fromTarget, target, eased);
      camera.position.setFromSpherical(now).applyQuaternion(yToUp).add(controls.target);
      controls.update();
      loop.invalidate();
    };
    const step = (seconds: number): boolean => {
      if (isCancelled) return false;
      part = Math.min(part + seconds / moveSeconds, 1);
      isMoving = true;
      place(part * part * (3 - 2 * part));
      isMoving = false;
      return part < 1;
    };
    cancelMove = () => {
      isCancelled = true;
    };
    if (step(0)) loop.tick(step);
  };

  // A hand on the mouse is stronger than a camera on its way.
  let isByHand = true; // until something is asked for, nothing is framed
  controls.addEventListener("start", () => {
    cancelMove();
    isByHand = true;
  });
  controls.addEventListener("change", () => {
    if (!isMoving) loop.invalidate();
  });

  let framed = scene.clone();
  const lookFrom = (direction: Vector3, isInstant: boolean): void =>
    moveTo(framed.getCenter(new Vector3()), direction, distanceFor(framed, direction), isInstant);
  const frame = (box: Box3, isInstant = false): void => {
    framed = box.clone();
    isByHand = isInstant;
    lookFrom(camera.position.clone().sub(controls.target).normalize(), isInstant);
  };

  camera.position.copy(directionOf("isometric", up).multiplyScalar(all.radius * 4)).add(all.center);
  controls.target.copy(all.center);

  return {
    camera,
    frame,
    offset: () => camera.position.clone().sub(controls.target),
    place(box, from, isInstant) {
      if (from.lengthSq() === 0) return frame(box, isInstant);
      framed = box.clone();
      isByHand = true;
      moveTo(box.getCenter(new Vector3()), from.clone().normalize(), from.length(), isInstant);
    },
    isFraming: (box) => !isByHand && framed.equals(box),
    look(view) {
      lookFrom(directionOf(view, up), false);
    },
    shift(by) {
      camera.position.add(by);
      controls.target.add(by);
      framed.translate(by);
    },
    resize(width, height) {
      viewport = { width, height };
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
    },
    beforeDraw() {
      const distance = camera.position.distanceTo(all.center);
      const near = camera.position.distanceTo(controls.target);
      camera.near = Math.max(Math.min(near * 0.02, distance), all.radius * 1e-4);
      camera.far = distance + all.radius * 7;
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
    },
    perPixel(at) {
      const depth = probe.copy(at).applyMatrix4(camera.matrixWorldInverse).z;
      return (2 * Math.tan(MathUtils.degToRad(camera.fov) / 2) * Math.max(-depth, camera.near)) / viewport.height;
    },
  };
}
