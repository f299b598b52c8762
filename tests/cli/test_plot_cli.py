"""carom plot as a shell sees it. Needs CAROM_BIN and CAROM_SOURCE_DIR."""
import re
import shutil
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import h5py
import numpy as np

from support import SOURCE, Case, carom

RAN = {}


def pendulum(duration):
    """The folder of a run, made once."""
    if duration not in RAN:
        folder = Path(PlotCase.shared) / f"pendulum-{duration}"
        done = carom("run", SOURCE / "examples" / "scenes" / "pendulum.json", "-o", folder, "--quiet", "--duration",
                     duration)
        assert done.returncode == 0, done.stderr
        RAN[duration] = folder
    return RAN[duration]


def rewritten(source, target, time, signals):
    """A result with other numbers: the frames at these times, the signals {name: (unit, values)}."""
    target.mkdir()
    with h5py.File(source / "result.h5", "r") as old, h5py.File(target / "result.h5", "w") as new:
        frames = len(old["time"])
        new.attrs.update(old.attrs)

        def copy(path, item):
            if isinstance(item, h5py.Group):
                new.require_group(path).attrs.update(item.attrs)
                return
            data = item[()]
            if item.shape and item.shape[0] == frames:
                data = np.zeros((len(time),) + item.shape[1:], item.dtype)
            if path == "bodies/orientation":
                data[..., 0] = 1.0
            if path == "time":
                data = np.asarray(time, float)
            if path == "signals/name":
                data = np.array([n if isinstance(n, bytes) else n.encode() for n in signals], dtype="S")
            if path == "signals/unit":
                data = np.array([unit.encode() for unit, _ in signals.values()], dtype="S8")
            if path == "signals/value":
                data = np.array([values for _, values in signals.values()], float).T.copy()
            new.create_dataset(path, data=data).attrs.update(item.attrs)

        old.visititems(copy)
    return target


def page_mm(svg):
    """Width and height of an SVG, and that it is well-formed and holds drawings only."""
    root = ElementTree.fromstring(svg)
    kinds = {element.tag.split("}")[1] for element in root.iter()}
    assert not kinds & {"text", "script", "image", "a", "foreignObject"}, kinds
    return [round(float(re.fullmatch(r"([\d.]+)pt", root.get(key))[1]) * 25.4 / 72.0, 1) for key in ("width", "height")]


class PlotCase(Case):
    @classmethod
    def setUpClass(cls):
        PlotCase.shared = tempfile.mkdtemp(prefix="carom-cli-")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(PlotCase.shared)
        RAN.clear()

    def setUp(self):
        super().setUp()
        self.result = pendulum(1)

    def svg(self, *words):
        self.ok("plot", *words, "-o", "a.svg")
        return (self.folder / "a.svg").read_bytes()

    def faked(self, time, signals, name="fake"):
        return rewritten(self.result, self.folder / name, time, signals)


