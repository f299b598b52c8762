"""Advice in messages can be followed: what a message says to write is accepted by the program in that very scene."""
import copy
import json

from support import Case

BLOCK = {"name": "block", "mass": 1, "shape": {"box": [0.2, 0.2, 0.2]}}
FLOOR = {"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}}
IMPACT = {"method": "impact", "restitution": 0.5, "friction": {"coulomb": 0.2}}
LAW = {"law": {"hunt-crossley": {"k": 1e5}}}


def scene(bodies, **more):
    return {"carom": 1, "time": {"end": 1}, "bodies": copy.deepcopy(bodies)} | copy.deepcopy(more)


def changed(base, change):
    """The scene with a change: a dictionary of paths, None takes a key away."""
    out = copy.deepcopy(base)
    for path, value in change.items():
        *way, last = path.split("/")
        place = out
        for word in way:
            place = place[int(word)] if isinstance(place, list) else place.setdefault(word, {})
        if value is None:
            place.pop(last, None)
        else:
            place[int(last) if isinstance(place, list) else last] = value
    return out


STIFF = {"name": "pull", "type": "load", "body": "block", "force": ["1/(t-0.5)", 0, 0]}
LOOSE = {"name": "pin", "type": "revolute", "bodies": ["ground", "block"], "axis": [0, 1, 0], "clearance": 1e-3}

# what is wrong, parts of the message, words that would be no help there, changes that the message speaks of
CASES = {
    "an integrator that impact refuses": (
        scene([FLOOR, BLOCK | {"position": [0, 0, 0.3]}], contact=IMPACT, time={"end": 1, "integrator": "generalized-alpha"}),
        ["runge-kutta", "leave time.integrator out"], [],
        [{"time/integrator": "runge-kutta"}, {"time/integrator": None}]),
    "steps under impact that shrink": (
        scene([FLOOR, BLOCK | {"position": [0, 0, 5]}], contact=IMPACT, forces=[STIFF]),
        ["time.tolerance"], ["generalized-alpha"], [{"time/tolerance": 1e-3}, {"forces/0/force": [1, 0, 0]}]),
    "steps that shrink": (
        scene([BLOCK], forces=[STIFF], time={"end": 1, "integrator": "runge-kutta"}),
        ["generalized-alpha", "time.tolerance"], [], [{"time/integrator": "generalized-alpha"}, {"time/tolerance": 1e-3}]),
    "a clearance that is ignored": (
        scene([BLOCK], joints=[LOOSE]), ["'impact'", "'compliant'"], [],
        [{"contact": IMPACT}, {"contact": {"method": "compliant"} | LAW}]),
    "a table that makes velocities jump": (
        scene([BLOCK | {"motion": {"position": [0, 0, {"table": [[0, 0], [0.5, 1], [1, 0]]}]}}]),
        ["cubic", "expression"], [],
        [{"bodies/0/motion/position/2/interpolation": "cubic"}, {"bodies/0/motion/position/2": "sin(t)"}]),
    "an overlap": (
        scene([FLOOR, BLOCK], contact=IMPACT), ["contact.pairs", "move them apart"], [],
        [{"contact/pairs": [{"between": ["floor", "block"], "ignore": True}]}, {"bodies/1/position": [0, 0, 0.2]}]),
    "a body without mass": (
        scene([{"name": "ghost"}]), ["'mass' and 'inertia'", "'density'", "'fixed'"], [],
        [{"bodies/0/mass": 1, "bodies/0/inertia": [1, 1, 1]}, {"bodies/0/shape": {"sphere": 1}, "bodies/0/density": 1},
         {"bodies/0/fixed": True}]),
    "fixed and moved": (
        scene([BLOCK | {"fixed": True, "motion": {"position": [0, 0, "t"]}}]), ["'fixed'", "'motion'", "choose one"], [],
        [{"bodies/0/fixed": None}, {"bodies/0/motion": None}]),
    "friction where there is none": (
        scene([BLOCK], joints=[{"name": "weld", "type": "fixed", "bodies": ["ground", "block"], "friction": {"coefficient": 0.1}}],
              contact=IMPACT),
        ["no friction", "leave it out"], [], [{"joints/0/friction": None}]),
    "limits the wrong way round": (
        scene([BLOCK], joints=[{"name": "hinge", "type": "revolute", "bodies": ["ground", "block"], "axis": [0, 1, 0],
                                "limits": {"min": 1, "max": -1, "stiffness": 10}}]),
        ["min must be below max"], [], [{"joints/0/limits/min": -2}]),
    "the name of the world": (scene([BLOCK | {"name": "ground"}]), ["choose another"], [], [{"bodies/0/name": "block"}]),
    "faster than light": (scene([BLOCK | {"velocity": [4e8, 0, 0]}]), ["'velocity'"], [], [{"bodies/0/velocity": [4, 0, 0]}]),
    "through a pole": (
        scene([BLOCK | {"motion": {"position": [0, 0, "1/(t-0.5)"]}}]), ["end the run before", "another motion"], [],
        [{"time/end": 0.4}, {"bodies/0/motion/position/2": "t"}]),
}


class Advice(Case):
    def write(self, content):
        (self.folder / "s.json").write_text(json.dumps(content))

    def complaint(self, content):
        """What the program says about a scene; it may say so only when it runs."""
        self.write(content)
        done = self.carom("check", "s.json")
        if done.returncode == 0:
            done = self.carom("run", "s.json", "-q", "-o", "out", timeout=60)
        return done

    def test_what_is_advised_is_accepted(self):
        for name, (wrong, says, useless, changes) in CASES.items():
            with self.subTest(case=name):
                done = self.complaint(wrong)
                self.assertIn(done.returncode, (2, 3), done.stderr)
                for part in says:
                    self.assertIn(part, done.stderr)
                for part in useless:
                    self.assertNotIn(part, done.stderr)
            for change in changes:
                with self.subTest(case=name, change=change):
                    self.write(changed(wrong, change))
                    better = self.carom("check", "s.json")
                    self.assertEqual(better.returncode, 0, better.stderr)

    def test_a_mesh_inside_out_is_turned_by_repair(self):
        corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
        faces = [(1, 2, 3), (1, 4, 2), (1, 3, 4), (2, 4, 3)]  # clockwise from outside
        (self.folder / "t.obj").write_text("".join(f"v {x} {y} {z}\n" for x, y, z in corners) +
                                           "".join(f"f {a} {b} {c}\n" for a, b, c in faces))
        solid = scene([{"name": "tetrahedron", "density": 1, "shape": {"mesh": "t.obj"}}])
        self.assertIn("carom mesh repair", self.complaint(solid).stderr)
        self.ok("mesh", "repair", "t.obj", "u.obj")
        self.write(changed(solid, {"bodies/0/shape": {"mesh": "u.obj"}}))
        self.ok("check", "s.json")


if __name__ == "__main__":
    import unittest
    unittest.main()
