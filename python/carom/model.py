"""Models, states and batches."""
import ctypes
import os
import threading
import warnings
from ctypes import byref, c_double, c_size_t, c_void_p

import numpy as np

from . import _arrays, _c
from ._lib import PIECE, call, encode, error_of, lib, new_error, texts
from .errors import SceneWarning
from .result import Result, run_model

_KEEP_BUILDING = ctypes.CFUNCTYPE(ctypes.c_bool, c_void_p, c_void_p)


def _overrides(set, variables):
    """Texts "path=value" as the reader takes them, in the order in which they were given."""
    pairs = list((set or {}).items()) + [("variables." + k, v) for k, v in variables.items()]
    import json
    from .spec import plain
    return [f"{path}={value if isinstance(value, str) else json.dumps(plain(value))}" for path, value in pairs]


def load(file, *, set=None, method=None, **variables) -> "Model":
    """Reads and compiles a scene file: carom's, or of a format that `carom import` knows.

    variables: values of the scene's variables. set: any other value by its path, {"bodies.rod.mass": 2}. method: the contact
    method instead of the scene's.
    """
    set = {**(set or {}), **({"contact.method": method} if method else {})}
    with open(file, "rb") as stream:
        text = stream.read()
    return Model(_Source(text, os.fspath(file), os.path.dirname(os.path.abspath(file)), tuple(_overrides(set, variables))))


def parse(text, *, name="scene", folder=None, set=None, **variables) -> "Model":
    """The same from a text. name stands for the file in messages; files it names are sought in `folder`, else here."""
    text = text.encode() if isinstance(text, str) else text
    return Model(_Source(text, name, folder, tuple(_overrides(set, variables))))


class _Source:
    """What a model was made from; two processes make the same model from it."""

    def __init__(self, text, name, folder, overrides):
        self.text, self.name, self.folder, self.overrides = text, name, folder, overrides

    def spec(self):
        spec = c_void_p()
        listed, count = texts(self.overrides)
        call(lib.carom_scene_parse, self.text, len(self.text), encode(self.name),
             encode(self.folder) if self.folder else None, listed, count, byref(spec))
        return spec


def _compile(spec):
    """Building may take seconds: some twenty times a second Python looks for Ctrl-C."""
    stopped = []

    def keep_going(_context, _now):
        try:
            for _ in range(2):  # where Python handles signals
                pass
            return True
        except KeyboardInterrupt as stop:
            stopped.append(stop)
            return False
    callback = _KEEP_BUILDING(keep_going)
    options = _c.carom_compile_options(keep_going=ctypes.cast(callback, c_void_p))
    model = c_void_p()
    try:
        call(lib.carom_compile_with, spec, byref(options), byref(model))
    except Exception:
        if stopped:
            raise stopped[0] from None
        raise
    return model


