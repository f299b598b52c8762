"""Mutated mesh files of the formats that Assimp reads: the program answers each with 0 or 2, within its limits, without a
trace of the reader. Usage: mesh_formats.py COUNT [SEED] [FOLDER TO KEEP WHAT FAILS]

Seeds are made by Assimp itself (its exporters) from a small mesh, and by hand for formats that it only reads. Every file
is changed in one of several ways: bytes set, bits flipped, pieces cut out, repeated or exchanged, numbers replaced by
extreme ones; inside zip archives (3MF) the packed files are changed as well."""
import collections
import concurrent.futures
import ctypes
import ctypes.util
import io
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

CAROM = os.environ["CAROM_BIN"]
EXPORTED = {"collada": "dae", "x": "x", "3ds": "3ds", "gltf2": "gltf", "glb2": "glb", "gltf": "gltf", "glb": "glb",
            "assbin": "assbin", "assxml": "assxml", "x3d": "x3d", "fbx": "fbx", "fbxa": "fbx", "3mf": "3mf",
            "stp": "stp"}
LONGEST = 45.0  # [s] the limit of 30 s by the clock, and what a loaded machine adds

BOX = """o one
v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
vn 0 0 -1\nvt 0 0
f 1/1/1 4/1/1 3/1/1 2/1/1\nf 5//1 6//1 7//1 8//1\nf 1 2 6 5\nf 2 3 7 6
o two
f 3 4 8 7\nf 4 1 5 8
"""

BY_HAND = {
    "off": "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n",
    "raw": "Part\n0 0 0 1 0 0 0 1 0\n0 0 0 0 1 0 0 0 1\n0 0 0 0 0 1 1 0 0\n1 0 0 0 0 1 0 1 0\n",
    "nff": "v\nfrom 0 0 5\nat 0 0 0\nup 0 1 0\nangle 45\nf 1 0 0 1 0 0 0 1\np 3\n0 0 0\n1 0 0\n0 1 0\ns 0 0 0 1\n"
           "c\n0 0 0 1\n0 0 1 0.5\n",
    "ac": "AC3Db\nMATERIAL \"a\" rgb 1 1 1 amb 1 1 1 emis 0 0 0 spec 0 0 0 shi 0 trans 0\nOBJECT world\nkids 1\n"
          "OBJECT poly\nname \"a\"\nnumvert 3\n0 0 0\n1 0 0\n0 1 0\nnumsurf 1\nSURF 0x0\nmat 0\nrefs 3\n0 0 0\n1 1 0\n"
          "2 0 1\nkids 0\n",
    "dxf": "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n8\n0\n10\n0\n20\n0\n30\n0\n11\n1\n21\n0\n31\n0\n12\n0\n22\n1\n32\n0\n"
           "13\n0\n23\n1\n33\n0\n0\nENDSEC\n0\nEOF\n",
    "wrl": "#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } "
           "coordIndex [0 1 2 -1] } }\n",
    "ase": "*3DSMAX_ASCIIEXPORT 200\n*GEOMOBJECT {\n*NODE_NAME \"a\"\n*MESH {\n*MESH_NUMVERTEX 3\n*MESH_NUMFACES 1\n"
           "*MESH_VERTEX_LIST {\n*MESH_VERTEX 0 0 0 0\n*MESH_VERTEX 1 1 0 0\n*MESH_VERTEX 2 0 1 0\n}\n*MESH_FACE_LIST {\n"
           "*MESH_FACE 0: A: 0 B: 1 C: 2\n}\n}\n}\n",
    "amf": "<?xml version=\"1.0\"?><amf><object id=\"0\"><mesh><vertices>" + "".join(
        f"<vertex><coordinates><x>{x}</x><y>{y}</y><z>{z}</z></coordinates></vertex>"
        for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))) + "</vertices><volume>" + "".join(
        f"<triangle><v1>{a}</v1><v2>{b}</v2><v3>{c}</v3></triangle>"
        for a, b, c in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))) + "</volume></mesh></object></amf>",
    "q3o": "quick3Do" + "\0" * 64,
    "md2": "IDP2" + "\x08\0\0\0" + "\1\0\0\0" * 15,
    "lwo": "FORM\0\0\0\x20LWO2LAYR\0\0\0\x12" + "\0" * 24,
    "ms3d": "MS3D000000\4\0\0\0" + "\0" * 64,
    "blend": "BLENDER-v248" + "\0" * 64,
    "bvh": "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
           "MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n",
}


def assimp():
    name = ctypes.util.find_library("assimp")
    if not name:
        return None
    library = ctypes.CDLL(name)
    library.aiImportFile.restype = ctypes.c_void_p
    library.aiExportScene.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint]
    return library


