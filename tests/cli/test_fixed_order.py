"""Fixed steps of the method impact against the same scenes by events: bodies on a floor, stops, clearance, friction in joints, gears. Whatever
the step, they are off by no more than things move in a few steps: order one."""
import json
import math
import unittest

import numpy as np

from support import Case

G = 9.81


def floor():
    return {"name": "floor", "shape": {"plane": [0, 0, 1]}, "fixed": True}


def ball(name, radius, mass, position, **more):
    return dict({"name": name, "shape": {"sphere": radius}, "mass": mass, "position": position}, **more)


def part(name, size, mass, position, **more):
    """A box that joints hold and that nothing touches."""
    return dict({"name": name, "shape": {"box": size, "touches": False}, "mass": mass, "position": position}, **more)


def wheel(name, radius, mass, x, **more):
    return dict({"name": name, "shape": {"cylinder": {"radius": radius, "length": 0.02}, "touches": False}, "mass": mass,
                 "position": [x, 0, 0], "orientation": {"axis": [1, 0, 0], "angle": math.pi / 2}}, **more)


def rod(**more):
    return part("rod", [0.4, 0.02, 0.02], 1.0, [0.2, 0, 0], **more)


def joint(kind, body, **more):
    return dict({"name": "j", "type": kind, "bodies": ["ground", body], "at": [0, 0, 0]}, **more)


def pin(body, **more):
    return joint("revolute", body, axis=[0, 1, 0], **more)


def limit(low, high, e, **more):
    return dict({"min": low, "max": high, "restitution": e}, **more)


