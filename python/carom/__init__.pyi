"""Types of carom for editors and checkers. Made by tools/python_bindings; do not edit."""
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

Number = Union[float, str]
Vector = Sequence[Number]
Numbers = Union[Number, Sequence[Number]]
Orientation = Union[Sequence[Number], Mapping[str, Any]]
Value = Union[float, str, Mapping[str, Any]]
Table = Union[Sequence[Sequence[Number]], Mapping[str, Any]]
Entry = Union[Number, Mapping[str, Any]]
Entries = Union[Number, Mapping[str, Any], Sequence[Mapping[str, Any]]]
Kind = Union[Number, str, Mapping[str, Any]]

__version__: str
library: str
features: tuple


class Error(Exception):
    """An answer of the library that is not "ok"."""
    def __init__(self, text: Any, status: Any = ..., file: Any = ..., line: Any = ..., path: Any = ..., all: Any = ...) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""


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


class SceneWarning(UserWarning):
    """Something that a scene says and that is probably not meant so."""


def load(file: Any, *, set: Any = ..., method: Any = ..., **variables: Any) -> Model:
    """Reads and compiles a scene file: carom's, or of a format that `carom import` knows."""


def parse(text: Any, *, name: Any = ..., folder: Any = ..., set: Any = ..., **variables: Any) -> Model:
    """The same from a text. name stands for the file in messages; files it names are sought in `folder`, else here."""


class Model:
    """A compiled scene. It never changes; states, runs and batches are made from it. See carom.load and Spec.compile."""
    def __init__(self, source: Any) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def hash(self) -> int: ...
    @property
    def signals(self) -> Any: ...
    def unit(self, signal: Any) -> str:
        """The unit of a signal; "" where it has none."""
    def mass(self, body: Any) -> float:
        """[kg] of a body; 0 where it does not move freely."""
    def state(self, *, checkpoint: Any = ...) -> State:
        """The scene's start, assembled; or the state in the checkpoint of a run's folder."""
    def restore(self, data: Any) -> State:
        """The state of bytes(state); refused if they are of another model."""
    def batch(self, count: Any, state: Any = ...) -> Batch:
        """Many states that go on together: copies of `state`, or of the scene's start."""
    def run(self, until: Any = ..., *, folder: Any = ..., every: Any = ..., signals: Any = ..., state: Any = ..., threads: Any = ..., verify: Any = ..., progress: Any = ...) -> Result:
        """Runs from the start, or from a state, to the end."""


class Observer:
    """A list of signals of a model, found once."""
    def __init__(self, model: Any, names: Any) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""


class Body:
    """A body of a state: what it does now, and ways to set it. In world axes, of the body's frame, SI."""
    def __init__(self, state: Any, body: Any) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def position(self) -> Any: ...
    @position.setter
    def position(self, value: Any) -> None: ...
    @property
    def orientation(self) -> Any: ...
    @orientation.setter
    def orientation(self, value: Any) -> None: ...
    @property
    def velocity(self) -> Any: ...
    @velocity.setter
    def velocity(self, value: Any) -> None: ...
    @property
    def angular_velocity(self) -> Any: ...
    @angular_velocity.setter
    def angular_velocity(self, value: Any) -> None: ...


class Joint:
    """A joint of a state: its coordinates and their rates as attributes, such as hinge.angle and hinge.angle_rate."""
    def __init__(self, state: Any, info: Any) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def set(self, **given: Any) -> Any:
        """Several at once: hinge.set(angle=0.3, rate=2). What is not given stays."""


class Inputs:
    """The inputs of a state by name, in SI: state.inputs["pull"] = 20."""
    def __init__(self, state: Any) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, name: Any) -> Any: ...
    def __len__(self) -> Any: ...


class State:
    """All that the physics remembers. Copying it and going on gives the same bits. See Model.state."""
    def __init__(self, model: Any, assemble: Any = ..., checkpoint: Any = ...) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def time(self) -> float: ...
    @property
    def hash(self) -> int: ...
    @property
    def poses(self) -> Any: ...
    @property
    def velocities(self) -> Any: ...
    def coordinates(self) -> Any:
        """All joint coordinates [m or rad] and their rates, as two arrays."""
    def observe(self, *signals: Any) -> Any:
        """The values of signals at this state: a number for one name, an array for several names or one list of them."""
    @property
    def ledger(self) -> dict: ...
    @property
    def events(self) -> Any: ...
    @property
    def contacts(self) -> Any: ...
    @property
    def inputs(self) -> Inputs: ...
    def __getitem__(self, name: Any) -> Any:
        """A body or a joint by its name."""
    def set(self, name: Any, value: Any = ..., **given: Any) -> State:
        """Sets a signal: set("ball.velocity.x", 2); or several things of one body or joint: set("hinge", angle=0.3, rate=2),"""
    def assemble(self) -> State:
        """Closes the joints, moving bodies as little as possible, and starts the ledger anew."""
    def advance(self, dt: Any = ..., *, until: Any = ...) -> State:
        """Goes on by dt [s], or to a time. When it fails the state is the last one that was reached."""
    def copy(self) -> State:
        """Another state, as this one is now."""
    def __bytes__(self) -> Any: ...


