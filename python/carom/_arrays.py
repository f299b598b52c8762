"""Arrays over memory of the library, without a copy and read-only; they keep its owner alive."""
import ctypes

import numpy as np

from . import _c


def view(address, count, owner, stride=1):
    """`count` numbers, `stride` doubles apart."""
    if not address or count == 0:
        return frozen(np.empty(0))
    room = (ctypes.c_double * ((count - 1) * stride + 1)).from_address(address)
    room.owner = owner
    return frozen(np.frombuffer(room, dtype=np.float64)[::stride])


def frozen(array):
    array.flags.writeable = False
    return array


def _vector(prefix=""):
    return (np.float64, 3)


EVENT = np.dtype([
    ("time", np.float64), ("kind", "U16"), ("a", np.int32), ("b", np.int32), ("position", *_vector()),
    ("normal", *_vector()), ("speed", np.float64), ("joint", np.int32), ("mode", "U16"), ("speed_after", np.float64),
    ("slip", *_vector()), ("slip_after", *_vector()), ("impulse", *_vector()), ("energy_lost", np.float64),
    ("friction", "U8"), ("friction_after", "U8"), ("named", np.int32)])

CONTACT = np.dtype([("a", np.int32), ("b", np.int32), ("gap", np.float64), ("position", *_vector()),
                    ("normal", *_vector()), ("force", *_vector()), ("slip", *_vector())])

PAIR = np.dtype([("a", object), ("b", object), ("first_touch", np.float64), ("last_touch", np.float64),
                 ("in_contact", np.float64), ("peak_force", np.float64), ("peak_at", np.float64),
                 ("impulse", np.float64), ("penetration", np.float64)])


def _raw(structure):
    """The layout of a C struct for NumPy."""
    names, formats, offsets = [], [], []
    for name, kind in structure._fields_:
        base = {ctypes.c_double: "f8", ctypes.c_int: "i4"}.get(kind)
        if kind is _c.carom_v3:
            base = ("f8", 3)
        elif base is None:
            base = ("i4", 2)  # two bodies
        names.append(name)
        formats.append(base)
        offsets.append(getattr(structure, name).offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ctypes.sizeof(structure)})


_RAW_EVENT = _raw(_c.carom_event)
_RAW_CONTACT = _raw(_c.carom_contact_point)


def _structs(pointer, count, kind, layout):
    if count == 0:
        return np.empty(0, layout)
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    return np.frombuffer((kind * count).from_address(address), dtype=layout)


def _names(lib_name, numbers):
    known = {n: lib_name(int(n)).decode() for n in np.unique(numbers)}
    return [known[n] for n in numbers]


def events(lib, pointer, count):
    """A copy of events of the library as a structured array, in the order of time."""
    raw = _structs(pointer, count, _c.carom_event, _RAW_EVENT)
    out = np.empty(count, EVENT)
    for name in ("position", "normal", "speed", "joint", "speed_after", "slip", "slip_after", "impulse", "energy_lost", "named"):
        out[name] = raw[name]
    out["time"] = raw["t"]
    out["a"], out["b"] = (raw["body"][:, 0], raw["body"][:, 1]) if count else ([], [])
    out["kind"] = _names(lib.carom_event_kind_name, raw["kind"])
    out["mode"] = _names(lib.carom_contact_mode_name, raw["mode"])
    out["friction"] = _names(lib.carom_friction_state_name, raw["friction"])
    out["friction_after"] = _names(lib.carom_friction_state_name, raw["friction_after"])
    return frozen(out)


def contacts(pointer, count):
    """A copy of contact points as a structured array, ascending by bodies."""
    raw = _structs(pointer, count, _c.carom_contact_point, _RAW_CONTACT)
    out = np.empty(count, CONTACT)
    for name in ("gap", "position", "normal", "force", "slip"):
        out[name] = raw[name]
    out["a"], out["b"] = (raw["body"][:, 0], raw["body"][:, 1]) if count else ([], [])
    return frozen(out)


def pairs(summary):
    """The touching pairs that a summary lists, the largest peak force first."""
    listed = summary.get("pairs", [])
    out = np.zeros(len(listed), PAIR)
    for row, pair in zip(out, listed):
        row["a"], row["b"] = pair["bodies"]
        for name in PAIR.names[2:]:
            row[name] = pair.get(name, np.nan)
    return frozen(out)