class Pictures(PlotCase):
    def test_help_has_an_example(self):
        text = self.ok("plot", "--help")
        for part in ("Usage: carom plot RESULT...", "--inset", "--paper", "Example:", "  carom plot "):
            self.assertIn(part, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 120)

    def test_without_a_file_it_lands_beside_the_result(self):
        copy = self.folder / "copy"
        shutil.copytree(self.result, copy)
        for given in (copy, f"{copy}/", copy / "result.h5"):
            with self.subTest(given):
                self.assertEqual(self.ok("plot", given), f"{copy / 'plot.svg'}: 3 curves\n")
                page_mm((copy / "plot.svg").read_bytes())
                (copy / "plot.svg").unlink()
        self.ok("plot", "result.h5", cwd=copy)
        self.assertTrue((copy / "plot.svg").exists())

    def test_each_format_is_written_and_repeats(self):
        for ending, start in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
            files = [self.folder / f"{i}.{ending}" for i in range(2)]
            for file in files:
                self.assertEqual(self.ok("plot", self.result, "--y", "rod.position.*,hinge.force", "-o", file), f"{file}: 4 curves\n")
            first, second = (file.read_bytes() for file in files)
            self.assertTrue(first.startswith(start))
            self.assertEqual(first, second)

    def test_every_option_changes_the_picture(self):
        other = pendulum(2)
        signals = ("--y", "rod.position.x,rod.position.y,hinge.force")
        plain = self.svg(self.result, *signals)
        seen = {plain}
        for words in (["--title", "T"], ["--xlabel", "X"], ["--ylabel", "Y"], ["--label", "L"], ["--legend", "none"],
                      ["--legend", "outside"], ["--xlim", "0.2,0.4"], ["--ylim=-1,1"], ["--time", "0.1,0.5"],
                      ["--inset", "0.1,0.2"], ["--inset", "0.1,0.2,-0.5,0.5"], ["--panels"], ["--markers"],
                      ["--paper"], ["--paper", "--grid"], ["--width", "100"], ["--height", "70"],
                      ["--x", "hinge.angle"], ["--log", "y"], [other], ["--diff", other]):
            with self.subTest(words):
                drawn = self.svg(self.result, *signals, *words)
                self.assertNotIn(drawn, seen)
                seen.add(drawn)

    def test_pages_have_the_size_asked_for(self):
        one = ("--y", "rod.position.x")
        self.assertEqual(page_mm(self.svg(self.result, *one)), [150.0, 95.0])
        self.assertEqual(page_mm(self.svg(self.result, *one, "--paper"))[0], 84.0)
        self.assertEqual(page_mm(self.svg(self.result, *one, "--width", "120", "--height", "60")), [120.0, 60.0])
        self.assertGreater(page_mm(self.svg(self.result))[1], 140.0)  # three units: three panels

    def test_patterns_and_lists_mean_the_same(self):
        named = self.svg(self.result, "--y", "rod.position.x,rod.position.y,rod.position.z")
        self.assertEqual(self.svg(self.result, "--y", "rod.position.*"), named)
        self.assertEqual(self.svg(self.result, "--y", "rod.position.x", "--y", "rod.position.[yz]"), named)

    def test_the_default_is_what_the_scene_recorded(self):
        with h5py.File(self.result / "result.h5") as h5:
            names = [name.decode() for name in h5["signals/name"]]
        self.assertEqual(self.svg(self.result), self.svg(self.result, "--y", ",".join(names)))