# name: bodies, end [s], signals, friction, restitution, joints
SCENES = {
    "a ball lands and rolls": ([floor(), ball("b", 0.1, 1, [0, 0, 0.3], velocity=[1, 0, 0])], 0.8, ["b.position.x"], 0.2, 0, []),
    "a ball bounces": ([floor(), ball("b", 0.05, 0.5, [0, 0, 0.5])], 1.2, ["b.position.z"], 0.3, 0.6, []),
    "a box slides to rest": ([floor(), {"name": "b", "shape": {"box": [0.2, 0.3, 0.1]}, "mass": 4, "position": [0, 0, 0.05],
                                        "velocity": [1.2, 0.9, 0]}], 0.8, ["b.position.x", "b.position.y"], 0.3, 0, []),
    "a box tips over its edge": ([floor(), {"name": "b", "shape": {"box": [0.1, 0.2, 0.4]}, "mass": 4, "position": [0, 0, 0.2],
                                            "velocity": [0.4, 0, 0.1], "angular_velocity": [0, 2, 0]}],
                                 0.25, ["b.position.x", "b.position.z"], 0.8, 0, []),
    "a ball spins up": ([floor(), ball("b", 0.1, 1, [0, 0, 0.1], angular_velocity=[0, 20, 0])], 0.6, ["b.position.x"], 0.25, 0, []),
    "two balls meet": ([floor(), ball("a", 0.1, 1, [0, 0, 0.1], velocity=[2, 0, 0]), ball("b", 0.1, 2, [0.6, 0, 0.1])],
                       0.6, ["a.position.x", "b.position.x"], 0, 0.5, []),
    "a pendulum knocks at its stop": ([rod()], 0.9, ["j.angle"], 0, 0, [pin("rod", limits=limit(-3, 1, 0.5))]),
    "a slider falls on its stop": ([part("s", [0.1, 0.1, 0.1], 2, [0, 0, 0])], 1.0, ["j.travel"], 0, 0,
                                   [joint("prismatic", "s", axis=[0, 0, 1], limits=limit(-0.5, 1, 0.7))]),
    "two coordinates with stops": ([part("b", [0.3, 0.1, 0.05], 1, [0.15, 0, 0], velocity=[0, 0.3, 0])], 0.7, ["j.travel", "j.angle"], 0, 0,
                                   [joint("cylindrical", "b", axis=[0, 1, 0],
                                          limits=[limit(-0.1, 0.08, 0.5, coordinate="travel"), limit(-1, 0.6, 0.4, coordinate="angle")])]),
    "a universal joint at both ends": ([part("b", [0.3, 0.1, 0.05], 1, [0.15, 0, 0], angular_velocity=[0, 0, 2])],
                                       0.6, ["j.angle_1", "j.angle_2"], 0, 0,
                                       [joint("universal", "b", axis=[0, 0, 1], x_axis=[0, 1, 0],
                                              limits=[limit(-0.5, 0.5, 0.4, coordinate="angle_1"),
                                                      limit(-0.7, 0.7, 0.3, coordinate="angle_2")])]),
    "a ball joint swings to its end": ([part("b", [0.3, 0.1, 0.05], 1, [0.15, 0, 0], angular_velocity=[0, 0, 2])], 0.6,
                                       ["b.position.x", "b.position.y", "b.position.z"], 0, 0,
                                       [joint("spherical", "b", axis=[1, 0, 0], limits={"max": 0.5, "restitution": 0.3})]),
    "a journal rubs until its wheel stands": ([wheel("w", 0.2, 3, 0, angular_velocity=[0, 5, 0])], 0.8, ["j.angle"], 0, 0,
                                              [pin("w", friction={"coefficient": 0.3, "radius": 0.05})]),
    "a pendulum rubs to rest": ([rod()], 3.0, ["j.angle"], 0, 0,
                                [pin("rod", friction={"coefficient": 0.4, "radius": 0.05, "length": 0.1})]),
    "a ball joint rubs": ([part("b", [0.3, 0.1, 0.05], 1, [0.15, 0, 0], angular_velocity=[0, 0, 4])], 0.6,
                          ["b.position.x", "b.position.y", "b.position.z"], 0, 0,
                          [joint("spherical", "b", friction={"coefficient": 0.3, "radius": 0.05})]),
    "a sleeve turns and slides": ([part("b", [0.3, 0.1, 0.05], 1, [0.15, 0, 0], velocity=[0, 0.5, 0], angular_velocity=[0, 2, 0])],
                                  0.6, ["j.travel", "j.angle"], 0, 0,
                                  [joint("cylindrical", "b", axis=[0, 1, 0], friction={"coefficient": 0.3, "radius": 0.05, "length": 0.1})]),
    "gears lift a weight": ([wheel("in", 0.05, 1, 0), wheel("out", 0.1, 2, 0.2), part("w", [0.2, 0.02, 0.02], 0.5, [0.3, 0, 0])],
                            0.5, ["A.angle", "B.angle"], 0, 0,
                            [pin("in", name="A"), pin("out", name="B", at=[0.2, 0, 0]),
                             {"name": "F", "type": "fixed", "bodies": ["out", "w"], "at": [0.2, 0, 0]},
                             {"name": "g", "type": "gear", "joint_1": "A", "joint_2": "B", "ratio": 0.5}]),
    "a pendulum loose in its bearing": ([rod()], 0.35, ["rod.position.x", "rod.position.z"], 0.1, 0,
                                        [pin("rod", clearance={"play": 0.002, "radius": 0.02})]),
    "a slider loose in its guide": ([part("s", [0.1, 0.1, 0.1], 2, [0, 0, 0], velocity=[0.5, 0, 0])], 0.5, ["s.position.x", "s.position.z"],
                                    0.1, 0, [joint("prismatic", "s", axis=[1, 0, 0], x_axis=[0, 0, 1],
                                                   clearance={"play": 0.003, "radius": 0.05, "length": 0.1})]),
}
FRAMES = 20


