"""Force elements in results, pages and pictures: where they act and what they exert, against closed forms."""
import json
import unittest

import h5py
import numpy as np

from page_data import Page
from support import Case

SCENE = {
    "carom": 1, "gravity": [0, 0, 0], "time": {"end": 1}, "record": {"every": 0.05, "signals": ["coil.force", "drive.force", "push.force"]},
    "bodies": [
        {"name": "base", "fixed": True, "shape": {"box": [0.1, 0.1, 0.1]}, "position": [0, 0, 2]},
        {"name": "mass", "mass": 2, "inertia": [1, 1, 1], "shape": {"box": [0.2, 0.2, 0.2]}, "position": [1.3, 0, 0]},
        {"name": "wheel", "mass": 1, "inertia": [1, 1, 0.5], "shape": {"cylinder": {"radius": 0.2, "length": 0.1}}, "position": [0, 2, 0]},
        {"name": "cart", "mass": 4, "inertia": [1, 1, 1], "shape": {"box": [0.2, 0.1, 0.1]}, "position": [0, -2, 0]}],
    "joints": [
        {"name": "axle", "type": "revolute", "bodies": ["ground", "wheel"], "at": [0, 2, 0], "axis": [0, 0, 1]},
        {"name": "rail", "type": "prismatic", "bodies": ["ground", "cart"], "at": [0, -2, 0], "axis": [1, 0, 0]}],
    "forces": [
        {"name": "coil", "type": "spring", "bodies": ["ground", "mass"], "at": [0, 0, 0], "at_b": [1.3, 0, 0], "stiffness": 50, "free_length": 1},
        {"name": "dash", "type": "spring", "bodies": ["base", "mass"], "at": [0, 0, 2], "at_b": [1.3, 0, 0], "damping": 3},
        {"name": "drive", "type": "motor", "joint": "axle", "mode": "torque", "target": -0.7},
        {"name": "pull", "type": "motor", "joint": "rail", "mode": "torque", "target": 2.5},
        {"name": "push", "type": "load", "body": "cart", "force": [0, 1.5, -0.5]},
        {"name": "air", "type": "drag", "body": "cart", "linear": 0.1}]}


class Forces(Case):
    def run_scene(self, **more):
        (self.folder / "scene.json").write_text(json.dumps({**SCENE, **more}))
        self.ok("run", "scene.json", "-q", "-o", "out")
        return self.folder / "out"

    def test_results_know_where_they_act_and_what_they_exert(self):
        out = self.run_scene()
        with h5py.File(out / "result.h5") as h5:
            names = [name.decode() for name in h5["forces/name"]]
            self.assertEqual(names, ["coil", "dash", "drive", "pull", "push"])  # drag is a field
            self.assertEqual([kind.decode() for kind in h5["forces/kind"]], ["spring", "damper", "motor", "motor", "load"])
            self.assertEqual(h5["forces/body_a"][()].ravel().tolist(), [-1, 0, -1, -1, 3])
            self.assertEqual(h5["forces/body_b"][()].ravel().tolist(), [1, 1, 2, 3, -2])
            self.assertEqual(h5["forces/joint"][()].ravel().tolist(), [-1, -1, 0, 1, -1])
            self.assertEqual(h5["forces/turns"][()].ravel().tolist(), [0, 0, 1, 0, 0])
            force, torque = h5["forces/force"][()], h5["forces/torque"][()]
            mass, signals = h5["bodies/position"][:, 1], h5["signals/value"][()]
            # The spring pulls the ground towards the mass by k (l - l0).
            way = mass - np.zeros(3)
            length = np.linalg.norm(way, axis=1)
            self.assertLess(np.abs(force[:, 0] - (50 * (length - 1) / length)[:, None] * way).max(), 1e-9)
            self.assertLess(np.abs(np.abs(signals[:, 0]) - np.linalg.norm(force[:, 0], axis=1)).max(), 1e-12)
            # The damper pulls along its line by c times the rate of its length.
            line = mass - np.array([0, 0, 2])
            along = line / np.linalg.norm(line, axis=1)[:, None]
            rate = (h5["bodies/velocity"][:, 1] * along).sum(axis=1)
            self.assertLess(np.abs(force[:, 1] - (3 * rate)[:, None] * along).max(), 1e-9)
            self.assertLess(np.abs(torque[:, 2] - [0, 0, -0.7]).max(), 1e-12)
            self.assertLess(np.abs(force[:, 2]).max(), 1e-12)
            self.assertLess(np.abs(force[:, 3] - [2.5, 0, 0]).max(), 1e-12)
            self.assertLess(np.abs(force[:, 4] - [0, 1.5, -0.5]).max(), 1e-12)

    def test_pages_have_the_same(self):
        out = self.run_scene()
        page = Page(out / "report.html")
        forces = page.run["forces"]
        self.assertEqual([(f["name"], f["kind"], f["body"], f["joint"], f["turns"]) for f in forces],
                         [("coil", "spring", [-1, 1], -1, False), ("dash", "damper", [0, 1], -1, False), ("drive", "motor", [-1, 2], 0, True),
                          ("pull", "motor", [-1, 3], 1, False), ("push", "load", [3, -2], -1, False)])
        self.assertEqual(forces[0]["markers"][0]["position"], [0, 0, 0])
        with h5py.File(out / "result.h5") as h5:
            for key in ("force", "torque"):
                wanted = h5[f"forces/{key}"][()].astype(np.float32)
                self.assertEqual(page.array(page.run[f"effort_{key}"]).tobytes(), wanted.tobytes())

    def test_pictures_show_them_unless_they_are_switched_off(self):
        view = [{"name": "with", "show": ["springs"]}, {"name": "without", "show": ["joints"]}]
        out = self.run_scene(view=view)
        for name in ("with", "without"):
            self.ok("render", out, "-o", f"{name}.png", "-v", name, "-t", "0.5", "-s", "320x180", "--no-caption")
        self.assertNotEqual((self.folder / "with.png").read_bytes(), (self.folder / "without.png").read_bytes())

    def test_a_scene_without_forces_has_no_group(self):
        out = self.run_scene(forces=[], record={"every": 0.1})
        with h5py.File(out / "result.h5") as h5:
            self.assertNotIn("forces", h5)
        page = Page(out / "report.html")
        self.assertEqual((page.run["forces"], page.run["effort_force"]), ([], None))

    def test_damaged_tables_are_refused(self):
        out = self.run_scene()
        for path, value in (("forces/body_a", 99), ("forces/body_b", -3), ("forces/joint", 2), ("forces/turns", 2)):
            with self.subTest(path=path), h5py.File(out / "result.h5", "r+") as h5:
                before = h5[path][0]
                h5[path][0] = value
                h5.flush()
                h5.close()
                self.refused("render", out, "-o", "a.png", contains="forces")
                with h5py.File(out / "result.h5", "r+") as again:
                    again[path][0] = before
        self.ok("render", out, "-o", "a.png", "-s", "64x36")


if __name__ == "__main__":
    unittest.main()
