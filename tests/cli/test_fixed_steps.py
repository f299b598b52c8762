"""Fixed steps of the method impact against closed forms: sliding, slopes, bounces, standing structures, and against themselves: other orders of
bodies, turned copies, threads, checkpoints."""
import json
import math
import unittest

import numpy as np

from support import Case, summary

G = 9.81
H = 1e-3


def quaternion(axis, angle):
    s = math.sin(angle / 2)
    return [math.cos(angle / 2)] + [s * x for x in axis]


def floor(**more):
    return dict({"name": "floor", "shape": {"plane": [0, 0, 1]}, "fixed": True}, **more)


def box(name, size, mass, position, **more):
    return dict({"name": name, "shape": {"box": size}, "mass": mass, "position": list(position)}, **more)


def ball(name, radius, mass, position, **more):
    return dict({"name": name, "shape": {"sphere": radius}, "mass": mass, "position": list(position)}, **more)


def stack(count, heavy=None):
    """Cubes of 0.2 m, each a bit narrower than the one below."""
    return [floor()] + [box(f"b{i}", [0.2 - 0.004 * i, 0.2 - 0.004 * i, 0.2],
                            heavy if heavy and i == count - 1 else 1.0, (0, 0, 0.1 + 0.2 * i)) for i in range(count)]


def card_house():
    """Seven cards: two pairs, a bridge, one pair on top."""
    length, width, thick, lean = 0.088, 0.063, 0.0006, math.radians(65)
    dx = length / 2 * math.cos(lean) + thick / 2 * math.sin(lean) + 1e-5
    up = length / 2 * math.sin(lean) + thick / 2 * math.cos(lean)
    bodies = [floor()]

    def pair(x, z):
        for sign in (-1, 1):
            bodies.append(box(f"c{len(bodies)}", [thick, width, length], 0.0018, (x + sign * dx, 0, z + up),
                              orientation=quaternion((0, 1, 0), -sign * (math.pi / 2 - lean))))
    pair(-0.04, 0.0)
    pair(0.04, 0.0)
    bodies.append(box("bridge", [length + 0.02, 0.96 * width, thick], 0.0018, (0, 0, 2 * up + thick / 2 + 1e-5)))
    pair(0.0, 2 * up + thick + 2e-5)
    return bodies


def dominoes(count):
    """A ball rolls against the first of a row: more contacts than `balanced` solves exactly at any price."""
    stones = [box(f"d{k}", [0.008, 0.025, 0.05], 0.012, (0.026 * k, 0, 0.025)) for k in range(count)]
    return [floor()] + stones + [ball("ball", 0.02, 0.067, (-0.06, 0, 0.045), velocity=[1.0, 0, 0])]