class FixedOrder(Case):
    def run_scene(self, name, step=None):
        bodies, end, signals, mu, e, joints = SCENES[name]
        contact = {"method": "impact", "friction": {"coulomb": {"mu": mu}}, "restitution": e, "restitution_law": "newton"}
        time = {"end": end}
        if step:
            contact["stepping"] = "fixed"
            time.update(step=step, preset="accurate")
        scene = {"carom": 1, "name": name, "gravity": [0, 0, -G], "time": time, "contact": contact, "bodies": bodies, "joints": joints,
                 "record": {"every": end / FRAMES, "signals": signals + ["energy.residue", "energy.total"]}}
        (self.folder / "s.json").write_text(json.dumps(scene))
        self.ok("run", "s.json", "-q", "-o", "out", timeout=60)
        with open(self.folder / "out" / "signals.csv") as f:
            f.readline()
            rows = np.loadtxt(f, delimiter=",", ndmin=2)[:, 1:].T
        return rows[:len(signals)], rows[-2], rows[-1]

    def test_order_one_towards_events(self):
        for name in SCENES:
            with self.subTest(name):
                exact, _, total = self.run_scene(name)
                speed = FRAMES / SCENES[name][1] * np.abs(np.diff(exact)).max()  # m/s or rad/s
                for h in (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4):
                    found, residue, _ = self.run_scene(name, h)
                    self.assertLess(np.abs(found - exact).max(), 3 * speed * h)
                    self.assertLess(np.abs(residue).max(), 1e-12 * (1 + np.abs(total).max()))

    def test_friction_in_joints_holds_up_to_its_limit(self):
        """A slider on a rail that leans by the angle of friction, and a bit more or less; the load is the whole weight across the rail."""
        for mu in (0.1, 0.4, 1.2):
            for factor, slides in ((1 - 1e-6, False), (1 + 1e-6, True)):
                a = math.atan(mu * factor)
                scene = {"carom": 1, "name": "rail", "gravity": [G * math.sin(a), 0, -G * math.cos(a)], "time": {"end": 1, "step": 1e-3},
                         "contact": {"method": "impact", "stepping": "fixed"},
                         "bodies": [part("s", [0.1, 0.1, 0.1], 2, [0, 0, 0])],
                         "joints": [joint("prismatic", "s", axis=[1, 0, 0], friction={"coefficient": mu})],
                         "record": {"every": 0.1, "signals": ["j.travel"]}}
                (self.folder / "s.json").write_text(json.dumps(scene))
                self.ok("run", "s.json", "-q", "-o", "out", timeout=60)
                way = np.loadtxt(self.folder / "out" / "signals.csv", delimiter=",", skiprows=1)[-1, 1]
                expected = 0.5 * G * (math.sin(a) - mu * math.cos(a))
                if slides:
                    self.assertAlmostEqual(way, expected, delta=0.01 * expected)
                else:
                    self.assertLess(abs(way), 1e-8)  # m: a compliance of 1e-6 creeps by 1e-6 g h^2 per step

    def test_a_coarse_step_does_not_lose_a_journal(self):
        """A wheel that leaps through its play many times over within a step stays in its bearing: no farther out than the corner of four walls,
        in one step, and back in the bearing behind it."""
        for speed in (0.5, 5.0, 20.0):
            scene = {"carom": 1, "name": "leap", "gravity": [0, 0, 0], "time": {"end": 0.2, "step": 1e-3},
                     "contact": {"method": "impact", "stepping": "fixed", "friction": {"coulomb": {"mu": 0.1}}},
                     "bodies": [part("w", [0.1, 0.02, 0.1], 1, [0, 0, 0], velocity=[speed, 0, 0.7 * speed])],
                     "joints": [pin("w", clearance={"play": 1e-4, "radius": 0.02})],
                     "record": {"every": 1e-3, "signals": ["j.x", "j.y"]}}
            (self.folder / "s.json").write_text(json.dumps(scene))
            self.ok("run", "s.json", "-q", "-o", "out", timeout=60)
            rows = np.loadtxt(self.folder / "out" / "signals.csv", delimiter=",", skiprows=1)
            off = np.hypot(rows[:, 1], rows[:, 2])
            self.assertLess(off.max(), math.sqrt(2) * 1.001e-4)
            along = np.hypot(np.diff(rows[-20:, 1]), np.diff(rows[-20:, 2])).max()  # m in a step along the tangent, which leads out by along^2/2c;
            self.assertLess(off[-20:].max(), 1e-4 + 1.2 * along ** 2 / 1e-4 + 1e-9)  # half of what is too deep is taken back


if __name__ == "__main__":
    unittest.main()
