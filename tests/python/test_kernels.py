"""The vectorised kernels against independent calculation."""
import numpy as np
import pytest

import carom

CUBE = (np.array([(x, y, z) for x in (-.5, .5) for y in (-.5, .5) for z in (-.5, .5)]),
        [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
         (1, 5, 7), (1, 7, 3)])


@pytest.fixture(scope="module")
def cube_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("meshes") / "cube.obj"
    file.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in CUBE[0]) +
                    "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in CUBE[1]))
    return file


def box_distance(p):
    outside = np.abs(p) - 0.5
    return np.linalg.norm(np.maximum(outside, 0), axis=-1) + np.minimum(outside.max(axis=-1), 0)


def test_field_is_the_distance_of_a_box(cube_file, tmp_path):
    field = carom.sdf(cube_file, resolution=48, cache="", kind="dense")
    points = np.random.default_rng(1).uniform(-.51, .51, (40, 50, 3))
    distance, gradient = field.sample(points, threads=2)
    assert distance.shape == (40, 50) and gradient.shape == (40, 50, 3)
    near = np.abs(distance) < 0.05
    assert np.abs(distance - box_distance(points))[near].max() <= field.info["error_bound"]
    assert np.array_equal(field(points), distance) and np.array_equal(field.sample(points)[1], gradient)
    step = 1e-7 * np.eye(3)
    slope = np.stack([(field(points + s) - field(points - s)) / 2e-7 for s in step], axis=-1)
    assert np.mean(np.abs(slope - gradient).max(axis=-1) < 1e-5) > 0.99  # but for points beside a cell's wall
    from carom import _c
    from carom._lib import lib
    for point, one in zip(points[0], distance[0]):
        assert lib.carom_sdf_sample(field._c, _c.carom_v3(*point), None) == one
    field.save(tmp_path / "cube.sdf")
    assert np.array_equal(carom.sdf(tmp_path / "cube.sdf")(points), distance)
    with pytest.raises(ValueError, match="shape"):
        field.sample([1, 2])
    with pytest.raises(carom.Error):
        carom.sdf("no such file.stl")
    assert field.sample(np.empty((0, 3)))[0].shape == (0,)


def sampled(count=80):
    """Barycentric weights on a fine grid of a triangle, and positions along an edge."""
    i, j = np.mgrid[0:count + 1, 0:count + 1]
    keep = i + j <= count
    return np.stack([i[keep], j[keep], (count - i - j)[keep]], axis=1) / count, np.linspace(0, 1, 200)


@pytest.mark.parametrize("scale", [1e-6, 1, 1e5])
def test_distances_against_sampling(scale):
    random = np.random.default_rng(2)
    weights, along = sampled()
    points, triangles = random.normal(size=(50, 3)), random.normal(size=(50, 3, 3))
    distance, normal = carom.point_triangle_distance(scale * points, scale * triangles)
    brute = np.linalg.norm(points[:, None] - weights @ triangles, axis=-1).min(axis=1)
    assert (distance / scale <= brute + 1e-12).all() and np.abs(distance / scale - brute).max() < 0.05
    assert np.allclose(np.linalg.norm(normal, axis=-1), 1)
    first, second = random.normal(size=(2, 50, 2, 3))
    distance, normal = carom.edge_edge_distance(scale * first, scale * second)
    a = first[:, :1] + along[:, None] * (first[:, 1:] - first[:, :1])
    b = second[:, :1] + along[:, None] * (second[:, 1:] - second[:, :1])
    brute = np.linalg.norm(a[:, :, None] - b[:, None], axis=-1).min(axis=(1, 2))
    assert (distance / scale <= brute + 1e-12).all() and np.abs(distance / scale - brute).max() < 0.02
    back, opposite = carom.edge_edge_distance(scale * second, scale * first)
    assert np.allclose(back, distance, rtol=1e-12) and np.allclose(opposite, -normal, atol=1e-9)


def test_barrier_and_its_derivatives():
    gaps = np.array([-1e-3, 0, 1e-9, 2e-4, 5e-4, 9.99e-4, 1e-3, 2e-3])
    value, first, second = carom.barrier(gaps, 1e-3, 5e3)
    assert np.isinf(value[:2]).all() and (value[-2:] == 0).all() and (first[-2:] == 0).all()
    inside = slice(3, 6)
    x = gaps[inside] / 1e-3
    assert np.allclose(value[inside], -5e3 * 1e-6 * (x - 1) ** 2 * np.log(x), rtol=1e-13)
    step = 1e-9
    above, below = (carom.barrier(gaps[inside] + s, 1e-3, 5e3) for s in (step, -step))
    assert np.allclose((above[0] - below[0]) / (2 * step), first[inside], rtol=1e-5)
    assert np.allclose((above[1] - below[1]) / (2 * step), second[inside], rtol=1e-4)
    with pytest.raises(carom.InputError, match="range"):
        carom.barrier(gaps, 0)


