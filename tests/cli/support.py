"""What the tests of the program share: running it, reading what it wrote, comparing results."""
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

CAROM = os.environ["CAROM_BIN"]
SOURCE = Path(os.environ["CAROM_SOURCE_DIR"])
SCENES = SOURCE / "tests" / "cli" / "scenes"
EXAMPLES = sorted((SOURCE / "examples" / "scenes").glob("*.json"))
COMMANDS = ["run", "check", "examples", "resume", "info", "view", "compare", "export", "plot", "import", "schema", "sweep", "new", "doctor",
            "completion", "man"]
WALL_KEYS = ["wall_s", "phases"]  # what may differ between equal runs
PATIENCE = 5  # how many times longer than on an idle machine anything may take


def patience(seconds):
    """The time limit [s] of something that takes less than `seconds` on a machine with nothing else to do."""
    return PATIENCE * seconds


def wait_until(happened, seconds):
    """Asks until the answer is yes; False when it is still no after the patience for `seconds`."""
    end = time.monotonic() + patience(seconds)
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def carom(*arguments, cwd=None, env=None, timeout=120):
    """Runs the program; the answer has returncode, stdout, stderr. Never a signal, never a sanitizer's report. `timeout` is
    in seconds of an idle machine."""
    environment = dict(os.environ, **(env or {}))
    done = subprocess.run([CAROM, *map(str, arguments)], cwd=cwd, env=environment, timeout=patience(timeout),
                          capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    assert done.returncode >= 0, f"killed by signal {-done.returncode}: {arguments}\n{done.stderr}"
    for trace in ("Sanitizer", "runtime error:", "broken invariant"):
        assert trace not in done.stderr, f"{arguments}\n{done.stderr}"
    return done


def datasets(file):
    """Every dataset of a result but the command line, which says how it was made."""
    content = {}
    with h5py.File(file, "r") as h5:
        h5.visititems(lambda name, item: content.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    content.pop("meta/command", None)
    return content


def differing(a, b):
    """Names of datasets that are not equal bit for bit."""
    one, two = datasets(a), datasets(b)
    names = set(one) ^ set(two)
    return sorted(names | {n for n in one if n in two and
                           np.asarray(one[n]).tobytes() != np.asarray(two[n]).tobytes()})


def summary(folder, without=WALL_KEYS):
    """summary.json; refuses NaN and Infinity, which are not JSON."""
    def refuse(word):
        raise ValueError(word)
    content = json.loads((Path(folder) / "summary.json").read_text(), parse_constant=refuse)
    return {k: v for k, v in content.items() if k not in without}


def checkpoint_state(folder):
    """The bytes of the state in checkpoint.bin, records of contacts and pairs that touch or have touched, and findings, included: all of
    it that must not depend on threads or the clock."""
    data = (Path(folder) / "checkpoint.bin").read_bytes()
    header = "8sII16sQQQQQQQ"
    magic, _, _, _, _, progress, doubles, records, pairs, totals, findings = struct.unpack_from(header, data)
    assert magic == b"CAROMCHK"
    begin = struct.calcsize(header) + progress
    state = data[begin:-8]  # a checksum follows
    assert len(state) == 8 * doubles + 48 * records + 216 * pairs + 184 * totals + 56 * findings
    return state


def plain_json(text):
    """A scene without its comments, for readers of strict JSON."""
    token = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.S)
    return json.loads(token.sub(lambda m: m.group() if m.group()[0] == '"' else " ", text))


class Case(unittest.TestCase):
    """A test in a folder of its own."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="carom-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def carom(self, *arguments, **options):
        return carom(*arguments, cwd=options.pop("cwd", self.folder), **options)

    def ok(self, *arguments, **options):
        done = self.carom(*arguments, **options)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def refused(self, *arguments, contains=(), code=2, **options):
        done = self.carom(*arguments, **options)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        for part in [contains] if isinstance(contains, str) else contains:
            self.assertIn(part, done.stderr)
        return done.stderr
