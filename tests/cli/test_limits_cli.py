"""Motions that cannot be: through poles, without a value, faster than light. They are refused with a name and a time, and no
result holds a number that is not finite."""
import json

import h5py
import numpy as np

from support import Case

LIGHT = 299792458.0
INTEGRATORS = ("generalized-alpha", "radau", "runge-kutta", "semi-implicit-euler", "cvode", "ida")


def arm(integrator, end=1.0):
    return {"carom": 1, "time": {"end": end, "integrator": integrator}, "record": {"every": 0.05},
            "bodies": [{"name": "arm", "mass": 2, "shape": {"box": [0.8, 0.1, 0.1]}}]}


class Limits(Case):
    def run_scene(self, scene):
        (self.folder / "s.json").write_text(json.dumps(scene))
        done = self.carom("run", "s.json", "-q", "--no-report", "-o", "out")
        result = self.folder / "out" / "result.h5"
        if result.exists():
            with h5py.File(result) as h5:
                h5.visititems(lambda name, d: self.assertTrue(np.isfinite(d[()]).all(), name)
                              if isinstance(d, h5py.Dataset) and d.dtype.kind == "f" and not name.startswith("contacts") and
                              "color" not in name else None)
        return done

    def impossible(self, scene, *parts):
        done = self.run_scene(scene)
        self.assertEqual(done.returncode, 3, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_bodies_are_not_led_through_poles(self):
        """At a frame, at a step, between both; of odd and of even order, weak and strong."""
        for end, step in ((0.02, None), (0.02, 0.003)):
            for law in ("1/(t-0.01)", "1/(t-0.0123)", "-2/(t-0.0071)^2", "1e-9/(t-0.0049)", "tan(250*t)", "log(0.013-t)",
                        "sqrt(0.011-t)"):
                for where in ("position", "angle"):
                    motion = {"position": [0, law, 0]} if where == "position" else {"angle": law, "axis": [0, 0, 1]}
                    time = {"end": end} | ({"integrator": "semi-implicit-euler", "step": step} if step else {})
                    with self.subTest(law=law, where=where, step=step):
                        self.impossible({"carom": 1, "time": time, "record": {"every": 0.01}, "bodies": [
                            {"name": "carrier", "mass": 1, "inertia": [1, 1, 1], "motion": motion},
                            {"name": "rider", "mass": 1, "inertia": [1, 1, 1]}]}, "'carrier'", "t = 0.0")

    def test_quick_motions_are_none(self):
        for law in ("sin(900*t)", "abs(t-0.0133)", "1e-3*sin(2e5*t)", "t^0.5", "exp(-1e4*t)", "1/(t+0.01)"):
            with self.subTest(law=law):
                done = self.run_scene({"carom": 1, "time": {"end": 0.02}, "bodies": [
                    {"name": "carrier", "mass": 1, "inertia": [1, 1, 1], "motion": {"position": [0, 0, law]}}]})
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_joints_are_not_driven_through_poles(self):
        for integrator in INTEGRATORS:
            for kind, law in (("revolute", "0.3/(t-0.51)"), ("prismatic", "1/(t-0.45)"), ("prismatic", "sqrt(0.62-t)"),
                              ("revolute", "log(0.7-t)")):
                scene = arm(integrator)
                scene["joints"] = [{"name": "drive", "type": kind, "bodies": ["ground", "arm"], "axis": [0, 0, 1],
                                    "motion": {"value": law}}]
                with self.subTest(integrator=integrator, law=law):
                    self.impossible(scene, "'drive", "t = 0.")

    def test_forces_without_a_value_end_the_run(self):
        for integrator in INTEGRATORS:
            for law in ("1/(t-0.5)", "sqrt(0.42-t)", "log(0.55-t)"):
                for force in ({"name": "push", "type": "load", "body": "arm", "force": [law, 0, 0]},
                              {"name": "coil", "type": "spring", "bodies": ["ground", "arm"], "at": [-1, 0, 0],
                               "at_b": [0, 0, 0], "force": law},
                              {"name": "drive", "type": "motor", "joint": "slide", "mode": "torque", "target": law}):
                    scene = arm(integrator)
                    scene["joints"] = [{"name": "slide", "type": "prismatic", "bodies": ["ground", "arm"], "axis": [1, 0, 0]}]
                    scene["forces"] = [force]
                    with self.subTest(integrator=integrator, law=law, force=force["name"]):
                        self.impossible(scene, "t = 0.")

    def test_nothing_starts_faster_than_light(self):
        for speed, spin, fast in ((1.01 * LIGHT, 0, True), (0.99 * LIGHT, 0, False), (0, 1.01 * LIGHT / 0.07, True),
                                  (0, 0.99 * LIGHT / 0.07, False), (0, 1e30, True)):
            scene = {"carom": 1, "time": {"end": 1e-9}, "bodies": [
                {"name": "marble", "density": 2500, "shape": {"sphere": 0.07}, "velocity": [0, speed, 0],
                 "angular_velocity": [0, 0, spin]}]}
            with self.subTest(speed=speed, spin=spin):
                (self.folder / "s.json").write_text(json.dumps(scene))
                done = self.carom("check", "s.json")
                self.assertEqual(done.returncode, 2 if fast else 0, done.stderr)
                self.assertEqual("faster than light" in done.stderr, fast)
                self.assertEqual("s.json:1: bodies[0]" in done.stderr, fast)

    def test_nothing_becomes_faster_than_light(self):
        for load in ({"force": [3e11, 0, 0]}, {"torque": [0, 1e11, 0]}):
            for integrator in INTEGRATORS[:3]:
                scene = arm(integrator, end=10)
                scene["forces"] = [{"name": "rocket", "type": "load", "body": "arm"} | load]
                with self.subTest(load=load, integrator=integrator):
                    self.impossible(scene, "body 'arm' moves faster than light at t = ")


if __name__ == "__main__":
    import unittest
    unittest.main()
