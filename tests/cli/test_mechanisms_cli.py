"""Scenes of mechanisms of paper 4 and the examples of the method `barrier`: they start without intersection, whatever their size, and
their first steps are free of them by the exact test."""
import unittest

from support import SOURCE, Case, summary

EXAMPLES = ("arch", "bolt", "cards", "chain-net", "lock-box", "roller-chain")
PAPER = ("anchor", "coin", "geneva-wheel", "lewis", "loose-balls", "net-wire", "packing", "piston", "piston-joints", "press",
         "wrecking-ball")
STEPS = 6

# Sizes that users choose: larger nets and walls, other chains, clearances of 0.05 and 1 mm, coarser and finer meshes.
SIZES = {
    "arch": ("variables.n=31",),
    "bolt": ("variables.sectors=24", "variables.clearance=1e-4", "variables.up=0.08"),
    "chain-net": ("variables.n=3", "variables.n=7"),
    "roller-chain": ("variables.teeth=10", "variables.links=24", "variables.n=16"),
    "anchor": ("variables.rings=5", "variables.mu=0.3"),
    "geneva-wheel": ("variables.play=3e-4", "variables.lock=0.05"),
    "net-wire": ("variables.n=6",),
    "piston": ("variables.play=1e-4", "variables.n=48"),
    "press": ("variables.play=5e-5",),
    "wrecking-ball": ("variables.rows=4", "variables.columns=7", "variables.rings=5"),
}


def path_of(name):
    folder = SOURCE / "examples" / "scenes" if name in EXAMPLES else SOURCE / "papers" / "4"
    return folder / f"{name}.json"


class Mechanisms(Case):
    def test_first_steps_are_free_of_intersections(self):
        for name in EXAMPLES + PAPER:
            with self.subTest(name):
                step = 1e-4 if name == "coin" else 0.01
                done = self.carom("run", path_of(name), "-o", name, "--duration", STEPS * step, "--verify", "--no-report", "-q",
                                  "--set", f"record.every={step}")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertGreaterEqual(summary(self.folder / name)["verified"]["frames"], STEPS)
                self.assertEqual(summary(self.folder / name)["verified"]["intersections"], 0)

    def test_between_loose_sheets_is_not_inside(self):
        done = self.carom("run", path_of("loose-balls"), "-o", "locked", "--duration", 0.25, "--verify", "--no-report", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(summary(self.folder / "locked")["verified"]["intersections"], 0)

    def test_other_sizes_start_without_intersection(self):
        for name, sizes in SIZES.items():
            for size in sizes:
                with self.subTest(f"{name} {size}"):
                    done = self.carom("check", path_of(name), "--set", size)
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_too_tight_is_refused_with_names(self):
        done = self.carom("check", path_of("bolt"), "--set", "bodies.bolt.position=[0, 0, 0.08]")  # half a thread off
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stderr, "'nut' and 'bolt' intersect at the start")


if __name__ == "__main__":
    unittest.main()
