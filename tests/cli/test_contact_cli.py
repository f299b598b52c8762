"""Contact from outside: what 'carom check' says before a run, and what the examples do, against closed forms."""
import json
import math
import unittest

import h5py
import numpy as np

from support import SOURCE, Case

G = 9.81
FLOOR = {"name": "floor", "shape": {"plane": [0, 0, 1]}, "fixed": True}
CONTACT = {"method": "compliant", "law": {"hunt-crossley": {"k": 1e7}}, "restitution": 0.5}


def section(text, heading):
    """The lines under a heading of 'carom check', up to the next empty one."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if heading in line)
    end = next((i for i in range(start, len(lines)) if not lines[i].strip()), len(lines))
    return lines[start:end]


class ContactCheck(Case):
    def scene(self, bodies, contact=None, **more):
        content = {"carom": 1, "time": {"end": 1}, "contact": contact or CONTACT, "bodies": bodies, **more}
        file = self.folder / "scene.json"
        file.write_text(json.dumps(content))
        return file

    def box(self, name, z, size=0.2, **more):
        return {"name": name, "shape": {"box": [size, size, size]}, "density": 1000, "position": [0, 0, z], **more}

    def test_shapes_with_points_and_fields(self):
        mesh = self.folder / "ball.ply"
        self.ok("mesh", "make", "sphere", mesh, "--radius", "0.1")
        text = self.ok("check", self.scene([
            FLOOR, self.box("crate", 0.2, material="wood"),
            {"name": "stone", "shape": {"mesh": {"file": "ball.ply"}}, "density": 2000, "position": [1, 0, 0.2]},
            {"name": "ghost", "shapes": [{"sphere": 0.1, "touches": False}], "density": 1000, "position": [2, 0, 0.2]},
        ], {**CONTACT, "resolution": 32, "cache": False}))
        rows = section(text, "shapes take part in contact")
        self.assertIn("3 shapes", rows[0])
        named = {row.split()[0]: row for row in rows[2:]}
        self.assertEqual(set(named), {"floor", "crate", "stone"})
        self.assertIn("exact", named["crate"])
        self.assertIn("wood", named["crate"])
        self.assertRegex(named["stone"], r"mesh +\d+ +bricks, cells of 0\.00\d+ m, off by \S+ m at most")

    def test_rules_between_pairs(self):
        contact = {**CONTACT, "pairs": [
            {"between": ["floor", "a"], "restitution": 0.25, "friction": {"coulomb": {"mu": 0.3}}},
            {"between": ["a", "b"], "ignore": True}]}
        text = self.ok("check", self.scene([FLOOR, self.box("a", 1), self.box("b", 2)], contact))
        rows = section(text, "What happens where they meet")[2:]
        self.assertEqual(len(rows), 2, rows)
        self.assertRegex(rows[0], r"1 +floor - a +hunt-crossley +0.25 +coulomb +point +both")
        self.assertRegex(rows[1], r"1 +floor - b +hunt-crossley +0.5 +none +point +both")

    def test_clearances_take_the_side_that_has_points(self):
        """A rule for the points of the first body, which is a plane and has none: detection takes the other's."""
        floor = {"name": "floor", "shape": {"plane": [0, 0, 1]}, "fixed": True}
        text = self.ok("check", self.scene([floor, self.box("box", 0.103)], contact=dict(CONTACT, points="first")))
        self.assertIn("floor - box: 0.003 m apart", text)

    def test_clearances_and_initial_intersections(self):
        text = self.ok("check", self.scene([FLOOR, self.box("near", 0.103), self.box("into", 0.3025),
                                            self.box("far", 2.0)]))
        rows = section(text, "at the start")
        self.assertIn("floor - near: 0.003 m apart", "\n".join(rows))
        self.assertIn("near - into: 0.0005 m into each other", "\n".join(rows))
        self.assertNotIn("far", "\n".join(rows))
        self.assertNotIn("warning", text)

    def test_a_deep_start_is_warned_of(self):
        text = self.ok("check", self.scene([FLOOR, self.box("sunk", 0.08)]))
        self.assertRegex(text, r"floor - sunk: 0\.02 m into each other, warning: that is 10 % of the smaller one")

    def test_bodies_on_a_joint_and_methods_without_contact(self):
        bodies = [self.box("a", 1), self.box("b", 1.1)]
        joints = [{"name": "hinge", "type": "revolute", "bodies": ["a", "b"], "at": [0, 0, 1]}]
        text = self.ok("check", self.scene(bodies, joints=joints))
        self.assertIn("no two of them can touch", text)
        self.assertIn("0 pairs nearer", text)
        text = self.ok("check", self.scene(bodies, {**CONTACT, "between_joined": True}, joints=joints))
        self.assertIn("1 pair nearer", text)
        text = self.ok("check", self.scene(bodies, {"method": "none"}, joints=joints))
        self.assertNotIn("take part", text)

    def test_many_pairs_are_summed_up(self):
        bodies = [FLOOR] + [self.box("box%d" % i, 0.1001 + 0.2 * i) for i in range(30)]
        text = self.ok("check", self.scene(bodies))
        self.assertIn("31 shapes take part", text)
        self.assertIn("and 11 more", text)
        self.assertIn("465", section(text, "What happens")[2])
        self.assertRegex(text, r"30 pairs nearer.*at the start")
        self.assertIn("and 18 more", text)

    def test_more_rules_than_fit(self):
        names = ["box%d" % i for i in range(40)]
        rules = [{"between": ["floor", n], "restitution": 0.01 * i} for i, n in enumerate(names)]
        bodies = [FLOOR] + [self.box(n, 1.0 + i) for i, n in enumerate(names)]
        text = self.ok("check", self.scene(bodies, {**CONTACT, "pairs": rules}))
        rows = section(text, "What happens where they meet")[2:]
        self.assertEqual(len(rows), 33)
        self.assertIn("and more", rows[-1])


