"""Robots (URDF) from outside: run as they are, explained by check, written as carom scenes by import, refused with their line."""
import json
import math
import os
import resource
import subprocess
import unittest

import h5py
import numpy as np

from support import CAROM, SOURCE, Case, checkpoint_state

ROBOTS = SOURCE / "tests/scenes/robots"
CUBE = """v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n"""
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def link(name, inside=INERTIAL):
    return f'<link name="{name}">{inside}</link>'


def joint(name, parent, child, kind="continuous", inside=""):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


class Robot(Case):
    def write(self, *parts, name="robot.urdf"):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text('<robot name="r">\n' + "\n".join(parts) + "\n</robot>\n")
        return file

    def run_scene(self, scene, folder, *more):
        self.ok("run", scene, "-o", folder, "--no-report", "-q", *more)
        return checkpoint_state(self.folder / folder)

    def imported(self, file, *more):
        self.ok("import", file, "-o", "imported.json", *more)
        return json.loads((self.folder / "imported.json").read_text())


class Motion(Robot):
    def test_the_pendulum_falls_as_energy_says(self):
        # theta from level: I w^2 / 2 = m g c sin(theta), I about the hinge; the axis of the file has length 2
        for mass, center, moment in [(3, 0.5, 0.25), (0.7, 1.3, 0.05)]:
            text = (ROBOTS / "pendulum.urdf").read_text()
            text = text.replace('<origin xyz="0.5 0 0"/>', f'<origin xyz="{center} 0 0"/>')
            text = text.replace('<mass value="3"/>', f'<mass value="{mass}"/>')
            text = text.replace('iyy="0.25" izz="0.25"', f'iyy="{moment}" izz="{moment}"')
            file = self.folder / "pendulum.urdf"
            file.write_text(text)
            self.ok("run", file, "-o", "out", "--no-report", "-q", "-d", "1", "--set", "time.tolerance=1e-9",
                    "--set", 'record.signals=["hinge.angle","hinge.angle.rate"]')
            with h5py.File(self.folder / "out/result.h5", "r") as h5:
                values = np.array(h5["signals/value"])
            angle, rate = values[:, 0], values[:, 1]
            about_hinge = moment + mass * center ** 2
            expected = 2 * mass * 9.81 * center * np.sin(angle) / about_hinge
            self.assertGreater(np.max(angle), 2.0)
            self.assertLess(np.max(np.abs(rate ** 2 - expected)), 1e-4 * np.max(expected))

    def test_the_pendulum_is_its_own_scene(self):
        own = {"carom": 1, "gravity": [0, 0, -9.81], "contact": {"method": "none"},
               "bodies": [{"name": "rod", "position": [0, 0, 2], "orientation": {"axis": [0, 0, 1], "angle": 0.5}, "mass": 3,
                           "inertia": [0.01, 0.25, 0.25], "center_of_mass": [0.5, 0, 0]}],
               "joints": [{"name": "hinge", "type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0, 2],
                           "axis": [-math.sin(0.5), math.cos(0.5), 0]}]}
        scene = self.folder / "own.json"
        scene.write_text(json.dumps(own))
        ends = []
        for file in (scene, ROBOTS / "pendulum.urdf"):
            self.ok("run", file, "-o", "out", "--no-report", "-q", "-d", "1.3", "--set", "time.tolerance=1e-9")
            with h5py.File(self.folder / "out/result.h5", "r") as h5:
                ends.append(np.concatenate([h5["bodies/position"][-1].ravel(), h5["bodies/velocity"][-1].ravel()]))
        self.assertLess(np.max(np.abs(ends[0] - ends[1])), 1e-6)

    def test_imported_robots_reach_the_same_bits(self):
        for robot in sorted(ROBOTS.glob("*.urdf")):
            with self.subTest(robot.name):
                self.imported(robot)
                self.assertEqual(self.run_scene(robot, "direct", "-d", "0.2"),
                                 self.run_scene("imported.json", "imported", "-d", "0.2"))

    def test_mimicked_joints_follow_from_the_start(self):
        self.ok("run", ROBOTS / "arm.urdf", "-o", "out", "--no-report", "-q", "-d", "0.5", "--set",
                'record.signals=["grip.travel","other grip.travel"]')
        with h5py.File(self.folder / "out/result.h5", "r") as h5:
            grip, other = np.array(h5["signals/value"]).T
        self.assertLess(np.max(np.abs(other - (0.01 - grip))), 1e-9)

    def test_dry_friction_holds_and_slows(self):
        # a level arm of torque m g c = 4.905 N m: held by 6 N m of friction, let go by 3 N m
        inertial = '<inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'
        for friction, low, high in [(6, 0, 0.02), (3, 0.5 * (4.905 - 3) / 0.35 * 0.2 ** 2 * 0.9, 0.5 * (4.905 - 3) / 0.35 * 0.2 ** 2 * 1.02)]:
            file = self.write(link("world", ""), link("arm", inertial), joint("h-1", "world", "arm", inside=f'<axis xyz="0 1 0"/><dynamics friction="{friction}"/>'))
            self.ok("run", file, "-o", "out", "--no-report", "-q", "-d", "0.2", "--set", 'record.signals=["h_1.angle"]')
            with h5py.File(self.folder / "out/result.h5", "r") as h5:
                angle = h5["signals/value"][-1, 0]
            self.assertTrue(low <= angle <= high, (friction, angle, low, high))

    def test_bases(self):
        free = self.write(link("a"), link("b"), joint("j", "a", "b"))
        for base, moves in [("auto", True), ("free", True), ("fixed", False)]:
            scene = self.imported(free, "--set", f"import.base={base}")
            self.assertEqual(scene["bodies"][0].get("fixed", False), not moves and "shapes" in scene["bodies"][0])
            self.assertEqual(len(scene["bodies"]), 2 if moves else 1)
        footprint = self.write(link("foot", ""), link("body"), joint("j", "foot", "body", "fixed"), link("wheel"), joint("k", "body", "wheel"))
        self.assertEqual([b["name"] for b in self.imported(footprint)["bodies"]], ["wheel"])
        self.assertEqual([b["name"] for b in self.imported(footprint, "--set", "import.base=free")["bodies"]], ["foot", "wheel"])

    def test_masses_join_over_fixed_joints(self):
        # a light link that moves takes the mass of what is fixed to it: Steiner
        heavy = '<inertial><origin xyz="1 0 0"/><mass value="2"/><inertia ixx="1" iyy="2" izz="2" ixy="0" ixz="0" iyz="0"/></inertial>'
        file = self.write(link("world", ""), link("frame", ""), link("arm", heavy), joint("h", "world", "frame"),
                          joint("f", "frame", "arm", "fixed", '<origin xyz="0 1 0" rpy="0 0 1.5707963267948966"/>'))
        body = self.imported(file)["bodies"][0]
        self.assertEqual(body["mass"], 2)
        np.testing.assert_allclose(body["center_of_mass"], [0, 2, 0], atol=1e-15)
        np.testing.assert_allclose(body["inertia"], [2, 1, 2, 0, 0, 0], atol=1e-15)

    def test_inertias_are_turned_into_the_axes_of_the_link(self):
        # rpy: first about x, then y, then z, fixed axes; R = Rz Ry Rx
        rpy = np.array([0.3, -0.7, 1.1])
        c, s = np.cos(rpy), np.sin(rpy)
        R = (np.array([[c[2], -s[2], 0], [s[2], c[2], 0], [0, 0, 1]]) @ np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
             @ np.array([[1, 0, 0], [0, c[0], -s[0]], [0, s[0], c[0]]]))
        I = np.array([[2, 0.1, -0.2], [0.1, 3, 0.3], [-0.2, 0.3, 4]])
        inertial = ('<inertial><origin xyz="1 2 3" rpy="0.3 -0.7 1.1"/><mass value="1"/>'
                    '<inertia ixx="2" iyy="3" izz="4" ixy="0.1" ixz="-0.2" iyz="0.3"/></inertial>')
        body = self.imported(self.write(link("a", inertial)))["bodies"][0]
        turned = R @ I @ R.T
        np.testing.assert_allclose(body["inertia"], [*np.diag(turned), turned[0, 1], turned[0, 2], turned[1, 2]], atol=1e-14)
        self.assertEqual(body["center_of_mass"], [1, 2, 3])

    def test_masses_from_shapes(self):
        box = '<collision><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry></collision>'
        file = self.write(link("world", ""), link("a", box), joint("h", "world", "a"))
        self.assertIn("has no mass", self.refused("check", file))
        body = self.imported(file, "--set", "import.density=10")["bodies"][0]
        self.assertAlmostEqual(body["mass"], 60)
        np.testing.assert_allclose(body["inertia"][:3], [65, 50, 25], rtol=1e-12)
        np.testing.assert_allclose(body["center_of_mass"], [0, 0, 1])
        given = self.write(link("world", ""), link("a", '<inertial><mass value="6"/></inertial>' + box), joint("h", "world", "a"))
        body = self.imported(given)["bodies"][0]
        np.testing.assert_allclose(body["inertia"][:3], [6.5, 5, 2.5], rtol=1e-12)

    def test_meshes_of_packages(self):
        (self.folder / "deep/arm_description/meshes").mkdir(parents=True)
        (self.folder / "deep/arm_description/meshes/cube.obj").write_text(CUBE)
        mesh = '<collision><geometry><mesh filename="{}" scale="0.5 1 2"/></geometry></collision>'
        text = lambda name: [link("world", ""), link("a", INERTIAL + mesh.format(name)), joint("h", "world", "a")]
        inside = self.write(*text("package://arm_description/meshes/cube.obj"), name="deep/arm_description/urdf/robot.urdf")
        scene = self.imported(inside)
        self.assertEqual(scene["bodies"][0]["shapes"][0]["mesh"], {"file": "deep/arm_description/meshes/cube.obj", "scale": [0.5, 1, 2]})
        self.ok("check", "imported.json")
        outside = self.write(*text("package://other/meshes/cube.obj"))
        out = self.refused("check", outside)
        self.assertIn("robot.urdf:3: link 'a'/collision/geometry/mesh: the mesh 'package://other/meshes/cube.obj'", out)
        self.assertIn("--package", out)
        self.ok("check", outside, "--package", "other=deep/arm_description")
        self.assertIn("NAME=FOLDER", self.refused("check", outside, "--package", "other"))
        self.assertIn("the package 'other' is said to be in './nowhere'", self.refused("check", outside, "--package", "other=nowhere"))
        self.ok("check", self.write(*text("deep/arm_description/meshes/cube.obj")))
        self.assertIn("there is no mesh", self.refused("check", self.write(*text("no.obj"))))

    def test_shapes_that_are_taken(self):
        seen = '<visual><geometry><sphere radius="1"/></geometry></visual>'
        touched = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
        file = self.write(link("a", INERTIAL + seen + touched), link("b", INERTIAL + seen), joint("j", "a", "b"))
        kinds = lambda *more: [[(s for s in shape if s in ("box", "sphere")).__next__() for shape in b.get("shapes", [])]
                               for b in self.imported(file, *more)["bodies"]]
        self.assertEqual(kinds(), [["box"], ["sphere"]])
        self.assertEqual(kinds("--set", "import.shapes=both"), [["box", "sphere"], ["sphere"]])
        self.assertEqual(kinds("--set", "import.shapes=visual"), [["sphere"], ["sphere"]])
        self.assertEqual(kinds("--set", "import.shapes=collision"), [["box"], []])
        self.assertIn("one of 'auto'", self.refused("check", file, "--set", "import.shapes=nice"))
        self.assertIn("no option import.nice", self.refused("check", file, "--set", "import.nice=1"))

    def test_all_joints(self):
        for kind, carom in [("revolute", "revolute"), ("continuous", "revolute"), ("prismatic", "prismatic"), ("planar", "planar"),
                            ("fixed", "fixed"), ("floating", None)]:
            file = self.write(link("a"), link("b"), joint("j", "a", "b", kind, '<axis xyz="1 1 0"/><limit lower="-1" upper="2"/>'))
            scene = self.imported(file)
            self.assertEqual([j["type"] for j in scene.get("joints", [])], [carom] if carom else [])
            limits = [l for j in scene.get("joints", []) for l in j.get("limits", [])]
            self.assertEqual([(l["min"], l["max"]) for l in limits], [(-1, 2)] if kind in ("revolute", "prismatic") else [])
            self.ok("run", file, "-o", "out", "--no-report", "-q", "-d", "0.01")


