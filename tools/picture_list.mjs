// What each picture of the documentation shows.

// Results that are no example as it is.
export const runs = {
  slippery: { scene: "dominoes", words: ["--set", "contact.friction.coulomb.mu=0.1"] },
  clearance: { scene: "slider-crank-clearance", words: ["--set", "time.end=10*60/$rpm", "--set", "record.every=60/$rpm/1440"] },
};

const y = (...signals) => ["--y", signals.join(",")];

// `at` [s]; where the camera stands (frame, look, turn, zoom, shift: see pictures.mjs); `plot`: words for `carom plot`.
export const examples = {
  docking: {
    at: 2.61, frame: "active ring", look: "left", turn: [-55, 12], zoom: 0.85, hide: ["active craft"], show: { forceSize: 0.7 },
    plot: [
      ...y("active craft.velocity.x", "passive craft.velocity.x", "active ring.contact.force.x"),
      "--panels", "--ylabel", "velocity.x", "--ylabel", "force on the ring",
    ],
  },
  demo: {
    at: 4, look: "front", turn: [35, 12], zoom: 0.92,
    plot: y("energy.potential", "energy.elastic", "work.motors", "lost.damping"),
  },
  carom: { at: 1.2, look: "top", turn: [0, -35], zoom: 1, trail: "cue", plot: y("cue.velocity.x", "cue.velocity.y") },
  "bouncing-balls": {
    at: 0.72, look: "front", turn: [15, 8], zoom: 0.88, shift: [0, 0], show: { contacts: false, forces: false },
    plot: y("ball 0.9.position.z", "ball 0.7.position.z", "ball 0.5.position.z", "ball 0.2.position.z"),
  },
  "newtons-cradle": {
    at: 0.7, look: "front", turn: [20, 12], zoom: 0.95, shift: [-20, 0], show: { joints: true, contacts: false, forces: false },
    plot: y("hinge[0].angle", "hinge[2].angle", "hinge[4].angle"),
  },
  "pendulum-wall": {
    at: 0.505, look: "front", turn: [-30, 12], zoom: 0.9, shift: [30, 0], show: { joints: true },
    plot: y("ball.position.x", "ball.contact.force.x"),
  },
  "rolling-ball": {
    at: 0.3, frame: "plain", look: "front", turn: [25, 20], zoom: 0.25, shift: [-60, 20], trail: "plain", show: { forceSize: 0.6 },
    plot: y("plain.velocity.x", "backspin.velocity.x"),
  },
  slope: {
    at: 0.6, frame: "holds", look: "front", turn: [12, 8], zoom: 0.4, shift: [-70, -30], show: { forceSize: 0.35 },
    plot: [...y("holds.position.x", "creeps.position.x", "slides.position.x"), "--ylim=-0.01,0.1"],
  },
  stack: { at: 1.4, look: "front", turn: [25, 12], zoom: 0.9, show: { forceSize: 0.6 }, plot: y("floor.contact.force.z") },
  dominoes: {
    at: 0.25, look: "front", turn: [25, 15], zoom: 1.15, shift: [0, -10], show: { forceSize: 0.7 },
    plot: y("domino[0].angular_velocity.y", "domino[4].angular_velocity.y", "domino[8].angular_velocity.y"),
  },
  geneva: { at: 0.45, look: "front", turn: [10, 50], zoom: 1.35, shift: [0, -20], plot: y("output.angle", "output.angle.rate") },
  "gear-teeth": {
    at: 0.73, look: "front", turn: [10, 50], zoom: 1.15, shift: [0, -20], show: { forceSize: 0.7 },
    plot: y("drive.angle.rate", "output.angle.rate"),
  },
  "chain-links": { at: 0.2, look: "front", turn: [35, 8], zoom: 1.1, shift: [50, -10], plot: y("hook.contact.force") },
  bolt: {
    at: 0.3, look: "front", turn: [30, 12], zoom: 0.95, show: { contacts: false, forces: false },
    plot: [...y("bolt.position.z", "bolt.angular_velocity.z"), "--panels"],
  },
  "chain-net": {
    at: 0.3, look: "front", turn: [30, 22], zoom: 1.0, show: { contacts: false, forces: false },
    plot: y("ball.position.z", "ball.velocity.z"),
  },
  "roller-chain": {
    at: 0.4, look: "top", turn: [12, -28], zoom: 1.0, show: { contacts: false, forces: false },
    plot: [...y("axle.angle", "axle.angle.rate"), "--panels"],
  },
  "lock-box": {
    at: 1.2, look: "front", turn: [28, 38], zoom: 1.0, show: { contacts: false, forces: false },
    plot: y("bottom.position.z"),
  },
  arch: { at: 1, look: "front", turn: [22, 10], zoom: 0.95, shift: [-10, -15], show: { forceSize: 0.7, contacts: false }, plot: y("floor.contact.force.z", "crate.position.z") },
  cards: {
    at: 0.47, look: "front", turn: [25, 12], zoom: 1.3, shift: [0, -45], show: { contacts: false, forces: false },
    plot: y("block.position.z", "upper left[0].position.z", "floor[0].position.z"),
  },
  "bouncing-ball": {
    at: 0.2, look: "front", turn: [20, 10], zoom: 0.9, trail: "ball", show: { contacts: false, forces: false },
    plot: y("ball.position.z", "ball.contact.force.z"),
  },
  "two-rods": {
    at: 0.58, look: "front", turn: [20, 10], zoom: 0.95, show: { joints: true },
    plot: [...y("O1.angle", "O2.angle", "O1.angle.rate", "O2.angle.rate"), "--panels"],
  },
  "three-balls": {
    at: 0.25, look: "front", turn: [15, 20], zoom: 1.25, show: { contacts: false, forces: false },
    plot: y("a.velocity.x", "b.velocity.x", "c.velocity.x"),
  },
  "slider-crank-clearance": {
    at: 0.0305, look: "top", turn: [0, -25], zoom: 0.95, shift: [40, 0], show: { contacts: false, forces: false },
    plot: ["--x", "C.x", ...y("C.y"), "--xlim=-6e-4,6e-4", "--ylim=-6e-4,6e-4", "--xlabel", "journal x", "--ylabel", "journal y"],
  },
  drawer: {
    at: 0.9, look: "top", turn: [0, -35], zoom: 1.05, show: { joints: true },
    plot: y("guide 1.travel", "guide 2.travel", "guide 3.travel"),
  },
  "sleeve-jam": {
    at: 1.2, look: "front", turn: [30, 8], zoom: 0.9, show: { joints: true },
    plot: [...y("sleeve 1.travel", "sleeve 2.travel", "plane 1.angle", "plane 2.angle"), "--panels"],
  },
  painleve: {
    at: 0.15, look: "front", turn: [25, 12], zoom: 0.9, show: { contacts: false, forces: false },
    plot: [...y("slides.velocity.x", "vaults.velocity.x", "slides.velocity.z", "vaults.velocity.z"), "--time", "0,0.05"],
  },
  "rocking-block": {
    at: 0.5, look: "front", turn: [20, 10], zoom: 0.9, show: { contacts: false, forces: false },
    plot: [...y("plane.angle", "energy.total"), "--panels"],
  },
  "tumbling-box": {
    at: 0.44, look: "front", turn: [25, 15], zoom: 0.75, trail: "box", show: { contacts: false, forces: false },
    plot: y("box.position.z", "floor.contact.force.z"),
  },
  "tippe-top": {
    at: 0.9, frame: "top", look: "front", turn: [20, 12], zoom: 0.95, trail: "top", show: { contacts: false, forces: false },
    plot: [...y("top.center.z", "energy.total"), "--panels"],
  },
  rattleback: {
    at: 2.0, frame: "stone", look: "front", turn: [30, 20], zoom: 0.9, show: { contacts: false, forces: false },
    plot: [...y("stone.angular_velocity.z", "stone.center.z"), "--panels"],
  },
  wall: {
    at: 0.25, look: "front", turn: [-35, 18], zoom: 0.6, show: { contacts: false, forces: false },
    plot: [...y("ball.velocity.y", "contact.count"), "--panels"],
  },
  wheels: {
    at: 0.7, look: "front", turn: [35, 20], zoom: 0.9, show: { contacts: false, forces: true },
    plot: [...y("rolls.velocity.x", "slips.velocity.x", "slips.angular_velocity.y"), "--panels"],
  },
  cam: {
    at: 0.1, look: "front", turn: [25, 15], zoom: 0.9, show: { contacts: false, forces: true },
    plot: [...y("guide.travel", "follower.contact.force.z"), "--panels"],
  },
  "eulers-disk": {
    at: 1.0, frame: "disk", look: "front", turn: [30, 25], zoom: 0.8, show: { contacts: false, forces: true },
    plot: [...y("disk.position.x", "disk.contact.force.z"), "--panels"],
  },
  latch: {
    at: 0.05, look: "front", turn: [25, 12], zoom: 0.9, show: { contacts: false, forces: true },
    plot: [...y("rail.travel", "guide.travel", "bolt.contact.force.x"), "--panels"],
  },
  ratchet: {
    at: 0.8, look: "front", turn: [15, 10], zoom: 0.95, show: { joints: true, contacts: false, forces: false },
    plot: [...y("axle.angle", "pivot.angle"), "--panels"],
  },
  woodpecker: {
    at: 0.55, frame: "bird", look: "front", turn: [15, 8], zoom: 0.65, show: { contacts: false, forces: false },
    plot: [...y("sleeve.position.y", "spring.angle"), "--panels"],
  },
  pendulum: {
    at: 0.4, look: "front", turn: [20, 12], zoom: 1.1, shift: [0, 30], show: { joints: true },
    plot: y("hinge.angle", "hinge.force"),
  },
  "double-pendulum": {
    at: 2, look: "front", turn: [20, 12], zoom: 1.05, trail: "lower", show: { joints: true },
    plot: y("hinge.angle", "elbow.angle"),
  },
  "slider-crank": {
    at: 0.03, look: "front", turn: [20, 35], zoom: 1.2, show: { joints: true },
    plot: [...y("cylinder.travel", "crank.angle.drive"), "--time", "0,0.1"],
  },
  "slider-crank-flexible": {
    at: 0.0054, look: "front", turn: [10, 60], zoom: 1.1, show: { joints: true, exaggeration: 3 },
    plot: [...y("rod.middle.displacement.y", "rod.gauge.strain"), "--panels"],
  },
  "ball-on-beam": {
    at: 2.0e-4, look: "top", turn: [10, -25], zoom: 0.95, show: { contacts: false, forces: false },
    plot: [...y("ball.contact.force.y", "beam.middle.displacement.y"), "--panels"],
  },
  "two-rods-wave": {
    at: 1.2e-4, look: "front", turn: [25, 15], zoom: 0.95, show: { contacts: false, forces: false },
    plot: [...y("struck.contact.force.x", "struck.gauge.strain"), "--panels"],
  },
  "bar-on-bar": {
    at: 3.4e-4, look: "top", turn: [15, -30], zoom: 0.85, show: { contacts: false, forces: false },
    plot: [...y("striker.contact.force.y", "striker.velocity.y"), "--panels"],
  },
  "double-pendulum-strike": {
    at: 4.88e-4, frame: "strip", look: "front", turn: [15, 12], zoom: 0.62, shift: [40, -60], show: { joints: true, contacts: false, forceSize: 0.5 },
    plot: [...y("strip.contact.force.y", "strip.tip.velocity.y"), "--panels"],
  },
  "joint-starts": {
    at: 0, look: "front", turn: [20, 20], zoom: 0.95, trail: "hand", show: { joints: true },
    plot: y("elbow.angle.rate", "wrist.angle.rate", "bore.travel.rate"),
  },
  "four-bar": {
    at: 1.3, look: "front", turn: [20, 20], zoom: 0.95, trail: "coupler", show: { joints: true },
    plot: y("A.angle.rate", "C.force"),
  },
  top: {
    at: 1.5, look: "front", turn: [20, 15], zoom: 1.15, show: { joints: true, frames: true },
    plot: y("top.center.x", "top.center.y", "top.center.z"),
  },
  dzhanibekov: {
    at: 2.6, look: "front", turn: [30, 20], show: { frames: true },
    plot: y("handle.angular_velocity.x", "handle.angular_velocity.y", "handle.angular_velocity.z"),
  },
  "gear-train": {
    at: 1, look: "front", turn: [20, 35], show: { joints: true },
    plot: y("in.angle.rate", "middle.angle.rate", "out.angle.rate"),
  },
  "cardan-shaft": {
    at: 0.1, look: "front", turn: [20, 25], zoom: 1.05, show: { joints: true },
    plot: [...y("drive.angle.rate", "bearing.angle.rate"), "--time", "0,0.6"],
  },
  "screw-jack": {
    at: 2, look: "front", turn: [25, 20], zoom: 0.95, show: { joints: true },
    plot: y("work.motors", "energy.potential", "lost.damping"),
  },
  "planar-table": { at: 6, look: "front", turn: [20, 50], zoom: 1.05, trail: "puck", plot: y("table.x", "table.y") },
  "spring-laws": {
    at: 3, look: "front", turn: [35, 25], zoom: 0.75, show: { joints: true },
    plot: y("spring 1.extension", "spring 2.extension", "spring 3.extension"),
  },
  "bushing-mount": {
    at: 2.6, look: "front", turn: [30, 20], zoom: 0.75, show: { joints: true, frames: true },
    plot: [...y("block.position.x", "block.position.z"), "--panels", "--time", "0,8"],
  },
  servo: {
    at: 1.1, look: "front", turn: [-25, 15], zoom: 0.9, shift: [0, 0],
    plot: y("axis[0].angle", "axis[1].angle"),
  },
  motors: {
    at: 2.5, look: "front", turn: [20, 40], zoom: 0.9, show: { joints: true },
    plot: y("axis 0.angle.rate", "axis 1.angle.rate", "axis 2.angle"),
  },
  parachute: {
    at: 2, frame: "load", look: "front", turn: [15, 8], zoom: 0.65, shift: [10, 60], trail: "load", show: { joints: true },
    plot: y("load.velocity.x", "load.velocity.z"),
  },
  orbit: { at: 12000, look: "top", turn: [0, -30], trail: "satellite", plot: y("satellite.velocity.x", "satellite.velocity.y") },
  chain: { at: 0.5, look: "front", turn: [15, 8], zoom: 0.95, shift: [-30, 0], trail: "link[29]", plot: y("hook.force") },
  carousel: { at: 10, look: "front", turn: [20, 15], zoom: 1.15, show: { joints: true }, plot: y("hinge[0].angle", "axle.angle.drive") },
  robot: {
    at: 2, look: "front", turn: [15, 45], zoom: 1.2, show: { joints: true },
    plot: y("left.shoulder.angle", "right.shoulder.angle", "left.elbow.angle"),
  },
  wedge: { at: 0.3, look: "front", turn: [30, 15], zoom: 1.05, show: { joints: true }, plot: y("edge.angle") },
  stops: { at: 0.3, look: "front", turn: [20, 15], show: { joints: true }, plot: y("hinge.angle") },
  kapitza: { at: 0.3, look: "front", turn: [20, 10], show: { joints: true }, plot: y("hinge.angle") },
};

