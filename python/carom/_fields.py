"""The field tables of the library: what every definition is made of, with units, defaults and a sentence each."""
import ctypes
import keyword
import math

from . import _c
from ._lib import lib

_FIELD = ctypes.sizeof(_c.carom_field)

_TYPES = {
    _c.CAROM_FIELD_BOOL: "bool", _c.CAROM_FIELD_INT: "int", _c.CAROM_FIELD_REAL: "Number", _c.CAROM_FIELD_TEXT: "str",
    _c.CAROM_FIELD_FILE: "str", _c.CAROM_FIELD_ENUM: "str", _c.CAROM_FIELD_VECTOR: "Vector",
    _c.CAROM_FIELD_DIRECTION: "Vector", _c.CAROM_FIELD_ORIENTATION: "Orientation", _c.CAROM_FIELD_VALUE: "Value",
    _c.CAROM_FIELD_VALUE3: "Sequence[Value]", _c.CAROM_FIELD_CURVE: "Table", _c.CAROM_FIELD_REALS: "Numbers",
    _c.CAROM_FIELD_BODY: "str", _c.CAROM_FIELD_BODY_PAIR: "Sequence[str]", _c.CAROM_FIELD_JOINT: "str",
    _c.CAROM_FIELD_GROUP: "Entry", _c.CAROM_FIELD_LIST: "Entries", _c.CAROM_FIELD_TEXTS: "Sequence[str]",
    _c.CAROM_FIELD_KIND: "Kind",
}


class Field:
    """One field of a table: name as scenes spell it, type, unit, default (None: none), required, sentence."""
    __slots__ = ("name", "kind", "unit", "default", "required", "doc")

    def __init__(self, c, defaults):
        self.name = c.name.decode()
        self.kind = c.kind
        self.unit = _unit(c.dimension)
        self.required = bool(c.flags & _c.CAROM_REQUIRED)
        self.doc = (c.doc or b"").decode()
        self.default = None if self.required or not defaults else _default(c, defaults + c.offset)

    @property
    def type(self):
        return _TYPES[self.kind]

    @property
    def argument(self):
        """Its name as an argument in Python."""
        return self.name + "_" if keyword.iskeyword(self.name) else self.name

    @property
    def other_name(self):
        """The singular of a plural or the other way round, by which scenes know a list too; None where it is no list."""
        if self.kind != _c.CAROM_FIELD_LIST:
            return None
        return self.name[:-1] if self.name.endswith("s") else self.name + "s"


_units = {}


def _unit(dimension):
    key = (dimension.length, dimension.mass, dimension.time, dimension.angle)
    if key not in _units:
        room = ctypes.create_string_buffer(64)
        _units[key] = lib.carom_dimension_text(dimension, room, len(room)).decode()
    return _units[key]


def _number(value, flags):
    """A default that would be refused if it were written (a mass of 0) stands for "not given"."""
    refused = (flags & _c.CAROM_POSITIVE and value <= 0) or (flags & _c.CAROM_NONNEGATIVE and value < 0)
    return None if refused or not math.isfinite(value) else value


def _default(c, address):
    kind = c.kind
    if kind == _c.CAROM_FIELD_BOOL:
        return ctypes.c_bool.from_address(address).value
    if kind == _c.CAROM_FIELD_INT:
        return _number(ctypes.c_int.from_address(address).value, c.flags)
    if kind == _c.CAROM_FIELD_REAL:
        return _number(ctypes.c_double.from_address(address).value, c.flags)
    if kind == _c.CAROM_FIELD_ENUM:
        index = ctypes.c_int.from_address(address).value
        return ctypes.c_char_p.from_address(c.names + index * ctypes.sizeof(ctypes.c_char_p)).value.decode()
    if kind in (_c.CAROM_FIELD_VECTOR, _c.CAROM_FIELD_DIRECTION):
        return tuple((ctypes.c_double * 3).from_address(address))
    if kind == _c.CAROM_FIELD_ORIENTATION:
        return tuple((ctypes.c_double * 4).from_address(address))
    if kind == _c.CAROM_FIELD_VALUE:
        value = _c.carom_value.from_address(address)
        return _number(value.number, c.flags) if value.kind == _c.CAROM_NUMBER else None
    return None


def table(address, defaults=None):
    """The fields of a table at an address, with the defaults of a struct at another."""
    fields = []
    while True:
        c = _c.carom_field.from_address(address)
        if not c.name:
            return fields
        fields.append(Field(c, defaults))
        address += _FIELD


def kinds(listed):
    """Name, sentence and who reads the fields of every kind of a list of the library, such as carom_joint_kinds()."""
    found = []
    while True:
        address = ctypes.c_void_p.from_address(listed).value
        if not address:
            return found
        c = _c.carom_kind.from_address(address)
        found.append((c.name.decode(), (c.doc or b"").decode(),
                      lambda c=c: table(c.fields, c.defaults) if c.fields else []))
        listed += ctypes.sizeof(ctypes.c_void_p)


def address_of(pointer):
    return ctypes.cast(pointer, ctypes.c_void_p).value
