"""carom sweep: the same table whatever happened, rows that are not done, studies that are refused. Needs CAROM_BIN and CAROM_SOURCE_DIR."""
import csv
import fcntl
import json
import math
import os
import random
import signal
import subprocess
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

import page_data

from support import CAROM, SOURCE, Case, carom, patience, wait_until

SCENE = {
    "carom": 1, "gravity": [0, 0, -9.81], "time": {"end": 0.1}, "variables": {"e": 0.8, "l": 0.8},
    "contact": {"method": "impact", "restitution": "$e"},
    "bodies": [
        {"name": "wall", "fixed": True, "shape": {"box": [0.1, 0.4, 0.5]}, "position": [0.13, 0, -0.8]},
        {"name": "ball", "mass": 3, "shape": {"sphere": 0.06}, "position": [0, 0, "-$l"], "velocity": [1, 0, 0],
         "angular_velocity": [0, "-1/$l", 0]}],
    "joints": [{"name": "hinge", "type": "revolute", "bodies": ["ground", "ball"], "axis": [0, 1, 0]}]}
STUDY = {
    "carom-study": 1, "name": "wall", "scene": "wall.json", "sampling": {"random": {"runs": 60, "seed": 7}}, "every": 0.01,
    "vary": {"variables.e": {"uniform": [0.2, 0.9]}, "bodies.ball.mass": {"normal": [3, 0.1], "within": [2, 4]}},
    "measures": {"pull": {"max": "hinge.force"}, "end": {"final": "hinge.angle"}, "ratio": "pull / mass"}}


class Study(Case):
    def setUp(self):
        super().setUp()
        self.write("wall.json", SCENE)

    def write(self, name, content):
        (self.folder / name).write_text(json.dumps(content))

    def study(self, **changes):
        self.write("study.json", {**STUDY, **changes})

    def sweep(self, *arguments, code=0, file="study.json"):
        done = carom("sweep", file, *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def rows(self, folder):
        with open(self.folder / folder / "table.csv", newline="") as f:
            return list(csv.DictReader(f))

    def bytes(self, folder):
        return (self.folder / folder / "table.csv").read_bytes(), (self.folder / folder / "study.h5").read_bytes()


class Mpi(Study):
    """Ranks of a job make the table that one process makes, also when they are killed."""
    PROGRAM = Path(CAROM).parent / "carom-mpi"
    # Open MPI keeps memory of modules that it unloads, which no suppression can name; leaks of sweeps are found by the tests of `carom sweep`.
    ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}

    def job(self, ranks, *arguments):
        return ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks), self.PROGRAM, *map(str, arguments)]

    def run_job(self, ranks, *arguments, code=0):
        done = subprocess.run(self.job(ranks, *arguments), cwd=self.folder, env=self.ENVIRONMENT, capture_output=True, text=True,
                              check=False, timeout=patience(240))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def setUp(self):
        super().setUp()
        if not self.PROGRAM.exists():
            self.skipTest("built without MPI")

    def test_ranks_make_the_same_table(self):
        self.study()
        self.sweep("-o", "one", "-j", 1)
        for ranks, threads in ((1, 1), (2, 1), (3, 1), (2, 3)):
            folder = f"ranks{ranks}x{threads}"
            said = self.run_job(ranks, "sweep", "study.json", "-o", folder, "-j", threads).stdout
            self.assertIn(f"60 runs of 2 variables on {ranks} ranks", said)
            self.assertIn("60 good", said)
            self.assertEqual(self.bytes("one"), self.bytes(folder))
        self.run_job(2, "sweep", "ranks2x1", "-q")  # all there: nothing to do
        self.sweep("-q", file="ranks2x1")
        self.assertEqual(self.bytes("one"), self.bytes("ranks2x1"))

    def test_killed_and_resumed(self):
        """Some processes of the job are killed: all end, rows stay, and the same command goes on."""
        self.study(sampling={"random": {"runs": 2000, "seed": 3}})
        self.sweep("-o", "whole", "-q")
        chance = random.Random(4)
        for _ in range(4):
            process = subprocess.Popen(self.job(3, "sweep", "study.json", "-o", "killed", "-j", 1, "-q"), cwd=self.folder,
                                       env=self.ENVIRONMENT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.5, 1.2))
            process.send_signal(signal.SIGKILL if chance.random() < 0.5 else signal.SIGTERM)
            process.wait()
            self.assertTrue(wait_until(lambda: not self.is_locked("killed"), 20))
        self.run_job(3, "sweep", "study.json", "-o", "killed", "-j", 1, "-q")
        self.assertEqual(self.bytes("whole"), self.bytes("killed"))
        lines = (self.folder / "killed" / "journal.csv").read_text().splitlines()[1:]
        self.assertEqual(len({line.split(",")[0] for line in lines}), len(lines))

    def is_locked(self, folder):
        journal = self.folder / folder / "journal.csv"
        if not journal.exists():
            return False
        with open(journal) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def test_what_cannot_be_done_is_told(self):
        self.assertIn("Usage: mpirun carom-mpi sweep", self.run_job(2, code=2).stderr)
        self.assertIn("Usage: mpirun carom-mpi sweep", self.run_job(1, "--help").stdout)
        self.assertIn("missing.json", self.run_job(2, "sweep", "missing.json", code=2).stderr)