const desktop = { width: 1280, height: 800 };
const docking = { frame: "active ring", look: "left", turn: [-55, 12], hide: ["active craft"] };

// Reports as they are on the screen; `tab`: the open panel; `part`: only this element of the page.
export const pages = {
  report: {
    result: "docking", size: desktop, at: 2.61, ...docking, zoom: 0.85, shift: [40, 0], show: { forceScale: "log", forceSize: 0.8 },
  },
  "report-dark": {
    result: "dominoes", size: desktop, dark: true, tab: "ledger", at: 0.4,
    look: "front", turn: [25, 15], zoom: 1.2, trail: "domino[5]",
  },
  "report-ledger": {
    result: "docking", size: { width: 1280, height: 1000 }, at: 3, tab: "ledger", part: ".dock", scroll: "#panel-ledger .p-charts",
  },
  "report-contacts": { result: "docking", size: { width: 1280, height: 900 }, at: 2.61, tab: "contacts", part: ".dock" },
  "report-compare": {
    compare: ["dominoes", "slippery"], size: desktop, at: 0.4, look: "front", turn: [25, 15], zoom: 1.25,
    shift: [-10, -30], show: { contacts: false, forces: false }, style: ":root { --dock-width: 560px }",
  },
  modes: { modes: ["slider-crank-flexible", "rod"], size: desktop, at: 2.25, zoom: 0.9 },
  "report-phone": { result: "stack", size: { width: 390, height: 780 }, isPhone: true, density: 1.5, at: 1.4, zoom: 0.8 },
};