class Refused(Robot):
    def broken(self, line, place, words, *parts):
        out = self.refused("check", self.write(*parts))
        self.assertIn(f"robot.urdf:{line}: {place}", out)
        self.assertIn(words, out)

    def test_broken_robots_name_the_line(self):
        a, b, c = link("a"), link("b"), link("c")
        self.broken(6, "joint 'l'", "circle", a, b, c, joint("k", "b", "c"), joint("l", "c", "b"))
        self.broken(3, "link 'b'", "both roots", a, b)
        self.broken(4, "joint 'j'/parent", "there is no link 'x'", a, b, joint("j", "x", "b"))
        self.broken(4, "joint 'j'/child", "there is no link 'x'", a, b, joint("j", "a", "x"))
        self.broken(6, "joint 'l'", "has two parents: the joint in line 5", a, b, c, joint("k", "a", "b"), joint("l", "c", "b"))
        self.broken(3, "link 'a'", "two links 'a'", a, a)
        self.broken(5, "joint 'j'", "two joints 'j'", a, b, joint("j", "a", "b"), joint("j", "b", "a"))
        self.broken(2, "link 'a'/inertial/inertia", "triangle", link("a", INERTIAL.replace('izz="1"', 'izz="3"')))
        self.broken(2, "link 'a'/inertial/inertia", "inertia of 'a'", link("a", INERTIAL.replace('izz="1"', 'izz="-1"')))
        self.broken(2, "link 'a'/inertial/mass", "-1 kg", link("a", INERTIAL.replace('value="1"', 'value="-1"')))
        self.broken(2, "link 'a'/inertial/mass", "'heavy' is no number", link("a", INERTIAL.replace('value="1"', 'value="heavy"')))
        self.broken(2, "link 'a'/inertial/mass", "'nan' is no number", link("a", INERTIAL.replace('value="1"', 'value="nan"')))
        self.broken(2, "link 'a'/inertial", "no <mass>", link("a", "<inertial/>"))
        self.broken(2, "link 'a'/inertial", "no inertia, and no shapes", link("a", '<inertial><mass value="1"/></inertial>'))
        self.broken(4, "joint 'j'", "no joint 'hinge'", a, b, joint("j", "a", "b", "hinge"))
        self.broken(4, "joint 'j'/axis", "length is 0", a, b, joint("j", "a", "b", inside='<axis xyz="0 0 0"/>'))
        self.broken(4, "joint 'j'/limit", "below the lower", a, b, joint("j", "a", "b", "revolute", '<limit lower="1" upper="0"/>'))
        self.broken(4, "joint 'j'/origin", "xyz has 2 numbers; 3 are needed", a, b, joint("j", "a", "b", inside='<origin xyz="0 0"/>'))
        self.broken(4, "joint 'j'", "no <parent", a, b, '<joint name="j" type="fixed"><child link="b"/></joint>')
        self.broken(4, "joint 'j'/mimic", "there is no joint 'x'", a, b, joint("j", "a", "b", inside='<mimic joint="x"/>'))
        self.broken(5, "joint 'j'/mimic", "both must be", a, b, c, joint("j", "a", "b", inside='<mimic joint="k"/>'), joint("k", "b", "c", "planar"))
        self.broken(4, "joint 'j'/mimic", "mimics itself", a, b, joint("j", "a", "b", inside='<mimic joint="j"/>'))
        self.broken(2, "link 'a'/collision/geometry/torus", "no geometry <torus>", link("a", INERTIAL + "<collision><geometry><torus/></geometry></collision>"))
        self.broken(2, "link 'a'/collision/geometry/box", "edges must be positive", link("a", INERTIAL + '<collision><geometry><box size="1 0 1"/></geometry></collision>'))
        self.broken(2, "link 'a'/visual", "no geometry", link("a", INERTIAL + "<visual/>"))
        self.broken(3, "link 'b'", "moves and has no mass", a, link("b", ""), joint("j", "a", "b"))
        self.broken(2, "xacro:macro", "run xacro first", "<xacro:macro/>", a)

    def test_broken_files(self):
        for text, words in [("<robot>", "robot.urdf:1: not valid XML"), ("<robot>\n<a></robot>", "robot.urdf:2: not valid XML"),
                            ("<sdf/>", "begins with <sdf>"), ("<robot/>", "the robot has no links"),
                            ('<!DOCTYPE robot [<!ENTITY a "b">]>\n<robot/>', "document type declarations"),
                            ("<" * 1000, "not valid XML"), ("<a>" * 2000, "1000 deep")]:
            file = self.folder / "robot.urdf"
            file.write_text(text)
            self.assertIn(words, self.refused("check", file))

    def test_what_is_ignored_is_counted(self):
        out = self.carom("check", ROBOTS / "arm.urdf").stderr
        for words in ["arm.urdf:50: 2 <gazebo> without effect", "1 <transmission> without effect", "1 <safety_controller> without effect"]:
            self.assertIn(words, out)

    def test_attributes_without_effect_are_named(self):
        text = [link("a"), link("b", INERTIAL + "<gazebo><joint damp='1'/></gazebo>"), joint("j", "a", "b", "planar", '<origin unit="m"/><dynamics friction="1"/>')]
        out = self.carom("check", self.write(*text)).stderr
        self.assertIn("robot.urdf:4: joint 'j'/origin: 'unit' of <origin> is not read", out)
        self.assertIn("robot.urdf:4: joint 'j'/dynamics: damping and friction of 'j' have no effect", out)
        self.assertNotIn("damp'", out)
        self.assertNotIn("forces", self.imported(self.write(*text)))

    def test_misspelt_words_are_refused(self):
        a, b = link("a"), link("b")
        for line, place, words, parts in (
                (4, "joint 'j'/orgin", "no <orgin> in <joint>; did you mean <origin>?", (a, b, joint("j", "a", "b", inside='<orgin xyz="1 0 0"/>'))),
                (4, "joint 'j'/limt", "did you mean <limit>?", (a, b, joint("j", "a", "b", "revolute", '<limt lower="0" upper="1"/>'))),
                (4, "joint 'j'/limit", "<limit> has no attribute 'lowr'; did you mean 'lower'?", (a, b, joint("j", "a", "b", "revolute", '<limit lowr="-1" upper="1"/>'))),
                (4, "joint 'j'/origin", "did you mean 'xyz'?", (a, b, joint("j", "a", "b", inside='<origin xzy="1 0 0"/>'))),
                (4, "joint 'j'/Axis", "did you mean <axis>?", (a, b, joint("j", "a", "b", inside='<Axis xyz="1 0 0"/>'))),
                (2, "link 'a'/colision", "did you mean <collision>?", (link("a", INERTIAL + "<colision/>"),)),
                (2, "link 'a'/inertia", "did you mean <inertial>?", (link("a", "<inertia/>"),)),
                (2, "link 'a'/collision/geomtry", "did you mean <geometry>?", (link("a", INERTIAL + "<collision><geomtry/></collision>"),)),
                (4, "jont 'j'", "no <jont> in <robot>; did you mean <joint>?", (a, b, joint("j", "a", "b").replace("joint", "jont")))):
            self.broken(line, place, words, *parts)

    def test_long_names_are_cut_between_characters(self):
        name = "ö" * 95  # 190 bytes; a name and what stands behind it have at most 200
        scene = self.imported(self.write(link("a"), link("b"), joint(name, "a", "b", inside='<dynamics friction="1"/>')))
        self.assertEqual(scene["forces"][0]["name"], "ö" * 90 + " friction")
        self.assertEqual(len(scene["joints"][0]["name"]), 60)
        self.run_scene(self.folder / "imported.json", "out", "-d", "0.01")
        self.assertIn("at most 200 bytes", self.refused("check", self.write(link("ö" * 101))))

    def test_what_cannot_be_written_leaves_what_was_there(self):
        robot = self.write(link("a"))
        old = self.folder / "old.json"
        old.write_text("mine")
        done = subprocess.run([CAROM, "import", robot, "-o", old], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20)))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(old.read_text(), "mine")
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), ["old.json", "robot.urdf"])
        os.mkfifo(self.folder / "pipe")
        with subprocess.Popen(["cat", self.folder / "pipe"], stdout=subprocess.PIPE, text=True) as reader:
            self.ok("import", robot, "-o", "pipe")
            self.assertEqual(json.loads(reader.stdout.read())["name"], "r")
        self.assertTrue((self.folder / "pipe").is_fifo())

    def test_robots_are_not_included(self):
        self.write(link("a"))
        (self.folder / "scene.json").write_text('{"carom": 1, "include": ["robot.urdf"]}')
        self.assertIn("'carom import' makes a scene", self.refused("check", "scene.json"))


if __name__ == "__main__":
    unittest.main()
