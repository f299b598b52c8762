#!/usr/bin/env python3
"""Writes the scenes of bench/run barrier and barrier-peers: one geometry for every engine.

usage: barrier_scenes.py FOLDER NAME [KEY=NUMBER...]     barrier_scenes.py --list

FOLDER/NAME.json is carom's scene, with the meshes it names beside it. FOLDER/NAME.txt is the same for the other engines and for
the measure (barrier_scene.h reads it): each body with mass, inertia, pose, velocity, its surface, and the convex parts
that it consists of exactly. Bodies have their frame in the centre of mass, along principal axes.
"""
import json
import math
import os
import random
import sys

# ---- vectors --------------------------------------------------------------------------------------------------------


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def scale(s, a):
    return [s * x for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def turn(axis, angle):
    """Unit quaternion w, x, y, z of a turn about an axis of unit length."""
    return [math.cos(angle / 2)] + scale(math.sin(angle / 2), axis)


def rotate(q, v):
    t = scale(2.0, cross(q[1:], v))
    return add(add(v, scale(q[0], t)), cross(q[1:], t))


NO_TURN = [1.0, 0.0, 0.0, 0.0]
X, Y, Z = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]

# ---- solids: points and triangles, counter-clockwise seen from outside -------------------------------------------


def prism(bottom, top):
    """Between two polygons with equally many corners, both counter-clockwise seen from the top."""
    n = len(bottom)
    triangles = []
    for k in range(1, n - 1):
        triangles += [[0, k + 1, k], [n, n + k, n + k + 1]]
    for k in range(n):
        j = (k + 1) % n
        triangles += [[k, j, n + j], [k, n + j, n + k]]
    return bottom + top, triangles


def box_solid(size):
    x, y, z = scale(0.5, size)
    return prism([[-x, -y, -z], [x, -y, -z], [x, y, -z], [-x, y, -z]], [[-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]])


def pyramid(base, tip):
    """On a polygon that is counter-clockwise seen from the tip."""
    n = len(base)
    return base + [tip], [[0, k + 1, k] for k in range(1, n - 1)] + [[k, (k + 1) % n, n] for k in range(n)]


def volume_moments(points, triangles):
    """Volume, first and second moments of a closed surface."""
    volume, first, second = 0.0, [0.0] * 3, [[0.0] * 3 for _ in range(3)]
    for t in triangles:
        a, b, c = (points[k] for k in t)
        v = dot(a, cross(b, c)) / 6.0
        volume += v
        s = add(add(a, b), c)
        first = add(first, scale(v / 4.0, s))
        for i in range(3):
            for j in range(3):
                second[i][j] += v / 20.0 * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j])
    return volume, first, second


class Shape:
    """Convex parts, the surface around them, and what carom calls it. Centred on the centre of mass."""

    def __init__(self, parts, surface, carom=None, primitive=None):
        volume, first, second = volume_moments(*surface)
        centre = scale(1.0 / volume, first)
        self.shift = centre
        self.parts = [([sub(p, centre) for p in points], triangles) for points, triangles in parts]
        self.surface = ([sub(p, centre) for p in surface[0]], surface[1])
        self.carom, self.primitive = carom, primitive
        self.volume = volume
        spread = [[second[i][j] - volume * centre[i] * centre[j] for j in range(3)] for i in range(3)]
        trace = sum(spread[i][i] for i in range(3))
        self.inertia = [trace - spread[i][i] for i in range(3)]  # per density
        largest = max(abs(spread[i][j]) for i in range(3) for j in range(i))
        assert largest < 1e-9 * trace, "not along principal axes"


def box(x, y, z):
    solid = box_solid([x, y, z])
    return Shape([solid], solid, {"box": [x, y, z]}, "box %r %r %r" % (x, y, z))


def hull(solid):
    return Shape([solid], solid)


class Sphere:
    def __init__(self, radius):
        self.parts, self.surface, self.shift = [], ([], []), [0.0] * 3
        self.carom, self.primitive = {"sphere": radius}, "sphere %r" % radius
        self.volume = 4.0 / 3.0 * math.pi * radius**3
        self.inertia = [0.4 * self.volume * radius**2] * 3


