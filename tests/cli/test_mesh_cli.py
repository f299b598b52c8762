"""carom mesh as a shell sees it. Needs CAROM_BIN and CAROM_SOURCE_DIR."""
import math
import os
import re
import subprocess
import unittest

from support import CAROM, SOURCE, Case


def box_obj(path, faces=12):
    """The unit cube with its last triangles left out."""
    vertices = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    quads = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
    triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))][:faces]
    path.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in vertices) +
                    "".join(f"f {a} {b} {c}\n" for a, b, c in triangles))
    return path


class Mesh(Case):
    def value(self, text, name):
        """The value in the row of a table."""
        found = re.search(rf"(?m)^  {re.escape(name)} {{2,}}(.*)$", text)
        self.assertTrue(found, f"no row '{name}' in\n{text}")
        return found.group(1).strip()

    def test_cuts_are_counted_up_to_a_bound(self):
        """Triangles that all cross on one line: every pair cuts."""
        for count, told in ((447, "99681"), (448, "more than 100000"), (4000, "more than 100000")):
            lines = []
            for k in range(count):
                c, s = math.cos(math.pi * k / count), math.sin(math.pi * k / count)
                lines += [f"v {x * c:.17g} {x * s:.17g} {z}" for x, z in ((-1, -1), (1, -1), (0.5, 1))]
                lines.append("f -3 -2 -1")
            (self.folder / "fan.obj").write_text("\n".join(lines) + "\n")
            text = self.ok("mesh", "info", "fan.obj")
            self.assertTrue(self.value(text, "self-intersections").startswith(told + " "), text)

    def test_help(self):
        self.assertEqual(self.ok("mesh", "--help"), self.ok("help", "mesh"))
        for part in ("info", "repair", "refine", "make", ("make", "gear"), ("make", "statue")):
            words = (part,) if isinstance(part, str) else part
            with self.subTest(words):
                text = self.ok("mesh", *words, "--help")
                for expected in (f"Usage: carom mesh {' '.join(words)}", "Options:", "--help", "Example:"):
                    self.assertIn(expected, text)
                self.assertLessEqual(max(map(len, text.splitlines())), 160)

    def test_info_of_a_good_mesh(self):
        text = self.ok("mesh", "info", box_obj(self.folder / "box.obj"), "--scale", "2")
        for name, expected in (("triangles", "12"), ("vertices", "8"), ("bounds a solid", "yes"), ("volume", "8"),
                               ("area", "24"), ("low", "0, 0, 0"), ("high", "2, 2, 2"), ("centre", "1, 1, 1"),
                               ("handles", "0"), ("inertia xy, xz, yz", "0, 0, 0")):
            self.assertEqual(self.value(text, name), expected)
        inertia = [float(x) for x in self.value(text, "inertia xx, yy, zz").split(", ")]
        for entry in inertia:
            self.assertAlmostEqual(entry, 8 * (4 + 4) / 12, places=6)
        self.assertIn("No defects.", text)

    def test_info_of_a_broken_mesh_says_what_and_where(self):
        text = self.ok("mesh", "info", box_obj(self.folder / "open.obj", faces=10))
        self.assertEqual(self.value(text, "bounds a solid"), "no: not closed")
        self.assertRegex(text, r"open edges +4 +\(")
        self.assertRegex(text, r"holes +1 +\(1, 0.5, 0.5\)")

    def test_repair_closes_and_says_so(self):
        broken = box_obj(self.folder / "open.obj", faces=10)
        done = self.carom("mesh", "repair", broken, "still.ply")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("holes", done.stdout)
        text = self.ok("mesh", "repair", broken, "whole.ply", "--fill", "8")
        self.assertIn("closed 1 hole with 2 triangles", text)
        self.assertIn("assumed", text)
        self.assertEqual(self.value(self.ok("mesh", "info", "whole.ply"), "volume"), "1")

    def test_refine(self):
        box = box_obj(self.folder / "box.obj")
        self.ok("mesh", "refine", box, "fine.stl", "--triangles", "1000")
        text = self.ok("mesh", "info", "fine.stl")
        self.assertEqual((self.value(text, "triangles"), self.value(text, "vertices")), ("1000", "502"))
        self.ok("mesh", "refine", box, "short.ply", "--edge", "0.2", "--text")
        self.assertLessEqual(float(self.value(self.ok("mesh", "info", "short.ply"), "longest edge")), 0.2)
        self.refused("mesh", "refine", box, "x.ply", "--triangles", "1001", contains="1000 and 1002")
        self.refused("mesh", "refine", box, "x.ply", contains="either --triangles N or --edge")
        self.refused("mesh", "refine", box, "x.ply", "--triangles", "20", "--edge", "1", contains="either")
        self.refused("mesh", "refine", box, "x.ply", "--triangles", "20.5", contains="whole")
        self.assertFalse((self.folder / "x.ply").exists())

    def test_make_lists_kinds_and_makes_each(self):
        listing = self.ok("mesh", "make")
        kinds = [k for k in re.findall(r"(?m)^  ([a-z][a-z-]*) ", listing) if k not in ("kind", "statue")]
        for expected in ("box", "sphere", "gear", "bolt", "nut", "chain-link", "docking-ring", "docking-catch"):
            self.assertIn(expected, kinds)
        for kind in kinds:
            with self.subTest(kind):
                self.ok("mesh", "make", kind, f"{kind}.ply")
                text = self.ok("mesh", "info", f"{kind}.ply")
                self.assertEqual(self.value(text, "bounds a solid"), "yes")

    def test_make_takes_the_options_of_the_kind(self):
        self.ok("mesh", "make", "box", "b.obj", "--size", "1,2,3")
        self.assertEqual(self.value(self.ok("mesh", "info", "b.obj"), "volume"), "6")
        self.ok("mesh", "make", "gear", "g.stl", "--teeth", "12", "--pressure-angle=25", "--bore", "0")
        self.assertEqual(self.value(self.ok("mesh", "info", "g.stl"), "handles"), "0")
        self.refused("mesh", "make", "gear", "g.stl", "--teeth", "2", contains="teeth is 2")
        self.refused("mesh", "make", "gear", "g.stl", "--teeth", "many", contains=["--teeth", "many"])
        self.refused("mesh", "make", "gear", "g.stl", "--radius", "1", contains="--radius")
        self.refused("mesh", "make", "box", "b.obj", "--size", "1,2", contains="three numbers")
        self.refused("mesh", "make", "geer", "g.stl", contains="did you mean 'gear'?")
        self.refused("mesh", "make", "gear", contains="file to write")
        self.refused("mesh", "make", "gear", "g.step", contains=".stl, .obj or .ply")

    def test_wrong_words_are_refused(self):
        self.refused("mesh", contains="info, repair, refine or make")
        self.refused("mesh", "refin", contains="did you mean 'refine'?")
        self.refused("mesh", "info", contains="FILE")
        self.refused("mesh", "info", "nowhere.stl", contains="nowhere.stl")
        self.refused("mesh", "repair", "one.stl", contains="IN OUT")
        (self.folder / "text.xyz").write_text("hello\n")
        self.refused("mesh", "info", "text.xyz", contains="not STL, OBJ or PLY")
        (self.folder / "cut.stl").write_bytes(b"\0" * 80 + b"\x05\0\0\0" + b"\0" * 100)
        self.refused("mesh", "info", "cut.stl", contains="cut.stl")
        box = box_obj(self.folder / "box.obj")
        self.refused("mesh", "repair", box, "no/folder.stl", contains="no/folder.stl")
        self.refused("mesh", "repair", box, "x.stl", "--weld", "10", contains="welding")
        self.refused("mesh", "repair", box, "x.stl", "--fill", "1.5", contains="whole")

    def test_a_full_disk_is_no_bad_input(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        (self.folder / "full.stl").symlink_to("/dev/full")
        self.refused("mesh", "make", "box", "full.stl", code=3, contains="full.stl")

    def test_other_formats_or_a_word_about_them(self):
        (self.folder / "quad.off").write_text("OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n")
        if "without Assimp" not in self.ok("--version"):
            text = self.ok("mesh", "info", "quad.off")
            self.assertEqual((self.value(text, "triangles"), self.value(text, "area")), ("2", "1"))
        else:
            self.refused("mesh", "info", "quad.off", contains="without Assimp")

    def test_completion(self):
        script = SOURCE / "completions" / "carom.bash"

        def complete(*words):
            line = f'source "{script}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); ' \
                   f'_carom "{CAROM}" "${{@: -1}}" "${{@: -2:1}}"; printf "%s\\n" "${{COMPREPLY[@]}}"'
            done = subprocess.run(["bash", "-c", line, "bash", *words], cwd=self.folder, capture_output=True,
                                  text=True, check=True)
            return done.stdout.split()

        self.assertEqual(complete("carom", "mes"), ["mesh"])
        self.assertEqual(complete("carom", "mesh", "re"), ["repair", "refine"])
        self.assertEqual(complete("carom", "mesh", "make", "docking-l"), ["docking-latch"])
        self.assertEqual(complete("carom", "mesh", "make", "gear", "g.stl", "--te"), ["--teeth", "--text"])
        self.assertEqual(complete("carom", "mesh", "refine", "--tri"), ["--triangles"])
        box_obj(self.folder / "box.obj")
        self.assertEqual(complete("carom", "mesh", "info", "bo"), ["box.obj"])


if __name__ == "__main__":
    unittest.main()
