"""FMUs: what is in them, and that an importer of its own gets the bits of carom's own steps: equal and changing steps, roll-back, states of
one process restored in another, several instances, steps that fail."""
import json
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "cli"))
from support import SOURCE, Case, patience  # noqa: E402

MASTER, REFERENCE = sys.argv.pop(1), sys.argv.pop(1)
CUBE = """v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n"""
INPUTS = "pull,twist"
OUTPUTS = "slider.position.x,slider.velocity.x,ball.position.z,ball.angular_velocity.y,rail.force.z"


class Fmu(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "meshes").mkdir()
        (self.folder / "scenes").mkdir()
        (self.folder / "meshes/cube.obj").write_text(CUBE)
        shutil.copy(SOURCE / "tests/fmu/slider.json", self.folder / "scenes/slider.json")

    def export(self, scene="scenes/slider.json", inputs=INPUTS, outputs=OUTPUTS, *more):
        self.ok("fmu", scene, "--inputs", inputs, "--outputs", outputs, "-o", "my slider.fmu", *more)
        unpacked = self.folder / "un packed"
        shutil.rmtree(unpacked, ignore_errors=True)
        with zipfile.ZipFile(self.folder / "my slider.fmu") as archive:
            self.assertIsNone(archive.testzip())
            archive.extractall(unpacked)
        self.description = ElementTree.parse(unpacked / "modelDescription.xml").getroot()
        return unpacked

    def obey(self, unpacked, *lines, guid=None, code=0):
        uri = "file://" + str(unpacked / "resources").replace(" ", "%20")
        answer = subprocess.run([MASTER, unpacked / "binaries/linux64/my_slider.so", uri, guid or self.description.get("guid")],
                                input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=patience(60), cwd=self.folder)
        self.assertEqual(answer.returncode, code, answer.stderr)
        self.log = answer.stderr
        out = answer.stdout.splitlines()
        self.assertEqual(len(out), len(lines), answer.stdout + answer.stderr)
        return out

    def judge(self, *lines):
        answer = subprocess.run([REFERENCE, "scenes/slider.json", INPUTS, OUTPUTS], input="\n".join(lines) + "\n",
                                capture_output=True, text=True, timeout=patience(60), cwd=self.folder)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stdout.splitlines()


GET = "0 get 2 3 4 5 6"


