// A scene whose names and texts try to break out of wherever a page puts them.

export const script = "</script><script>window.broken = 1; alert(1)</script>";
export const image = "<img src=x onerror=\"window.broken = 1; alert(2)\">";
export const quotes = "' \" ` \\ & &lt; &quot; ${alert(3)} --> ]]> <!-- */";
export const glyphs = "🚀👩🏽‍🚀 שלום مرحبا \u202eesrever\u202c Z̵͎͗a̴l̶g̷o̸";

// 200 bytes is the most that a name may have.
export const bodyNames = {
  floor: `floor ${image}`,
  box: `box ${script} ${glyphs}`,
  ball: `${quotes} ball`,
  long: "n".repeat(200),
};

const tenKilobytes = `${script}${image}${quotes}${glyphs}`.repeat(50);

export function hostileScene() {
  const body = (name, shape, x) => ({ name, shape, density: 500, position: [x, 0, 0.13] });
  const scene = {
    carom: 1,
    name: `${script} ${glyphs} ${tenKilobytes}`,
    description: `${image} ${"long words ".repeat(900)}${script}`,
    gravity: [0, 0, -9.81],
    time: { end: 0.3 },
    contact: { method: "compliant", law: { "hunt-crossley": { k: 2e5 } } },
    bodies: [
      { name: bodyNames.floor, shape: { plane: [0, 0, 1] }, fixed: true },
      body(bodyNames.box, { box: [0.2, 0.2, 0.2] }, 0),
      body(bodyNames.ball, { sphere: 0.1 }, 0.4),
      body(bodyNames.long, { cylinder: { radius: 0.08, length: 0.2 } }, -0.4),
    ],
    record: { every: 0.005, signals: ["energy.kinetic", `${bodyNames.box}.position.z`, "contact.count"] },
  };
  return `// ${script} ${image} <!-- <script>\n${JSON.stringify(scene, null, 1)}\n`;
}
