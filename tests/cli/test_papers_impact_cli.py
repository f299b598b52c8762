"""carom papers 3 5: rods, sleeve and double pendulum stay within their tolerances, and what the papers' tables need can be
run by anyone. Needs CAROM_BIN and CAROM_SOURCE_DIR."""
import csv
import json
import math
import unittest

from support import Case


class Impacts(Case):
    def reproduce(self, number, item):
        folder = self.folder / item.replace(" ", "-")
        text = self.ok("papers", str(number), "--item", item, "-o", folder)
        rows = json.loads((folder / "summary.json").read_text())["rows"]
        self.assertTrue(rows)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 100, line)
        return folder, text, {row["name"]: row for row in rows}

    def table(self, file):
        with open(file, newline="") as stream:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(stream)]

    def drawn(self, folder, *names):
        for name in names:
            for ending in ("svg", "png"):
                self.assertGreater((folder / f"{name}.{ending}").stat().st_size, 200, name)

    def test_collisions(self):
        folder, text, rows = self.reproduce(3, "collisions")
        self.assertLess(rows["energy drift / released"]["computed"], 1e-8)
        self.assertLess(abs(rows["first at [s], g = 9.8"]["difference"]), 1e-9)
        self.assertIn("0.5820", text)
        self.drawn(folder, "figure-3", "figure-4", "figure-5")
        listed = self.table(folder / "collisions.csv")
        self.assertEqual(len(listed), 4)
        for c in listed:  # moment of the impulse about the pivot of rod O2B
            gain = c["theta' after [rad/s]"] - c["theta' before [rad/s]"]
            self.assertAlmostEqual(gain * 3 * 1.6**2 / 3, c["impulse [N s]"] * c["l_A' [m]"], delta=1e-8)

    def test_contact_modes(self):
        folder, text, rows = self.reproduce(3, "contact modes")
        self.assertEqual(rows["collisions in 20 s, k = 1"]["computed"], 17)
        self.assertIn("impossible", text)
        self.drawn(folder, "stations")

    def test_cases(self):
        folder, text, rows = self.reproduce(3, "cases")
        self.assertIn("A on O2B", text)
        self.assertIn("B on O1A", text)
        for case in ("(a)", "(c)"):
            self.assertLess(rows[f"{case} times, worst [s]"]["computed"], 1e-9)
            self.assertEqual(rows[f"{case} another tip strikes"]["computed"], 0)
        self.assertLess(rows["tips: times, worst [s]"]["computed"], 1e-9)
        self.drawn(folder, "case-c")
        self.other_lengths(folder / "scenes" / "case-c.json")

    def other_lengths(self, scene):
        """Which tip strikes follows from the lengths: the point of an impact is the end of one of the rods."""
        for l1, l2, d in ((2.0, 1.2, 0.7), (1.3, 0.6, 0.7), (0.9, 1.0, 0.4), (1.0, 2.0, 0.9)):
            out = self.folder / f"lengths-{l1}-{l2}"
            words = [word for name, value in (("l1", l1), ("l2", l2), ("d", d))
                     for word in ("--set", f"include.variables.{name}={value}")]
            self.ok("run", scene, "-o", out, *words)
            struck = self.impact_points(out)
            self.assertGreater(len(struck), 2)
            for x, z in struck:
                tips = [abs(math.hypot(x, z) - l1) < 1e-7, abs(math.hypot(x - d, z) - l2) < 1e-7]
                self.assertTrue(any(tips), (l1, l2, d, x, z))
                self.assertTrue(tips[1] or l1 < l2 + d, "only B can strike")
                self.assertTrue(tips[0] or l2 < l1 + d, "only A can strike")

    def impact_points(self, result):
        listed = csv.DictReader(self.ok("export", result, "--to", "events").splitlines())
        return [(float(row["position.x [m]"]), float(row["position.z [m]"])) for row in listed if row["event"] == "impact"]

    def test_sleeve(self):
        folder, text, rows = self.reproduce(5, "sleeve and link")
        self.assertLess(rows["replay: 42 velocities"]["computed"], 6e-5)
        self.assertLess(rows["correct: 56 numbers"]["computed"], 1e-7)
        for word in ("printed", "replay", "correct", "misprinted", "with e = 0.5"):
            self.assertIn(word, text)
        listed = self.table(folder / "table-1.csv")
        self.assertEqual([row["row"] for row in listed], list(range(1, 15)))
        self.assertTrue(all(row["T/T0 correct"] <= 1 + 1e-12 for row in listed))
        self.replayed_by_hand(folder, listed[6])

    def replayed_by_hand(self, folder, row):
        """The scene beside the results, run as a user would, gives the replay of row 7."""
        out = self.folder / "by-hand"
        self.ok("run", folder / "scenes" / "sleeve.json", "-o", out, "--set", "variables.muB=0.4", "--set",
                "variables.muA=0.4", "--set", f"contact.impulse={row['impulse replay']!r}")
        with open(out / "signals.csv", newline="") as stream:
            last = list(csv.reader(stream))[-1]
        self.assertAlmostEqual(float(last[1]), row["xC' replay"], delta=1e-12)
        self.assertAlmostEqual(float(last[2]), row["yC' replay"], delta=1e-12)

    def test_jamming(self):
        _, text, rows = self.reproduce(5, "jamming")
        self.assertEqual(rows["jams not as expected"]["computed"], 0)
        self.assertIn("jam of 'B'", text)

    def test_energy(self):
        folder, _, _ = self.reproduce(5, "energy and restitution")
        ratios = [row["T/T0"] for row in self.table(folder / "energy.csv")]
        self.assertEqual(ratios, sorted(ratios, reverse=True))
        self.drawn(folder, "energy")

    def test_friction(self):
        folder, text, rows = self.reproduce(5, "energy and friction")
        self.assertGreater(rows["influence of A / of B"]["computed"], 1)
        self.assertGreater(rows["pendulum: influence A / B"]["computed"], 1)
        self.assertIn("no general rule", text)
        swept = self.table(folder / "friction.csv")
        over_b = [row["T/T0 over muB"] for row in swept]
        over_a = [row["T/T0 over muA"] for row in swept]
        self.assertEqual(over_b, sorted(over_b, reverse=True))
        self.assertEqual(over_a[:8], sorted(over_a[:8], reverse=True))
        self.assertGreater(over_a[10], over_a[8])
        self.assertEqual(over_a[4], over_b[4])
        self.drawn(folder, "friction")

    def test_double_pendulum(self):
        folder, text, rows = self.reproduce(5, "double pendulum")
        self.assertLess(rows["correct: 33 numbers"]["computed"], 1e-7)
        self.assertLess(rows["replay of the program"]["computed"], 6e-5)
        self.assertIn("program behind the print", text)
        self.assertEqual(len(self.table(folder / "table-2.csv")), 11)


if __name__ == "__main__":
    unittest.main(verbosity=2)
