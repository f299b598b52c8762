"""The package from load to result."""
import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import carom
from conftest import BALL, ROOT, scene


def program(*arguments):
    return subprocess.run([os.environ["CAROM_BIN"], *arguments], capture_output=True, text=True, check=False)


def test_one_hash_from_python_spec_and_program(tmp_path):
    """Ten seconds of a pendulum: from a file, from a Spec, by the program, in memory, into a folder, in pieces."""
    folder = str(tmp_path / "cli")
    assert program("run", scene("pendulum.json"), "-o", folder, "--duration", "10", "--quiet",
                   "--no-report").returncode == 0
    model = carom.load(scene("pendulum.json"), set={"time.end": 10})
    by_program = model.state(checkpoint=folder).hash
    assert model.run().state.hash == by_program
    spec = carom.Spec(name="pendulum", gravity=(0, -9.81, 0), time={"end": 10})
    spec.body("rod", shape={"box": np.array([1, 0.05, 0.05])}, density=7800, position=(0.5, 0, 0))
    spec.revolute("hinge", bodies=("ground", "rod"), at=(0, 0, 0), axis=(0, 0, 1))
    spec.record(every=0.01, signals=["hinge.angle", "hinge.force", "energy.total"])
    made = spec.compile()
    assert made.hash == model.hash
    assert made.run(folder=tmp_path / "python").summary["steps"] > 0
    assert made.state(checkpoint=tmp_path / "python").hash == by_program
    assert model.state().advance(until=10).hash == by_program
    spec.save(tmp_path / "again.json")
    assert carom.load(tmp_path / "again.json").run().state.hash == by_program


def test_results_in_memory_and_in_a_folder_are_the_same(tmp_path):
    model = carom.load(scene("pendulum-wall.json"))
    memory, folder = model.run(until=0.8), model.run(until=0.8, folder=tmp_path / "r")
    assert np.array_equal(memory.time, folder.time)
    shared = [n for n in memory.names if n in folder]
    assert len(shared) > 30
    for name in shared:
        assert np.array_equal(memory[name], folder[name], equal_nan=True), name
        assert memory.unit(name) == folder.unit(name), name
    assert memory.events.dtype == folder.events.dtype
    assert len(memory.events) == len(folder.events) > 0
    assert np.array_equal(memory.events["impulse"], folder.events["impulse"])
    for key in ("energy", "bodies", "steps", "events"):
        assert memory.summary[key] == folder.summary[key], key
    assert [tuple(p) for p in memory.pairs] == [tuple(p) for p in folder.pairs] != []


def test_arrays_are_views_that_cannot_be_written(pendulum):
    result = pendulum.run(until=0.1)
    column = result["hinge.angle"]
    assert column.base is not None and column.dtype == np.float64
    with pytest.raises(ValueError):
        column[0] = 1
    state = pendulum.state()
    poses = state.poses
    before = poses[1, 0]
    with pytest.raises(ValueError):
        poses[1, 0] = 3
    state.advance(0.3)
    assert poses[1, 0] != before  # what the state is now
    del state, result
    assert np.isfinite(poses).all() and np.isfinite(column).all()  # they keep their owner


def test_pendulum_keeps_its_energy_and_period(pendulum):
    """A rod of 1 m from rest at 0.1 rad: the period of small swings is 2 pi sqrt(2 L / 3 g), longer by angle^2 / 16."""
    state = pendulum.state()
    state.set("hinge", angle=-np.pi / 2 + 0.1, rate=0)
    times, last = [], state.observe("hinge.angle")
    for _ in range(4000):
        state.advance(1e-3)
        now = state.observe("hinge.angle")
        if (last + np.pi / 2) * (now + np.pi / 2) < 0:
            times.append(state.time - 1e-3 * (now + np.pi / 2) / (now - last))
        last = now
    period = 2 * np.diff(times).mean()
    inertia = (1 + 0.05 ** 2) / 12 + 0.25
    expected = 2 * np.pi * np.sqrt(inertia / (9.81 * 0.5)) * (1 + 0.1 ** 2 / 16)
    assert abs(period - expected) < 2e-4 * expected