class Model:
    """A compiled scene. It never changes; states, runs and batches are made from it. See carom.load and Spec.compile."""

    def __init__(self, source):
        self._source = source
        spec = source.spec()
        try:
            self._c = _compile(spec)
            remarks = c_void_p()
            self.remarks = [ctypes.c_char_p.from_address(remarks.value + i * ctypes.sizeof(c_void_p)).value.decode()
                            for i in range(lib.carom_spec_remarks(spec, byref(remarks)))]
            self.name = (lib.carom_spec_scene(spec).contents.name or b"").decode()
        finally:
            lib.carom_spec_destroy(spec)
        self._observers = {}
        self.bodies = [lib.carom_model_body_name(self._c, i).decode() for i in range(lib.carom_model_body_count(self._c))]
        self.joints = [lib.carom_model_joint_name(self._c, i).decode()
                       for i in range(lib.carom_model_joint_count(self._c))]
        self.inputs = [lib.carom_model_input_name(self._c, i).decode()
                       for i in range(lib.carom_model_input_count(self._c))]
        self.notes = self._read_notes()
        for text in (n for n in self.notes if n.startswith("warning: ")):
            warnings.warn(text[len("warning: "):], SceneWarning, stacklevel=3)

    def __del__(self):
        if getattr(self, "_c", None):
            lib.carom_model_destroy(self._c)

    def _read_notes(self):
        listed = c_void_p()
        count = lib.carom_model_notes(self._c, byref(listed))
        found = []
        for i in range(count):
            note = _c.carom_note.from_address(listed.value + i * ctypes.sizeof(_c.carom_note))
            place = _c.carom_error(line=note.line, file=(note.file or b"")[:255], path=(note.path or b"")[:255],
                                   message=(note.message or b"")[:1023])
            room = ctypes.create_string_buffer(2048)
            text = lib.carom_error_text(byref(place), room, len(room)).decode("utf-8", "replace")
            found.append(("warning: " if note.warning else "note: ") + text)
        return found

    @property
    def hash(self) -> int:
        """Of all that decides results: states of one model fit others with the same hash."""
        return lib.carom_model_hash(self._c)

    @property
    def signals(self):
        """Names of all signals that results hold."""
        return list(self._observer(None).names)

    def unit(self, signal) -> str:
        """The unit of a signal; "" where it has none."""
        return self._observer((signal,)).units[0]

    def mass(self, body) -> float:
        """[kg] of a body; 0 where it does not move freely."""
        return lib.carom_model_body(self._c, self._body(body)).mass

    def _body(self, name):
        found = lib.carom_model_find_body(self._c, encode(name))
        if found < 0:
            raise KeyError(f"there is no body '{name}'; there are: {', '.join(self.bodies)}")
        return found

    def _observer(self, names):
        """Observers are made once; None: all signals."""
        if names not in self._observers:
            self._observers[names] = Observer(self, names)
        return self._observers[names]

    def state(self, *, checkpoint=None) -> "State":
        """The scene's start, assembled; or the state in the checkpoint of a run's folder."""
        return State(self, checkpoint=checkpoint)

    def restore(self, data) -> "State":
        """The state of bytes(state); refused if they are of another model."""
        state = State(self, assemble=False)
        state._restore(data)
        return state

    def _copy_of(self, address):
        state = State(self, assemble=False)
        if lib.carom_state_copy(state._c, address) != _c.CAROM_OK:
            raise MemoryError("out of memory for a state")
        return state

    def batch(self, count, state=None) -> "Batch":
        """Many states that go on together: copies of `state`, or of the scene's start."""
        return Batch(self, count, state)

    def run(self, until=None, *, folder=None, every=None, signals=None, state=None, threads=1, verify=False,
            progress=None) -> Result:
        """Runs from the start, or from a state, to the end.

        until: [s], else the scene's end. folder: writes there what `carom run` writes; else all stays in memory. every: [s]
        between frames in memory, else the scene's. signals: names that are recorded in memory, else all. threads: within each
        step. verify: tests every frame of a folder exactly for intersections. progress: called with the time [s] and the end
        some twenty times a second.
        """
        return run_model(self, until, folder, every, signals, state, threads, verify, progress)

    def __reduce__(self):
        return Model, (self._source,)

    def __repr__(self):
        return (f"<carom.Model {self.name!r}: {len(self.bodies) - 1} bodies, {len(self.joints)} joints, "
                f"hash {self.hash:016x}>")


class Observer:
    """A list of signals of a model, found once."""

    def __init__(self, model, names):
        self._c = c_void_p()
        if names is None:
            call(lib.carom_observer_create_all, model._c, byref(self._c))
        else:
            listed, count = texts(names)
            call(lib.carom_observer_create, model._c, listed, count, byref(self._c))
        count = lib.carom_observer_count(self._c)
        self.names = tuple(lib.carom_observer_name(self._c, k).decode() for k in range(count))
        self.units = tuple(lib.carom_observer_unit(self._c, k).decode() for k in range(count))

    def __del__(self):
        if getattr(self, "_c", None):
            lib.carom_observer_destroy(self._c)


def _triple(values, what):
    values = [float(v) for v in values]
    if len(values) != 3:
        raise ValueError(f"{what} must be three numbers, not {len(values)}")
    return _c.carom_v3(*values)