class Batch:
    """Many states of one model that go on together, on threads. Numbers do not depend on the number of threads. A state that"""
    def __init__(self, model: Any, count: Any, state: Any = ...) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __len__(self) -> Any: ...
    def __getitem__(self, index: Any) -> State:
        """One of the states; it is the batch's."""
    def set(self, signal: Any, values: Any) -> Batch:
        """Sets a signal in every state: one value for each, or one for all, in SI."""
    def advance(self, dt: Any = ..., *, until: Any = ..., threads: Any = ...) -> Batch:
        """All states go on by dt [s], or to a time, on so many threads; else on all processors."""
    def observe(self, signals: Any, threads: Any = ...) -> Any:
        """Signals of every state: an array of states x signals."""
    @property
    def times(self) -> Any: ...
    @property
    def hashes(self) -> Any: ...
    @property
    def errors(self) -> dict: ...
    def forgive(self, index: Any) -> Batch:
        """A state that has failed goes on, after it was set."""


def read(folder: Any) -> Result:
    """The result in a folder that `carom run` or Model.run has written, or in a file result.h5."""


class Result:
    """What a run has left: arrays by the names of signals, events, pairs that have touched, a summary."""
    time: np.ndarray
    names: tuple
    events: np.ndarray
    summary: dict
    def __getitem__(self, signal: Any) -> Any: ...
    def unit(self, signal: Any) -> str:
        """The unit of a signal; "" where it has none."""
    def __contains__(self, signal: Any) -> Any: ...
    def __len__(self) -> Any: ...
    @property
    def pairs(self) -> Any: ...
    @property
    def findings(self) -> Any: ...
    @property
    def trusted(self) -> bool: ...
    def plot(self, *signals: Any, title: Any = ..., style: Any = ..., log: Any = ..., x: Any = ...) -> Plot:
        """Signals over time, or over another signal x: one panel for each unit. Shows in a notebook; .save writes a file."""
    def page(self, file: Any = ...) -> Page:
        """The page of the result as one HTML file: motion, plots, contacts, ledger."""
    def view(self) -> Page:
        """Shows the page: in a notebook inside it, else in a browser."""
    def to_pandas(self, *signals: Any) -> Any:
        """A DataFrame of signals (all where none is named) over time; units in .attrs["units"]."""
    def to_xarray(self, *signals: Any) -> Any:
        """A Dataset of signals (all where none is named) over time; units in attrs of each."""


class Plot:
    """A plot by carom's own plotting: .save("f.svg"), .pdf or .png; shows itself in a notebook."""
    def __init__(self, result: Any, signals: Any, title: Any, style: Any, log: Any, x: Any) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def save(self, file: Any) -> Plot:
        """Writes SVG, PDF or PNG, as the ending says."""


class Page:
    """A page: one HTML file, opens in any browser; shows itself in a notebook."""
    def __init__(self, file: Any, keep: Any = ...) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def open(self) -> Any:
        """Shows it in a browser. Where there is none, nothing happens: .file says where the page is."""