def test_variables_and_paths_override(pendulum):
    crank = carom.load(scene("slider-crank.json"), rpm=600)
    assert crank.run(until=0.01)["crank.angle.rate"][-1] == pytest.approx(600 * np.pi / 30, rel=1e-6)
    heavy = carom.load(scene("pendulum.json"), set={"bodies.rod.density": 1000})
    assert heavy.mass("rod") == pytest.approx(1000 * 0.0025)
    assert heavy.hash != pendulum.hash
    assert carom.load(scene("pendulum-wall.json"), method="compliant").run(until=0.01).summary["method"] == "compliant"


def test_setters_and_parts(pendulum, ball):
    state = pendulum.state()
    state.set("hinge", angle=0.3, rate=2)
    assert state["hinge"].angle == pytest.approx(0.3, abs=1e-12)
    assert state["hinge"].rate == state["hinge"].angle_rate == pytest.approx(2, abs=1e-12)
    state["hinge"].angle = -0.2
    assert state.observe("hinge.angle") == pytest.approx(-0.2, abs=1e-12)
    assert state["hinge"].rate == pytest.approx(2, abs=1e-12)
    with pytest.raises(AttributeError, match="it has angle, angle_rate"):
        state["hinge"].travel = 1
    with pytest.raises(KeyError, match="rod, hinge"):
        state["road"]
    ball = ball.state()
    ball["ball"].position = (0, 0, 2)
    ball["ball"].velocity = (1, 2, 3)
    ball.set("ball", angular_velocity=(0, 0, 4))
    assert list(ball["ball"].velocity) == [1, 2, 3] and list(ball["ball"].angular_velocity) == [0, 0, 4]
    ball.set("ball.velocity.x", 0)
    assert list(ball["ball"].velocity) == [0, 2, 3]
    ball["ball"].orientation = (np.cos(0.5), 0, 0, np.sin(0.5))
    assert ball["ball"].orientation[3] == pytest.approx(np.sin(0.5))
    assert ball.velocities.shape == (3, 6) and ball.poses.shape == (3, 7)
    with pytest.raises(AttributeError):
        ball.set("ball", speed=3)
    with pytest.raises(ValueError):
        ball["ball"].velocity = (1, 2)


def test_inputs_drive_forces(ball):
    state = ball.state()
    state.inputs["push"] = 6
    assert dict(push=state.inputs["push"]) == {"push": 6.0}
    state.advance(until=0.1)  # before it lands
    assert state.observe("ball.velocity.x") == pytest.approx(6 / 3 * 0.1, rel=1e-9)
    with pytest.raises(KeyError, match="there are: push"):
        state.inputs["pull"] = 1


def test_events_of_a_bouncing_ball(ball):
    """It falls 0.24 m: the first impact after sqrt(2 h / g), at sqrt(2 g h), and it keeps 0.8 of its speed."""
    h, g = 0.24, 9.81
    result = ball.run()
    first = result.events[result.events["kind"] == "impact"][0]
    assert first["time"] == pytest.approx(np.sqrt(2 * h / g), rel=1e-6)
    assert abs(first["speed"]) == pytest.approx(np.sqrt(2 * g * h), rel=1e-6)
    assert first["speed_after"] == pytest.approx(0.8 * np.sqrt(2 * g * h), rel=1e-6)
    assert np.abs(first["impulse"][2]) == pytest.approx(3 * 1.8 * np.sqrt(2 * g * h), rel=1e-6)
    state = ball.state().advance(until=0.25)
    assert [e["kind"] for e in state.events].count("impact") == 1
    assert {ball.bodies[first["a"]], ball.bodies[first["b"]]} == {"ball", "floor"}


def test_copies_bytes_and_pickles_go_on_with_the_same_bits(ball):
    state = ball.state().advance(0.3)
    twins = [state.copy(), copy.deepcopy(state), ball.restore(bytes(state)), pickle.loads(pickle.dumps(state))]
    state.advance(0.4)
    for twin in twins:
        assert twin.advance(0.4).hash == state.hash
    other = carom.Spec({**BALL, "gravity": [0, 0, -9.8]}).compile()
    with pytest.raises(carom.InputError, match="belongs to another model"):
        other.restore(bytes(state))
    with pytest.raises(carom.InputError, match="damaged"):
        ball.restore(bytes(state)[:-1] + b"?")
    with pytest.raises(carom.InputError, match="not a state"):
        ball.restore(b"")
    with pytest.raises(ValueError, match="another model"):
        other.run(state=state)


