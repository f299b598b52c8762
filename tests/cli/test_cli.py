"""The program as a shell sees it. Needs CAROM_BIN and CAROM_SOURCE_DIR; run all, or some classes by name:
test_cli.py Commands Scenes ..."""
import csv
import io
import json
import os
import pty
import random
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

import h5py
import jsonschema
import numpy as np

from support import (CAROM, COMMANDS, EXAMPLES, SCENES, SOURCE, Case, checkpoint_state, datasets, differing,
                     patience, plain_json, summary, wait_until)


class Commands(Case):
    def test_help_shows_usage_options_and_an_example(self):
        for command in COMMANDS:
            with self.subTest(command):
                text = self.ok(command, "--help")
                self.assertEqual(text, self.ok("help", command))
                for part in (f"Usage: carom {command}", "Options:", "--help", "Example:", f"  carom {command}"):
                    self.assertIn(part, text)
                self.assertLessEqual(max(map(len, text.splitlines())), 120)

    def test_overview_lists_every_command(self):
        text = self.ok("--help")
        self.assertEqual(text, self.ok("help"))
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} ")

    def test_version_names_components(self):
        text = self.ok("--version")
        for part in ("carom 0.", "HDF5", "Jansson"):
            self.assertIn(part, text)

    def test_nothing_to_do_is_an_error(self):
        self.assertEqual(self.carom().returncode, 2)

    def test_unknown_words_name_the_nearest(self):
        self.refused("rnu", contains=["rnu", "did you mean 'run'?"])
        self.refused("xyzzy", contains="carom help")
        self.refused("help", "chek", contains="did you mean 'check'?")
        self.refused("run", "x.json", "--quite", contains="did you mean '--quiet'?")
        self.refused("examples", "no-such-example", contains="no-such-example")

    def test_wrong_arguments_are_refused(self):
        scene = SCENES / "pendulum.json"
        cases = [(["run"], "SCENE"), (["run", scene, "extra"], "extra"), (["run", scene, "-o"], "needs a value"),
                 (["run", scene, "--quiet=1"], "no value"), (["run", scene, "--threads", "0"], "--threads"),
                 (["run", scene, "--threads", "1.5"], "whole number"), (["run", scene, "--duration", "nan"], "nan"),
                 (["run", scene, "--duration", "-1"], "-1"), (["run", scene, "--duration", "1x"], "1x"),
                 (["run", scene, "-o", ""], "folder"), (["run", scene, "--checkpoint-every", "0"], "checkpoint"),
                 (["run", scene, "--method", "magic"], "magic"), (["run", scene, "--set", "nonsense"], "nonsense"),
                 (["check"], "SCENE"), (["resume"], "DIR"), (["info"], "RESULT"), (["schema", "x"], "x"),
                 (["resume", "nowhere"], "nowhere"), (["info", "nowhere"], "nowhere"), (["export", "nowhere"], "nowhere"),
                 (["check", "missing.json"], "missing.json"), (["run", "."], ".")]
        for words, part in cases:
            with self.subTest(words):
                self.refused(*words, contains=part)

    def test_a_value_that_looks_like_an_option_must_be_attached(self):
        scene = SCENES / "pendulum.json"
        self.refused("run", scene, "-o", "-q", contains=["'--output' needs a value", "'--output=-q'"])
        self.refused("run", scene, "--method", "--quiet", contains="'--method=--quiet'")
        for number, words in enumerate((["--output=-x"], ["-o=-x"], ["-o-x"])):
            with self.subTest(words):
                cwd = self.folder / str(number)
                cwd.mkdir()
                self.ok("run", scene, "-q", *words, cwd=cwd)
                self.assertTrue((cwd / "-x" / "result.h5").exists())

    def test_letters_may_stand_together(self):
        scene = SCENES / "pendulum.json"
        self.assertEqual(self.ok("run", scene, "-qj2", "-o", "out"), "")
        self.assertEqual(self.ok("run", scene, "-qo", "out", "-d=0.5"), "")
        self.assertEqual(summary(self.folder / "out")["time"], 0.5)
        self.refused("run", scene, "-qz", contains=["'-z'", "-qz"])
        self.refused("run", scene, "-q=1", contains="takes no value")

    def test_a_scene_from_standard_input(self):
        text = (SCENES / "pendulum.json").read_text()

        def piped(*words, given=text):
            return subprocess.run([CAROM, *words], cwd=self.folder, input=given, capture_output=True, text=True,
                                  timeout=patience(60), check=False)

        self.assertIn("1 degree of freedom", piped("check", "-").stdout)
        done = piped("run", "-", "-q")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.ok("info", "results/scene", "--scene"), text)
        self.refused("resume", "results/scene", contains=["standard input", "--scene"])
        (self.folder / "saved.json").write_text(text)
        self.ok("resume", "results/scene", "--scene", "saved.json", "-q")
        broken = piped("check", "-", given=text.replace('"name": "hinge"', '"name": ""'))
        self.assertEqual(broken.returncode, 2)
        self.assertIn("standard input:6: joints[0]", broken.stderr)

    def test_messages_name_what_was_typed(self):
        scene = SCENES / "pendulum.json"
        for command in ("run", "check"):
            message = self.refused(command, scene, "--method", "magic", contains="--method magic")
            self.assertNotIn("--set", message)
        self.refused("check", scene, "--set", "bodies[-1].mass=1", contains="[0], [1]")
        self.refused("check", scene, "--set", "bodies[3].mass=1", contains="'bodies' has 1 entry")
        self.refused("check", scene, "--set", "units.length=1e90", contains="between 1e-30 and 1e30")
        self.refused("check", scene, "--set", "units.length=-1", contains="must be positive")
        long = "1" + "+1" * 4200
        message = self.refused("check", scene, "--set", f"bodies.rod.density={long}",
                               contains=["8192", "bodies[0].density"])
        self.assertLessEqual(message.split("(from")[0].count("+1"), 30)

    def test_a_new_scene_runs(self):
        """It is written once, says what it is, and runs through with its event."""
        self.assertIn("carom run scene.json", self.ok("new"))
        self.refused("new", contains="'scene.json' is there already")
        self.ok("new", "other.json")
        self.assertEqual((self.folder / "scene.json").read_bytes(), (self.folder / "other.json").read_bytes())
        self.refused("new", "missing/x.json", contains="cannot write 'missing/x.json'")
        full = subprocess.run([CAROM, "new", "full.json"], cwd=self.folder, capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        self.assertEqual(full.returncode, 3, full.stderr)
        self.assertFalse((self.folder / "full.json").exists())
        self.assertNotIn("warning", self.ok("check", "scene.json"))
        self.ok("run", "scene.json", "-o", "r", "--no-report")
        self.assertIn("far", self.ok("info", "r", "--events"))

    def test_answers_for_programs(self):
        """--json: one object that strict readers take, also where something is wrong; numbers are those of the library."""
        def strict(text):
            self.assertEqual(text.count("\n"), 1)
            return json.loads(text, parse_constant=lambda word: self.fail(word))

        (self.folder / "fall.json").write_text(json.dumps({
            "carom": 1, "name": 'say "fall"', "gravity": [0, 0, -8], "units": {"length": "mm"}, "time": {"end": 1},
            "bodies": [{"name": "b", "mass": 2, "inertia": [1, 1, 1]}],
            "events": [{"name": "down", "when": "b.position.z < -1", "do": "stop"}], "record": {"signals": ["b.position.z"]}}))
        said = strict(self.ok("check", "fall.json", "--json"))
        self.assertEqual((said["command"], said["name"], said["degrees_of_freedom"]), ("check", 'say "fall"', 6))
        self.assertEqual(said["bodies"][0]["name"], "b")
        self.assertEqual(said["bodies"][0]["mass"], 2)
        self.assertIn("lengths mm, masses kg", said["units"])
        self.assertTrue(said["notes"][0]["warning"])
        self.assertIn("mN", said["notes"][0]["message"])
        self.assertEqual(said["notes"][0]["path"], "units")
        self.ok("run", "fall.json", "-o", "r", "--no-report", "-q")
        said = strict(self.ok("info", "r", "--json"))
        self.assertTrue(said["ended"])
        self.assertAlmostEqual(said["t"], 0.5, places=9)
        self.assertEqual([e["event"] for e in said["events"]], ["down"])
        signal_z = next(s for s in said["signals"] if s["name"] == "b.position.z")
        self.assertEqual((signal_z["unit"], signal_z["first"]), ("m", 0))
        self.assertAlmostEqual(signal_z["last"], -1e-3, places=9)
        (self.folder / "bad.json").write_text(json.dumps({
            "carom": 1, "bodies": [{"name": f"b{i}", "mass": -1} for i in range(12)]}))
        done = self.carom("check", "bad.json", "--json")
        self.assertEqual(done.returncode, 2)
        errors = strict(done.stdout)["errors"]
        self.assertGreaterEqual(len(errors), 10)
        self.assertTrue(all(e["file"].endswith("bad.json") and "bodies[" in e["path"] for e in errors))
        done = self.carom("info", "nowhere", "--json")
        self.assertEqual((done.returncode, len(strict(done.stdout)["errors"])), (2, 1))
        self.ok("mesh", "make", "box", "box.stl")
        said = strict(self.ok("mesh", "info", "box.stl", "--json"))
        self.assertEqual((said["solid"], said["components"]), (True, 1))
        self.assertAlmostEqual(said["volume"], np.prod(np.subtract(said["high"], said["low"])), places=12)
        self.assertEqual(set(said["defects"].values()), {0})
        said = strict(self.ok("sdf", "info", "box.stl", "--resolution", "16", "--no-cache", "--json"))
        self.assertEqual(said["command"], "sdf info")
        self.assertGreater(said["nodes"], 100)
        (self.folder / "study.json").write_text(json.dumps({
            "carom-study": 1, "scene": "fall.json", "sampling": {"grid": {}}, "vary": {"bodies.b.mass": {"levels": [1, -1, 3]}},
            "measures": {"z": {"final": "b.position.z"}, "when": {"time_of": "down"}}}))
        said = strict(self.ok("sweep", "study.json", "-o", "s", "--json"))
        self.assertEqual((said["runs"], said["rows"]["done"], said["rows"]["failed"]), (3, 2, 1))
        self.assertEqual([t["run"] for t in said["trouble"]], [1])
        self.assertAlmostEqual(said["measures"][1]["mean"], 0.5, places=9)

    def test_comparisons_for_programs(self):
        """--json of compare and papers: the numbers of the table, and nothing else on standard output."""
        def strict(text):
            self.assertEqual(text.count("\n"), 1)
            return json.loads(text, parse_constant=lambda word: self.fail(word))

        (self.folder / "fall.json").write_text(json.dumps({
            "carom": 1, "gravity": [0, 0, -8], "time": {"end": 1}, "bodies": [{"name": "b", "mass": 2, "inertia": [1, 1, 1]}]}))
        said = strict(self.ok("compare", "fall.json", "--methods", "none,compliant", "-o", "m", "--json"))
        self.assertEqual([run["name"] for run in said["runs"]], ["none", "compliant"])
        self.assertTrue((self.folder / said["page"]).is_file())
        height = next(row for row in said["rows"] if row["name"] == "b.position.z")
        self.assertEqual(height["unit"], "m")
        for value in height["values"]:
            self.assertAlmostEqual(value, -4, places=6)
        self.ok("run", "fall.json", "-o", "heavy", "--set", "bodies.b.mass=4", "--no-report", "-q")
        said = strict(self.ok("compare", "m/none", "heavy", "--json", "--no-report"))
        self.assertIsNone(said["page"])
        kinetic = next(row for row in said["rows"] if row["name"] == "energy.kinetic")["values"]
        self.assertAlmostEqual(kinetic[1] / kinetic[0], 2, places=9)
        done = self.carom("compare", "m/none", "nowhere", "--json")
        self.assertEqual((done.returncode, len(strict(done.stdout)["errors"])), (2, 1))
        papers = strict(self.ok("papers", "--json"))["papers"]
        self.assertEqual([p["paper"] for p in papers], [1, 2, 3, 4, 5])
        self.assertIn("two sliders", [item["name"] for item in papers[0]["items"]])
        told = strict(self.ok("papers", "3", "--item", papers[2]["items"][0]["name"], "--quick", "-o", "p", "--json"))["papers"]
        self.assertEqual([p["paper"] for p in told], [3])
        self.assertTrue(told[0]["ok"] and told[0]["rows"])
        kept = json.loads((self.folder / "p" / "summary.json").read_text())
        self.assertEqual(kept["rows"], told[0]["rows"])
        self.assertGreater((self.folder / "p" / "summary.json").read_text().count("\n"), len(kept["rows"]))

    def test_doctor_tells_what_is_there(self):
        said = self.ok("doctor")
        for word in ("carom ", "library", "features", "cache", "processors", "a small run   works"):
            self.assertIn(word, said)
        self.assertNotIn("TROUBLE", said)
        (self.folder / "file").write_text("")
        broken = subprocess.run([CAROM, "doctor"], cwd=self.folder, capture_output=True, text=True, check=False,
                                env={**os.environ, "CAROM_CACHE": str(self.folder / "file")})
        self.assertIn("TROUBLE: this is no folder", broken.stdout)

    def test_completions_and_manual_have_all_commands_and_options(self):
        commands = re.findall(r"^  ([a-z]+) ", self.ok("help").split("\n\n")[2], re.M)
        self.assertIn("sweep", commands)
        zsh, fish, man = (self.ok(*words) for words in (("completion", "zsh"), ("completion", "fish"), ("man",)))
        self.assertEqual(self.ok("completion", "bash"), (SOURCE / "completions" / "carom.bash").read_text())
        self.refused("completion", "tcsh", contains="bash, zsh and fish")
        for command in commands:
            self.assertIn(f"    '{command}:", zsh)
            self.assertIn(f"-f -a {command} -d", fish)
            self.assertIn(f".SS carom {command}", man)
            if command in ("mesh", "sdf"):
                continue  # their parts have options of their own
            for name in re.findall(r"^  (?:-\w, |    )?(--[a-z-]+)", self.ok(command, "--help"), re.M):
                if name != "--help":
                    self.assertIn(name, zsh)
                    self.assertIn(f"-l {name[2:]}", fish)
                    self.assertIn(name.replace("-", "\\-"), man)
        for shell, text in (("zsh", zsh), ("fish", fish)):
            if shutil.which(shell):
                (self.folder / shell).write_text(text)
                self.assertEqual(subprocess.run([shell, "-n", self.folder / shell], check=False).returncode, 0)

    def test_completion_works_in_bash(self):
        script = SOURCE / "completions" / "carom.bash"
        self.assertEqual(subprocess.run(["bash", "-n", script], check=False).returncode, 0)

        def complete(*words):
            line = f'source "{script}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); ' \
                   f'_carom "{CAROM}" "${{@: -1}}" "${{@: -2:1}}"; printf "%s\\n" "${{COMPREPLY[@]}}"'
            done = subprocess.run(["bash", "-c", line, "bash", *words], cwd=self.folder, capture_output=True,
                                  text=True, check=True)
            return done.stdout.split()

        (self.folder / "one.json").write_text("{}")
        (self.folder / "two.txt").write_text("")
        self.assertEqual(complete("carom", "res"), ["resume"])
        self.assertEqual(complete("carom", "run", "--me"), ["--method"])
        self.assertEqual(complete("carom", "run", "o"), ["one.json"])
        self.assertEqual(complete("carom", "run", "t"), [])
        self.assertEqual(complete("carom", "run", "one.json", "--method", ""), ["none", "compliant", "impact", "constraint", "barrier"])
        self.assertEqual(complete("carom", "check", "one.json", "-m", "no"), ["none"])
        self.assertEqual(complete("carom", "export", "x", "--to", ""), ["csv", "vtk", "glb", "obj", "npz", "events"])
        self.assertEqual(complete("carom", "run", "one.json", "--no"), ["--no-report"])
        self.assertEqual(complete("carom", "vi"), ["view"])
        self.assertEqual(complete("carom", "view", "x", "--no"), ["--no-open"])
        (self.folder / "made").mkdir()
        self.assertEqual(complete("carom", "view", ""), ["made"])
        self.assertEqual(complete("carom", "compare", ""), ["made", "one.json"])
        self.assertEqual(complete("carom", "compare", "one.json", "--methods", ""), ["none", "compliant", "impact", "constraint", "barrier"])
        self.assertEqual(complete("carom", "compare", "one.json", "--methods", "none,"), ["none,compliant", "none,impact", "none,constraint", "none,barrier"])
        self.assertIn(EXAMPLES[0].stem, complete("carom", "examples", ""))


class Scenes(Case):
    def test_broken_scenes_are_refused_with_the_place(self):
        broken = sorted((SOURCE / "tests" / "cli" / "bad").glob("*.json"))
        self.assertGreaterEqual(len(broken), 40)
        for scene in broken:
            with self.subTest(scene.name):
                first = scene.read_text(errors="replace").splitlines()[0]
                self.assertTrue(first.startswith("// expect: "), first)
                expected = first.removeprefix("// expect: ").strip()
                for command in ("check", "run"):
                    message = self.refused(command, scene, contains=expected, timeout=60)
                    place = re.escape(scene.name) if "parts/" not in message else r"bad/parts/[\w-]+\.json"
                    self.assertRegex(message, place)
                self.assertFalse((self.folder / "results" / scene.stem / "result.h5").exists())

    def test_check_shows_what_would_run(self):
        text = self.ok("check", SCENES / "pendulum.json")
        for part in ("rod", "hinge", "revolute", "ground - rod", "angle", "1 degree of freedom", "method none"):
            self.assertIn(part, text)
        self.assertRegex(text, r"rod +free +10 +0\.01667, 0\.8417, 0\.8417")
        self.assertNotIn("redundant", text)

    def test_check_shows_gravity_in_si_units(self):
        for length, value in (("m", "-9.81"), ("mm", "-0.00981")):
            text = self.ok("check", SCENES / "pendulum.json", "--set", f"units.length={length}", "--set", "gravity=[0,-9.81,0]")
            self.assertIn(f"gravity: 0, {value}, 0 m/s^2", text)

    def test_check_names_redundant_equations(self):
        text = self.ok("check", SCENES / "redundant.json")
        self.assertIn("1 degree of freedom", text)
        self.assertIn("5 redundant equations", text)
        self.assertRegex(text, r"(?m)^    (lower|upper)")

    def test_unknown_signals_name_their_line(self):
        (self.folder / "s.json").write_text('{"carom": 1,\n "bodies": [{"name": "a", "mass": 1, "inertia": [1, 1, 1]}],\n\n'
                                            ' "record": {"every": 0.1,\n  "signals": ["a.velocity.q"]}}')
        self.refused("check", "s.json", contains="s.json:5: record.signals[0]: ")

    def test_duration_is_the_end_everywhere(self):
        (self.folder / "s.json").write_text(re.sub(r'"every": [\d.]+, ', "", (SCENES / "pendulum.json").read_text()))
        told = self.ok("check", "s.json", "-d", "0.25")
        self.assertEqual(told, self.ok("check", "s.json", "--set", "time.end=0.25"))
        self.assertIn("until t = 0.25 s", told)
        self.ok("run", "s.json", "-q", "-d", "0.25", "-o", "option")
        self.ok("run", "s.json", "-q", "--set", "time.end=0.25", "-o", "scene")
        self.assertEqual(differing(self.folder / "option" / "result.h5", self.folder / "scene" / "result.h5"), [])
        self.ok("resume", "option", "-q")
        self.assertEqual(differing(self.folder / "option" / "result.h5", self.folder / "scene" / "result.h5"), [])
        self.ok("resume", "option", "-q", "-d", "0.5")
        self.ok("resume", "option", "-q")
        self.assertEqual(summary(self.folder / "option")["time"], 0.5)
        self.assertEqual(len(datasets(self.folder / "option" / "result.h5")["time"]), 2001)

    def test_overrides_change_the_scene(self):
        text = self.ok("check", SCENES / "pendulum.json", "--set", "bodies.rod.density=2000", "--set", "time.end=7")
        self.assertRegex(text, r"rod +free +20 ")
        self.assertIn("until t = 7 s", text)

    def test_examples_are_valid_and_run(self):
        self.assertGreater(len(EXAMPLES), 0)
        listed = self.ok("examples", "--names").split()
        self.assertEqual(listed, [scene.stem for scene in EXAMPLES])
        table = self.ok("examples")
        self.assertLessEqual(max(map(len, table.splitlines())), 80)
        self.assertNotRegex(table, "~|…")  # descriptions are wrapped, not cut
        for name in listed:
            with self.subTest(name):
                self.assertRegex(table, rf"(?m)^  {re.escape(name)} +\S")
                self.assertIn(f"carom run {name}.json", self.ok("examples", name))
                end = float(re.search(r"until t = (\S+) s", self.ok("check", f"{name}.json")).group(1))
                self.ok("run", f"{name}.json", "--duration", min(end, 0.005), "-q", timeout=300)
                self.assertEqual(summary(self.folder / "results" / name)["status"], "done")

    def test_examples_do_not_overwrite_work(self):
        name = EXAMPLES[0].stem
        self.ok("examples", name, "copy")
        self.ok("examples", name, "copy")
        (self.folder / "copy" / f"{name}.json").write_text("mine")
        self.refused("examples", name, "copy", contains="differs")
        self.assertEqual((self.folder / "copy" / f"{name}.json").read_text(), "mine")

    def test_schema_accepts_examples_and_refuses_unknown_keys(self):
        schema = json.loads(self.ok("schema"))
        validator = jsonschema.validators.validator_for(schema)
        validator.check_schema(schema)
        check = validator(schema)
        for scene in EXAMPLES + sorted(SCENES.glob("*.json")):
            with self.subTest(scene.name):
                content = plain_json(scene.read_text())
                check.validate(content)
                self.assertFalse(check.is_valid(dict(content, bodiez=[])))
                spoiled = dict(content, bodies=[dict(content["bodies"][0], masss=1)])
                self.assertFalse(check.is_valid(spoiled))
        contact = {"method": "none", "law": {"linear": {"k": 1e6}}, "resolution": 64}  # serves another method, too
        check.validate(dict(content, contact=contact))
        for wrong in ({"law": {"linaer": {}}}, {"resolution": []}, {"resolutoin": 64}):
            self.assertFalse(check.is_valid(dict(content, contact=dict(contact, **wrong))), wrong)


class Results(Case):
    def run_pendulum(self, *options):
        self.ok("run", SCENES / "pendulum.json", "-o", "out", *options)
        return self.folder / "out"

    def test_folder_holds_what_was_promised(self):
        out = self.run_pendulum()
        self.assertEqual(sorted(p.name for p in out.iterdir()),
                         ["checkpoint.bin", "report.html", "result.h5",
                          "run.txt", "signals.csv", "summary.json"])
        content = summary(out, without=[])
        for key in ("status", "method", "time", "steps", "wall_s", "phases", "energy", "momentum", "penetration_max",
                    "distance_min", "constraint_error_max", "contacts_max", "impacts", "bodies"):
            self.assertIn(key, content)
        self.assertEqual(content["status"], "done")
        self.assertEqual(set(content["bodies"]["rod"]), {"position", "orientation", "velocity", "angular_velocity"})
        self.assertLessEqual({"initial", "final", "dissipated", "worst_balance_error"}, set(content["energy"]))

    def test_default_folder_is_named_after_the_scene(self):
        self.ok("run", SCENES / "pendulum.json", "-q")
        self.assertTrue((self.folder / "results" / "pendulum" / "result.h5").exists())

    def test_h5py_reads_names_units_and_shapes(self):
        out = self.run_pendulum()
        with h5py.File(out / "result.h5") as h5:
            frames = len(h5["time"])
            self.assertEqual(frames, 101)
            self.assertEqual(h5["bodies/name"].asstr()[:].tolist(), ["rod"])
            self.assertEqual(h5["bodies/position"].shape, (frames, 1, 3))
            self.assertEqual(h5["bodies/orientation"].shape, (frames, 1, 4))
            self.assertEqual(h5["joints/force"].shape, (frames, 1, 3))
            self.assertEqual(h5["coordinates/name"].asstr()[:].tolist(), ["hinge.angle"])
            self.assertEqual(h5["signals/name"].asstr()[:].tolist(),
                             ["hinge.angle", "rod.position.z", "energy.total"])
            self.assertEqual(h5["signals/unit"].asstr()[:].tolist(), ["rad", "m", "J"])
            self.assertEqual(h5["meta/scene"].asstr()[()], (SCENES / "pendulum.json").read_text())
            self.assertEqual(h5.attrs["format"], 1)
            h5.visititems(lambda name, item: self.assertIn("unit", item.attrs, name)
                          if isinstance(item, h5py.Dataset) and item.dtype.kind in "fi" else None)
            z = h5["bodies/position"][:, 0, 2]
            self.assertTrue(np.array_equal(z, h5["signals/value"][:, 1]))
            self.assertTrue(np.allclose(z, -0.5 * np.sin(h5["coordinates/value"][:, 0]), atol=1e-6))

    def test_csv_holds_the_same_numbers(self):
        out = self.run_pendulum()
        rows = list(csv.reader((out / "signals.csv").read_text().splitlines()))
        self.assertEqual(rows[0], ["time [s]", "hinge.angle [rad]", "rod.position.z [m]", "energy.total [J]"])
        with h5py.File(out / "result.h5") as h5:
            self.assertTrue(np.array_equal(np.array(rows[1:], float)[:, 1:], h5["signals/value"][:]))

    def test_export_chooses_signals(self):
        out = self.run_pendulum()
        text = self.ok("export", out, "--to", "csv", "--signals", "rod.position.*,energy.kinetic,hinge.force.x")
        header = text.splitlines()[0]
        self.assertEqual(header, "time [s],rod.position.z [m],rod.position.x [m],rod.position.y [m],"
                                 "energy.kinetic [J],hinge.force.x [N]")
        self.ok("export", out / "result.h5", "-o", "all.csv")
        rows = list(csv.reader((self.folder / "all.csv").read_text().splitlines()))
        self.assertEqual(len(rows), 102)
        self.assertEqual(len(set(rows[0])), len(rows[0]))
        for name in ("rod.orientation.w", "rod.angular_velocity.y [rad/s]", "hinge.angle.rate [rad/s]",
                     "lost.damping [J]", "solver.step [s]"):
            self.assertIn(name, rows[0])
        self.refused("export", out, "--signals", "rod.position.q", contains="did you mean 'rod.position.")
        self.refused("export", out, "--signals", "zzz*", contains="zzz*")
        self.refused("export", out, "--to", "xls", contains="xls")
        self.refused("export", out, "-o", "no/such/folder/x.csv", contains="no/such/folder")
        for name in ("rod.acceleration.x", "rod.center.z", "hinge.angle.drive", "hinge.force"):
            self.refused("export", out, "--signals", name, contains=[name, "only recorded when listed in record.signals"])
        self.refused("export", out, "--signals", "strut.length", contains="only recorded when listed")

    def test_console_says_what_the_summary_says(self):
        text = self.ok("run", SCENES / "pendulum.json", "-o", "out")
        content = summary(self.folder / "out")
        self.assertIn(f"energy off by {content['energy']['worst_balance_error']:.2g} J", text)
        self.assertIn(f"joints by {content['constraint_error_max']['position']:.2g} m or rad", text)
        self.assertRegex(text, rf"after {content['steps']} steps\b")
        self.assertEqual("rejected" in text, content["rejected"] > 0)
        self.assertNotIn("start:", text)
        scene = plain_json((SCENES / "pendulum.json").read_text())
        scene["bodies"][0]["velocity"] = [0.5, 0, 0]
        (self.folder / "off.json").write_text(json.dumps(scene))
        text = self.ok("run", "off.json", "-o", "out")
        self.assertRegex(text, r"start: velocities changed to fit joints and motions \(off by up to 0\.5 m/s or rad/s\)")

    def test_a_full_disk_is_no_bad_input(self):
        out = self.run_pendulum()
        self.refused("export", out, "-o", "/dev/full", contains="No space left", code=3)
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([CAROM, "export", out], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        for limit in (20, 200, 500):  # [KiB]: at the start, at a flush, at the end
            with self.subTest(limit):
                line = f'ulimit -f {limit}; exec "$0" run "$1" -q -o out{limit} --set record.every=1e-4 ' \
                       '--checkpoint-every 0.01'
                done = subprocess.run(["bash", "-c", line, CAROM, SCENES / "pendulum.json"], cwd=self.folder,
                                      capture_output=True, text=True, check=False, timeout=patience(120))
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("File too large", done.stderr)

    def test_info_shows_ledger_bodies_and_signals(self):
        out = self.run_pendulum()
        text = self.ok("info", out)
        for part in ("test pendulum", "done", "101", "energy.kinetic", "constraint.position", "rod", "hinge.angle"):
            self.assertIn(part, text)
        self.assertNotIn("\x1b", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 104)
        self.assertEqual(self.ok("info", out, "--scene"), (SCENES / "pendulum.json").read_text())
        self.assertIn("hinge.torque.z", self.ok("info", "--all", out / "result.h5"))

    def test_equal_runs_give_equal_files(self):
        for name in ("one", "two"):
            self.ok("run", SCENES / "pendulum.json", "-q", "-o", "out")
            (self.folder / "out").rename(self.folder / name)
        self.assertEqual((self.folder / "one" / "result.h5").read_bytes(),
                         (self.folder / "two" / "result.h5").read_bytes())
        self.assertEqual(summary(self.folder / "one"), summary(self.folder / "two"))

    def test_a_new_run_replaces_an_old_one(self):
        out = self.run_pendulum("--duration", "0.5")
        self.assertEqual(len(datasets(out / "result.h5")["time"]), 51)
        self.run_pendulum()
        self.assertEqual(len(datasets(out / "result.h5")["time"]), 101)

    def test_other_folders_are_left_alone(self):
        (self.folder / "mine").mkdir()
        (self.folder / "mine" / "thesis.tex").write_text("years of work")
        (self.folder / "file").write_text("")
        self.refused("run", SCENES / "pendulum.json", "-o", "mine", contains="mine")
        self.assertEqual([p.name for p in (self.folder / "mine").iterdir()], ["thesis.tex"])
        self.refused("run", SCENES / "pendulum.json", "-o", "file", contains="file")
        self.refused("run", SCENES / "pendulum.json", "-o", "/proc/no/such", contains="/proc/no")

    def test_notes_beside_a_result_stay(self):
        out = self.run_pendulum()
        (out / "notes.txt").write_text("mine")
        self.run_pendulum()
        self.assertEqual((out / "notes.txt").read_text(), "mine")

    def test_leftovers_of_a_killed_start_do_no_harm(self):
        (self.folder / "out").mkdir()
        for name in (".lock", ".run.txt.new"):
            (self.folder / "out" / name).write_text("")
        self.run_pendulum()

    def test_damaged_results_are_refused(self):
        out = self.run_pendulum()
        whole = (out / "result.h5").read_bytes()
        for content in (b"", b"\x89HDF\r\n\x1a\n", whole[:1000], whole[:len(whole) // 2], bytes(5000)):
            (self.folder / "broken.h5").write_bytes(content)
            self.refused("info", "broken.h5", contains="broken.h5")
            self.refused("export", "broken.h5", contains="broken.h5")
        with h5py.File(self.folder / "other.h5", "w") as h5:
            h5["time"] = np.arange(5.0)
        self.refused("info", "other.h5", contains="other.h5")

    def test_a_result_without_room_for_more_is_not_gone_on_with(self):
        out = self.run_pendulum()
        with h5py.File(out / "new.h5", "w") as new:
            for name, data in datasets(out / "result.h5").items():
                new.create_dataset(name, data=data)
        (out / "new.h5").rename(out / "result.h5")
        self.refused("resume", out, "-d", "100", contains=["was rewritten", "start anew"])

    def test_hostile_names_survive(self):
        self.ok("check", SCENES / "hostile.json")
        text = self.ok("run", SCENES / "hostile.json", "-o", "out")
        info = self.ok("info", "out", "--all", env={"LC_ALL": "C.UTF-8"}) + self.ok("check", SCENES / "hostile.json") + text
        self.assertNotIn("\x1b", info)
        self.assertIn("…", info)
        rows = list(csv.reader(io.StringIO((self.folder / "out" / "signals.csv").read_text(), newline="")))
        self.assertEqual(rows[0], ["time [s]", 'a,"b"/c.velocity.x [m/s]', "[brackets] $x 'q' \\.position.x [m]"])
        self.assertEqual({len(row) for row in rows}, {3})
        self.assertIn('a,"b"/c', summary(self.folder / "out")["bodies"])
        everything = list(csv.reader(io.StringIO(self.ok("export", "out"), newline="")))
        self.assertEqual({len(row) for row in everything}, {len(everything[0])})
        names = [row.split(" [")[0] for row in everything[0]]
        self.assertIn("Ünïcödé 体.orientation.w", names)
        one = self.ok("export", "out", "--signals", 'a,"b"/c.velocity.x')
        self.assertTrue(one.startswith('time [s],"a,""b""/c.velocity.x [m/s]"\n0,1\n'), one[:80])

    def test_threads_change_nothing(self):
        for threads in ("1", "2"):
            self.ok("run", SCENES / "long-chain.json", "-q", "--threads", threads, "-o", threads)
        self.assertEqual(differing(self.folder / "1" / "result.h5", self.folder / "2" / "result.h5"), [])
        self.assertEqual(summary(self.folder / "1"), summary(self.folder / "2"))
        self.assertEqual(checkpoint_state(self.folder / "1"), checkpoint_state(self.folder / "2"))


class Terminal(Case):
    """What only a terminal gets."""

    def on_terminal(self, *arguments, env=None):
        leader, follower = pty.openpty()
        process = subprocess.Popen([CAROM, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=follower, stderr=follower, env={**os.environ, "TERM": "xterm", **(env or {})})
        os.close(follower)
        seen = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            seen += part
        os.close(leader)
        self.assertEqual(process.wait(), 0, seen)
        return seen.decode(errors="replace")

    def test_progress_bar_only_there(self):
        seen = self.on_terminal("run", SCENES / "chain.json", "--duration", "60", "-o", "out")
        seen = re.sub(r"\x1b\[[0-9;]*m", "", seen)
        self.assertRegex(seen, r"\r\[=* *\] +\d+%  t [\d.e-]+ / 60 s  dt .* steps/s .* left")
        self.assertIn("done at t = 60 s", seen)
        self.assertNotIn("%", self.on_terminal("run", SCENES / "chain.json", "--duration", "1", "-q", "-o", "out"))
        done = self.carom("run", SCENES / "chain.json", "--duration", "5", "-o", "out")
        self.assertEqual(done.stderr, "")
        self.assertNotIn("\r", done.stdout)

    def test_colour_only_there_and_not_with_no_color(self):
        self.ok("run", SCENES / "pendulum.json", "-q", "-o", "out")
        self.assertIn("\x1b[1m", self.on_terminal("info", "out"))
        self.assertNotIn("\x1b", self.on_terminal("info", "out", env={"NO_COLOR": "1"}))
        self.assertNotIn("\x1b", self.on_terminal("info", "out", env={"TERM": "dumb"}))


# Seconds of wall time: much longer than what happens to the run meanwhile, on a busy machine too. Sanitizers make a second
# of it out of less.
LONGER = ("-d", "60" if "ASAN_OPTIONS" in os.environ else "360")


class Resume(Case):
    def start(self, *options):
        """A run in the background, which takes checkpoints all the time."""
        return subprocess.Popen([CAROM, *map(str, options), "--checkpoint-every", "0.05"], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def frames_so_far(self):
        """Frames in the file of a run that goes on; 0 while the file is being replaced."""
        try:
            with h5py.File(self.folder / "out" / "result.h5", "r", locking=False) as h5:
                return len(h5["time"])
        except (OSError, KeyError):
            return 0

    def wait_for_progress(self, process):
        """Until more than the first frame is saved, which every run does at its start."""
        self.wait_for_checkpoint(process)
        self.assertTrue(wait_until(lambda: self.frames_so_far() > 1, 30), "no second frame")
        self.assertIsNone(process.poll(), "ended before it was interrupted")

    def wait_for_checkpoint(self, process, later_than=0.0):
        checkpoint = self.folder / "out" / "checkpoint.bin"

        def is_there():
            if checkpoint.exists() and checkpoint.stat().st_mtime > later_than:
                return True
            self.assertIsNone(process.poll(), "ended before its first checkpoint")
            return False

        self.assertTrue(wait_until(is_there, 30), "no checkpoint")

    def check_same_as_whole(self):
        self.assertEqual(differing(self.folder / "whole" / "result.h5", self.folder / "out" / "result.h5"), [])
        self.assertEqual(summary(self.folder / "whole"), summary(self.folder / "out"))
        self.assertEqual(checkpoint_state(self.folder / "whole"), checkpoint_state(self.folder / "out"))
        self.assertEqual((self.folder / "whole" / "signals.csv").read_bytes(),
                         (self.folder / "out" / "signals.csv").read_bytes())

    def check_is_a_beginning(self):
        """After kill -9: plain h5py opens the file, and all frames counted by `time` are those of the whole run."""
        whole, part = datasets(self.folder / "whole" / "result.h5"), datasets(self.folder / "out" / "result.h5")
        frames = len(part["time"])
        for name, values in whole.items():
            if name == "time" or name.split("/")[0] in ("ledger", "solver") or name.endswith(
                    ("value", "rate", "position", "orientation", "velocity", "force", "torque")):
                self.assertTrue(np.array_equal(part[name][:frames], values[:frames]), name)
        return frames

    def kill(self, process, delay):
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return process.returncode == -signal.SIGKILL

    def test_two_runs_do_not_share_a_folder(self):
        process = self.start("run", SCENES / "chain.json", "-q", "-d", "10000", "-o", "out")
        self.wait_for_checkpoint(process)
        note = (self.folder / "out" / "run.txt").read_bytes()
        self.refused("run", SCENES / "pendulum.json", "-o", "out", contains="out' is in use by another run")
        self.refused("resume", "out", contains="is in use by another run")
        self.assertEqual((self.folder / "out" / "run.txt").read_bytes(), note)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=patience(300))
        self.assertEqual(process.returncode, 130, errors)
        self.assertFalse((self.folder / "out" / ".lock").exists())

    def test_two_runs_started_at_once(self):
        for _ in range(5):
            both = [self.start("run", SCENES / "chain.json", "-q", "--no-report", "-d", "10", "-o", "out", "--set",
                               f"gravity=[0,0,-{1 + k}]") for k in range(2)]
            errors = [process.communicate(timeout=patience(120))[1] for process in both]
            codes = [process.returncode for process in both]
            self.assertIn(sorted(codes), [[0, 2], [0, 0]], errors)  # 0, 0: one after the other
            for code, message in zip(codes, errors):
                self.assertIn("" if code == 0 else "is in use by another run", message)
            if 2 in codes:
                won = codes.index(0)
                self.assertIn(f"set gravity=[0,0,-{1 + won}]", (self.folder / "out" / "run.txt").read_text())
            self.assertEqual(summary(self.folder / "out")["status"], "done")
            self.ok("resume", "out", "-q")

    def test_killed_resume_is_unfinished(self):
        self.ok("run", SCENES / "chain.json", "-q", "-o", "out", "-d", "1")
        self.assertEqual(summary(self.folder / "out")["status"], "done")
        now = time.time()
        process = self.start("resume", "out", "-q", "-d", "1000")
        self.wait_for_checkpoint(process, later_than=now)
        self.assertTrue(self.kill(process, 0.05))
        self.assertFalse((self.folder / "out" / "summary.json").exists())
        self.assertIn("unfinished", self.ok("info", "out"))
        self.refused("resume", "out", "-d", "0.5", contains="already reached")  # the lock of the dead is no lock

    def test_terminate_within_a_step_of_many_frames(self):
        process = self.start("run", SCENES / "pendulum.json", "-o", "out", "--set", "record.every=1e-7")
        self.wait_for_checkpoint(process)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=patience(10))  # all frames take hours
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("interrupted at t =", output)
        self.assertEqual(summary(self.folder / "out")["status"], "interrupted")

    def test_kill_then_resume_gives_the_same_bits(self):
        self.ok("run", SCENES / "chain.json", "-q", *LONGER, "-o", "whole", timeout=300)
        dice = random.Random(1)
        kills, reached = 0, []
        process = self.start("run", SCENES / "chain.json", "-q", *LONGER, "-o", "out")
        self.wait_for_progress(process)
        for _ in range(6):
            if not self.kill(process, dice.uniform(0.0, 0.3)):
                break
            kills += 1
            reached.append(self.check_is_a_beginning())
            now = time.time()
            process = self.start("resume", "out", "-q")
            if dice.random() < 0.7:  # else: killed again before anything was saved
                try:
                    self.wait_for_checkpoint(process, later_than=now)
                except AssertionError:
                    break
        _, errors = process.communicate(timeout=patience(300))
        if process.returncode != 0:
            self.ok("resume", "out", "-q", timeout=300)
        self.assertGreaterEqual(kills, 2, errors)
        self.assertGreater(max(reached), 1)
        self.check_same_as_whole()

    def test_interrupt_saves_and_resumes(self):
        self.ok("run", SCENES / "chain.json", "-q", *LONGER, "-o", "whole", timeout=300)
        process = self.start("run", SCENES / "chain.json", *LONGER, "-o", "out")
        self.wait_for_progress(process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=patience(60))
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("interrupted at t =", output)
        self.assertIn("carom resume out", errors)
        self.assertEqual(summary(self.folder / "out")["status"], "interrupted")
        self.assertGreater(self.check_is_a_beginning(), 1)
        self.assertIn(f"done at t = {LONGER[1]} s", self.ok("resume", "out", timeout=300))
        self.check_same_as_whole()

    def test_resume_goes_beyond_the_end(self):
        self.ok("run", SCENES / "pendulum.json", "-q", "-o", "out")
        self.ok("resume", "out", "-q")
        self.assertEqual(len(datasets(self.folder / "out" / "result.h5")["time"]), 101)
        self.ok("resume", "out", "--duration", "2", "-q")
        self.assertEqual(len(datasets(self.folder / "out" / "result.h5")["time"]), 201)
        self.assertEqual(summary(self.folder / "out")["time"], 2.0)

    def test_resume_keeps_overrides_and_refuses_changes(self):
        scene = self.folder / "mine.json"
        scene.write_text((SCENES / "pendulum.json").read_text())
        self.ok("run", "mine.json", "-q", "-o", "out", "--set", "bodies.rod.density=500", "--duration", "0.3")
        self.ok("resume", "out", "-q")
        self.assertEqual(len(datasets(self.folder / "out" / "result.h5")["time"]), 31)
        original = scene.read_text()
        scene.write_text(original.replace("9.81", "1.62"))
        self.refused("resume", "out", contains="another model")
        scene.rename(self.folder / "moved.json")
        self.refused("resume", "out", contains=["mine.json", "--scene"])
        (self.folder / "moved.json").write_text(original)
        self.ok("resume", "out", "-q", "--scene", "moved.json")

    def test_damaged_runs_are_refused(self):
        self.ok("run", SCENES / "pendulum.json", "-q", "-o", "out")
        out = self.folder / "out"
        whole = (out / "checkpoint.bin").read_bytes()
        for content in (b"", whole[:100], whole[:-1], whole[:200] + b"X" + whole[201:], whole + b"more"):
            (out / "checkpoint.bin").write_bytes(content)
            self.refused("resume", "out", contains="checkpoint.bin")
        (out / "checkpoint.bin").write_bytes(whole)
        (out / "result.h5").write_bytes(b"nothing")
        self.refused("resume", "out", contains="result.h5")
        (out / "checkpoint.bin").unlink()
        self.refused("resume", "out", contains="no checkpoint")
        self.refused("resume", self.folder, contains="run.txt")


if __name__ == "__main__":
    unittest.main(verbosity=2)
