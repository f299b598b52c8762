"""carom compare: a result differs from itself by nothing, bodies are known by their names, one scene runs with several
methods, and what cannot be compared is refused with a sentence."""
import json
import unittest

import h5py
import numpy as np

from page_data import Page
from support import SCENES, Case, differing, summary

SCENE = {"carom": 1, "name": "two", "gravity": [0, 0, -9.81], "time": {"end": 0.2}, "record": {"every": 0.01},
         "contact": {"method": "compliant", "law": {"hunt-crossley": {"k": 1e6}}, "restitution": 0.5},
         "bodies": [
             {"name": "floor", "fixed": True, "shape": {"box": [4, 4, 0.2]}, "position": [0, 0, -0.1]},
             {"name": "ball", "density": 800, "position": [0.3, 0.2, 0.12], "velocity": [1, 0, 0],
              "angular_velocity": [0, 0, 5], "shape": {"sphere": 0.1}},
             {"name": "arm", "density": 500, "position": [0, 1, 1], "shape": {"box": [0.4, 0.1, 0.05]}}],
         "joints": [{"name": "hinge", "type": "revolute", "bodies": ["ground", "arm"], "at": [0.2, 1, 1],
                     "axis": [0, 1, 0]}]}
TOO_STIFF = dict(SCENE, time={"end": 0.2, "integrator": "runge-kutta", "tolerance": 1e-8},
                 contact={"method": "compliant", "law": {"linear": {"k": 1e90}}})


class Compare(Case):
    def run_scene(self, out, scene=None, *options):
        (self.folder / f"{out}.json").write_text(json.dumps(scene or SCENE))
        self.ok("run", f"{out}.json", "-q", "--no-report", "-o", out, *options)
        return self.folder / out

    def rows(self, *results):
        """The table of a comparison by name, from the page."""
        self.ok("compare", *results, "-q", "-o", "page.html")
        page = Page(self.folder / "page.html")
        table = {(row["group"], row["name"]): row for row in page.header["comparison"]["rows"]}
        self.assertEqual(len(table), len(page.header["comparison"]["rows"]))
        for row in table.values():
            self.assertEqual(len(row["values"]), len(results))
        return {name: row["values"] for (_, name), row in table.items()}, page


