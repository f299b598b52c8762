"""Runs with contact that are killed and go on: what is remembered of contacts (speeds at first touch, bristles) comes
back with the rest of the state, so that the result is the same bit for bit."""
import random
import signal
import subprocess
import time
import unittest

import h5py

from support import CAROM, SCENES, SOURCE, Case, checkpoint_state, differing, patience, summary, wait_until

DURATION = ("-d", "2")


class ContactResume(Case):
    def start(self, *options):
        return subprocess.Popen([CAROM, *map(str, options), "--checkpoint-every", "0.05"], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for_checkpoint(self, process, later_than):
        """Until there is a newer checkpoint, or the run has ended."""
        checkpoint = self.folder / "out" / "checkpoint.bin"
        self.assertTrue(wait_until(lambda: process.poll() is not None or
                                   (checkpoint.exists() and checkpoint.stat().st_mtime > later_than), 60))

    def test_kill_then_resume_gives_the_same_bits(self):
        scene = SCENES / "dice.json"
        self.ok("run", scene, "-q", *DURATION, "-o", "whole", timeout=180)
        dice = random.Random(3)
        kills = 0
        process = self.start("run", scene, "-q", *DURATION, "-o", "out")
        for _ in range(5):
            self.wait_for_checkpoint(process, later_than=time.time())
            time.sleep(dice.uniform(0.0, 0.1))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            if process.returncode != -signal.SIGKILL:
                break
            kills += 1
            process = self.start("resume", "out", "-q")
        process.communicate(timeout=patience(180))
        self.ok("resume", "out", "-q", timeout=180)  # nothing is left to do, or all that a kill has left
        self.assertGreaterEqual(kills, 2)
        self.assertEqual(differing(self.folder / "whole" / "result.h5", self.folder / "out" / "result.h5"), [])
        self.assertEqual(summary(self.folder / "whole"), summary(self.folder / "out"))
        self.assertEqual(checkpoint_state(self.folder / "whole"), checkpoint_state(self.folder / "out"))

    def test_fields_of_some_frames_go_on_where_they_were(self):
        """Interrupted between two frames that hold nodes, and gone on with: the same bits. Another distance of such frames is refused."""
        scene = SOURCE / "tests" / "scenes" / "constraint_blocks.json"
        thin = ("-s", "record.every=2e-5", "-s", "record.fields_every=1.4e-4")
        self.ok("run", scene, "-q", *thin, "-o", "whole")
        process = self.start("run", scene, "-q", *thin, "-o", "out")
        self.wait_for_checkpoint(process, later_than=0)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=patience(60))
        self.ok("resume", "out", "-q")
        self.assertEqual(differing(self.folder / "whole" / "result.h5", self.folder / "out" / "result.h5"), [])
        with h5py.File(self.folder / "out" / "result.h5") as h5:
            self.assertEqual(list(h5["flexible/moved_every"]), [7])
            self.assertEqual(h5["flexible/displacement"].shape[0], -(-len(h5["time"]) // 7))
        run = self.folder / "out" / "run.txt"
        run.write_text(run.read_text().replace("1.4e-4", "2.8e-4"))
        self.refused("resume", "out", "-d", "3e-3", contains="record.fields_every has changed")

    def test_a_zone_goes_on_in_the_middle_of_an_impact(self):
        scene = SOURCE / "tests" / "scenes" / "constraint_zone.json"
        longer = ("-s", "variables.end=1.2e-3", "-s", "record.every=1.5e-6")
        self.ok("run", scene, "-q", *longer, "-o", "whole")
        process = self.start("run", scene, "-q", *longer, "-o", "out")
        self.wait_for_checkpoint(process, later_than=0)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=patience(60))
        self.ok("resume", "out", "-q")
        self.assertEqual(differing(self.folder / "whole" / "result.h5", self.folder / "out" / "result.h5"), [])
        self.assertEqual(checkpoint_state(self.folder / "whole"), checkpoint_state(self.folder / "out"))

    def test_a_checkpoint_fits_no_other_contact(self):
        scene = self.folder / "dice.json"
        text = (SCENES / "dice.json").read_text()
        scene.write_text(text)
        self.ok("run", scene, "-q", "-d", "0.1", "-o", "out")
        scene.write_text(text.replace('"restitution": 0.9', '"restitution": 0.8'))
        self.refused("resume", "out", "-d", "0.2", contains="belongs to another model")


if __name__ == "__main__":
    unittest.main()
