"""The kernels of geometry and contact, vectorised: distance fields, distances of features, barriers, collision queries, impacts.

Arrays may have any leading shape; results have the same. All in SI.
"""
import os
from ctypes import byref, c_void_p

import numpy as np

from . import _c
from ._lib import call, encode, lib


def _rows(values, width, name):
    """Contiguous rows of so many numbers, and the shape before them."""
    values = np.ascontiguousarray(values, dtype=np.float64)
    if values.shape[-len(width):] != width:
        raise ValueError(f"{name} must end in the shape {width}, not {values.shape}")
    return values, values.shape[:-len(width)]


def _threads(threads):
    return len(os.sched_getaffinity(0)) if threads is None else threads


def _same(a, b, what):
    if a != b:
        raise ValueError(f"{what} must be as many: their shapes are {a} and {b}")


class Field:
    """A signed distance field of a mesh: see carom.sdf. It never changes; threads may share it."""

    def __init__(self, address):
        self._c = address

    def __del__(self):
        if getattr(self, "_c", None):
            lib.carom_sdf_destroy(self._c)

    def sample(self, points, *, gradient=True, threads=1):
        """Distances [m], negative inside, and gradients at points (..., 3); distances alone with gradient=False."""
        points, shape = _rows(points, (3,), "points")
        distance = np.empty(shape)
        slope = np.empty(shape + (3,)) if gradient else None
        call(lib.carom_sdf_sample_many, self._c, points.ctypes.data, distance.size, distance.ctypes.data,
             slope.ctypes.data if gradient else None, threads)
        return (distance, slope) if gradient else distance

    def __call__(self, points):
        return self.sample(points, gradient=False)

    @property
    def info(self) -> dict:
        """kind, spacing, error_bound, volume, ..."""
        about = lib.carom_sdf_about(self._c)
        plain = {}
        for name, _ in _c.carom_sdf_info._fields_:
            value = getattr(about, name)
            plain[name] = (value.x, value.y, value.z) if isinstance(value, _c.carom_v3) else \
                value.decode() if isinstance(value, bytes) else value
        return plain

    def save(self, file):
        """Writes the field; carom.sdf reads it again."""
        call(lib.carom_sdf_save, self._c, encode(os.fspath(file)))


def sdf(file, *, kind=None, resolution=None, spacing=None, scale=None, threads=None, cache=None) -> Field:
    """The distance field of a mesh file, by way of the cache (cache="": none); or of a file of Field.save."""
    options = lib.carom_sdf_options_default()
    for name, value in (("kind", encode(kind) if kind else None), ("resolution", resolution), ("spacing", spacing),
                        ("scale", scale), ("cache", encode(os.fspath(cache)) if cache is not None else None)):
        if value is not None:
            setattr(options, name, value)
    options.threads = _threads(threads)
    made = c_void_p()
    call(lib.carom_sdf_open, encode(os.fspath(file)), byref(options), byref(made))
    return Field(made)


def point_triangle_distance(points, triangles, *, threads=1):
    """Distances [m] of points (..., 3) from triangles (..., 3, 3), and unit vectors from the triangle to the point."""
    points, shape = _rows(points, (3,), "points")
    triangles, other = _rows(triangles, (3, 3), "triangles")
    _same(shape, other, "points and triangles")
    distance, normal = np.empty(shape), np.empty(shape + (3,))
    call(lib.carom_point_triangle_distances, points.ctypes.data, triangles.ctypes.data, distance.size,
         distance.ctypes.data, normal.ctypes.data, threads)
    return distance, normal


def edge_edge_distance(first, second, *, threads=1):
    """Distances [m] of edges (..., 2, 3) from edges, and unit vectors from the second to the first."""
    first, shape = _rows(first, (2, 3), "first")
    second, other = _rows(second, (2, 3), "second")
    _same(shape, other, "first and second")
    distance, normal = np.empty(shape), np.empty(shape + (3,))
    call(lib.carom_edge_edge_distances, first.ctypes.data, second.ctypes.data, distance.size, distance.ctypes.data,
         normal.ctypes.data, threads)
    return distance, normal


def barrier(gaps, range, stiffness=1.0):
    """Energy [J] of the barrier at gaps [m], and its first and second derivatives by the gap."""
    gaps = np.ascontiguousarray(gaps, dtype=np.float64)
    out = [np.empty(gaps.shape) for _ in (0, 1, 2)]
    call(lib.carom_barrier_values, gaps.ctypes.data, gaps.size, range, stiffness, *(a.ctypes.data for a in out))
    return tuple(out)


