"""Ropes and struts: distances that are free but for limits, under methods with impacts and with stops that give."""
import csv
import json
import unittest

from support import Case

GRAVITY, LENGTH = 9.81, 0.6


def scene(method, z, velocity, limits):
    return {"carom": 1, "gravity": [0, 0, -GRAVITY], "time": {"end": 0.6}, "record": {"every": 0.001, "signals": ["rope.length", "ball.position.z"]},
            "contact": {"method": method, "law": {"linear": {"k": 1e6}}},
            "bodies": [{"name": "ball", "mass": 2, "shape": {"sphere": 0.05}, "position": [0, 0, z], "velocity": velocity}],
            "joints": [{"name": "rope", "type": "rope", "bodies": ["ground", "ball"], "at": [0, 0, 0], "at_b": [0, 0, z], "limits": limits}]}


class Rope(Case):
    def run_scene(self, **parts):
        (self.folder / "s.json").write_text(json.dumps(scene(**parts)))
        done = self.carom("run", "s.json", "-q", "--no-report", "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / "out" / "signals.csv", newline="") as f:
            rows = list(csv.DictReader(f))
        return [float(row["ball.position.z [m]"]) for row in rows], [float(row["rope.length [m]"]) for row in rows]

    def test_a_ball_on_a_rope_leaves_the_circle_and_flies(self):
        """Too fast to hang, too slow to loop: the rope goes slack where gravity alone bends the path, v^2 = g L cos."""
        speed2 = 4.5 ** 2
        slack = (speed2 - 2 * GRAVITY * LENGTH) / (3 * GRAVITY * LENGTH)  # height over length
        top = LENGTH * slack + LENGTH * slack * (1 - slack ** 2) / 2
        for method, stiffness, delta in (("impact", 0, 2e-5), ("none", 1e7, 1e-4), ("compliant", 1e7, 1e-4), ("constraint", 1e6, 2e-3)):
            with self.subTest(method=method):
                z, length = self.run_scene(method=method, z=-LENGTH, velocity=[4.5, 0, 0], limits={"max": LENGTH, "stiffness": stiffness})
                self.assertAlmostEqual(max(z), top, delta=delta)
                self.assertLess(max(length), LENGTH + (1e-9 if method == "impact" else 1e-3))
                self.assertLess(min(length), LENGTH - 1e-3)

    def test_a_distance_between_bounds_is_a_rope(self):
        for method in ("impact", "none", "compliant"):
            rope = scene(method, -0.5, [2, 0, 0], {"max": LENGTH})
            distance = json.loads(json.dumps(rope))
            joint = distance["joints"][0]
            del joint["limits"]
            joint.update({"type": "distance", "max": "600 mm"})
            ends = []
            for name, s in (("rope", rope), ("distance", distance)):
                (self.folder / f"{name}.json").write_text(json.dumps(s))
                done = self.carom("run", f"{name}.json", "-q", "--no-report", "-o", name)
                self.assertEqual(done.returncode, 0, done.stderr)
                ends.append(json.loads((self.folder / name / "summary.json").read_text())["bodies"]["ball"])
            self.assertEqual(ends[0], ends[1], method)

    def test_a_distance_has_a_length_or_bounds(self):
        for more, told in (({"max": 1, "length": 1}, "one or the other"), ({"max": 1, "limits": {"max": 2}}, "no coordinate"),
                           ({"min": 2, "max": 1}, "min must be below max"), ({"max": -1}, "is -1")):
            s = scene("impact", -0.5, [2, 0, 0], {})
            del s["joints"][0]["limits"]
            s["joints"][0].update({"type": "distance", **more})
            (self.folder / "s.json").write_text(json.dumps(s))
            done = self.carom("check", "s.json")
            self.assertEqual(done.returncode, 2, more)
            self.assertIn(told, done.stderr)

    def test_a_strut_pushes_and_does_not_pull(self):
        """A ball falls from 1 m onto a strut of 0.6 m and comes back with half its speed: a quarter of the height."""
        z, length = self.run_scene(method="impact", z=1.0, velocity=[0, 0, 0], limits={"min": LENGTH, "restitution": 0.5})
        touched = next(i for i, at in enumerate(z) if at < LENGTH + 3e-3)
        self.assertAlmostEqual(max(z[touched:]), 0.7, delta=1e-5)
        self.assertGreater(min(length), LENGTH - 1e-9)

    def test_what_a_rope_joins_may_touch(self):
        s = scene("impact", 1.0, [0, 0, 0], {"max": 2})
        s["bodies"].append({"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}})
        s["joints"][0]["bodies"] = ["floor", "ball"]
        (self.folder / "s.json").write_text(json.dumps(s))
        self.assertIn("floor - ball", self.carom("check", "s.json").stdout)

    def test_barrier_begins_inside(self):
        z, length = self.run_scene(method="barrier", z=-0.5, velocity=[2, 0, 0], limits={"max": LENGTH})
        self.assertLess(max(length), LENGTH)
        self.assertGreater(max(length), 0.9 * LENGTH)
        self.assertLess(max(z), 0)


if __name__ == "__main__":
    unittest.main()
