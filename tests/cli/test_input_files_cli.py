"""What is no regular file, or cannot be opened, is refused at once wherever a file is read, and the message says why."""
import json
import os
import subprocess
import unittest

from support import CAROM, Case, patience


def scene(**more):
    return json.dumps({"carom": 1, "bodies": [{"name": "b", "mass": 1, "inertia": [1, 1, 1]}], **more})


def with_mesh(file):
    return json.dumps({"carom": 1, "bodies": [{"name": "b", "density": 1, "shape": {"mesh": file}}]})


class InputFiles(Case):
    def setUp(self):
        super().setUp()
        os.mkfifo(self.folder / "pipe")
        (self.folder / "folder").mkdir()
        (self.folder / "circle").symlink_to("circle")
        (self.folder / "device").symlink_to("/dev/zero")
        (self.folder / "good.json").write_text(scene(time={"end": 0.1}))
        self.things = {"pipe": "is a pipe", "folder": "is a folder", "device": "is a device",
                       "circle": "Too many levels", "nowhere": "No such file", "good.json/x": "Not a directory",
                       "n" * 300: "File name too long"}

    def test_scenes(self):
        for name, why in self.things.items():
            for command in ("check", "run"):
                self.refused(command, name, contains=[name[:200], why], timeout=60)

    def test_includes_and_meshes(self):
        for name, why in self.things.items():
            for field, text in (("include[0]", scene(include=[name])), ("include[0]", scene(include=[{"file": name}])),
                                ("bodies[0].shape.mesh", with_mesh(name))):
                (self.folder / "scene.json").write_text(text)
                self.refused("check", "scene.json", contains=["scene.json", field, name[:200], why], timeout=60)
            self.refused("mesh", "info", name, contains=[name[:200], why], timeout=60)
            self.refused("sdf", "info", name, contains=[name[:200], why], timeout=60)

    def test_results(self):
        self.ok("run", "good.json", "-o", "good", "--quiet")
        for name, why in self.things.items():
            why = "no result.h5" if name == "folder" else why
            for command in (["info", name], ["view", name], ["plot", name], ["export", name], ["compare", "good", name]):
                self.refused(*command, contains=[name[:200], why], timeout=60)
        for file, commands in (("result.h5", ["info", "resume"]), ("run.txt", ["resume"]), ("checkpoint.bin", ["resume"])):
            path = self.folder / "good" / file
            content = path.read_bytes()
            path.unlink()
            os.mkfifo(path)
            for command in commands:
                self.refused(command, "good", contains=file, timeout=60)
            path.unlink()
            path.write_bytes(content)

    def test_examples_never_go_into_a_pipe(self):
        os.mkfifo(self.folder / "pendulum.json")
        self.refused("examples", "pendulum", ".", contains="pendulum.json", timeout=60)

    def test_standard_input_still_is_a_scene(self):
        done = subprocess.run([CAROM, "check", "-"], input=scene(), cwd=self.folder, capture_output=True, text=True,
                              timeout=patience(120), check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_forbidden_file_is_called_so(self):
        os.chmod(self.folder, 0o777)
        (self.folder / "secret.json").write_text(scene())
        (self.folder / "secret.stl").write_text("solid\nendsolid\n")
        (self.folder / "mesh.json").write_text(with_mesh("secret.stl"))
        (self.folder / "include.json").write_text(scene(include=["secret.json"]))
        self.ok("run", "good.json", "-o", "closed", "--quiet")
        for name in ("secret.json", "secret.stl", "closed/result.h5"):
            (self.folder / name).chmod(0)
        self.ok("run", "good.json", "-o", "unwritable", "--quiet")
        (self.folder / "unwritable").chmod(0o555)
        nobody = 65534
        user = {"user": nobody, "group": nobody, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            subprocess.run([CAROM, "--version"], cwd=self.folder, capture_output=True, check=True, **user)
        except (PermissionError, subprocess.CalledProcessError):
            self.skipTest("the program cannot be run by somebody else")
        for words in (["check", "secret.json"], ["check", "mesh.json"], ["check", "include.json"],
                      ["mesh", "info", "secret.stl"], ["info", "closed"], ["run", "good.json", "-o", "unwritable"],
                      ["resume", "unwritable", "--duration", "0.2"]):
            done = subprocess.run([CAROM, *words], cwd=self.folder, capture_output=True, text=True, check=False,
                                  timeout=patience(120), **user)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("Permission denied", done.stderr)
            if words[-1] in ("unwritable", "0.2"):
                self.assertEqual(done.stderr, "carom: cannot write into 'unwritable': Permission denied\n")


if __name__ == "__main__":
    unittest.main()
