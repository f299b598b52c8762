"""Scenes made in Python: a Spec is the scene document, read by the reader that reads files.

The methods that add bodies, joints, forces and settings are made from the library's field tables when the package is
imported: their arguments, defaults, units and sentences are those of the scene reference.
"""
import ctypes
import os

import numpy as np

from . import _c, _fields
from ._lib import lib
from .model import Model, parse


def plain(value):
    """What JSON can hold: arrays become lists, NumPy's numbers become Python's, tuples lists, paths texts."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


class Spec:
    """A scene that is being written.

        spec = carom.Spec(gravity=(0, 0, -9.81), time={"end": 2})
        spec.body("ball", shape={"sphere": 0.1}, density=7800, position=(0, 0, 1))
        model = spec.compile()

    Every argument is a section of a scene as files have it: gravity, time, contact, units, variables, ... `document` is the
    whole scene as a dict; change it as you like. Numbers may be expressions in text, as in files.
    """

    def __init__(self, document=None, *, folder=None, **sections):
        self.document = {"carom": _c.CAROM_SCENE_VERSION}
        self.document.update(plain(document or {}))
        self.document.update(plain({k: v for k, v in sections.items() if v is not None}))
        self.folder = folder
        self._meshes = {}

    @classmethod
    def read(cls, file):
        """A scene file without comments as a Spec; files it names are sought beside it."""
        import json
        with open(file, encoding="utf-8") as stream:
            return cls(json.load(stream), folder=os.path.dirname(os.path.abspath(file)))

    def add(self, section, entry):
        """Adds an entry, as scenes have it, to "bodies", "joints", "forces" or another list."""
        listed = self.document.setdefault(section, [])
        if not isinstance(listed, list):
            listed = self.document[section] = [listed]
        listed.append(plain(entry))
        return self

    def mesh(self, name, vertices, triangles):
        """Keeps a mesh of arrays, n x 3 and m x 3, counter-clockwise from outside; shapes use it as {"mesh": "memory:NAME"}."""
        vertices = np.asarray(vertices, dtype=float)
        triangles = np.asarray(triangles)
        if vertices.ndim != 2 or vertices.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
            raise ValueError(f"mesh '{name}': vertices must be n x 3 and triangles m x 3, not {vertices.shape} and "
                             f"{triangles.shape}")
        self._meshes[name] = {"vertices": vertices.tolist(), "triangles": triangles.astype(int).tolist()}
        return self

    def _resolved(self, value):
        """The document with meshes from memory written out."""
        if isinstance(value, list):
            return [self._resolved(v) for v in value]
        if not isinstance(value, dict):
            return value
        return {k: self._mesh_of(v) if k in ("mesh", "sheet") else self._resolved(v) for k, v in value.items()}

    def _mesh_of(self, value):
        named = value.get("file") if isinstance(value, dict) else value
        if not isinstance(named, str) or not named.startswith("memory:"):
            return self._resolved(value)
        name = named[len("memory:"):]
        if name not in self._meshes:
            raise ValueError(f"there is no mesh '{name}'; give one with spec.mesh('{name}', vertices, triangles)")
        rest = {k: v for k, v in value.items() if k != "file"} if isinstance(value, dict) else {}
        return {**rest, **self._meshes[name]}

    def text(self, indent=1):
        """The scene as files have it."""
        import json
        return json.dumps(self._resolved(plain(self.document)), indent=indent) + "\n"

    def save(self, file):
        """Writes the scene for `carom run` and carom.load."""
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(self.text())
        return self

    def compile(self, *, set=None, name=None) -> Model:
        """The model of the scene, or an error that names the place. set: overrides by path, as in carom.load."""
        return parse(self.text(), name=name or self.document.get("name") or "spec", folder=self.folder, set=set)

    def __repr__(self):
        counts = ", ".join(f"{len(self.document[s])} {s}" for s in ("bodies", "joints", "forces")
                           if isinstance(self.document.get(s), list))
        return f"<carom.Spec {self.document.get('name', '')!r}: {counts or 'empty'}>"


# ---- methods from the tables -----------------------------------------------------------------------------------------

class _Method:
    """A method of Spec that is made when it is first asked for, under the name it has in the class."""

    def __init__(self, name, make):
        self._name, self._make = name, make

    def __get__(self, instance, owner):
        method = self._make()
        setattr(Spec, self._name, method)
        return method.__get__(instance, owner)


def _describe(field):
    unit = f" [{field.unit}]" if field.unit else ""
    default = "" if field.default is None else f" Default: {field.default}."
    also = f" (or {field.other_name})" if field.other_name else ""
    return f"    {field.argument}{also}{unit}: {field.doc}{default}"


def _signature(fields, named):
    """Required arguments have no default; those that scenes may leave out show theirs, None where there is none."""
    import inspect
    first = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    if named:
        first.append(inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD))
    rest, taken = [], {"self", "name"}
    for field in fields:
        for name in (field.argument, field.other_name):
            if name is None or name in taken:
                continue
            taken.add(name)
            default = inspect.Parameter.empty if field.required and name == field.argument else field.default
            rest.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    return inspect.Signature(first + rest)


def _entry(signature, names, arguments, given):
    """The arguments as they were given, without defaults, under the names of scenes."""
    bound = signature.bind(*arguments, **given)
    return {names.get(k, k): v for k, v in bound.arguments.items() if k != "self" and v is not None}


def _make(name, doc, read, section, fixed=None, named=True):
    """A method of Spec that adds an entry to a list of the document, or sets a section of it. read: gives its fields."""
    setattr(Spec, name, _Method(name, lambda: _build(name, doc, read(), section, fixed, named)))
    METHODS.append(name)


def _build(name, doc, fields, section, fixed, named):
    fields = [f for f in fields if not (named and f.name == "name") and f.name not in (fixed or {})]
    signature = _signature(fields, named)
    names = {f.argument: f.name for f in fields if f.argument != f.name}

    def add(*arguments, **given):
        entry = _entry(signature, names, arguments, given)
        self = arguments[0]
        return self.add(section, {**({"name": entry.pop("name")} if named else {}), **(fixed or {}), **entry})

    def put(*arguments, **given):
        entry = _entry(signature, names, arguments, given)
        self = arguments[0]
        if named:
            name = entry.pop("name")
            self.document.setdefault(section, {})[name] = plain(entry)
        else:
            old = self.document.get(section)
            self.document[section] = {**(old if isinstance(old, dict) else {}), **plain(entry)}
        return self

    method = add if section in ("bodies", "joints", "forces") else put
    method.__name__ = name
    method.__qualname__ = f"Spec.{name}"
    method.__doc__ = doc + "\n\n" + "\n".join(_describe(f) for f in fields)
    method.__signature__ = signature
    method.fields = fields
    return method


METHODS = []  # names of the methods made here, for stubs


def _table(fields, default):
    """A table of the library, with the defaults of its struct."""
    definition = default()
    return _fields.table(_fields.address_of(fields()), ctypes.addressof(definition))


def _sub_table(name):
    """The fields inside a group or list of the scene's table, with the defaults of an item."""
    address = _fields.address_of(lib.carom_scene_fields())
    while True:
        c = _c.carom_field.from_address(address)
        if not c.name or c.name.decode() == name:
            return _fields.table(c.fields, c.item_defaults) if c.name else []
        address += ctypes.sizeof(_c.carom_field)


