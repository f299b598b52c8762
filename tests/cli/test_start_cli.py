"""How a run under impact begins and ends where it cannot go on: overlaps, joints beyond their stops, bodies that prescribed
motion squeezes; and what is said of energy where nothing moves."""
import json
import unittest

from support import Case

FLOOR = {"name": "floor", "shape": {"plane": [0, 0, 1]}, "fixed": True}
BOX = {"name": "crate", "shape": {"box": [0.2, 0.2, 0.2]}, "mass": 1}
ROD = {"name": "arm", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, -0.5]}


class Scene(Case):
    def scene(self, bodies, joints=(), end=0.1, **contact):
        scene = {"carom": 1, "gravity": [0, 0, -9.81], "time": {"end": end}, "bodies": bodies, "joints": list(joints),
                 "contact": dict({"method": "impact", "restitution": 0.5}, **contact)}
        (self.folder / "scene.json").write_text(json.dumps(scene))

    def refused_for(self, *words):
        for command in (("check", "scene.json"), ("run", "scene.json", "-q", "--no-report", "-o", "out")):
            done = self.carom(*command)
            self.assertEqual(done.returncode, 2, f"{command}: {done.stderr}")
            for word in words:
                self.assertIn(word, done.stderr, command)
        self.assertFalse((self.folder / "out" / "result.h5").exists())

    def accepted(self):
        self.ok("check", "scene.json")
        done = self.carom("run", "scene.json", "-q", "--no-report", "-o", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Start(Scene):
    def test_overlaps_are_refused_however_deep(self):
        for z, depth in ((0.0999, "0.0001 m"), (0.02, "0.08 m"), (-1.0, "1.1 m")):
            with self.subTest(z=z):
                self.scene([FLOOR, dict(BOX, position=[0, 0, z])])
                self.refused_for("'floor' and 'crate'", depth, "apart")

    def test_rounding_is_touching(self):
        for z in (0.1, 0.1 - 1e-8, 0.1 + 1e-8):
            with self.subTest(z=z):
                self.scene([FLOOR, dict(BOX, position=[0, 0, z])])
                self.ok("check", "scene.json")
                self.ok("run", "scene.json", "-q", "--no-report", "-o", "out")

    def test_the_worst_of_several_overlaps_is_named(self):
        balls = [{"name": f"ball {i}", "shape": {"sphere": 0.1}, "mass": 1, "position": [x, 0, 0]}
                 for i, x in enumerate((0, 0.15, 0.33))]
        self.scene(balls)
        self.refused_for("'ball 0' and 'ball 1'", "0.05 m", "1 more")

    def test_pairs_that_ignore_each_other_may_overlap(self):
        self.scene([FLOOR, dict(BOX, position=[0, 0, 0.02])], pairs=[{"between": ["floor", "crate"], "ignore": True}])
        self.accepted()

    def test_compliant_contact_takes_overlaps(self):
        self.scene([FLOOR, dict(BOX, position=[0, 0, 0.0999])], method="compliant", law={"linear": {"k": 1e5}},
                   restitution=1)
        self.ok("check", "scene.json")

    def test_joints_beyond_their_stops_are_refused(self):
        hinge = {"name": "hinge", "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 1, 0]}
        slide = dict(hinge, type="prismatic", axis=[0, 0, 1])
        for joint, limits, words in (
                (hinge, {"min": 0.2, "max": 1}, ("'hinge'", "0.2 rad", "minimum", "angle")),
                (hinge, {"min": -1, "max": -0.3}, ("'hinge'", "0.3 rad", "maximum", "angle")),
                (slide, {"min": 0.01, "max": 1}, ("'hinge'", "0.01 m", "minimum", "travel"))):
            with self.subTest(limits=limits):
                self.scene([ROD], [dict(joint, limits=limits)])
                self.refused_for(*words)
        self.scene([ROD], [dict(hinge, limits={"min": 0, "max": 1})])
        self.accepted()

    def test_journals_outside_their_bearings_are_refused(self):
        pin = {"name": "pin", "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 1, 0],
               "clearance": 0.001}
        self.scene([ROD], [dict(pin, at_b=[0.0015, 0, 0])])
        self.refused_for("'pin'", "0.0005 m", "0.001 m")
        self.scene([ROD], [dict(pin, at_b=[0.001, 0, 0])])
        self.accepted()

    def test_friction_of_loose_hinges_needs_a_radius(self):
        pin = {"name": "pin", "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 1, 0],
               "friction": {"coefficient": 0.1}}
        self.scene([ROD], [dict(pin, clearance=0.001)])
        self.refused_for("'pin'", "radius")
        self.scene([ROD], [dict(pin, clearance={"play": 0.001, "radius": 0.02})])
        self.accepted()


class Squeezed(Scene):
    def squeeze(self, balls, several):
        ram = {"name": "ram", "shape": {"box": [0.2, 0.2, 0.2]}, "motion": {"position": ["0.5 * t", 0, 0]}}
        row = [{"name": f"ball {i}", "shape": {"sphere": 0.1}, "mass": 1 + i, "position": [0.205 + 0.21 * i, 0, 0]}
               for i in range(balls)]
        wall = {"name": "wall", "shape": {"plane": [-1, 0, 0]}, "position": [0.1 + 0.21 * balls, 0, 0], "fixed": True}
        self.scene([ram, *row, wall], several=several, restitution=0, end=1)
        scene = json.loads((self.folder / "scene.json").read_text())
        scene["gravity"] = [0, 0, 0]
        (self.folder / "scene.json").write_text(json.dumps(scene))
        return self.carom("run", "scene.json", "-q", "--no-report", "-o", "out")

    def test_bodies_that_nothing_can_save_are_named(self):
        for balls in (1, 2):
            for several in ("together", "sharing"):
                with self.subTest(balls=balls, several=several):
                    done = self.squeeze(balls, several)
                    self.assertEqual(done.returncode, 3, done.stderr)
                    for word in ("squeezed", "'ram'", "'ball 0'", f"'ball {balls - 1}'", "'wall'"):
                        self.assertIn(word, done.stderr)


class Driven(Scene):
    """What only prescribed motion moves cannot be stopped: refused at the moment it meets something, not struck in vain."""

    def check_refused(self, *words):
        done = self.carom("run", "scene.json", "-q", "--no-report", "-o", "out")
        self.assertEqual(done.returncode, 3, done.stderr)
        for word in ("a prescribed motion drives", *words):
            self.assertIn(word, done.stderr)
        self.assertNotIn("contact.several", done.stderr)

    def slider(self, **extra):
        return dict({"name": "rail", "type": "prismatic", "bodies": ["ground", "crate"], "axis": [0, 0, 1]}, **extra)

    def test_into_its_own_stop(self):
        for joint in (self.slider(limits={"min": -0.3}, motion={"value": "-2*t"}),
                      {"name": "rail", "type": "revolute", "bodies": ["ground", "crate"], "limits": {"max": 0.5},
                       "motion": {"value": "20*t"}}):
            self.scene([BOX], [joint], end=1)
            self.check_refused("joint 'rail' into its stop")

    def test_into_a_wall(self):
        for several in ("sharing", "together", "sequential"):
            for friction in (0, 0.4):
                self.scene([FLOOR, dict(BOX, position=[0, 0, 0.6])],
                           [self.slider(at=[0, 0, 0.6], motion={"value": "-0.7*t"})], end=1, several=several,
                           friction=friction)
                self.check_refused("'floor' and 'crate' into each other at t = 0.714285714 s")

    def crank(self, gap, **wall):
        bodies = [{"name": "disc", "mass": 2, "inertia": [0.1, 0.1, 0.1]},
                  {"name": "rod", "mass": 0.5, "inertia": [0.1, 0.1, 0.1], "position": [0.2, 0, 0]},
                  dict(BOX, position=[0.4, 0, 0]),
                  dict({"name": "block", "shape": {"box": [0.1, 0.2, 0.2]}, "position": [0.25 - gap, 0, 0]}, **wall)]
        hinge = {"type": "revolute"}
        joints = [dict(hinge, name="a", bodies=["ground", "disc"], motion={"value": "15*t"}),
                  dict(hinge, name="b", bodies=["disc", "rod"], at=[0.1, 0, 0]),
                  dict(hinge, name="c", bodies=["rod", "crate"], at=[0.4, 0, 0]),
                  {"name": "d", "type": "prismatic", "bodies": ["ground", "crate"], "axis": [1, 0, 0]}]
        self.scene(bodies, joints, end=0.3)
        scene = json.loads((self.folder / "scene.json").read_text())
        scene["gravity"] = [0, 0, 0]
        (self.folder / "scene.json").write_text(json.dumps(scene))

    def test_through_a_mechanism(self):
        self.crank(0.08, fixed=True)
        self.check_refused("'crate' and 'block'")
        self.crank(0.08, mass=1)
        self.accepted()

    def test_motion_that_stays_within_its_stops_is_none_of_it(self):
        for most in (0.1, 0.11):
            self.scene([BOX], [self.slider(limits={"min": -most, "max": most}, motion={"value": "0.1*sin(9*t)"})], end=2)
            self.accepted()

    def test_a_motion_without_a_start_is_named(self):
        for text in ("log(t)", "1/t", "(t-0.05)^0.5"):
            self.scene([BOX], [self.slider(motion={"value": text})])
            self.refused_for("scene.json:1: joints[0].motion", "joint 'rail' has no finite value at the start")
            self.scene([FLOOR, dict(BOX, motion={"position": [0, text, 3]})])
            self.refused_for("scene.json:1: bodies[1].motion", "body 'crate' has no finite value at the start")


class AtRest(Scene):
    def test_rest_raises_no_alarm(self):
        """Rounding of a sum of works is all that such a run has of energy."""
        crates = [dict(BOX, name=f"crate {i}", position=[0, 0, 0.1 + 0.2 * i]) for i in range(3)]
        self.scene([FLOOR, *crates], end=0.5, friction={"coulomb": {"mu": 0.5}})
        self.accepted()
        told = self.ok("info", "out")
        self.assertNotIn("Do not trust", told)
        self.assertNotIn("Take care", told)

    def test_errors_of_motion_raise_one(self):
        """A pendulum in steps as long as its period makes energy from nothing."""
        hinge = {"name": "hinge", "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 1, 0]}
        self.scene([dict(ROD, position=[0.5, 0, 0])], [hinge], end=20, method="none")
        done = self.carom("run", "scene.json", "-q", "--no-report", "-o", "out", "--set",
                          "time.integrator={\"generalized-alpha\": {\"rho\": 0}}", "--set", "time.step=0.25")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("numerics made or lost", done.stderr)


class Messages(Scene):
    def test_lines_are_those_inside_the_contact_section(self):
        self.scene([FLOOR, dict(BOX, position=[0, 0, 1])], friction={"coulomb": {"mu": 0.5}})
        for extra, words in (({"restitution": 1.5}, ("between 0 and 1",)), ({"exponent": 9}, ("between 1 and 3",)),
                             ({"pairs": [{"ignore": True, "between": ["crat", "floor"]}]}, ("did you mean 'crate'",))):
            key = "between" if "pairs" in extra else next(iter(extra))
            scene = json.loads((self.folder / "scene.json").read_text())
            scene["contact"].update(extra)
            text = json.dumps(scene, indent=1)
            (self.folder / "wrong.json").write_text(text)
            line = next(i for i, line in enumerate(text.splitlines(), 1) if f'"{key}"' in line)
            done = self.carom("check", "wrong.json")
            self.assertEqual(done.returncode, 2)
            for word in (f"wrong.json:{line}:", *words):
                self.assertIn(word, done.stderr)


if __name__ == "__main__":
    unittest.main()