class Body:
    """A body of a state: what it does now, and ways to set it. In world axes, of the body's frame, SI."""
    __slots__ = ("_state", "_id")

    def __init__(self, state, body):
        self._state, self._id = state, body

    def _pose(self):
        return lib.carom_state_pose(self._state.model._c, self._state._c, self._id)

    def _set_pose(self, pose):
        self._state._do(lib.carom_state_set_pose, self._id, pose)

    def _set_rate(self, v, omega):
        self._state._do(lib.carom_state_set_velocity, self._id, v, omega)

    @property
    def position(self):
        p = self._pose().position
        return np.array((p.x, p.y, p.z))

    @position.setter
    def position(self, value):
        pose = self._pose()
        pose.position = _triple(value, "position")
        self._set_pose(pose)

    @property
    def orientation(self):
        """w, x, y, z: takes body axes to world axes."""
        q = self._pose().orientation
        return np.array((q.w, q.x, q.y, q.z))

    @orientation.setter
    def orientation(self, value):
        pose = self._pose()
        values = [float(v) for v in value]
        if len(values) != 4:
            raise ValueError(f"orientation must be four numbers w, x, y, z, not {len(values)}")
        pose.orientation = _c.carom_quat(*values)
        self._set_pose(pose)

    def _velocity(self):
        return lib.carom_state_velocity(self._state.model._c, self._state._c, self._id)

    def _omega(self):
        return lib.carom_state_angular_velocity(self._state.model._c, self._state._c, self._id)

    @property
    def velocity(self):
        v = self._velocity()
        return np.array((v.x, v.y, v.z))

    @velocity.setter
    def velocity(self, value):
        self._set_rate(_triple(value, "velocity"), self._omega())

    @property
    def angular_velocity(self):
        v = self._omega()
        return np.array((v.x, v.y, v.z))

    @angular_velocity.setter
    def angular_velocity(self, value):
        self._set_rate(self._velocity(), _triple(value, "angular_velocity"))

    def __repr__(self):
        return f"<body {self._state.model.bodies[self._id]!r} at {self.position}>"


class Joint:
    """A joint of a state: its coordinates and their rates as attributes, such as hinge.angle and hinge.angle_rate."""
    __slots__ = ("_state", "_info")

    def __init__(self, state, info):
        self._state, self._info = state, info

    def _number(self, name):
        """Which coordinate is meant, and whether its rate."""
        names = [self._info.coordinates[k].name.decode() for k in range(self._info.coordinate_count)]
        rate = name == "rate" or name.endswith("_rate")
        plain = names[0] if name in ("rate", "value") and len(names) == 1 else name[:-5] if rate else name
        if plain not in names:
            raise AttributeError(f"joint '{self._info.name.decode()}' has no '{name}'; it has "
                                 f"{', '.join(n + ', ' + n + '_rate' for n in names) or 'no coordinates'}")
        return self._info.first_coordinate + names.index(plain), rate

    def __getattr__(self, name):
        coordinate, rate = self._number(name)
        values, rates = self._state.coordinates()
        return (rates if rate else values)[coordinate]

    def __setattr__(self, name, value):
        if name in ("_state", "_info"):
            object.__setattr__(self, name, value)
        else:
            self.set(**{name: value})

    def set(self, **given):
        """Several at once: hinge.set(angle=0.3, rate=2). What is not given stays."""
        values, rates = self._state.coordinates()
        touched = []
        for name, value in given.items():
            coordinate, rate = self._number(name)
            (rates if rate else values)[coordinate] = float(value)
            if coordinate not in touched:
                touched.append(coordinate)
        for coordinate in touched:
            self._state._do(lib.carom_state_set_coordinate, coordinate, values[coordinate], rates[coordinate])

    def __repr__(self):
        return f"<joint {self._info.name.decode()!r}, {self._info.type.decode()}>"


