"""Scenes of the rigid-ipc format from outside: run as they are, explained by check, written as carom scenes by import; and the
shapes they need: sheets, wires, points."""
import json
import math
import shutil
import unittest

import h5py
import numpy as np

from support import SOURCE, Case, checkpoint_state, summary

FIXTURES = SOURCE / "tests/cli/scenes/rigid-ipc"
CUBE = """v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n"""


def ring(count, radius=1.0):
    """A closed polyline as an OBJ file."""
    points = [(radius * math.cos(2 * math.pi * k / count), radius * math.sin(2 * math.pi * k / count)) for k in range(count)]
    return "".join(f"v {x:.17g} {y:.17g} 0\n" for x, y in points) + "l " + " ".join(str(k + 1) for k in range(count)) + " 1\n"


class Import(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "meshes" / "part").mkdir(parents=True)
        (self.folder / "scenes" / "deep").mkdir(parents=True)
        (self.folder / "meshes" / "part" / "cube.obj").write_text(CUBE)
        (self.folder / "meshes" / "ring.obj").write_text(ring(24))

    def fixture(self, bodies, name="scenes/deep/fixture.json", **more):
        problem = {"gravity": [0, -9.81, 0], "rigid_bodies": bodies, **more.pop("problem", {})}
        file = self.folder / name
        file.write_text(json.dumps({"timestep": 0.01, "max_iterations": 10, "rigid_body_problem": problem, **more}))
        return file

    def end(self, folder):
        with h5py.File(self.folder / folder / "result.h5", "r") as h5:
            return h5["bodies/position"][-1], h5["bodies/orientation"][-1]

    def run_scene(self, scene, folder, *more):
        self.ok("run", scene, "-o", folder, "--no-report", "-q", *more)
        return checkpoint_state(self.folder / folder)

    def test_imported_scenes_reach_the_same_bits(self):
        for fixture in sorted(FIXTURES.glob("*.json")):
            with self.subTest(fixture.name):
                here = self.folder / fixture.name
                shutil.copy(fixture, here)
                out = self.folder / "elsewhere" / "scene.json"
                out.parent.mkdir(exist_ok=True)
                self.ok("import", here, "-o", out)
                self.assertEqual(json.loads(out.read_text())["carom"], 1)
                self.assertEqual(self.run_scene(here, "direct", "-d", "0.1"), self.run_scene(out, "imported", "-d", "0.1"))

    def test_meshes_are_found_beside_and_above(self):
        body = {"mesh": "part/cube.obj", "dimensions": [1, 2, 3], "position": [0, 5, 0], "density": 10}
        scene = self.fixture([body])
        out = self.folder / "out" / "imported.json"
        out.parent.mkdir()
        self.ok("import", scene, "-o", out)
        shape = json.loads(out.read_text())["bodies"][0]["shapes"][0]
        self.assertEqual(shape["mesh"]["file"], "../meshes/part/cube.obj")
        self.assertEqual(shape["mesh"]["scale"], [0.5, 1, 1.5])
        self.assertRegex(self.ok("check", out), r"cube-0 +free +60 ")
        self.assertEqual(self.run_scene(scene, "a"), self.run_scene(out, "b"))
        text = self.ok("import", scene, cwd=self.folder / "scenes")  # to standard output: relative to this folder
        self.assertEqual(json.loads(text)["bodies"][0]["shapes"][0]["mesh"]["file"], "../meshes/part/cube.obj")
        self.refused("check", self.fixture([{"mesh": "cube.obj"}]), contains=["fixture.json:1", "'cube.obj' is not here"])

    def test_free_fall_is_that_of_implicit_euler(self):
        """v = -g h n, y = y0 - g h^2 n (n + 1) / 2; a turned body keeps its rate."""
        scene = self.fixture([{"mesh": "part/cube.obj", "position": [0, 5, 0], "linear_velocity": [1, 0, 0],
                               "angular_velocity": [0, 90, 0]}])
        self.run_scene(scene, "fall")
        position, orientation = self.end("fall")
        self.assertAlmostEqual(position[0][0], 0.1, places=7)
        self.assertAlmostEqual(position[0][1], 5 - 9.81 * 0.01**2 * 55, places=7)
        self.assertAlmostEqual(2 * math.acos(abs(orientation[0][0])), math.radians(9), places=3)

    def test_check_tells_what_became_of_what(self):
        scene = self.fixture(
            [{"mesh": "part/cube.obj", "type": "kinematic", "angular_velocity": [0, 9, 0], "density": 2},
             {"mesh": "ring.obj", "density": 3, "position": [0, 5, 0], "polygons": []},
             {"mesh": "part/cube.obj", "enabled": False},
             {"mesh": "part/cube.obj", "position": [0, 9, 0], "is_dof_fixed": [True, True, True, True, False, True],
              "torque": [0, 90, 0]}],
            solver="newton_solver", extra=1)
        done = self.carom("check", scene)
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ["Read from another format", "'cube-0' is kinematic, a solid, 16 kg",
                     "'ring-1' is dynamic, wire (density per length)", "not enabled: left out",
                     "'cube-2' is held by a joint: revolute", "times pi/180, in N m"]:
            self.assertIn(part, done.stdout)
        for part in ["warning: ", "carom does not have the newton_solver", "note: ", "'extra' is not known",
                     "'polygons' is not known"]:
            self.assertIn(part, done.stderr)

    def test_settings_of_both_formats_can_be_changed(self):
        scene = self.fixture([{"mesh": "part/cube.obj"}])
        text = self.ok("import", scene, "--set", "timestep=0.5", "--set", "contact.tolerance=1e-7",
                       "--set", "rigid_body_problem.rigid_bodies[0].density=3")
        content = json.loads(text)
        self.assertEqual(content["time"], {"end": 5, "step": 0.5})
        self.assertEqual(content["contact"]["tolerance"], 1e-7)
        self.assertEqual(content["bodies"][0]["shapes"][0]["density"], 3)

    def test_quirks_are_those_of_the_reference(self):
        """A hinged body under a torque: twice the torque over the sum of the other moments for unit density."""
        body = {"mesh": "part/cube.obj", "density": 100, "scale": [1, 0.5, 2], "torque": [0, 3, 0],
                "is_dof_fixed": [True, True, True, True, False, True]}
        scene = self.fixture([body], problem={"gravity": [0, 0, 0]})
        volume, h, n = 8.0, 0.01, 10
        ix, iy, iz = (volume / 12 * (b * b + c * c) for b, c in [(1, 4), (4, 2), (2, 1)])
        ix, iy, iz = volume / 12 * (1 + 16), volume / 12 * (4 + 16), volume / 12 * (4 + 1)
        torque = math.radians(3)
        for options, expected in [([], torque / (100 * iy)), (["--rigid-ipc-quirks"], 2 * torque / (ix + iz))]:
            self.run_scene(scene, "turn", *options)
            _, orientation = self.end("turn")
            angle = 2 * math.asin(orientation[0][2])
            self.assertAlmostEqual(angle / (expected * h * h * n * (n + 1) / 2), 1, places=3)
        self.assertIn("rigid_ipc_quirks=true", (self.folder / "turn" / "run.txt").read_text())
        self.refused("check", SOURCE / "examples/scenes/pendulum.json", "--rigid-ipc-quirks", contains="only scenes of")

    def test_resume_remembers_the_quirks(self):
        """A model without them would have another hash, and be refused."""
        scene = self.fixture([{"mesh": "part/cube.obj", "torque": [0, 3, 0], "is_dof_fixed": [True] * 4 + [False, True]}])
        self.run_scene(scene, "part", "--rigid-ipc-quirks", "--set", "max_iterations=20", "-d", "0.1")
        self.ok("resume", "part", "--duration", "0.2", "--no-report", "-q")
        self.assertAlmostEqual(summary(self.folder / "part")["time"], 0.2)

    def test_refusals(self):
        scene = self.fixture([{"mesh": "part/cube.obj"}])
        self.refused("import", scene, "-o", scene, contains="is the scene itself")
        self.refused("import", SOURCE / "examples/scenes/pendulum.json", contains="no scene of another format")
        saved = self.folder / "saved.json"
        saved.write_text('{"args": {"rigid_body_problem": {}}, "animation": {"state_sequence": []}}')
        self.refused("run", saved, contains="saved simulation")
        self.refused("check", self.fixture([{"vertices": [[0, 0], [1, 0]], "edges": [[0, 1]]}]), contains="flat")
        self.refused("check", self.fixture([{"mesh": "part/cube.obj", "is_dof_fixed": [False] * 3 + [True, False, False]}]),
                     contains="one fixed rotation")
        self.refused("run", self.fixture([{"mesh": "ring.obj"}]), "--method", "impact", "-o", "x",
                     contains=["a wire has no inside", "'barrier'"])