class Archive(Fmu):
    def test_the_description(self):
        self.export()
        d = self.description
        self.assertEqual((d.tag, d.get("fmiVersion"), d.get("modelName")), ("fmiModelDescription", "2.0", "slider & ball"))
        kind = d.find("CoSimulation")
        self.assertEqual(kind.get("modelIdentifier"), "my_slider")
        for what in ("canHandleVariableCommunicationStepSize", "canGetAndSetFMUstate", "canSerializeFMUstate"):
            self.assertEqual(kind.get(what), "true")
        self.assertEqual(kind.get("canBeInstantiatedOnlyOncePerProcess"), "false")
        variables = d.findall("ModelVariables/ScalarVariable")
        self.assertEqual([v.get("name") for v in variables], (INPUTS + "," + OUTPUTS).split(","))
        self.assertEqual([int(v.get("valueReference")) for v in variables], list(range(7)))
        self.assertEqual([v.get("causality") for v in variables], 2 * ["input"] + 5 * ["output"])
        self.assertEqual([float(v.find("Real").get("start")) for v in variables[:2]], [1.5, 0])
        self.assertEqual([v.find("Real").get("unit") for v in variables[2:]], ["m", "m/s", "m", "rad/s", "N"])
        units = [u.get("name") for u in d.findall("UnitDefinitions/Unit")]
        self.assertEqual(sorted(units), sorted(set(["m", "m/s", "rad/s", "N"])))
        for part in ("Outputs", "InitialUnknowns"):
            self.assertEqual([int(u.get("index")) for u in d.findall(f"ModelStructure/{part}/Unknown")], [3, 4, 5, 6, 7])

    def test_files_lie_as_the_scene_names_them(self):
        unpacked = self.export()
        self.assertEqual((unpacked / "resources/meshes/cube.obj").read_text(), CUBE)
        self.assertTrue((unpacked / "resources/down/scene.json").exists())
        first = (self.folder / "my slider.fmu").read_bytes()
        self.export()
        self.assertEqual(first, (self.folder / "my slider.fmu").read_bytes())

    def test_nothing_else_is_packed(self):
        # a file called like a body stays; one that an override or a table names goes along
        for name in ("slider", "ball", "notes.txt"):
            (self.folder / "scenes" / name).write_text("private")
        (self.folder / "scenes/other cube.obj").write_text(CUBE)
        (self.folder / "scenes/pull.csv").write_text("0,1\n1,2\n")
        unpacked = self.export("scenes/slider.json", INPUTS, OUTPUTS, "--set", "bodies.slider.shape.mesh=other cube.obj", "--set", "name=notes.txt",
                               "--set", 'forces.twist.torque=[0, 0, {"table": "pull.csv"}]')
        found = sorted(str(f.relative_to(unpacked / "resources")) for f in (unpacked / "resources").rglob("*") if f.is_file())
        self.assertEqual(found, ["carom.txt", "other cube.obj", "pull.csv", "scene.json"])
        self.obey(unpacked, "0 new a", "0 start", GET)

    def test_refusals(self):
        self.assertIn("no input 'push'", self.refused("fmu", "scenes/slider.json", "--inputs", "push"))
        self.assertIn("position.x", self.refused("fmu", "scenes/slider.json", "--outputs", "slider.positon.x"))
        self.assertIn("there twice", self.refused("fmu", "scenes/slider.json", "--inputs", "pull,pull"))
        text = json.loads((self.folder / "scenes/slider.json").read_text())
        text["bodies"][1]["shape"] = {"mesh": str(self.folder / "meshes/cube.obj")}
        (self.folder / "scenes/absolute.json").write_text(json.dumps(text))
        self.assertIn("by its whole path", self.refused("fmu", "scenes/absolute.json"))
        self.refused("fmu", "-")


