"""Impacts as people and programs get them: 'carom info', exports, the page. The events are put into the result of a small
run, so that every number of them is known; with hostile names, with what is not a number, and a million of them."""
import csv
import io
import json
import re
import unicodedata
import unittest

import h5py
import numpy as np

from page_data import Page
from support import Case

NAMES = ["rod, \"A\" B", "日本語" * 20]
JOINT = "\x9b31m</script>" + "x" * 100
NEWER = ["joint", "mode", "speed_after", "slip", "slip_after", "impulse", "energy_lost", "friction", "friction_after"]
UTF8 = {"LC_ALL": "C.UTF-8"}
WIDE = dict(UTF8, COLUMNS="160")


def columns_of(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


class Filled(Case):
    """The result of a small run, whose events are replaced."""

    def setUp(self):
        super().setUp()
        bodies = [{"name": name, "mass": 1, "inertia": [1, 1, 1], "position": [i, 0, 0]} for i, name in enumerate(NAMES)]
        joints = [{"name": JOINT, "type": "spherical", "bodies": ["ground", NAMES[0]]}]
        (self.folder / "scene.json").write_text(json.dumps({"carom": 1, "time": {"end": 0.1}, "bodies": bodies,
                                                            "joints": joints}))
        self.ok("run", "scene.json", "-q", "-o", "out", "--no-report")
        self.file = self.folder / "out" / "result.h5"
        with h5py.File(self.file) as h5:
            table = h5["events"]
            self.kinds, self.modes, self.frictions = (
                table[name].attrs["names"].decode().split(", ") for name in ("kind", "mode", "friction"))

    def fill(self, count, **chosen):
        """Random events; `chosen` replaces whole columns."""
        rng = np.random.default_rng(5)
        impact = self.kinds.index("impact")
        normal = rng.normal(size=(count, 3))
        columns = dict(
            time=np.sort(rng.uniform(0, 0.1, count)), kind=np.full(count, impact),
            body_a=rng.integers(0, 2, count), body_b=np.full(count, -1), position=rng.normal(size=(count, 3)),
            normal=normal / np.linalg.norm(normal, axis=1, keepdims=True), speed=-rng.uniform(1, 2, count),
            named=np.full(count, -1), joint=np.where(np.arange(count) % 4 == 3, 0, -1), mode=rng.integers(1, 4, count),
            speed_after=rng.uniform(0, 1, count), slip=rng.normal(size=(count, 3)), slip_after=rng.normal(size=(count, 3)),
            impulse=rng.normal(size=(count, 3)), energy_lost=rng.uniform(0, 1, count), friction=rng.integers(0, 3, count),
            friction_after=rng.integers(0, 3, count))
        columns.update(chosen)
        with h5py.File(self.file, "r+") as h5:
            for name, values in columns.items():
                h5["events"][name].resize(count, axis=0)
                h5["events"][name][...] = values
        columns["along"] = np.einsum("ij,ij->i", columns["impulse"], columns["normal"])
        columns["across"] = np.linalg.norm(columns["impulse"] - columns["along"][:, None] * columns["normal"], axis=1)
        return columns


class Impacts(Filled):
    def table(self, text, first):
        """Rows behind the title that begins with these words: lists of words of numbered lines."""
        lines = text.splitlines()
        at = next(i for i, line in enumerate(lines) if line.split()[:len(first)] == first)
        rows = []
        for line in lines[at + 1:]:
            if not re.match(r" +(\d+|\.\.\.)( |$)", line):
                break
            rows.append(line.split())
        return [row for row in rows if row[0] != "..."]

    def check_rows(self, rows, columns, numbers, start):
        for row in rows:
            k = int(row[0]) - 1
            values = [columns[name][k] for name in numbers]
            np.testing.assert_allclose([float(word) for word in row[start:start + len(numbers)]], values, rtol=6e-4)

    STRENGTH = ["along", "across", "speed", "speed_after", "energy_lost"]

    def test_info_in_80_columns(self):
        columns = self.fill(40)
        text = self.ok("info", "out", env=UTF8)
        self.assertIn("\n40 impacts\n", text)
        self.assertLessEqual(max(map(columns_of, text.splitlines())), 80)
        strengths = self.table(text, ["#", "normal"])
        places = self.table(text, ["#", "t", "[s]"])
        shown = [*range(1, 13), *range(37, 41)]
        self.assertEqual([int(row[0]) for row in strengths], shown)
        self.assertEqual([int(row[0]) for row in places], shown)
        self.check_rows(strengths, columns, self.STRENGTH, 1)
        np.testing.assert_allclose([float(row[1]) for row in places], columns["time"][np.array(shown) - 1], rtol=6e-9)
        for row in places:
            k = int(row[0]) - 1
            self.assertEqual("(joint)" in row, columns["joint"][k] == 0)
            self.assertIn(self.modes[columns["mode"][k]], row)
        self.assertNotIn("\x9b", text)

    def test_info_on_a_wide_screen(self):
        columns = self.fill(9)
        text = self.ok("info", "out", env=WIDE)
        rows = [[*row] for row in self.table(text, ["#", "t", "[s]"])]
        self.assertEqual(len(rows), 9)
        for row in rows:
            mode = next(i for i, word in enumerate(row) if word in self.modes)
            self.check_rows([[row[0], *row[mode + 1:]]], columns, self.STRENGTH, 1)

    def test_statistics_of_modes(self):
        columns = self.fill(50)
        text = self.ok("info", "out", env=UTF8)
        for mode in set(columns["mode"].tolist()):
            of = columns["mode"] == mode
            found = re.search(rf"^  {self.modes[mode]} +(\d+) +(\S+) +(\S+) +(\S+)$", text, re.M)
            self.assertIsNotNone(found, text)
            self.assertEqual(int(found[1]), of.sum())
            expected = [2.0 * of.sum(), columns["energy_lost"][of].sum(), max(0.0, columns["along"][of].max())]
            np.testing.assert_allclose([float(found[i]) for i in (2, 3, 4)], expected, rtol=6e-3)
        found = re.search(r"^  all +50 +100 +(\S+) ", text, re.M)
        self.assertAlmostEqual(float(found[1]), columns["energy_lost"].sum(), delta=1e-3)

    def test_events_lists_all(self):
        columns = self.fill(60, kind=np.arange(60) % len(self.kinds))
        text = self.ok("info", "out", "--events")
        impacts = (columns["kind"] == self.kinds.index("impact")).sum()
        self.assertEqual(len(self.table(text, ["#", "normal"])), impacts)
        points = np.array([[float(word) for word in row[1:]] for row in self.table(text, ["#", "x", "[m]"])])
        hit = columns["kind"] == self.kinds.index("impact")
        np.testing.assert_allclose(points[:, :3], columns["position"][hit], rtol=6e-6)
        np.testing.assert_allclose(points[:, 3], np.linalg.norm(columns["slip"][hit], axis=1), rtol=6e-4)
        np.testing.assert_allclose(points[:, 4], np.linalg.norm(columns["slip_after"][hit], axis=1), rtol=6e-4)
        for kind in self.kinds:
            expected = (columns["kind"] == self.kinds.index(kind)).sum()
            self.assertEqual(len(re.findall(rf"^ +[\d.e-]+  {kind} ", text, re.M)), expected, kind)
        self.assertNotIn("...", self.ok("info", "out", "--all").split("60 events")[1].split("Bodies at")[0])

    def test_only_some_were_recorded(self):
        self.fill(20)
        file = self.folder / "out" / "summary.json"
        file.write_text(json.dumps(dict(json.loads(file.read_text()), impacts=3000000)))
        self.assertIn("3000000 impacts, of which the first 20 were recorded", self.ok("info", "out"))

    def test_what_is_not_a_number(self):
        self.fill(3, energy_lost=[np.nan, np.inf, -np.inf], speed_after=[np.nan] * 3, impulse=np.full((3, 3), np.nan),
                  position=np.full((3, 3), np.nan))
        self.assertIn("nan", self.ok("info", "out"))
        self.assertEqual(self.events_csv()[0]["energy_lost [J]"], "nan")

    def events_csv(self, *options):
        text = self.ok("export", "out", "--to", "events", *options)
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def test_csv_has_every_number(self):
        columns = self.fill(300, kind=np.arange(300) % len(self.kinds), mode=np.arange(300) % len(self.modes))
        rows = self.events_csv()
        self.assertEqual(len(rows), 300)
        for title, name in (("time [s]", "time"), ("speed [m/s]", "speed"), ("speed_after [m/s]", "speed_after"),
                            ("energy_lost [J]", "energy_lost")):
            np.testing.assert_array_equal([float(row[title]) for row in rows], columns[name], title)
        for title, unit, name in (("position", " [m]", "position"), ("normal", "", "normal"), ("slip", " [m/s]", "slip"),
                                  ("slip_after", " [m/s]", "slip_after"), ("impulse", " [N*s]", "impulse")):
            for k, part in enumerate("xyz"):
                np.testing.assert_array_equal([float(row[f"{title}.{part}{unit}"]) for row in rows], columns[name][:, k])
        np.testing.assert_allclose([float(row["impulse.normal [N*s]"]) for row in rows], columns["along"], rtol=1e-12)
        np.testing.assert_allclose([float(row["impulse.tangential [N*s]"]) for row in rows], columns["across"], rtol=1e-9)
        for k, row in enumerate(rows):
            self.assertEqual(row["event"], self.kinds[columns["kind"][k]])
            self.assertEqual((row["a"], row["b"]), (NAMES[columns["body_a"][k]], "ground"))
            self.assertEqual(row["joint"], JOINT if columns["joint"][k] == 0 else "")
            self.assertEqual(row["mode"], self.modes[columns["mode"][k]] if columns["mode"][k] else "")
            for name in ("friction", "friction_after"):
                self.assertEqual(row[name], self.frictions[columns[name][k]] if columns[name][k] else "")

    def test_csv_of_a_stretch_of_time(self):
        columns = self.fill(100)
        within = (columns["time"] >= 0.02) & (columns["time"] <= 0.05)
        rows = self.events_csv("--from", 0.02, "--until", 0.05)
        np.testing.assert_array_equal([float(row["time [s]"]) for row in rows], columns["time"][within])
        said = self.ok("export", "out", "--to", "events", "-o", "a.csv", "--from", 0.02, "--until", 0.05)
        self.assertIn(f"{within.sum()} events", said)

    def test_npz_has_every_number(self):
        columns = self.fill(300, kind=np.arange(300) % len(self.kinds), mode=np.arange(300) % len(self.modes))
        self.ok("export", "out", "-o", "a.npz")
        a = np.load(self.folder / "a.npz", allow_pickle=False)
        for name in ("time", "body_a", "body_b", "joint", "position", "normal", "speed", "speed_after", "slip", "slip_after",
                     "impulse", "energy_lost"):
            np.testing.assert_array_equal(a[f"event_{name}"], columns[name], name)
        for name, words in (("kind", self.kinds), ("mode", self.modes), ("friction", self.frictions),
                            ("friction_after", self.frictions)):
            self.assertEqual(a[f"event_{name}"].tolist(), [words[code] for code in columns[name]])
        self.assertEqual(a["joint_names"].tolist(), [JOINT])

    def test_results_of_an_older_carom(self):
        columns = self.fill(30)
        with h5py.File(self.file, "r+") as h5:
            for name in NEWER:
                del h5["events"][name]
        self.assertIn("30 impacts", self.ok("info", "out"))
        rows = self.events_csv()
        np.testing.assert_array_equal([float(row["speed [m/s]"]) for row in rows], columns["speed"])
        found = {(row["joint"], row["mode"], row["friction"], row["energy_lost [J]"]) for row in rows}
        self.assertEqual(found, {("", "", "", "0")})

    def test_no_events(self):
        self.assertEqual(self.ok("info", "out", "--events"), "no events\n")
        self.assertNotIn("impact", self.ok("info", "out").replace("lost in impact", ""))
        self.assertEqual(self.events_csv(), [])
        self.assertIn("0 events", self.ok("export", "out", "--to", "events", "-o", "a.csv"))

    def test_a_million(self):
        count = 1000000
        columns = self.fill(count)
        text = self.ok("info", "out")
        self.assertIn(f"\n{count} impacts\n", text)
        self.assertEqual([int(row[0]) for row in self.table(text, ["#", "normal"])][-1], count)
        self.assertEqual(len(self.events_csv("--until", 1e-4)), (columns["time"] <= 1e-4).sum())


class Pages(Filled):
    def events_of_page(self):
        self.ok("view", "out", "--no-open")
        return Page(self.folder / "out" / "report.html").run["events"]

    def test_every_number(self):
        columns = self.fill(300)
        events = self.events_of_page()
        self.assertEqual(len(events), 300)
        for k, event in enumerate(events):
            d = event["details"]
            self.assertEqual((event["t"], event["speed"], d["speed_after"], d["energy_lost"], d["joint"], d["position"]),
                             (columns["time"][k], columns["speed"][k], columns["speed_after"][k], columns["energy_lost"][k],
                              columns["joint"][k], columns["position"][k].tolist()))
            self.assertEqual((d["mode"], d["friction"], d["friction_after"]),
                             (self.modes[columns["mode"][k]], *(self.frictions[columns[name][k]] for name in
                                                                ("friction", "friction_after"))))
            np.testing.assert_allclose([d["normal_impulse"], d["tangential_impulse"], d["slip"], d["slip_after"]],
                                       [columns["along"][k], columns["across"][k], np.linalg.norm(columns["slip"][k]),
                                        np.linalg.norm(columns["slip_after"][k])], rtol=1e-9)

    def test_what_is_not_a_number(self):
        nowhere = np.full((3, 3), np.nan)
        self.fill(3, energy_lost=[np.nan, np.inf, -np.inf], impulse=nowhere, position=nowhere)
        details = self.events_of_page()[0]["details"]
        self.assertEqual((details["energy_lost"], details["normal_impulse"], details["position"]), (None, None, [None] * 3))

    def test_results_of_an_older_carom(self):
        self.fill(30)
        with h5py.File(self.file, "r+") as h5:
            for name in NEWER:
                del h5["events"][name]
        self.assertEqual([event.get("details") for event in self.events_of_page()], [None] * 30)

    def test_very_many(self):
        self.fill(100000)
        self.ok("view", "out", "--no-open")
        run = Page(self.folder / "out" / "report.html").run
        self.assertEqual((len(run["events"]), run["events_total"]), (20000, 100000))


if __name__ == "__main__":
    unittest.main()
