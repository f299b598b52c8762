"""What people see in a terminal: 'carom info', progress bars, colours; and that pipes get none of the latter."""
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import unicodedata
import unittest

import h5py
import numpy as np

from support import CAROM, SCENES, SOURCE, Case, summary

UTF8 = {"LC_ALL": "C.UTF-8"}
BLOCKS = "▁▂▃▄▅▆▇█"
SGR = re.compile(r"\x1b\[[0-9;]*m")


def plain(text):
    """Without colours."""
    return SGR.sub("", text)


def columns(line):
    """As terminals count them."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def widest(text):
    return max((columns(line) for line in plain(text).splitlines()), default=0)


def on_terminal(*arguments, cwd, width=80, env=None, on_sight=None, code=0):
    """Everything the program writes to a terminal of this width. on_sight: a text after which Ctrl-C is pressed."""
    leader, follower = pty.openpty()
    fcntl.ioctl(leader, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    environment.update({"TERM": "xterm", **UTF8, **(env or {})})
    process = subprocess.Popen([CAROM, *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL, stdout=follower,
                               stderr=follower, env=environment)
    os.close(follower)
    seen = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
        if on_sight and on_sight.encode() in seen:
            process.send_signal(signal.SIGINT)
            on_sight = None
    os.close(leader)
    assert process.wait() == code, (process.returncode, seen.decode(errors="replace"))
    text = seen.decode(errors="replace").replace("\r\n", "\n")
    assert "Sanitizer" not in text and "runtime error:" not in text, text
    return text


def box(file, size=1.0):
    """A cube as a mesh."""
    corners = [(size * (i & 1), size * (i >> 1 & 1), size * (i >> 2)) for i in range(8)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    file.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in corners) +
                    "".join("f " + " ".join(str(i + 1) for i in face) + "\n" for face in faces))
    return file


class Info(Case):
    def setUp(self):
        super().setUp()
        self.ok("run", SCENES / "pendulum.json", "-q", "-o", "pendulum")
        self.ok("run", SOURCE / "examples" / "scenes" / "stack.json", "-q", "-d", "0.2", "-o", "stack")

    def row(self, text, name):
        """The numbers of the row of a table that begins with this name."""
        for line in text.splitlines():
            if line.startswith(f"  {name}  "):
                return [float(word) for word in re.findall(r"(?<![\w.])-?\d[\d.]*(?:e[+-]?\d+)?(?![\w.])",
                                                           line[2 + len(name):])]
        self.fail(f"no row '{name}' in\n{text}")

    def test_ledger_is_that_of_the_file(self):
        text = self.ok("info", "stack").split("\nEnergy\n")[1]
        with h5py.File(self.folder / "stack" / "result.h5") as h5:
            for name in ("energy.kinetic", "energy.potential", "energy.elastic", "lost.contact", "momentum.z"):
                values = h5[f"ledger/{name}"][()]
                expected = [values[0], values[-1], np.abs(values).max()]
                np.testing.assert_allclose(self.row(text, name), expected, rtol=1e-3, atol=1e-9, err_msg=name)
        energy = summary(self.folder / "stack")["energy"]
        worst = energy["worst_balance_error"]
        self.assertAlmostEqual(self.row(text, "energy.residue")[2] / worst, 1.0, delta=0.01)
        said = re.search(r"numerics made or lost (\S+) J at worst, (\S+)\s+of the\s+(energy|largest)", text)
        self.assertAlmostEqual(float(said[2]) / (worst / energy["turned_over"]), 1.0, delta=0.06)

    def test_verdict_is_in_words(self):
        self.assertIn("alanced", self.ok("info", "pendulum"))
        file = self.folder / "pendulum" / "summary.json"
        content = json.loads(file.read_text())
        for error, word in ((1e-12, "Balanced to rounding"), (1e9, "Do not trust this run")):
            content["energy"]["worst_balance_error"] = error
            with h5py.File(self.folder / "pendulum" / "result.h5", "r+") as h5:
                h5["ledger/energy.residue"][...] = 0.0
            file.write_text(json.dumps(content))
            self.assertIn(word, self.ok("info", "pendulum"))

    def test_sparklines_are_of_the_main_signals(self):
        text = self.ok("info", "pendulum", env=UTF8)
        lines = [line for line in text.splitlines() if set(BLOCKS) & set(line) and line.rstrip()[-1] not in BLOCKS]
        names = [line.split()[0] for line in lines]
        with h5py.File(self.folder / "pendulum" / "result.h5") as h5:
            recorded = [name.decode() for name in h5["signals/name"]]
        self.assertEqual(names[:len(recorded)], recorded)
        self.assertIn("energy.kinetic", names)
        plain_text = self.ok("info", "pendulum", env={"LC_ALL": "C"})
        self.assertTrue(plain_text.isascii())
        self.assertRegex(plain_text, r"energy\.kinetic +\S+ [_.~+*%#-]{20,} ")

    def test_all_shows_every_signal(self):
        with h5py.File(self.folder / "pendulum" / "result.h5") as h5:
            count = len(h5["signals/name"])
        text = self.ok("info", "--all", "pendulum", env=dict(UTF8, COLUMNS="160"))
        shown = re.findall(r"^  (\S+)  +\S+ [▁▂▃▄▅▆▇█]+ ", text, re.M)
        self.assertEqual(len(shown), len(set(shown)))
        self.assertGreater(len(shown), count + 30)
        for name in ("hinge.torque.z", "rod.orientation.w", "solver.steps", "momentum.residue.x"):
            self.assertIn(name, shown)

    def pair_rows(self, name, **how):
        """Of the table of touching pairs: {(A, B): numbers}."""
        text = self.ok("info", name, **how).split("\nContacts\n")[1]
        rows = re.findall(r"^  (\S+)  +(\S+)  +(\S+)  +(\S+)  +(\S+)  +(\S+)  +(\S+)$", text, re.M)
        return {row[:2]: [float(word) for word in row[2:]] for row in rows if row[2][0].isdigit()}

    def test_pairs_are_of_all_steps(self):
        """Balls of a cradle touch for less than the time between frames; each impact passes on a momentum of m v."""
        self.ok("run", SOURCE / "examples" / "scenes" / "newtons-cradle.json", "-o", "cradle", "-q", "--no-report",
                "--duration", "0.5")
        with h5py.File(self.folder / "cradle" / "result.h5") as h5:
            self.assertEqual(h5["contacts/count"][()].sum(), 0)
            speed = np.abs(h5["events/speed"][0])
            mass = h5["bodies/mass"][0]
        rows = self.pair_rows("cradle")
        self.assertEqual(len(rows), 4)
        for pair, (first, lasted, peak, impulse, depth) in rows.items():
            self.assertAlmostEqual(impulse / (mass * speed), 1.0, delta=2e-2, msg=pair)  # the rest stays behind
            self.assertGreater(2.0 * impulse / peak, 0.5 * lasted)
            self.assertTrue(0.3 < first < 0.4 and 0.0 < depth < 1e-3)

    def test_pairs_against_the_frames(self):
        (self.folder / "stack" / "summary.json").rename(self.folder / "summary.json")  # as after a kill
        rows = self.pair_rows("stack")
        with h5py.File(self.folder / "stack" / "result.h5") as h5:
            bodies = [name.decode() for name in h5["bodies/name"]]
            t, first, count = h5["time"][()], h5["contacts/first"][()], h5["contacts/count"][()]
            a, b = h5["contacts/body_a"][()], h5["contacts/body_b"][()]
            force, normal, gap = h5["contacts/force"][()], h5["contacts/normal"][()], h5["contacts/gap"][()]
        pairs = {}
        for k in range(len(t)):
            for i in range(int(first[k]), int(first[k] + count[k])):
                frames = pairs.setdefault((bodies[int(a[i])], bodies[int(b[i])]), {})
                sums = frames.setdefault(k, [np.zeros(3), np.zeros(3), 0.0])
                sums[0] = sums[0] + force[i]
                sums[1] = sums[1] + (force[i] @ normal[i]) * normal[i]
                sums[2] = max(sums[2], -gap[i])
        self.assertGreater(len(pairs), 3)
        self.assertEqual(set(rows), set(pairs))
        for pair, frames in pairs.items():
            push = np.array([np.linalg.norm(frames[k][1]) if k in frames else 0.0 for k in range(len(t))])
            touch = np.array([float(k in frames) for k in range(len(t))])
            expected = [t[min(frames)], np.trapz(touch, t), max(np.linalg.norm(f[0]) for f in frames.values()),
                        np.trapz(push, t), max(f[2] for f in frames.values())]
            np.testing.assert_allclose(rows[pair], expected, rtol=6e-3, atol=1e-9, err_msg=str(pair))

    def test_events(self):
        with h5py.File(self.folder / "stack" / "result.h5") as h5:
            times, speeds = h5["events/time"][()], h5["events/speed"][()]
        self.assertGreater(len(times), 10)
        listed = self.ok("info", "stack", "--events").splitlines()[1:]
        self.assertEqual(len(listed), len(times))
        np.testing.assert_allclose([float(line.split()[0]) for line in listed], times, rtol=1e-6)
        np.testing.assert_allclose([float(line.split()[-1]) for line in listed], speeds, rtol=1e-3)
        text = self.ok("info", "stack")
        self.assertIn(f"{len(times)} events", text)
        self.assertIn("--events lists all", text)
        self.assertIn("no events", self.ok("info", "pendulum", "--events"))

    def test_solver_and_phases(self):
        text = self.ok("info", "stack", env=UTF8)
        said = json.loads((self.folder / "stack" / "summary.json").read_text())
        self.assertRegex(text, rf"steps +{said['steps']}\n")
        self.assertRegex(text, rf"evaluations +{said['evaluations']}, ")
        parts = re.findall(r"^  [a-z ]+?  +\S+  +([\d.]+)  ?█*.?$", text.split("Wall time")[1].split("signals")[0], re.M)
        self.assertAlmostEqual(sum(map(float, parts)), 100.0, delta=0.5)

    def test_lines_fit_the_screen(self):
        for name in ("pendulum", "stack"):
            self.assertLessEqual(widest(self.ok("info", name, env=UTF8)), 80, name)
            for width in (80, 100, 120, 200):
                self.assertLessEqual(widest(on_terminal("info", name, cwd=self.folder, width=width)), width, name)

    def test_an_unfinished_run_and_a_bare_file(self):
        (self.folder / "stack" / "summary.json").unlink()
        self.assertIn("unfinished", self.ok("info", "stack"))
        (self.folder / "stack" / "result.h5").rename(self.folder / "bare.h5")
        self.assertIn("energy.kinetic", self.ok("info", "bare.h5"))
        (self.folder / "summary.json").write_text('{"status": 3, "phases": [1], "wall_s": "x", "energy": null')
        self.assertIn("remove it to look", self.carom("info", "bare.h5").stderr)  # cut: findings may be missing
        (self.folder / "summary.json").write_text('{"status": 3, "phases": [1], "wall_s": "x", "energy": null}')
        self.assertIn("energy.kinetic", self.ok("info", "bare.h5"))


class Hostile(Case):
    NAMES = ["\x9b31mred", "left\u202eright", "\u2066isolate\u2069", "日本語の名前", "🚀🚀", "עברית", "e\u0301",
             "</script>", "x" * 200, "%s%n", "é" * 100, "\u2028line"]

    def scene(self):
        bodies = [{"name": name, "mass": 1, "position": [0, 0, i], "velocity": [i, 0, 0], "shape": {"sphere": 0.6}}
                  for i, name in enumerate(self.NAMES)]
        content = {"carom": 1, "name": "\x9b2J\u202e 日本" * 1000, "time": {"end": 0.01}, "bodies": bodies,
                   "contact": {"method": "compliant", "law": {"linear": {"k": 1000}}},
                   "record": {"every": 0.001, "signals": [f"{name}.velocity.x" for name in self.NAMES]}}
        file = self.folder / "hostile.json"
        file.write_text(json.dumps(content))
        return file

    def test_names_do_no_harm(self):
        self.ok("run", self.scene(), "-q", "-o", "out")
        for width in (80, 120):
            for words in (("info", "out"), ("info", "out", "--all"), ("info", "out", "--events"), ("check", self.scene())):
                text = plain(on_terminal(*words, cwd=self.folder, width=width))
                for code in [*range(0, 10), *range(11, 32), *range(0x7f, 0xa0), *range(0x202a, 0x202f),
                             *range(0x2066, 0x206a), 0x2028, 0xfffd]:
                    self.assertNotIn(chr(code), text, f"U+{code:04X} in {words[0]}")
                self.assertIn("日本", text)
                if words[0] == "info":
                    self.assertLessEqual(widest(text), width, words)

    def test_messages_are_clean_too(self):
        text = self.refused("info", "no\x1b[31m\u202e\u009bsuch")
        for part in ("\x1b", "\u202e", "\u009b"):
            self.assertNotIn(part, text)
        done = subprocess.run([CAROM, "info", b"no\xff\xfesuch"], capture_output=True, check=False)
        self.assertIn(b"no??such", done.stderr)

    def test_wide_characters_keep_columns_straight(self):
        self.ok("run", self.scene(), "-q", "-o", "out")
        text = self.ok("info", "out", env=UTF8)
        table = text.split("Bodies at the end\n")[1].split("\n\n")[0].splitlines()
        self.assertEqual(len({columns(line) for line in table}), 1, "\n".join(table))


class Progress(Case):
    def mesh_scene(self, resolution):
        box(self.folder / "statue.obj")
        file = self.folder / "statue.json"
        file.write_text(json.dumps({
            "carom": 1, "time": {"end": 0.01}, "contact": {"method": "compliant", "features": "points",
                                                              "law": {"linear": {"k": 1e5}}},
            "bodies": [{"name": "statue", "density": 1000, "shape": {"mesh": "statue.obj"}},
                       {"name": "ball", "mass": 1, "position": [0, 0, 3], "shape": {"sphere": 0.1}}]}))
        return file, {"CAROM_CACHE": ""}, f"contact.resolution={resolution}"

    def redraws(self, text):
        """What the line showed, one after the other."""
        return [part.rstrip() for part in re.split(r"[\r\n]", plain(text)) if "%" in part]

    def test_runs_fill_the_width_and_no_more(self):
        for width in (40, 60, 80, 120):
            seen = on_terminal("run", SCENES / "chain.json", "-d", "30", "-o", "out", cwd=self.folder, width=width)
            bars = self.redraws(seen)
            self.assertTrue(bars)
            for bar in bars:
                self.assertLess(columns(bar), width)
                self.assertRegex(bar, r"^\[=* *\] +\d+%.* left$")
            self.assertIn("done at t = 30 s", seen)

    def test_fields_show_how_far_they_are(self):
        scene, env, resolution = self.mesh_scene(96)
        for words in (("check", scene, "--set", resolution), ("run", scene, "--set", resolution, "-o", "out"),
                      ("sdf", "build", "statue.obj", "-r", 96, "--no-cache")):
            seen = on_terminal(*words, cwd=self.folder, env=env)
            shown = self.redraws(seen)
            self.assertRegex(shown[0], r"^building the distance field of statue\.obj \[=* *\] +\d+%$", words)
            self.assertLess(max(map(columns, shown)), 80)
        quiet = on_terminal("run", scene, "-q", "--set", resolution, "-o", "out", cwd=self.folder, env=env)
        self.assertEqual(quiet, "")

    def test_nothing_is_built_when_the_cache_has_it(self):
        scene, _, resolution = self.mesh_scene(32)
        env = {"CAROM_CACHE": str(self.folder / "cache")}
        self.assertIn("building", on_terminal("check", scene, "--set", resolution, cwd=self.folder, env=env))
        self.assertNotIn("building", on_terminal("check", scene, "--set", resolution, cwd=self.folder, env=env))

    def test_ctrl_c_while_building(self):
        scene, env, resolution = self.mesh_scene(640)
        for words in (("check", scene, "--set", resolution), ("run", scene, "--set", resolution, "-o", "out"),
                      ("sdf", "build", "statue.obj", "-r", 200, "--kind", "dense", "--no-cache")):
            seen = on_terminal(*words, cwd=self.folder, env=env, on_sight="building", code=130)
            self.assertIn("building the distance field of statue.obj was interrupted", plain(seen))
        self.assertFalse((self.folder / "out").exists())

    def test_papers_say_which_item_runs(self):
        seen = on_terminal("papers", "1", "--quick", "--item", "two sliders", cwd=self.folder, on_sight="item 1 of 1",
                           code=130)
        self.assertIn("paper 1, item 1 of 1 (two sliders): ", plain(seen))

    def test_pipes_get_none_of_it(self):
        scene, env, resolution = self.mesh_scene(96)
        for words in (("check", scene, "--set", resolution), ("run", scene, "--set", resolution, "-o", "out"),
                      ("run", SCENES / "chain.json", "-d", "20", "-o", "chain"), ("info", "chain"),
                      ("sdf", "build", "statue.obj", "-r", 96, "--no-cache")):
            done = self.carom(*words, env=env)
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
            self.assertNotIn("\r", done.stdout)
            self.assertNotIn("\x1b", done.stdout)


class Colour(Case):
    """NO_COLOR as https://no-color.org has it: any value but an empty one."""

    def test_only_on_terminals_and_never_with_no_color(self):
        self.ok("run", SCENES / "pendulum.json", "-q", "-o", "out")
        words = {"info": (("info", "out"), 0), "run": (("run", SCENES / "chain.json", "-d", "30", "-o", "chain"), 0),
                 "error": (("info", "nowhere"), 2)}
        for name, (line, code) in words.items():
            self.assertRegex(on_terminal(*line, cwd=self.folder, code=code), SGR, name)
            self.assertRegex(on_terminal(*line, cwd=self.folder, code=code, env={"NO_COLOR": ""}), SGR, name)
            self.assertNotRegex(on_terminal(*line, cwd=self.folder, code=code, env={"NO_COLOR": "1"}), SGR, name)
            dumb = on_terminal(*line, cwd=self.folder, code=code, env={"TERM": "dumb"})
            self.assertNotIn("\x1b", dumb, name)
            self.assertNotIn("\r", dumb, name)
        self.assertIn("%", on_terminal(*words["run"][0], cwd=self.folder, env={"NO_COLOR": "1"}))

    def test_one_stream_may_be_a_pipe(self):
        leader, follower = pty.openpty()
        done = subprocess.run([CAROM, "info", "nowhere"], stdout=follower, stderr=subprocess.PIPE, check=False,
                              env={**os.environ, "TERM": "xterm"}, text=True)
        os.close(follower)
        os.close(leader)
        self.assertTrue(done.stderr.startswith("carom: "))


if __name__ == "__main__":
    unittest.main()