class Steps(Fmu):
    def test_equal_and_changing_steps_have_the_bits_of_carom(self):
        unpacked = self.export()
        for steps in ([0.05] * 20, [0.013, 0.2, 0.0007, 0.11, 0.3, 0.05, 1e-5, 0.2]):
            lines, judged, t = ["0 new a", "0 start", GET], ["get"], 0.0
            for k, h in enumerate(steps):
                lines += [f"0 set 0 {k * 0.5}", f"0 set 1 {-0.1 * k}", f"0 step {t!r} {h!r}", GET]
                judged += [f"set 0 {k * 0.5}", f"set 1 {-0.1 * k}", f"step {t + h!r}", "get"]
                t += h
            out = [line[2:] for line, word in zip(self.obey(unpacked, *lines), lines) if word == GET]
            self.assertEqual(out, self.judge(*judged))
            self.assertGreater(len(set(out)), len(steps) - 2)

    def test_roll_back(self):
        unpacked = self.export()
        ahead = ["0 step 0.4 0.3", GET, "0 step 0.7 0.2", GET]
        plain = self.obey(unpacked, "0 new a", "0 start", "0 step 0 0.4", *ahead)
        back = self.obey(unpacked, "0 new a", "0 start", "0 step 0 0.4", "0 save 0", "0 set 0 100", "0 step 0.4 0.5", "0 load 0",
                         "0 get 0", *ahead, "0 load 0", *ahead, "0 drop 0", "0 free")
        self.assertEqual(back[8:12], plain[3:])
        self.assertEqual(back[13:17], plain[3:])
        self.assertEqual(float.fromhex(back[7].split()[1]), 1.5)

    def test_states_go_from_one_process_to_another(self):
        unpacked = self.export()
        ahead = ["0 step 0.4 0.3", GET, "0 step 0.7 0.2", GET]
        here = self.obey(unpacked, "0 new a", "0 start", "0 set 0 7", "0 step 0 0.4", "0 save 0", "0 write 0 state.bin", *ahead)
        there = self.obey(unpacked, "0 new b", "0 read 3 state.bin", "0 load 3", "0 get 0", *ahead)
        self.assertEqual(there[4:], here[6:])
        self.assertEqual(float.fromhex(there[3].split()[1]), 7)
        state = bytearray((self.folder / "state.bin").read_bytes())
        for damage in (state[:-1], state[:100], b"", state[:50] + bytes([state[50] ^ 1]) + state[51:], b"\x09" + state[1:]):
            (self.folder / "bad.bin").write_bytes(damage)
            self.assertEqual(self.obey(unpacked, "0 new b", "0 read 3 bad.bin")[1], "3")

    def test_several_instances_do_not_meet(self):
        unpacked = self.export()
        alone = self.obey(unpacked, "0 new a", "0 start", "0 set 0 4", "0 step 0 0.5", GET)[-1]
        other = self.obey(unpacked, "0 new a", "0 start", "0 step 0 0.2", GET)[-1]
        both = self.obey(unpacked, "0 new a", "1 new b", "1 start", "0 start", "0 set 0 4", "1 step 0 0.2", "0 step 0 0.5", GET,
                         GET.replace("0 get", "1 get"), "1 free", GET, "0 reset", "0 start", "0 set 0 4", "0 step 0 0.5", GET)
        self.assertEqual([both[7], both[8], both[10], both[15]], [alone, other, alone, alone])

    def test_steps_that_fail_say_how_far_they_came(self):
        # the rate of a pole: the force is no number from t = 0.25 on
        scene = json.loads((self.folder / "scenes/slider.json").read_text())
        scene["forces"][0]["force"] = ["sqrt(0.25 - t)", 0, 0]
        (self.folder / "scenes/slider.json").write_text(json.dumps(scene))
        unpacked = self.export()
        out = self.obey(unpacked, "0 new a", "0 start", "0 step 0 0.2", GET, "0 save 0", "0 step 0.2 0.2", "0 last", "0 load 0", GET, "0 last")
        self.assertEqual(out[2], "0")
        self.assertEqual(out[5], "2")
        status, reached = out[6].split()
        self.assertEqual(status, "0")
        self.assertTrue(0.2 <= float.fromhex(reached) <= 0.25, reached)
        self.assertEqual(out[8], out[3])
        self.assertEqual(float.fromhex(out[9].split()[1]), 0.2)
        self.assertIn("logStatusDiscard", self.log)

    def test_misuse_is_refused(self):
        unpacked = self.export()
        self.assertEqual(self.obey(unpacked, "0 new a", guid="{other}"), ["none"])
        self.assertIn("GUID", self.log)
        out = self.obey(unpacked, "0 new a", "0 step 0 0.1", GET, "0 start", "0 step 0.5 0.1", "0 step 0 -1", "0 set 2 1", "0 get 9", "0 set 0 nan", "0 step 0 0.1")
        self.assertEqual([line.split()[0] for line in out], ["0", "3", "3", "0", "3", "3", "3", "3", "3", "0"])

    def test_overrides_and_robots(self):
        unpacked = self.export("scenes/slider.json", INPUTS, OUTPUTS, "--set", "gravity=[0,0,0]", "--set", "inputs.pull.start=0")
        z = self.obey(unpacked, "0 new a", "0 start", "0 step 0 1", GET)[-1].split()[3]
        self.assertAlmostEqual(float.fromhex(z), 0.5)
        unpacked = self.export(SOURCE / "tests/scenes/robots/servo.xml", "turn_servo", "turn.angle", "--method", "none")
        angle = self.obey(unpacked, "0 new a", "0 start", "0 get 0", "0 set 0 0.9", "0 step 0 20", "0 get 1")
        self.assertEqual(float.fromhex(angle[2].split()[1]), 0.5)
        self.assertAlmostEqual(float.fromhex(angle[-1].split()[1]), 0.9, places=3)


if __name__ == "__main__":
    unittest.main()
