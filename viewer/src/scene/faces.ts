// The material of lit faces: a soft sky and a key light beside the viewer, which goes with the camera, so that no side
// is ever black. Matt (Lambert); light is computed at vertices and turned into shown colours there, because a software
// renderer pays for every line that runs per pixel. Normals are sharp over edges (geometry.ts), so nothing is lost.
import { Color, DoubleSide, ShaderMaterial, Vector3, type Camera, type DataTexture } from "three";
import { rampShader } from "./colors";
import { createShade, shadeText, type Shade } from "./shadows";

const deepest = 0.34; // of what is shown, taken away by a shadow

// Pose and colour of a part of a common mesh (batches.ts).
export const partPose = `
uniform highp sampler2D poses;
vec4 texel_of(float part, int k) {
  return texelFetch(poses, ivec2(k, int(part + 0.5)), 0);
}
mat4 pose_of(float part) {
  return mat4(texel_of(part, 0), texel_of(part, 1), texel_of(part, 2), texel_of(part, 3));
}
vec3 color_of(float part) {
  return texel_of(part, 4).rgb;
}`;

const shown = `
vec3 shown(vec3 linear) {
  vec3 c = clamp(linear, 0.0, 1.0);
  return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c, vec3(lessThanEqual(c, vec3(0.0031308))));
}`;

const vertexShader = `
uniform vec3 up;
uniform vec3 key;
uniform vec3 color;
#ifdef IN_PARTS
attribute float part;
${partPose}
#endif
#ifdef IN_FIELD
attribute float level;
varying float height;
varying vec3 own;
#endif
varying vec3 front;
varying vec3 back;
#ifdef IS_SHADED
uniform mat4 shade_matrix;
uniform vec3 shade_light;
varying vec3 shade_at;
varying float towards_light;
#endif
${shown}
vec3 light(vec3 normal) {
  vec3 sky = mix(vec3(0.268, 0.292, 0.321), vec3(0.668), 0.5 + 0.5 * dot(normal, up));
  return sky + 0.589 * max(dot(normal, key), 0.0);
}
vec3 lit(vec3 albedo, vec3 normal) {
  #ifdef IN_FIELD
  return light(normal);
  #else
  return shown(albedo * light(normal));
  #endif
}
void main() {
  vec4 at = vec4(position, 1.0);
  vec3 direction = normal;
  vec3 albedo = color;
  #ifdef USE_INSTANCING
  at = instanceMatrix * at;
  direction = mat3(instanceMatrix) * direction;
  #endif
  #ifdef USE_INSTANCING_COLOR
  albedo *= instanceColor;
  #endif
  #ifdef IN_PARTS
  mat4 pose = pose_of(part);
  at = pose * at;
  direction = mat3(pose) * direction;
  albedo *= color_of(part);
  #endif
  direction = normalize(mat3(modelMatrix) * direction);
  #ifdef IN_FIELD
  height = level;
  own = albedo;
  #endif
  #ifdef IS_SHADED
  shade_at = (shade_matrix * modelMatrix * at).xyz;
  towards_light = dot(direction, shade_light);
  #endif
  front = lit(albedo, direction);
  back = lit(albedo, -direction);
  gl_Position = projectionMatrix * modelViewMatrix * at;
}`;

// Between vertices the value changes evenly, not the colour: each pixel looks for its own. Where no value is known, the colour is that of
// the body.
const fragmentShader = `
uniform float opacity;
varying vec3 front;
varying vec3 back;
#ifdef IS_SHADED
${shadeText}
varying float towards_light;
// A face that turns away from the light has none to lose.
float left_over() {
  return 1.0 - ${deepest.toFixed(2)} * clamp(4.0 * (gl_FrontFacing ? towards_light : -towards_light), 0.0, 1.0) * shade();
}
#else
float left_over() {
  return 1.0;
}
#endif
#ifdef IN_FIELD
varying float height;
varying vec3 own;
${shown}
${rampShader}
void main() {
  vec3 albedo = height < -0.5 ? own : ramp(height);
  gl_FragColor = vec4(shown(albedo * (gl_FrontFacing ? front : back)) * left_over(), opacity);
}
#else
void main() {
  gl_FragColor = vec4((gl_FrontFacing ? front : back) * left_over(), opacity);
}
#endif`;

export interface FaceMaterial extends ShaderMaterial {
  uniforms: { up: { value: Vector3 }; key: { value: Vector3 }; color: { value: Color }; opacity: { value: number } };
}

export interface Faces {
  material(poses?: DataTexture): FaceMaterial; // all of them have the same lights; with poses: of a common mesh
  plainMaterial(): FaceMaterial; // never in a shadow: of signs
  readonly shade: Shade;
  setShaded(on: boolean): void;
  fieldMaterial(): FaceMaterial; // coloured by the attribute `level`, 0..1
  follow(camera: Camera): void;
}

export function createFaces(up: Vector3): Faces {
  const lights = { up: { value: up.clone() }, key: { value: new Vector3() } };
  const shade = createShade();
  const shaded: FaceMaterial[] = []; // that may be
  const right = new Vector3();
  const make = (poses: DataTexture | null, defines: Record<string, string>): FaceMaterial => {
    const own = { color: { value: new Color(1, 1, 1) }, opacity: { value: 1 }, poses: { value: poses } };
    const uniforms = { ...lights, ...shade, ...own };
    const options = { vertexShader, fragmentShader, defines, uniforms, side: DoubleSide };
    return new ShaderMaterial(options) as unknown as FaceMaterial;
  };
  let isShaded = false;
  const body = (poses: DataTexture | null, defines: Record<string, string>): FaceMaterial => {
    const made = make(poses, isShaded ? { ...defines, IS_SHADED: "" } : defines);
    shaded.push(made);
    return made;
  };
  return {
    shade,
    material: (poses) => body(poses ?? null, poses ? { IN_PARTS: "" } : {}),
    plainMaterial: () => make(null, {}),
    fieldMaterial: () => body(null, { IN_FIELD: "" }),
    setShaded(on) {
      if (on === isShaded) return;
      isShaded = on;
      for (const material of shaded) {
        if (on) material.defines["IS_SHADED"] = "";
        else delete material.defines["IS_SHADED"];
        material.needsUpdate = true;
      }
    },
    follow(camera) {
      right.setFromMatrixColumn(camera.matrixWorld, 0);
      const key = lights.key.value.setFromMatrixColumn(camera.matrixWorld, 2);
      key.addScaledVector(right, 0.35).addScaledVector(up, 0.75).normalize();
    },
  };
}
