"""Files that can be trusted: flipped bits, files of others, links in the way, disks and memory that end."""
import json
import os
import random
import re
import resource
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py

from support import CAROM, SOURCE, carom, differing, wait_until

SCENE = SOURCE / "tests" / "cli" / "scenes" / "dice.json"


class Folder(unittest.TestCase):
    """A folder `run` of a short run, copied for every test."""

    @classmethod
    def setUpClass(cls):
        cls.template = tempfile.mkdtemp()
        done = carom("run", SCENE, "-o", Path(cls.template) / "run", "--duration", 0.05, "--quiet")
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.template)

    def setUp(self):
        outer = tempfile.TemporaryDirectory()
        self.addCleanup(outer.cleanup)
        self.place = Path(outer.name)
        self.run = self.place / "run"
        shutil.copytree(Path(self.template) / "run", self.run)
        self.result = self.run / "result.h5"

    def refused(self, words, *arguments):
        done = carom(*arguments)
        self.assertEqual(done.returncode, 2, f"{arguments}: {done.stderr}")
        self.assertIn(words, done.stderr)


class Bits(Folder):
    """Whatever bit of a file is wrong, nobody believes it."""

    def flip(self, path, place, bit):
        data = bytearray(path.read_bytes())
        data[place] ^= 1 << bit
        path.write_bytes(data)

    def test_every_reader_notices_a_flipped_bit(self):
        whole = self.result.read_bytes()
        pick = random.Random(12)
        readers = [["info"], ["export", "-o", self.place / "x.csv"], ["plot", "-o", self.place / "x.svg"],
                   ["view", "--no-open", "-o", self.place / "x.html"], ["resume", "--duration", 0.06], ["compare"]]
        for trial in range(36):
            place = pick.randrange(len(whole))
            self.flip(self.result, place, pick.randrange(8))
            command, *more = readers[trial % len(readers)]
            operands = [self.run, Path(self.template) / "run"] if command == "compare" else [self.run]
            done = carom(command, *operands, *more)
            self.assertEqual(done.returncode, 2, f"{command}, byte {place}: {done.stdout}{done.stderr}")
            self.assertIn("result.h5", done.stderr)
            self.result.write_bytes(whole)
        self.assertEqual(carom("info", self.run).returncode, 0)

    def test_first_and_last_bytes_count(self):
        whole = self.result.read_bytes()
        for place in [0, 8, 11, 28, 35, 44, 47, *range(-48, 0, 5), -8, -1]:
            for bit in (0, 7):
                self.flip(self.result, place, bit)
                self.assertEqual(carom("info", self.run).returncode, 2, f"byte {place}, bit {bit}")
                self.result.write_bytes(whole)

    def test_a_cut_file_is_refused(self):
        whole = self.result.read_bytes()
        for bytes_left in (0, 1, 7, 47, 100, 4096, len(whole) // 2, len(whole) - 1, len(whole) - 33):
            self.result.write_bytes(whole[:bytes_left])
            self.assertEqual(carom("info", self.run).returncode, 2, f"{bytes_left} bytes")

    def test_a_flipped_bit_of_a_checkpoint_is_noticed(self):
        checkpoint = self.run / "checkpoint.bin"
        whole = checkpoint.read_bytes()
        pick = random.Random(7)
        for _ in range(12):
            self.flip(checkpoint, pick.randrange(len(whole)), pick.randrange(8))
            self.refused("checkpoint.bin", "resume", self.run, "--duration", 0.06)
            checkpoint.write_bytes(whole)

    def test_a_flipped_bit_of_a_summary_is_noticed(self):
        summary = self.run / "summary.json"
        whole = summary.read_bytes()
        pick = random.Random(5)
        times = range(whole.index(b'"wall_s"') + 9, whole.index(b'"energy"'))  # differ between equal runs
        places = [pick.randrange(len(whole)) for _ in range(16)] + list(range(len(whole) - 36, len(whole), 5))
        places = [p for p in places if p not in times]
        for place in places:
            self.flip(summary, place, pick.randrange(8))
            self.refused("summary.json", "info", self.run)
            summary.write_bytes(whole)
        self.assertEqual(carom("info", self.run).returncode, 0)

    def test_results_without_seal_are_read_as_before(self):
        """Another program that writes to the file takes the seal away."""
        before = carom("export", self.run).stdout
        with h5py.File(self.result, "r+") as h5:
            h5.attrs["remark"] = "mine"
        self.assertNotIn(b"CAROMSUM", self.result.read_bytes()[-64:])
        self.assertEqual(carom("export", self.run).stdout, before)
        self.assertEqual(carom("resume", self.run, "--duration", 0.06, "--quiet").returncode, 0)
        self.assertIn(b"CAROMSUM", self.result.read_bytes()[-64:])

    def test_other_programs_notice_changed_numbers_too(self):
        with h5py.File(self.result, "r") as h5:
            plain = []
            h5.visititems(lambda name, item: plain.append(name) if isinstance(item, h5py.Dataset) and not
                          (item.fletcher32 or item.id.get_create_plist().get_layout() == h5py.h5d.COMPACT) else None)
        self.assertEqual([name for name in plain if name != "meta/scene"], [])


class Foreign(Folder):
    """What no carom wrote is refused with the reason."""

    def change(self, action):
        with h5py.File(self.result, "r+") as h5:
            action(h5)

    def test_times_that_go_backwards_or_are_no_numbers(self):
        for value, words in ((-1.0, "backwards"), (float("nan"), "nan"), (float("inf"), "inf")):
            whole = self.result.read_bytes()
            self.change(lambda h5, v=value: h5["time"].__setitem__(3, v))
            for command in ("info", "export"):
                self.refused(words, command, self.run)
            self.result.write_bytes(whole)

    def turned(self, *components):
        """The status of `info` and what it says after the quaternion of a body was set."""
        whole = self.result.read_bytes()
        self.change(lambda h5: h5["bodies/orientation"].__setitem__((2, 0), components))
        done = carom("info", self.run)
        self.result.write_bytes(whole)
        return done

    def test_orientations_that_are_no_rotations(self):
        for q in ([0, 0, 0, 0], [-0.0, 0, 0, 0], [1e-9, 0, 0, 0], [2, 0, 0, 0], [0.6, 0.8, 0, 3e-3], [1 - 1e-5, 0, 0, 0],
                  [0, 0, 1.00001, 0], [1e200, 1e200, 0, 0], [-7, 0, 0, 0]):
            done = self.turned(*q)
            self.assertEqual(done.returncode, 2, f"{q}: {done.stdout}")
            self.assertIn("quaternion", done.stderr)

    def test_shapes_and_joints_are_turned_by_rotations_only(self):
        names = [n for n in ("shapes/orientation", "joints/orientation_a", "joints/orientation_b") if self.rows(n) > 0]
        self.assertIn("shapes/orientation", names)
        for name in names:
            for value in ([0, 0, 0, 0], [1.01, 0, 0, 0], [float("nan"), 0, 0, 0]):
                whole = self.result.read_bytes()
                self.change(lambda h5, n=name, v=value: h5[n].__setitem__(0, v))
                self.refused(name.partition("/")[0], "info", self.run)
                self.result.write_bytes(whole)

    def rows(self, name):
        with h5py.File(self.result, "r") as h5:
            return h5[name].shape[0]

    def test_orientations_rounded_to_single_precision_are_read(self):
        for q in ([0.48, 0.6, 0.64, 0], [1, 1e-8, 0, 0], [-0.5, 0.5, -0.5, 0.5]):
            self.assertEqual(self.turned(*(struct.unpack("f", struct.pack("f", x))[0] for x in q)).returncode, 0, f"{q}")

    def replace(self, name, link):
        def action(h5):
            del h5[name]
            h5[name] = link
        self.change(action)

    def test_links_that_lead_elsewhere(self):
        for name in ("time", "bodies/position", "bodies", "meta/scene"):
            for link in (h5py.ExternalLink("/etc/other.h5", "/time"), h5py.SoftLink("/ledger")):
                whole = self.result.read_bytes()
                self.replace(name, link)
                self.refused("link", "info", self.run)
                self.result.write_bytes(whole)

    def test_data_in_other_files(self):
        outside = self.place / "outside.bin"
        outside.write_bytes(bytes(8 * 1000))

        def external(h5):
            frames = h5["time"].shape[0]
            del h5["time"]
            h5.create_dataset("time", (frames,), dtype="f8", external=[(str(outside), 0, 8 * frames)])

        def virtual(h5):
            frames = h5["time"].shape[0]
            layout = h5py.VirtualLayout(shape=(frames,), dtype="f8")
            layout[:] = h5py.VirtualSource(str(self.place / "other.h5"), "time", shape=(frames,))
            del h5["time"]
            h5.create_virtual_dataset("time", layout)

        for action in (external, virtual):
            whole = self.result.read_bytes()
            self.change(action)
            self.refused("'time'", "info", self.run)
            self.result.write_bytes(whole)

    def test_columns_of_another_shape_are_not_left_out(self):
        """A column that an older carom did not write is absent; one that is there and does not fit is no reason to show less."""
        def make_group(h5, name):
            del h5[name]
            h5.create_group(name)

        def set_values(h5, name, values):
            del h5[name]
            h5[name] = values

        whole = self.result.read_bytes()
        for name in ("ledger/energy.residue", "ledger/lost.contact", "solver/steps"):
            self.change(lambda h5: h5.__delitem__(name))
            self.assertEqual(carom("info", self.run).returncode, 0)
            self.result.write_bytes(whole)
            for action in (make_group, lambda h5, n: set_values(h5, n, h5[n][:-1]),
                           lambda h5, n: set_values(h5, n, h5[n][:][None]),
                           lambda h5, n: set_values(h5, n, [b"text"] * h5[n].shape[0])):
                self.change(lambda h5, a=action: a(h5, name))
                for command in ("info", "export"):
                    self.refused(name, command, self.run)
                self.result.write_bytes(whole)

    def test_a_cut_summary_is_refused(self):
        """Without it a run would look unfinished, and nobody would read its findings."""
        whole = (self.run / "summary.json").read_text()
        for length in (0, 1, len(whole) // 3, len(whole) - 3):
            (self.run / "summary.json").write_text(whole[:length])
            for arguments in (["info", self.run], ["view", self.run, "--no-open"], ["compare", self.run, self.run]):
                self.refused("summary.json", *arguments)

    def test_what_is_no_file(self):
        self.result.unlink()
        os.mkfifo(self.result)
        self.refused("not a regular file", "info", self.run)


class Links(Folder):
    """A link under the name of a file on its way is never written through."""

    def setUp(self):
        super().setUp()
        self.victim = self.place / "victim"
        self.victim.write_text("precious")

    def plant(self, folder, names):
        for name in names:
            (folder / name).symlink_to(self.victim)

    def test_in_the_folder_of_a_run(self):
        self.plant(self.run, [".result-a.h5", ".result-b.h5", ".result-new.h5", ".run.txt.new", ".summary.json.new",
                              ".checkpoint.bin.new", ".signals.csv.new", ".report.html.new"])
        for name in ("summary.json", "signals.csv", "report.html", "checkpoint.bin"):
            (self.run / name).unlink(missing_ok=True)
            (self.run / name).symlink_to(self.victim)
        done = carom("run", SCENE, "-o", self.run, "--duration", 0.05, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.victim.read_text(), "precious")
        for name in ("result.h5", "summary.json", "report.html", "checkpoint.bin"):
            self.assertTrue(stat.S_ISREG((self.run / name).lstat().st_mode), name)

    def test_as_lock(self):
        (self.run / ".lock").symlink_to(self.place / "nothing")
        done = carom("run", SCENE, "-o", self.run, "--duration", 0.05, "--quiet")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(".lock", done.stderr)
        self.assertFalse((self.place / "nothing").exists())

    def test_beside_exports(self):
        self.plant(self.place, [".x.csv.new", ".x.svg.new", ".x.glb.new", ".x.html.new"])
        for arguments in (["export", self.run, "-o", self.place / "x.csv"], ["plot", self.run, "-o", self.place / "x.svg"],
                          ["export", self.run, "-o", self.place / "x.glb"],
                          ["view", self.run, "--no-open", "-o", self.place / "x.html"]):
            done = carom(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.victim.read_text(), "precious")
        self.assertEqual([p.name for p in self.place.iterdir() if p.name.startswith(".carom-")], [])


    @unittest.skipUnless(os.access("/dev/shm", os.W_OK), "no folder for files in memory")
    def test_in_a_folder_of_devices(self):
        """What lies in /dev/shm is a file like others: whole or not there, and never written through a link."""
        with tempfile.TemporaryDirectory(dir="/dev/shm") as place:
            for name, words in (("x.csv", ["export"]), ("x.glb", ["export"]), ("x.svg", ["plot"]),
                                ("x.html", ["view", "--no-open"])):
                self.plant(Path(place), [name])
                done = carom(*words, self.run, "-o", Path(place) / name)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(stat.S_ISREG((Path(place) / name).lstat().st_mode), name)
                self.assertIn(name, done.stdout)
            self.refused(".html", "view", self.run, "--no-open", "-o", Path(place) / "x.txt")
        self.assertEqual(self.victim.read_text(), "precious")


class Ends(Folder):
    """A run whose end cannot be written is not done, and nobody is told that it is."""

    def begin(self, *more):
        """A run of many frames and a checkpoint every now and then, once its start is written."""
        folder = self.place / "long"
        process = subprocess.Popen([CAROM, "run", SCENE, "-o", folder, "--duration", "1000", "-q", "--set",
                                    "record.every=0.001", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.assertTrue(wait_until(lambda: (folder / "checkpoint.bin").exists() or process.poll() is not None, 20))
        return process, folder

    def status(self, folder):
        return json.loads((folder / "summary.json").read_text())["status"]

    def test_files_that_may_not_grow(self):
        scene = ["run", SCENE, "--duration", "0.2", "-q", "--set", "record.every=0.0001"]
        whole, cut = self.place / "whole", self.place / "cut"
        self.assertEqual(carom(*scene, "-o", whole).returncode, 0)
        most = (whole / "result.h5").stat().st_size // 2
        done = subprocess.run([CAROM, *map(str, scene), "-o", cut], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        self.assertEqual(done.returncode, 3, done.stderr)
        with h5py.File(cut / "result.h5") as h5:
            last = h5["time"][-1]
        self.assertLess(last, 0.2)
        self.assertIn(f"until t = {last:.6g} s", done.stderr)
        self.assertRegex(self.status(cut), "^failed: .*File too large")
        self.assertIn("failed: cannot write", carom("info", cut).stdout)
        self.assertEqual(carom("resume", cut, "-q").returncode, 0)
        self.assertEqual(self.status(cut), "done")
        self.assertEqual(differing(whole / "result.h5", cut / "result.h5"), [])

    def test_an_interrupted_run_that_cannot_be_saved(self):
        process, folder = self.begin()
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, 1))
        process.send_signal(signal.SIGINT)
        told = process.communicate()[1]
        self.assertEqual(process.returncode, 3, told)
        self.assertIn("File too large", told)
        self.assertNotIn("goes on from there", told)

    def test_a_folder_that_is_removed(self):
        process, folder = self.begin("--checkpoint-every", "0.05")
        folder.rename(self.place / "elsewhere")
        told = process.communicate()[1]
        self.assertEqual(process.returncode, 3, told)
        self.assertIn("nothing of the run is saved", told)
        self.assertNotIn("report.html", told)


class Limits(Folder):
    """Memory that ends, and runs that would write too much."""

    def limited(self, kilobytes, *arguments):
        limit = kilobytes * 1024
        return subprocess.run([CAROM, *map(str, arguments)], cwd=self.place, capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

    def test_many_boxes_that_land_flat_have_room(self):
        """1200 corners at one instant: room for contacts grows with the square, so little of it is made in advance."""
        scene = {"carom": 1, "gravity": [0, 0, -9.81], "time": {"end": 0.5}, "contact": {"method": "impact", "restitution": 1},
                 "bodies": [{"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}},
                            {"name": "box", "repeat": {"count": 300, "line": [2, 0, 0]}, "mass": 1,
                             "shape": {"box": [1, 0.8, 0.4]}, "position": [0, 0, 1.2]}],
                 "record": {"every": 0.05, "signals": ["lost.impact"]}}
        (self.place / "boxes.json").write_text(json.dumps(scene))
        done = self.limited(int(8.8 * 2**20), "run", "boxes.json", "-o", "boxes", "--quiet", "--no-report")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lost = float((self.place / "boxes" / "signals.csv").read_text().split()[-1].split(",")[-1])
        self.assertLess(abs(lost), 1e-12 * 300 * 9.81)

    def test_lack_of_memory_has_a_sentence(self):
        said = 0
        for kilobytes in range(60000, 120000, 2500):
            for arguments in (["run", SCENE, "-o", "small", "--duration", 0.01, "--quiet"], ["info", "run"]):
                done = self.limited(kilobytes, *arguments)
                if "shared libraries" in done.stderr:
                    continue  # the system's loader, before the program begins
                self.assertIn(done.returncode, (0, 3), f"{kilobytes} kB, {arguments}: {done.stderr}")
                if done.returncode == 3:
                    said += 1
                    self.assertIn("memory", done.stderr)
        self.assertLess(said, 48)

    def place_that_fails(self, at, *arguments):
        """Runs a command whose allocation `at` fails, whoever makes it; counts them all when that is None."""
        counted = self.place / "count"
        preload = {"LD_PRELOAD": os.environ["CAROM_FAIL_LIBRARY"], "FAIL_WHAT": "memory", "TERM": "dumb"}
        preload.update({"FAIL_COUNT": str(counted)} if at is None else {"FAIL_AT": str(at)})
        done = carom(*arguments, cwd=self.place, env=preload)
        return done, int(counted.read_text()) if at is None else 0

    def test_lack_of_memory_never_leaves_a_line_out(self):
        scene = {"carom": 1, "bodies": [{"name": "b", "mass": 1, "shape": {"sphere": 0.1}, "position": [0.2, 0, 0]}],
                 "joints": [{"name": "pin", "type": "revolute", "bodies": ["ground", "b"], "axis": [0, 1, 0]}]}
        (self.place / "scene.json").write_text(json.dumps(scene))
        for arguments, last, every in ((["check", "scene.json"], 80, 1), (["info", "run"], 2000, 41),
                                       (["view", "run", "--no-open", "-o", "page.html"], 2000, 101)):
            whole, total = self.place_that_fails(None, *arguments)
            page = (self.place / "page.html").read_bytes() if arguments[0] == "view" else None
            for at in range(total - last, total + 1, every):
                done, _ = self.place_that_fails(at, *arguments)
                if done.returncode == 0:
                    self.assertEqual(done.stdout, whole.stdout, f"{arguments} without allocation {at}")
                    self.assertEqual((self.place / "page.html").read_bytes() if page else None, page)
                else:
                    self.assertEqual(done.returncode, 3, done.stderr)
                    self.assertIn("memory", done.stderr)

    def disk_with(self, free, *arguments):
        """Runs a command where disks say that so many bytes are free."""
        preload = {"LD_PRELOAD": os.environ["CAROM_FAIL_LIBRARY"], "FAIL_FREE": str(free)}
        return carom(*arguments, "--quiet", cwd=self.place, env=preload)

    def test_more_than_the_disk_has_is_told_before(self):
        every = 1e-5
        scene = [SCENE, "-o", "much", "--duration", 0.02, "--set", f"record.every={every}"]
        frames = round(0.02 / every) + 1
        self.assertEqual(carom("run", *scene, "--quiet", cwd=self.place).returncode, 0)
        with h5py.File(self.place / "much" / "result.h5", "r") as h5:
            sets = []
            h5.visititems(lambda name, item: sets.append(item) if isinstance(item, h5py.Dataset) else None)
            recorded = sum(s.dtype.itemsize * s.size for s in sets if s.shape and s.shape[0] == frames)
        shutil.rmtree(self.place / "much")
        for free, told in ((1.7 * recorded, True), (2.4 * recorded, False), (12345, True), (0, True), (10 ** 15, False)):
            done = self.disk_with(int(free), "run", *scene)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("free disk space" in done.stderr, told, f"{free} of {recorded}: {done.stderr}")
            shutil.rmtree(self.place / "much")
        self.assertIn("12.3 kB", self.disk_with(12345, "run", *scene).stderr)
        self.assertIn("free disk space", self.disk_with(1000, "resume", "much", "--duration", 0.1).stderr)

    def test_too_many_bytes_are_refused_with_a_remedy(self):
        settings = ["--set", "record.every=1e-13", "--duration", 0.09]
        for command in (["run", SCENE, "-o", self.place / "much"], ["check", SCENE]):
            done = carom(*command, *settings)
            self.assertEqual(done.returncode, 2, done.stderr)
            for words in ("frames", "GB", "record.every"):
                self.assertIn(words, done.stderr)
            self.assertNotIn("free disk space", done.stderr, "what does not begin fills no disk")

    def test_what_is_planned_is_recorded(self):
        for every in (0.05, 0.03, 0.02, 0.2):
            settings = ["--set", f"record.every={every}", "--duration", "0.05"]
            planned = re.search(r"\((\d+) frames, ", carom("check", SCENE, *settings).stdout).group(1)
            self.assertEqual(carom("run", SCENE, "-q", "--no-report", "-o", self.place / "few", *settings).returncode, 0)
            with h5py.File(self.place / "few" / "result.h5") as h5:
                self.assertEqual(h5["time"].shape[0], int(planned))

    def recording(self, every, end):
        """What a run with these settings says; one that begins is ended once it has written."""
        folder = self.place / "much"
        shutil.rmtree(folder, ignore_errors=True)
        process = subprocess.Popen([CAROM, "run", SCENE, "-o", folder, "-q", "--set", f"record.every={every!r}", "--duration",
                                    repr(end)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: (folder / "checkpoint.bin").exists() or process.poll() is not None, 20)
        process.send_signal(signal.SIGINT)
        return process.communicate()[1], process.returncode

    def test_bytes_are_bounded_as_well_as_frames(self):
        told, code = self.recording(1e-9, 1e3)
        frames, gigabytes = map(float, re.search(r"makes ([0-9.e+]+) frames in .*, ([0-9.e+]+) GB", told).groups())
        most = 1e11 / (gigabytes * 1e9 / frames)
        self.assertLess(most, 1e8, "frames of this scene are so wide that bytes count")
        for share, begins in ((0.98, True), (1.02, False)):
            told, code = self.recording(1e-3, 1e-3 * share * most)
            self.assertEqual(code, 130 if begins else 2, told)
            self.assertEqual("GB are written" in told, not begins, told)
        remedy = float(re.search(r"record.every of ([0-9.e+-]+) s", told).group(1))
        self.assertEqual(self.recording(remedy, 1e-3 * 1.02 * most)[1], 130)


if __name__ == "__main__":
    unittest.main()