class FixedSteps(Case):
    def run_scene(self, bodies, end, mu=0.5, e=0.0, step=H, preset="accurate", gravity=(0, 0, -G), every=None, out="out",
                  options=(), **more):
        names = [b["name"] for b in bodies if not b.get("fixed")]
        signals = [f"{n}.position.{c}" for n in names for c in "xyz"] + ["energy.total", "energy.kinetic", "energy.residue", "contact.penetration"]
        scene = dict({"carom": 1, "name": "fixed", "gravity": list(gravity),
                      "time": {"end": end, "step": step, "preset": preset},
                      "contact": {"method": "impact", "stepping": "fixed", "friction": {"coulomb": {"mu": mu}},
                                  "restitution": e},
                      "bodies": bodies, "record": {"every": every or end / 50, "signals": signals}}, **more)
        (self.folder / f"{out}.json").write_text(json.dumps(scene))
        self.ok("run", f"{out}.json", "-q", "-o", out, *options, timeout=120)
        with open(self.folder / out / "signals.csv") as f:
            header = f.readline().strip().split(",")
            rows = np.loadtxt(f, delimiter=",", ndmin=2)
        return {h.split(" ")[0].strip('"'): rows[:, k] for k, h in enumerate(header)}

    def moved(self, r, name):
        return max(np.abs(r[f"{name}.position.{c}"] - r[f"{name}.position.{c}"][0]).max() for c in "xyz")

    def test_sliding_distance_and_no_turning(self):
        for mu, v in ((0.3, (1.2, 0.9, 0.0)), (0.1, (0.0, -0.7, 0.0))):
            r = self.run_scene([floor(), box("b", [0.2, 0.3, 0.1], 4.0, (0, 0, 0.05), velocity=v)], 1.0, mu=mu)
            speed = math.hypot(*v)
            way = math.hypot(r["b.position.x"][-1], r["b.position.y"][-1])
            self.assertAlmostEqual(way, speed ** 2 / (2 * mu * G), delta=2 * H * speed)
            across = r["b.position.x"][-1] * v[1] - r["b.position.y"][-1] * v[0]
            self.assertLess(abs(across), 1e-10)

    def test_a_slope_holds_and_slides_at_the_angle_of_friction(self):
        """Gravity leans instead of the floor: tan(angle) just below and just above mu, for a box and in another direction."""
        mu = 0.4
        for turn in (0.0, 1.1):
            for factor, slides in ((1 - 1e-6, False), (1 + 1e-6, True)):
                a = math.atan(mu * factor)
                g = (G * math.sin(a) * math.cos(turn), G * math.sin(a) * math.sin(turn), -G * math.cos(a))
                r = self.run_scene([floor(), box("b", [0.2, 0.3, 0.1], 4.0, (0, 0, 0.05))], 1.0, mu=mu, gravity=g)
                way = math.hypot(r["b.position.x"][-1], r["b.position.y"][-1])
                expected = 0.5 * G * (math.sin(a) - mu * math.cos(a))
                if slides:
                    self.assertAlmostEqual(way, expected, delta=0.01 * expected)
                else:
                    self.assertLess(way, 1e-8)  # m: a compliance of 1e-6 creeps by 1e-6 g h^2 per step

    def test_a_ball_comes_back_with_e(self):
        for e in (0.5, 0.8, 1.0):
            r = self.run_scene([floor(), ball("b", 0.05, 0.5, (0, 0, 1.05))], 1.0, e=e, every=H)
            z = r["b.position.z"] - 0.05
            first = int(math.sqrt(2 / G) / H)
            self.assertAlmostEqual(z[first + 5:].max(), e ** 2, delta=2 * H * math.sqrt(2 * G))
            self.assertLess(np.abs(r["energy.residue"]).max(), 1e-12 * 0.5 * G)
            self.assertLessEqual(z.min(), 0.01)
            self.assertGreater(z.min(), -1e-8)

    def test_a_spinning_box_bounces_without_gaining_energy(self):
        b = box("b", [0.2, 0.3, 0.1], 4.0, (0, 0, 0.6), orientation=quaternion((0.6, 0.8, 0), 0.5),
                angular_velocity=[1, 2, 3])
        r = self.run_scene([floor(), b], 2.0, e=1.0, mu=0.3, every=H)
        total = r["energy.total"]
        self.assertLess(total.max() - total[0], 1e-9 * total[0])
        self.assertLess(np.abs(r["energy.residue"]).max(), 1e-12 * total[0])

    def test_structures_stand(self):
        for name, bodies, allowed in (("ten cubes", stack(10), 1e-8), ("1 kg carries 1000 kg", stack(5, 1000.0), 1e-6),
                                      ("1 kg carries 100 t", stack(5, 1e5), 1e-6),
                                      ("card house", card_house(), 5e-5)):
            with self.subTest(name):
                r = self.run_scene(bodies, 2.0)
                self.assertLess(max(self.moved(r, b["name"]) for b in bodies if not b.get("fixed")), allowed)
                self.assertLess(r["energy.kinetic"][-1], 1e-12)
                self.assertNotIn("contacts-unsolved", json.dumps(summary(self.folder / "out")))

    def test_numbers_of_bodies_do_not_matter(self):
        pyramid = [floor()] + [box(f"p{r}{c}", [0.2, 0.1 - 0.002 * r, 0.1], 2.0, (0.21 * (c + 0.5 * r), 0, 0.05 + 0.1 * r))
                               for r in range(4) for c in range(4 - r)]
        for bodies in (stack(5, 1000.0), pyramid):
            a = self.run_scene(bodies, 0.5, out="a")
            b = self.run_scene([bodies[0]] + bodies[:0:-1], 0.5, out="b")
            for body in bodies[1:]:
                for c in "xyz":
                    key = f"{body['name']}.position.{c}"
                    self.assertLess(np.abs(a[key] - b[key]).max(), 1e-6 * 0.1)  # of the size

    def test_threads_and_checkpoints_keep_the_bits(self):
        bodies = [floor()] + [ball(f"b{i}", 0.05, 0.5, (0.3 * (i % 3), 0.11 * (i // 3), 0.06 + 0.001 * i)) for i in range(12)]
        def end(r):
            return [r[k][-1] for k in sorted(r) if "position" in k]
        whole = end(self.run_scene(bodies, 0.3, e=0.4, preset="balanced", out="one", options=("--threads", "1")))
        more = end(self.run_scene(bodies, 0.3, e=0.4, preset="balanced", out="four", options=("--threads", "4")))
        self.assertEqual(whole, more)

    def test_dominoes_fall_alike_by_sweeps_and_exactly(self):
        bodies = dominoes(16)
        names = [b["name"] for b in bodies[1:-1]]
        ends, falls = {}, {}
        for preset, step in (("accurate", H), ("balanced", H), ("accurate", H / 4)):
            r = self.run_scene(bodies, 1.5, mu=0.3, preset=preset, step=step, every=2e-3)
            falls[preset, step] = np.array([2e-3 * np.argmax(r[f"{n}.position.z"] < 0.0215) for n in names])
            ends[preset, step] = np.array([[r[f"{n}.position.{c}"][-1] for c in "xz"] for n in names])
            self.assertLess(np.abs(r["energy.residue"]).max(), 1e-12)
        exact = "accurate", H
        self.assertLess(np.abs(ends[exact] - ends["balanced", H]).max(), 1e-3)
        self.assertLess(np.abs(falls[exact] - falls["balanced", H]).max(), 2e-3)  # s
        self.assertLess(np.abs(falls[exact] - falls["accurate", H / 4]).max(), 6e-3)

    def test_rings_of_mesh_hold_each_other(self):
        """Three rings of a chain: their surfaces have notches on the inside, where the one below comes to hang."""
        n, m, radius, wire = 16, 8, 0.5, 0.12
        ring = [((radius + wire * math.cos(2 * math.pi * j / m)) * math.cos(2 * math.pi * i / n),
                 (radius + wire * math.cos(2 * math.pi * j / m)) * math.sin(2 * math.pi * i / n), wire * math.sin(2 * math.pi * j / m))
                for i in range(n) for j in range(m)]
        faces = [(i * m + j, ((i + 1) % n) * m + j, ((i + 1) % n) * m + (j + 1) % m, i * m + (j + 1) % m) for i in range(n) for j in range(m)]
        text = "".join("v %.17g %.17g %.17g\n" % p for p in ring) + "".join("f %d %d %d %d\n" % tuple(k + 1 for k in f) for f in faces)
        (self.folder / "ring.obj").write_text(text)
        pitch = 0.97 * 2 * (radius - wire) * math.cos(math.pi / n)
        bodies = [dict(name=f"ring{k}", shape={"mesh": {"file": "ring.obj"}}, position=[pitch * k, 0, 0],
                       orientation=quaternion((1, 0, 0), math.pi / 2 * (k % 2)), **({"fixed": True} if k == 0 else {"density": 2000}))
                  for k in range(4)]
        for preset in ("balanced", "accurate"):
            r = self.run_scene(bodies, 1.5, mu=0.3, preset=preset, every=5e-3)
            at = np.array([[r[f"ring{k}.position.{c}"] for c in "xyz"] for k in range(1, 4)])
            apart = np.linalg.norm(np.diff(np.concatenate([np.zeros_like(at[:1]), at]), axis=0), axis=1)
            self.assertLess(apart.max(), 2 * (radius - wire) / math.cos(math.pi / n) + 0.03)
            self.assertLess(r["contact.penetration"].max(), 1e-4)
            self.assertLess(np.abs(r["energy.residue"]).max(), 1e-9)

    def test_joints_hold(self):
        """A pendulum over the floor: the period of small swings, and joints that stay closed."""
        bodies = [floor(), box("rod", [0.02, 0.02, 0.4], 1.0, (0, 0, 0.8))]
        joints = [{"name": "pin", "type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0, 1.0], "axis": [0, 1, 0]}]
        for b in bodies[1:]:
            b["angular_velocity"] = [0, 0.2, 0]
            b["velocity"] = [-0.2 * 0.2, 0, 0]
        r = self.run_scene(bodies, 4.0, joints=joints, every=H)
        x = r["rod.position.x"]
        t = np.arange(len(x)) * H
        ups = [t[k] + H * x[k] / (x[k] - x[k + 1]) for k in range(len(x) - 1) if x[k] < 0 <= x[k + 1]]
        inertia = (0.02 ** 2 + 0.4 ** 2) / 12 + 0.2 ** 2
        period = 2 * math.pi * math.sqrt(inertia / (G * 0.2))
        self.assertAlmostEqual((ups[-1] - ups[0]) / (len(ups) - 1), period, delta=1e-3 * period)
        distance = np.hypot(x, r["rod.position.z"] - 1.0)
        self.assertLess(np.abs(distance - 0.2).max(), 1e-7)

    def test_what_fixed_steps_do_not_know_is_refused_by_name(self):
        scene = {"carom": 1, "name": "no", "gravity": [0, 0, -G], "time": {"end": 1, "step": H},
                 "contact": {"method": "impact", "stepping": "fixed", "restitution": 0.5, "restitution_law": "poisson"},
                 "bodies": [floor(), ball("b", 0.05, 0.5, (0, 0, 1.05))]}
        (self.folder / "no.json").write_text(json.dumps(scene))
        self.refused("check", "no.json", contains="Newton's restitution only")


if __name__ == "__main__":
    unittest.main()
