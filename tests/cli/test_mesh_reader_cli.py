"""Meshes that another program reads: whatever happens there is a message here. The program is replaced by scripts that
misbehave in every way; files of many formats are mutated in tests/fuzz/mesh_formats.py."""
import json
import os
import signal
import struct
import subprocess
import time
import unittest

from support import CAROM, Case, carom, patience, wait_until

TETRAHEDRON = "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n"
HAS_ASSIMP = "Assimp" in carom("--version").stdout
HEAD = struct.Struct("<QQQQQ")
MAGIC = 0x3148534d4d524143


def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return struct.pack("<Q", value)


def answer(vertices, triangles, vertex_count=None, triangle_count=None, magic=MAGIC):
    data = HEAD.pack(magic, 1, len(vertices) if vertex_count is None else vertex_count,
                     len(triangles) if triangle_count is None else triangle_count, 0)
    data += b"".join(struct.pack("<3d", *v) for v in vertices) + b"".join(struct.pack("<3i", *t) for t in triangles)
    return data + fnv(data)


@unittest.skipUnless(HAS_ASSIMP, "built without Assimp")
class MeshReader(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "part.off").write_text(TETRAHEDRON)

    def reader(self, script, name="reader"):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)
        return {"CAROM_MESH_READER": str(path)}

    def answering(self, data):
        (self.folder / "answer").write_bytes(data)
        return self.reader(f"exec cat '{self.folder}/answer'\n")

    def test_it_is_found_from_the_library(self):
        environment = {k: v for k, v in os.environ.items() if k != "CAROM_MESH_READER"}
        done = subprocess.run([CAROM, "mesh", "info", "part.off"], cwd=self.folder, env=environment,
                              capture_output=True, text=True, check=True)
        self.assertIn("bounds a solid      yes", done.stdout)
        self.assertIn("others by Assimp", subprocess.run([CAROM, "--version"], env=environment, capture_output=True,
                                                         text=True, check=True).stdout)

    def test_without_it_the_message_says_so(self):
        environment = {"CAROM_MESH_READER": str(self.folder / "nowhere")}
        self.refused("mesh", "info", "part.off", env=environment, contains=["part.off", "carom-mesh-reader"])
        self.assertIn("others not", self.ok("--version", env=environment))
        (self.folder / "text").write_text("no program")
        (self.folder / "text").chmod(0o755)
        self.refused("mesh", "info", "part.off", env={"CAROM_MESH_READER": "./text"}, contains="cannot be started")

    def test_every_bad_end_is_a_message(self):
        for script, part in (("kill -SEGV $$", "crashed while reading it (signal 11"),
                             ("kill -BUS $$", "crashed"), ("kill -FPE $$", "arithmetic error"),
                             ("kill -ABRT $$", "gave up"), ("kill -KILL $$", "gave up"),
                             ("kill -XCPU $$", "did not finish reading it within"),
                             ("exit 0", "ended without an answer (exit code 0)"),
                             ("exit 127", "ended without an answer (exit code 127)"),
                             ("echo noise; echo noise >&2; exit 1", "without an answer"),
                             ("head -c 1000 /dev/zero", "not understood"),
                             ("cat /dev/zero", "not understood")):
            with self.subTest(script):
                done = self.refused("mesh", "info", "part.off", env=self.reader(script), contains=["part.off", part])
                self.assertEqual(len(done.splitlines()), 1)

    def test_answers_are_checked(self):
        corner = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        text = self.ok("mesh", "info", "part.off", env=self.answering(answer([(0.1, 0, 0)] + corner[1:], [(0, 1, 2)])))
        self.assertIn("area                0.45", text)
        good = answer(corner, [(0, 1, 2)])
        for what, data, part in (
                ("a bit", good[:60] + bytes([good[60] ^ 1]) + good[61:], "without an answer"),
                ("cut off", good[:-9], "without an answer"),
                ("beyond", answer(corner, [(0, 1, 3)]), "refers to vertex 3 of 3"),
                ("negative", answer(corner, [(0, 1, -1)]), "refers to vertex -1"),
                ("nan", answer(corner[:2] + [(0, float("nan"), 0)], [(0, 1, 2)]), "not finite"),
                ("nothing", answer(corner, []), "no triangles"),
                ("endless", answer(corner, [(0, 1, 2)], vertex_count=2**63), "not understood"),
                ("many", answer(corner, [(0, 1, 2)], triangle_count=2**60), "not understood"),
                ("more", answer(corner, [(0, 1, 2)], vertex_count=4), ""),
                ("older", answer(corner, [(0, 1, 2)], magic=MAGIC - 1), "another version"),
                ("message", HEAD.pack(MAGIC, 2, 0, 0, 10**9), "not understood")):
            with self.subTest(what):
                self.refused("mesh", "info", "part.off", env=self.answering(data), contains=["part.off", part])

    def test_every_bit_comes_over(self):
        values = [(0.1, 1 / 3, 5e-324), (1e12, 2.0 ** -40, -1 / 7), (-0.3, 1e-300, 7.7)]
        self.carom("mesh", "repair", "part.off", "out.obj", env=self.answering(answer(values, [(0, 1, 2)])))
        lines = [line.split()[1:] for line in (self.folder / "out.obj").read_text().splitlines() if line[:2] == "v "]
        self.assertEqual([tuple(map(float, line)) for line in lines], values)

    def test_an_interrupt_ends_both(self):
        scene = {"carom": 1, "bodies": [{"name": "a", "density": 1000, "shape": {"mesh": "part.off"}}]}
        (self.folder / "scene.json").write_text(json.dumps(scene))
        self.ok("check", "scene.json")
        environment = dict(os.environ, **self.reader("echo $$ > pid\nexec sleep 1000\n"))
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                (self.folder / "pid").unlink(missing_ok=True)
                with subprocess.Popen([CAROM, "run", "scene.json"], cwd=self.folder, env=environment,
                                      stderr=subprocess.PIPE, text=True) as process:
                    pid = self.wait_for_pid()
                    begin = time.monotonic()
                    process.send_signal(number)
                    _, err = process.communicate(timeout=patience(12))
                    self.assertLess(time.monotonic() - begin, patience(2))
                self.assertEqual(process.returncode, 130, err)
                self.assert_gone(pid)

    def wait_for_pid(self):
        file = self.folder / "pid"
        self.assertTrue(wait_until(lambda: file.exists() and file.read_text().endswith("\n"), 12), "the reader was never started")
        return int(file.read_text())

    def assert_gone(self, pid):
        def is_gone():
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return True
            return False
        self.assertTrue(wait_until(is_gone, 12), "the reader goes on")

    def write_gltf(self, name, uri):
        part = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                               "min": [0, 0, 0], "max": [1, 1, 0]}],
                "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"uri": uri, "byteLength": 36}]}
        (self.folder / "parts" / name).write_text(json.dumps(part))
        return f"parts/{name}"

    def test_other_files_of_a_mesh_are_beside_it_or_below(self):
        data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
        (self.folder / "parts" / "below").mkdir(parents=True)
        for place in ("outside.bin", "parts/in.bin", "parts/below/in.bin"):
            (self.folder / place).write_bytes(data)
        os.mkfifo(self.folder / "parts" / "pipe.bin")
        (self.folder / "parts" / "link.bin").symlink_to("../outside.bin")
        (self.folder / "parts" / "up").symlink_to("..")
        for uri in ("in.bin", "below/in.bin", "./in.bin"):
            self.assertIn("triangles           1", self.ok("mesh", "info", self.write_gltf("good.gltf", uri)))
        for uri in ("../outside.bin", str(self.folder / "outside.bin"), "pipe.bin", "link.bin", "up/outside.bin",
                    "/dev/zero", "below", "below/../../outside.bin", f"file://{self.folder}/outside.bin", "", "."):
            with self.subTest(uri):
                self.refused("mesh", "info", self.write_gltf("bad.gltf", uri), contains="bad.gltf")

    def test_names_of_all_kinds(self):
        for name in ("a b.off", "-dash.off", "ünï.off", "quote'.off", "UPPER.OFF", "dots..off", "new\nline.off"):
            path = self.folder / name
            path.write_text(TETRAHEDRON)
            self.ok("mesh", "info", "./" + name)
            self.ok("mesh", "info", path)


if __name__ == "__main__":
    unittest.main()
