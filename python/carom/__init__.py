"""carom: contact and impact dynamics of multibody systems.

    import carom
    m = carom.load("crank.json", rpm=1500)
    r = m.run(until=2)
    r.time, r["pin.force"], r.unit("pin.force")

Scenes are files (load), texts (parse) or made in Python (Spec); a Model is a compiled scene; State, Batch and Model.run
advance it. Everything is in SI. docs/python.md is the guide.
"""
from . import _c
from ._lib import lib as _library
from ._lib import path as library
from .errors import (Error, FileError, Impossible, InputError, Interrupted, Intersecting, NoMemory, NotConverged,
                     SceneWarning, Unsupported)
from .geometry import Field, MeshPair, barrier, edge_edge_distance, impact, point_triangle_distance, sdf
from .model import Batch, Model, State, load, parse
from .result import Page, Plot, Result, read
from .spec import Spec
from .study import Study, study

__version__ = _c.VERSION
features = tuple(_library.carom_features().decode().split())

__all__ = ["Batch", "Error", "Field", "FileError", "Impossible", "InputError", "Interrupted", "Intersecting", "MeshPair",
           "Model", "NoMemory", "NotConverged", "Page", "Plot", "Result", "SceneWarning", "Spec", "State", "Study", "Unsupported",
           "barrier", "edge_edge_distance", "features", "impact", "library", "load", "parse", "point_triangle_distance",
           "read", "sdf", "study"]
