"""Finds libcarom, loads it, and turns its answers into exceptions."""
import ctypes
import os
from ctypes import byref

from . import _c, errors

NAME = "libcarom.so.0"
PIECE = 0.05  # [s] of wall time after which long calls come back, so that Python sees Ctrl-C


def _places():
    """Where the library may be, in order: beside the package, in the build tree of a checkout, where the loader looks."""
    here = os.path.dirname(os.path.abspath(__file__))
    yield os.path.join(here, "lib", NAME)
    yield os.path.join(here, "..", "..", "build", "lib", NAME)


def _load():
    wanted = os.environ.get("CAROM_LIBRARY")
    if wanted:
        return ctypes.CDLL(wanted), wanted
    for place in _places():
        if os.path.exists(place):
            return ctypes.CDLL(place), os.path.realpath(place)
    try:
        return ctypes.CDLL(NAME), NAME
    except OSError as problem:
        raise ImportError(f"carom: there is no {NAME} beside the package, in the build folder of a checkout, or where the "
                          "loader looks; run 'make build', or name the library in CAROM_LIBRARY") from problem


def _check(library, where):
    try:
        library.carom_version.restype = ctypes.c_char_p
        version = library.carom_version().decode()
    except AttributeError as problem:
        raise ImportError(f"carom: '{where}' is not the library of carom, or one before 0.1.0") from problem
    if version != _c.VERSION:
        raise ImportError(f"carom: the package is of version {_c.VERSION}, the library '{where}' of {version}; install "
                          "both from the same source")


class _Library:
    """The functions of the library, each with its types from the first call on."""

    def __init__(self, library, where):
        self._library, self._where = library, where

    def __getattr__(self, name):
        try:
            function = getattr(self._library, name)
        except AttributeError as problem:
            raise ImportError(f"carom: the library '{self._where}' has no function {name}; it was built from another "
                              "source than the package: run 'make build'") from problem
        function.restype, function.argtypes = _c.types_of(name)
        setattr(self, name, function)
        return function


_loaded, path = _load()
_check(_loaded, path)
lib = _Library(_loaded, path)


def new_error():
    """Room for an error, and for all mistakes that are found together."""
    err = _c.carom_error()
    err.list = _c.carom_error_list()
    err.all = ctypes.addressof(err.list)
    return err


def call(function, *arguments):
    """Calls a function whose last argument is an error and which returns a status; raises what it answers."""
    err = new_error()
    status = function(*arguments, byref(err))
    if status != _c.CAROM_OK:
        raise error_of(status, err)


def _text_of(err):
    room = ctypes.create_string_buffer(2048)
    return lib.carom_error_text(byref(err), room, len(room)).decode("utf-8", "replace")


def error_of(status, err):
    """The exception for an answer of the library."""
    all_texts = []
    if err.all and err.count > 1:
        mistakes = ctypes.cast(err.all, ctypes.POINTER(_c.carom_error_list)).contents
        all_texts = [_text_of(mistakes.items[i]) for i in range(mistakes.count)]
    return errors.make(status, lib.carom_status_name(status).decode(), _text_of(err), err.file.decode("utf-8", "replace"), err.line,
                       err.path.decode("utf-8", "replace"), all_texts)


def take_text(address):
    """A text that the library hands over."""
    if not address:
        raise MemoryError("out of memory")
    text = ctypes.string_at(address).decode("utf-8", "replace")
    lib.carom_text_destroy(address)
    return text


def encode(text):
    if isinstance(text, os.PathLike):
        text = os.fspath(text)
    return text.encode() if isinstance(text, str) else text


def texts(names):
    """An array of texts, and their number."""
    encoded = [encode(name) for name in names]
    return (ctypes.c_char_p * max(1, len(encoded)))(*encoded), len(encoded)
