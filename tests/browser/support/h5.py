"""Reads and shortens result.h5 for the browser tests.

h5.py dump FILE        every dataset but the surfaces, as one JSON object by path; what is not a number is null
h5.py cut FILE FRAMES  keeps the first frames only, as if the run had been killed then
h5.py impacts FILE N   replaces the events by N impacts and a few other events of all kinds, the impacts first
"""
import json
import math
import sys

import h5py
import numpy as np


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


def set_column(table, name, values):
    table[name].resize(len(values), axis=0)
    table[name][...] = values


# Numbers of an impact are different and known; each kind of event and each contact mode comes in turn, and among the
# numbers is one that is none.
def impacts(file, count):
    with h5py.File(file, "a") as h5:
        table = h5["events"]
        names = {name: table[name].attrs["names"].decode().split(", ") for name in ("kind", "mode", "friction")}
        n = int(count) + len(names["kind"])
        i = np.arange(n)
        bodies, joints = len(h5["bodies/name"]), len(h5["joints/name"])
        normal, across = 0.5 + 0.01 * i, 0.2 * np.cos(0.3 * i)
        lost = 0.01 + 1e-3 * i
        lost[3] = math.nan
        share = np.where(i < int(count), 0.6 * i / int(count), 0.65 + 0.3 * (i - int(count)) / len(names["kind"]))
        set_column(table, "time", h5["time"][-1] * share)
        set_column(table, "kind", np.where(i < int(count), names["kind"].index("impact"), i - int(count)))
        set_column(table, "body_a", i % bodies)
        set_column(table, "body_b", i % (bodies + 1) - 1)
        set_column(table, "position", np.stack([0.1 * i, -0.1 * i, 0 * i], axis=1))
        set_column(table, "normal", np.tile([0.0, 0.0, 1.0], (n, 1)))
        set_column(table, "speed", -2.0 - 0.01 * i)
        set_column(table, "joint", np.where(i % 5 == 4, i % joints, -1) if joints else np.full(n, -1))
        set_column(table, "mode", 1 + i % (len(names["mode"]) - 1))
        set_column(table, "speed_after", 1.0 + 0.01 * i)
        set_column(table, "slip", np.tile([0.3, 0.4, 0.0], (n, 1)))
        set_column(table, "slip_after", np.tile([0.03, 0.04, 0.0], (n, 1)))
        set_column(table, "impulse", np.stack([across, 0 * i, normal], axis=1))
        set_column(table, "energy_lost", lost)
        set_column(table, "friction", i % 3)
        set_column(table, "named", np.full(n, -1))
        set_column(table, "friction_after", i // 3 % 3)


if __name__ == "__main__":
    {"dump": dump, "cut": cut, "impacts": impacts}[sys.argv[1]](*sys.argv[2:])
