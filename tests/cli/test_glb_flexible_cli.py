"""carom export to glb of bodies that deform: morph targets that play the deformation, by a reader of our own and the Khronos validator.
Needs CAROM_BIN and CAROM_SOURCE_DIR.

Probes say where nodes are; whatever is drawn there must go with them."""
import json
import unittest

import numpy as np

from support import Case
from test_export_cli import REQUIRED, read_glb, rotations, validate

STEEL = {"young": 2e11, "poisson": 0.3, "density": 7800}
SOFT = {"young": 1e6, "poisson": 0.3, "density": 1000}


def scene(bodies, **rest):
    return {"carom": 1, "gravity": [0, 0, 0], "materials": {"steel": STEEL, "soft": SOFT}, "bodies": bodies, **rest}


def corner_probes(corners):
    return [{"name": f"p{i}", "at": c} for i, c in enumerate(corners)]


BLOCK = [[-0.1, -0.02, -0.02], [0.1, 0.02, 0.02], [0.1, -0.02, 0.02]]
STRIP = [[-0.1, -0.02, 0], [0.1, 0.02, 0], [0.1, -0.02, 0]]


def block(kind, **more):
    mesh = {"block": {"size": [0.2, 0.04, 0.04], "divisions": [8, 2, 2]}}
    flexible = {"mesh": mesh, "probes": corner_probes(BLOCK), **more}
    if kind == "modes":
        flexible["modes"] = {"count": 6}
    else:
        flexible["as"] = kind
    return {"name": "block", "material": "soft", "position": [0, 0, 0.03], "angular_velocity": [3, 5, 2], "velocity": [1, 0, -4],
            "flexible": flexible}


