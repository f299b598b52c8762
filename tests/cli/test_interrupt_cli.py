"""Ctrl-C and SIGTERM: the program ends at once wherever it is, what it has written can be read, and the run goes on as if it had
never stopped."""
import json
import os
import random
import signal
import struct
import subprocess
import sys
import time
import unittest

from support import CAROM, Case, differing, patience, summary, wait_until

INTERRUPTED = 130
PROMPT = 1  # [s] on an idle machine


def bricks(rows, duration, mu=0.45):
    """A pyramid of bricks that lie in contact from the start: many solutions share their weight, which is slow work."""
    w, h = 0.09, 0.07
    bodies = [{"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}}]
    for row in range(rows):
        for k in range(rows - row):
            bodies.append({"name": f"brick {row}.{k}", "density": 900, "shape": {"box": [w, 0.08, h]},
                           "position": [w * (k + 0.5 * row), 0, h * (row + 0.5)]})
    return {"carom": 1, "gravity": [0, 0, -9.81], "time": {"end": duration},
            "contact": {"method": "impact", "restitution": 0.4, "friction": {"coulomb": mu}}, "bodies": bodies,
            "record": {"every": duration / 50}}


def cylinders():
    """A tower of cylinders on their rims, the upper ones pushed: impacts of many contacts at the very start."""
    bodies = [{"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}}]
    for k in range(4):
        bodies.append({"name": f"can {k}", "density": 400 * (k + 1), "position": [0.004 * k, 0, 0.06 + 0.12 * k],
                       "shape": {"cylinder": {"radius": 0.05, "length": 0.12}}, "velocity": [0.3 * (k > 1), 0, 0]})
    return {"carom": 1, "gravity": [0, 0, -9.81], "time": {"end": 0.2},
            "contact": {"method": "impact", "restitution": 0.8, "friction": {"coulomb": 0.5}}, "bodies": bodies}


def swing(method):
    """A block that sticks and slides to and fro, and a ball that bounces beside it: many events, some seconds of computing."""
    return {"carom": 1, "gravity": [0, 0, -9.81], "time": {"end": 20 if method == "impact" else 5},
            "contact": {"method": method, "restitution": 0.9, "friction": {"coulomb": 0.3}, "law": {"hunt-crossley": {"k": 1e5}}},
            "bodies": [{"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}},
                       {"name": "block", "mass": 2, "shape": {"box": [0.2, 0.3, 0.1]}, "position": [0, 0, 0.05]},
                       {"name": "ball", "mass": 0.2, "shape": {"sphere": 0.05}, "position": [0, 1, 2]}],
            "forces": [{"name": "push", "type": "load", "body": "block", "force": ["9*sin(5*t)", 0, 0]}],
            "record": {"every": 0.01}}


def names_can_be_left_out(folder):
    """Whether files without a name exist in this file system (Linux; not NFS)."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
        return True
    except (AttributeError, OSError):
        return False


class Leftovers(Case):
    """Whatever ends a command that writes a file, nothing half done remains."""

    def files(self):
        return sorted(str(f.relative_to(self.folder)) for f in self.folder.rglob("*") if f.is_file())

    def end(self, command, wait, how):
        """The command's process group gets the signal, as from a terminal."""
        process = subprocess.Popen([CAROM, *command], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)
        time.sleep(wait)
        try:
            os.killpg(process.pid, how)
        except ProcessLookupError:
            pass  # done already
        process.wait(timeout=patience(20))
        wait_until(lambda: not self.is_running(process.pid), 5)

    def is_running(self, group):
        try:
            os.killpg(group, 0)
            return True
        except (ProcessLookupError, PermissionError):
            return False

    def test_no_temporary_file_remains(self):
        if not names_can_be_left_out(self.folder):
            self.skipTest("this file system knows no files without a name")
        scene = {**swing("compliant"), "time": {"end": 3}, "record": {"every": 0.0005}}
        (self.folder / "scene.json").write_text(json.dumps(scene))
        self.ok("run", "scene.json", "-q", "--no-report", "-o", "out", timeout=120)
        before = self.files()
        commands = [(["export", "out", "-o", "all.csv"], "all.csv"), (["export", "out", "-o", "all.npz"], "all.npz"),
                    (["view", "out", "--no-open", "-o", "page.html"], "page.html"),
                    (["plot", "out", "-y", "block.position.x", "-o", "plot.svg"], "plot.svg")]
        for command, file in commands:
            whole = self.folder / file
            begin = time.monotonic()
            self.ok(*command)
            lasts, size = time.monotonic() - begin, whole.stat().st_size
            for k in range(6):
                whole.unlink(missing_ok=True)
                how = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[k % 3]
                self.end(command, lasts * (k + 1) / 7, how)
                with self.subTest(command=command[0], after=k, how=how):
                    self.assertEqual([f for f in self.files() if f not in before + [file]], [])
                    if whole.exists():
                        self.assertAlmostEqual(whole.stat().st_size, size, delta=20)  # pages say when they were made
            whole.unlink(missing_ok=True)


class Interrupt(Case):
    def write(self, name, scene):
        (self.folder / name).write_text(json.dumps(scene))
        return name

    def stop(self, command, wait, how):
        """Starts a command, sends the signal after `wait` seconds, and measures how long it takes to end."""
        process = subprocess.Popen([CAROM, *command], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        time.sleep(wait)
        begin = time.monotonic()
        process.send_signal(how)
        _, complaint = process.communicate(timeout=patience(20))
        self.assertNotIn("Sanitizer", complaint)
        return process.returncode, time.monotonic() - begin, complaint

    def check_stopped(self, answer, out):
        code, seconds, complaint = answer
        if code in (-signal.SIGINT, -signal.SIGTERM):
            return False  # before main
        self.assertIn(code, (0, INTERRUPTED), complaint)
        self.assertLess(seconds, patience(PROMPT), complaint)
        if not (self.folder / out / "checkpoint.bin").exists():
            self.assertNotIn("carom resume", complaint)
            return False
        self.assertEqual(self.carom("info", out).returncode, 0)
        return code == INTERRUPTED

    def test_hard_work_ends_at_once_and_goes_on(self):
        for name, scene in (("wall", bricks(3, 0.3)), ("tower", cylinders())):
            file = self.write(f"{name}.json", scene)
            for k, wait in enumerate((0.05, 0.2, 0.6, 1.5)):
                out = f"{name}-{k}"
                how = (signal.SIGINT, signal.SIGTERM)[k % 2]
                with self.subTest(scene=name, after=wait):
                    answer = self.stop(["run", file, "-o", out], wait, how)
                    if self.check_stopped(answer, out):
                        if "within a step" not in answer[2]:  # a step that does not end in time leaves no summary
                            self.assertEqual(summary(self.folder / out)["status"], "interrupted")
                        again = self.stop(["resume", out, "-q"], 0.5, how)
                        self.check_stopped(again, out)

    def test_any_moment_resumes_bit_for_bit(self):
        for method in ("impact", "compliant"):
            file = self.write(f"{method}.json", swing(method))
            self.ok("run", file, "-q", "-o", f"{method}-whole", timeout=120)
            out = f"{method}-out"
            dice = random.Random(5)
            command = ["run", file, "-q", "-o", out]
            for k in range(5):
                self.check_stopped(self.stop(command, dice.uniform(0.1, 0.6), signal.SIGINT), out)
                command = ["resume", out, "-q"] if (self.folder / out / "checkpoint.bin").exists() else command
            self.ok(*command, timeout=120)
            self.assertEqual(differing(self.folder / f"{method}-whole" / "result.h5", self.folder / out / "result.h5"), [])

    def test_a_start_that_is_interrupted_is_begun_again(self):
        """Whatever takes long before the first frame: the run can be resumed from its assembled start."""
        file = self.write("wall.json", bricks(2, 0.02))
        self.ok("run", file, "-q", "-o", "whole")
        for k in range(6):
            out = f"out-{k}"
            self.check_stopped(self.stop(["run", file, "-q", "-o", out], 0.03 + 0.03 * k, signal.SIGTERM), out)
            if (self.folder / out / "checkpoint.bin").exists():
                self.ok("resume", out, "-q")
                self.assertEqual(differing(self.folder / "whole" / "result.h5", self.folder / out / "result.h5"), [])

    def test_nothing_half_written_stays(self):
        self.ok("run", self.write("swing.json", swing("impact")), "-q", "-o", "out", timeout=120)
        for k in range(12):
            for name in ("out.csv", "out.npz", "out.glb", "out.html"):
                command = ["view", "out", "-o", name, "--no-open"] if name.endswith("html") else ["export", "out", "-o", name]
                code, _, complaint = self.stop(command, 0.01 * k, (signal.SIGINT, signal.SIGTERM)[k % 2])
                self.assertIn(code, (0, INTERRUPTED, -signal.SIGINT, -signal.SIGTERM), complaint)
                self.assertEqual(list(self.folder.glob(".carom-*")), [], name)

    def starved(self, command, wait):
        """As stop, on one processor with somebody who has most of it."""
        cpu = {min(os.sched_getaffinity(0))}
        hog = subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=lambda: os.sched_setaffinity(0, cpu))
        try:
            process = subprocess.Popen([CAROM, *command], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       preexec_fn=lambda: (os.sched_setaffinity(0, cpu), os.nice(10)))
            time.sleep(wait)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.wait(timeout=patience(20))
            return process.returncode, time.monotonic() - begin
        finally:
            hog.kill()
            hog.wait()

    @unittest.skipUnless(hasattr(os, "sched_setaffinity"), "needs a processor of its own")
    def test_reading_ends_by_the_clock_on_the_wall(self):
        """Nothing is lost there, so a loaded machine is no reason to go on."""
        triangles = 400000
        with open(self.folder / "big.stl", "wb") as file:
            file.write(bytes(80) + struct.pack("<I", triangles))
            for k in range(triangles):
                x, y = k % 640, k // 640
                file.write(struct.pack("<12fH", 0, 0, 1, x, y, 0, x + 1, y, 0, x, y + 1, 0, 0))
        code, seconds = self.starved(["sdf", "info", "big.stl"], 2)
        self.assertIn(code, (2, INTERRUPTED))
        self.assertLess(seconds, 3)

    def test_two_signals_end_it_at_once(self):
        file = self.write("wall.json", bricks(3, 0.3))
        process = subprocess.Popen([CAROM, "run", file, "-q", "-o", "out"], cwd=self.folder, stderr=subprocess.DEVNULL)
        wait_until(lambda: (self.folder / "out" / "checkpoint.bin").exists() or process.poll() is not None, 5)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        process.wait(timeout=patience(10))
        self.assertLess(time.monotonic() - begin, patience(PROMPT))
        if (self.folder / "out" / "checkpoint.bin").exists():
            self.assertEqual(self.carom("info", "out").returncode, 0)

    def test_commands_that_only_read_end_at_once(self):
        self.write("swing.json", swing("none") | {"contact": {"method": "none"}})
        self.ok("run", "swing.json", "-q", "-o", "out")
        for command in (["export", "out", "--to", "csv"], ["info", "out"], ["plot", "out", "-o", "p.svg"], ["view", "out", "--no-open"]):
            for wait in (0.02, 0.1):
                code, seconds, _ = self.stop(command, wait, signal.SIGTERM)
                self.assertLess(seconds, patience(PROMPT))
                self.assertIn(code, (0, 2, INTERRUPTED, -signal.SIGTERM))


if __name__ == "__main__":
    unittest.main()
