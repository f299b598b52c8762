"""carom modes, and what carom check says of bodies that deform. Needs CAROM_BIN and CAROM_SOURCE_DIR."""
import csv
import json
import math
import re
import unittest

import numpy as np

from support import SOURCE, Case

SCENE = SOURCE / "examples" / "scenes" / "slider-crank-flexible.json"
PENDULUM = SOURCE / "examples" / "scenes" / "pendulum.json"


def rows(text, head):
    """The rows of numbers of the table whose title line begins so, as lists of words."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.split()[:len(head)] == head)
    found = []
    for line in lines[start + 1:]:
        if not re.match(r"\s+\d+\s", line):
            break
        found.append(line.split())
    return found


def lamb(poisson):
    """Lowest spheroidal vibration of a free ball with two poles [Lamb 1882]: omega R over the speed of shear waves. No tractions on its surface."""
    slow = math.sqrt((1 - 2 * poisson) / (2 * (1 - poisson)))  # speed of shear waves over that of pressure waves

    def j(n, x):
        a, b = math.sin(x) / x, math.sin(x) / x**2 - math.cos(x) / x
        for k in range(1, n):
            a, b = b, (2 * k + 1) / x * b - a
        return b

    def traction(k):
        h = slow * k
        radial = (2 - k * k / 2) * j(2, h) + 2 * h * j(3, h), 6 * (j(2, k) - k * j(3, k))
        along = j(2, h) - h * j(3, h), (3 - k * k / 2) * j(2, k) + k * j(3, k)
        return radial[0] * along[1] - radial[1] * along[0]
    low, high = 2.4, 2.8
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if traction(low) * traction(middle) <= 0 else (middle, high)
    return low


class Modes(Case):
    def test_help_has_an_example(self):
        text = self.ok("modes", "--help")
        for part in ("Usage: carom modes SCENE [BODY]", "--free", "--count", "Example:", "  carom modes"):
            self.assertIn(part, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 120)

    def test_frequencies_of_the_rod_are_those_of_a_clamped_beam(self):
        text = self.ok("modes", SCENE, "rod")
        shapes = rows(text, ["number", "frequency"])
        self.assertEqual([row[2] for row in shapes], ["fixed-interface"] * 4 + ["constraint"] * 3)
        scale = 0.0015 * math.sqrt(200e9 / 7870) / 0.3**2 / (2 * math.pi)
        for row, beta in zip(shapes, (4.73004, 7.85320, 10.99561)):
            self.assertAlmostEqual(float(row[1]) / (beta**2 * scale), 1, delta=0.02)  # shear and 20 elements
        self.assertAlmostEqual(float(shapes[0][5]), 69, delta=0.5)  # clamped at both ends: 0.690 of the mass
        clamped = 1e-3 * 0.003 * 28.2 / 0.3**2  # per mm: radius times the curvature at the ends, 28.2/L^2 per displacement of the middle
        self.assertAlmostEqual(float(shapes[0][3]) / clamped, 1, delta=0.02)
        self.assertAlmostEqual(float(shapes[4][3]) * 300, 1, delta=0.01)  # stretched as a whole: 1 mm of 0.3 m
        self.assertRegex(text, r"effective mass of the modes together: 0\.0, 82\.\d, 0\.0 % of 0\.0667557 kg")

    def test_twice_the_modes_change_low_frequencies_little(self):
        for row in rows(self.ok("modes", SCENE), ["number", "body"])[:3]:
            body, better, off = map(float, row[1:4])
            self.assertGreaterEqual(body, better)
            self.assertAlmostEqual(100 * (body / better - 1), off, delta=0.01)
            self.assertLess(off, 0.5)

    def test_free_modes_are_those_of_the_finite_elements(self):
        text = self.ok("modes", SCENE, "rod", "--free", "--count", 6)
        free = rows(text, ["number", "frequency"])
        self.assertEqual([row[2] for row in free], ["free"] * 6)
        for k, row in enumerate(rows(text, ["number", "body"])[:6]):
            self.assertAlmostEqual(float(row[2]), float(free[k][1]), delta=1e-4 * float(row[2]))
            self.assertGreaterEqual(float(row[1]), float(row[2]) * (1 - 1e-5))

    def test_shapes_are_written_for_others(self):
        folder = self.folder / "modes"
        self.assertIn("modes.csv and modes.vtu", self.ok("modes", SCENE, "rod", "-o", folder))
        with open(folder / "modes.csv", encoding="utf-8") as file:
            table = list(csv.reader(file))
        self.assertEqual(len(table), 8)
        self.assertEqual(table[0][-1], "largest strain per mm")
        self.assertEqual(table[1][1], "fixed-interface")
        data = (folder / "modes.vtu").read_bytes()
        self.assertIn(b'NumberOfPoints="21"', data)
        tags = re.findall(rb'Name="([^"]*)" NumberOfComponents="3" format="appended" offset="(\d+)"', data)
        self.assertEqual(len(tags), 8)  # seven shapes and the points
        raw = data[data.index(b'encoding="raw">\n_') + len(b'encoding="raw">\n_'):]
        first = int(tags[0][1]) + 8
        shape = np.frombuffer(raw[first:first + 21 * 12], "<f4").reshape(21, 3)
        self.assertAlmostEqual(float(np.abs(shape).max()), 0.03, delta=1e-6)  # a tenth of the length
        self.assertEqual(np.abs(shape[0]).max(), 0)  # ends are held
        self.assertEqual(int(np.abs(shape[:, 1]).argmax()), 10)

    def test_mistakes_are_told(self):
        for words, sentence in (
            ((SCENE, "crank"), "body 'crank' is rigid and has no modes"),
            ((SCENE, "rood"), "the scene has no body 'rood'; those that deform: rod"),
            ((PENDULUM,), "0 bodies of the scene deform"),
            ((SCENE, "rod", "--count", "1.5"), "'--count' needs a whole number"),
            ((SCENE, "rod", "--count", "100000"), "--count"),
        ):
            with self.subTest(sentence):
                self.refused("modes", *words, contains=sentence)


class Filled(Case):
    """Shapes filled with tetrahedra by Gmsh."""
    STEEL = {"young": 200e9, "poisson": 0.3, "density": 7870}

    def scene(self, shapes, mesh, **flexible):
        path = self.folder / "filled.json"
        path.write_text(json.dumps({
            "carom": 1, "materials": {"steel": self.STEEL},
            "bodies": [{"name": "part", "material": "steel", "shapes": shapes,
                        "flexible": {"mesh": mesh, "modes": {"count": 8}, **flexible}}]}))
        return path

    def frequencies(self, *arguments, **keywords):
        return [float(row[1]) for row in rows(self.ok("modes", self.scene(*arguments, **keywords)), ["number", "frequency"])]

    def test_a_ball_has_the_mass_and_the_frequencies_of_a_ball(self):
        radius = 0.1
        shape = [{"sphere": {"radius": radius}, "at": [0.3, -0.2, 0.1]}]
        wave = math.sqrt(200e9 / 2.6 / 7870) / (2 * math.pi * radius)
        found = self.frequencies(shape, {"of_shape": {"size": 0.03}})
        for frequency in found[:5]:  # torsion: tan(x) = x (12 - x^2) / (12 - 5 x^2); ten to the diameter and lumped masses leave 2 %
            self.assertAlmostEqual(frequency / (2.50113 * wave), 1, delta=0.02)
        self.assertAlmostEqual(lamb(0.25), 2.6399, delta=1e-4)  # 0.840 pi in Lamb's table
        for frequency in found[5:10]:  # oblate to prolate
            self.assertAlmostEqual(frequency / (lamb(0.3) * wave), 1, delta=0.02)
        text = self.ok("check", self.scene(shape, {"of_shape": {"size": 0.03}}))
        mass = float(re.search(r"part +free +([\d.]+)", text)[1])
        self.assertAlmostEqual(mass / (7870 * 4 / 3 * math.pi * radius**3), 1, delta=1e-3)

    def test_round_shapes_have_their_mass(self):
        for shape, volume in (({"cylinder": {"radius": 0.05, "length": 0.2}}, math.pi * 5e-4),
                              ({"capsule": {"radius": 0.05, "length": 0.2}}, math.pi * (5e-4 + 5e-4 / 3)),
                              ({"cone": {"radius": 0.05, "height": 0.2}}, math.pi * 5e-4 / 3)):
            text = self.ok("check", self.scene([shape], {"of_shape": {"size": 0.02}}))
            mass = float(re.search(r"part +free +([\d.]+)", text)[1])
            self.assertAlmostEqual(mass / 7870 / volume, 1, delta=6e-3)  # at rims and tips edges stay straight

    def test_a_box_vibrates_like_one_of_hexahedra(self):
        size = [0.2, 0.05, 0.03]
        filled = self.frequencies([{"box": {"size": size}}], {"of_shape": 0.01})
        block = self.frequencies([], {"block": {"size": size, "divisions": [40, 10, 8]}})
        for a, b in zip(filled[:6], block[:6]):
            self.assertAlmostEqual(a / b, 1, delta=0.01)  # three tetrahedra through the height, lumped masses

    def test_sides_of_a_filled_box_are_groups(self):
        scene = self.scene([{"box": {"size": [0.2, 0.05, 0.03]}}], {"of_shape": 0.02},
                           attachments=[{"name": "foot", "nodes": {"group": "x_min"}}])
        frequency = float(rows(self.ok("modes", scene), ["number", "frequency"])[0][1])
        beam = 1.8751**2 * math.sqrt(200e9 * 0.03**2 / 12 / 7870) / 0.2**2 / (2 * math.pi)
        self.assertAlmostEqual(frequency / beam, 1, delta=0.02)  # shear, and the clamp holds across too

    def test_mistakes_are_told(self):
        box = {"box": {"size": [1, 1, 1]}}
        for shapes, mesh, sentence in (
                ([], {"of_shape": 0.1}, "the body has 0 shapes"),
                ([box, box], {"of_shape": 0.1}, "the body has 2 shapes"),
                ([box], {"of_shape": {"size": 0.1, "order": 3}}, "'order' of the mesh is 3"),
                ([box], {"of_shape": 0}, "of_shape: is 0; it must be positive"),
                ([box], {"of_shape": {}}, "size")):
            self.refused("check", self.scene(shapes, mesh), contains=sentence)

    def test_without_gmsh_it_says_what_to_install(self):
        scene = self.scene([{"box": {"size": [1, 1, 0.77]}}], {"of_shape": 0.4})
        self.refused("check", scene, contains="apt install gmsh",
                     env={"CAROM_GMSH": "/no/gmsh", "CAROM_CACHE": str(self.folder / "none")})


class Check(Case):
    def test_check_tells_what_a_body_is_made_of(self):
        text = self.ok("check", SCENE)
        self.assertIn("1 of them deforms", text)
        self.assertRegex(text, r"rod +modes +21 +20 +63 +7 +296\.\d+ +94\d\d")
        self.assertNotIn("deform", self.ok("check", PENDULUM))

    def test_check_tells_which_element_sets_the_step_of_nodes(self):
        scene = self.folder / "graded.json"
        scene.write_text(json.dumps({
            "carom": 1, "time": {"end": 1e-4}, "materials": {"m": {"young": 100e9, "poisson": 0.3, "density": 4000}},
            "contact": {"method": "constraint"},
            "bodies": [{"name": "rod", "material": "m", "flexible": {
                "as": "nodes", "mesh": {"bar": {"length": 1, "count": 40, "grading": 100}}, "section": {"round": 0.01}}}]}), encoding="utf-8")
        text = self.ok("check", scene)
        self.assertRegex(text, r"rod +nodes +41 +40 +41 +41 +- +[\d.e+]+")
        self.assertIn("0 degrees of freedom and 41 of nodes", text)
        growth = 100**(1 / 39)  # the sizes are a geometric series
        first = (growth - 1) / (growth**40 - 1)
        place, apart, median = re.search(r"'rod' around \((\S+), 0, 0\) m:\n.*are (\S+) m apart; .* are (\S+) m", text).groups()
        self.assertAlmostEqual(float(place), -0.5 + 0.5 * first, delta=3 * first)  # the first ones vibrate together
        self.assertAlmostEqual(float(apart) / first, 1, delta=growth**3 - 1)
        self.assertAlmostEqual(float(median) / (first * growth**20), 1, delta=0.01)


if __name__ == "__main__":
    unittest.main()
