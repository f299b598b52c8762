"""carom run --verify: the exact test of written frames, its exit code, its words, its counts in summary.json."""
import json
import subprocess
import unittest

from support import CAROM, Case, datasets, summary

FLOOR = {"name": "floor", "shape": {"plane": [0, 0, 1]}, "fixed": True}


def scene(method, height=0.2, law=None, **more):
    contact = {"method": method, **({"law": law} if law else {})}
    return {"carom": 1, "gravity": [0, 0, -9.81], "time": {"end": 0.5, "step": 0.005}, "record": {"every": 0.01},
            "contact": {**contact, **more},
            "bodies": [FLOOR, {"name": "crate", "mass": 1, "shape": {"box": [0.2, 0.2, 0.2]},
                               "position": [0, 0, height]}]}


SOFT = {"hunt-crossley": {"k": 1e4}}


class Verify(Case):
    def run_carom(self, *arguments, code=0):
        done = self.carom(*arguments)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def save(self, content, name="scene.json"):
        (self.folder / name).write_text(json.dumps(content))
        return name

    def test_penetration_is_found_named_and_saved(self):
        name = self.save(scene("compliant", law=SOFT))
        done = self.run_carom("run", name, "-o", "out", "--verify", "--no-report", code=1)
        self.assertRegex(done.stderr, r"'floor' and 'crate' intersect at t = 0\.1\d s \(plane and vertex \d\); "
                                      r"\d+ intersections found in 51 frames")
        found = summary(self.folder / "out")
        self.assertEqual(found["status"], "done")
        self.assertEqual(found["verified"]["frames"], 51)
        self.assertGreaterEqual(found["verified"]["pairs"], 51)
        self.assertGreaterEqual(found["verified"]["intersections"], 2)
        self.assertEqual(found["verified"]["bodies"], ["floor", "crate"])
        self.assertIn(found["verified"]["text"], done.stderr)
        z = datasets(self.folder / "out/result.h5")["bodies/position"][:, 1, 2]
        t = datasets(self.folder / "out/result.h5")["time"]
        self.assertEqual(found["verified"]["intersections"], int((z <= 0.1).sum()))
        self.assertEqual(found["verified"]["first_at"], float(t[z <= 0.1][0]))

    def test_barrier_has_none(self):
        name = self.save(scene("barrier"))
        done = self.run_carom("run", name, "-o", "out", "--verify", "--no-report")
        self.assertRegex(done.stdout, r"verified: no intersection in 51 frames \(51 pairs of shapes tested in ")
        self.assertEqual(summary(self.folder / "out")["verified"], {"frames": 51, "pairs": 51, "intersections": 0})
        quiet = self.run_carom("run", name, "-o", "quiet", "--verify", "--no-report", "--quiet")
        self.assertNotIn("verified", quiet.stdout)
        self.run_carom("run", name, "-o", "plain", "--no-report")
        self.assertNotIn("verified", summary(self.folder / "plain"))

    def test_a_refused_scene_verifies_nothing(self):
        done = self.run_carom("run", self.save(scene("barrier", height=0.05)), "-o", "out", "--verify", code=2)
        self.assertIn("'floor' and 'crate' intersect at the start", done.stderr)
        self.assertNotIn("verified", done.stdout)

    def test_one_frame_is_one_frame(self):
        content = scene("barrier")
        content["bodies"][1]["shape"] = {"box": [0.2, 0.2, 0.2]}
        content["forces"] = [{"name": "push", "type": "load", "body": "crate", "force": ["1/(t-0.005)", 0, 0]}]
        done = self.run_carom("run", self.save(content), "-o", "out", "--verify", "--no-report", code=3)
        self.assertIn("verified: no intersection in 1 frame (1 pair of shapes tested in ", done.stdout)

    def test_what_may_not_touch_is_not_tested(self):
        name = self.save(scene("compliant", law=SOFT, pairs=[{"between": ["floor", "crate"], "ignore": True}]))
        self.run_carom("run", name, "-o", "out", "--verify", "--no-report")
        self.assertEqual(summary(self.folder / "out")["verified"], {"frames": 51, "pairs": 0, "intersections": 0})

    def test_resume_tests_earlier_frames_too(self):
        name = self.save(scene("compliant", law=SOFT))
        self.run_carom("run", name, "-o", "whole", "--verify", "--no-report", "--quiet", code=1)
        self.run_carom("run", name, "-o", "out", "--no-report", "--duration", "0.25")
        done = self.run_carom("resume", "out", "--duration", "0.5", "--verify", "--no-report", code=1)
        self.assertIn("'floor' and 'crate' intersect at t = 0.1", done.stderr)
        self.assertEqual(summary(self.folder / "out")["verified"], summary(self.folder / "whole")["verified"])

    def test_a_swallowed_body_is_found(self):
        content = scene("none")
        content["contact"] = {"method": "compliant", "law": SOFT}
        content["gravity"] = [0, 0, 0]
        content["bodies"] = [{"name": "shell", "fixed": True, "shape": {"box": [2, 2, 2]}},
                             {"name": "pea", "mass": 1, "shape": {"sphere": 0.01}}]
        done = self.run_carom("run", self.save(content), "-o", "out", "--verify", "--no-report", "--duration", "1e-6",
                              code=1)
        self.assertIn("'pea' is inside 'shell' at t = 0 s", done.stderr)

    def test_compare_takes_it_too(self):
        name = self.save(scene("barrier", law=SOFT))
        done = self.run_carom("compare", name, "--methods", "barrier,compliant", "-o", "both", "--verify", "--no-report",
                              code=1)
        self.assertIn("'floor' and 'crate' intersect", done.stderr)
        self.assertIn("verified: no intersection in 51 frames", done.stdout)
        self.assertEqual(summary(self.folder / "both/barrier")["verified"]["intersections"], 0)
        wrong = self.run_carom("compare", "both/barrier", "both/compliant", "--verify", code=2)
        self.assertIn("option '--verify' is for runs", wrong.stderr)

    def test_an_intersection_stands_after_the_run_that_has_it(self):
        name = self.save(scene("barrier", law=SOFT))
        told = subprocess.run([CAROM, "compare", name, "--methods", "barrier,compliant", "-o", "both", "--verify",
                               "--no-report"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True).stdout
        self.assertLess(told.index("run 2 of 2: compliant"), told.index("'floor' and 'crate' intersect"))


if __name__ == "__main__":
    unittest.main()
