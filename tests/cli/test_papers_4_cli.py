"""carom papers 4: what is quick of its items stays within tolerance, every frame is verified, and its scenes can be run by anyone. Needs
CAROM_BIN and CAROM_SOURCE_DIR."""
import csv
import json
import unittest

from support import Case


class Paper4(Case):
    def reproduce(self, item, *options):
        folder = self.folder / item.replace(" ", "-")
        text = self.ok("papers", "4", "--item", item, "-o", folder, *options)
        summary = json.loads((folder / "summary.json").read_text())
        rows = {row["name"]: row for row in summary["rows"]}
        self.assertEqual(len(rows), len(summary["rows"]), "rows have names of their own")
        return folder, text, rows

    def verified(self, rows):
        self.assertEqual(rows["intersections"]["computed"], 0)
        self.assertIn("exact", rows["intersections"]["note"])
        self.assertEqual(rows["steps not solved"]["computed"], 0)

    def drawn(self, folder, *names):
        for name in names:
            for ending in ("svg", "png"):
                self.assertGreater((folder / f"{name}.{ending}").stat().st_size, 200, name)

    def test_slope(self):
        folder, _, rows = self.reproduce("slope")
        self.verified(rows)
        self.assertGreater(rows["mu 0.49: slid, 5 s [m]"]["computed"], 1)
        self.assertLess(rows["mu 0.5: moved, 25 s [m]"]["computed"], 5e-3)
        self.drawn(folder, "slope")
        out = self.folder / "by-hand"
        self.ok("run", folder / "scenes" / "slope.json", "-o", out, "--verify", "--set", "variables.mu=0.49")
        with open(out / "signals.csv", newline="") as stream:
            last = list(csv.reader(stream))[-1]
        self.assertAlmostEqual(float(last[1]), rows["mu 0.49: slid, 5 s [m]"]["computed"], delta=1e-12)

    def test_degenerate(self):
        _, text, rows = self.reproduce("degenerate")
        self.verified(rows)
        for name in ("spikes", "wedges", "cliff-edges", "internal-edges", "spike-in-hole", "wedge-in-crack"):
            self.assertLess(rows[f"{name} [J]"]["computed"], 1e-3)
            self.assertIn(name, text)

    def test_tunnel(self):
        _, _, rows = self.reproduce("tunnel")
        self.verified(rows)
        self.assertLess(rows["mu 0.3: speed, 1 s [m/s]"]["computed"], 18)

    def test_joints(self):
        folder, _, rows = self.reproduce("joints")
        self.verified(rows)
        self.assertGreater(rows["Euler: lost in 10 s [-]"]["computed"], 0.5)
        self.assertLess(rows["BDF2: lost in 10 s [-]"]["computed"], 0.02)
        self.drawn(folder, "pendulum-energy")

    def test_restitution(self):
        folder, text, rows = self.reproduce("restitution")
        self.verified(rows)
        self.assertEqual(sum(name.startswith("e ") and "worst" in name for name in rows), 10)
        self.assertIn("4th bounce", text)
        self.drawn(folder, "restitution")

    def test_forces(self):
        _, _, rows = self.reproduce("forces")
        self.verified(rows)
        self.assertLess(abs(rows["stack: stick [N]"]["difference"]), 2e-3)

    def test_queries(self):
        _, text, rows = self.reproduce("queries", "--quick")
        self.assertEqual(rows["throws"]["computed"], 300)
        self.assertEqual(rows["went through the sheet"]["computed"], 0)
        self.assertIn("property_sweep", text)

    def test_refusals(self):
        _, text, rows = self.reproduce("refusals")
        self.assertEqual(rows["failed step: state as before"]["computed"], 1)
        for word in ("'left' and 'right'", "'ram' and 'anvil'", "'wind'"):
            self.assertIn(word, " ".join(text.split()))

    def test_arch(self):
        _, _, rows = self.reproduce("arch", "--quick")
        self.verified(rows)
        self.assertEqual(rows["stones"]["computed"], 9)

    def test_sizes_exclude_each_other(self):
        done = self.carom("papers", "4", "--quick", "--full", "-o", self.folder / "no")
        self.assertEqual(done.returncode, 2)
        self.assertIn("exclude each other", done.stderr)
        self.assertIn("--full", self.ok("papers"))


class OneSceneThreeMethods(Case):
    """carom compare puts barrier, whose frames lie at ends of steps, beside the others."""

    def scene(self):
        folder = self.folder / "paper"
        self.ok("papers", "4", "--item", "refusals", "-o", folder)  # unpacks the scenes
        return folder / "scenes" / "two-balls.json"

    def times(self, result):
        with open(result / "signals.csv", newline="") as stream:
            return [float(row[0]) for row in list(csv.reader(stream))[1:]]

    def test_compare(self):
        out = self.folder / "compared"
        text = self.ok("compare", self.scene(), "--methods", "barrier,impact,compliant", "-o", out, "--all", "--set",
                       "variables.h=1e-4")
        lines = {line.split("  ")[1].strip(): line.split() for line in text.splitlines() if line.startswith("  ")}
        for name, expected in (("heavy.velocity.x", 1.25), ("light.velocity.x", 2.25)):
            values = [float(word) for word in lines[name][2:5]]
            for value, error in zip(values, (2e-3, 1e-9, 1e-2)):
                self.assertAlmostEqual(value, expected, delta=error * expected)
        self.assertIn("lost.numerics", text)
        ends = [self.times(out / method)[-1] for method in ("barrier", "impact", "compliant")]
        self.assertLess(max(ends) - min(ends), 1e-9)
        self.assertTrue(list(out.glob("*.html")), "a page with all of them")


if __name__ == "__main__":
    unittest.main(verbosity=2)