FLOOR = {"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}}


def signals(count=3):
    return [f"block.p{i}.position.{a}" for i in range(count) for a in "xyz"]


CASES = {
    "modes": (scene([block("modes", damping={"stiffness": 1e-4}), FLOOR], time={"end": 0.02},
                    contact={"method": "compliant", "law": {"linear": {"k": 2e4}}},
                    record={"every": 2e-4, "signals": signals()}), BLOCK),
    "nodes": (scene([block("nodes"), FLOOR], time={"end": 0.02}, contact={"method": "constraint"},
                    record={"every": 1e-4, "signals": signals()}), BLOCK),
    "plane": (scene([{"name": "block", "material": "soft", "position": [0, 0.03, 0], "velocity": [0, -4, 0],
                      "angular_velocity": [0, 0, 10],
                      "flexible": {"as": "nodes", "thickness": 0.01, "probes": corner_probes(STRIP),
                                   "mesh": {"strip": {"length": 0.2, "height": 0.04, "divisions": [8, 2]}}}},
                     {"name": "floor", "fixed": True, "shape": {"plane": [0, 1, 0]}}], time={"end": 0.02},
                    contact={"method": "constraint"}, record={"every": 1e-4, "signals": signals()}), STRIP),
}


class Deforming(Case):
    def run_case(self, name):
        made, corners = CASES[name]
        (self.folder / f"{name}.json").write_text(json.dumps(made))
        self.ok("run", f"{name}.json", "-q", "--no-report", "-o", name)
        table = np.genfromtxt(self.folder / name / "signals.csv", delimiter=",", skip_header=1)
        return corners, table[:, 1:].reshape(len(table), -1, 3)

    def world(self, document, array):
        """Vertices of the finite elements in every frame, in the axes of the scene, and those undeformed in the body's."""
        nodes = document["nodes"]
        body = next(i for i, n in enumerate(nodes) if n["name"] == "block")
        child, = nodes[body]["children"]
        mesh = document["meshes"][nodes[child]["mesh"]]
        primitive, = mesh["primitives"]
        base = array(primitive["attributes"]["POSITION"]).astype(float)
        targets = np.array([array(t["POSITION"]) for t in primitive["targets"]], dtype=float)
        self.assertEqual(len(mesh["weights"]), len(targets))
        self.assertLessEqual(len(targets), 24)
        channels = {(c["target"]["node"], c["target"]["path"]): document["animations"][0]["samplers"][c["sampler"]]
                    for c in document["animations"][0]["channels"]}
        weights = array(channels[child, "weights"]["output"]).astype(float).reshape(-1, len(targets))
        self.assertLessEqual(abs(weights).max(), 1 + 1e-6)
        np.testing.assert_allclose(weights[0], mesh["weights"], rtol=0, atol=1e-7)
        shift = array(channels[body, "translation"]["output"]).astype(float)
        turn = rotations(np.roll(array(channels[body, "rotation"]["output"]).astype(float), 1, 1))
        placed = [base + np.tensordot(w, targets, 1) for w in weights]
        corners = array(primitive["indices"])[:, 0]
        self.assertLess(corners.max(), len(base))
        return base, np.array([p @ R.T + s for p, R, s in zip(placed, turn, shift)])

    def test_vertices_go_with_probes(self):
        for name in CASES:
            with self.subTest(name):
                corners, known = self.run_case(name)
                self.ok("export", name, "-o", f"{name}.glb")
                base, moved = self.world(*read_glb(self.folder / f"{name}.glb"))
                self.assertEqual(len(moved), len(known))
                bent = off = 0.0
                for k, corner in enumerate(corners):
                    away = abs(base - np.array(corner))[:, :2 if name == "plane" else 3].max(1)
                    vertices = np.flatnonzero(away < 1e-6)
                    self.assertGreater(len(vertices), 0)
                    place = moved[:, vertices].mean(1)  # of a plane body both sides
                    off = max(off, np.linalg.norm(place - known[:, k], axis=1).max())
                    bent = max(bent, np.ptp(np.linalg.norm(known[:, k] - known[:, 0], axis=1)))
                print(f"{name}: distances change by {bent:.2g} m, drawn within {off:.2g} m")
                self.assertGreater(bent, 3e-4)
                # six coordinates are six targets, exact in single precision; waves in 135 nodes are more than 24 can have
                self.assertLess(off, (1e-4 if name == "modes" else 0.03) * bent)

    def test_exaggeration_enlarges_deformations_only(self):
        self.run_case("modes")
        self.ok("export", "modes", "-o", "one.glb")
        self.ok("export", "modes", "-o", "five.glb", "--exaggerate", 5)
        one, array = read_glb(self.folder / "one.glb")
        five, other = read_glb(self.folder / "five.glb")
        a, b = (next(m["primitives"][0] for m in d["meshes"] if "targets" in m["primitives"][0]) for d in (one, five))
        np.testing.assert_array_equal(array(a["attributes"]["POSITION"]), other(b["attributes"]["POSITION"]))
        for s, t in zip(a["targets"], b["targets"]):
            x, y = array(s["POSITION"]), other(t["POSITION"])
            np.testing.assert_allclose(5 * x, y, rtol=1e-4, atol=1e-4 * abs(y).max())
        for wrong in ("0", "-1", "nan", "1e99"):
            self.assertIn("--exaggerate", self.carom("export", "modes", "-o", "x.glb", "--exaggerate", wrong).stderr)

    def test_size_is_bounded_and_the_validator_agrees(self):
        made, _ = CASES["nodes"]
        fine = json.loads(json.dumps(made))
        fine["bodies"][0]["flexible"]["mesh"] = {"plate": {"size": [0.2, 0.1, 0.01], "divisions": [90, 50, 1]}}  # 9 282 nodes
        fine["bodies"][0]["flexible"]["probes"] = []
        fine["time"]["end"] = 1e-4
        fine["record"] = {"every": 5e-5}
        (self.folder / "fine.json").write_text(json.dumps(fine))
        self.ok("run", "fine.json", "-q", "--no-report", "-o", "fine")
        self.ok("export", "fine", "-o", "fine.glb")
        self.assertLess((self.folder / "fine.glb").stat().st_size, 5_000_000)
        for name in CASES:
            self.run_case(name)
            self.ok("export", name, "-o", f"{name}.glb")
            self.ok("export", name, "-o", f"{name}-one.glb", "--every", 100000)
        verdicts = validate(self.folder.glob("*.glb"))
        if verdicts is None:
            self.assertFalse(REQUIRED, "node and gltf-validator are needed")
            self.skipTest("without node and gltf-validator")
        for path, verdict in verdicts.items():
            self.assertEqual((verdict["errors"], verdict["warnings"]), (0, 0), (path, verdict["messages"][:3]))
            self.assertGreater(verdict["triangles"], 0)


if __name__ == "__main__":
    unittest.main()