def poses(*positions):
    return np.array([[[*a, 1, 0, 0, 0], [*b, 1, 0, 0, 0]] for a, b in positions], dtype=float)


def test_sweeps_end_before_the_touch():
    """A cube 1 m before another moves 2 m: half of the gap at the start is left after a quarter of the motion."""
    pair = carom.MeshPair(CUBE, CUBE)
    at = poses(((0, 0, 2), (0, 0, 0)), ((0, 0, 2), (0, 0, 0)), ((0, 0, 0.9), (0, 0, 0)), ((0, 3, 2), (0, 0, 0)))
    motion = np.zeros((4, 2, 6))
    motion[:, 0, 2] = -2
    motion[1, 0, 2] = 2
    part, meets = pair.sweep(at, motion, range=10)
    assert part[0] == pytest.approx(0.25, rel=1e-3) and part[1] == 1 and part[2] == 0 and part[3] > 0.999
    assert list(meets) == [False, False, True, False]
    assert np.array_equal(pair.sweep(at, motion, range=10, threads=3)[0], part)
    far = pair.sweep(at[:1], motion[:1], range=1e-3)[0]
    assert 0.49 < far[0] < 0.5  # 0.3 mm before the touch at half of the motion
    assert pair.sweep(at)[0].min() == 0 and pair.sweep(at)[0][0] == 1  # at rest
    turned = np.zeros((1, 2, 6))
    turned[0, 0, 5] = np.pi / 2  # about z, 1.1 m beside: the corner at 0.707 m comes to 0.393 from the middle
    beside = poses(((1.1, 0, 0), (0, 0, 0)))
    assert pair.sweep(beside, turned, range=1e-3)[0][0] < 0.5
    assert pair.sweep(poses(((1.3, 0, 0), (0, 0, 0))), turned, range=1e-3)[0][0] == 1


def test_impacts():
    """One contact: after = -e before. Newton's cradle: sharing passes the speed on; friction follows Coulomb."""
    after, impulse, fallbacks = carom.impact([[0.5]], [[-2.0], [-1.0]], 0.6)
    assert np.allclose(after, [[1.2], [0.6]]) and np.allclose(impulse, [[6.4], [3.2]]) and not fallbacks.any()
    W = np.array([[2.0, -1.0], [-1.0, 2.0]])  # three balls of 1 kg
    after, impulse, _ = carom.impact(W, [-1.0, 0.0], 1.0, rule="sequential")
    velocity = np.array([1.0, 0, 0]) + np.array([-impulse[0], impulse[0] - impulse[1], impulse[1]])
    assert np.allclose(velocity, [0, 0, 1], atol=1e-9)
    before = np.array([-1.0, 3.0, 0.0])  # one contact, two slip rows: a block that keeps sliding
    after, impulse, _ = carom.impact(np.eye(3), before, 0.5, mu=0.2, contacts=1)
    assert after[0] == pytest.approx(0.5) and impulse[0] == pytest.approx(1.5)
    assert after[1] == pytest.approx(3 - 0.2 * 1.5) and after[2] == pytest.approx(0)
    energy = 0.5 * (after @ after - before @ before)
    assert energy < 0
    for bad in (dict(restitution=1.5), dict(restitution=0.5, mu=-1)):
        with pytest.raises(carom.InputError):
            carom.impact([[1.0]], [-1.0], **bad)
    with pytest.raises(ValueError, match="rule"):
        carom.impact([[1.0]], [-1.0], 0.5, rule="best")
    with pytest.raises(carom.InputError, match="symmetric"):
        carom.impact([[1, 0.5], [0.1, 1]], [-1.0, 0], 0.5)


def test_impacts_keep_the_laws_on_random_problems():
    random = np.random.default_rng(5)
    for contacts in (1, 2, 3):
        J = random.normal(size=(3 * contacts, 8))
        W = J @ J.T
        before = random.normal(size=(20, 3 * contacts))
        for rule in ("sharing", "together", "sequential"):
            after, impulse, fallbacks = carom.impact(W, before, 0.4, mu=0.3, contacts=contacts, rule=rule, threads=2)
            assert np.allclose(after, before + impulse @ W, atol=1e-6 * np.abs(W).max())
            ok = fallbacks == 0
            normal = impulse[:, :contacts]
            slip = np.linalg.norm(impulse[:, contacts:].reshape(20, contacts, 2), axis=-1)
            assert (normal[ok] >= -1e-9).all() and (slip[ok] <= 0.3 * normal[ok] + 1e-6).all()
            work = ((before + after) / 2 * impulse).sum(axis=1)
            assert (work[ok] <= 1e-6).all()
