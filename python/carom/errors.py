"""What can go wrong, as exceptions. The text is the sentence that the program carom prints."""
from . import _c


class Error(Exception):
    """An answer of the library that is not "ok".

    status: its short name, such as "bad input". file, line, path: where in which scene; empty and 0 where an error does not
    come from a scene file. all: every mistake that was found together, as texts; one or none where there was no other.
    """

    def __init__(self, text, status="", file="", line=0, path="", all=()):
        super().__init__(text)
        self.status = status
        self.file = file
        self.line = line
        self.path = path
        self.all = list(all) or [text]

    def __reduce__(self):
        return type(self), (str(self), self.status, self.file, self.line, self.path, self.all)

    def __str__(self):
        if len(self.all) < 2:
            return self.args[0]
        return "\n".join(self.all + [f"{len(self.all)} mistakes in the scene"])


class InputError(Error, ValueError):
    """A scene, file, definition or argument is wrong."""


class NotConverged(Error):
    """An iteration ended without an answer; the state is as it was."""


class Impossible(Error):
    """The constraints contradict each other: there is no consistent configuration."""


class Intersecting(Error):
    """Bodies overlap where the method needs a start without overlap."""


class Interrupted(Error):
    """A run was asked to stop."""


class Unsupported(Error):
    """The library was built without an optional part."""


class NoMemory(Error, MemoryError):
    """An allocation failed; nothing was changed."""


class FileError(Error, OSError):
    """The file system, or a library for a file format, said no."""

    def __str__(self):
        return Error.__str__(self)


class SceneWarning(UserWarning):
    """Something that a scene says and that is probably not meant so."""


_CLASSES = {
    _c.CAROM_BAD_INPUT: InputError,
    _c.CAROM_NO_MEMORY: NoMemory,
    _c.CAROM_IO_FAILED: FileError,
    _c.CAROM_NOT_CONVERGED: NotConverged,
    _c.CAROM_IMPOSSIBLE: Impossible,
    _c.CAROM_INTERSECTING: Intersecting,
    _c.CAROM_INTERRUPTED: Interrupted,
    _c.CAROM_UNSUPPORTED: Unsupported,
}


def make(status, name, text, file="", line=0, path="", all=()):
    """The exception for a status of the library and its short name."""
    return _CLASSES.get(status, Error)(text, name, file, line, path, all)