def make_seeds(folder):
    """{file name: bytes}, and files that some of them name beside them in the folder."""
    seeds = {f"hand.{suffix}": text.encode("latin-1") for suffix, text in BY_HAND.items()}
    library = assimp()
    if not library:
        print("no Assimp library for making seeds: only those written by hand")
        return seeds
    box = folder / "box.obj"
    box.write_text(BOX)
    scene = library.aiImportFile(str(box).encode(), 0)
    for kind, suffix in EXPORTED.items():
        name = f"{kind}.{suffix}"
        if library.aiExportScene(scene, kind.encode(), str(folder / name).encode(), 0) == 0:
            seeds[name] = (folder / name).read_bytes()
    return seeds


# ---- mutations ------------------------------------------------------------------------------------------------------

EXTREME = [b"0", b"-1", b"4294967295", b"2147483648", b"1e308", b"nan", b"-2147483649", b"999999999", b""]
WORDS = [b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f", b"\1\0\0\0", b"\0\0\0\x80"]


def set_bytes(data, rng):
    data = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def flip_bits(data, rng):
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def cut_out(data, rng):
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:a] + data[b:] if rng.random() < 0.5 else data[:b]


def repeat(data, rng):
    a = rng.randrange(len(data))
    piece = data[a:a + rng.randint(1, 200)]
    return data[:a] + piece * rng.choice([2, 3, 50, 2000]) + data[a + len(piece):]


def exchange(data, rng):
    a, b = sorted(rng.randrange(len(data)) for _ in range(2))
    n = rng.randint(1, 40)
    return data[:a] + data[b:b + n] + data[a + n:b] + data[a:a + n] + data[b + n:]


def set_word(data, rng):
    a = rng.randrange(len(data))
    return data[:a] + rng.choice(WORDS) + data[a + 4:]


def set_number(data, rng):
    found = list(re.finditer(rb"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?", data))
    if not found:
        return set_word(data, rng)
    m = rng.choice(found)
    return data[:m.start()] + rng.choice(EXTREME) + data[m.end():]


MUTATIONS = [set_bytes, flip_bits, cut_out, repeat, exchange, set_word, set_number]


def mutate(data, rng):
    for _ in range(rng.choice([1, 1, 2, 4])):
        data = rng.choice(MUTATIONS)(data, rng) if data else data
    return data


def mutate_inside(data, rng):
    """A zip archive with one of its files changed, so that the change is not just a wrong checksum."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        chosen = rng.choice(names)
        for name in names:
            content = old.read(name)
            new.writestr(name, mutate(content, rng) if name == chosen else content)
    return out.getvalue()


def change(data, rng):
    zipped = data[:2] == b"PK" and rng.random() < 0.7
    return mutate_inside(data, rng) if zipped else mutate(data, rng)


# ---- trying ---------------------------------------------------------------------------------------------------------

def try_file(path):
    """(what happened, seconds, what is wrong with it or None)."""
    begin = time.monotonic()
    try:
        done = subprocess.run([CAROM, "mesh", "info", str(path)], capture_output=True, text=True, errors="replace",
                              timeout=10 * LONGEST, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "hung", time.monotonic() - begin, "no answer"
    seconds = time.monotonic() - begin
    wrong = None
    if done.returncode not in (0, 2):
        wrong = f"exit {done.returncode}"
    elif done.returncode == 2 and (path.name not in done.stderr or len(done.stderr.splitlines()) != 1):
        wrong = "no message of one line that names the file"
    elif "Sanitizer" in done.stderr or seconds > LONGEST:
        wrong = f"{seconds:.0f} s" if seconds > LONGEST else "a sanitizer's report"
    what = "read" if done.returncode == 0 else "crashed there" if "crashed" in done.stderr else \
        "gave up there" if "gave up" in done.stderr else "too slow there" if "did not finish" in done.stderr else "refused"
    return what, seconds, wrong and f"{wrong}: {done.stderr[-500:]}"


def prepare(folder, seeds, count, rng):
    files = []
    for i in range(count):
        name = sorted(seeds)[i % len(seeds)]
        data = change(seeds[name], rng) if i >= len(seeds) else seeds[name]
        files.append(folder / f"{i:05d}-{name}")
        files[-1].write_bytes(data)
    return files


def main():
    count = int(sys.argv[1])
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 12)
    kept = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    totals, formats, slowest, failures = collections.Counter(), collections.Counter(), 0.0, []
    with tempfile.TemporaryDirectory() as scratch:
        seeds = make_seeds(Path(scratch))
        files = prepare(Path(scratch), seeds, count, rng)
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            for path, (what, seconds, wrong) in zip(files, pool.map(try_file, files)):
                totals[what] += 1
                formats[path.suffix] += what == "read"
                slowest = max(slowest, seconds)
                if wrong:
                    failures.append(f"{path.name}: {wrong}")
                    if kept:
                        kept.mkdir(exist_ok=True)
                        (kept / path.name).write_bytes(path.read_bytes())
    print(f"{count} files of {len(seeds)} seeds: " + ", ".join(f"{n} {what}" for what, n in sorted(totals.items())) +
          f"; slowest {slowest:.1f} s; formats read: {' '.join(sorted(k for k in formats if formats[k]))}")
    for line in failures[:20]:
        print("FAILED", line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
