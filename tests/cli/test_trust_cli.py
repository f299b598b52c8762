"""What a run says about itself beyond its ledger. Each finding is provoked by a scene, and does not appear in its twin,
which differs in little but has nothing to be found."""
import json
import unittest

from support import EXAMPLES, SOURCE, Case, summary

FLOOR = {"name": "floor", "shape": {"plane": [0, 0, 1]}, "fixed": True}


def scene(bodies, law=None, method="compliant", end=1.0, gravity=True, **more):
    """A scene of these bodies; `more` goes in as it is, contact.* and time.* into their sections."""
    out = {"carom": 1, "time": {"end": end}, "bodies": bodies,
           "contact": {"method": method}, "gravity": [0, 0, -9.81 if gravity else 0]}
    if method == "compliant":
        out["contact"]["law"] = law or {"hunt-crossley": {"k": 1e7}}
    for key, value in more.items():
        section, _, name = key.partition("__")
        if name:
            out[section][name] = value
        else:
            out[section] = value
    return out


def ball(radius=0.05, **more):
    return {"name": "ball", "shape": {"sphere": radius}, "density": 1000, **more}


def hopping_wheel(features):
    """On a surface so hard that a cylinder of points hops from corner to corner."""
    wheel = {"name": "wheel", "shape": {"cylinder": {"radius": 0.05, "length": 0.1}}, "mass": 2,
             "position": [0, 0, 0.05001], "orientation": {"axis": [1, 0, 0], "angle": "pi/2"}, "velocity": [1, 0, 0],
             "angular_velocity": [0, 20, 0]}
    return scene([FLOOR, wheel], law={"exact-restitution": {"k": 1e9}}, contact__restitution=0.3, contact__friction=0.5,
                 contact__features=features)


def wheel(shape, **more):
    return scene([FLOOR, {"name": "wheel", "shape": shape, "mass": 3, "position": [0, 0, 0.2],
                          "orientation": {"axis": [1, 0, 0], "angle": "pi/2"}, "velocity": [2, 0, 0],
                          "angular_velocity": [0, 10, 0]}],
                 end=2.0, contact__restitution=0.4, contact__friction={"coulomb": {"mu": 0.6}}, **more)


def plate_and_ball(speed, k=1e6, x=0.03, **more):
    plate = {"name": "plate", "shape": {"box": [0.4, 0.4, 0.004]}, "fixed": True}
    return scene([plate, ball(0.01, position=[x, 0.02, 0.1], velocity=[0, 0, -speed])],
                 law={"exact-restitution": {"k": k}}, end=0.2 / speed, gravity=False, contact__restitution=0.7, **more)


def fixed_step_jump(x, step=7e-5):
    return plate_and_ball(500, x=x, time__integrator="semi-implicit-euler", time__step=step)


def overrun(substeps, step):
    """Of the order of the impact, in which the ball goes by half of the plate."""
    return plate_and_ball(10, k=1e8, time__integrator="runge-kutta", time__step=step, contact__substeps=substeps)


def head_on(step):
    """Two balls meet off centre; with a long step the goal of each lies behind the other."""
    out = scene([ball(position=[-0.5, 0, 0], velocity=[30, 0, 0]),
                 {**ball(position=[0.5, 0.02, 0], velocity=[-30, 0, 0]), "name": "other"}], method="barrier", end=0.05,
                gravity=False)
    out["time"]["step"] = step
    return out


def links(velocities):
    bodies = [{"name": "upper", "shape": {"box": [0.6, 0.05, 0.05]}, "density": 2000, "position": [0.3, 0, 0],
               **velocities[0]},
              {"name": "lower", "shape": {"box": [0.6, 0.05, 0.05]}, "density": 2000, "position": [0.9, 0, 0],
               **velocities[1]}]
    out = scene(bodies, method="none", end=0.05)
    out["joints"] = [{"name": "top", "type": "revolute", "bodies": ["ground", "upper"]},
                     {"name": "middle", "type": "revolute", "bodies": ["upper", "lower"], "at": [0.6, 0, 0]}]
    return out


