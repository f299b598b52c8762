"""carom sdf as a shell sees it. Needs CAROM_BIN and CAROM_SOURCE_DIR."""
import math
import os
import pty
import subprocess
import unittest

from support import CAROM, Case


def write_obj(path, vertices, faces):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices] + ["f " + " ".join(map(str, f)) for f in faces]
    path.write_text("\n".join(lines) + "\n")
    return path


def box(path, x=1.0, y=1.0, z=1.0, skip=0):
    """A box about the origin; the last `skip` of its 12 triangles are left out."""
    vertices = [(sx * x / 2, sy * y / 2, sz * z / 2) for sz in (-1, 1) for sy in (-1, 1) for sx in (-1, 1)]
    quads = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
    faces = [f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))]
    return write_obj(path, vertices, faces[:len(faces) - skip])


def png_size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


class Sdf(Case):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        os.environ["CAROM_CACHE"] = str(self.cache)
        self.box = box(self.folder / "box.obj")

    def tearDown(self):
        os.environ.pop("CAROM_CACHE", None)
        super().tearDown()

    def test_help_has_an_example(self):
        text = self.ok("sdf", "--help")
        for part in ("Usage: carom sdf build|info|slice MESH", "--resolution", "Example:", "  carom sdf build"):
            self.assertIn(part, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 120)

    def test_build_says_what_was_built(self):
        for kind in ("bricks", "dense", "octree"):
            with self.subTest(kind):
                text = self.ok("sdf", "build", self.box, "--kind", kind, "--resolution", 24)
                for part in ("12 triangles", kind, "spacing", "error", "pseudonormals", "built in"):
                    self.assertIn(part, text)
                self.assertNotIn("warning", text)

    def test_second_time_comes_from_the_cache(self):
        words = ("sdf", "info", self.box, "--resolution", 24)
        self.assertNotIn("read from a file", self.ok(*words))
        self.assertIn("read from a file", self.ok(*words))
        self.assertEqual(len(list(self.cache.glob("sdf-*.bin"))), 1)
        damaged = next(self.cache.glob("sdf-*.bin"))
        damaged.write_bytes(damaged.read_bytes()[:-1])
        self.assertNotIn("read from a file", self.ok(*words))
        self.assertIn("read from a file", self.ok(*words))
        self.assertNotIn("read from a file", self.ok(*words, "--no-cache"))

    def test_a_field_can_be_kept_in_a_file(self):
        field = self.folder / "box.sdf"
        self.ok("sdf", "build", self.box, "--resolution", 24, "-o", field)
        self.assertIn("12 triangles", self.ok("sdf", "info", field))
        self.ok("sdf", "slice", field, "-o", self.folder / "kept.png")
        field.write_bytes(field.read_bytes()[:-8])
        self.refused("sdf", "info", field, contains=["box.sdf", "damaged"])
        self.refused("sdf", "build", self.box, "-r", 24, "-o", self.folder / "no" / "where.sdf", contains="where.sdf")

    def test_slices_are_pictures(self):
        for number, (axis, width) in enumerate((("x", 400), ("y", 900), ("z", 1200))):
            with self.subTest(axis):
                file = self.folder / f"{axis}.png"
                text = self.ok("sdf", "slice", self.box, "-r", 24, "--axis", axis, "--at", 0.1 * number, "--width", width,
                               "-o", file)
                self.assertIn(f"across {axis}", text)
                self.assertAlmostEqual(png_size(file)[0], width, delta=2)
        first = (self.folder / "x.png").read_bytes()
        self.ok("sdf", "slice", self.box, "-r", 24, "--axis", "x", "--width", 400, "-o", self.folder / "again.png")
        self.assertEqual(first, (self.folder / "again.png").read_bytes())
        outside = self.folder / "outside.png"
        self.ok("sdf", "slice", self.box, "-r", 24, "--at=-99", "-o", outside)
        self.assertGreater(png_size(outside)[1], 100)

    def test_a_slice_of_a_needle_and_of_a_plate(self):
        for name, size in (("needle", (0.02, 0.02, 5.0)), ("plate", (5.0, 5.0, 0.02))):
            for axis in "xyz":
                with self.subTest(name, axis=axis):
                    mesh = box(self.folder / f"{name}.obj", *size)
                    file = self.folder / f"{name}-{axis}.png"
                    self.ok("sdf", "slice", mesh, "-r", 32, "--axis", axis, "-o", file)
                    width, height = png_size(file)
                    self.assertLess(height, 2 * width)

    def test_doubts_are_said(self):
        self.assertIn("warning: the surface has holes",
                      self.ok("sdf", "info", box(self.folder / "open.obj", skip=1), "-r", 24))
        self.assertIn("thinner than a cell", self.ok("sdf", "info", box(self.folder / "thin.obj", z=1e-3), "-r", 24))
        self.assertIn("winding numbers", self.ok("sdf", "info", self.box, "-r", 24, "--sign", "winding"))

    def test_scale_changes_the_size_only(self):
        one = self.ok("sdf", "info", self.box, "-r", 24)
        small = self.ok("sdf", "info", self.box, "-r", 24, "--scale", 0.001)
        self.assertIn("volume 1 m^3", one)
        self.assertIn("volume 1e-09 m^3", small)

    def test_wrong_words_are_refused(self):
        cases = [(["sdf"], "MESH"), (["sdf", "build"], "MESH"), (["sdf", "bild", self.box], "did you mean 'build'?"),
                 (["sdf", "build", "nowhere.stl"], "nowhere.stl"), (["sdf", "build", self.box, "--kind", "cubes"], "cubes"),
                 (["sdf", "build", self.box, "--sign", "plus"], "plus"),
                 (["sdf", "build", self.box, "--resolution", "1e9"], "--resolution"),
                 (["sdf", "build", self.box, "--resolution", "24.5"], "whole"),
                 (["sdf", "build", self.box, "--resolution", "nan"], "nan"),
                 (["sdf", "build", self.box, "--resolution", 4000, "--kind", "dense"], "fits"),
                 (["sdf", "build", self.box, "--resolution", 1000000], "fits"),
                 (["sdf", "build", self.box, "--spacing", "-1"], "--spacing"),
                 (["sdf", "build", self.box, "--spacing", "1e-12"], "fits"),
                 (["sdf", "build", self.box, "--band", "1e-9"], "three cells"),
                 (["sdf", "slice", self.box, "--axis", "w"], "x, y or z"),
                 (["sdf", "slice", self.box, "--width", "3"], "--width"),
                 (["sdf", "slice", self.box, "-r", 24, "-o", "picture.bmp"], ".png"),
                 (["sdf", "slice", self.box, "-r", 24, "-o", "no/where.png"], "where.png")]
        for words, part in cases:
            with self.subTest(words):
                self.refused(*words, contains=part)

    def test_empty_and_broken_meshes_are_refused(self):
        empty = self.folder / "empty.obj"
        empty.write_text("v 0 0 0\n")
        self.refused("sdf", "build", empty, contains="empty.obj")
        broken = self.folder / "broken.stl"
        broken.write_bytes(b"solid \x00\xff" + bytes(100))
        self.refused("sdf", "build", broken, contains="broken.stl")

    def test_sphere_volume_and_threads(self):
        n = 24
        vertices = [(math.sin(t) * math.cos(u), math.sin(t) * math.sin(u), math.cos(t))
                    for t in [math.pi * (i + 1) / n for i in range(n - 1)]
                    for u in [2 * math.pi * j / n for j in range(n)]] + [(0, 0, 1), (0, 0, -1)]
        faces = []
        for j in range(n):
            k = (j + 1) % n
            faces += [(len(vertices) - 1, j + 1, k + 1), (len(vertices), (n - 2) * n + k + 1, (n - 2) * n + j + 1)]
            for i in range(n - 2):
                a, b, c, d = i * n + j + 1, i * n + k + 1, (i + 1) * n + k + 1, (i + 1) * n + j + 1
                faces += [(a, d, c), (a, c, b)]
        mesh = write_obj(self.folder / "ball.obj", vertices, faces)
        one, two = self.folder / "one.sdf", self.folder / "two.sdf"
        text = self.ok("sdf", "build", mesh, "-r", 32, "--no-cache", "-o", one)
        self.ok("sdf", "build", mesh, "-r", 32, "--no-cache", "-j", 3, "-o", two)
        self.assertNotIn("warning", text)
        a, b = one.read_bytes(), two.read_bytes()
        self.assertEqual(len(a), len(b))
        tail = len(a) * 9 // 10  # the head holds the time it took
        self.assertEqual(a[-tail:], b[-tail:])

    def test_terminals_see_that_something_is_built(self):
        leader, follower = pty.openpty()
        done = subprocess.run([CAROM, "sdf", "info", str(self.box), "-r", "24"], stderr=follower, cwd=self.folder,
                              stdout=subprocess.PIPE, check=True)
        os.close(follower)
        seen = os.read(leader, 4096)
        os.close(leader)
        self.assertIn(b"building the distance field of box.obj", seen)
        self.assertNotIn(b"building", done.stdout)


if __name__ == "__main__":
    unittest.main()
