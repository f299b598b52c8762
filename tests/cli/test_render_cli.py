"""carom render: pictures agree with closed forms (sizes of balls, colours, shadows), do not depend on threads, keep their bytes, and
films are what they say."""
import hashlib
import json
import math
import os
import shutil
import stat
import struct
import subprocess
import unittest
import zlib

import numpy as np

from support import SCENES, SOURCE, Case

GOLDEN = SOURCE / "tests" / "golden" / "pictures.txt"
TANGENT = math.tan(math.radians(16))


def chunks(data):
    """Names and contents of a PNG; check sums must fit."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(data):
        size, = struct.unpack_from(">I", data, at)
        name, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(name + body)
        yield name.decode(), body
        at += 12 + size


def unfiltered(packed, width, height):
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 3 * width + 1)
    out = np.zeros((height, width, 3), np.uint8)
    for y, row in enumerate(rows):
        pixels = row[1:].reshape(width, 3)
        if row[0] == 1:
            out[y] = np.cumsum(pixels, axis=0, dtype=np.uint64).astype(np.uint8)
        else:
            out[y] = pixels + (out[y - 1] if y else 0)
    return out


def pixels(file):
    parts = list(chunks(file.read_bytes()))
    width, height = struct.unpack_from(">II", parts[0][1])
    return unfiltered(b"".join(body for name, body in parts if name == "IDAT"), width, height)


def animation(file):
    """All pictures of an animated PNG."""
    parts = list(chunks(file.read_bytes()))
    width, height = struct.unpack_from(">II", parts[0][1])
    numbers = [struct.unpack_from(">I", body)[0] for name, body in parts if name in ("fcTL", "fdAT")]
    assert numbers == list(range(len(numbers)))
    count, = struct.unpack_from(">I", dict(parts)["acTL"])
    pictures = [unfiltered(body[4 if name == "fdAT" else 0:], width, height) for name, body in parts if name in ("IDAT", "fdAT")]
    assert len(pictures) == count
    return pictures


def world(bodies, view=None, **more):
    scene = {"carom": 1, "gravity": [0, 0, -9.81], "time": {"end": 1}, "record": {"every": 0.05}, "bodies": bodies, **more}
    return {**scene, "view": view} if view else scene


BALL = {"name": "ball", "fixed": True, "shape": {"sphere": 0.1}, "position": [0, 0, 0.4], "color": [0.9, 0.1, 0.1]}
FLOOR = {"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}}
CRATE = {"name": "crate", "density": 500, "shape": {"box": [0.2, 0.3, 0.1]}, "position": [0.4, 0, 0.6], "velocity": [0, 0.5, 1],
         "angular_velocity": [3, 1, 2]}


class Rendering(Case):
    def run_scene(self, scene, out="out"):
        file = self.folder / f"{out}.json"
        file.write_text(json.dumps(scene))
        self.ok("run", file, "-q", "-o", out, "--no-report")
        return self.folder / out

    def picture(self, out, *options, name="a.png"):
        self.ok("render", out, "-o", name, *options)
        return pixels(self.folder / name)

    def changed(self, scene, hide):
        """Where a picture differs from the one without a body."""
        views = [{**scene["view"], "name": "all"}, {**scene["view"], "name": "less", "hide": [hide]}]
        out = self.run_scene({**scene, "view": views})
        one, two = (self.picture(out, "-v", name, "--no-caption") for name in ("all", "less"))
        return np.any(one != two, axis=2), one


class Pictures(Rendering):
    def test_a_ball_is_as_large_as_perspective_makes_it(self):
        for distance, size in ((0.5, (400, 300)), (1.0, (300, 400)), (3.0, (500, 500))):
            with self.subTest(distance=distance, size=size):
                view = {"look_at": "ball", "from": [0, -distance, 0], "show": ["joints"]}
                scene = {**world([BALL], view), "gravity": [0, 0, 0]}
                out = self.run_scene({**scene, "view": [view, {**view, "name": "less", "hide": ["ball"]}]})
                options = ("-s", f"{size[0]}x{size[1]}", "--no-caption")
                seen = np.any(self.picture(out, *options) != self.picture(out, "-v", "less", *options), axis=2)
                radius = 0.5 * size[1] / TANGENT * 0.1 / math.sqrt(distance**2 - 0.01)
                # The polygons of a ball of 36 sides are smaller by up to 1.5 %; a pixel is seen when one sample of four is.
                self.assertLess(abs(math.sqrt(seen.sum() / math.pi) - radius), 0.015 * radius + 0.8)
                rows, columns = np.nonzero(seen)
                self.assertLess(abs(rows.mean() - (size[1] - 1) / 2), 0.6)
                self.assertLess(abs(columns.mean() - (size[0] - 1) / 2), 0.6)

    def test_left_is_left_and_up_is_up(self):
        marks = [{**BALL, "name": name, "position": place, "shape": {"sphere": 0.05}}
                 for name, place in (("right", [0.5, 0, 0]), ("above", [0, 0, 0.3]), ("middle", [0, 0, 0]))]
        view = {"look_at": "middle", "from": [0, -3, 0], "show": ["joints"]}
        for name, side in (("right", (0, 1)), ("above", (-1, 0))):
            seen, image = self.changed({**world(marks, view), "gravity": [0, 0, 0]}, name)
            rows, columns = np.nonzero(seen)
            focal = 0.5 * image.shape[0] / TANGENT
            self.assertAlmostEqual(rows.mean() - (image.shape[0] - 1) / 2, side[0] * focal * 0.3 / 3, delta=1)
            self.assertAlmostEqual(columns.mean() - (image.shape[1] - 1) / 2, side[1] * focal * 0.5 / 3, delta=1)

    def test_bodies_have_their_colours_and_nearer_ones_hide_others(self):
        wall = {"name": "wall", "fixed": True, "shape": {"box": [2, 0.1, 2]}, "position": [0, 0.5, 0.4], "color": [0.1, 0.1, 0.9]}
        view = {"look_at": "ball", "from": [0, -1.5, 0], "show": ["joints"]}
        out = self.run_scene(world([BALL, wall], view))
        image = self.picture(out, "-s", "200x200", "--no-caption").astype(int)
        self.assertGreater(image[100, 100, 0], 2 * image[100, 100, 2])
        self.assertGreater(image[100, 20, 2], 2 * image[100, 20, 0])
        other = self.run_scene(world([BALL, {**wall, "position": [0, -0.5, 0.4]}], view), "other")
        self.assertGreater(self.picture(other, "-s", "200x200", "--no-caption")[100, 100, 2], 100)

    def test_what_stands_in_the_light_throws_a_shadow_on_the_floor(self):
        view = {"look_at": "ball", "from": [0.0, -3, 2.5], "show": ["grid"]}
        seen, image = self.changed(world([BALL, FLOOR], view), "ball")
        ball = seen & (image[:, :, 0].astype(int) > image[:, :, 1].astype(int) + 30)
        shadow = seen & ~ball & (image.astype(int).ptp(axis=2) < 40)
        self.assertGreater(shadow.sum(), 0.3 * ball.sum())
        # It lies to the right, since the light comes from the left.
        self.assertGreater(np.nonzero(shadow)[1].mean(), np.nonzero(ball)[1].mean())
        bare = self.run_scene({**world([BALL, FLOOR], {**view, "hide": ["ball"]})}, "bare")
        without = self.picture(bare, "--no-caption")
        self.assertLess(image[shadow].mean(), without[shadow].mean() - 15)

    def test_nothing_depends_on_threads_or_on_what_else_is_drawn(self):
        out = self.run_scene(world([FLOOR, CRATE, BALL], [{"name": "near", "look_at": "crate", "follow": True, "from": [0, -1, 0.4]}],
                                   contact={"method": "compliant", "law": {"hunt-crossley": {"k": 1e5}}}))
        options = ("-s", "160x90", "--speed", "0.5", "--fps", "20")
        for threads in (1, 2, 3, 7):
            self.ok("render", out, "-o", f"film-{threads}.apng", "-j", threads, *options)
            self.ok("render", out, "-o", f"frames-{threads}/", "-j", threads, *options)
        first = (self.folder / "film-1.apng").read_bytes()
        names = sorted(file.name for file in (self.folder / "frames-1").iterdir())
        self.assertEqual(names, [f"frame-{k:06d}.png" for k in range(41)])
        for threads in (2, 3, 7):
            self.assertEqual((self.folder / f"film-{threads}.apng").read_bytes(), first)
            for name in names:
                self.assertEqual((self.folder / f"frames-{threads}" / name).read_bytes(), (self.folder / "frames-1" / name).read_bytes())
        film = animation(self.folder / "film-1.apng")
        self.assertEqual(len(film), 41)
        for k in (0, 7, 40):
            self.assertTrue((film[k] == pixels(self.folder / "frames-1" / names[k])).all())
        self.ok("render", out, "-o", "frames-1/", *options, "-t", "0:0.1")  # replaces the earlier ones
        self.assertEqual(len(list((self.folder / "frames-1").iterdir())), 5)

    def test_a_camera_that_follows_keeps_its_body_in_the_middle(self):
        crate = {**CRATE, "angular_velocity": [0, 0, 0], "velocity": [0.5, 0.3, 0]}
        views = [{"name": name, "look_at": "crate", "from": [0, -2, 0], "follow": follow, "show": ["joints"]}
                 for name, follow in (("with", True), ("still", False))]
        out = self.run_scene({**world([crate, {**BALL, "position": [0, 0, 3]}], views), "gravity": [0, 0, 0]})
        where = {}
        for name in ("with", "still"):
            self.ok("render", out, "-o", f"{name}.apng", "-v", name, "-s", "160x90", "--fps", "2", "--speed", "1", "--no-caption")
            film = animation(self.folder / f"{name}.apng")
            ground = film[-1][0, 0].astype(int)
            where[name] = [np.nonzero(np.abs(image.astype(int) - ground).sum(axis=2) > 120)[1].mean() for image in (film[0], film[-1])]
        self.assertAlmostEqual(where["with"][0], where["with"][1], delta=1)
        self.assertGreater(where["still"][1], where["still"][0] + 5)

    def test_pictures_keep_their_bytes(self):
        """Golden hashes of pixels. The scenes rest, so that only drawing can change them. CAROM_UPDATE_PICTURES writes them anew."""
        known = dict(line.split() for line in GOLDEN.read_text().splitlines() if line and not line.startswith("#"))
        found = {}
        for name in ("shapes", "contacts"):
            self.ok("run", SCENES / f"render-{name}.json", "-q", "-o", name, "--no-report")
            image = self.picture(self.folder / name, "-s", "640x360", name=f"{name}.png")
            found[name] = hashlib.sha256(image.tobytes()).hexdigest()[:32]
        if os.environ.get("CAROM_UPDATE_PICTURES"):
            GOLDEN.write_text("# Pixels of tests/cli/scenes/render-*.json, 640x360: SHA-256, the first half.\n" +
                              "".join(f"{name} {value}\n" for name, value in sorted(found.items())))
        else:
            self.assertEqual(found, known)


class Films(Rendering):
    def setUp(self):
        super().setUp()
        self.out = self.run_scene(world([FLOOR, CRATE]))

    def path_with(self, script):
        """A PATH with this ffmpeg, or with none."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        if script:
            (folder / "ffmpeg").write_text(script)
            (folder / "ffmpeg").chmod(stat.S_IRWXU)
        return {"PATH": f"{folder}" + (":/bin:/usr/bin" if script else "")}

    def test_without_ffmpeg_an_animated_png_is_written_and_said(self):
        done = self.carom("render", self.out, "-o", "film.mp4", "-s", "64x48", "--fps", "5", env=self.path_with(None))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no ffmpeg", done.stderr)
        self.assertIn("film.apng", done.stdout)
        self.assertFalse((self.folder / "film.mp4").exists())
        self.assertEqual(len(animation(self.folder / "film.apng")), 51 if "in 10" in done.stdout else 6)

    def test_ffmpeg_gets_every_pixel(self):
        fake = "#!/bin/sh\nfor last; do :; done\necho \"$@\" > words\ncat > \"$last\"\n"
        self.ok("render", self.out, "-o", "film.mp4", "-s", "66x48", "--fps", "4", "--speed", "1", env=self.path_with(fake))
        self.ok("render", self.out, "-o", "film.apng", "-s", "66x48", "--fps", "4", "--speed", "1")
        raw = np.frombuffer((self.folder / "film.mp4").read_bytes(), np.uint8).reshape(-1, 48, 66, 3)
        pictures = animation(self.folder / "film.apng")
        self.assertEqual(len(raw), 5)
        for one, two in zip(raw, pictures):
            self.assertTrue((one == two).all())
        words = (self.folder / "words").read_text()
        self.assertIn("-s 66x48 -r 4000/1000", words)

    def test_an_ffmpeg_that_fails_leaves_nothing(self):
        for script in ("#!/bin/sh\nexit 1\n", "#!/bin/sh\ncat > /dev/null\nexit 3\n"):
            self.refused("render", self.out, "-o", "film.mp4", "-s", "320x240", contains="ffmpeg", code=3, env=self.path_with(script))
            self.assertEqual([file.name for file in self.folder.iterdir() if "film" in file.name], [])

    @unittest.skipUnless(shutil.which("ffprobe") and shutil.which("ffmpeg"), "no ffmpeg here")
    def test_a_film_plays(self):
        for name, size in (("film.mp4", "161x91"), ("film.webm", "160x90")):
            self.ok("render", self.out, "-o", name, "-s", size, "--fps", "10", "--speed", "1")
            told = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
                                   "stream=nb_read_frames,width,height,r_frame_rate", "-of", "json", self.folder / name],
                                  capture_output=True, text=True, check=True).stdout
            stream = json.loads(told)["streams"][0]
            self.assertEqual((stream["nb_read_frames"], stream["r_frame_rate"]), ("11", "10/1"))
            self.assertEqual((stream["width"] % 2, stream["height"] % 2), (0, 0))


