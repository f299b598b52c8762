"""Results: of runs in memory and of folders; plots and pages of them."""
import ctypes
import math
import os
import sys
from ctypes import byref, c_size_t, c_void_p

import numpy as np

from . import _arrays, _c
from ._lib import PIECE, call, encode, lib, take_text


def read(folder) -> "Result":
    """The result in a folder that `carom run` or Model.run has written, or in a file result.h5."""
    return _FolderResult(folder)


# ---- running ---------------------------------------------------------------------------------------------------------

def run_model(model, until, folder, every, signals, state, threads, verify, progress):
    definition = _c.carom_run_def(duration=until or 0.0, threads=threads, verify=verify)
    if until is not None and not until > 0:
        raise ValueError(f"until must be positive, not {until}")
    if state is not None:
        if state.model.hash != model.hash:
            raise ValueError("the state belongs to another model")
        setattr(definition, "from", state._c)  # a name that Python keeps for itself
    if folder is None:
        return _run_in_memory(model, definition, every, signals, progress)
    if every is not None or signals is not None:
        raise ValueError("every and signals are for runs in memory; a folder records what the scene's \"record\" says")
    sink = _c.carom_sink()
    options = _c.carom_folder_options(folder=encode(os.fspath(folder)), scene_text=model._source.text,
                                      command=b"carom from Python")
    call(lib.carom_sink_folder, byref(options), byref(sink))
    definition.sink = ctypes.addressof(sink)
    _advance(_create(model, definition), progress)
    return _FolderResult(folder)


def _create(model, definition):
    run = c_void_p()
    call(lib.carom_run_create, model._c, byref(definition), byref(run))
    return run


def _advance(run, progress, finish=None):
    """To the end, in pieces; whatever happens the run is left and told so."""
    try:
        while not lib.carom_run_ended(run):
            call(lib.carom_run_advance, run, math.inf, PIECE)
            if progress is not None:
                progress(lib.carom_state_time(lib.carom_run_state(run)))
        return finish(run) if finish else None
    finally:
        lib.carom_run_destroy(run)


def _run_in_memory(model, definition, every, signals, progress):
    names = None if signals is None else ((signals,) if isinstance(signals, str) else tuple(signals))
    observer = model._observer(names)
    memory = c_void_p()
    call(lib.carom_memory_create, observer._c, every or 0.0, byref(memory))
    try:
        sink = lib.carom_sink_memory(memory)
        definition.sink = ctypes.addressof(sink)

        def finish(run):
            import json
            summary = c_void_p()
            call(lib.carom_run_summary, run, byref(summary))
            return json.loads(take_text(summary.value)), model._copy_of(lib.carom_run_state(run))
        start = None
        origin = getattr(definition, "from")
        if origin:  # kept, so that the page can be made from the same start
            start = ctypes.create_string_buffer(lib.carom_state_size(origin))
            call(lib.carom_state_save, model._c, origin, start, len(start))
            start = start.raw
        summary, state = _advance(_create(model, definition), progress, finish)
    except BaseException:
        lib.carom_memory_destroy(memory)
        raise
    return _MemoryResult(model, memory, observer, summary, state, definition.duration, start)


# ---- results ---------------------------------------------------------------------------------------------------------