// Drawn by `carom plot` alone.
export const plots = {
  "plot-axes": { results: ["bouncing-balls"], words: [...y("ball 0.9.position.z", "lost.contact"), "--dpi", "130"] },
  "plot-inset": {
    results: ["pendulum-wall"],
    words: [...y("ball.position.x"), "--inset", "0.4,0.6", "--ylabel", "position of the ball", "--dpi", "130"],
  },
  "plot-paper": { results: ["pendulum-wall"], words: [...y("ball.position.x", "ball.velocity.x"), "--paper", "--dpi", "220"] },
  "clearance-torque": {
    results: ["clearance"],
    words: [
      ...y("A.angle.drive"), "--time", "0.048,0.072", "--title", "Crank torque over two turns", "--ylabel", "torque of the crank",
      "--width", "127", "--dpi", "130",
    ],
  },
  "clearance-orbit": {
    results: ["clearance"],
    words: [
      "--x", "C.x", ...y("C.y"), "--xlim=-5.5e-4,5.5e-4", "--ylim=-5.5e-4,5.5e-4", "--title", "Journal in its bearing over ten turns",
      "--xlabel", "along the rod", "--ylabel", "across it", "--width", "101.6", "--height", "96.5", "--dpi", "130",
    ],
  },
};

// Figures of `carom papers`: which paper, which of its items draws it, its name in the folder of the paper.
export const papers = {
  "paper-1-figure-4": { paper: 1, item: "figure 4", figure: "figure-4" },
  "paper-1-figure-10": { paper: 1, item: "efficiency", figure: "figure-10" },
  "paper-1-figure-12": { paper: 1, item: "docking", figure: "figure-12" },
  "paper-1-figure-13": { paper: 1, item: "docking", figure: "figure-13" },
  "paper-1-figure-14": { paper: 1, item: "docking", figure: "figure-14" },
  "paper-3-figure-3": { paper: 3, item: "collisions", figure: "figure-3" },
  "paper-3-figure-4": { paper: 3, item: "collisions", figure: "figure-4" },
  "paper-3-figure-5": { paper: 3, item: "collisions", figure: "figure-5" },
  "paper-3-stations": { paper: 3, item: "contact modes", figure: "stations" },
  "paper-3-case-c": { paper: 3, item: "cases", figure: "case-c" },
  "paper-5-friction": { paper: 5, item: "energy and friction", figure: "friction" },
  "paper-5-energy": { paper: 5, item: "energy and restitution", figure: "energy" },
};