def planks(spacing):
    """One across the other: their corners are apart, only points between them meet."""
    rail = {"name": "rail", "shape": {"box": [2, 0.1, 0.1]}, "fixed": True}
    plank = {"name": "plank", "shape": {"box": [0.1, 2, 0.1]}, "density": 500, "position": [0.13, 0.07, 0.101]}
    return scene([rail, plank], law={"hunt-crossley": {"k": 1e6}}, end=0.3, contact__spacing=spacing)


def crossed(plank):
    """Rigid bodies under constraint: edges that cross see each other; of an ellipsoid some points do."""
    rail = {"name": "rail", "shape": {"box": [2, 0.1, 0.1]}, "fixed": True, "orientation": {"axis": [1, 0, 0], "angle": "45 deg"}}
    upper = {"name": "plank", "shape": plank, "density": 500, "position": [0.13, 0.01, 0.36], "velocity": [0, 0, -3],
             "orientation": {"axis": [0, 1, 0], "angle": "20 deg"}}
    return scene([rail, upper], method="constraint", end=0.2, time__step=1e-4)


def boards(spacing):
    """Two wide boards crosswise, with all corners beyond the other's edges."""
    lower = {"name": "lower", "shape": {"box": [1, 0.4, 0.1]}, "fixed": True}
    upper = {"name": "upper", "shape": {"box": [0.4, 1, 0.1]}, "density": 500, "position": [0.03, 0.02, 0.1]}
    return scene([lower, upper], law={"hunt-crossley": {"k": 1e6}}, end=0.1, contact__spacing=spacing)


def ridges(turned):
    """Two square bars, crossing; turned about their axes they meet with edges, else with a face."""
    bar = {"shape": {"box": [1, 0.1, 0.1]}, "density": 1000}
    high = 0.1 * 2 ** 0.5 if turned else 0.1
    angle = "pi/4" if turned else 0
    lower = {"name": "lower", **bar, "fixed": True, "orientation": {"axis": [1, 0, 0], "angle": angle}}
    upper = {"name": "upper", "shape": {"box": [0.1, 1, 0.1]}, "density": 1000, "position": [0.01, 0.007, high + 1e-4],
             "orientation": {"axis": [0, 1, 0], "angle": angle}, "velocity": [0, 0, -0.5]}
    return scene([lower, upper], law={"exact-restitution": {"k": 1e7}}, end=0.01, gravity=False,
                 contact__features="edges")


def bounce(step):
    return scene([FLOOR, ball(position=[0, 0, 0.06], velocity=[0, 0, -1])], law={"exact-restitution": {"k": 1e8}},
                 end=0.03, gravity=False, contact__restitution=0.6, time__integrator="semi-implicit-euler",
                 time__step=step)


def bearing(k, method="compliant"):
    crank = {"name": "crank", "shape": {"box": [0.3, 0.03, 0.03]}, "density": 7800, "position": [0.15, 0, 0]}
    out = scene([crank], law={"hunt-crossley": {"k": k, "n": 1}}, end=0.05, method=method, contact__restitution=0.5)
    out["gravity"] = [0, -9.81, 0]
    out["joints"] = [{"name": "pin", "type": "revolute", "bodies": ["ground", "crank"],
                      "clearance": {"play": 1e-4, "radius": 0.01}}]
    return out


def tiny_bounces(restitution):
    return scene([FLOOR, ball(position=[0, 0, 0.05 + 1e-8])], method="impact", contact__restitution=restitution)


def mesh_ball(resolution, k):
    rough = {"name": "rough", "shape": {"make": {"type": "sphere", "radius": 0.1, "spacing": 0.02}}, "fixed": True}
    return scene([rough, ball(position=[0.031, 0.017, 0.149], velocity=[0, 0, -0.2])], law={"hertz": {"k": k}},
                 end=0.1, gravity=False, contact__resolution=resolution, contact__cache=False, contact__features="points")


