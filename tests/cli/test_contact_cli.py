"""Contact from outside: what 'carom check' says before a run, and what the examples do, against closed forms."""
import json
import math
import re
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

    def test_rules_of_impacts(self):
        contact = {"method": "impact", "restitution": 0.5, "restitution_law": "poisson", "pairs": [
            {"between": ["floor", "a"], "friction": {"coulomb": {"mu": 0.3}}},
            {"between": ["floor", "b"], "impulse": 2}]}
        text = self.ok("check", self.scene([FLOOR, self.box("a", 1), self.box("b", 2)], contact))
        rows = section(text, "What happens where they meet")[2:]
        self.assertEqual(len(rows), 3, rows)
        self.assertRegex(rows[0], r"1 +floor - a +poisson +0.5 +0.3$")
        self.assertRegex(rows[1], r"1 +floor - b +impulse of 2 N s +0.5 +0$")
        self.assertRegex(rows[2], r"1 +a - b +poisson +0.5 +0$")

    def test_friction_and_play_of_joints(self):
        """Only where the method makes something of them."""
        bodies = [self.box(name, 1) for name in "abc"]
        joints = [{"name": "slide", "type": "prismatic", "bodies": ["ground", "a"], "at": [0, 0, 1],
                   "friction": {"coefficient": 0.25}},
                  {"name": "hinge", "type": "revolute", "bodies": ["ground", "b"], "at": [0, 0, 1]},
                  {"name": "loose", "type": "revolute", "bodies": ["ground", "c"], "at": [0, 0, 1],
                   "clearance": 0.5e-3}]
        text = self.ok("check", self.scene(bodies, {"method": "impact", "friction": {"coulomb": 0.1}}, joints=joints))
        named = {row.split()[0]: row for row in section(text, "3 joints")[2:]}
        self.assertIn("friction 0.25", named["slide"])
        self.assertNotRegex(named["hinge"], "friction|play")
        self.assertIn("friction 0.1, play 0.5 mm", named["loose"])
        text = self.ok("check", self.scene(bodies, {"method": "none"}, joints=joints[:2]))
        self.assertNotIn("friction", text)

    def test_rods_are_lines_where_contact_sees_lines(self):
        """A rod that stands on the floor touches it, though the cylinder it is drawn as would be in it."""
        tilt = {"axis": [0, 1, 0], "angle": 0.5}
        rod = {"name": "rod", "shape": {"rod": {"length": 1}}, "mass": 1, "orientation": tilt}
        for gap in (0.0, 0.003, 0.03):
            rod["position"] = [0, 0, 0.5 * math.cos(0.5) + gap]
            text = self.ok("check", self.scene([FLOOR, rod], {"method": "impact"}))
            found = float(re.search(r"floor - rod: (\S+) m apart", text).group(1))
            self.assertAlmostEqual(found, gap, delta=1e-12 + 1e-3 * gap)
        rod["position"] = [0, 0, 0.0]
        done = self.carom("check", self.scene([FLOOR, rod], {"method": "impact"}))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stdout, r"floor - rod: 0\.4\d+ m into each other, more than the method can begin with")
        self.assertRegex(done.stderr, r"'floor' and 'rod' start 0\.4\d+ m inside each other")

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