def ring(radius, wire, around, across):
    """A torus about z of `around` straight pieces, each with plane sides: exactly the union of convex ones."""
    sections = []
    for i in range(around):
        c, s = math.cos(2 * math.pi * i / around), math.sin(2 * math.pi * i / around)
        section = []
        for j in range(across):
            angle = 2 * math.pi * j / across
            r, z = radius + wire * math.cos(angle), wire * math.sin(angle)
            section.append([r * c, r * s, z])
        sections.append(section)
    points, triangles, parts = sum(sections, []), [], []
    for i in range(around):
        n = (i + 1) % around
        parts.append(prism(sections[n], sections[i]))
        for j in range(across):
            k = (j + 1) % across
            a, b, c, d = i * across + j, n * across + j, n * across + k, i * across + k
            triangles += [[a, b, c], [a, c, d]]
    return Shape(parts, (points, triangles))


# ---- scenes -----------------------------------------------------------------------------------------------------------


class Scene:
    def __init__(self, end, step=0.01, friction=0.5, gravity=(0.0, 0.0, -9.81), **contact):
        self.end, self.step, self.friction, self.gravity = end, step, friction, list(gravity)
        self.contact = contact  # further options of carom's barrier
        self.bodies = []
        self.size = 1.0  # [m] of what moves, to set margins by
        self.facts = {}  # what the measure judges by

    def add(self, name, shape, position, orientation=NO_TURN, fixed=False, density=1000.0, velocity=(0, 0, 0), spin=None,
            of_origin=True):
        """position: of the shape's own origin, or of its centre of mass. spin: [rad/s^2] about z, prescribed."""
        place = add(position, rotate(orientation, shape.shift)) if of_origin else list(position)
        self.bodies.append(dict(name=name, shape=shape, position=place, orientation=orientation, fixed=fixed, density=density,
                                velocity=list(velocity), spin=spin))

    def floor(self, size=20.0):
        self.add("floor", box(size, size, 1.0), [0.0, 0.0, -0.5], fixed=True)

    def write(self, folder, name):
        os.makedirs(folder, exist_ok=True)
        shapes = []
        for b in self.bodies:
            if b["shape"] not in shapes:
                shapes.append(b["shape"])
        self.write_carom(folder, name, shapes)
        self.write_text(folder, name, shapes)

    def write_carom(self, folder, name, shapes):
        bodies = []
        for k, shape in enumerate(shapes):
            if not shape.carom:
                file = "%s-%d.obj" % (name, k)
                with open(os.path.join(folder, file), "w") as out:
                    for p in shape.surface[0]:
                        out.write("v %r %r %r\n" % tuple(p))
                    for t in shape.surface[1]:
                        out.write("f %d %d %d\n" % tuple(i + 1 for i in t))
                shape.carom = {"mesh": {"file": file}}
        for b in self.bodies:
            body = {"name": b["name"], "shape": b["shape"].carom, "position": b["position"], "orientation": b["orientation"]}
            if b["fixed"]:
                body["fixed"] = True
            elif b["spin"] is not None:
                body["motion"] = {"axis": Z, "angle": "0.5*%r*t^2" % b["spin"]}
            else:
                mass = b["density"] * b["shape"].volume
                body.update(mass=mass, inertia=scale(b["density"], b["shape"].inertia), center_of_mass=[0, 0, 0],
                            velocity=b["velocity"])
            bodies.append(body)
        contact = {"method": "barrier", "friction": self.friction, "restitution": 0}
        contact.update(self.contact)
        scene = {"carom": 1, "name": name, "gravity": self.gravity,
                 "time": {"end": self.end, "step": self.step},
                 "contact": contact, "bodies": bodies}
        with open(os.path.join(folder, name + ".json"), "w") as out:
            json.dump(scene, out, indent=1)

    def write_text(self, folder, name, shapes):
        def row(numbers):
            return " ".join("%.17g" % x for x in numbers)

        with open(os.path.join(folder, name + ".txt"), "w") as out:
            out.write("time %s\ngravity %s\nfriction %.17g\nsize %.17g\n" %
                      (row([self.step, self.end]), row(self.gravity), self.friction, self.size))
            for key, value in self.facts.items():
                out.write("fact %s %.17g\n" % (key, value))
            for shape in shapes:
                out.write("shape %s\n" % (shape.primitive or "solid"))
                for kind, (points, triangles) in [("surface", shape.surface)] + [("part", p) for p in shape.parts]:
                    if points:
                        out.write("%s %d %d\n" % (kind, len(points), len(triangles)))
                        out.writelines(row(p) + "\n" for p in points)
                        out.writelines("%d %d %d\n" % tuple(t) for t in triangles)
            for b in self.bodies:
                s = b["shape"]
                kind = "fixed" if b["fixed"] else "spins" if b["spin"] is not None else "free"
                mass = b["density"] * s.volume
                out.write("body %s %s %d\n%s\n%s\n%s\n" %
                          (b["name"], kind, shapes.index(s), row([mass] + scale(b["density"], s.inertia)),
                           row(b["position"] + b["orientation"]), row(b["velocity"] + [b["spin"] or 0.0])))


