"""bench/peers: the measure that engines are held to sees overlaps of known depth, rings that are torn off, things that pass through;
every scene starts without any of it, and its convex parts fill its surface."""
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ.get("CAROM_SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PEERS = os.path.join(ROOT, "bench", "peers")
sys.dont_write_bytecode = True
sys.path.insert(0, PEERS)
import barrier_scenes as scenes  # noqa: E402

STILL = [0.0, 0.0, 0.0]


def start(scene):
    return [b["position"] + b["orientation"] + b["velocity"] for b in scene.bodies]


class Measure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        compiler = shutil.which(os.environ.get("CXX", "g++"))
        if not compiler:
            raise unittest.SkipTest("no C++ compiler")
        cls.folder = tempfile.mkdtemp()
        cls.program = os.path.join(cls.folder, "measure")
        subprocess.run([compiler, "-std=c++17", "-O1", os.path.join(PEERS, "barrier_measure.cpp"), "-o", cls.program], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def measure(self, scene, *frames):
        """Depth and outcome of frames, each a row of numbers per body."""
        scene.write(self.folder, "scene")
        with open(os.path.join(self.folder, "poses"), "w") as out:
            for k, frame in enumerate(frames):
                out.write("frame %g\n" % (scene.step * (k + 1)))
                out.writelines(" ".join("%.17g" % x for x in row) + "\n" for row in frame)
        words = subprocess.run([self.program, os.path.join(self.folder, "scene.txt"), os.path.join(self.folder, "poses")], check=True,
                               capture_output=True, text=True).stdout.split()
        return float(words[1]), words[-1]

    def pair(self, first, second, at, turned=scenes.NO_TURN):
        s = scenes.Scene(1.0)
        s.add("first", first, [0.0, 0.0, 0.0], fixed=True, of_origin=False)
        s.add("second", second, at, turned, of_origin=False)
        return self.measure(s, start(s))[0]

    def test_boxes(self):
        cube = scenes.box(1.0, 1.0, 1.0)
        self.assertEqual(self.pair(cube, cube, [0.0, 0.0, 1.001]), 0.0)
        self.assertAlmostEqual(self.pair(cube, cube, [0.3, 0.2, 0.9]), 0.1)
        # Edge against edge: two cubes on their edges, crosswise.
        s = scenes.Scene(1.0)
        half = math.sqrt(0.5)
        s.add("low", cube, [0.0, 0.0, 0.0], scenes.turn(scenes.X, math.pi / 4), fixed=True)
        s.add("high", cube, [0.0, 0.0, 2 * half - 0.02], scenes.turn(scenes.Y, math.pi / 4))
        self.assertAlmostEqual(self.measure(s, start(s))[0], 0.02, places=6)

    def test_spheres(self):
        ball, cube = scenes.Sphere(0.5), scenes.box(1.0, 1.0, 1.0)
        self.assertAlmostEqual(self.pair(ball, ball, [0.6, 0.0, 0.7]), 1.0 - math.hypot(0.6, 0.7), places=3)
        self.assertAlmostEqual(self.pair(cube, ball, [0.0, 0.1, 0.93]), 0.07)
        self.assertAlmostEqual(self.pair(cube, ball, [0.0, 0.0, 0.4]), 0.6)  # its centre is inside
        corner = 0.5 + 0.49 / math.sqrt(3)
        self.assertAlmostEqual(self.pair(cube, ball, [corner] * 3), 0.01, places=6)

    def test_rings(self):
        s = scenes.chain(rings=3)
        frame = start(s)
        self.assertEqual(self.measure(s, frame), (0.0, "all-linked"))
        frame[2][0] += 1.5
        self.assertEqual(self.measure(s, frame)[1], "ring2-torn-off-at-0.01-s")

    def test_passing_through(self):
        s = scenes.plate()
        frame = start(s)
        frame[1][2] = -0.2
        self.assertEqual(self.measure(s, frame)[1], "cube-passes-through-at-0.01-s")

    def test_explosion(self):
        s = scenes.stack()
        frame = start(s)
        self.assertTrue(self.measure(s, frame)[1].startswith("stands"))
        frame[3][7] = 100.0
        self.assertTrue(self.measure(s, frame)[1].startswith("explodes"))
        frame[3][7] = math.nan
        self.assertTrue(self.measure(s, frame)[1].startswith("explodes"))

    def test_every_scene_starts_free(self):
        for name, make in scenes.SCENES.items():
            s = make()
            self.assertEqual(self.measure(s, start(s))[0], 0.0, name)

    def test_parts_fill_the_surface(self):
        for name, make in scenes.SCENES.items():
            for shape in {id(b["shape"]): b["shape"] for b in make().bodies}.values():
                if shape.parts:
                    volume = sum(scenes.volume_moments(*part)[0] for part in shape.parts)
                    self.assertAlmostEqual(volume / shape.volume, 1.0, places=9, msg=name)


if __name__ == "__main__":
    unittest.main()