def test_a_run_goes_on_from_a_state(ball):
    state = ball.state().advance(until=0.5)
    again = ball.run(until=0.9, state=state)
    assert 0.5 <= again.time[0] < 0.501 and again.time[-1] == 0.9
    assert again.state.hash == state.advance(until=0.9).hash


def test_batch_is_a_loop(ball):
    speeds = np.linspace(-2, 2, 60)
    batch = ball.batch(60).set("ball.velocity.x", speeds).advance(0.4)
    for threads in (1, 2, 5):
        assert ball.batch(60).set("ball.velocity.x", speeds).advance(0.4, threads=threads).hashes == batch.hashes
    one = ball.batch(1).set("ball.velocity.x", speeds[17])
    assert one[0].advance(until=0.4).hash == batch[17].hash
    seen = batch.observe(["ball.position.x", "t"])
    assert seen.shape == (60, 2) and np.allclose(seen[:, 0], 0.4 * speeds)
    batch[3].set("ball.position.z", -1)
    batch.advance(0.1)
    assert list(batch.errors) == [3] and isinstance(batch.errors[3], carom.Intersecting)
    assert batch.times[3] == 0.4 and batch.times[4] == 0.5
    with pytest.raises(IndexError):
        batch[60]
    with pytest.raises(carom.InputError, match="one value for each"):
        batch.set("ball.velocity.x", [1, 2])


def test_spec_knows_its_arguments():
    import inspect
    signature = inspect.signature(carom.Spec.revolute)
    assert "bodies" in signature.parameters and "friction" in signature.parameters
    assert signature.parameters["axis"].default == (0.0, 0.0, 1.0)
    assert "[m]" in carom.Spec.screw.__doc__ and "pitch" in carom.Spec.screw.__doc__
    assert inspect.signature(carom.Spec.screw).parameters["pitch"].default is inspect.Parameter.empty
    with pytest.raises(TypeError, match="massive"):
        carom.Spec().body("ball", massive=True)
    with pytest.raises(TypeError, match="pitch"):
        carom.Spec().screw("thread", bodies=("ground", "nut"))
    schema = json.loads(program("schema").stdout)
    text = json.dumps(schema)
    for name in carom.spec.METHODS:
        kind = name.replace("_", "-")
        assert f'"{kind}"' in text or name in ("body", "material", "input", "time", "record", "contact"), name


def test_spec_with_everything(tmp_path):
    spec = carom.Spec(name="all", gravity=(0, 0, -9.81))
    spec.time(end=0.05).record(every=0.01).contact(method="compliant", law={"linear": {"k": 1e5}}, friction=0.3)
    spec.material("steel", density=7850).input("pull", unit="N", start=2)
    spec.mesh("cube", [(x, y, z) for x in (0, .1) for y in (0, .1) for z in (0, .1)],
              [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6),
               (0, 6, 4), (1, 5, 7), (1, 7, 3)])
    spec.body("cube", shape={"mesh": "memory:cube"}, material="steel", position=(0, 0, 0.2))
    spec.body("slab", shape={"box": (1, 1, 0.1)}, fixed=True, position=(0, 0, -0.05))
    spec.prismatic("guide", bodies=("ground", "cube"), axis=(0, 0, 1))
    spec.load("pull", body="cube", force=("input.pull", 0, 0))
    spec.spring("coil", bodies=("slab", "cube"), stiffness=100, damping=1)
    model = spec.compile()
    assert model.mass("cube") == pytest.approx(7.85, rel=1e-12)
    assert model.run().summary["status"] == "done"
    spec.save(tmp_path / "all.json")
    assert carom.load(tmp_path / "all.json").hash == model.hash
    with pytest.raises(ValueError, match="no mesh 'sphere'"):
        spec.body("b", shape={"mesh": "memory:sphere"}).compile()
    with pytest.raises(ValueError, match="n x 3"):
        spec.mesh("flat", [[0, 0]], [[0, 0, 0]])


def test_plots_and_pages(tmp_path, pendulum):
    result = pendulum.run(until=0.2)
    plot = result.plot("hinge.angle", "hinge.force", title="swing")
    assert plot._repr_svg_().lstrip().startswith("<?xml")
    assert plot._repr_png_()[:4] == b"\x89PNG"
    for ending, start in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        file = tmp_path / ("p." + ending)
        result.plot("hinge.force", x="hinge.angle", style="paper").save(file)
        assert file.read_bytes().startswith(start)
    assert "<table" in result._repr_html_() and "pendulum" in repr(result)
    with pytest.raises(KeyError, match="did you mean 'hinge.angle'"):
        result.plot("hinge.angel")
    page = result.page(tmp_path / "page.html")
    assert "<html" in (tmp_path / "page.html").read_text()[:2000]
    assert page._repr_html_().startswith("<iframe")


