"""carom papers: what is compared with papers stays within its tolerance. Needs CAROM_BIN and CAROM_SOURCE_DIR.

Items that measure time are left out: on a busy machine they prove nothing."""
import json
import unittest

from support import Case


class Papers(Case):
    def reproduce(self, number, item):
        folder = self.folder / item.replace(" ", "-")
        text = self.ok("papers", str(number), "--item", item, "-o", folder)
        json.loads((folder / "summary.json").read_text())
        return folder, text

    def test_sliders(self):
        folder, text = self.reproduce(1, "two sliders")
        self.assertIn("v1 after impact", text)
        for name in ("figure-8a.svg", "figure-8b.png", "figure-8a.csv"):
            self.assertGreater((folder / name).stat().st_size, 200, name)

    def test_docking(self):
        folder, text = self.reproduce(1, "docking")
        for row in ("capture [s]", "active craft [mm/s]", "class I points [%]", "misaligned: depth [%]"):
            self.assertIn(row, text)
        for name in ("figure-12.svg", "figure-13.svg", "figure-14.svg", "docking.csv"):
            self.assertGreater((folder / name).stat().st_size, 200, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
