"""A wide pyramid by events takes minutes per second: the program says after ten seconds that fixed steps exist, and with them it is done at once."""
import json
import signal
import subprocess
import unittest

from support import CAROM, Case


def stack(end, **contact):
    bodies = [{"name": "floor", "shape": {"plane": [0, 0, 1]}, "fixed": True}]
    for i in range(5):
        bodies.append({"name": f"c{i}", "shape": {"box": [0.2 - 0.004 * i, 0.1, 0.1]}, "density": 1000,
                       "position": [0, 0, 0.05 + 0.1 * i]})
    for i in range(8):
        for k in range(8 - i):
            bodies.append({"name": f"p{i}{k}", "shape": {"box": [0.2, 0.1, 0.1]}, "density": 1000,
                           "position": [2 + 0.21 * (k + 0.5 * i), 0, 0.05 + 0.1 * i]})
    return {"carom": 1, "name": "slow", "gravity": [0, 0, -9.81], "time": {"end": end},
            "contact": dict({"method": "impact", "friction": {"coulomb": {"mu": 0.5}}}, **contact), "bodies": bodies}


class SlowEvents(Case):
    def test_fixed_steps_are_offered_where_events_take_long(self):
        (self.folder / "slow.json").write_text(json.dumps(stack(1000, restitution=0)))
        with subprocess.Popen([CAROM, "run", "slow.json", "-q", "-o", "out"], cwd=self.folder, stderr=subprocess.PIPE, text=True) as run:
            try:
                _, said = run.communicate(timeout=40)
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGINT)
                _, said = run.communicate(timeout=120)
        self.assertIn('"stepping": "fixed"', said)

    def test_fixed_steps_take_no_time(self):
        (self.folder / "quick.json").write_text(json.dumps(stack(2, stepping="fixed")))
        self.assertNotIn("stepping", self.ok("run", "quick.json", "-q", "-o", "quick", timeout=60))


if __name__ == "__main__":
    unittest.main()
