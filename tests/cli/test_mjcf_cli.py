"""Robots of MuJoCo's format (MJCF) from outside: motion against closed forms and against carom scenes, what each element becomes, what is
refused and where."""
import json
import math
import unittest

import h5py
import numpy as np

from support import SOURCE, Case, checkpoint_state

ROBOTS = SOURCE / "tests/scenes/robots"
INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def world(*parts, before="", after=""):
    return f"<mujoco>\n{before}\n<worldbody>\n" + "\n".join(parts) + f"\n</worldbody>\n{after}\n</mujoco>\n"


def body(name, *inside, more=""):
    return f'<body name="{name}" {more}>' + "".join(inside) + "</body>"


def turn(axis, angle):
    """The rotation matrix about an axis of the frame."""
    a = np.asarray(axis, float)
    K = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def matrix(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Mjcf(Case):
    def write(self, text):
        file = self.folder / "robot.xml"
        file.write_text(text)
        return file

    def imported(self, text, *more):
        self.ok("import", self.write(text) if isinstance(text, str) else text, "-o", "imported.json", *more)
        return json.loads((self.folder / "imported.json").read_text())

    def broken(self, line, place, words, text):
        out = self.refused("check", self.write(text))
        self.assertIn(f"robot.xml:{line}: {place}", out)
        self.assertIn(words, out)

    def signals(self, scene, names, end, *more):
        self.ok("run", scene, "-o", "out", "--no-report", "-q", "-d", end, "--set", "time.tolerance=1e-9", "--set",
                "record.signals=" + json.dumps(names), *more)
        with h5py.File(self.folder / "out/result.h5", "r") as h5:
            return np.linspace(0, end, len(h5["signals/value"])), np.array(h5["signals/value"]).T


class Motion(Mjcf):
    def test_half_sizes_make_the_pendulum(self):
        # a box of 1 x 0.04 x 0.06 m at 500 kg/m^3, damped: Runge-Kutta of order 4 is the judge
        t, (angle,) = self.signals(ROBOTS / "pendulum.xml", ["hinge.angle"], 2)
        mass = 500 * 1 * 0.04 * 0.06
        moment = mass / 12 * (1 + 0.06 ** 2) + mass * 0.25
        rate = lambda y: np.array([y[1], (mass * 9.81 * 0.5 * math.cos(y[0]) - 0.05 * y[1]) / moment])
        y = np.array([0.7, -0.4])
        expected = [y[0]]
        h = (t[1] - t[0]) / 4
        for _ in range(len(t) - 1):
            for _ in range(4):
                a = rate(y)
                b = rate(y + h / 2 * a)
                c = rate(y + h / 2 * b)
                y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
            expected.append(y[0])
        self.assertLess(np.max(np.abs(angle - expected)), 1e-5)

    def test_the_four_bar_is_its_own_scene(self):
        imported = self.imported(ROBOTS / "fourbar.xml")
        bodies = imported["bodies"]
        for b, (length, tilt) in zip(bodies, [(0.5, (0.3, 0.4)), (math.hypot(1, 0.2), (1, 0.2)), (0.6, (0, -0.6))]):
            caps = 1000 * 4 / 3 * math.pi * 0.02 ** 3
            self.assertAlmostEqual(b["mass"], 1000 * math.pi * 0.02 ** 2 * length + caps, places=12)
            np.testing.assert_allclose(b["center_of_mass"], [tilt[0] / 2, 0, tilt[1] / 2], atol=1e-15)
        hinge = lambda name, pair, at: {"name": name, "type": "revolute", "bodies": pair, "at": at, "axis": [0, -1, 0]}
        own = {"carom": 1, "gravity": [0, 0, -9.81], "contact": {"method": "none"},
               "bodies": [{k: b[k] for k in b if k not in ("shapes", "color")} for b in bodies],
               "joints": [hinge("a", ["ground", "crank"], [0, 0, 0]), hinge("b", ["crank", "coupler"], [0.3, 0, 0.4]),
                          hinge("c", ["coupler", "rocker"], [1.3, 0, 0.6]),
                          {"name": "d", "type": "spherical", "bodies": ["ground", "rocker"], "at": [1.3, 0, 0]}]}
        scene = self.folder / "own.json"
        scene.write_text(json.dumps(own))
        names = ["a.angle", "b.angle", "c.angle"]
        _, mine = self.signals(scene, names, 2)
        _, theirs = self.signals(ROBOTS / "fourbar.xml", names, 2)
        self.assertGreater(np.max(np.abs(mine)), 0.5)
        self.assertLess(np.max(np.abs(mine - theirs)), 1e-5)
        # the loop stays closed: the end of the rocker, by the angles alone
        a, b, c = theirs
        end = [0.3 + 0.4j, 1 + 0.2j, -0.6j]
        reach = end[0] * np.exp(1j * a) + end[1] * np.exp(1j * (a + b)) + end[2] * np.exp(1j * (a + b + c))
        self.assertLess(np.max(np.abs(reach - 1.3)), 1e-8)

    def test_a_position_servo_is_a_damped_oscillator(self):
        for kp, kv, damping, gear, u in [(40, 1, 0.2, 1, 0.3), (5, 0.1, 0, 3, -0.6), (100, 30, 1, -2, 1)]:
            text = world(body("arm", '<inertial pos="0 0 0" mass="1" diaginertia="0.3 0.4 0.5"/>',
                              f'<joint name="j" axis="0 0 1" damping="{damping}"/>'),
                         after=f'<actuator><position name="s" joint="j" kp="{kp}" kv="{kv}" gear="{gear}"/></actuator>'
                               f'<keyframe><key qpos="0" ctrl="{u}"/></keyframe>')
            t, (angle,) = self.signals(self.write(text), ["j.angle"], 1)
            k, d, inertia = kp * gear ** 2, kv * gear ** 2 + damping, 0.5
            goal = u / gear
            roots = np.roots([inertia, d, k]).astype(complex)
            expected = (goal + goal * (roots[1] * np.exp(roots[0] * t) - roots[0] * np.exp(roots[1] * t)) / (roots[0] - roots[1])).real
            self.assertLess(np.max(np.abs(angle - expected)), 1e-5 * abs(goal))

    def test_motors_and_speeds(self):
        arm = body("arm", '<inertial pos="0 0 0" mass="1" diaginertia="0.3 0.4 0.5"/>', '<joint name="j" axis="0 0 1"/>')
        key = lambda u: f'<keyframe><key ctrl="{u}"/></keyframe>'
        for motor, u, torque in [('<motor joint="j" gear="3"/>', 0.2, 0.6), ('<motor joint="j" gear="-2" ctrlrange="-1 1"/>', 4, -2),
                                 ('<motor joint="j" gear="2" ctrllimited="false" ctrlrange="-1 1" forcerange="-1 5"/>', 3, 6),
                                 ('<motor joint="j" forcerange="-1 5"/>', -3, -1)]:
            text = world(arm, after=f"<actuator>{motor}</actuator>" + key(u))
            t, (angle,) = self.signals(self.write(text), ["j.angle"], 0.5)
            np.testing.assert_allclose(angle, torque / 0.5 * t ** 2 / 2, atol=1e-8)
        text = world(arm, after='<actuator><velocity joint="j" kv="2" gear="2"/></actuator>' + key(1))
        t, (rate,) = self.signals(self.write(text), ["j.angle.rate"], 0.5)
        np.testing.assert_allclose(rate, 0.5 * (1 - np.exp(-2 * 4 / 0.5 * t)), atol=1e-6)

    def test_imported_robots_reach_the_same_bits(self):
        run = lambda scene, folder: self.ok("run", scene, "-o", folder, "--no-report", "-q", "-d", "0.2")
        for robot in sorted(ROBOTS.glob("*.xml")):
            with self.subTest(robot.name):
                self.imported(robot)
                run(robot, "direct")
                run("imported.json", "again")
                self.assertEqual(checkpoint_state(self.folder / "direct"), checkpoint_state(self.folder / "again"))


class Meaning(Mjcf):
    def test_orientations(self):
        deg = math.pi / 180
        X, Y, Z = ([1, 0, 0], [0, 1, 0], [0, 0, 1])
        cases = [
            ('euler="30 40 50"', "", turn(X, 30 * deg) @ turn(Y, 40 * deg) @ turn(Z, 50 * deg)),
            ('euler="0.3 0.4 0.5"', '<compiler angle="radian" eulerseq="ZYX"/>', turn(X, 0.5) @ turn(Y, 0.4) @ turn(Z, 0.3)),
            ('euler="0.3 0.4 0.5"', '<compiler angle="radian" eulerseq="zxz"/>', turn(Z, 0.3) @ turn(X, 0.4) @ turn(Z, 0.5)),
            ('axisangle="0 2 0 90"', "", turn(Y, 90 * deg)),
            ('quat="2 0 0 2"', "", turn(Z, 90 * deg)),
            ('xyaxes="0 1 0 -1 5 0"', "", turn(Z, 90 * deg)),
            ('zaxis="1 0 0"', "", turn(Y, 90 * deg)),
        ]
        for attribute, before, expected in cases:
            scene = self.imported(world(body("b", "<freejoint/>", INERTIAL, more=attribute), before=before))
            np.testing.assert_allclose(matrix(scene["bodies"][0].get("orientation", [1, 0, 0, 0])), expected, atol=1e-14)

    def test_classes(self):
        defaults = ('<default><geom size="0.1" density="10"/><default class="a"><geom density="20"/>'
                    '<default class="b"><geom size="0.2"/></default></default></default>')
        mass = lambda radius, density: density * 4 / 3 * math.pi * radius ** 3
        for geom, childclass, expected in [("<geom/>", "", mass(0.1, 10)), ('<geom class="a"/>', "", mass(0.1, 20)),
                                           ('<geom class="b"/>', "", mass(0.2, 20)), ("<geom/>", 'childclass="b"', mass(0.2, 20)),
                                           ('<geom class="a"/>', 'childclass="b"', mass(0.1, 20)),
                                           ('<geom class="b" size="0.3" mass="2"/>', "", 2), ('<geom class="main"/>', 'childclass="b"', mass(0.1, 10))]:
            scene = self.imported(world(body("o", "<freejoint/>", geom, more=childclass), before=defaults))
            self.assertAlmostEqual(scene["bodies"][0]["mass"] / expected, 1, places=12)

    def test_masses(self):
        geoms = '<geom type="box" size="0.5 0.5 0.5" mass="2" pos="1 0 0"/><geom type="box" size="0.5 0.5 0.5" mass="2" pos="-1 0 0"/><geom size="5" mass="0"/>'
        for settings, inertial, mass, inertia in [
                ("", "", 4, [4 / 6, 4 / 6 + 4, 4 / 6 + 4]), ("", INERTIAL, 1, [1, 1, 1]),
                ('<compiler inertiafromgeom="true"/>', INERTIAL, 4, [4 / 6, 4 / 6 + 4, 4 / 6 + 4]),
                ("", '<inertial pos="0 0 0" mass="3" fullinertia="2 3 4 0.1 0.2 0.3"/>', 3, [2, 3, 4, 0.1, 0.2, 0.3])]:
            made = self.imported(world(body("o", "<freejoint/>", inertial, geoms), before=settings))["bodies"][0]
            self.assertAlmostEqual(made["mass"], mass)
            np.testing.assert_allclose(made["inertia"], (inertia + [0, 0, 0])[:6], atol=1e-14)

    def test_global_coordinates_are_local_ones(self):
        inner = lambda where, geom: body("b", f'<joint axis="0 0 1" pos="{where[1]}"/>', f'<geom type="box" size="0.1 0.2 0.3" pos="{geom}"/>', more=f'pos="{where[0]}"')
        joint = lambda at: f'<joint axis="0 1 0" pos="{at}"/>'
        local = self.imported(world(body("a", joint("0 0 0"), "<geom size='0.1'/>", inner(("1 0 0", "0 0.5 0"), "0 1 0"), more='pos="0 0 2"')))
        everywhere = self.imported(world(body("a", joint("0 0 2"), "<geom size='0.1' pos='0 0 2'/>", inner(("1 0 2", "1 0.5 2"), "1 1 2"), more='pos="0 0 2"'),
                                         before='<compiler coordinate="global"/>'))
        self.assertEqual(local["bodies"], everywhere["bodies"])
        self.assertEqual(local["joints"], everywhere["joints"])

    def test_several_joints_of_a_body(self):
        hinge = lambda name, axis, more="": f'<joint name="{name}" axis="{axis}" {more}/>'
        slide = lambda name, axis, more="": f'<joint name="{name}" type="slide" axis="{axis}" {more}/>'
        cases = [([hinge("p", "0 0 1", 'ref="20"'), hinge("q", "1 0 0", 'ref="-35"')], "universal", ["angle_1", "angle_2"], [0.3, -0.5], [math.radians(20), math.radians(-35)]),
                 ([slide("p", "0 1 0", 'ref="0.2"'), hinge("q", "0 1 0")], "cylindrical", ["travel", "angle"], [0.3, -0.5], [0.2, 0]),
                 ([slide("p", "1 0 0"), slide("q", "0 0 1", 'ref="0.1"'), hinge("s", "0 1 0", 'ref="10"')], "planar", ["y", "x", "angle"], [0.3, -0.2, 0.7], [0, 0.1, math.radians(10)]),
                 ([slide("p", "1 0 0"), slide("q", "0 0 1"), hinge("s", "0 -1 0")], "planar", ["x", "y", "angle"], [0.3, -0.2, 0.7], [0, 0, 0])]
        for joints, kind, coordinates, start, reference in cases:
            key = f'<keyframe><key qpos="{" ".join(map(str, start))}" qvel="{" ".join(["0.1", "0.2", "0.3"][:len(start)])}"/></keyframe>'
            text = world(body("o", INERTIAL, *joints, more='pos="0 1 2" euler="10 20 30"'), after=key)
            scene = self.imported(text)
            self.assertEqual([j["type"] for j in scene["joints"]], [kind])
            name = scene["joints"][0]["name"]
            names = [f"{name}.{c}" for c in coordinates] + [f"{name}.{c}.rate" for c in coordinates]
            _, values = self.signals("imported.json", names, 0.01)
            np.testing.assert_allclose(values[:len(start), 0], start, atol=1e-12)
            np.testing.assert_allclose(values[len(start):, 0], [0.1, 0.2, 0.3][:len(start)], atol=1e-12)
            drawn = self.imported(world(body("o", INERTIAL, *joints, more='pos="0 1 2" euler="10 20 30"')))
            _, values = self.signals("imported.json", names, 0.01)
            np.testing.assert_allclose(values[:len(start), 0], reference, atol=1e-12)
            np.testing.assert_allclose(drawn["bodies"][0]["position"], [0, 1, 2], atol=1e-15)
        bad = self.refused("check", self.write(world(body("o", INERTIAL, hinge("p", "0 0 1"), hinge("q", "1 0 1")))))
        self.assertIn("no joint of carom is together", bad)

    def test_ball_joints(self):
        # a top: no torque about its anchor but the spring's; small turns swing at sqrt(k/I) and the start is the key's
        text = world(body("o", '<inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/>', '<joint type="ball" stiffness="2"/>'),
                     after='<keyframe><key qpos="0.99995 0.0099998333341667 0 0" qvel="0 0 0"/></keyframe>')
        t, (omega,) = self.signals(self.write(text), ["o.angular_velocity.x"], 2)
        np.testing.assert_allclose(omega, -0.02 * 2 * np.sin(2 * t), atol=2e-6)

    def test_joint_equalities(self):
        two = [body("a", INERTIAL, '<joint name="x" axis="0 0 1"/>'), body("b", INERTIAL, '<joint name="y" axis="0 0 1" ref="10"/>')]
        motor = '<actuator><motor joint="x"/></actuator>'
        gear = lambda text: f'<equality><joint joint1="y" joint2="x" polycoef="{text}"/></equality>'
        text = world(*two, after=gear("0.2 -3 0 0 0") + motor + f'<keyframe><key qpos="0.5 {math.radians(10) + 0.2 - 1.5}" ctrl="1"/></keyframe>')
        _, (x, y) = self.signals(self.write(text), ["x.angle", "y.angle"], 1)
        self.assertGreater(np.ptp(x), 0.04)
        np.testing.assert_allclose(y - math.radians(10), 0.2 - 3 * x, atol=1e-9)
        self.assertIn("starts at", self.refused("check", self.write(world(*two, after=gear("0.2 -3")))))
        self.assertIn("straight line", self.refused("check", self.write(world(*two, after=gear("0 1 2")))))
        text = world(*two, after='<equality><joint joint1="y" polycoef="0.4"/></equality>')
        _, (y,) = self.signals(self.write(text), ["y.angle"], 0.1)
        np.testing.assert_allclose(y, math.radians(10) + 0.4, atol=1e-9)

    def test_welds(self):
        two = [body("a", INERTIAL, "<freejoint/>"), body("b", INERTIAL, "<freejoint/>", more='pos="1 0 0"')]
        scene = self.imported(world(*two, after='<equality><weld body1="a" body2="b"/><weld body1="a" body2="b" active="false"/></equality>'))
        self.assertEqual([(j["type"], j["frame_a"]["position"]) for j in scene["joints"]], [("fixed", [1, 0, 0])])
        self.assertIn("do not move", self.refused("check", self.write(world(*two, after='<equality><weld body1="a" body2="a"/></equality>'))))

    def test_limits_frictions_and_pairs(self):
        joint = '<joint name="j" axis="0 0 1" range="-30 45" {}/>'
        limits = lambda more, before="": self.imported(world(body("a", INERTIAL, joint.format(more)), before=before))["joints"][0].get("limits")
        np.testing.assert_allclose([limits("")[0]["min"], limits("")[0]["max"]], [-math.pi / 6, math.pi / 4])
        self.assertIsNone(limits('limited="false"'))
        self.assertIsNone(limits("", '<compiler autolimits="false"/>'))
        self.assertEqual(limits("", '<compiler angle="radian"/>')[0]["min"], -30)
        out = self.carom("check", ROBOTS / "servo.xml").stderr
        self.assertIn("solref or solimp", out)
        self.assertIn("nothing touches until a method and a law are chosen", out)
        chosen = self.carom("check", ROBOTS / "servo.xml", "--method", "impact")
        self.assertEqual(chosen.returncode, 0, chosen.stderr)
        self.assertNotIn("nothing touches", chosen.stderr)

    def test_the_ball_rests_on_the_plane(self):
        text = world('<geom type="plane" size="0 0 1"/>', body("ball", "<freejoint/>", '<geom size="0.1"/>', more='pos="0 0 0.3"'))
        _, (z,) = self.signals(self.write(text), ["ball.position.z"], 1, "--method", "impact", "--set", "contact.restitution=0")
        self.assertAlmostEqual(z[-1], 0.1, places=6)
        fall = self.signals(self.write(text), ["ball.position.z"], 1, "--method", "none")[1][0]
        self.assertAlmostEqual(fall[-1], 0.3 - 9.81 / 2, places=6)

    def test_friction_needs_one_of_two_to_have_it(self):
        pairs = self.imported(world('<geom type="plane" size="0 0 1" condim="1"/>', body("a", '<freejoint/><geom size="1" condim="1"/>'),
                                    body("b", '<freejoint/><geom size="1" friction="0.3"/>')))["contact"]["pairs"]
        smooth, rough = "friction 1, condim 1", "friction 0.3"
        found = {tuple(sorted(pair["between"])): pair["friction"] for pair in pairs}
        self.assertEqual(found, {(smooth, smooth): 0, (rough, smooth): 1, (rough, rough): 0.3})
        alone = self.imported(world('<geom type="plane" size="0 0 1" condim="1"/>', body("a", '<freejoint/><geom size="1" condim="1"/>')))
        self.assertEqual(alone["contact"]["friction"], 0)

    def test_actuators_of_all_kinds_share_their_defaults(self):
        forces = self.imported(world(body("o", INERTIAL, '<joint name="j"/>'), before='<default><general gear="5" kp="7"/></default>',
                                     after='<actuator><position joint="j" kp="2"/><position name="p" joint="j"/></actuator>'))["forces"]
        self.assertEqual([force["gain"] for force in forces], [50, 25])

    def test_general_actuators_are_motors_and_servos(self):
        def forces(*actuators):
            found = self.imported(world(body("o", INERTIAL, '<joint name="j"/>'), after="<actuator>" + "".join(actuators) + "</actuator>"))["forces"]
            return [{key: value for key, value in force.items() if key not in ("name", "target")} for force in found]

        servo = 'joint="j" gear="3" forcerange="-9 9" ctrlrange="-1 1"'
        for general, own in (('biastype="affine" gainprm="40" biasprm="0 -40 -5"', 'position {} kp="40" kv="5"'),
                             ('biastype="affine" gainprm="5 0 0" biasprm="0 0 -5" dyntype="none"', 'velocity {} kv="5"'),
                             ('gaintype="fixed" biasprm="0 -1 -1"', "motor {}")):
            a, b = forces(f'<general name="a" {servo} {general}/>', f'<{own.format(servo)} name="b"/>')
            self.assertEqual(a, b)
        o = body("o", INERTIAL, '<joint name="j"/>')
        for words, more in (("'dyntype' filter", 'dyntype="filter"'), ("gaintype is 'affine'", 'gaintype="affine"'),
                            ("biasprm grows", 'biastype="affine" biasprm="0 1"'), ("biastype is 'muscle'", 'biastype="muscle"')):
            self.broken(6, "actuator/general", words, world(o, after=f'<actuator><general joint="j" {more}/></actuator>'))

    def test_a_gripper_whose_control_is_a_byte(self):
        # force = 2 u + 3 - 100 q - 20 q'
        text = world(body("o", INERTIAL, '<joint name="j" type="slide" axis="1 0 0"/>'), before='<option gravity="0 0 0"/>',
                     after='<actuator><general name="g" joint="j" biastype="affine" gainprm="2" biasprm="3 -100 -20" ctrlrange="0 255"/></actuator>'
                           '<keyframe><key ctrl="200"/></keyframe>')
        t, (q,) = self.signals(self.write(text), ["j.travel"], 2)
        rest, w = (2 * 200 + 3) / 100, 10  # of a mass of 1 kg: critically damped
        np.testing.assert_allclose(q, rest - rest * (1 + w * t) * np.exp(-w * t), atol=1e-6)

    def test_the_total_mass_is_set(self):
        bodies = self.imported(world(body("a", '<freejoint/><geom size="0.1"/>', body("b", '<joint/><geom size="0.2"/>')),
                                     before='<compiler settotalmass="14"/>'))["bodies"]
        np.testing.assert_allclose([b["mass"] for b in bodies], [14 / 9, 14 * 8 / 9], rtol=1e-12)
        np.testing.assert_allclose([b["inertia"][0] for b in bodies], [0.4 * 14 / 9 * 0.01, 0.4 * 14 * 8 / 9 * 0.04], rtol=1e-12)

    def test_masks_say_what_touches(self):
        # two balls fall onto a plane through each other: contype 1 and conaffinity 0 on balls, both 1 on the plane
        ball = lambda name, z, masks: body(name, "<freejoint/>", f'<geom size="0.1" {masks}/>', more=f'pos="0 0 {z}"')
        end = lambda masks: self.signals(self.write(world('<geom type="plane" size="0 0 1"/>', ball("low", 0.1, masks), ball("high", 0.5, masks))),
                                         ["low.position.z", "high.position.z"], 1, "--method", "impact", "--set", "contact.restitution=0")[1][:, -1]
        np.testing.assert_allclose(end('conaffinity="0"'), [0.1, 0.1], atol=1e-6)
        np.testing.assert_allclose(end(""), [0.1, 0.3], atol=1e-6)
        np.testing.assert_allclose(end('contype="2" conaffinity="2"'), [0.1 - 9.81 / 2, 0.5 - 9.81 / 2], atol=1e-6)
        self.broken(4, "worldbody/body 'o'/geom", "a mask of 32 bits", world(body("o", '<freejoint/><geom size="1" contype="-1"/>')))

    def test_keys(self):
        start = lambda *more: self.imported(ROBOTS / "servo.xml", *more)["bodies"][3].get("velocity")
        self.assertEqual(start(), [1, 0, 0])
        self.assertIsNone(start("--set", "import.key=rest"))
        self.assertIsNone(start("--set", "import.key=none"))
        self.assertIn("no key frame 'x'", self.refused("check", ROBOTS / "servo.xml", "--set", "import.key=x"))


class Refused(Mjcf):
    def test_what_is_not_read_is_refused_by_name(self):
        o = body("o", INERTIAL, '<joint name="j"/>')
        for name in ("tendon", "extension", "deformable", "include"):
            self.broken(6, name, f"<{name}> is not read", world(o, after=f"<{name}/>"))
        for name in ("composite", "flexcomp", "replicate", "attach", "frame", "plugin"):
            self.broken(4, f"worldbody/body 'o'/{name}", f"<{name}> is not read", world(body("o", f"<{name}/>")))
        for actuator in ("muscle", "adhesion", "intvelocity", "damper", "cylinder"):
            self.broken(6, f"actuator/{actuator}", f"kind <{actuator}>", world(o, after=f'<actuator><{actuator} joint="j"/></actuator>'))
        self.broken(6, "actuator/motor", "'tendon' of an actuator", world(o, after='<actuator><motor tendon="t"/></actuator>'))
        self.broken(6, "actuator/motor", "no joint 'x'", world(o, after='<actuator><motor joint="x"/></actuator>'))
        self.broken(6, "actuator/position", "dampratio", world(o, after='<actuator><position joint="j" dampratio="1"/></actuator>'))
        self.broken(6, "actuator/position", "same both ways", world(o, after='<actuator><position joint="j" forcerange="-1 2"/></actuator>'))
        for equality in ("tendon", "flex", "distance"):
            self.broken(6, f"equality/{equality}", "not read", world(o, after=f"<equality><{equality}/></equality>"))
        self.broken(6, "equality/connect", "no body 'x'", world(o, after='<equality><connect body1="x" anchor="0 0 0"/></equality>'))
        self.broken(6, "contact/exclude", "no body 'x'", world(o, after='<contact><exclude body1="o" body2="x"/></contact>'))

    def test_broken_robots_name_the_line(self):
        o = body("o", INERTIAL, '<joint name="j"/>')
        self.broken(4, "worldbody/body 'o'/geom", "type is 'hfield'", world(body("o", '<geom type="hfield"/>')))
        self.broken(4, "worldbody/body 'o'/geom", "radius of 0 m", world(body("o", "<freejoint/><geom/>")))
        self.broken(4, "worldbody/body 'o'/geom", "no class 'x'", world(body("o", '<freejoint/><geom class="x" size="1"/>')))
        self.broken(4, "worldbody/body 'o'/geom", "no mesh 'x'", world(body("o", '<freejoint/><geom type="mesh" mesh="x"/>')))
        self.broken(4, "worldbody/body 'o'/geom", "belongs into the worldbody", world(body("o", '<freejoint/><geom type="plane" size="1 1 1"/>')))
        self.broken(4, "worldbody/body 'o'", "moves and has no mass", world(body("o", "<freejoint/>")))
        self.broken(4, "worldbody/body 'o'/inertial", "triangle", world(body("o", "<freejoint/>", INERTIAL.replace("1 1 1", "1 1 3"))))
        self.broken(4, "worldbody/body 'o'/joint", "length is 0", world(body("o", INERTIAL, '<joint axis="0 0 0"/>')))
        self.broken(4, "worldbody/body 'o'/joint", "goes from 1 down to 0", world(body("o", INERTIAL, '<joint range="1 0"/>')))
        self.broken(4, "worldbody/body 'a'/body 'b'/freejoint", "stands alone", world(body("a", INERTIAL, "<joint/>", body("b", INERTIAL, "<freejoint/>"))))
        self.broken(4, "worldbody/body 'o'", "mocap", world(body("o", more='mocap="true"')))
        self.broken(2, "compiler", "eulerseq", world(o, before='<compiler eulerseq="abc"/>'))
        self.broken(2, "compiler", "angle is 'grad'", world(o, before='<compiler angle="grad"/>'))
        self.broken(6, "keyframe/key", "qpos has 2 numbers; 1 is needed", world(o, after='<keyframe><key qpos="0 0"/></keyframe>'))
        self.broken(1, "mujoco", "no <worldbody>", "<mujoco/>")
        self.broken(5, "worldbody/body 'o'", "two bodies 'o'", world(o, o))
        self.broken(5, "worldbody/body 'p'/joint 'j'", "two joints 'j'", world(o, body("p", INERTIAL, '<joint name="j"/>')))
        self.broken(4, "worldbody/body 'o'/geom", "condim is 1, 3, 4 or 6", world(body("o", '<freejoint/><geom size="1" condim="2"/>')))

    def test_attributes_without_effect_are_named(self):
        geom = '<freejoint/><geom size="1" margin="1" condim="6" name="g" solref="1 1" solmix="1"/>'
        out = self.carom("check", self.write(world(body("o", geom, more='sleep="never"'), before='<default><joint margin="1"/></default>',
                                                   after='<option timestep="1"><flag limit="disable" energy="enable"/></option>'))).stderr
        for words in ["robot.xml:4: worldbody/body 'o'/geom 'g': 'margin' of <geom> is not read", "condim 6: friction against rolling",
                      "robot.xml:2: default/joint: 'margin' of <joint>", "'sleep' of <body>", 'limit="disable" has no effect']:
            self.assertIn(words, out)
        self.assertEqual(out.count("is not read"), 3)

    def test_misspelt_words_are_refused(self):
        o = body("o", INERTIAL, '<joint name="j"/>')
        self.broken(4, "worldbody/body 'o'/geom", "<geom> has no attribute 'frction'; did you mean 'friction'?",
                    world(body("o", INERTIAL, '<geom size="1" frction="1"/>')))
        self.broken(4, "worldbody/body 'o'/joints", "no <joints> in <body>; did you mean <joint>?", world(body("o", INERTIAL, "<joints/>")))
        self.broken(2, "defaults", "no <defaults> in <mujoco>; did you mean <default>?", world(o, before="<defaults/>"))
        self.broken(6, "keyframe/key", "did you mean 'qpos'?", world(o, after='<keyframe><key qpo="0"/></keyframe>'))

    def test_what_is_ignored_is_counted(self):
        out = self.carom("check", self.write(world("<light/>", "<camera/>", "<light/>", body("o", "<freejoint/>", INERTIAL, "<site/>"), after="<sensor/><visual/>"))).stderr
        for words in ["robot.xml:4: 2 <light>", "1 <camera>", "1 <site>", "1 <sensor>", "1 <visual>"]:
            self.assertIn(words, out)


if __name__ == "__main__":
    unittest.main()