class Result:
    """What a run has left: arrays by the names of signals, events, pairs that have touched, a summary.

        r.time, r["pin.force"], r.unit("pin.force")

    Arrays are read-only and show the memory of the library without a copy.
    """

    time: np.ndarray   # [s] of every frame
    names: tuple       # of all signals
    events: np.ndarray  # structured: time, kind, a, b, ...
    summary: dict      # as in summary.json

    def __getitem__(self, signal):
        raise NotImplementedError

    def unit(self, signal) -> str:
        """The unit of a signal; "" where it has none."""
        raise NotImplementedError

    def __contains__(self, signal):
        return signal in self.names

    def __len__(self):
        return len(self.time)

    def __iter__(self):
        return iter(self.names)

    @property
    def pairs(self):
        """Bodies that have touched each other, by peak force, as a structured array."""
        return _arrays.pairs(self.summary)

    @property
    def findings(self):
        """How far the run can be trusted, as dicts: kind, severity, place, text, remedy, ..."""
        return self.summary.get("trust", [])

    @property
    def trusted(self) -> bool:
        """No finding is graver than a note."""
        return not any(f["severity"] in ("warning", "wrong") for f in self.findings)

    def plot(self, *signals, title=None, style="screen", log=False, x=None) -> "Plot":
        """Signals over time, or over another signal x: one panel for each unit. Shows in a notebook; .save writes a file."""
        if not signals:
            raise TypeError("plot needs the name of a signal at least")
        return Plot(self, signals, title, style, log, x)

    def _on_disk(self):
        """A folder with the result, and who removes it."""
        raise NotImplementedError

    def page(self, file=None) -> "Page":
        """The page of the result as one HTML file: motion, plots, contacts, ledger."""
        folder, keep = self._on_disk()
        if file is None:
            file = os.path.join(folder, "report.html")
        result = _open(folder)
        try:
            listed = (c_void_p * 1)(result)
            call(lib.carom_page_write, listed, 1, None, encode(os.fspath(file)))
        finally:
            lib.carom_result_close(result)
        return Page(file, keep)

    def view(self) -> "Page":
        """Shows the page: in a notebook inside it, else in a browser."""
        page = self.page()
        if "IPython" not in sys.modules or sys.modules["IPython"].get_ipython() is None:
            page.open()
        return page

    def to_pandas(self, *signals):
        """A DataFrame of signals (all where none is named) over time; units in .attrs["units"]."""
        import pandas
        names = list(signals) or list(self.names)
        frame = pandas.DataFrame({n: np.array(self[n]) for n in names}, index=pandas.Index(self.time, name="time"))
        frame.attrs["units"] = {n: self.unit(n) for n in names}
        return frame

    def to_xarray(self, *signals):
        """A Dataset of signals (all where none is named) over time; units in attrs of each."""
        import xarray
        names = list(signals) or list(self.names)
        return xarray.Dataset({n: ("time", np.array(self[n]), {"units": self.unit(n)}) for n in names},
                              coords={"time": ("time", np.array(self.time), {"units": "s"})})

    def _rows(self):
        energy = self.summary.get("energy", {})
        return [("scene", self.summary.get("name") or "-"), ("method", self.summary.get("method", "-")),
                ("status", self.summary.get("status", "-")), ("time", f"{self.summary.get('time', 0):.6g} s"),
                ("frames", len(self.time)), ("steps", self.summary.get("steps", "-")), ("events", len(self.events)),
                ("energy off by", f"{energy.get('worst_balance_error', math.nan):.2g} J"),
                ("trust", "nothing found" if self.trusted else self.findings[0]["text"])]

    def __repr__(self):
        rows = self._rows()
        width = max(len(k) for k, _ in rows)
        return "<carom.Result\n" + "\n".join(f"  {k:{width}}  {v}" for k, v in rows) + ">"

    def _repr_html_(self):
        import html
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(k)}</th><td>{html.escape(str(v))}</td></tr>"
                       for k, v in self._rows())
        shown = [n for n in self.names[:8]]
        sparks = "".join(f"<tr><th style='text-align:left'>{html.escape(n)}</th><td>{_sparkline(self[n])}</td>"
                         f"<td>{self[n][-1]:.4g} {html.escape(self.unit(n))}</td></tr>" for n in shown if len(self.time))
        return f"<table>{rows}</table><table>{sparks}</table>"


