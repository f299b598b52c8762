"""What the program says of a scene: all mistakes at once, each with its line; notes on what a method ignores; what a number
stands for."""
import json
import unittest

from support import Case

ARM = {"name": "arm", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.5, 0, 0]}
HINGE = {"name": "hinge", "type": "revolute", "bodies": ["ground", "arm"]}
FLOOR = {"name": "floor", "shape": {"plane": [0, 0, 1]}, "fixed": True}
BALL = {"name": "ball", "shape": {"sphere": 0.1}, "mass": 1, "position": [0, 0, 0.3]}


class Scene(Case):
    def scene(self, bodies, joints=(), method="none", end=0.01, contact=None, **more):
        scene = {"carom": 1, "time": {"end": end}, "bodies": bodies, "joints": list(joints),
                 "contact": dict(contact or {}, method=method), **more}
        (self.folder / "scene.json").write_text(json.dumps(scene, indent=1))

    def line_of(self, text):
        lines = (self.folder / "scene.json").read_text().splitlines()
        return next(i for i, line in enumerate(lines, 1) if text in line)

    def run_scene(self, *words):
        return self.carom("run", "scene.json", "--no-report", "-o", "out", *words)

    def told(self, *words):
        """By check and by run, on standard error."""
        checked = self.carom("check", "scene.json")
        run = self.run_scene()
        self.assertEqual((checked.returncode, run.returncode), (0, 0), checked.stderr + run.stderr)
        for word in words:
            self.assertIn(word, checked.stderr)
            self.assertIn(word, run.stderr)
        return run.stderr

    def silent(self):
        checked = self.carom("check", "scene.json")
        run = self.run_scene()
        self.assertEqual((checked.returncode, run.returncode), (0, 0), checked.stderr + run.stderr)
        self.assertEqual((checked.stderr, run.stderr), ("", ""))


class Mistakes(Scene):
    def test_all_are_told_at_once(self):
        self.scene([dict(ARM, mas=2), dict(BALL, colour=[1, 0, 0])], [dict(HINGE, bodies=["ground", "amr"])])
        for command in (("check", "scene.json"), ("run", "scene.json", "-o", "out")):
            done = self.carom(*command)
            self.assertEqual(done.returncode, 2)
            lines = done.stderr.splitlines()
            self.assertEqual(len(lines), 4, done.stderr)
            for line, words in zip(lines, ("bodies[0].mas:", "bodies[1].colour:", "did you mean 'arm'", "3 mistakes")):
                self.assertIn(words, line)

    def test_one_is_told_without_a_sum(self):
        self.scene([dict(ARM, mas=2)])
        done = self.carom("check", "scene.json")
        self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_refusals_before_the_run_have_lines(self):
        still = dict(ARM, velocity=[0, 0, 0])
        for change, place, words in (
                ({"record": {"every": 1e-12}}, "record.every", "frames"),
                ({"time": {"end": 1, "step": 1e-16}}, "time.step", "too short"),
                ({"time": {"end": 1, "tolerance": 1e-17}}, "time.tolerance", "between"),
                ({"time": {"end": 1, "integrator": {"generalized-alpha": {"rho": 7}}}}, "time.integrator", "rho")):
            with self.subTest(place=place):
                self.scene([still], **change)
                done = self.run_scene()
                self.assertEqual(done.returncode, 2, done.stderr)
                line = self.line_of(f'"{place.split(".")[1]}"')
                self.assertIn(f"scene.json:{line}: {place}", done.stderr)
                self.assertIn(words, done.stderr)

    def test_overlaps_and_stops_name_the_definition(self):
        self.scene([FLOOR, dict(BALL, position=[0, 0, 0.05])], method="impact")
        for command in (("check", "scene.json"), ("run", "scene.json", "-o", "out")):
            done = self.carom(*command)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"scene\.json:\d+: bodies\[1\]: 'floor' and 'ball' start 0.05 m inside")
        self.scene([ARM], [dict(HINGE, limits={"min": 0.1, "max": 1})], method="impact")
        self.assertRegex(self.run_scene().stderr, r"scene\.json:\d+: joints\[0\]\.limits: joint 'hinge' starts 0.1 rad")

    def test_joints_that_cannot_be_closed_have_lines(self):
        self.scene([dict(ARM, position=[1, 0, 0])],
                   [dict(HINGE, frame_a={"position": [0, 0, 0]}, frame_b={"position": [0, 0, 0]}),
                    dict(HINGE, name="pin", frame_a={"position": [0, 5, 0]}, frame_b={"position": [1, 0, 0]})])
        self.assertRegex(self.run_scene().stderr, r"scene\.json:\d+: joints\[[01]\]: the scene cannot be assembled")

    def test_a_body_beside_itself(self):
        self.scene([FLOOR, BALL], method="impact", contact={"pairs": [{"between": ["ball", "ball"]}]})
        done = self.carom("check", "scene.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"scene.json:{self.line_of('between')}: contact.pairs[0].between names body 'ball' twice",
                      done.stderr)
        self.scene([FLOOR, BALL, dict(BALL, name="other", position=[1, 0, 1], material="ball")], method="impact",
                   contact={"pairs": [{"between": ["ball", "ball"], "restitution": 0.5}]})
        self.ok("check", "scene.json")  # a material may meet itself

    def test_colours_out_of_range(self):
        for color, words in (([255, 128, 0], "divide"), ([-0.1, 0, 0], "from 0 to 1"), ([1, 1, 1e9], "from 0 to 1")):
            self.scene([dict(ARM, color=color)])
            done = self.carom("check", "scene.json")
            self.assertEqual(done.returncode, 2)
            self.assertIn("bodies[0]", done.stderr)
            self.assertIn(words, done.stderr)
        self.scene([dict(ARM, color=[0, 1, 0.5])])
        self.ok("check", "scene.json")