def slope(mu=0.5):
    """A cube on a slope of atan 1/2: slides below mu = 0.5."""
    s = Scene(5.0, friction=mu, gravity=[0.0, 0.0, -9.8], stick_speed=1e-5)
    tilt = turn(Y, math.atan(0.5))
    s.add("slope", box(20.0, 4.0, 1.0), rotate(tilt, [0.0, 0.0, -0.5]), tilt, fixed=True)
    s.add("cube", box(1.0, 1.0, 1.0), rotate(tilt, [-4.0, 0.0, 0.501]), tilt)
    s.facts = {"slides": 1.0}
    return s


def turntable(mu=0.5, end=20.0):
    """A block on a plate that turns faster and faster; where Coulomb's law lets go: (w^2 r)^2 + (a r)^2 = (mu g)^2."""
    s = Scene(end, friction=mu, gravity=[0.0, 0.0, -9.8], stick_speed=1e-5)
    s.add("table", box(4.0, 4.0, 0.2), [0.0, 0.0, -0.1], spin=0.1)
    s.add("block", box(0.25, 0.25, 0.25), [1.5, 0.0, 0.126])
    rest = (mu * 9.8) ** 2 - 0.15**2
    s.facts = {"slips_at": math.sqrt(math.sqrt(rest) / 1.5) / 0.1}
    s.size = 0.25
    return s


def cards(mu=0.9, end=3.0):
    """A card house of two levels, cards of 0.9 x 0.6 x 0.01 m leaning by 25 degrees."""
    length, width, thick, lean, gap = 0.9, 0.6, 0.01, math.radians(25.0), 5e-4
    s = Scene(end, friction=mu)
    s.floor()
    card = box(thick, width, length)
    flat = box(length, width, thick)
    high = (length * math.cos(lean) + thick * math.sin(lean))
    wide = (length * math.sin(lean) + thick * math.cos(lean))

    def tent(name, x, z):
        s.add(name + "-left", card, [x - wide / 2 - gap / 2, 0.0, z + high / 2 + gap], turn(Y, lean))
        s.add(name + "-right", card, [x + wide / 2 + gap / 2, 0.0, z + high / 2 + gap], turn(Y, -lean))

    spacing = 2 * wide + 4 * gap
    tent("a", -spacing / 2, 0.0)
    tent("b", spacing / 2, 0.0)
    s.add("flat", flat, [0.0, 0.0, high + 2 * gap + thick / 2])
    tent("c", 0.0, high + 2 * gap + thick)
    s.facts, s.size = {"stays": 0.05}, 0.1
    return s


def arch(stones=25, end=5.0, mu=0.5):
    """Half a circle of wedges on the floor; the radius grows with their number."""
    stones = int(stones)
    gap, width, thick, deep = 1.2e-3, 0.24, 0.5, 0.5
    radius = stones * width / math.pi
    half = math.pi / stones / 2
    s = Scene(end, friction=mu)
    s.floor(20.0 + 4 * radius)
    inner, outer = radius - thick / 2, radius + thick / 2

    def corner(r, angle, y):
        return [r * math.sin(angle), y, r * math.cos(angle)]

    outline = [(inner, -half), (inner, half), (outer, half), (outer, -half)]
    stone = hull(prism([corner(r, a, deep / 2) for r, a in outline], [corner(r, a, -deep / 2) for r, a in outline]))
    grown = radius + gap / (2 * half)  # so far apart that gaps stay between them
    for k in range(stones):
        angle = -math.pi / 2 + half + 2 * half * k
        c = stone.shift[2] + grown - radius
        s.add("stone%d" % k, stone, [c * math.sin(angle), 0.0, c * math.cos(angle) + gap], turn(Y, angle), of_origin=False)
    s.facts = {"stays": 0.05}
    s.size = 0.2
    return s