class Same(Study):
    """Workers, parts, kills and resumptions leave no trace in the table."""

    def test_workers_and_parts(self):
        self.study()
        self.sweep("-o", "one", "-j", 1)
        for workers in (2, 4):
            self.sweep("-o", f"workers{workers}", "-j", workers)
            self.assertEqual(self.bytes("one"), self.bytes(f"workers{workers}"))
        for part in (3, 1, 4, 2):
            self.sweep("-o", "parts", "--part", f"{part}/4", "-q")
            self.assertFalse((self.folder / "parts" / "table.csv").exists())
        self.sweep("-o", "parts")
        self.assertEqual(self.bytes("one"), self.bytes("parts"))
        self.sweep("-q", file="one")  # all there: nothing to do
        self.assertEqual(self.bytes("one"), self.bytes("parts"))

    def test_killed_ten_times(self):
        self.study(sampling={"random": {"runs": 400, "seed": 3}})
        self.sweep("-o", "whole", "-q")
        chance = random.Random(5)
        for _ in range(10):
            process = subprocess.Popen([CAROM, "sweep", "study.json", "-o", "killed", "-j", "2", "-q"], cwd=self.folder)
            time.sleep(chance.uniform(0.02, 0.25))
            process.send_signal(signal.SIGKILL)
            process.wait()
            time.sleep(0.05)  # its child goes with it
        self.sweep("-o", "killed", "-q")
        self.assertEqual(self.bytes("whole"), self.bytes("killed"))
        lines = (self.folder / "killed" / "journal.csv").read_text().splitlines()[1:]
        self.assertEqual(len(lines), 400)
        self.assertEqual(len({line.split(",")[0] for line in lines}), 400)

    def test_torn_line_is_done_again(self):
        self.study()
        self.sweep("-o", "whole", "-q")
        self.sweep("-o", "torn", "-q")
        journal = self.folder / "torn" / "journal.csv"
        content = journal.read_bytes()
        for cut in (1, 30, 200):
            journal.write_bytes(content[:-cut])
            done = self.sweep("-o", "torn")
            self.assertIn("60 good", done.stdout)
            self.assertEqual(self.bytes("whole"), self.bytes("torn"))
        middle = len(content) // 2
        journal.write_bytes(content[:middle] + b"7" + content[middle + 1:])
        self.assertIn("1 torn line", self.sweep("-o", "torn").stdout)
        self.assertEqual(self.bytes("whole"), self.bytes("torn"))

    def test_more_runs_keep_the_first(self):
        for sampling in ({"random": {"runs": 16}}, {"sobol": {"runs": 16}}, {"indices": {"runs": 4}}):
            self.study(sampling=sampling)
            kind = next(iter(sampling))
            self.sweep("-o", kind, "-q")
            before = self.rows(kind)
            self.sweep("--runs", 32, "-q", file=kind)
            after = self.rows(kind)
            self.assertEqual((len(before), len(after)), (16, 32))
            self.assertEqual(before, after[:16])
        for sampling in ({"latin-hypercube": {"runs": 16}}, {"list": "list.csv"}):
            (self.folder / "list.csv").write_text("variables.e,bodies.ball.mass\n0.5,3\n")
            self.study(sampling=sampling, **({"vary": {}} if "list" in sampling else {}))
            self.assertIn("cannot be changed", self.sweep("-o", "x", "--runs", 32, code=2).stderr)