class Notes(Scene):
    def test_friction_of_joints_that_a_method_ignores(self):
        rubbing = dict(HINGE, friction={"coefficient": 0.2, "radius": 0.01})
        for method in ("none", "compliant"):
            with self.subTest(method=method):
                self.scene([ARM], [rubbing], method=method)
                told = self.told("friction of joint 'hinge'", f"the method '{method}'", "joints[0].friction")
                self.assertIn("carom: note: scene.json:", told)
                self.assertEqual(self.run_scene("-q").stderr, "")
        for method in ("impact", "barrier"):
            self.scene([ARM], [rubbing], method=method)
            self.silent()
        self.scene([ARM], [dict(HINGE, friction={"coefficient": 0})], method="none")
        self.silent()

    def test_restitution_of_stops_that_a_method_ignores(self):
        stop = dict(HINGE, limits={"min": -1, "max": 1, "restitution": 0.4})
        for method in ("none", "compliant"):
            with self.subTest(method=method):
                self.scene([ARM], [stop], method=method)
                self.told("restitution 0.4", "joint 'hinge'", f"the method '{method}'", "joints[0].limits")
        self.scene([ARM], [stop], method="impact")
        self.silent()

    def test_restitution_beside_a_law_that_has_no_use_for_it(self):
        rules = {"law": {"linear": {"k": 1e6}}, "restitution": 0.5}
        self.scene([FLOOR, BALL], method="compliant", contact=rules)
        self.told(f"scene.json:{self.line_of('restitution')}: contact.restitution", "'linear'", "0.5")
        self.scene([FLOOR, BALL], method="compliant", contact=dict(rules, law={"exact-restitution": {"k": 1e6}}))
        self.silent()
        self.scene([FLOOR, BALL], method="compliant",
                   contact={"law": {"linear": 1e6}, "pairs": [{"between": ["ball", "floor"], "restitution": 0.3}]})
        self.told("contact.pairs[0].restitution", "0.3")

    def test_no_law_is_asked_for_where_only_stops_are(self):
        boxed = dict(ARM, shape={"box": [0.1, 0.1, 0.1]})
        stop = dict(HINGE, limits={"min": -1, "max": 1})
        post = {"name": "post", "shape": {"box": [0.1, 0.1, 0.1]}, "fixed": True, "position": [0, 0, 5]}
        joined = dict(stop, bodies=["post", "arm"])
        for bodies, joints in (([boxed], [stop]), ([post, boxed], [joined])):
            self.scene(bodies, joints, method="compliant")
            self.silent()
        self.scene([post, boxed], [stop], method="compliant")
        self.assertIn("contact.law is missing", self.carom("check", "scene.json").stderr)


class Starts(Scene):
    def test_limits_that_exclude_the_start(self):
        for limits, start, words in (({"min": 0.2, "max": 1}, {}, ("0.2 rad beyond", "the minimum is 0.2")),
                                     ({"min": -1, "max": 1}, {"start": {"angle": 1.5}}, ("0.5 rad beyond", "maximum")),
                                     ({"min": 0.2, "max": 1}, {"start": {"angle": 0.5}}, None),
                                     ({"min": 0, "max": 1}, {}, None)):
            for method in ("none", "compliant"):
                with self.subTest(limits=limits, method=method):
                    self.scene([ARM], [dict(HINGE, limits=limits, **start)], method=method)
                    if words is None:
                        self.silent()
                    else:
                        self.told("warning: scene.json:", "joints[0].limits", *words)
        self.scene([ARM], [dict(HINGE, limits={"min": -1, "max": 1}, start={"angle": 1.5})], method="impact")
        self.assertEqual(self.carom("check", "scene.json").returncode, 2)

    def test_velocities_that_joints_do_not_allow(self):
        self.scene([dict(ARM, angular_velocity=[0, 0, 2])], [HINGE])
        told = self.told("warning: the initial angular velocity of 'arm' along z was given as 2 rad/s and became")
        self.assertNotIn("note:", told)
        self.assertIn('"start"', self.carom("check", "scene.json").stderr)
        self.scene([ARM], [dict(HINGE, start={"rate": 2})])
        self.silent()

    def test_a_start_that_cannot_be_has_a_line(self):
        self.scene([ARM], [dict(HINGE, start={"angle": 1}, motion={"value": "t"})])
        self.assertRegex(self.carom("check", "scene.json").stderr, r"scene\.json:\d+: joints\[0\]: 'angle' of joint 'hinge' has a motion")


