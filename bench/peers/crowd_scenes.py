#!/usr/bin/env python3
"""Writes the scenes of bench/run crowds, for carom's method "impact" with fixed steps and for the other engines alike.

usage: crowd_scenes.py FOLDER NAME [KEY=NUMBER...]

FOLDER/NAME.json is carom's scene with the preset `accurate`, FOLDER/NAME-fast.json the same with `fast`; FOLDER/NAME.txt is for the
others (barrier_scene.h reads it). Steps of 1 ms. What stands touches at the start, with gaps of a hundredth of a millimetre or less.
"""
import json
import math
import os
import random
import sys

from barrier_scenes import Scene, Sphere, box, chain, hull, prism, turn, X, Y, Z


class Crowd(Scene):
    def __init__(self, end, friction=0.5, restitution=0.0):
        super().__init__(end, step=1e-3, friction=friction)
        self.restitution = restitution

    def write(self, folder, name):
        super().write(folder, name)
        path = os.path.join(folder, name + ".json")
        with open(path) as file:
            scene = json.load(file)
        scene["contact"] = {"method": "impact", "stepping": "fixed", "friction": {"coulomb": {"mu": self.friction}},
                            "restitution": self.restitution}
        scene["record"] = {"every": 0.01}
        for end, preset in (("", "accurate"), ("-balanced", "balanced"), ("-fast", "fast")):
            scene["time"]["preset"] = preset
            with open(os.path.join(folder, name + end + ".json"), "w") as file:
                json.dump(scene, file)


def stack(count=10, end=1.0, heavy=0):
    """Cubes of 0.2 m, each a bit narrower than the one below; the last may be heavy [kg], the others are of 1 kg then."""
    s = Crowd(end)
    s.floor()
    for k in range(int(count)):
        side = 0.2 - 0.004 * k
        mass = (heavy if k == count - 1 else 1.0) if heavy else 8.0
        s.add("box%d" % k, box(side, side, 0.2), [0.0, 0.0, 0.1 + 0.2 * k], density=mass / (side * side * 0.2))
    s.facts, s.size = {"stays": 0.01}, 0.2
    return s


def pyramid(base=10, end=1.0):
    s = Crowd(end)
    s.floor()
    for r in range(int(base)):
        brick = box(0.2, 0.1 - 0.002 * r, 0.1)
        for c in range(int(base) - r):
            s.add("brick%d-%d" % (r, c), brick, [0.21 * (c + 0.5 * r) - 0.1 * base, 0.0, 0.05 + 0.1 * r])
    s.facts, s.size = {"stays": 0.01}, 0.1
    return s


def wall(rows=10, end=1.0):
    """Running bond with half bricks at the ends."""
    s = Crowd(end)
    s.floor()
    for r in range(int(rows)):
        deep = 0.1 - 0.001 * r
        brick, half = box(0.2, deep, 0.1), box(0.095, deep, 0.1)
        for c in range(10 - r % 2):
            s.add("brick%d-%d" % (r, c), brick, [0.205 * c + (0.1025 if r % 2 else 0.0) - 1.0, 0.0, 0.05 + 0.1 * r])
        for k, x in enumerate((-0.0525, 1.8975) if r % 2 else ()):
            s.add("half%d-%d" % (r, k), half, [x - 1.0, 0.0, 0.05 + 0.1 * r])
    s.facts, s.size = {"stays": 0.01}, 0.1
    return s


def arch(stones=25, end=1.0):
    """Half a circle of wedges between radii of 1 and 1.4 m, 0.30 and 0.29 m wide in turn, 20 um apart."""
    stones = int(stones)
    half, gap = math.pi / stones / 2, 2e-5
    s = Crowd(end, friction=0.6)
    s.floor()

    def corner(r, angle, y):
        return [r * math.sin(angle), y, r * math.cos(angle)]

    outline = [(1.0, -half), (1.0, half), (1.4, half), (1.4, -half)]
    kinds = [hull(prism([corner(r, a, w / 2) for r, a in outline], [corner(r, a, -w / 2) for r, a in outline])) for w in (0.30, 0.29)]
    for k in range(stones):
        angle = -math.pi / 2 + half + 2 * half * k
        c = kinds[k % 2].shift[2] + gap / (2 * half)
        s.add("stone%d" % k, kinds[k % 2], [c * math.sin(angle), 0.0, c * math.cos(angle) + 1e-5], turn(Y, angle), of_origin=False,
              density=2000.0)
    s.facts, s.size = {"stays": 0.01}, 0.2
    return s