def chain(rings=10, upright=0, end=2.0, mu=0.3, around=16, across=8):
    """Rings in each other, the first fixed; level at the start, or hanging."""
    rings = int(rings)
    radius, wire = 0.5, 0.12
    s = Scene(end, friction=mu)
    link = ring(radius, wire, int(around), int(across))
    pitch = 0.97 * 2 * (radius - wire) * math.cos(math.pi / around)
    for k in range(rings):
        along = [0.0, 0.0, -pitch * k] if upright else [pitch * k, 0.0, 0.0]
        if upright:
            turned = turn(X, math.pi / 2) if k % 2 == 0 else turn(Y, math.pi / 2)
        else:
            turned = NO_TURN if k % 2 == 0 else turn(X, math.pi / 2)
        s.add("ring%d" % k, link, along, turned, fixed=k == 0, density=2000.0)
    s.facts = {"linked": radius}
    s.size = 0.2
    return s


def net(side=4, end=1.0, mu=0.3, around=16, across=8):
    """A net of rings, four corners fixed, and a ball that falls on it."""
    side = int(side)
    radius, wire = 0.5, 0.12
    s = Scene(end, friction=mu)
    link = ring(radius, wire, int(around), int(across))
    pitch = 0.97 * 2 * (radius - wire) * math.cos(math.pi / around)
    middle = side - 1

    def place(i, j, turned):
        corner = i in (0, 2 * middle) and j in (0, 2 * middle)
        s.add("ring%d-%d" % (i, j), link, [pitch * (i - middle), pitch * (j - middle), 0.0], turned, fixed=corner,
              density=2000.0)

    for j in range(2 * side - 1):
        for i in range(2 * side - 1):
            if i % 2 == 0 and j % 2 == 0:
                place(i, j, NO_TURN)
            elif j % 2 == 0:
                place(i, j, turn(X, math.pi / 2))
            elif i % 2 == 0:
                place(i, j, turn(Y, math.pi / 2))
    s.add("ball", Sphere(1.0), [0.1, 0.05, 1.7], density=500.0, velocity=[0.0, 0.0, -1.0])
    s.facts = {"linked": radius}
    s.size = 0.2
    return s


def spikes(end=3.0):
    """A pyramid falls tip first on the tip of a fixed one, a hand's breadth beside it."""
    s = Scene(end)
    s.floor()
    base = [[-0.3, -0.3, 0.0], [0.3, -0.3, 0.0], [0.3, 0.3, 0.0], [-0.3, 0.3, 0.0]]
    spike = hull(pyramid(base, [0.0, 0.0, 1.0]))
    s.add("below", spike, [0.0, 0.0, 1e-3], fixed=True)
    s.add("above", spike, [0.01, 0.005, 2.05], turn(X, math.pi))
    s.facts, s.size = {"stays_above": 0.0}, 0.3
    return s


def wedges(end=3.0):
    """Four wedges with their edges down fall across four with their edges up."""
    s = Scene(end)
    s.floor()
    side = [[-0.15, -1.0, 0.0], [0.15, -1.0, 0.0], [0.0, -1.0, 0.5]]
    wedge = hull(prism([[x, 1.0, z] for x, y, z in side], side))
    for k in range(4):
        s.add("up%d" % k, wedge, [0.35 * (k - 1.5), 0.0, 1e-3], fixed=True)
        turned = rotate_after(turn(Z, math.pi / 2), turn(X, math.pi))
        s.add("down%d" % k, wedge, [0.0, 0.35 * (k - 1.5), 1.05], turned)
    s.facts, s.size = {"stays_above": 0.0}, 0.3
    return s


def rotate_after(second, first):
    w, v = second[0], second[1:]
    a, b = first[0], first[1:]
    return [w * a - dot(v, b)] + add(add(scale(w, b), scale(a, v)), cross(v, b))


def cliff(end=3.0):
    """A box is set down with one of its edges exactly above that of a fixed one, another over the middle of it."""
    s = Scene(end)
    s.floor()
    s.add("cliff", box(2.0, 2.0, 1.0), [0.0, 0.0, 0.501], fixed=True)
    s.add("flush", box(1.0, 0.5, 0.5), [0.5, 0.6, 1.35])
    s.add("over", box(1.0, 0.5, 0.5), [0.9, -0.5, 1.35])
    s.facts, s.size = {"stays_above": 1.0}, 0.5
    return s