class Inputs:
    """The inputs of a state by name, in SI: state.inputs["pull"] = 20."""
    __slots__ = ("_state",)

    def __init__(self, state):
        self._state = state

    def _number(self, name):
        found = lib.carom_model_find_input(self._state.model._c, encode(name))
        if found < 0:
            known = ", ".join(self._state.model.inputs)
            raise KeyError(f"there is no input '{name}'; " + (f"there are: {known}" if known else "the scene has none"))
        return found

    def __getitem__(self, name):
        return lib.carom_state_input(self._state.model._c, self._state._c, self._number(name))

    def __setitem__(self, name, value):
        self._state._do(lib.carom_state_set_input, self._number(name), float(value))

    def __iter__(self):
        return iter(self._state.model.inputs)

    def __len__(self):
        return len(self._state.model.inputs)

    def __repr__(self):
        return repr({name: self[name] for name in self})


class State:
    """All that the physics remembers. Copying it and going on gives the same bits. See Model.state."""

    def __init__(self, model, assemble=True, checkpoint=None):
        self.model = model
        self._owner = None  # of a state that is part of a batch
        self._c = lib.carom_state_create(model._c)
        if not self._c:
            raise MemoryError("out of memory for a state")
        self._prepare()
        if checkpoint is not None:
            self._read_checkpoint(checkpoint)
        elif assemble:
            call(lib.carom_assemble, model._c, self._c, self._scratch, None)

    @classmethod
    def _of_batch(cls, batch, address):
        """A state that belongs to a batch."""
        self = cls.__new__(cls)
        self.model, self._owner, self._c = batch.model, batch, address
        self._prepare()
        return self

    def _prepare(self):
        self._busy = threading.Lock() if self._owner is None else self._owner._busy
        self._own_scratch = None
        self._err = new_error()
        self._err_ref = byref(self._err)
        seen = lib.carom_view(self.model._c, self._c)
        self._clock = c_double.from_address(ctypes.cast(seen.time, c_void_p).value)
        self._seen = seen
        self._observe_cache = {}

    @property
    def _scratch(self):
        if self._own_scratch is None:
            made = c_void_p()
            call(lib.carom_scratch_create, self.model._c, 1, byref(made))
            self._own_scratch = made
        return self._own_scratch

    def __del__(self):
        if getattr(self, "_own_scratch", None):
            lib.carom_scratch_destroy(self._own_scratch)
        if getattr(self, "_c", None) and self._owner is None:
            lib.carom_state_destroy(self._c)

    def _read_checkpoint(self, folder):
        run = c_void_p()
        definition = _c.carom_run_def(checkpoint=encode(folder))
        call(lib.carom_run_create, self.model._c, byref(definition), byref(run))
        try:
            call(lib.carom_run_advance, run, 0.0, 0.0)
            if lib.carom_state_copy(self._c, lib.carom_run_state(run)) != _c.CAROM_OK:
                raise MemoryError("out of memory for a state")
        finally:
            lib.carom_run_destroy(run)

    def _enter(self):
        if not self._busy.acquire(False):
            raise RuntimeError("the state is being used by another thread; give every thread a copy of its own")

    def _do(self, function, *arguments):
        """A function of model, state, arguments and error."""
        self._enter()
        try:
            status = function(self.model._c, self._c, *arguments, self._err_ref)
        finally:
            self._busy.release()
        if status:
            raise error_of(status, self._err)

    # ---- looking ----

    @property
    def time(self) -> float:
        """[s]"""
        return self._clock.value

    @property
    def hash(self) -> int:
        """Of all its bits."""
        return lib.carom_state_hash(self._c)

    @property
    def poses(self):
        """Read-only view, bodies x 7: position [m] of the centre of mass and orientation w, x, y, z; the ground is 0. It shows
        what the state is now, also later."""
        seen = self._seen
        return _arrays.view(seen.poses, seen.body_count * seen.pose_stride, self).reshape(-1, seen.pose_stride)[:, :7]

    @property
    def velocities(self):
        """Read-only view, bodies x 6: velocity [m/s] of the centre of mass and angular velocity [rad/s], world axes."""
        seen = self._seen
        flat = _arrays.view(seen.velocities, seen.body_count * seen.velocity_stride, self)
        return flat.reshape(-1, seen.velocity_stride)[:, :6]

    def coordinates(self):
        """All joint coordinates [m or rad] and their rates, as two arrays."""
        count = lib.carom_model_coordinate_count(self.model._c)
        values, rates = np.zeros(count), np.zeros(count)
        self._enter()
        try:
            status = lib.carom_observe_coordinates(self.model._c, self._c, self._scratch, values.ctypes.data,
                                                   rates.ctypes.data)
        finally:
            self._busy.release()
        if status:
            raise RuntimeError("the coordinates cannot be observed")
        return values, rates

    def observe(self, *signals):
        """The values of signals at this state: a number for one name, an array for several names or one list of them."""
        one = len(signals) == 1 and isinstance(signals[0], str)
        known = self._observe_cache.get(signals) if one else None
        if known is None:
            names = signals if one or len(signals) != 1 else tuple(signals[0])
            observer = self.model._observer(names)
            out = np.empty(len(names))
            known = (observer, out, out.ctypes.data)
            if one:
                self._observe_cache[signals] = known
        observer, out, address = known
        self._enter()
        try:
            status = lib.carom_observe(observer._c, self._c, self._scratch, address, self._err_ref)
        finally:
            self._busy.release()
        if status:
            raise error_of(status, self._err)
        return float(out[0]) if one else out

    @property
    def ledger(self) -> dict:
        """Energies and work since the start [J], momenta, residues."""
        out = _c.carom_ledger()
        self._do(lib.carom_observe_ledger, self._scratch, byref(out))
        return {name: (v.x, v.y, v.z) if isinstance(v, _c.carom_v3) else v
                for name, v in ((name, getattr(out, name)) for name, _ in _c.carom_ledger._fields_)}

    @property
    def events(self):
        """What happened in the last advance, as a structured array."""
        count = c_size_t()
        found = lib.carom_step_events(self._scratch, byref(count))
        return _arrays.events(lib, found, count.value)

    @property
    def contacts(self):
        """What touches where the last advance ended, as a structured array."""
        count = c_size_t()
        found = lib.carom_step_contacts(self._scratch, byref(count))
        return _arrays.contacts(found, count.value)

    @property
    def inputs(self) -> Inputs:
        """The scene's inputs by name, to read and to set."""
        return Inputs(self)

    def __getitem__(self, name):
        """A body or a joint by its name."""
        model = self.model._c
        found = lib.carom_model_find_body(model, encode(name))
        if found >= 0:
            return Body(self, found)
        found = lib.carom_model_find_joint(model, encode(name))
        if found >= 0:
            return Joint(self, lib.carom_model_joint(model, found))
        raise KeyError(f"there is no body or joint '{name}'; there are: "
                       f"{', '.join(self.model.bodies[1:] + self.model.joints)}")

    # ---- changing ----

    def set(self, name, value=None, **given) -> "State":
        """Sets a signal: set("ball.velocity.x", 2); or several things of one body or joint: set("hinge", angle=0.3, rate=2),
        set("ball", velocity=(1, 0, 0)). The next advance closes the joints again and finds contacts anew."""
        if value is not None:
            self._do(lib.carom_set_signal, self._scratch, encode(name), float(value))
        if given:
            part = self[name]
            if isinstance(part, Joint):
                part.set(**given)
            else:
                for key, what in given.items():
                    if key not in ("position", "orientation", "velocity", "angular_velocity"):
                        raise AttributeError(f"body '{name}' has no '{key}'; position, orientation, velocity and "
                                             "angular_velocity can be set")
                    setattr(part, key, what)
        return self

    def assemble(self) -> "State":
        """Closes the joints, moving bodies as little as possible, and starts the ledger anew."""
        self._do(lib.carom_assemble, self._scratch, None)
        return self

    def advance(self, dt=None, *, until=None) -> "State":
        """Goes on by dt [s], or to a time. When it fails the state is the last one that was reached."""
        clock = self._clock
        if until is None:
            if dt is None:
                raise TypeError("advance needs dt or until")
            until = clock.value + dt
            if not dt > 0:
                raise ValueError(f"dt must be positive, not {dt}")
        if not self._busy.acquire(False):
            self._enter()
        try:
            while True:
                status = lib.carom_advance(self.model._c, self._c, self._scratch, until, PIECE, self._err_ref)
                if status:
                    raise error_of(status, self._err)
                if clock.value >= until:
                    return self
        finally:
            self._busy.release()

    def copy(self) -> "State":
        """Another state, as this one is now."""
        return self.model._copy_of(self._c)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __bytes__(self):
        room = ctypes.create_string_buffer(lib.carom_state_size(self._c))
        self._do(lib.carom_state_save, room, len(room))
        return room.raw

    def _restore(self, data):
        data = bytes(data)
        self._do(lib.carom_state_restore, ctypes.cast(ctypes.c_char_p(data), c_void_p), len(data))

    def __reduce__(self):
        return _restored, (self.model, bytes(self))

    def __repr__(self):
        return f"<carom.State of {self.model.name!r} at t = {self.time:.6g} s, hash {self.hash:016x}>"