class Spec:
    """A scene that is being written."""
    def __init__(self, document: Any = ..., *, folder: Any = ..., **sections: Any) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @classmethod
    def read(cls, file: Any) -> Any:
        """A scene file without comments as a Spec; files it names are sought beside it."""
    def add(self, section: Any, entry: Any) -> Any:
        """Adds an entry, as scenes have it, to "bodies", "joints", "forces" or another list."""
    def mesh(self, name: Any, vertices: Any, triangles: Any) -> Any:
        """Keeps a mesh of arrays, n x 3 and m x 3, counter-clockwise from outside; shapes use it as {"mesh": "memory:NAME"}."""
    def text(self, indent: Any = ...) -> Any:
        """The scene as files have it."""
    def save(self, file: Any) -> Any:
        """Writes the scene for `carom run` and carom.load."""
    def compile(self, *, set: Any = ..., name: Any = ...) -> Model:
        """The model of the scene, or an error that names the place. set: overrides by path, as in carom.load."""
    def body(self, name: str, *, shapes: Optional[Entries] = ..., shape: Optional[Entries] = ..., position: Optional[Vector] = ..., orientation: Optional[Orientation] = ..., velocity: Optional[Vector] = ..., angular_velocity: Optional[Vector] = ..., density: Optional[Number] = ..., mass: Optional[Number] = ..., inertia: Optional[Numbers] = ..., center_of_mass: Optional[Numbers] = ..., fixed: Optional[bool] = ..., motion: Optional[Entry] = ..., material: Optional[str] = ..., flexible: Optional[Entry] = ..., color: Optional[Numbers] = ...) -> "Spec":
        """Adds a body."""
    def fixed(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type fixed. Holds two bodies together rigidly: no motion of B relative to A."""
    def revolute(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type revolute. A hinge: B turns about the z axis of A and does not slide along it."""
    def prismatic(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type prismatic. A slider: B moves along the z axis of A without turning."""
    def cylindrical(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type cylindrical. A shaft in a sleeve: B slides along the z axis of A and turns about it, independently."""
    def spherical(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type spherical. A ball joint: the two points coincide, B turns freely."""
    def universal(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type universal. A Cardan joint: B turns about the z axis of A (angle_1) and about its own x axis (angle_2), which stay perpendicular."""
    def planar(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type planar. B slides in the xy plane of A and turns about the plane's normal."""
    def screw(self, name: str, *, pitch: Number, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type screw. A nut on a thread: B turns about the z axis of A and advances by the pitch per turn."""
    def distance(self, name: str, *, length: Optional[Number] = ..., min: Optional[Number] = ..., max: Optional[Number] = ..., bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type distance. A massless rod: the points of A and B keep their distance."""
    def rope(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type rope. Two points at a free distance: with `limits` that have a max a rope, which pulls only; with a min a strut, which pushes only."""
    def point_on_line(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type point-on-line. A bead on a wire: the point of B stays on the z axis of A, B turns freely."""
    def point_on_plane(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type point-on-plane. The point of B stays in the xy plane of A, B turns freely."""
    def parallel(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type parallel. The z axes of A and B stay parallel; B goes anywhere and turns about its own."""
    def orientation(self, name: str, *, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type orientation. B keeps its axes in A and goes anywhere."""
    def gear(self, name: str, *, joint_1: str, joint_2: str, coordinate_1: Optional[str] = ..., coordinate_2: Optional[str] = ..., ratio: Number, bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., spring: Optional[Entries] = ..., springs: Optional[Entries] = ..., limits: Optional[Entries] = ..., limit: Optional[Entries] = ..., motion: Optional[Entries] = ..., motions: Optional[Entries] = ..., start: Optional[Entries] = ..., starts: Optional[Entries] = ..., friction: Optional[Entry] = ..., clearance: Optional[Entry] = ...) -> "Spec":
        """Adds a joint of type gear. Couples the coordinates of two other joints: gears, belts, racks and pinions."""
    def load(self, name: str, *, force: Optional[Sequence[Value]] = ..., torque: Optional[Sequence[Value]] = ..., follow: Optional[bool] = ..., body: Optional[str] = ..., bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., joint: Optional[str] = ..., coordinate: Optional[str] = ...) -> "Spec":
        """Adds a force of type load. A force and a torque on one body, over time or by an expression."""
    def spring(self, name: str, *, stiffness: Optional[Number] = ..., damping: Optional[Number] = ..., free_length: Optional[Number] = ..., preload: Optional[Number] = ..., table: Optional[Table] = ..., force: Optional[Value] = ..., body: Optional[str] = ..., bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., joint: Optional[str] = ..., coordinate: Optional[str] = ...) -> "Spec":
        """Adds a force of type spring. A spring and damper along the line between two points."""
    def bushing(self, name: str, *, stiffness: Optional[Vector] = ..., damping: Optional[Vector] = ..., angular_stiffness: Optional[Vector] = ..., angular_damping: Optional[Vector] = ..., body: Optional[str] = ..., bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., joint: Optional[str] = ..., coordinate: Optional[str] = ...) -> "Spec":
        """Adds a force of type bushing. An elastic mount: springs and dampers between two markers in three directions and three turns."""
    def motor(self, name: str, *, mode: Optional[str] = ..., target: Value, gain: Optional[Number] = ..., damping: Optional[Number] = ..., limit: Optional[Number] = ..., integral: Optional[Number] = ..., anti_windup: Optional[Number] = ..., body: Optional[str] = ..., bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., joint: Optional[str] = ..., coordinate: Optional[str] = ...) -> "Spec":
        """Adds a force of type motor. Drives a joint coordinate by torque, to a speed, or to a position."""
    def drag(self, name: str, *, linear: Optional[Number] = ..., quadratic: Optional[Number] = ..., angular: Optional[Number] = ..., body: Optional[str] = ..., bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., joint: Optional[str] = ..., coordinate: Optional[str] = ...) -> "Spec":
        """Adds a force of type drag. Resistance of a still medium, linear and quadratic in the speed, on one body or on all."""
    def gravity_field(self, name: str, *, center: Optional[Vector] = ..., mu: Number, body: Optional[str] = ..., bodies: Optional[Sequence[str]] = ..., at: Optional[Vector] = ..., at_b: Optional[Numbers] = ..., axis: Optional[Vector] = ..., x_axis: Optional[Numbers] = ..., frame_a: Optional[Entry] = ..., frame_b: Optional[Entry] = ..., joint: Optional[str] = ..., coordinate: Optional[str] = ...) -> "Spec":
        """Adds a force of type gravity-field. Attraction by a point with the inverse square of the distance, on one body or on all."""
    def material(self, name: str, *, young: Optional[Number] = ..., poisson: Optional[Number] = ..., density: Optional[Number] = ...) -> "Spec":
        """Adds a material."""
    def input(self, name: str, *, start: Optional[Number] = ..., unit: Optional[str] = ...) -> "Spec":
        """Adds an input: a number that is set between steps, input.NAME in expressions."""
    def time(self, *, end: Optional[Number] = ..., integrator: Optional[Kind] = ..., preset: Optional[str] = ..., step: Optional[Number] = ..., tolerance: Optional[Number] = ...) -> "Spec":
        """Sets how long and how accurately to simulate."""
    def record(self, *, every: Optional[Number] = ..., fields_every: Optional[Number] = ..., signals: Optional[Sequence[str]] = ...) -> "Spec":
        """Sets what is recorded."""
    def contact(self, *, law: Optional[Kind] = ..., friction: Optional[Kind] = ..., restitution: Optional[Number] = ..., restitution_law: Optional[str] = ..., impulse: Optional[Number] = ..., range: Optional[Number] = ..., separation: Optional[Number] = ..., per: Optional[str] = ..., points: Optional[str] = ..., method: Kind, pairs: Optional[Entries] = ..., pair: Optional[Entries] = ..., between_joined: Optional[bool] = ..., detection: Optional[str] = ..., features: Optional[str] = ..., spacing: Optional[Number] = ..., field: Optional[str] = ..., sign: Optional[str] = ..., resolution: Optional[int] = ..., cache: Optional[bool] = ..., approach: Optional[Number] = ..., substeps: Optional[str] = ..., stepping: Optional[str] = ..., tolerance: Optional[Number] = ..., impact_speed: Optional[Number] = ..., several: Optional[str] = ..., exponent: Optional[Number] = ..., rest_time: Optional[Number] = ..., penalty: Optional[Number] = ..., hold: Optional[Number] = ..., flight_step: Optional[Number] = ..., flight_rho: Optional[Number] = ..., stick_speed: Optional[Number] = ..., lags: Optional[int] = ..., iterations: Optional[int] = ..., blocked: Optional[str] = ...) -> "Spec":
        """Sets the contact method, its options, and what happens where surfaces meet."""


class Field:
    """A signed distance field of a mesh: see carom.sdf. It never changes; threads may share it."""
    def __init__(self, address: Any) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def sample(self, points: Any, *, gradient: Any = ..., threads: Any = ...) -> Any:
        """Distances [m], negative inside, and gradients at points (..., 3); distances alone with gradient=False."""
    @property
    def info(self) -> dict: ...
    def save(self, file: Any) -> Any:
        """Writes the field; carom.sdf reads it again."""


def sdf(file: Any, *, kind: Any = ..., resolution: Any = ..., spacing: Any = ..., scale: Any = ..., threads: Any = ..., cache: Any = ...) -> Field:
    """The distance field of a mesh file, by way of the cache (cache="": none); or of a file of Field.save."""


def point_triangle_distance(points: Any, triangles: Any, *, threads: Any = ...) -> Any:
    """Distances [m] of points (..., 3) from triangles (..., 3, 3), and unit vectors from the triangle to the point."""


def edge_edge_distance(first: Any, second: Any, *, threads: Any = ...) -> Any:
    """Distances [m] of edges (..., 2, 3) from edges, and unit vectors from the second to the first."""


def barrier(gaps: Any, range: Any, stiffness: Any = ...) -> Any:
    """Energy [J] of the barrier at gaps [m], and its first and second derivatives by the gap."""


class MeshPair:
    """Two meshes that may collide, each given as (vertices n x 3, triangles m x 3) or as the name of a mesh file."""
    def __init__(self, a: Any, b: Any) -> Any:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def sweep(self, poses: Any, motions: Any = ..., *, range: Any = ..., threads: Any = ...) -> Any:
        """Collision queries along screws: parts of the motions, 0 to 1, that are certainly free of collision, and whether the"""


def impact(W: Any, velocities: Any, restitution: Any, *, mu: Any = ..., contacts: Any = ..., rule: Any = ..., threads: Any = ...) -> Any:
    """Impacts in a frozen configuration: velocities after, impulses, and how often a solver took the nearest answer."""