def internal_edges(end=3.0, mu=0.2, speed=3.0):
    """A box slides over a floor of tiles that lie side by side at one height: how far is v^2/(2 mu g)."""
    s = Scene(end, friction=mu)
    for k in range(12):
        s.add("tile%d" % k, box(0.5, 2.0, 0.5), [0.5 * k, 0.0, -0.25], fixed=True)
    s.add("box", box(0.4, 0.4, 0.2), [0.2, 0.0, 0.101], velocity=[speed, 0.0, 0.0])
    s.facts, s.size = {"travels": speed**2 / (2 * mu * 9.81)}, 0.2
    return s


def crack(end=3.0):
    """A wedge falls edge first into the crack between two fixed blocks that is narrower than itself."""
    s = Scene(end, friction=0.1)
    s.floor()
    side = [[-0.15, -0.5, 0.0], [0.15, -0.5, 0.0], [0.0, -0.5, 1.0]]
    wedge = hull(prism([[x, 0.5, z] for x, y, z in side], side))
    for k in (-1, 1):
        s.add("block%d" % (k > 0), box(1.0, 2.0, 1.0), [k * 0.6, 0.0, 0.501], fixed=True)
    s.add("wedge", wedge, [0.0, 0.0, 2.3], turn(X, math.pi))
    s.facts, s.size = {"stays_above": 0.9}, 0.3
    return s


def plate(end=0.5, speed=100.0, thick=0.01):
    """A cube flies against a thin plate."""
    s = Scene(end, gravity=[0.0, 0.0, 0.0])
    s.add("plate", box(2.0, 2.0, thick), [0.0, 0.0, 0.0], fixed=True)
    s.add("cube", box(0.1, 0.1, 0.1), [0.0, 0.0, 1.33], velocity=[0.0, 0.0, -speed])
    s.facts, s.size = {"stays_above": 0.0}, 0.1
    return s


def stack(boxes=5, end=2.0):
    s = Scene(end)
    s.floor()
    for k in range(int(boxes)):
        s.add("box%d" % k, box(1.0, 1.0, 1.0), [0.0, 0.0, 0.5 + 1.1e-3 + 1.0012 * k])
    s.facts = {"stays": 0.05}
    return s


def wall(across=10, up=10, end=1.0, speed=6.0):
    """Bricks in bond; a ball flies into their middle."""
    s = Scene(end)
    s.floor()
    brick = box(0.4, 0.2, 0.2)
    for j in range(int(up)):
        for i in range(int(across)):
            x = (i - across / 2 + 0.5 * (j % 2)) * 0.402
            s.add("brick%d-%d" % (j, i), brick, [x, 0.0, 0.101 + 0.201 * j])
    if speed > 0:
        s.add("ball", Sphere(0.4), [0.0, -2.0, 1.0], density=3000.0, velocity=[0.0, speed, 0.0])
    s.size = 0.2
    return s


def spheres(count=1000, end=1.0):
    """Balls fall into a box."""
    count = int(count)
    radius = 0.1
    side = max(2, round(count ** (1 / 3)))
    room = side * 0.25 + 0.05
    s = Scene(end)
    s.floor()
    for k in range(4):
        angle = k * math.pi / 2
        far = room / 2 + 0.5
        s.add("side%d" % k, box(1.0, room + 2.0, 6.0), [far * math.cos(angle), far * math.sin(angle), 3.002], turn(Z, angle),
              fixed=True)
    random.seed(1)
    ball = Sphere(radius)
    for k in range(count):
        i, j, l = k % side, k // side % side, k // side**2
        at = [(i - (side - 1) / 2) * 0.25, (j - (side - 1) / 2) * 0.25, 0.15 + 0.25 * l]
        s.add("ball%d" % k, ball, [x + random.uniform(-0.02, 0.02) for x in at])
    s.size = radius
    return s


SCENES = {"slope": slope, "turntable": turntable, "cards": cards, "arch": arch, "chain": chain, "net": net, "spikes": spikes,
          "wedges": wedges, "cliff": cliff, "internal-edges": internal_edges, "crack": crack, "plate": plate,
          "stack": stack, "wall": wall, "spheres": spheres}


def main():
    if sys.argv[1:] == ["--list"]:
        print(" ".join(SCENES))
        return
    folder, name = sys.argv[1:3]
    values = dict(pair.split("=") for pair in sys.argv[3:])
    kind = values.pop("scene", name)
    SCENES[kind](**{key: float(value) for key, value in values.items()}).write(folder, name)


if __name__ == "__main__":
    main()
