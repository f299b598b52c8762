"""tools/setup must name what is missing, install nothing when nothing is, and remember that. It runs in a tree of its
own, so that no test touches the packages of the viewer."""
import os
import shutil
import subprocess
import tempfile
import unittest

from bad_tree import ROOT


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="carom-setup-")
        self.addCleanup(self.folder.cleanup)
        self.tree = os.path.join(self.folder.name, "tree")
        self.viewer = os.path.join(self.tree, "viewer")
        self.log = os.path.join(self.folder.name, "log")
        os.makedirs(os.path.join(self.tree, "tools"))
        shutil.copy(os.path.join(ROOT, "tools", "setup"), os.path.join(self.tree, "tools"))
        self.fake("node", "exit 0")
        self.fake("npm", f"echo npm >> {self.log}; exit 1")

    def fake(self, name, script):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script + "\n")
        os.chmod(path, 0o755)

    def run_setup(self, profile, **environment):
        stamps = os.path.join(self.folder.name, "stamps")
        env = dict(os.environ, PATH=self.folder.name + ":" + os.environ["PATH"], CAROM_SETUP_STAMPS=stamps, **environment)
        setup = os.path.join(self.tree, "tools", "setup")
        return subprocess.run([setup, profile], env=env, capture_output=True, text=True, check=False)

    def test_names_what_is_missing(self):
        self.fake("dpkg-query", 'for last; do :; done; [ "$last" = ninja-build ] && exit 1; printf installed')
        answer = self.run_setup("build", CAROM_SETUP_DRY="1")
        self.assertEqual(answer.stdout, "apt-get install -y --no-install-recommends ninja-build\n")

    def test_removed_packages_with_left_over_settings_are_missing(self):
        self.fake("dpkg-query", "printf config-files")
        answer = self.run_setup("build", CAROM_SETUP_DRY="1")
        for package in ("cmake", "gcc", "ninja-build", "pkg-config", "libhdf5-dev", "libsuitesparse-dev"):
            self.assertIn(" " + package, answer.stdout)

    def lock(self, text="{}"):
        os.makedirs(self.viewer, exist_ok=True)
        with open(os.path.join(self.viewer, "package-lock.json"), "w", encoding="utf-8") as file:
            file.write(text)

    def lines(self):
        """What was called since the last question."""
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            found = file.read().splitlines()
        os.remove(self.log)
        return found

    def working_npm(self):
        self.fake("npm", f'echo "npm $1 in $(basename "$PWD")" >> {self.log}; mkdir -p node_modules;'
                         "touch -d 2001-01-01 node_modules/.package-lock.json")

    def test_installs_once_and_then_remembers(self):
        log = self.log
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

    def test_what_apt_prints_is_in_the_log_and_shown_when_it_fails(self):
        self.fake("dpkg-query", "printf not-installed")
        self.fake("id", "echo 0")
        self.fake("apt-get", "echo a thousand lines; [ $1 = update ]")
        answer = self.run_setup("build")
        self.assertIn("a thousand lines", answer.stderr)
        self.fake("apt-get", "echo a thousand lines")
        answer = self.run_setup("build")
        self.assertNotIn("a thousand lines", answer.stdout + answer.stderr)
        with open(os.path.join(self.folder.name, "stamps", "setup.log"), encoding="utf-8") as file:
            self.assertIn("a thousand lines", file.read())

    def test_building_needs_neither_node_nor_npm(self):
        self.fake("dpkg-query", 'for last; do :; done; case "$last" in nodejs | npm) exit 1 ;; esac; printf installed')
        self.fake("node", "exit 1")
        self.lock()
        self.assertEqual(self.run_setup("build", CAROM_SETUP_DRY="1").stdout, "")
        self.assertEqual(self.run_setup("build").returncode, 0)
        self.assertEqual(self.lines(), [])

    def test_node_of_any_origin_will_do_if_it_is_new_enough(self):
        self.fake("dpkg-query", 'for last; do :; done; case "$last" in nodejs | npm) exit 1 ;; esac; printf installed')
        self.assertEqual(self.run_setup("page", CAROM_SETUP_DRY="1").stdout, "")
        self.fake("node", "exit 1")  # what it says of a version before 18
        for profile in ("page", "test", "bench", "docs"):
            self.assertRegex(self.run_setup(profile, CAROM_SETUP_DRY="1").stdout, " nodejs npm$")

    def test_installs_the_packages_of_the_viewer_once(self):
        self.fake("dpkg-query", "printf installed")
        self.working_npm()
        self.lock()
        self.assertEqual(self.run_setup("page").returncode, 0)
        self.assertEqual(self.lines(), ["npm ci in viewer"])
        self.assertEqual(self.run_setup("page").returncode, 0)
        self.assertEqual(self.run_setup("test").returncode, 0)
        self.assertEqual(self.lines(), [], "they are there already")
        self.lock('{"changed": true}')
        os.utime(os.path.join(self.viewer, "package-lock.json"), (4e9, 4e9))
        self.assertEqual(self.run_setup("page").returncode, 0)
        self.assertEqual(self.lines(), ["npm ci in viewer"], "the lock file has changed")

    def test_without_npm_pages_are_not_tested(self):
        self.fake("dpkg-query", "printf installed")
        self.lock()
        answer = self.run_setup("test")
        self.assertEqual(answer.returncode, 0)
        self.assertIn("neither made anew nor tested", answer.stderr)
        self.assertEqual(self.lines(), ["npm"])
        self.working_npm()
        self.assertEqual(self.run_setup("test").returncode, 0)
        self.assertEqual(self.lines(), ["npm ci in viewer"], "the failure was remembered")

    def test_dry_runs_install_nothing(self):
        self.fake("dpkg-query", "printf installed")
        self.lock()
        self.assertEqual(self.run_setup("page", CAROM_SETUP_DRY="1").stdout, "")
        self.assertEqual(self.lines(), [])

    def test_unknown_profile(self):
        self.assertEqual(self.run_setup("everything").returncode, 2)


if __name__ == "__main__":
    unittest.main()