def explosive(step):
    out = scene([ball(position=[0.1, 0, 0])], method="none", end=0.5, gravity=False,
                time__integrator="semi-implicit-euler", time__step=step)
    out["forces"] = [{"name": "spring", "type": "spring", "bodies": ["ground", "ball"], "stiffness": 3000,
                      "free_length": 0.05}]
    return out


def row(masses, speeds, spins, gap=0.0, end=1e-3, **contact):
    """Balls on a floor, side by side, which spin and strike each other."""
    balls = [{"name": f"ball {i}", "shape": {"sphere": 0.05}, "mass": masses[i], "position": [(0.1 + gap) * i, 0, 0.05],
              "velocity": [speeds[i], 0, 0], "angular_velocity": [0, spins[i], 0]} for i in range(len(masses))]
    out = scene([FLOOR, *balls], method="impact", end=end)
    out["contact"].update(contact)
    return out


def two_in_a_row(mu):
    return row([20, 0.05], [0.3, 0], [20, 20], several="together", restitution=0.95, restitution_law="poisson",
               friction=mu)


def four_in_a_row(several):
    return row([5, 1, 0.05, 20], [0.3, 1, 0, -0.3], [10, 20, 0, 5], several=several, restitution=0.8, friction=0.1)


def five_in_a_row(restitution, friction):
    return row([5, 0.2, 1, 5, 1], [0, 0.3, 0.3, 0, -2], [5, 10, 0, 0, -20], gap=1e-9, several="sequential",
               restitution=restitution, restitution_law="poisson", friction=friction)


def falling_rod(several):
    rod = {"name": "rod", "shape": {"capsule": {"radius": 0.02, "length": 0.6}}, "mass": 1, "position": [0, 0, 0.19],
           "orientation": {"axis": [0, 1, 0], "angle": 1.0}, "velocity": [-1, 0, -1]}
    return scene([FLOOR, rod], method="impact", end=0.3, contact__restitution=0.0, contact__friction=0.7,
                 contact__several=several)


def turning_lid(spin):
    """A box on an L of the same width: while it turns its edges graze those of the L."""
    corners = [[-0.05, -0.05], [0.05, -0.05], [0.05, 0.05], [0, 0.05], [0, 0], [-0.05, 0]]
    pot = {"name": "pot", "shape": {"polygon": {"points": corners, "thickness": 0.1}}, "position": [0, 0, 0.05],
           "fixed": True}
    lid = {"name": "lid", "shape": {"box": [0.1, 0.1, 0.2]}, "density": 1000, "position": [0, 0, 0.2],
           "angular_velocity": [0, 0, spin]}
    return scene([pot, lid], method="impact", end=0.015)


def door(off):
    """Two hinges, the lower one off the axis of the upper [m]."""
    out = scene([{"name": "door", "shape": {"box": [1, 0.05, 2]}, "density": 500, "position": [0.5, 0, 0],
                  "velocity": [0, 0.5, 0], "angular_velocity": [0, 0, 1]}], method="none", end=0.05)
    out["joints"] = [{"name": f"hinge {k}", "type": "revolute", "bodies": ["ground", "door"],
                      "frame_a": {"position": [0, 0, z]}, "frame_b": {"position": [-0.5, k * off, z]}}
                     for k, z in enumerate((0.8, -0.8))]
    return out


def axle(wheel_shape, method="compliant", end=1.5, **more):
    """A body of three shapes that rolls on two of them; the third makes it lopsided."""
    shapes = [{**wheel_shape, "at": [0, 0, -0.3]}, {**wheel_shape, "at": [0, 0, 0.3]}, {"sphere": 0.08, "at": [0.1, 0, 0]}]
    return scene([FLOOR, {"name": "axle", "shapes": shapes, "density": 1000, "position": [0, 0, 0.2],
                          "orientation": {"axis": [1, 0, 0], "angle": "pi/2"}, "velocity": [2, 0, 0],
                          "angular_velocity": [0, 10, 0]}],
                 end=end, method=method, contact__restitution=0.4, contact__friction=0.6, **more)


