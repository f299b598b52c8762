"""carom papers: what is compared with papers stays within its tolerance. Needs CAROM_BIN and CAROM_SOURCE_DIR.

Times are not compared: on a busy machine they prove nothing. What detection asks of fields is counted."""
import csv
import json
import unittest

from support import Case


class Papers(Case):
    def reproduce(self, number, item, *words):
        folder = self.folder / item.replace(" ", "-")
        text = self.ok("papers", str(number), "--item", item, "-o", folder, *words)
        rows = json.loads((folder / "summary.json").read_text())["rows"]
        return folder, text, {row["name"]: row for row in rows}

    def test_sliders(self):
        folder, text, _ = self.reproduce(1, "two sliders")
        self.assertIn("v1 after impact", text)
        for name in ("figure-8a.svg", "figure-8b.png", "figure-8a.csv"):
            self.assertGreater((folder / name).stat().st_size, 200, name)

    def test_figure_4(self):
        folder, text, rows = self.reproduce(1, "figure 4", "--quick")
        self.assertEqual(rows["points found, difference"]["computed"], 0)
        self.assertIn("spread", text)
        for name in ("figure-4.svg", "figure-4.png"):
            self.assertGreater((folder / name).stat().st_size, 200, name)
        with open(folder / "figure-4.csv", newline="") as stream:
            sizes = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(stream)]
        gains = [size["looks without octree"] / size["looks with octree"] for size in sizes]
        self.assertEqual(gains, sorted(gains))
        self.assertGreater(gains[0], 2)
        for size in sizes:
            self.assertEqual(size["looks without octree"], size["points"])

    def test_docking(self):
        folder, text, rows = self.reproduce(1, "docking")
        for row in ("capture [s]", "active craft [mm/s]", "class I points [%]", "misaligned: depth [%]"):
            self.assertIn(row, text)
        for name in ("figure-12.svg", "figure-13.svg", "figure-14.svg", "docking.csv"):
            self.assertGreater((folder / name).stat().st_size, 200, name)
        self.assertEqual(rows["rings open after it [mm]"]["computed"], 0)
        self.assertLess(rows["not a sine [%]"]["computed"], 5)
        self.assertGreaterEqual(rows["class II at once, most"]["computed"], 1)
        self.assertGreater(rows["class I points [%]"]["computed"], 70)
        self.closed_and_settled(folder / "docking.csv")

    def closed_and_settled(self, file):
        """What figures 12 and 13 show, from the numbers behind them."""
        with open(file, newline="") as stream:
            frames = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(stream)]
        late = [f for f in frames if f["t [s]"] > 2.6]
        self.assertTrue(all(-1e-3 < f["distance [m]"] < 0 for f in late))
        common = -0.040 * 8600 / (8600 + 7900 + 47.5 + 6 * 0.21 + 3 * 0.063)
        for craft in ("active [m/s]", "passive [m/s]"):
            crossings = sum((a[craft] - common) * (b[craft] - common) < 0 for a, b in zip(late, late[1:])
                            if b["t [s]"] < 4.6)
            self.assertAlmostEqual(crossings / 2 / 2.0, 12.85, delta=0.3, msg="vibrations in 2 s")
            self.assertTrue(all(abs(f[craft] - common) < 3e-4 for f in late if f["t [s]"] > 7.5))


class Efficiency(Case):
    def test_efficiency(self):
        """The item runs to its end and counts; whether its seconds are within tolerance is not asked here."""
        folder = self.folder / "efficiency"
        done = self.carom("papers", "1", "--item", "efficiency", "--quick", "-o", folder)
        self.assertNotIn("could not be finished", done.stdout + done.stderr)
        rows = {row["name"]: row for row in json.loads((folder / "summary.json").read_text())["rows"]}
        for pair in ("boxes", "statue"):
            for way in ("direct", "sdf-octree", "sdf", "sdf+octree"):
                self.assertGreater(rows[f"{pair}, {way} [s]"]["computed"], 0)
            for number in (7, 8, 9):
                self.assertGreater(rows[f"{pair}, ({number}) / measured"]["computed"], 0.1)
            self.assertGreater(rows[f"{pair}, looks saved by octree"]["computed"], 2)
        for equation in ("K N T1", "N0 T1", "n^3 T1", "K (T3 + n T2)", "Field alone, boxes"):
            self.assertIn(equation, done.stdout)
        for name in ("figure-10.svg", "figure-10.png"):
            self.assertGreater((folder / name).stat().st_size, 200, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