def test_progress_and_chosen_signals(ball):
    seen = []
    result = ball.run(signals=["ball.position.z"], every=0.25, progress=seen.append)
    assert result.names == ("ball.position.z",) and list(result.time) == [0, 0.25, 0.5, 0.75, 1]
    assert seen and seen[-1] == 1.0
    with pytest.raises(ValueError):
        ball.run(until=-1)


def test_one_state_in_two_threads_raises(ball):
    state = ball.state()
    problems = []

    def work():
        try:
            for _ in range(300):
                state.advance(1e-4)
        except RuntimeError as problem:
            problems.append(problem)
    state._busy.acquire()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    state._busy.release()
    assert len(problems) == 1 and "another thread" in str(problems[0])
    state.advance(1e-4)  # it is free again


def test_threads_with_states_of_their_own_agree(ball):
    hashes = []

    def work():
        hashes.append(ball.state().advance(until=0.5).hash)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(hashes) == 4 and len(set(hashes)) == 1


def test_control_c_comes_through():
    """A run of hours is left within a second or two, with KeyboardInterrupt."""
    code = ("import carom, sys\n"
            f"m = carom.load({scene('pendulum.json')!r})\n"
            "s = m.state()\n"
            "print('ready', flush=True)\n"
            "try:\n    s.advance(until=1e6)\n"
            "except KeyboardInterrupt:\n    print('left', s.time > 0)\n")
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0] == "left True\n"


def test_another_version_is_refused(tmp_path):
    """A package of another version than the library says both numbers."""
    import shutil
    shutil.copytree(os.path.join(ROOT, "python", "carom"), tmp_path / "carom", ignore=shutil.ignore_patterns("__pyc*"))
    bindings = tmp_path / "carom" / "_c.py"
    bindings.write_text(bindings.read_text().replace(f'VERSION = "{carom.__version__}"', 'VERSION = "9.9.9"'))
    answer = subprocess.run([sys.executable, "-c", "import carom"], env={**os.environ, "PYTHONPATH": str(tmp_path)},
                            capture_output=True, text=True, check=False)
    assert answer.returncode != 0
    assert "9.9.9" in answer.stderr and carom.__version__ in answer.stderr.replace("9.9.9", "")
    answer = subprocess.run([sys.executable, "-c", "import carom"], capture_output=True, text=True, check=False,
                            env={**os.environ, "CAROM_LIBRARY": str(tmp_path / "none.so")})
    assert answer.returncode != 0 and "none.so" in answer.stderr


def test_notes_are_warnings():
    scene_of = {**BALL, "units": {"length": "mm"}, "bodies": [{"name": "b", "mass": 1, "shape": {"sphere": 10}}],
                "joints": [], "forces": []}
    model = carom.Spec(scene_of).compile()
    assert isinstance(model.notes, list)


def test_a_misspelt_variable_is_refused(tmp_path):
    scene = tmp_path / "scene.json"
    scene.write_text('{"carom": 1, "variables": {"length": 2}, "bodies": [{"name": "a", "mass": 1, "inertia": [1, 1, 1], "position": ["$length", 0, 0]}]}')
    assert carom.load(scene, length=3).state()["a"].position[0] == 3
    with pytest.raises(carom.InputError, match=r"no variable 'lenght' \(did you mean 'length'\?\)"):
        carom.load(scene, lenght=3)


def test_events_of_the_scene_in_memory():
    model = carom.parse('{"carom": 1, "gravity": [0, 0, -8], "time": {"end": 2}, "bodies": [{"name": "a", "mass": 1, "inertia": [1, 1, 1]}],'
                        ' "events": [{"name": "one", "when": "a.position.z < -1"}, {"name": "four", "when": "a.position.z < -4", "do": "stop"}]}')
    result = model.run()
    assert [(e["kind"], e["named"]) for e in result.events] == [("event", 0), ("event", 1)]
    assert np.allclose(result.events["time"], [0.5, 1.0], atol=1e-9)
    assert abs(result.time[-1] - 1.0) < 1e-9