def sliding(**contact):
    """Under barriers: a box that slides and turns on a floor."""
    box = {"name": "box", "shape": {"box": [0.2, 0.2, 0.1]}, "density": 1000, "position": [0, 0, 0.0503],
           "velocity": [1, 0, 0], "angular_velocity": [0, 0, 4]}
    out = scene([FLOOR, box], method="barrier", end=0.1, time__step=0.005, contact__friction=0.4)
    out["contact"].update(contact)
    return out


def slow_bounce(reach):
    return scene([FLOOR, ball(position=[0, 0, 0.052], velocity=[0, 0, -0.5])], method="barrier", end=0.05, gravity=False,
                 time__step=1e-3, contact__restitution=0.5, contact__range=reach)


def swing(integrator):
    out = scene([ball(position=[1, 0, 0])], method="barrier", end=2.0, time__step=0.01, time__integrator=integrator)
    out["joints"] = [{"name": "pin", "type": "revolute", "bodies": ["ground", "ball"], "at": [0, 0, 0], "axis": [0, 1, 0]}]
    return out


# finding, place, what is wrong, its twin, more arguments of the command
CASES = [
    ("impact-cut-short", "'floor' and 'ball 1'", two_in_a_row(1.0), two_in_a_row(0.1), []),
    ("impact-loosened", "'floor' and 'ball 0'", four_in_a_row("sharing"), four_in_a_row("together"), []),
    ("impacts-stopped", "'floor' and 'ball 2'", five_in_a_row(0.5, 2.0), five_in_a_row(1.0, 0.1), []),
    ("friction-rough", "'floor' and 'rod'", falling_rod("sequential"), falling_rod("sharing"), []),
    ("search-cut-short", "'pot' and 'lid'", turning_lid(30), turning_lid(0), []),
    ("projection-loose", "the run", door(4e-12), door(0), []),
    ("rolling-loss", "'floor' and 'axle'", axle({"cylinder": {"radius": 0.2, "length": 0.1}}, contact__features="points"),
     axle({"cylinder": {"radius": 0.2, "length": 0.1}}, method="impact", end=0.3), []),
    ("rolling-loss", "'floor' and 'axle'", axle({"cylinder": {"radius": 0.2, "length": 0.1}}, contact__features="points"),
     axle({"cylinder": {"radius": 0.2, "length": 0.1}}), []),
    ("rolling-loss", "'floor' and 'wheel'", wheel({"cylinder": {"radius": 0.2, "length": 0.1}}, contact__features="points"),
     wheel({"cylinder": {"radius": 0.2, "length": 0.1}}), []),
    ("rolling-loss", "'floor' and 'wheel'", wheel({"cylinder": {"radius": 0.2, "length": 0.02}}, contact__features="points"),
     wheel({"capsule": {"radius": 0.2, "length": 0.1}}), []),
    ("rolling-loss", "'floor' and 'wheel'", hopping_wheel("points"), hopping_wheel("exact"), []),
    ("passed-through", "'plate' and 'ball'", plate_and_ball(300), plate_and_ball(2), []),
    ("passed-through", "'plate' and 'ball'", fixed_step_jump(0.0), fixed_step_jump(0.3), []),
    ("touch-missed", "'plate' and 'ball'", fixed_step_jump(0.205, 8e-5), fixed_step_jump(0.22, 8e-5), []),
    ("touch-overrun", "'plate' and 'ball'", overrun("none", 1.5e-4), overrun("auto", 1.5e-4), []),
    ("touch-missed", "'plate' and 'ball'", overrun("none", 2e-4), overrun("auto", 2e-4), []),  # a step begins at the touch
    ("went-round", "'ball' and 'other'", head_on(0.01), head_on(5e-4), []),
    ("deep", "'plate' and 'ball'", plate_and_ball(10, 1e4), plate_and_ball(10, 1e9), []),
    ("deep-at-start", "'floor' and 'ball'", scene([FLOOR, ball(position=[0, 0, 0.02])], end=1e-3),
     scene([FLOOR, ball(position=[0, 0, 0.0499])], end=1e-3), []),
    ("spin-changed", "'upper' along z", links([{"angular_velocity": [0, 0, 3]}, {}]),
     links([{"velocity": [0, 0.9, 0], "angular_velocity": [0, 0, 3]}, {"velocity": [0, 1.8, 0]}]), []),
    ("velocity-changed", "'lower' along x", links([{}, {"velocity": [1, 0, 0]}]), links([{}, {}]), []),
    ("unseen-overlap", "'rail' and 'plank'", planks(0.9), planks(0.02), []),
    ("unseen-overlap", "'rail' and 'plank'", crossed({"ellipsoid": {"radii": [0.1, 0.5, 0.3]}}),
     crossed({"box": [0.1, 2, 0.1]}), []),
    ("few-points", "'lower' and 'upper'", boards(0.9), boards(0.05), []),
    ("crossing-edges", "'lower' and 'upper'", ridges(True), ridges(False), []),
    ("impact-loss", "'floor' and 'ball'", bounce(1.1e-3), bounce(2e-6), []),
    ("play-exceeded", "joint 'pin'", bearing(1e5), bearing(1e8), []),
    ("play-exceeded", "joint 'pin'", bearing(1e5), bearing(1e8, "impact"), []),
    ("chatter", "'floor' and 'ball'", tiny_bounces(0.995), tiny_bounces(0.9), []),
    ("field-error", "'rough' and 'ball'", mesh_ball(9, 1e9), mesh_ball(128, 1e5), []),
    ("energy", "the run", explosive(0.02), explosive(1e-4), []),
    ("solve-cut-short", "the run", sliding(iterations=1), sliding(), []),
    ("friction-lags", "the run", sliding(lags=1), sliding(), []),
    ("restitution-slow", "the run", slow_bounce(1e-3), slow_bounce(1e-5), []),
    ("numerical-loss", "the run", swing("implicit-euler"), swing("bdf2"), []),
]


