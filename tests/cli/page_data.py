"""What a page holds, read back as viewer/src/format.ts describes it, without any code of the viewer or the program."""
import base64
import json
import re
import struct
import zlib
from pathlib import Path

import numpy as np

TYPES = {"f32": "<f4", "f64": "<f8", "u32": "<u4", "i32": "<i4", "u16": "<u2", "i16": "<i2"}


def strict_json(text):
    """JSON as browsers read it: no NaN, no Infinity."""
    def refuse(word):
        raise ValueError(word)
    return json.loads(text, parse_constant=refuse)


class Page:
    """The data block of a report.html."""

    def __init__(self, file):
        self.html = Path(file).read_bytes()
        found = re.findall(rb'<script id="carom-data" type="text/plain">([^<]*)</script>', self.html)
        assert len(found) == 1, f"{len(found)} data blocks in {file}"
        block = zlib.decompress(base64.b64decode(found[0].strip(), validate=True))
        length, = struct.unpack_from("<I", block)
        self.header = strict_json(block[4:4 + length].decode("utf-8"))
        begin = 4 + length + -(4 + length) % 8
        assert not any(block[4 + length:begin]), "padding"
        self.arrays = block[begin:]
        assert len(block) % 4 == 0

    @property
    def runs(self):
        return self.header["runs"]

    @property
    def run(self):
        assert len(self.runs) == 1
        return self.runs[0]

    def array(self, ref, *shape):
        """The numbers a Ref names, in rows of the given shape."""
        assert ref["at"] % 8 == 0 and ref["at"] >= 0
        dtype = np.dtype(TYPES[ref["type"]])
        assert ref["at"] + ref["count"] * dtype.itemsize <= len(self.arrays), ref
        flat = np.frombuffer(self.arrays, dtype, ref["count"], ref["at"])
        return flat.reshape(-1, *shape) if shape else flat

    def surface(self, run, index):
        """Vertices as doubles, triangles as indices."""
        s = run["surfaces"][index]
        assert s["vertices"]["type"] == "f32" and s["triangles"]["type"] == "u32"
        return self.array(s["vertices"], 3).astype(float), self.array(s["triangles"], 3).astype(int)


def volume(vertices, triangles):
    """Signed, by the divergence theorem: positive when triangles are counter-clockwise seen from outside."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6.0


def is_closed(triangles):
    """Whether every edge is passed once in each direction."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    there = set(map(tuple, edges.tolist()))
    return len(there) == len(edges) and all((b, a) in there for a, b in there)