class Rows(Study):
    def test_reasons(self):
        self.study(sampling={"list": "list.csv"}, vary={}, limit={"steps": 300}, every=0.001)
        (self.folder / "list.csv").write_text(
            "variables.e,bodies.ball.mass,time.end\n0.5,3,0.1\n0.5,-3,0.1\n0.5,3,20\n1.5,3,0.1\n")
        done = self.sweep("-o", "r")
        rows = self.rows("r")
        self.assertEqual([row["status"] for row in rows], ["done", "failed", "limit", "failed"])
        self.assertIn("mass", rows[1]["reason"])
        self.assertIn("more than 300 steps", rows[2]["reason"])
        self.assertEqual(rows[1]["pull [N]"], "")
        for part in ("4 runs, 1 good", "2 failed", "1 limit"):
            self.assertIn(part, done.stdout)

    def test_start_inside_is_doubtful(self):
        scene = {**SCENE, "contact": {"method": "compliant", "law": {"linear": {"k": 1e5}}}, "variables": {"gap": 0.01},
                 "bodies": [{"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}},
                            {"name": "ball", "mass": 1, "shape": {"sphere": 0.05}, "position": [0, 0, "0.05 + $gap"]}], "joints": []}
        self.write("wall.json", scene)
        self.study(sampling={"grid": {}}, vary={"variables.gap": {"levels": [0.01, -0.002, -1e-6]}},
                   measures={"z": {"final": "ball.position.z"}}, accept={"overlap": 1e-5, "warnings": True})
        self.sweep("-o", "r")
        rows = self.rows("r")
        self.assertEqual([row["status"] for row in rows], ["done", "doubtful", "done"])
        self.assertIn("0.002 m inside", rows[1]["reason"])
        self.assertNotEqual(rows[1]["z [m]"], "")

    def test_measures(self):
        self.study(sampling={"grid": {}}, vary={"variables.e": {"uniform": [0.2, 0.8], "points": 4}},
                   measures={"half": "2 * low", "low": {"min": "ball.position.x"}, "mean": {"mean": "ball.velocity.x"},
                             "x": {"final": "ball.position.x"}, "e2": "variables.e * variables.e"})
        self.sweep("-o", "r")
        for row, e in zip(self.rows("r"), (0.2, 0.4, 0.6, 0.8)):
            self.assertAlmostEqual(float(row["variables.e"]), e, delta=1e-15)
            self.assertAlmostEqual(float(row["e2"]), e * e, delta=1e-15)
            self.assertEqual(float(row["half"]), 2 * float(row["low [m]"]))
            # the mean velocity is the way over the time, but for the trapezoids at the impact: one interval of ten
            self.assertAlmostEqual(float(row["mean [m/s]"]), float(row["x [m]"]) / 0.1, delta=2 / 10)

    def test_what_all_runs_have_otherwise(self):
        self.write("moon.json", {**SCENE, "gravity": [0, 0, -1.6]})
        self.study(scene="moon.json")
        self.sweep("-o", "moon", "-q")
        self.study(set=["gravity=[0, 0, -1.6]"])
        self.sweep("-o", "set", "-q")
        self.assertEqual(self.bytes("moon")[0], self.bytes("set")[0])
        self.sweep("--run", 3, "-o", "run3")
        self.assertIn("set gravity=[0, 0, -1.6]", (self.folder / "run3" / "run.txt").read_text())
        self.study()
        self.assertIn("study.set", self.sweep("-o", "set", code=2).stderr)

    def test_a_long_reason_is_cut_between_words(self):
        self.study(set=["bodies.wall.shape={\"box\": [1, 1, \"no such number as this one\"]}"])
        said = self.sweep("-o", "cut").stdout
        reason = self.rows("cut")[0]["reason"]
        shown = said.split("60 failed (")[1].split(" ...)")[0]
        self.assertGreater(len(reason), 100, reason)
        self.assertTrue(reason.startswith(shown + " "), said)

    def test_events(self):
        """A ball falls 0.1 m from rest: when it has, when that has lasted 20 ms, and never."""
        self.write("wall.json", {"carom": 1, "gravity": [0, 0, -9.81], "time": {"end": 0.5}, "variables": {"g": 9.81},
                                 "bodies": [{"name": "ball", "mass": 1, "shape": {"sphere": 0.05}}]})
        self.study(sampling={"grid": {}}, vary={"bodies.ball.mass": {"levels": [1, 2]}},
                   events={"down": "ball.position.z < -0.1", "later": {"when": "ball.position.z < -0.1", "hold": 0.02, "stop": True},
                           "never": {"when": "ball.position.z > 1", "stop": True},
                           "brief": {"when": "ball.position.z < -0.05 && ball.position.z > -0.06", "hold": 0.02}},  # for 9.6 ms
                   measures={"down": {"event": "down"}, "at": {"time_of": "down"}, "later": {"time_of": "later"},
                             "never": {"event": "never"}, "brief": {"event": "brief"}, "no_time": {"time_of": "never"}, "z": {"final": "ball.position.z"}})
        said = self.sweep("-o", "r").stdout
        fall = (2 * 0.1 / 9.81) ** 0.5
        for row in self.rows("r"):
            self.assertEqual((row["status"], row["down"], row["never"], row["brief"], row["no_time [s]"]), ("done", "1", "0", "0", ""))
            self.assertAlmostEqual(float(row["at [s]"]), fall, delta=1e-9)
            self.assertAlmostEqual(float(row["later [s]"]), fall + 0.02, delta=1e-9)
            self.assertAlmostEqual(float(row["z [m]"]), -9.81 / 2 * (fall + 0.02) ** 2, delta=1e-8)
        self.assertIn("down  2 of 2", said)
        self.study(events={"down": "ball.position.z < -0.1"}, vary={"bodies.ball.mass": {"levels": [1]}}, measures={"x": {"event": "dwon"}})
        self.assertIn("has an event 'dwon' (did you mean 'down'?)", self.sweep("-o", "x", code=2).stderr)
        self.study(events={"down": "ball.position.zz < 1"}, vary={"bodies.ball.mass": {"levels": [1]}}, measures={"x": {"event": "down"}})
        self.assertIn("ball.position.zz", self.sweep("-o", "x", code=2).stderr)

    def test_a_run_that_ends_its_process(self):
        """The first run is endless; whoever works on it is killed twice. The others are done all the same."""
        self.study(sampling={"list": "list.csv"}, vary={}, every=0.01, measures={"x": {"final": "ball.position.x"}})
        (self.folder / "list.csv").write_text("time.end,bodies.ball.mass\n1e7,1\n" + "0.1,2\n0.1,3\n")
        process = subprocess.Popen([CAROM, "sweep", "study.json", "-o", "r", "-j", "1"], cwd=self.folder, stderr=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        begun = lambda: Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        last = None
        for _ in range(2):
            self.assertTrue(wait_until(lambda: begun() and begun() != last, 20))
            last = begun()
            time.sleep(1.5)
            os.kill(int(last[0]), signal.SIGABRT)
        said = process.communicate(timeout=patience(30))
        self.assertEqual(process.returncode, 0, said)
        rows = self.rows("r")
        self.assertEqual([row["status"] for row in rows], ["crashed", "done", "done"])
        self.assertIn("aborted", rows[0]["reason"])
        self.assertIn("1 crashed", said[0])

    def test_tables_agree(self):
        self.study()
        self.sweep("-o", "r", "-q")
        rows = self.rows("r")
        with h5py.File(self.folder / "r" / "study.h5") as h5:
            self.assertEqual([float(row["pull [N]"]) for row in rows], list(h5["measures/pull"][()]))
            self.assertEqual([float(row["variables.e"]) for row in rows], list(h5["inputs/variables.e"][()]))
            self.assertEqual(h5["measures/pull"].attrs["unit"].decode(), "N")
        # another reading of the ledger: the row against a run of its own
        self.sweep("--run", 5, "-o", "alone", "-q")
        with h5py.File(self.folder / "alone" / "result.h5") as h5:
            self.assertGreater(len(h5), 0)

    def test_keeps_the_worst(self):
        self.study(sampling={"random": {"runs": 8}}, keep={"measure": "pull", "worst": 2})
        done = self.sweep("-o", "r")
        worst = sorted(self.rows("r"), key=lambda row: -float(row["pull [N]"]))[:2]
        for row in worst:
            self.assertIn(f"run-{row['run']}", done.stdout)
            self.assertTrue((self.folder / "r" / f"run-{row['run']}" / "result.h5").exists())


class Page(Study):
    def test_page_holds_the_table(self):
        self.study(vary={**STUDY["vary"], "bodies.ball.mass": {"uniform": [-0.3, 4]}}, events={"back": "ball.velocity.x < 0"},
                   measures={**STUDY["measures"], "back": {"event": "back"}})
        done = self.sweep("-o", "r")
        self.assertIn("open r/report.html", done.stdout)
        page = page_data.Page(self.folder / "r" / "report.html")
        study, rows = page.header["study"], self.rows("r")
        self.assertEqual([(v["name"]) for v in study["variables"]], list(STUDY["vary"]))
        self.assertEqual(list(page.array(study["runs"])), list(range(60)))
        number = lambda text: float(text) if text else float("nan")
        for column, title in ((study["variables"][0], "variables.e"), (study["measures"][0], "pull [N]"), (study["measures"][3], "back")):
            np.testing.assert_array_equal(page.array(column["column"]), [number(row[title]) for row in rows])
        failed = [int(row["run"]) for row in rows if row["status"] == "failed"]
        self.assertGreater(len(failed), 0)
        self.assertEqual([run for run, _ in study["reasons"]], failed)
        self.assertEqual([k for k, status in enumerate(page.array(study["status"])) if status == 2], failed)
        for line in study["summary"].splitlines():
            self.assertIn(line, done.stdout)
        curve = {name: page.array(ref) for name, ref in study["measures"][3]["curve"].items()}
        hits = sum(row["back"] == "1" for row in rows)
        self.assertEqual(curve["runs"][-1], 60 - len(failed))
        self.assertAlmostEqual(curve["share"][-1], hits / (60 - len(failed)), delta=1e-15)
        low, high = done.stdout.split("back  ")[1].split("between ")[1].split(";")[0].split(" and ")
        self.assertAlmostEqual(curve["low"][-1], float(low), delta=1e-3)
        self.assertAlmostEqual(curve["high"][-1], float(high), delta=1e-3)
        self.assertTrue((curve["low"] <= curve["share"]).all() and (curve["share"] <= curve["high"]).all())

    def test_no_curve_where_draws_depend(self):
        self.study(sampling={"sobol": {"runs": 16}}, events={"back": "ball.velocity.x < 0"}, measures={"back": {"event": "back"}})
        self.sweep("-o", "r", "-q")
        self.assertNotIn("curve", page_data.Page(self.folder / "r" / "report.html").header["study"]["measures"][0])


class Refused(Study):
    def test_another_study_in_the_folder(self):
        self.study()
        self.sweep("-o", "r", "-q")
        self.study(vary={**STUDY["vary"], "bodies.ball.mass": {"normal": [3, 0.2], "within": [2, 4]}})
        self.assertIn("study.vary.bodies.ball.mass.normal", self.sweep("-o", "r", code=2).stderr)
        self.study()
        self.write("wall.json", {**SCENE, "gravity": [0, 0, -1.6]})
        self.assertIn("another scene", self.sweep("-o", "r", code=2).stderr)
        self.write("wall.json", SCENE)
        self.sweep("-o", "r", "-q")

    def test_mistakes_are_placed(self):
        for change, said in (
                ({"vary": {"variables.ee": {"uniform": [0, 1]}}}, "has no variable 'ee' (did you mean 'e'?)"),
                ({"vary": {"variables.e": {"uniform": [1, 0]}}}, "vary.variables.e"),
                ({"vary": {"variables.e": {"gaussian": [1, 0]}}}, "unknown key 'gaussian'"),
                ({"measures": {"pull": {"max": "hinge.forse"}}}, "no signal 'hinge.forse'"),
                ({"measures": {"pull": {"max": "hinge.force", "min": "hinge.force"}}}, "'pull' must be one of"),
                ({"measures": {"pull": {"max": "hinge.force"}, "r": "pull * e"}}, "write 'variables.e'"),
                ({"measures": {"a": "b + 1", "b": "a + 1"}}, "measure 'a'"),
                ({"sampling": {"randon": {"runs": 5}}}, "random"),
                ({"sampling": {"random": {"runs": 0}}}, "runs"),
                ({"scene": "no.json"}, "no.json"),
                ({"sampling": {"grid": {}}}, "a grid needs numbers for 'variables.e'"),
                ({"keep": {"worst": 1, "measure": "pul"}}, "no measure 'pul'"),
                ({"carom-study": 2}, "version 1")):
            self.study(**change)
            self.assertIn(said, self.sweep("-o", "x", code=2).stderr, change)
            self.assertFalse((self.folder / "x").exists())
        for part in ("0/4", "5/4", "4", "1/4x"):
            self.study()
            self.assertIn("--part", self.sweep("--part", part, code=2).stderr)


class Interrupted(Study):
    def test_ctrl_c_keeps_rows(self):
        self.study(sampling={"random": {"runs": 1000000}})
        process = subprocess.Popen([CAROM, "sweep", "study.json", "-o", "r", "-j", "1"], cwd=self.folder, stderr=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, text=True, start_new_session=True)
        journal = self.folder / "r" / "journal.csv"
        late = time.monotonic() + patience(10)
        while time.monotonic() < late and not (journal.exists() and len(journal.read_text().splitlines()) > 10):
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=patience(10))
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("goes on from there", said)
        self.assertGreater(len(journal.read_text().splitlines()), 10)


class Statistics(Study):
    def test_sobol_and_indices(self):
        """The angle where a swing ends without a wall depends on the length alone: its index is 1, that of the mass 0."""
        self.write("wall.json", {**SCENE, "contact": {"method": "none"}})
        self.study(sampling={"indices": {"runs": 32}}, measures={"x": {"final": "hinge.angle"}},
                   vary={"variables.l": {"uniform": [0.6, 1.0]}, "bodies.ball.mass": {"uniform": [1, 3]}})
        said = self.sweep("-o", "r").stdout
        lines = {line.split()[0]: line.split() for line in said.splitlines() if "first order" in line}
        self.assertAlmostEqual(float(lines["l"][3]), 1.0, delta=0.02)
        self.assertAlmostEqual(float(lines["mass"][3]), 0.0, delta=0.1)
        self.assertIn("32 groups of 4 rows", said)


class Minimize(Study):
    """Searches: every evaluation is a row, and what was found has a closed form."""
    THROW = SOURCE / "examples" / "studies" / "slowest-crank.json"

    def setUp(self):
        super().setUp()
        if "NLopt" not in carom("--version").stdout:
            self.skipTest("built without NLopt")

    def search(self, **changes):
        """The slope that takes a body up a hill least: the end of a swing against a target."""
        self.write("free.json", {"carom": 1, "time": {"end": 1}, "gravity": [0, 0, -9.81], "variables": {"a": 0, "b": 0, "mass": 1},
                                 "bodies": [{"name": "ball", "mass": "$mass", "shape": {"sphere": 0.05}, "velocity": ["$a", "$b", 0]}]})
        self.write("search.json", {"carom-study": 1, "scene": "free.json",
                                   "sampling": {"minimize": {"measure": "miss", "starts": 3, "runs": 60}},
                                   "vary": {"variables.a": {"uniform": [-3, 5]}, "variables.b": {"uniform": [-2, 6]}},
                                   "measures": {"x": {"final": "ball.position.x"}, "y": {"final": "ball.position.y"},
                                                "miss": "(x - 1)^2 + 3*(y - 2)^2 + (x - 1)*(y - 2)"}, **changes})

    def test_slowest_crank_that_throws_over_a_wall(self):
        self.sweep("-o", "r", "-q", "-j", 2, file=self.THROW)
        rows = [row for row in self.rows("r") if float(row["clearance"]) >= 0]
        best = min(rows, key=lambda row: float(row["speed"]))
        speed = (9.81 * (1 + 5 ** 0.5)) ** 0.5  # (1 + restitution) rate radius = rate
        self.assertAlmostEqual(float(best["speed"]) / speed, 1, delta=1e-5)
        self.assertAlmostEqual(float(best["variables.angle"]), math.pi / 4 + math.atan2(1, 2) / 2, delta=1e-3)
        said = self.sweep(file=Path("r")).stdout
        self.assertIn("4 of 4 starts came to it", said)
        self.assertTrue((self.folder / "r" / f"run-{best['run']}" / "result.h5").exists())

    def test_killed_and_gone_on_with(self):
        self.sweep("-o", "whole", "-q", "-j", 1, file=self.THROW)
        chance = random.Random(7)
        for _ in range(8):
            process = subprocess.Popen([CAROM, "sweep", self.THROW, "-o", "killed", "-j", "2", "-q"], cwd=self.folder)
            time.sleep(chance.uniform(0.05, 0.3))
            process.send_signal(signal.SIGKILL)
            process.wait()
            time.sleep(0.05)
        self.sweep("-o", "killed", "-q", file=self.THROW)
        self.assertEqual(self.bytes("whole"), self.bytes("killed"))
        for part in (2, 3, 1):
            self.sweep("-o", "parts", "--part", f"{part}/3", "-q", file=self.THROW)
        self.sweep("-o", "parts", "-q", file=self.THROW)
        self.assertEqual(self.bytes("whole"), self.bytes("parts"))

    def test_a_kept_run_that_was_killed_is_made_anew(self):
        self.sweep("-o", "r", "-q", file=self.THROW)
        kept = next((self.folder / "r").glob("run-*"))
        summary = json.loads((kept / "summary.json").read_text())["bodies"]
        note = (kept / "run.txt").read_text()
        self.assertIn("set variables.rate=", note)
        for path in kept.iterdir():  # as a run leaves it that was killed before its first frame
            if path.name != "run.txt":
                path.unlink()
        (kept / ".result.h5.new").write_text("a part")
        self.sweep("-o", "r", "-q", file=self.THROW)
        self.assertEqual(json.loads((kept / "summary.json").read_text())["bodies"], summary)

    def test_algorithms(self):
        for algorithm in ("auto", "bobyqa", "cobyla", "nelder-mead", "crs2", "direct-l"):
            wide = algorithm in ("crs2", "direct-l")
            self.search(sampling={"minimize": {"measure": "miss", "algorithm": algorithm, "starts": 1, "runs": 400 if wide else 150}})
            self.sweep("-o", algorithm, "-q", file="search.json")
            best = min(self.rows(algorithm), key=lambda row: float(row["miss"]))
            self.assertAlmostEqual(float(best["variables.a"]), 1, delta=2e-2 if wide else 1e-3)
            self.assertAlmostEqual(float(best["variables.b"]), 2, delta=2e-2 if wide else 1e-3)

    def test_more_runs_go_on(self):
        self.search(sampling={"minimize": {"measure": "miss", "starts": 2, "runs": 8}})
        said = self.sweep("-o", "r", file="search.json").stdout
        self.assertIn("not converged", said)
        before = self.rows("r")
        said = self.sweep("--runs", 200, file="r").stdout
        self.assertNotIn("not converged", said)
        after = self.rows("r")
        self.assertEqual(before, after[:16])
        self.assertGreater(len(after), 16)
        told = json.loads(carom("sweep", "r", "--json", cwd=self.folder).stdout)
        self.assertEqual((told["runs"], told["rows"]["missing"]), (len(after), 0))
        again = self.sweep("--run", before[5]["run"], "-o", "again", file="r").stdout
        self.assertIn("is in again", again)
        self.assertIn("follows from the runs before it", self.sweep("--run", 199, "-o", "x", file="r", code=2).stderr)

    def test_runs_that_fail_or_crash(self):
        self.search(vary={"variables.a": {"uniform": [-3, 5]}, "variables.mass": {"uniform": [-2, 1.5]}},
                    measures={"x": {"final": "ball.position.x"}, "miss": "(x - 1)^2 + (mass - 0.5)^2"})
        (self.folder / "r").mkdir()
        (self.folder / "r" / "crashes.csv").write_text("2,aborted\n2,aborted\n")
        self.sweep("-o", "r", "-q", file="search.json")
        rows = self.rows("r")
        self.assertEqual({row["status"] for row in rows}, {"done", "failed", "crashed"})
        self.assertEqual([row["run"] for row in rows if row["status"] == "crashed"], ["2"])
        best = min((row for row in rows if row["status"] == "done"), key=lambda row: float(row["miss"]))
        self.assertAlmostEqual(float(best["variables.mass"]), 0.5, delta=1e-2)

    def test_jumps_are_said(self):
        self.search(measures={"x": {"final": "ball.position.x"}, "miss": "(x - 1)^2 + (x > 1 ? 5 : 0)"})
        self.assertIn("miss jumps", self.sweep("-o", "r", file="search.json").stdout)
        self.search()
        self.assertNotIn("jumps", self.sweep("-o", "s", file="search.json").stdout)

    def test_refused(self):
        goal = {"measure": "miss"}
        for change, said in (({"sampling": {"minimize": {"measure": "mis"}}}, "no measure 'mis'"),
                             ({"sampling": {"minimize": {**goal, "subject_to": ["z"]}}}, "no measure 'z'"),
                             ({"sampling": {"minimize": {**goal, "subject_to": ["x"], "algorithm": "bobyqa"}}}, "'cobyla' alone"),
                             ({"sampling": {"minimize": {**goal, "algorithm": "direct-l", "starts": 2}}}, "the same again"),
                             ({"sampling": {"minimize": {**goal, "algorithm": "bobyka"}}}, "bobyqa"),
                             ({"vary": {"variables.a": {"normal": [0, 1]}}}, "needs bounds for 'variables.a'"),
                             ({"vary": {"variables.a": {"uniform": [0, 1]}},
                               "sampling": {"minimize": {**goal, "algorithm": "bobyqa"}}}, "two variables")):
            self.search(**change)
            self.assertIn(said, self.sweep("-o", "x", code=2, file="search.json").stderr, change)


class Examples(Study):
    def test_studies_of_the_tree_can_be_opened(self):
        studies = sorted((SOURCE / "examples" / "studies").glob("*.json"))
        studies = [study for study in studies if '"carom-study"' in study.read_text()]
        self.assertGreaterEqual(len(studies), 3)
        for study in studies:
            self.assertIn("there is no run 9999999", carom("sweep", study, "--run", 9999999, "-o", "x", cwd=self.folder).stderr)


if __name__ == "__main__":
    unittest.main()
