"""tools/setup must name what is missing, install nothing when nothing is, and remember that."""
import os
import subprocess
import tempfile
import unittest

from bad_tree import ROOT


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="carom-setup-")
        self.addCleanup(self.folder.cleanup)

    def fake(self, name, script):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script + "\n")
        os.chmod(path, 0o755)

    def run_setup(self, profile, **environment):
        stamps = os.path.join(self.folder.name, "stamps")
        env = dict(os.environ, PATH=self.folder.name + ":" + os.environ["PATH"], CAROM_SETUP_STAMPS=stamps, **environment)
        return subprocess.run([os.path.join(ROOT, "tools", "setup"), profile], env=env, capture_output=True, text=True,
                              check=False)

    def test_names_what_is_missing(self):
        self.fake("dpkg-query", 'for last; do :; done; [ "$last" = ninja-build ] && exit 1; printf installed')
        answer = self.run_setup("build", CAROM_SETUP_DRY="1")
        self.assertEqual(answer.stdout, "apt-get install -y --no-install-recommends ninja-build\n")

    def test_removed_packages_with_left_over_settings_are_missing(self):
        self.fake("dpkg-query", "printf config-files")
        answer = self.run_setup("build", CAROM_SETUP_DRY="1")
        for package in ("cmake", "gcc", "ninja-build", "pkg-config", "libhdf5-dev", "libsuitesparse-dev"):
            self.assertIn(" " + package, answer.stdout)

    def test_installs_once_and_then_remembers(self):
        log = os.path.join(self.folder.name, "log")
        self.fake("dpkg-query", f'echo asked >> {log}; printf not-installed')
        self.fake("apt-get", f'echo "apt-get $1 $DEBIAN_FRONTEND" >> {log}')
        self.fake("id", "echo 0")
        self.assertEqual(self.run_setup("build").returncode, 0)
        with open(log, encoding="utf-8") as file:
            lines = [line for line in file.read().splitlines() if line != "asked"]
        self.assertEqual(lines, ["apt-get update noninteractive", "apt-get install noninteractive"])
        os.remove(log)
        self.assertEqual(self.run_setup("build").returncode, 0)
        self.assertFalse(os.path.exists(log), "the second call looked again")

    def test_without_root_prints_the_line_to_run(self):
        self.fake("dpkg-query", 'for last; do :; done; [ "$last" = cmake ] && exit 1; printf installed')
        self.fake("id", "echo 1000")
        self.fake("sudo", "exit 1")
        answer = self.run_setup("build")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("sudo apt-get install -y --no-install-recommends cmake\n", answer.stderr)

    def test_failure_is_not_remembered(self):
        self.fake("dpkg-query", "printf not-installed")
        self.fake("id", "echo 0")
        self.fake("apt-get", "exit 100")
        self.assertNotEqual(self.run_setup("build").returncode, 0)
        self.assertNotEqual(self.run_setup("build").returncode, 0)

    def test_unknown_profile(self):
        self.assertEqual(self.run_setup("everything").returncode, 2)


if __name__ == "__main__":
    unittest.main()