class ImpactExamples(Case):
    """The examples of the method impact, against the numbers that their comments claim."""

    def run_example(self, name):
        self.ok("run", SOURCE / "examples" / "scenes" / (name + ".json"), "-o", "out", "-q")
        with h5py.File(self.folder / "out" / "result.h5", "r") as h5:
            names = [n.decode() if isinstance(n, bytes) else n for n in h5["signals/name"][()]]
            signals = {n: h5["signals/value"][:, i] for i, n in enumerate(names)}
            events = {k: v[()] for k, v in h5["events"].items()}
            kinds = h5["events/kind"].attrs["names"].decode().split(", ")
            self.contact_only_pushes(h5["contacts"])
        events["kind"] = np.array([kinds[k] for k in events["kind"]])
        return signals, events

    def contact_only_pushes(self, contacts):
        force, normal, slip = (contacts[k][()].reshape(-1, 3) for k in ("force", "normal", "slip"))
        push = (force * normal).sum(axis=1)
        power = ((force - push[:, None] * normal) * slip).sum(axis=1)
        if len(push):
            self.assertGreaterEqual(push.min(), -1e-6 * push.max())
            self.assertLessEqual(power.max(), 1e-5 * np.abs(power).max() + 1e-6)

    @staticmethod
    def times(events, kind):
        return events["time"][events["kind"] == kind]

    def test_bouncing_ball_comes_to_rest(self):
        s, events = self.run_example("bouncing-ball")
        self.assertAlmostEqual(self.times(events, "impact")[0], 0.451523640986, delta=1e-11)
        self.assertAlmostEqual(self.times(events, "rest")[0], 4.06371276887, delta=1e-6)
        self.assertEqual(s["ball.velocity.z"][-1], 0.0)
        self.assertAlmostEqual(s["ball.contact.force.z"][-1], 4000 / 3 * math.pi * 1e-3 * G, delta=1e-9)

    def test_rigid_contact_has_no_depth(self):
        text = self.ok("run", SOURCE / "examples/scenes/bouncing-ball.json")
        self.assertRegex(text, r"(?m)^  contact at up to 1 point$")

    def test_two_rods(self):
        s, events = self.run_example("two-rods")
        expected = [0.582465854863, 1.746439867406, 2.890924438768, 4.016950281715]
        np.testing.assert_allclose(self.times(events, "impact"), expected, atol=1e-8)
        stations = np.hypot(events["position"][:, 0] - 0.5, events["position"][:, 2])
        np.testing.assert_allclose(stations, [0.866025404, 0.958222435, 0.812883766, 0.982732728], atol=1e-6)

    def test_three_balls(self):
        s, _ = self.run_example("three-balls")
        after = [s[b + ".velocity.x"][-1] for b in "abc"]
        np.testing.assert_allclose(after, [-0.070952, 0.076403, 0.994549], atol=2e-6)

    def test_drawers(self):
        s, events = self.run_example("drawer")
        ends = [s["guide %d.travel" % k][-1] for k in (1, 2, 3)]
        np.testing.assert_allclose(ends, [5 / 6, 0, 0.15], atol=1e-9)
        np.testing.assert_allclose(self.times(events, "stick"), [0.6], atol=1e-5)

    def test_sleeve_jams(self):
        s, events = self.run_example("sleeve-jam")
        self.assertEqual(len(self.times(events, "jam")), 1)
        self.assertAlmostEqual(s["plane 1.angle.rate"][-1], 0.080523, delta=1e-6)
        self.assertAlmostEqual(s["sleeve 2.travel.rate"][0], 0.408876, delta=1e-6)
        self.assertLess(np.abs(s["sleeve 1.travel"]).max(), 1e-9)

    def test_painleve(self):
        _, events = self.run_example("painleve")
        self.assertEqual(len(self.times(events, "paradox")), 1)
        impulse = events["impulse"][events["kind"] == "impact"][0]
        np.testing.assert_allclose(np.abs(impulse), [0.4, 0, 0.3], atol=1e-9)
        self.assertAlmostEqual(self.times(events, "stick")[0], 0.005725, delta=1e-6)

    def test_rocking_block(self):
        s, events = self.run_example("rocking-block")
        first = events["time"] == self.times(events, "impact")[0]
        before = -events["speed"][first & (events["kind"] == "impact")].min()
        after = events["speed"][first & (events["kind"] == "contact off")].max()
        self.assertAlmostEqual(after / before, 1 - 1.5 / 17, delta=1e-9)
        self.assertAlmostEqual(s["plane.angle.rate"][-1], 0.0, delta=1e-12)

    def test_tumbling_box_rests(self):
        s, _ = self.run_example("tumbling-box")
        self.assertAlmostEqual(-s["floor.contact.force.z"][-1], 24 * G, delta=1e-6)
        self.assertLess(np.abs(np.diff(s["box.position.z"][-50:])).max(), 1e-12)

    def test_ratchet_advances_by_teeth(self):
        s, _ = self.run_example("ratchet")
        angle = s["axle.angle"]
        self.assertAlmostEqual(angle[700] - angle[450], math.pi / 2, delta=1e-6)

    def test_clearance_holds_the_journal(self):
        s, events = self.run_example("slider-crank-clearance")
        self.assertLess(np.hypot(s["C.x"], s["C.y"]).max(), 0.5e-3 * (1 + 1e-5))
        self.assertGreater(len(self.times(events, "impact")), 100)


if __name__ == "__main__":
    unittest.main(verbosity=2)