class MeshPair:
    """Two meshes that may collide, each given as (vertices n x 3, triangles m x 3) or as the name of a mesh file."""

    def __init__(self, a, b):
        self._c = c_void_p()
        meshes = []
        try:
            for mesh in (a, b):
                meshes.append(_mesh(mesh))
            call(lib.carom_mesh_pair_create, meshes[0], meshes[1], byref(self._c))
        finally:
            for mesh in meshes:
                lib.carom_mesh_destroy(mesh)

    def __del__(self):
        if getattr(self, "_c", None):
            lib.carom_mesh_pair_destroy(self._c)

    def sweep(self, poses, motions=None, *, range=1e-3, threads=1):
        """Collision queries along screws: parts of the motions, 0 to 1, that are certainly free of collision, and whether the
        meshes meet at the start. poses (..., 2, 7): position and orientation w, x, y, z of both; motions (..., 2, 6):
        displacement [m] and turn [rad] of both."""
        poses, shape = _rows(poses, (2, 7), "poses")
        if motions is not None:
            motions, other = _rows(motions, (2, 6), "motions")
            _same(shape, other, "poses and motions")
        part, meets = np.empty(shape), np.zeros(shape, dtype=bool)
        call(lib.carom_mesh_pair_sweep, self._c, poses.ctypes.data, motions.ctypes.data if motions is not None else None,
             part.size, range, part.ctypes.data, meets.ctypes.data, threads)
        return part, meets


def _mesh(given):
    made = c_void_p()
    if isinstance(given, (str, os.PathLike)):
        call(lib.carom_mesh_read, byref(made), encode(os.fspath(given)), 1.0)
        return made
    vertices, _ = _rows(given[0], (3,), "vertices")
    triangles = np.ascontiguousarray(given[1], dtype=np.int32)
    if triangles.ndim != 2 or triangles.shape[1] != 3:
        raise ValueError(f"triangles must be m x 3, not {triangles.shape}")
    call(lib.carom_mesh_create, byref(made), vertices.ctypes.data, len(vertices), triangles.ctypes.data, len(triangles))
    return made


def impact(W, velocities, restitution, *, mu=None, contacts=None, rule="sharing", threads=1):
    """Impacts in a frozen configuration: velocities after, impulses, and how often a solver took the nearest answer.

    W (rows x rows) says by how much a unit impulse along one row changes another. Rows are the normal velocities of all
    contacts (negative: approaching), then none, one or two slip velocities of each. velocities (..., rows). restitution, mu:
    a number or one for each contact. rule: "sharing", "together" or "sequential".
    """
    rules = {"sharing": _c.CAROM_IMPACT_SHARING, "together": _c.CAROM_IMPACT_TOGETHER,
             "sequential": _c.CAROM_IMPACT_SEQUENTIAL}
    if rule not in rules:
        raise ValueError(f"rule must be one of {', '.join(rules)}, not '{rule}'")
    W = np.ascontiguousarray(W, dtype=np.float64)
    if W.ndim != 2 or W.shape[0] != W.shape[1]:
        raise ValueError(f"W must be rows x rows, not {W.shape}")
    rows = len(W)
    contacts = rows if contacts is None else contacts
    if contacts < 1 or rows % contacts:
        raise ValueError(f"{rows} rows are not {contacts} contacts with equally many slip rows")
    velocities, shape = _rows(velocities, (rows,), "velocities")
    e = np.ascontiguousarray(np.broadcast_to(np.asarray(restitution, dtype=float), contacts))
    friction = None if mu is None else np.ascontiguousarray(np.broadcast_to(np.asarray(mu, dtype=float), contacts))
    problem = _c.carom_impact_problem(contacts=contacts, slips=rows // contacts - 1, rule=rules[rule], W=W.ctypes.data,
                                      restitution=e.ctypes.data, mu=None if friction is None else friction.ctypes.data)
    after, impulse = np.empty_like(velocities), np.empty_like(velocities)
    fallbacks = np.zeros(shape, dtype=np.int32)
    call(lib.carom_impacts, byref(problem), velocities.ctypes.data, fallbacks.size, after.ctypes.data,
         impulse.ctypes.data, fallbacks.ctypes.data, threads)
    return after, impulse, fallbacks