class Results(Compare):
    def test_a_result_with_itself(self):
        self.run_scene("a")
        rows, page = self.rows("a", "a/result.h5", "a/")
        self.assertGreater(len(rows), 30)
        for name, values in rows.items():
            self.assertIsNotNone(values[0], name)
            self.assertEqual(values, [values[0]] * 3, name)
        self.assertEqual(len({run["label"] for run in page.runs}), 3, "labels tell results apart")
        text = self.ok("compare", "a", "a", "--all", "--no-report")
        for line in text.splitlines():
            if len(line.split("  ")) > 3 and "quantity" not in line:
                self.assertRegex(line, r" 0 *$")

    def test_numbers_are_those_of_the_results(self):
        a, b = self.run_scene("a"), self.run_scene("b", None, "--set", "bodies.ball.density=1600")
        rows, page = self.rows(a, b)
        for k, folder in enumerate((a, b)):
            said = summary(folder, without=[])
            with h5py.File(folder / "result.h5") as h5:
                for quantity in ("position", "velocity", "angular_velocity"):
                    exact = h5[f"bodies/{quantity}"][-1, 1]
                    for c in range(3):
                        tiny = abs(exact[c]) < 1e-12 * np.linalg.norm(exact)
                        self.assertEqual(rows[f"ball.{quantity}.{'xyz'[c]}"][k], 0 if tiny else exact[c])
                self.assertEqual(rows["time at the end"][k], h5["time"][-1])
                self.assertEqual(rows["energy.kinetic"][k], h5["ledger/energy.kinetic"][-1])
                self.assertEqual(rows["largest energy.kinetic"][k], h5["ledger/energy.kinetic"][()].max())
                forces = np.linalg.norm(h5["joints/force"][:, 0], axis=1)
                self.assertAlmostEqual(rows["hinge"][k], forces.max(), delta=1e-9)
            self.assertEqual(rows["wall time"][k], said["wall_s"])
            self.assertEqual(rows["steps"][k], said["steps"])
            pair = page.runs[k]["pairs"][0]
            self.assertEqual(rows["floor, ball: peak force"][k], pair["peak_force"])
            self.assertEqual(rows["floor, ball: impulse"][k], pair["impulse"])
        self.assertEqual(rows["ball turned from the first"][0], 0)
        self.assertNotIn("floor.position.x", rows, "what is fixed needs no row")

    def test_rounding_is_no_difference(self):
        """A wheel turned about the origin stays there but for rounding, beside a weight that does not."""
        wheel = {"carom": 1, "time": {"end": 0.3}, "record": {"every": 0.1}, "bodies": [
            {"name": "wheel", "shape": {"cylinder": {"radius": 0.1, "length": 0.02}}, "density": 7800},
            {"name": "weight", "mass": 1, "inertia": [1, 1, 1], "position": [0.3, 0, 0]}],
            "joints": [{"name": "axle", "type": "revolute", "bodies": ["ground", "wheel"], "motion": {"value": "50*t"}},
                       {"name": "pin", "type": "revolute", "bodies": ["wheel", "weight"], "at": [0.05, 0, 0]}]}
        self.run_scene("a", wheel)
        wheel["joints"][0]["motion"]["value"] = "60*t"
        self.run_scene("b", wheel)
        with h5py.File(self.folder / "b" / "result.h5") as h5:
            self.assertGreater(np.abs(h5["bodies/position"][-1, 0]).max(), 0, "there is rounding")
        rows, _ = self.rows("a", "b")
        self.assertEqual([rows[f"wheel.position.{c}"] for c in "xyz"], [[0, 0]] * 3)
        self.assertNotEqual(rows["weight.position.x"][0], rows["weight.position.x"][1])

    def test_turns_are_angles(self):
        """The same ball, turned by 40 degrees about z at the end: the row says 40."""
        free = {"carom": 1, "time": {"end": 1}, "record": {"every": 0.5}, "bodies": [
            {"name": "top", "mass": 1, "inertia": [1, 1, 1]}]}
        self.run_scene("a", free)
        free["bodies"][0]["angular_velocity"] = [0, 0, np.radians(40)]
        self.run_scene("b", free)
        free["bodies"][0]["angular_velocity"] = [np.radians(200), 0, 0]
        self.run_scene("c", free)
        turned = self.rows("a", "b", "c")[0]["top turned from the first"]
        np.testing.assert_allclose(turned, [0, 40, 160], atol=1e-4)

    def test_bodies_are_matched_by_name(self):
        """The same scene with its bodies in another order is the same motion, pairs included."""
        self.run_scene("a")
        self.run_scene("b", dict(SCENE, bodies=SCENE["bodies"][::-1]))
        rows, _ = self.rows("a", "b")
        self.assertIn("floor, ball: impulse", rows)
        self.assertNotIn("ball, floor: impulse", rows)
        for name, values in rows.items():
            if name not in ("wall time", "evaluations", "worst energy error of all steps", "energy.residue",
                            "largest energy.residue"):
                self.assertIsNotNone(values[1], name)
                self.assertAlmostEqual(values[0], values[1], delta=1e-6 * max(1, abs(values[0])), msg=name)

    def test_what_one_does_not_have_is_not_known(self):
        self.run_scene("a")
        less = dict(SCENE, bodies=SCENE["bodies"][:2], joints=[])
        self.run_scene("b", less)
        rows, _ = self.rows("a", "b")
        for name in ("arm.position.x", "arm.velocity.z", "arm turned from the first", "hinge"):
            self.assertIsNotNone(rows[name][0], name)
            self.assertIsNone(rows[name][1], name)
        text = self.ok("compare", "a", "b", "-a", "--no-report")
        line = next(line for line in text.splitlines() if " hinge " in line)
        self.assertEqual(line.split()[-3:], ["-", "-", "-"])
        self.assertNotIn("arm.position.x", self.rows("b", "a")[0], "the first says what is compared")

    def test_unfinished_and_other_methods(self):
        self.run_scene("a")
        b = self.run_scene("b", None, "-m", "none")
        (b / "summary.json").unlink()
        rows, page = self.rows("a", "b")
        self.assertEqual([run["method"] for run in page.runs], ["compliant", "none"])
        self.assertIsNone(rows["steps"][1])
        self.assertIsNone(rows["floor, ball: peak force"][1])
        self.assertIsNone(page.runs[1]["summary"])
        self.assertIsNone(page.runs[1]["contacts"])
        self.assertLess(rows["ball.position.z"][1], rows["ball.position.z"][0], "nothing holds it")

    def test_a_run_that_blew_up_is_compared_as_far_as_it_came(self):
        wild = dict(SCENE, time={"end": 0.2, "integrator": "runge-kutta", "step": 0.01},
                    contact={"method": "compliant", "law": {"linear": {"k": 1e99}}})
        self.run_scene("a")
        (self.folder / "b.json").write_text(json.dumps(wild))
        self.refused("run", "b.json", "-q", "--no-report", "-o", "b", contains="faster than light", code=3)
        rows, page = self.rows("a", "b")
        self.assertRegex(page.runs[1]["summary"]["status"], "failed: .*faster than light")
        self.assertGreater(rows["ball.position.z"][1], rows["ball.position.z"][0], "it had not yet fallen as far")

    def test_pages(self):
        for name in "ab":
            self.run_scene(name)
        self.assertIn("comparison.html", self.ok("compare", "a", "b"))
        page = Page(self.folder / "comparison.html")
        self.assertEqual([run["label"] for run in page.runs], ["a", "b"])
        self.assertEqual(page.header["title"], "two")
        self.assertEqual(self.ok("compare", "a", "b", "-q", "-o", "x.html", "--title", "</script>"), "")
        self.assertEqual(Page(self.folder / "x.html").header["title"], "</script>")
        (self.folder / "comparison.html").unlink()
        self.ok("compare", "a", "b", "--no-report")
        self.assertFalse((self.folder / "comparison.html").exists())
        self.refused("compare", "a", "b", "-o", "missing/x.html", contains="missing")

    def test_eight_results(self):
        self.run_scene("a")
        _, page = self.rows(*8 * ["a"])
        self.assertEqual(len(page.runs), 8)
        self.refused("compare", *9 * ["a"], contains="8")