class ThinShapes(Case):
    def scene(self, bodies, **contact):
        file = self.folder / "scene.json"
        file.write_text(json.dumps({"carom": 1, "time": {"end": 0.5, "step": 0.01}, "bodies": bodies,
                                    "gravity": [0, 0, -9.81],
                                    "contact": {"method": "barrier", "range": 1e-3, "restitution": 0, "friction": 0.5, **contact}}))
        return file

    FLOOR = {"name": "floor", "fixed": True, "shape": {"sheet": {
        "vertices": [[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], "triangles": [[0, 1, 2], [0, 2, 3]]}}}

    def test_masses_are_shown(self):
        text = self.ok("check", self.scene([
            self.FLOOR,
            {"name": "card", "position": [0, 0, 1], "shape": {"sheet": {
                "vertices": [[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 0]], "triangles": [[0, 1, 2], [0, 2, 3]],
                "mass_per_area": 3}}},
            {"name": "frame", "position": [0, 0, 2], "shape": {"wire": {
                "vertices": [[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 0]], "edges": [[0, 1], [1, 2], [2, 3], [3, 0]],
                "mass_per_length": 0.5}}},
            {"name": "cloud", "position": [0, 0, 3], "shape": {"points": {
                "vertices": [[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 1]], "mass_per_point": 0.25}}},
            {"name": "weighed", "mass": 9, "position": [0, 0, 4], "shape": {"wire": {
                "vertices": [[0, 0, 0], [1, 0, 0]], "edges": [[0, 1]], "radius": 0.1}}}]))
        for row in [r"card +free +6 +2, 0\.5, 2\.5 ", r"frame +free +3 ", r"cloud +free +1 ", r"weighed +free +9 +0\.045, "]:
            self.assertRegex(text, row)

    def test_each_kind_comes_to_rest_above_the_floor(self):
        """Points and the vertices of wires and sheets meet the faces of the floor."""
        shapes = {"card": {"sheet": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]], "mass_per_area": 3}},
                  "frame": {"wire": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "edges": [[0, 1], [1, 2], [2, 0]],
                                     "mass_per_length": 1}},
                  "cloud": {"points": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.3, 0.3, 0.5]], "mass_per_point": 1}}}
        for name, shape in shapes.items():
            with self.subTest(name):
                scene = self.scene([self.FLOOR, {"name": name, "position": [0, 0, 0.05], "shape": shape}])
                self.ok("run", scene, "-o", name, "-q")
                with h5py.File(self.folder / name / "result.h5", "r") as h5:
                    z = h5["bodies/position"][:, 1, 2]
                self.assertGreater(z.min(), 0)
                self.assertLess(z[-1], 1e-3)
                self.ok("export", name, "--to", "glb", "-o", f"{name}.glb")
                self.assertGreater((self.folder / f"{name}.glb").stat().st_size, 500)

    def test_linked_rings_stay_linked(self):
        (self.folder / "ring.obj").write_text(ring(24))
        wire = {"wire": {"file": "ring.obj", "scale": 0.5, "mass_per_length": 1}}
        scene = self.scene([{"name": "upper", "fixed": True, "shape": wire, "orientation": {"axis": [1, 0, 0], "angle": 1.5707963}},
                            {"name": "lower", "position": [0, 0, -0.45],
                             "orientation": {"euler": [1.5707963, 1.5707963, 0]}, "shape": wire}])
        self.ok("run", scene, "-o", "rings", "--no-report", "-q")
        with h5py.File(self.folder / "rings" / "result.h5", "r") as h5:
            z = h5["bodies/position"][-1, 1, 2]
        self.assertLess(z, -0.9)
        self.assertGreater(z, -1.0)

    def test_refusals(self):
        sheet = {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}
        card = {"name": "card", "shape": {"sheet": sheet}}
        self.refused("check", self.scene([card]), contains="mass_per_area")
        self.refused("check", self.scene([{**card, "density": 3}]), contains="mass_per_area")
        self.refused("check", self.scene([{"name": "card", "mass": 1, "shape": {"sheet": sheet, "density": 3}}]),
                     contains="no 'density'")
        self.refused("check", self.scene([{**card, "mass": 1}], method="compliant", law={"linear": {"k": 1e6}}),
                     contains=["a sheet has no inside", "'barrier'"])
        self.refused("check", self.scene([{"name": "line", "mass": 1, "shape": {"wire": {
            "vertices": [[0, 0, 0], [1, 0, 0]], "edges": [[0, 1]]}}}]), contains="radius")


if __name__ == "__main__":
    unittest.main()
