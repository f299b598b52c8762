"""Reads and shortens result.h5 for the browser tests.

h5.py dump FILE        every dataset but the surfaces, as one JSON object by path; what is not a number is null
h5.py cut FILE FRAMES  keeps the first frames only, as if the run had been killed then
"""
import json
import math
import sys

import h5py


def plain(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def dump(file):
    content = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith("surfaces"):
            value = item[()]
            content[name] = plain(value.tolist() if hasattr(value, "tolist") else value)

    with h5py.File(file, "r") as h5:
        h5.visititems(take)
    json.dump(content, sys.stdout, allow_nan=False)


# The length of `time` is the number of valid frames; what the tables hold beyond is void (docs/results.md).
def cut(file, frames):
    with h5py.File(file, "a") as h5:
        h5["time"].resize((int(frames),))


if __name__ == "__main__":
    {"dump": dump, "cut": cut}[sys.argv[1]](*sys.argv[2:])
