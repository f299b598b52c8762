"""Studies: many runs of one scene with numbers that vary."""
import ctypes
import os
from ctypes import byref, c_void_p

import numpy as np

from . import _c
from ._lib import call, encode, lib, take_text

_KEEP_GOING = ctypes.CFUNCTYPE(ctypes.c_bool, c_void_p, c_void_p)


def study(file, *, runs=None) -> "Study":
    """Reads a study file, or the folder of an earlier sweep; runs: how many, where its sampling can be extended."""
    return Study(file, runs)


class Study:
    """A study of a scene: .run() makes all rows, .table has them. See docs/studies.md."""

    def __init__(self, file, runs=None):
        self.file = os.fspath(file)
        self._c = c_void_p()
        call(lib.carom_study_open, encode(self.file), runs or 0, byref(self._c))
        self.name = (lib.carom_study_name(self._c) or b"").decode()
        self.variables = [lib.carom_study_variable(self._c, i).decode()
                          for i in range(lib.carom_study_variable_count(self._c))]
        self.measures = [lib.carom_study_measure(self._c, i).decode()
                         for i in range(lib.carom_study_measure_count(self._c))]
        self.units = {m: lib.carom_study_unit(self._c, i).decode() for i, m in enumerate(self.measures)}

    def __del__(self):
        if getattr(self, "_c", None):
            lib.carom_study_destroy(self._c)

    def __len__(self):
        return lib.carom_study_run_count(self._c)

    def run(self, folder, *, workers=None, part=None, progress=None) -> "Study":
        """Makes the rows that the folder does not have yet, on so many threads (else on all processors). part: (3, 16) makes the
        third of sixteen parts only. progress: called with the number of rows so far, ten times a second at most."""
        stopped = []

        def keep_going(_context, now):
            try:
                rows = _c.carom_sweep_progress.from_address(now).rows
                if progress is not None:
                    progress(sum(rows) - rows[_c.CAROM_ROW_MISSING])
                return True
            except BaseException as stop:  # raised again below: nothing passes through C
                stopped.append(stop)
                return False
        callback = _KEEP_GOING(keep_going)
        options = _c.carom_sweep_options(folder=encode(os.fspath(folder)), workers=workers or 0,
                                         keep_going=ctypes.cast(callback, c_void_p))
        if part is not None:
            options.part, options.parts = part
        try:
            call(lib.carom_study_sweep, self._c, byref(options))
        except Exception:
            if stopped:
                raise stopped[0] from None
            raise
        return self

    def _dtype(self):
        return np.dtype([("run", np.int64), ("status", "U10"), ("reason", object), ("steps", np.int64)] +
                        [(n, np.float64) for n in self.variables + self.measures])

    def _row(self, c):
        values = [c.inputs[i] for i in range(len(self.variables))] + [c.values[i] for i in range(len(self.measures))]
        return (c.run, lib.carom_row_status_name(c.status).decode(), c.reason.decode("utf-8", "replace"), c.steps, *values)

    @staticmethod
    def _fields(pointer):
        """A row with its arrays as pointers to numbers."""
        row = pointer.contents
        plain = type("Row", (), {})()
        plain.run, plain.status, plain.steps = row.run, row.status, row.steps
        plain.inputs = ctypes.cast(row.inputs, ctypes.POINTER(ctypes.c_double))
        plain.values = ctypes.cast(row.values, ctypes.POINTER(ctypes.c_double))
        plain.reason = ctypes.string_at(row.reason) if row.reason else b""
        return plain

    @property
    def table(self):
        """The rows of the last sweep as a structured array: run, status, reason, steps, variables, measures (in SI)."""
        rows = []
        for run in range(len(self)):
            pointer = lib.carom_study_row(self._c, run)
            if pointer:
                rows.append(self._row(self._fields(pointer)))
        return np.array(rows, dtype=self._dtype())

    def evaluate(self, run):
        """One run, made here and now, as a row of the table; no file is written. A pure function, for any pool."""
        pointer = c_void_p()
        call(lib.carom_study_evaluate, self._c, run, byref(pointer))
        try:
            made = ctypes.cast(pointer, ctypes.POINTER(_c.carom_row))
            return np.array([self._row(self._fields(made))], dtype=self._dtype())[0]
        finally:
            lib.carom_row_destroy(pointer)

    def probability(self, measure) -> float:
        """The share of rows that are done in which a measure is not zero; NaN where none is done."""
        if measure not in self.measures:
            raise KeyError(f"there is no measure '{measure}'; there are: {', '.join(self.measures)}")
        table = self.table
        done = table[measure][table["status"] == "done"]
        return float(np.mean(done != 0)) if done.size else float("nan")

    @property
    def summary(self) -> str:
        """What the rows come to, as the program prints it."""
        return take_text(lib.carom_study_summary(self._c))

    def __repr__(self):
        return f"<carom.Study {self.name!r}: {len(self)} runs of {', '.join(self.variables)}>"