def _restored(model, data):
    return model.restore(data)


class Batch:
    """Many states of one model that go on together, on threads. Numbers do not depend on the number of threads. A state that
    fails keeps what it had reached, and the others go on. See Model.batch."""

    def __init__(self, model, count, state=None):
        self.model = model
        self._busy = threading.Lock()
        self._c = c_void_p()
        call(lib.carom_batch_create, model._c, count, state._c if state is not None else None, byref(self._c))
        self.time = state.time if state is not None else 0.0  # [s] where the last advance has led

    def __del__(self):
        if getattr(self, "_c", None):
            lib.carom_batch_destroy(self._c)

    def __len__(self):
        return lib.carom_batch_count(self._c)

    def __getitem__(self, index) -> State:
        """One of the states; it is the batch's."""
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"the batch has {count} states, there is no number {index}")
        return State._of_batch(self, lib.carom_batch_state(self._c, index % count))

    def _call(self, function, *arguments):
        if not self._busy.acquire(False):
            raise RuntimeError("the batch is being used by another thread")
        try:
            call(function, self._c, *arguments)
        finally:
            self._busy.release()

    def set(self, signal, values) -> "Batch":
        """Sets a signal in every state: one value for each, or one for all, in SI."""
        values = np.ascontiguousarray(values, dtype=np.float64).reshape(-1)
        self._call(lib.carom_batch_set, encode(signal), values.ctypes.data, values.size)
        return self

    def advance(self, dt=None, *, until=None, threads=None) -> "Batch":
        """All states go on by dt [s], or to a time, on so many threads; else on all processors."""
        if dt is None and until is None:
            raise TypeError("advance needs dt or until")
        until = self.time + dt if until is None else until
        threads = len(os.sched_getaffinity(0)) if threads is None else threads
        left = c_size_t(1)
        while left.value:
            self._call(lib.carom_batch_advance, until, PIECE, threads, byref(left))
        self.time = max(self.time, until)
        return self

    def observe(self, signals, threads=None):
        """Signals of every state: an array of states x signals."""
        names = (signals,) if isinstance(signals, str) else tuple(signals)
        observer = self.model._observer(names)
        threads = len(os.sched_getaffinity(0)) if threads is None else threads
        out = np.empty((len(self), len(names)))
        self._call(lib.carom_batch_observe, observer._c, threads, out.ctypes.data)
        return out

    @property
    def times(self):
        """[s] of every state."""
        return np.array([lib.carom_state_time(lib.carom_batch_state(self._c, i)) for i in range(len(self))])

    @property
    def hashes(self):
        """Of every state."""
        return [lib.carom_state_hash(lib.carom_batch_state(self._c, i)) for i in range(len(self))]

    @property
    def errors(self) -> dict:
        """The exceptions of states that have failed, by their number."""
        if not lib.carom_batch_failed(self._c):
            return {}
        found = {}
        for i in range(len(self)):
            err = lib.carom_batch_error(self._c, i)
            if err:
                found[i] = error_of(err.contents.status, err.contents)
        return found

    def forgive(self, index) -> "Batch":
        """A state that has failed goes on, after it was set."""
        lib.carom_batch_forgive(self._c, index)
        return self

    def __repr__(self):
        return f"<carom.Batch of {len(self)} states of {self.model.name!r}, {lib.carom_batch_failed(self._c)} failed>"