class Methods(Compare):
    def test_one_scene_with_several_methods(self):
        (self.folder / "scene.json").write_text(json.dumps(SCENE))
        text = self.ok("compare", "scene.json", "--methods", "none,compliant", "-o", "both")
        self.assertIn("difference", text)
        page = Page(self.folder / "both" / "comparison.html")
        self.assertEqual([(run["label"], run["method"]) for run in page.runs], [("none", "none"), ("compliant",) * 2])
        for method in ("none", "compliant"):
            self.ok("run", "scene.json", "-m", method, "-q", "-o", f"alone-{method}")
            self.assertEqual(differing(self.folder / "both" / method / "result.h5",
                                       self.folder / f"alone-{method}" / "result.h5"), [])
            self.assertEqual(Page(self.folder / "both" / method / "report.html").run["method"], method)
        rows = {row["name"]: row["values"] for row in page.header["comparison"]["rows"]}
        self.assertAlmostEqual(rows["ball.position.z"][0], 0.12 - 0.5 * 9.81 * 0.2**2, delta=1e-6)
        self.assertGreater(rows["ball.position.z"][1], 0.09)

    def test_default_folder_and_options(self):
        (self.folder / "scene.json").write_text(json.dumps(SCENE))
        said = self.ok("compare", "scene.json", "--methods=compliant,none", "-q", "-d", "0.02", "-j", "2",
                       "-s", "bodies.ball.density=1")
        self.assertEqual(said, "")
        folder = self.folder / "results" / "scene-methods"
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ["comparison.html", "compliant", "none"])
        with h5py.File(folder / "none" / "result.h5") as h5:
            self.assertEqual(h5["time"][-1], 0.02)
            self.assertAlmostEqual(h5["bodies/mass"][1], 4e-3 / 3 * np.pi, delta=1e-9)
            self.assertIn("carom compare 'scene.json'", h5["meta/command"][()].decode())

    def test_scene_with_options_of_another_method(self):
        """Options of the compliant method stand beside "none": one scene serves both."""
        contact = dict(SCENE["contact"], method="none", detection="sdf", resolution=64)
        (self.folder / "scene.json").write_text(json.dumps(dict(SCENE, contact=contact)))
        self.ok("compare", "scene.json", "--methods", "none,compliant", "-q", "-o", "both", "--no-report")
        self.assertEqual(sorted(p.name for p in (self.folder / "both").iterdir()), ["compliant", "none"])

    def test_a_method_that_gives_up_is_compared_by_what_it_reached(self):
        (self.folder / "scene.json").write_text(json.dumps(TOO_STIFF))
        done = self.carom("compare", "scene.json", "--methods", "none,compliant", "-o", "both")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("time at the end", done.stdout)
        page = Page(self.folder / "both" / "comparison.html")
        ends = next(row["values"] for row in page.header["comparison"]["rows"] if row["name"] == "time at the end")
        self.assertAlmostEqual(ends[0], 0.2)
        self.assertLess(ends[1], 0.2)

    def test_refusals(self):
        (self.folder / "scene.json").write_text(json.dumps(SCENE))
        for methods in ("none", "none,none", "none,", ",none", "", ",".join("abcdefghi"), "none,,compliant"):
            self.refused("compare", "scene.json", f"--methods={methods}", contains=["--methods", "2 to 8"])
        self.refused("compare", "scene.json", "--methods", "compliantt,none", contains=["compliantt", "compliant"])
        self.refused("compare", "scene.json", "--methods", "none,complaint", "-o", "typo", contains=["complaint", "compliant"])
        self.assertFalse((self.folder / "typo").exists(), "a run began before the mistake was found")
        self.refused("compare", "scene.json", "scene.json", "--methods", "none,compliant", contains="one scene")
        self.refused("compare", "none.json", "--methods", "none,compliant", contains="none.json")
        self.refused("compare", "-", "--methods", "none,compliant", contains="standard input")
        self.refused("compare", contains="RESULT")
        self.refused("compare", "scene.json", contains="2 to 8")
        self.refused("compare", "scene.json", "scene.json", contains="scene.json")
        self.refused("compare", SCENES, SCENES, contains="result.h5")
        self.refused("compare", "scene.json", "--methods", "none,compliant", "-d", "-1", contains="--duration")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["scene.json"], "nothing is written")


if __name__ == "__main__":
    unittest.main()
