// The small axes in the corner: how the world lies as the camera sees it.
import { Quaternion, Vector3, type Camera } from "three";
import { svg } from "../dom";

const size = 84;
const reach = 27;
const names = ["x", "y", "z"] as const;

interface Gizmo {
  element: SVGSVGElement;
  update(camera: Camera): void;
}

interface Arm {
  axis: Vector3;
  line: SVGLineElement;
  dot: SVGCircleElement;
  label: SVGTextElement;
  group: SVGGElement;
}

function createArm(index: number): Arm {
  const name = names[index]!;
  const line = svg("line", { x1: 0, y1: 0, class: `axis-${name}` });
  const dot = svg("circle", { r: 8.5, class: `axis-${name}` });
  const label = svg("text", { "text-anchor": "middle", "dominant-baseline": "central" });
  label.textContent = name;
  const group = svg("g", {}, line, dot, label);
  return { axis: new Vector3().setComponent(index, 1), line, dot, label, group };
}

export function createGizmo(): Gizmo {
  const arms = names.map((_, index) => createArm(index));
  const half = size / 2;
  const root = svg("g", { transform: `translate(${half} ${half})` }, ...arms.map(({ group }) => group));
  const element = svg("svg", { class: "gizmo", viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" }, root);
  const turn = new Quaternion();
  const at = new Vector3();
  return {
    element,
    update(camera) {
      turn.copy(camera.quaternion).invert();
      const depths = arms.map((arm) => {
        at.copy(arm.axis).applyQuaternion(turn);
        const [x, y] = [(at.x * reach).toFixed(1), (-at.y * reach).toFixed(1)];
        arm.line.setAttribute("x2", x);
        arm.line.setAttribute("y2", y);
        for (const [attribute, value] of [["cx", x], ["cy", y]] as const) arm.dot.setAttribute(attribute, value);
        for (const [attribute, value] of [["x", x], ["y", y]] as const) arm.label.setAttribute(attribute, value);
        arm.group.setAttribute("opacity", at.z < -0.25 ? "0.55" : "1");
        return { arm, depth: at.z };
      });
      // What is nearer is drawn later.
      depths.sort((a, b) => a.depth - b.depth).forEach(({ arm }) => root.append(arm.group));
    },
  };
}
