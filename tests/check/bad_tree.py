"""Makes tiny trees in a temporary folder and runs a check on them."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True


class CheckTest(unittest.TestCase):
    """A test case with a tree of its own; `check` names the tool."""

    check = None
    start = {}  # path -> text: a tree that the check accepts

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="carom-check-")
        self.addCleanup(shutil.rmtree, self.root)
        for path, text in self.start.items():
            self.write(path, text)

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def run_check(self, *arguments):
        tool = os.path.join(ROOT, "tools", self.check)
        return subprocess.run([sys.executable, tool, "--root", self.root, *arguments], capture_output=True, text=True,
                              check=False)

    def accepts(self, *arguments):
        answer = self.run_check(*arguments)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)

    def objects(self, *words, arguments=()):
        """The check exits with 1 and one of its lines holds all words."""
        answer = self.run_check(*arguments)
        self.assertEqual(answer.returncode, 1, answer.stdout + answer.stderr)
        self.assertTrue(any(all(word in line for word in words) for line in answer.stdout.splitlines()),
                        f"no line with {words} in:\n{answer.stdout}")