class Numbers(Scene):
    def slide(self, friction, method, **contact):
        """A block that slides on the floor at 1 m/s for 0.1 s: its speed at the end."""
        block = {"name": "block", "shape": {"box": [0.2, 0.2, 0.1]}, "mass": 1, "position": [0, 0, 0.05],
                 "velocity": [1, 0, 0]}
        rules = dict({"law": {"kelvin-voigt": {"k": 1e5, "c": 100}}} if method == "compliant" else {"restitution": 0},
                     **({"friction": friction} if friction is not None else {}), **contact)
        self.scene([FLOOR, block], method=method, contact=rules, end=0.1, gravity=[0, 0, -10],
                   variables={"mu": 0.1})
        self.ok("run", "scene.json", "-q", "--no-report", "-o", "out")
        return json.loads((self.folder / "out" / "summary.json").read_text())["bodies"]["block"]["velocity"][0]

    def test_friction_is_a_number(self):
        for method, tolerance in (("impact", 1e-6), ("compliant", 0.02)):
            with self.subTest(method=method):
                self.assertAlmostEqual(self.slide(0.3, method), 0.7, delta=tolerance)
                self.assertEqual(self.slide(0.3, method), self.slide({"coulomb": {"mu": 0.3}}, method))
                self.assertEqual(self.slide("3*$mu", method), self.slide({"coulomb": "3*$mu"}, method))
                self.assertEqual(self.slide(0.3, method),
                                 self.slide(None, method, pairs=[{"between": ["block", "floor"], "friction": 0.3}]))
                self.assertAlmostEqual(self.slide(0, method), 1, delta=tolerance)

    def test_friction_that_is_none(self):
        self.scene([FLOOR, BALL], method="impact", contact={"friction": -0.1})
        self.assertIn("contact.friction: is -0.1; it must not be negative", self.carom("check", "scene.json").stderr)
        self.scene([FLOOR, BALL], method="impact", contact={"friction": "columb"})
        self.assertIn("did you mean 'coulomb'", self.carom("check", "scene.json").stderr)
        self.scene([FLOOR, BALL], method="impact", contact={"friction": [0.1]})
        self.assertIn("or a number", self.carom("check", "scene.json").stderr)

    def test_friction_of_a_hinge_says_where_its_radius_goes(self):
        self.scene([ARM], [dict(HINGE, friction=0.25)], method="impact")
        done = self.carom("check", "scene.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn('"friction": {"coefficient": 0.25, "radius": ...}', done.stderr)

    def test_friction_of_a_joint_is_a_number(self):
        slider = {"name": "rail", "type": "prismatic", "bodies": ["ground", "arm"], "axis": [1, 0, 0], "friction": 0.25}
        self.scene([dict(ARM, velocity=[1, 0, 0])], [slider], method="impact", end=0.1, gravity=[0, 0, -10])
        self.ok("run", "scene.json", "-q", "--no-report", "-o", "out")
        end = json.loads((self.folder / "out" / "summary.json").read_text())["bodies"]["arm"]["velocity"][0]
        self.assertAlmostEqual(end, 0.75, delta=1e-6)


class Units(Scene):
    def test_a_motor_of_an_angle_has_a_torque(self):
        rail = {"name": "rail", "type": "prismatic", "bodies": ["ground", "ball"], "axis": [1, 0, 0]}
        motors = [{"name": "turn", "type": "motor", "joint": "hinge", "target": 2},
                  {"name": "push", "type": "motor", "joint": "rail", "target": 3}]
        self.scene([ARM, BALL], [HINGE, rail], forces=motors, units={"length": "mm", "angle": "deg"},
                   record={"signals": ["turn.force", "push.force", "hinge.angle", "hinge.angle.rate", "rail.travel"]})
        self.ok("run", "scene.json", "-q", "--no-report", "-o", "out")
        head = (self.folder / "out" / "signals.csv").read_text().splitlines()[0]
        for column in ("turn.force [N*m]", "push.force [N]", "hinge.angle [rad]", "hinge.angle.rate [rad/s]",
                       "rail.travel [m]"):
            self.assertIn(column, head)


if __name__ == "__main__":
    unittest.main()