NOTES = {"impact-loosened", "friction-lags", "numerical-loss"}  # worth knowing, not worth a line at the end of a run


class Findings(Case):
    def findings(self, content, *arguments):
        (self.folder / "scene.json").write_text(json.dumps(content))
        done = self.carom("run", "scene.json", "-o", "out", "-q", "--no-report", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return summary(self.folder / "out")["trust"], done.stderr

    def test_a_flight_through_a_ring_leads_round_nothing(self):
        """Rings have no field under barrier: their boxes are no obstacles."""
        corners = [[0, -0.2, -0.2], [0, 0.2, -0.2], [0, 0.2, 0.2], [0, -0.2, 0.2]]
        wire = {"wire": {"vertices": corners, "edges": [[0, 1], [1, 2], [2, 3], [3, 0]], "radius": 0.01}}
        out = scene([{"name": "ring", "shape": wire, "mass": 1}, ball(position=[-1, 0, 0], velocity=[200, 0, 0])],
                    method="barrier", end=0.05, gravity=False)
        out["time"]["step"] = 0.01
        found, _ = self.findings(out)
        self.assertEqual([f["text"] for f in found], [])

    def test_impacts_that_come_to_rest_again_and_again_are_no_chatter(self):
        """Two loose pins of a hanging chain that a ball strikes: each settles some ten times, whenever the other strikes."""
        links = [{"name": f"link {k}", "shape": {"capsule": {"radius": 0.01, "length": 0.16}}, "density": 2700,
                  "position": [0, 0, -0.1 - 0.2 * k]} for k in range(3)]
        out = scene(links + [ball(0.03, position=[-0.3, 0, -0.45], velocity=[3, 0, 1])], method="impact", end=0.6,
                    contact__restitution=0.5, contact__friction=0.1)
        pins = [{"name": f"eye {k}", "type": "revolute", "bodies": [f"link {k}", f"link {k + 1}"], "axis": [0, 1, 0],
                 "at": [0, 0, -0.2 - 0.2 * k], "clearance": 1e-3} for k in range(2)]
        out["joints"] = [{"name": "top", "type": "revolute", "bodies": ["ground", "link 0"], "axis": [0, 1, 0]}, *pins]
        found, _ = self.findings(out)
        self.assertEqual([f["text"] for f in found], [])
        self.assertGreater(summary(self.folder / "out")["events"]["rest"], 10)

    def test_fixed_steps_give_back_what_they_promise(self):
        """Their contacts are compliant by a millionth, which is no loss that anybody has to hear of."""
        for restitution in (0.3, 0.8, 1.0):
            for speed in (0.5, 20):
                found, _ = self.findings(scene([FLOOR, ball(position=[0, 0, 0.06], velocity=[0, 0, -speed])], end=0.05,
                                               method="impact", gravity=False, contact__restitution=restitution,
                                               contact__stepping="fixed"))
                self.assertEqual([f["text"] for f in found], [])

    def test_each_is_provoked_and_its_twin_is_silent(self):
        for name, place, wrong, twin, arguments in CASES:
            with self.subTest(name=name, place=place):
                found, told = self.findings(wrong, *arguments)
                one = [f for f in found if f["finding"] == name and f["place"] == place]
                self.assertEqual(len(one), 1, [f["text"] for f in found])
                note = name in NOTES
                self.assertIn(one[0]["severity"], ("note",) if note else ("warning", "wrong"))
                self.assertIn(place, one[0]["text"] if place != "the run" else place)
                self.assertGreater(len(one[0]["remedy"]), 10)
                self.assertEqual(told.count(found[0]["text"]), 0 if note else 1, told)
                found, told = self.findings(twin, *arguments)
                self.assertEqual([f["text"] for f in found], [])
                self.assertEqual(told, "")


# What examples and papers are found to have, and why that is true and left as it is: fields err most at edges, by more
# than stiff laws let bodies sink; where the pairs are deepest the run has compared them with the triangles.
AT_EDGES = {"field-bound"}
EXPECTED = {"docking": AT_EDGES, "gear-teeth": AT_EDGES, "box-box": AT_EDGES, "statue-box": AT_EDGES,
            "statue-statue": AT_EDGES, "figure-4": AT_EDGES}
# Implicit steps lose energy and lag friction, which notes tell; bounces end below what a range gives back; and piles under
# impact have steps that are not solved.
TOLD = {"barrier": {"numerical-loss", "friction-lags"}}
ALLOWED = {"bounce": {"restitution-slow"}, "cards": {"solve-cut-short"}, "wrecking-ball": {"solve-cut-short"}}
REFUSED = {"bad-force", "driven-through", "overlap", "wedge-press"}  # meant to end with a message: `carom papers 4`
PAPERS = sorted(path for path in (SOURCE / "papers").glob("*/*.json") if path.stem not in REFUSED)


class Examples(Case):
    """None of the findings is false: examples and scenes of the papers have those listed above, and no others."""

    def check_scenes(self, scenes):
        for path in scenes:
            with self.subTest(path.stem):
                self.ok("run", path, "-o", "out", "-q", "--no-report", timeout=300)
                result = summary(self.folder / "out")
                found = {f["finding"]: f["text"] for f in result["trust"]}
                told = TOLD.get(result["method"], set()) | ALLOWED.get(path.stem, set())
                self.assertEqual(set(found) - told, EXPECTED.get(path.stem, set()), found)

    def test_examples(self):
        self.check_scenes(EXAMPLES)

    def test_papers(self):
        self.check_scenes(PAPERS)


if __name__ == "__main__":
    unittest.main()