class ContactExamples(Case):
    """The examples as they are, against what can be worked out by hand."""

    def run_example(self, name):
        self.ok("run", SOURCE / "examples" / "scenes" / (name + ".json"), "-o", "out", "-q")
        with h5py.File(self.folder / "out" / "result.h5", "r") as h5:
            names = [n.decode() if isinstance(n, bytes) else n for n in h5["signals/name"][()]]
            signals = {n: h5["signals/value"][:, i] for i, n in enumerate(names)}
            return h5["time"][()], signals

    def test_bouncing_balls(self):
        t, s = self.run_example("bouncing-balls")
        for name, e in (("0.9", 0.9), ("0.7", 0.7), ("0.5", 0.5)):
            height = s["ball %s.position.z" % name] - 0.05
            flight = math.sqrt(2 / G)
            top = height[np.abs(t - flight * (1 + e)) < 0.02].max()
            self.assertAlmostEqual(top, e * e, delta=2e-3, msg=name)

    def test_rolling_ball(self):
        _, s = self.run_example("rolling-ball")
        near = 2e-3  # the force acts in the middle of the overlap, so the ball rolls on a little less than its radius
        self.assertAlmostEqual(s["plain.velocity.x"][-1], 10 / 7, delta=near)
        self.assertAlmostEqual(0.05 * s["plain.angular_velocity.y"][-1], 10 / 7, delta=near)
        self.assertAlmostEqual(s["backspin.velocity.x"][-1], -6 / 7, delta=near)
        self.assertAlmostEqual(s["lost.friction"][-1], 0.5 / 7 * (4 + 100), delta=0.01)

    def test_slope(self):
        t, s = self.run_example("slope")
        tail = t >= 1.0
        cosine = 2 / math.sqrt(5)
        self.assertLess(np.ptp(s["holds.position.x"][tail]), 1e-8)
        creep = np.ptp(s["creeps.position.x"][tail]) / cosine
        w = 0.01290003186976 / 0.02  # mu_s (3w - w^3)/2 = tan of the slope
        self.assertAlmostEqual(0.6 * (3 * w - w ** 3) / 2, 0.5, delta=1e-9)
        self.assertAlmostEqual(creep, 0.02 * w, delta=1e-6)
        self.assertAlmostEqual(s["slides.velocity.x"][-1] / cosine / 2, G * (0.5 - 0.3) * cosine, delta=1e-3)

    def test_stack(self):
        _, s = self.run_example("stack")
        masses = [600 * 0.2 * (0.2 - 0.02 * i) ** 2 for i in range(5)]
        self.assertAlmostEqual(-s["floor.contact.force.z"][-1], sum(masses) * G, delta=0.05)
        self.assertAlmostEqual(s["box[4].contact.force.z"][-1], masses[4] * G, delta=0.05)

    def test_newtons_cradle(self):
        _, s = self.run_example("newtons-cradle")
        self.assertAlmostEqual(s["hinge[4].angle"].max(), math.pi / 6, delta=2e-3)
        for k in (1, 2, 3):
            self.assertLess(np.abs(s["hinge[%d].angle" % k]).max(), 2e-3)

    def test_geneva_follows_its_closed_form(self):
        _, s = self.run_example("geneva")
        d, r, play = 0.1, 0.1 * math.sin(math.pi / 4), 1e-4
        psi = 0.0
        for turn in range(3):
            a = np.clip(s["drive.angle"] - (2 * turn + 1) * math.pi, -math.pi / 4, math.pi / 4)
            psi = psi - np.arctan2(r * np.sin(a), d - r * np.cos(a)) - math.pi / 4
        self.assertLess(np.abs(s["output.angle"] - psi).max(), 1.2 * play / (d - r))

    def test_pendulum_and_wall(self):
        t, s = self.run_example("pendulum-wall")
        x = s["ball.position.x"]
        lowest = [x[k] for k in range(1, len(x) - 1) if x[k] < x[k - 1] and x[k] <= x[k + 1]]
        swing = [1 - math.cos(1.2)] + [1 - math.sqrt(1 - (v / 0.8) ** 2) for v in lowest]
        self.assertGreater(len(swing), 4)
        for before, after in zip(swing, swing[1:]):
            self.assertAlmostEqual(math.sqrt(after / before), 0.8, delta=1e-3)

    def test_gear_teeth_keep_their_ratio(self):
        t, s = self.run_example("gear-teeth")
        late = t > 0.4
        ratio = np.ptp(s["output.angle"][late]) / np.ptp(s["drive.angle"][late])
        self.assertAlmostEqual(ratio, 0.5, delta=2e-3)  # backlash and ripple of a tooth over a finite way


if __name__ == "__main__":
    unittest.main(verbosity=2)