class Numbers(PlotCase):
    def test_differences_of_a_result_from_itself_are_none(self):
        """The difference of equal results is a straight line at 0, wherever the other ends."""
        twice = self.faked([0.0, 0.5, 1.0], {"a": ("m", [1.0, 2.0, 3.0])}, "twice")
        fine = self.faked([0.0, 0.25, 0.5, 0.75, 1.0], {"a": ("m", [1.0, 1.5, 2.0, 2.5, 3.0])}, "fine")
        zero = self.faked([0.0, 0.25, 0.5, 0.75, 1.0], {"a": ("m", [0.0] * 5)}, "zero")
        words = ("--y", "a", "--ylabel", "L", "--label", "N")
        drawn = self.svg(twice, fine, "--diff", *words)
        self.assertEqual(drawn, self.svg(zero, *words))

    def test_an_index_is_no_unit(self):
        """Names of repeated entries have brackets; their axes show the unit all the same."""
        result = self.faked([0.0, 0.5, 1.0], {"a[0].x": ("m", [1.0, 2.0, 3.0]), "a[0].y": ("m", [2.0, 1.0, 3.0])})
        drawn = self.svg(result, "--x", "a[0].x", "--y", "a[0].y")
        said = self.svg(result, "--x", "a[0].x", "--y", "a[0].y", "--xlabel", "a[0].x [m]", "--ylabel", "a[0].y [m]")
        self.assertEqual(drawn, said)

    def test_hostile_names_do_no_harm(self):
        names = ["</script><b>&\"'x", "\U0001f600.z", "\u05e9\u05dc\u05d5\u05dd.x", "x" * 10000, "\x01\x1b[31m\x7f.y",
                 "\u202eevil.z", b"wrong \xff\xfe\xc3.q", "a^{2}_{b}^-3", "%s%n", "a,b", "[x]*?"]
        time = np.linspace(0.0, 1.0, 20)
        result = self.faked(time, {name: ("m", np.sin(time + i)) for i, name in enumerate(names)})
        svg = self.svg(result, "--title", "</svg><script>alert(1)</script>", "--xlabel", "<a href='x'>")
        page_mm(svg)
        for word in (b"alert", b"href='x'", b"evil"):
            self.assertNotIn(word, svg)
        for ending in ("pdf", "png"):
            self.ok("plot", result, "-o", f"a.{ending}")
        self.svg(result, "--y", "a,b")  # the signal of that name, not two
        self.svg(result, "--y", "[x]*?")

    def test_all_numbers_can_be_drawn(self):
        time = np.linspace(0.0, 10.0, 101)
        gaps = np.where(np.arange(101) % 7 == 0, np.nan, np.sin(time))
        for name, values in (("constant", 0.0 * time + 5.0), ("zero", 0.0 * time), ("tiny", 1e-300 * time),
                             ("huge", 1e298 * time), ("offset", 1e9 + 1e-3 * np.sin(time)), ("gaps", gaps)):
            with self.subTest(name):
                result = self.faked(time, {name: ("m", values)}, name)
                done = self.carom("plot", result, "-o", "a.svg")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual("not finite" in done.stderr, name == "gaps")
        one = self.faked([0.0], {"a": ("m", [3.0]), "b": ("N", [4.0])}, "one")
        page_mm(self.svg(one))

    def test_logarithmic_axes_say_what_they_leave_out(self):
        time = np.linspace(0.0, 1.0, 11)
        result = self.faked(time, {"a": ("m", time - 0.45), "b": ("m", -1.0 - time)})
        done = self.carom("plot", result, "--y", "a", "--log", "y", "-o", "a.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("5 of 11 points of 'a' are not positive", done.stderr)
        self.refused("plot", result, "--y", "b", "--log", "y", "-o", "b.svg", contains="nothing to plot")
        self.assertFalse((self.folder / "b.svg").exists())

    def test_many_signals_and_points_stay_small(self):
        time = np.linspace(0.0, 100.0, 200001)
        noise = np.random.default_rng(1).standard_normal(len(time))
        result = self.faked(time, {"noise": ("m", noise)})
        self.assertLess(len(self.svg(result)), 1000000)
        short = time[:50]
        many = self.faked(short, {f"link {i}.position.z": ("m", np.sin(short * 20 + i)) for i in range(40)}, "many")
        for style in ([], ["--paper"], ["--height", "60"]):
            page_mm(self.svg(many, *style))


class Mistakes(PlotCase):
    def test_results_that_lack_a_signal_are_left_out(self):
        other = self.faked([0.0, 1.0], {"lonely": ("m", [0.0, 1.0])})
        done = self.carom("plot", self.result, other, "--y", "lonely", "-o", "a.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("has no signal 'lonely'; left out", done.stderr)

    def test_mistakes_are_named(self):
        r = self.result
        for words, parts in (
                ([r, "--y", "rod.positon.x"], ["rod.positon.x", "did you mean 'rod.position.x'?"]),
                ([r, "--y", "nothing.*"], ["no signal matches 'nothing.*'"]),
                ([r, "--x", "hinge.angel"], ["hinge.angel", "hinge.angle"]),
                ([r, "-o", "a.gif"], ["a.gif", ".svg, .pdf or .png"]),
                ([r, "-o", "a"], [".svg, .pdf or .png"]),
                ([r, "-o", "no/such/a.svg"], ["no/such"]),
                ([r, "-o", "/dev/null.svg/a.svg"], ["/dev/null.svg"]),
                ([r, "--log", "z"], ["x, y and xy", "'z'"]),
                ([r, "--legend", "left"], ["auto, outside and none"]),
                ([r, "--xlim", "2,1"], ["--xlim", "smaller first"]),
                ([r, "--ylim", "1"], ["--ylim", "two numbers"]),
                ([r, "--ylim", "nan,1"], ["--ylim"]),
                ([r, "--time", "a,b"], ["--time"]),
                ([r, "--time", "50,60"], ["no frame between 50 and 60 s", "0 to 1 s"]),
                ([r, "--inset", "1"], ["--inset", "X0,X1"]),
                ([r, "--inset", "70,80"], ["inset 1", "no part of the x axis"]),
                ([r, "--inset", "9:0.1,0.2"], ["panel 9"]),
                ([r, "--inset", "0:0.1,0.2"], ["panel"]),
                ([r, "--y", "hinge.angle", "--label", "a", "--label", "b"], ["1 curves", "2 times"]),
                ([r, "--y", "hinge.angle", "--ylabel", "a", "--ylabel", "b"], ["1 y axes", "--ylabel"]),
                ([r, "--diff"], ["two results"]),
                ([r, r, "--diff", "--x", "hinge.angle"], ["leave out '--x"]),
                ([r, "--width", "5"], ["--width", "40"]),
                ([r, "--y", "hinge.angle", "--ylim=-1,1", "--log", "y"], ["logarithmic"]),
                (["nowhere"], ["nowhere"]),
                ([], ["needs RESULT"])):
            with self.subTest(words):
                self.refused("plot", *words, *(["-o", "x.svg"] if "-o" not in words else []), contains=parts)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_damaged_result_is_refused(self):
        broken = self.folder / "broken"
        broken.mkdir()
        data = (self.result / "result.h5").read_bytes()
        (broken / "result.h5").write_bytes(data[:len(data) // 2])
        self.refused("plot", broken, contains="broken")


if __name__ == "__main__":
    unittest.main()