def _sparkline(values, width=160, height=24):
    """A curve of at most `width` points as SVG."""
    values = np.asarray(values)[:: max(1, len(values) // width)]
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return ""
    low, span = finite.min(), (np.ptp(finite) or 1.0)
    points = " ".join(f"{i * width / max(1, len(values) - 1):.1f},{height - 2 - (v - low) / span * (height - 4):.1f}"
                      for i, v in enumerate(values) if math.isfinite(v))
    return (f"<svg width='{width}' height='{height}'><polyline points='{points}' fill='none' stroke='#2060a0' "
            "stroke-width='1.2'/></svg>")


class _MemoryResult(Result):
    def __init__(self, model, memory, observer, summary, state, duration, start):
        self.model, self._memory, self._observer = model, memory, observer
        self.summary, self.state = summary, state
        self._duration, self._start, self._folder = duration, start, None
        self.names = observer.names
        self._number = {name: k for k, name in enumerate(self.names)}
        times = lib.carom_memory_times(memory)
        self.time = _arrays.view(times.values, times.count, self, times.stride)
        count = c_size_t()
        found = lib.carom_memory_events(memory, byref(count))
        self.events = _arrays.events(lib, found, count.value)

    def __del__(self):
        if getattr(self, "_memory", None):
            lib.carom_memory_destroy(self._memory)

    def _find(self, signal):
        if signal not in self._number:
            import difflib
            near = difflib.get_close_matches(str(signal), self.names, 1)
            raise KeyError(f"the result has no signal '{signal}'" + (f"; did you mean '{near[0]}'?" if near else "") +
                           "; r.names lists them, and run(signals=[...]) records others")
        return self._number[signal]

    def __getitem__(self, signal):
        column = lib.carom_memory_signal(self._memory, self._find(signal))
        return _arrays.view(column.values, column.count, self, column.stride)

    def unit(self, signal):
        return self._observer.units[self._find(signal)]

    def _on_disk(self):
        """Pages are made from folders: the run is repeated into one that goes with the result. It gives the same bits."""
        if self._folder is None:
            self._folder = _Temporary()
            start = self.model.restore(self._start) if self._start else None
            run_model(self.model, self._duration or None, self._folder.path, None, None, start, 1, False, None)
        return self._folder.path, self._folder


class _Temporary:
    """A folder that goes with the last who needs it."""

    def __init__(self):
        import tempfile
        self._folder = tempfile.TemporaryDirectory(prefix="carom-")
        self.path = self._folder.name


def _open(folder):
    result = c_void_p()
    call(lib.carom_result_open, encode(os.fspath(folder)), byref(result))
    return result


class _FolderResult(Result):
    def __init__(self, folder):
        import json
        self.folder = os.fspath(folder)
        self._c = _open(self.folder)
        count = lib.carom_result_frame_count(self._c)
        self.names = tuple(lib.carom_result_signal_name(self._c, k).decode()
                           for k in range(lib.carom_result_signal_count(self._c)))
        self.time = self._view(lib.carom_result_time(self._c), count)
        self.bodies = [lib.carom_result_body_name(self._c, i).decode()
                       for i in range(lib.carom_result_body_count(self._c))]
        self.events = _arrays.events(lib, lib.carom_result_events(self._c), lib.carom_result_event_count(self._c))
        text = lib.carom_result_summary_text(self._c)
        self.summary = json.loads(text.decode()) if text else {}

    def _view(self, pointer, count):
        return _arrays.view(ctypes.cast(pointer, c_void_p).value, count, self)

    def __del__(self):
        if getattr(self, "_c", None):
            lib.carom_result_close(self._c)

    def _find(self, signal):
        number = c_size_t()
        call(lib.carom_result_find_signal, self._c, encode(signal), byref(number), None)
        return number.value

    def __getitem__(self, signal):
        number, values = c_size_t(), c_void_p()
        call(lib.carom_result_find_signal, self._c, encode(signal), byref(number), byref(values))
        return _arrays.view(values.value, len(self.time), self)

    def unit(self, signal):
        return lib.carom_result_signal_unit(self._c, self._find(signal)).decode()

    def contacts(self, frame):
        """The contact points of a frame as a structured array."""
        points = c_void_p()
        call(lib.carom_result_contacts, self._c, frame, byref(points))
        return _arrays.contacts(points.value, lib.carom_result_contact_count(self._c, frame))

    def _on_disk(self):
        return (self.folder if os.path.isdir(self.folder) else os.path.dirname(self.folder) or "."), None


# ---- plots and pages -------------------------------------------------------------------------------------------------

class Plot:
    """A plot by carom's own plotting: .save("f.svg"), .pdf or .png; shows itself in a notebook."""

    def __init__(self, result, signals, title, style, log, x):
        if style not in ("screen", "paper"):
            raise ValueError(f"style must be 'screen' or 'paper', not '{style}'")
        self._keep = []
        figure = _c.carom_figure(title=encode(title or result.summary.get("name") or ""),
                                 style=_c.CAROM_PLOT_PAPER if style == "paper" else _c.CAROM_PLOT_SCREEN)
        figure.x.label, figure.x.unit = (b"time", b"s") if x is None else (encode(x), encode(result.unit(x)))
        across = self._array(result.time if x is None else result[x])
        units = list(dict.fromkeys(result.unit(s) for s in signals))
        series = (_c.carom_series * len(signals))()
        for one, signal in zip(series, signals):
            values = self._array(result[signal])
            one.x, one.y, one.count = across.ctypes.data, values.ctypes.data, values.size
            one.label, one.panel = encode(signal), units.index(result.unit(signal))
        panels = (_c.carom_panel * len(units))()
        for panel, unit in zip(panels, units):
            alone = [s for s in signals if result.unit(s) == unit]
            panel.y.label = encode(alone[0] if len(alone) == 1 else "")
            panel.y.unit, panel.y.log = encode(unit), log
        figure.series, figure.series_count = ctypes.addressof(series), len(signals)
        figure.panels, figure.panel_count = ctypes.addressof(panels), len(units)
        self._keep += [series, panels]
        self._figure = figure

    def _array(self, values):
        values = np.ascontiguousarray(values, dtype=np.float64)
        self._keep.append(values)
        return values

    def save(self, file) -> "Plot":
        """Writes SVG, PDF or PNG, as the ending says."""
        call(lib.carom_figure_write, byref(self._figure), encode(os.fspath(file)))
        return self

    def _bytes(self, ending):
        import tempfile
        with tempfile.TemporaryDirectory(prefix="carom-") as folder:
            file = os.path.join(folder, "plot." + ending)
            self.save(file)
            with open(file, "rb") as stream:
                return stream.read()

    def _repr_svg_(self):
        return self._bytes("svg").decode()

    def _repr_png_(self):
        return self._bytes("png")


class Page:
    """A page: one HTML file, opens in any browser; shows itself in a notebook."""

    def __init__(self, file, keep=None):
        self.file = os.path.abspath(os.fspath(file))
        self._keep = keep

    def open(self):
        """Shows it in a browser. Where there is none, nothing happens: .file says where the page is."""
        import webbrowser
        webbrowser.open("file://" + self.file)
        return self

    def _repr_html_(self):
        import base64
        with open(self.file, "rb") as stream:
            packed = base64.b64encode(stream.read()).decode()
        return (f'<iframe src="data:text/html;base64,{packed}" width="100%" height="600" '
                'style="border:0" allowfullscreen></iframe>')

    def __repr__(self):
        return f"<carom.Page {self.file}>"
