"""Where results meet their limits: more than a table shows, names that mean two things, places that cannot be written."""
import json
import os
import shutil
import subprocess
import threading
import unittest

from support import CAROM, Case

FREE = {"carom": 1, "gravity": [0, 0, 0], "time": {"end": 0.1}, "record": {"every": 0.01}}
BALL = {"carom": 1, "gravity": [0, 0, -9.81], "time": {"end": 0.1, "preset": "fast"}, "record": {"every": 0.01},
        "contact": {"method": "compliant", "law": {"linear": {"k": 1e5}}},
        "bodies": [{"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}},
                   {"name": "ball", "mass": 0.5, "position": [0, 0, 0.051], "shape": {"sphere": 0.05}}]}


def section(text, title):
    """The lines of a part of what `carom info` prints."""
    lines = text.split("\n")
    begin = next(i for i, line in enumerate(lines) if line.startswith(title))
    end = next((i for i in range(begin + 1, len(lines)) if not lines[i]), len(lines))
    return lines[begin + 1:end]


class Edges(Case):
    def run_scene(self, scene, out="out"):
        (self.folder / f"{out}.json").write_text(json.dumps(scene))
        self.ok("run", f"{out}.json", "-q", "-o", out, "--no-report")
        return self.folder / out

    def change_summary(self, out, **values):
        file = out / "summary.json"
        file.write_text(json.dumps(dict(json.loads(file.read_text()), **values)))

    def test_bodies_called_like_the_ledger(self):
        names = ["energy", "work", "lost", "momentum", "angular_momentum"]
        out = self.run_scene(dict(FREE, bodies=[{"name": name, "shape": {"box": [0.1, 0.1, 0.1]}, "density": 1000,
                                                 "position": [i, 0, 0], "velocity": [1, 2, 3]}
                                                for i, name in enumerate(names)]))
        said = self.ok("info", out)
        for title in ("Energy", "Momentum"):
            for line in section(said, title):
                self.assertNotIn("position", line)
                self.assertNotIn("velocity", line)

    def test_counts_are_whole_numbers(self):
        out = self.run_scene(BALL)
        self.change_summary(out, contacts_max=7412)
        line, = [line for line in section(self.ok("info", out), "Joints and contact") if "points" in line]
        self.assertIn("7412", line)

    def test_events_that_were_not_recorded(self):
        out = self.run_scene(BALL)
        counts = json.loads((out / "summary.json").read_text())["events"]
        recorded = sum(counts.values())
        self.assertGreater(recorded, 0)
        self.assertIn(f"{recorded} event", self.ok("info", out))
        self.change_summary(out, events=dict(counts, impact=2000000))
        self.assertIn(f"{recorded + 2000000} events, of which the first {recorded} were recorded", self.ok("info", out))

    def test_all_signals_by_a_pattern(self):
        out = self.run_scene(dict(FREE, bodies=[{"name": "one", "mass": 1, "inertia": [1, 1, 1], "velocity": [1, 0, 0]}]))
        self.assertEqual(self.ok("export", out), self.ok("export", out, "-s", "*,one.position.x,*.y"))

    def test_up_to_the_start(self):
        out = self.run_scene(BALL)
        self.ok("export", out, "--until", "0", "-o", "start.csv")
        self.assertEqual(len((self.folder / "start.csv").read_text().splitlines()), 2)

    def test_csv_into_a_pipe(self):
        out = self.run_scene(BALL)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        read = []
        reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
        reader.start()
        self.ok("export", out, "--to", "csv", "-o", pipe)
        reader.join(20)
        self.assertEqual(read, [self.ok("export", out)])
        self.assertTrue(pipe.is_fifo())

    def test_places_that_cannot_be_written(self):
        out = self.run_scene(BALL)
        (self.folder / "taken").mkdir()
        commands = [("export", out, "--to", "csv"), ("export", out, "--to", "glb"), ("plot", out, "--y", "ball.position.z")]
        commands += [("view", out, "--no-open"), ("compare", out, out, "-q")]
        for command in commands:
            name = "nowhere/file.html" if command[0] in ("view", "compare") else "nowhere/file.svg"
            self.refused(*command, "-o", name, contains=name)
            if command[0] != "plot":
                self.refused(*command, "-o", "taken", contains="taken")
        self.assertEqual([f.name for f in (self.folder / "taken").iterdir()], [])

    def test_results_are_compared_as_they_are(self):
        out = self.run_scene(BALL)
        for option in (["--set", "time.end=1"], ["--duration", "1"], ["--threads", "2"]):
            self.refused("compare", out, out, "--no-report", *option, contains=[option[0], "--methods"])

    def test_the_result_itself_is_not_overwritten(self):
        out = self.run_scene(BALL)
        before = (out / "result.h5").read_bytes()
        os.symlink(out / "result.h5", self.folder / "link.html")
        self.refused("export", out, "-t", "csv", "-o", out / "result.h5", contains="is the result itself")
        self.refused("view", out, "-o", "link.html", contains="is the result itself")
        self.refused("view", out, "-o", "out.json", contains="ends in .html")
        self.refused("compare", out, out, "-q", "-o", out / "result.h5", contains="ends in .html")
        self.assertEqual((out / "result.h5").read_bytes(), before)

    def test_what_is_no_result_is_called_so(self):
        (self.folder / "text.h5").write_text("no result")
        self.refused("info", "text.h5", contains="no HDF5 file")

    def test_ranges_too_narrow_for_numbers(self):
        out = self.run_scene(BALL)
        for limits in ("1e-310,2e-310", "-1e-320,1e-320"):
            self.refused("plot", out, "-y", "ball.position.z", f"--ylim={limits}", "-o", "p.svg", contains="cannot be drawn")

    def test_differences_on_a_logarithmic_axis_are_magnitudes(self):
        one, two = self.run_scene(BALL), self.run_scene(dict(BALL, gravity=[0, 0, -9.0]), "two")
        done = self.carom("plot", one, two, "-y", "ball.position.z", "--diff", "--log", "y", "-o", "d.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("negative", done.stderr)
        done = self.carom("plot", two, one, "-y", "ball.position.z", "--diff", "--log", "y", "-o", "e.svg")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_pairs_of_steps_and_of_frames_do_not_stand_side_by_side(self):
        out = self.run_scene(BALL)
        shutil.copytree(out, self.folder / "killed")
        (self.folder / "killed" / "summary.json").unlink()
        self.assertIn("recorded frames only", self.ok("info", "killed"))
        self.assertNotIn("recorded frames only", self.ok("info", out))
        said = self.ok("compare", out, "killed", "--no-report")
        self.assertIn("contact in recorded frames", said)
        peak = next(line for line in said.splitlines() if "peak force" in line).split()
        self.assertEqual(peak[-1], "0")  # the same run

    def test_the_phases_are_parts_of_the_whole(self):
        out = self.run_scene(dict(BALL, record={"every": 1e-5}))
        said = json.loads((out / "summary.json").read_text())
        self.assertLessEqual(sum(said["phases"].values()), said["wall_s"])

    def test_work_ends_with_the_program(self):
        out = self.run_scene(dict(BALL, record={"every": 1e-5}))
        os.mkfifo(self.folder / "fifo")
        process = subprocess.Popen([CAROM, "export", out, "-t", "csv", "-o", "fifo"], cwd=self.folder)
        with open(self.folder / "fifo", "rb") as reader:  # its worker waits in the middle of the pipe
            self.assertTrue(reader.read(100))
            process.kill()
            process.wait()
            rest = len(reader.read())
        whole = len(self.ok("export", out, "-t", "csv"))
        self.assertLess(rest, whole // 2, "the worker went on alone")


if __name__ == "__main__":
    unittest.main()