def cards(end=1.0):
    """Seven playing cards: two pairs, a bridge, one pair on top."""
    length, width, thick, lean = 0.088, 0.063, 0.0006, math.radians(65)
    s = Crowd(end)
    s.floor(2.0)
    card, bridge = box(thick, width, length), box(length + 0.02, 0.96 * width, thick)
    out = length / 2 * math.cos(lean) + thick / 2 * math.sin(lean) + 1e-5
    up = length / 2 * math.sin(lean) + thick / 2 * math.cos(lean)

    def pair(name, x, z):
        for side in (-1, 1):
            s.add("%s%d" % (name, side > 0), card, [x + side * out, 0.0, z + up], turn(Y, -side * (math.pi / 2 - lean)), density=541.0)

    pair("a", -0.04, 0.0)
    pair("b", 0.04, 0.0)
    s.add("bridge", bridge, [0.0, 0.0, 2 * up + thick / 2 + 1e-5], density=541.0)
    pair("c", 0.0, 2 * up + thick + 2e-5)
    s.facts, s.size = {"stays": 0.005}, 0.02
    return s


def dominoes(count=20, end=1.5):
    """A ball rolls against the first of a row."""
    s = Crowd(end, friction=0.3)
    s.floor(4.0)
    stone = box(0.008, 0.025, 0.05)
    for k in range(int(count)):
        s.add("domino%d" % k, stone, [0.026 * k, 0.0, 0.025], density=1200.0)
    s.add("ball", Sphere(0.02), [-0.06, 0.0, 0.045], density=2000.0, velocity=[1.0, 0.0, 0.0])
    s.size = 0.02
    return s


def pile(count=100, end=1.0):
    """Balls of 5 cm radius fall into a box with a square floor."""
    count = int(count)
    across = max(3, round((0.73 * count) ** (1 / 3)))
    pitch = 0.105
    room = pitch * across
    s = Crowd(end)
    s.floor()
    for k in range(4):
        far = room / 2 + 0.5
        angle = k * math.pi / 2
        s.add("side%d" % k, box(1.0, room + 2.0, 6.0), [far * math.cos(angle), far * math.sin(angle), 3.002], turn(Z, angle), fixed=True)
    random.seed(7)
    ball = Sphere(0.05)
    for k in range(count):
        i, j, l = k % across, k // across % across, k // across**2
        shake = [random.uniform(-0.002, 0.002) for _ in range(3)]
        s.add("ball%d" % k, ball, [(i - (across - 1) / 2) * pitch + shake[0], (j - (across - 1) / 2) * pitch + shake[1],
                                   0.057 + pitch * l + abs(shake[2])], density=955.0)
    s.size = 0.05
    return s


def cube(count=6, end=1.0, e=1.0, friction=0.0):
    """count^3 balls are dropped in a box."""
    n, pitch = int(count), 0.102
    s = Crowd(end, friction, e)
    s.floor()
    room = pitch * n + 0.2
    for k in range(4):
        far, angle = room / 2 + 0.5, k * math.pi / 2
        s.add("side%d" % k, box(1.0, room + 2.0, 6.0), [far * math.cos(angle), far * math.sin(angle), 3.002], turn(Z, angle), fixed=True)
    random.seed(3)
    for k in range(n**3):
        i, j, l = k % n, k // n % n, k // n**2
        shake = [random.uniform(-0.0005, 0.0005) for _ in range(3)]
        s.add("ball%d" % k, Sphere(0.05), [(i - (n - 1) / 2) * pitch + shake[0], (j - (n - 1) / 2) * pitch + shake[1],
                                           0.3 + pitch * l + shake[2]], density=955.0)
    s.size = 0.05
    return s


def bounce(count=7, end=2.0, e=1.0):
    """count^2 balls bounce side by side, from heights that differ."""
    s = Crowd(end, 0.0, e)
    s.floor()
    for k in range(int(count) ** 2):
        s.add("ball%d" % k, Sphere(0.05), [0.2 * (k % count), 0.2 * (k // count), 0.3 + 0.02 * k], density=955.0)
    s.size = 0.05
    return s


def links(count=8, end=2.0):
    """Rings as meshes hang in each other and in a fixed one, level at the start."""
    s, swing = Crowd(end, 0.3), chain(count + 1)
    s.bodies, s.facts, s.size = swing.bodies, swing.facts, swing.size
    return s


SCENES = {"links": links, "cube": cube, "bounce": bounce, "stack": stack, "pyramid": pyramid, "wall": wall, "arch": arch, "cards": cards, "dominoes": dominoes, "pile": pile}


def main():
    folder, name = sys.argv[1:3]
    values = dict(pair.split("=") for pair in sys.argv[3:])
    kind = values.pop("scene", name)
    SCENES[kind](**{key: float(value) for key, value in values.items()}).write(folder, name)


if __name__ == "__main__":
    main()
