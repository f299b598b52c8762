"""Bodies that deform in pages: what they hold moves nodes to where result.h5 has them, fields are those of the VTK export, surfaces are
closed, and what is too fine is made coarser and counted."""
import json
import unittest

import h5py
import numpy as np

from page_data import Page, volume
from support import SOURCE, Case

UNKNOWN = 65535


def factors(shapes, q):
    return np.array([q[a] if b < 0 else (0.5 if a == b else 1.0) * q[a] * q[b] for a, b in shapes])


class FlexiblePages(Case):
    def page(self, scene, *options):
        self.ok("run", scene, "-q", "-o", "out", *options)
        return Page(self.folder / "out" / "report.html"), h5py.File(self.folder / "out" / "result.h5")

    def moved(self, page, of, frame, frames):
        """Displacements and rotations of the drawn nodes at a snapshot, or at a frame of the page for those of shapes."""
        count = of["numbers"]["count"]
        if of["shapes"] is None:
            scale = page.array(of["displacement"]["scale"])
            return page.array(of["displacement"]["values"], count, 3)[frame] * scale[frame], np.zeros((count, 3))
        s = of["shapes"]
        w = factors(page.array(s["factors"], 2), page.array(s["coordinate"]).reshape(frames, -1)[frame].astype(float))
        move = np.einsum("s,snx->nx", w, page.array(s["move"], count, 3))
        return move, np.einsum("s,snx->nx", w, page.array(s["turn"], count, 3)) if s["turn"] else np.zeros((count, 3))

    def truth(self, h5, k, frame):
        def rows(what):
            return slice(*h5[f"flexible/first_{what}"][k:k + 2].astype(int))
        X = h5["flexible/node"][rows("node")]
        m = rows("moved")
        if m.stop > m.start:
            u = np.zeros_like(X)
            flat = h5["flexible/displacement"][frame, m].reshape(len(X), -1)
            u[:, :flat.shape[1]] = flat
            return X, u
        shapes = h5["flexible/shape"][rows("shape")]
        before = int(sum((h5["flexible/first_shape"][j + 1] - h5["flexible/first_shape"][j]) *
                         (h5["flexible/first_node"][j + 1] - h5["flexible/first_node"][j]) for j in range(k)))
        basis = h5["flexible/basis"][before:before + len(shapes) * len(X)].reshape(len(shapes), len(X), 3)
        return X, np.einsum("s,snx->nx", factors(shapes, h5["flexible/coordinate"][frame, rows("coordinate")]), basis)

    def check(self, page, h5):
        run, time = page.run, list(h5["time"])
        frames = page.array(run["frames"]["time"])
        self.assertEqual([of["body"] for of in run["flexible"]], list(h5["flexible/body"]))
        for k, of in enumerate(run["flexible"]):
            numbers = page.array(of["numbers"]).astype(int)
            snapshots = page.array(of["time"])
            at = frames if of["shapes"] else snapshots
            for row in range(0, len(at), max(1, len(at) // 7)):
                X, u = self.truth(h5, k, time.index(at[row]))
                size = np.linalg.norm(np.ptp(X, 0))
                np.testing.assert_allclose(page.array(of["nodes"], 3), X[numbers], rtol=0, atol=1e-6 * size)
                moved, _ = self.moved(page, of, row, len(frames))
                np.testing.assert_allclose(moved, u[numbers], rtol=0, atol=1e-6 * size + abs(u).max() / 32767)
            for field in of["fields"]:
                values = page.array(field["values"]).reshape(len(snapshots), len(numbers))
                self.assertLessEqual(field["low"], field["high"])
                self.assertFalse((values == UNKNOWN).any(), field["name"])

    def test_shapes_and_nodes_move_as_in_the_result(self):
        for scene, options in ((SOURCE / "examples" / "scenes" / "slider-crank-flexible.json", ["-s", "record.every=1e-3"]),
                               (SOURCE / "tests" / "scenes" / "flexible" / "free_block.json", []),
                               (SOURCE / "tests" / "scenes" / "constraint_blocks.json", []),
                               (SOURCE / "tests" / "scenes" / "constraint_zone.json", ["-s", "record.every=6e-6"]),
                               (SOURCE / "tests" / "scenes" / "constraint_rods.json", ["-s", "variables.n=40"])):
            with self.subTest(scene.name):
                page, h5 = self.page(scene, *options)
                self.check(page, h5)

    def test_speed_is_that_of_the_nodes(self):
        """Two rods: their nodes move along x, at the speed of the frame and their own."""
        page, h5 = self.page(SOURCE / "tests" / "scenes" / "constraint_rods.json", "-s", "variables.n=40")
        first = h5["flexible/first_moved"][:].astype(int)
        for k, of in enumerate(page.run["flexible"]):
            rate = h5["flexible/displacement_rate"][:, first[k]:first[k + 1]]
            speed = abs(rate + h5["bodies/velocity"][:, of["body"], 0][:, None])
            field = {f["name"]: f for f in of["fields"]}["speed"]
            values = page.array(field["values"]).reshape(-1, of["numbers"]["count"])
            shown = field["low"] + values / (UNKNOWN - 1) * (field["high"] - field["low"])
            rows = [list(h5["time"]).index(t) for t in page.array(of["time"])]
            np.testing.assert_allclose(shown, speed[rows][:, page.array(of["numbers"]).astype(int)], rtol=0, atol=1e-4 * field["high"])

    def test_surfaces_are_closed_around_the_body(self):
        page, h5 = self.page(SOURCE / "tests" / "scenes" / "constraint_blocks.json")
        for k, of in enumerate(page.run["flexible"]):
            vertices = page.array(of["nodes"], 3).astype(float)[page.array(of["vertex_node"])]
            if of["vertex_offset"]:
                vertices = vertices + page.array(of["vertex_offset"], 3)
            X, _ = self.truth(h5, k, 0)
            self.assertAlmostEqual(volume(vertices, page.array(of["triangles"], 3).astype(int)) / np.prod(np.ptp(X, 0)), 1, delta=1e-5)

    def test_what_is_too_fine_is_made_coarser_and_counted(self):
        scene = json.loads(json.dumps({
            "carom": 1, "materials": {"soft": {"young": 1e7, "poisson": 0.3, "density": 1000}}, "time": {"end": 0.012},
            "contact": {"method": "constraint"}, "record": {"every": 5e-5}, "bodies": [{"name": "plate", "material": "soft", "velocity": [1, 0, 0],
            "flexible": {"as": "nodes", "thickness": 0.01, "mesh": {"strip": {"length": 1, "height": 0.7, "divisions": [120, 80]}}}}]}))
        file = self.folder / "fine.json"
        file.write_text(json.dumps(scene))
        page, h5 = self.page(file)
        self.check(page, h5)
        of, = page.run["flexible"]
        self.assertEqual(of["nodes_total"], 121 * 81)
        self.assertLessEqual(of["numbers"]["count"], 6000)
        self.assertGreater(of["numbers"]["count"], 2000)
        self.assertLess(of["time"]["count"], len(h5["time"]))
        self.assertLess((self.folder / "out" / "report.html").stat().st_size, 12e6)

    def test_bodies_that_do_not_deform_have_none(self):
        page, _ = self.page(SOURCE / "examples" / "scenes" / "pendulum.json")
        self.assertEqual(page.run["flexible"], [])


if __name__ == "__main__":
    unittest.main()
