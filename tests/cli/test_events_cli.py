"""Events of a run: what touches, bounces, sticks and slides, and when; the same for any number of threads and through
kills."""
import json
import random
import signal
import subprocess
import time
import unittest

import h5py
import numpy as np

from support import CAROM, SCENES, Case, differing, patience, summary, wait_until

G = 9.81


def events_of(folder):
    """A list of dicts, with names instead of codes and rows."""
    with h5py.File(folder / "result.h5") as h5:
        table = h5["events"]
        kinds = table["kind"].attrs["names"]
        kinds = (kinds.decode() if isinstance(kinds, bytes) else kinds).split(", ")
        bodies = [name.decode() for name in h5["bodies/name"]] + ["ground"]
        columns = {name: table[name][()] for name in ("time", "kind", "body_a", "body_b", "position", "normal", "speed")}
    return [{"t": columns["time"][i], "kind": kinds[columns["kind"][i]],
             "bodies": [bodies[columns["body_a"][i]], bodies[columns["body_b"][i]]],
             "position": columns["position"][i], "normal": columns["normal"][i], "speed": columns["speed"][i]}
            for i in range(len(columns["time"]))]


class Events(Case):
    def run_scene(self, scene, *options, out="out"):
        file = self.folder / f"{out}.json"
        file.write_text(json.dumps(dict({"carom": 1, "gravity": [0, 0, -G]}, **scene)))
        self.ok("run", file, "-q", "-o", out, *options)
        found = events_of(self.folder / out)
        counts = {}
        for event in found:
            counts[event["kind"]] = counts.get(event["kind"], 0) + 1
        said = summary(self.folder / out)
        self.assertEqual({k: n for k, n in said["events"].items() if n}, counts)
        self.assertEqual(said["impacts"], counts.get("impact", 0))
        times = [event["t"] for event in found]
        self.assertEqual(times, sorted(times))
        return found

    def ball(self, time_section, e=0.8):
        return {"time": time_section, "record": {"every": 0.01},
                "contact": {"method": "compliant", "law": {"exact-restitution": {"k": 1e9}}, "restitution": e},
                "bodies": [{"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}},
                           {"name": "ball", "mass": 0.5, "position": [0.2, 0, 1.05], "shape": {"sphere": 0.05}}]}

    def check_bounces(self, found, e, within):
        """Touches after sqrt(2 h/g) and then 2 v/g after each rebound, at e times the speed before."""
        self.assertEqual([event["kind"] for event in found], ["contact on", "contact off"] * (len(found) // 2))
        self.assertGreaterEqual(len(found), 6)
        t, v = np.sqrt(2.0 / G), np.sqrt(2.0 * G)
        for on, off in zip(found[::2], found[1::2]):
            self.assertEqual(on["bodies"], ["floor", "ball"])
            self.assertLess(abs(on["t"] - t), within)
            self.assertLess(abs(on["speed"] + v), 0.01 * v)
            self.assertLess(abs(off["speed"] - e * v), 0.02 * v)
            self.assertLess(off["t"] - on["t"], 2e-3)
            self.assertTrue(np.allclose(on["position"], [0.2, 0, 0], atol=1e-3), on["position"])
            self.assertTrue(np.allclose(on["normal"], [0, 0, -1], atol=1e-9), on["normal"])
            v = off["speed"]
            t = off["t"] + 2.0 * v / G

    def test_a_ball_bounces(self):
        self.check_bounces(self.run_scene(self.ball({"end": 1.9, "tolerance": 1e-7})), 0.8, within=1e-5)

    def test_times_are_finer_than_fixed_steps(self):
        found = self.run_scene(self.ball({"end": 1.9, "integrator": "semi-implicit-euler", "step": 1e-5}))
        self.check_bounces(found, 0.8, within=2e-5)

    def test_what_touches_at_the_start(self):
        scene = self.ball({"end": 0.2})
        scene["bodies"][1]["position"] = [0.2, 0, 0.05 - 1e-6]
        first = self.run_scene(scene)[0]
        self.assertEqual((first["t"], first["kind"]), (0.0, "contact on"))

    def box(self, friction, v0, **more):
        return dict({"time": {"end": 1.0, "tolerance": 1e-6}, "record": {"every": 0.01},
                     "contact": {"method": "compliant", "law": {"hunt-crossley": {"k": 1e7}}, "restitution": 0.3,
                                 "friction": friction},
                     "bodies": [{"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}},
                                {"name": "box", "density": 1000, "shape": {"box": [0.4, 0.4, 0.1]},
                                 "position": [0, 0, 0.0499995], "velocity": [v0, 0, 0]}]}, **more)

    def test_a_box_slides_to_rest(self):
        """It slows down by mu g until its speed is what the law takes for sticking."""
        v0, mu = 1.0, 0.3
        laws = [({"coulomb": {"mu": mu, "v_e": 1e-3}}, 1e-3), ({"smooth": {"mu_s": mu, "mu_d": mu, "v_s": 5e-3}}, 5e-3),
                ({"lugre": {"mu_s": mu, "mu_d": mu, "v_s": 5e-3}}, 5e-3)]
        for friction, bound in laws:
            with self.subTest(friction=friction):
                found = self.run_scene(self.box(friction, v0))
                changes = [event for event in found if event["kind"] in ("stick", "slip")]
                self.assertEqual([event["kind"] for event in changes], ["stick"])
                self.assertLess(abs(changes[0]["t"] - (v0 - bound) / (mu * G)), 5e-4)
                self.assertEqual(changes[0]["bodies"], ["floor", "box"])

    def test_a_load_lets_a_box_go(self):
        """It holds until the load, which grows by 40 N/s, is mu N; then it slides."""
        scene = self.box({"lugre": {"mu_s": 0.3, "mu_d": 0.25}}, 0.0, time={"end": 1.5, "tolerance": 1e-6})
        weight = 16.0 * G
        scene["forces"] = [{"name": "pull", "type": "load", "body": "box", "force": ["40*t", 0, 0]}]
        found = self.run_scene(scene)
        changes = [event for event in found if event["kind"] in ("stick", "slip")]
        self.assertEqual([event["kind"] for event in changes], ["slip"])
        self.assertLess(abs(changes[0]["t"] - 0.3 * weight / 40.0), 0.05)

    def test_without_friction_nothing_sticks(self):
        for friction in ({"none": {}}, None):
            scene = self.box(friction, 1.0)
            if friction is None:
                del scene["contact"]["friction"]
            self.assertLessEqual({event["kind"] for event in self.run_scene(scene)}, {"contact on", "contact off"})

    def test_no_contact_no_events(self):
        scene = self.ball({"end": 0.5})
        scene["contact"] = {"method": "none"}
        self.assertEqual(self.run_scene(scene), [])

    def test_threads_change_nothing(self):
        for threads in (1, 2, 7):
            self.ok("run", SCENES / "dice.json", "-q", "-d", "0.6", "-j", threads, "-o", f"j{threads}")
        self.assertGreater(len(events_of(self.folder / "j1")), 10)
        for threads in (2, 7):
            self.assertEqual(differing(self.folder / "j1" / "result.h5", self.folder / f"j{threads}" / "result.h5"), [])

    def test_pairs_that_touch_alternate(self):
        """Every pair comes and goes in turn, and sticks and slides only between."""
        self.ok("run", SCENES / "dice.json", "-q", "-o", "out")
        modes = {}
        for event in events_of(self.folder / "out"):
            pair = tuple(event["bodies"])
            touching, mode = modes.get(pair, (False, None))
            if event["kind"] == "contact on":
                self.assertFalse(touching)
                modes[pair] = (True, None)
            else:
                self.assertTrue(touching)
                self.assertNotEqual(event["kind"], mode)
                modes[pair] = (event["kind"] != "contact off", event["kind"])
        with h5py.File(self.folder / "out" / "result.h5") as h5:  # the last frame knows who touches
            first, count = h5["contacts/first"][-1], h5["contacts/count"][-1]
            names = [name.decode() for name in h5["bodies/name"]] + ["ground"]
            rows = range(first, first + count)
            seen = {(names[h5["contacts/body_a"][i]], names[h5["contacts/body_b"][i]]) for i in rows}
        self.assertEqual(seen, {pair for pair, (touching, _) in modes.items() if touching})

    def test_interrupt_and_resume_keep_every_event(self):
        """A run that is interrupted again and again, within contacts, has the events of the whole one, each once."""
        scene = SCENES / "dice.json"
        self.ok("run", scene, "-q", "-d", "1.5", "-o", "whole")
        dice = random.Random(11)
        command = ["run", str(scene), "-q", "-d", "1.5", "-o", "out", "--checkpoint-every", "0.03"]
        for how in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL, signal.SIGINT):
            process = subprocess.Popen([CAROM, *command], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            checkpoint = self.folder / "out" / "checkpoint.bin"
            wait_until(lambda: checkpoint.exists() or process.poll() is not None, 10)
            time.sleep(dice.uniform(0.05, 0.3))
            process.send_signal(how)
            process.wait(timeout=patience(60))
            command = ["resume", "out", "-q", "--checkpoint-every", "0.03"]
        self.ok("resume", "out", "-q", timeout=180)
        self.assertEqual(differing(self.folder / "whole" / "result.h5", self.folder / "out" / "result.h5"), [])
        self.assertEqual(summary(self.folder / "whole")["events"], summary(self.folder / "out")["events"])


if __name__ == "__main__":
    unittest.main()