def _contact_fields():
    """Those of the section, and the options of all methods, which stand beside them."""
    fields = _table(lib.carom_contact_fields, lib.carom_contact_def_default)
    known = {f.name for f in fields}
    for _, _, read in _fields.kinds(lib.carom_method_kinds()):
        for option in read():
            if option.name not in known:
                known.add(option.name)
                option.required = False
                option.default = None  # methods differ in them
                fields.append(option)
    return fields


def _make_kinds(kinds, what, section, fields, default):
    for kind, doc, read in _fields.kinds(kinds):
        if kind != "user":  # a function in C, which no document holds
            _make(kind.replace("-", "_"), f"Adds a {what} of type {kind}. {doc}",
                  lambda read=read: read() + _table(fields, default), section, {"type": kind})


def _make_all():
    _make("body", "Adds a body.", lambda: _table(lib.carom_body_fields, lib.carom_body_def_default), "bodies")
    _make_kinds(lib.carom_joint_kinds(), "joint", "joints", lib.carom_joint_fields, lib.carom_joint_def_default)
    _make_kinds(lib.carom_force_kinds(), "force", "forces", lib.carom_force_fields, lib.carom_force_def_default)
    _make("material", "Adds a material.", lambda: _sub_table("materials"), "materials")
    _make("input", "Adds an input: a number that is set between steps, input.NAME in expressions.",
          lambda: _sub_table("inputs"), "inputs")
    _make("time", "Sets how long and how accurately to simulate.", lambda: _sub_table("time"), "time", named=False)
    _make("record", "Sets what is recorded.", lambda: _sub_table("record"), "record", named=False)
    _make("contact", "Sets the contact method, its options, and what happens where surfaces meet.", _contact_fields,
          "contact", named=False)


_make_all()