class Words(Rendering):
    def test_what_cannot_be_done_is_refused(self):
        out = self.run_scene(world([FLOOR, CRATE], {"name": "near", "look_at": "crate", "from": [0, -1, 0.4]}))
        for words, part in [(("-o", "a.gif"), ".png"), ((), "needs -o"), (("-o", "a.png", "-s", "0x10"), "1920x1080"),
                            (("-o", "a.png", "-s", "10"), "1920x1080"), (("-o", "a.png", "-s", "8x8"), "between 16 and 16384"),
                            (("-o", "a.png", "-v", "far"), "the scene has 'near'"), (("-o", "a.png", "-t", "x"), "seconds"),
                            (("-o", "a.png", "-t", "nan"), "seconds"), (("-o", "a.png", "-t", "99"), "from 0 to 1 s"),
                            (("-o", "a.apng", "--time=-1:"), "nothing to see at -1 s"), (("-o", "a.png", "-t", "0:1"), "has one time"),
                            (("-o", "a.apng", "-t", "0.8:0.2"), "before it begins"),
                            (("-o", "a.apng", "--fps", "0"), "--fps"), (("-o", "a.apng", "--speed", "1e-6"), "raise the speed"),
                            (("-o", "no/such/folder/a.png"), "no/such/folder")]:
            with self.subTest(words=words):
                self.refused("render", out, *words, contains=part)
        self.refused("render", "nowhere", "-o", "a.png", contains="nowhere")
        (self.folder / "full").mkdir()
        (self.folder / "full" / "mine.txt").write_text("")
        self.refused("render", out, "-o", "full/", contains="mine.txt")
        self.assertFalse((self.folder / "a.png").exists())
        self.ok("render", out, "-o", "a.png", "-v", "1", "-s", "64x36")
        self.ok("render", out / "result.h5", "-o", "b.png", "-v", "near", "-s", "64x36")
        self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())

    def test_odd_results_can_be_drawn(self):
        for name, bodies in (("bare", [{"name": "point", "mass": 1, "inertia": [1, 1, 1]}]), ("floor", [FLOOR])):
            with self.subTest(name=name):
                out = self.run_scene(world(bodies), name)
                self.assertEqual(self.picture(out, "-s", "64x36").shape, (36, 64, 3))


if __name__ == "__main__":
    unittest.main()
