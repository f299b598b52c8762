"""Answers of the library as exceptions: the sentence that C has, the right class, and nothing is broken afterwards."""
import ctypes
import os
import subprocess

import pytest

import carom
from carom import _c
from carom._lib import lib
from conftest import BALL, scene


def ball(**changes):
    return lambda: carom.Spec({**BALL, **changes}).compile()


def body(**entry):
    return ball(bodies=[{"name": "ball", "mass": 1, **entry}], forces=[])


def started():
    return carom.Spec(BALL).compile().state()


def sunk():
    state = started()
    state["ball"].position = (0, 0, -1)
    return state


PINS = [{"name": "a", "type": "spherical", "bodies": ["ground", "ball"], "at": [0, 0, 1]},
        {"name": "b", "type": "distance", "bodies": ["ground", "ball"], "at": [0, 0, 9], "at_b": [0, 0, 0.3], "length": 1}]

CASES = [
    ("no file", carom.FileError, lambda: carom.load("no such scene.json")),
    ("no json", carom.InputError, lambda: carom.parse("{")),
    ("no version", carom.InputError, lambda: carom.parse("{}")),
    ("unknown key", carom.InputError, ball(bodys=[])),
    ("unknown kind", carom.InputError, ball(joints=[{"name": "j", "type": "hinge", "bodies": ["ground", "ball"]}])),
    ("unknown body", carom.InputError, ball(joints=[{"name": "j", "type": "revolute", "bodies": ["ground", "bal"]}])),
    ("wrong type", carom.InputError, body(position="here")),
    ("too few", carom.InputError, body(position=[0, 0])),
    ("negative mass", carom.InputError, body(mass=-1)),
    ("no mass", carom.InputError, ball(bodies=[{"name": "ball"}], forces=[])),
    ("name twice", carom.InputError, ball(bodies=2 * [{"name": "b", "mass": 1, "shape": {"sphere": 1}}], forces=[])),
    ("bad direction", carom.InputError, body(shape={"plane": [0, 0, 0]})),
    ("bad expression", carom.InputError, ball(forces=[{"name": "f", "type": "load", "body": "ball", "force": ["2*", 0, 0]}])),
    ("unknown signal", carom.InputError, ball(record={"signals": ["ball.velocity.w"]})),
    ("no mesh file", carom.Error, body(shape={"mesh": "none.stl"})),
    ("bad restitution", carom.InputError, ball(contact={"method": "impact", "restitution": 2})),
    ("bad method", carom.InputError, ball(contact={"method": "magic"})),
    ("bad override", carom.InputError, lambda: carom.load(scene("pendulum.json"), set={"bodies.rot.mass": 2})),
    ("bad unit", carom.InputError, ball(units={"length": "furlong"})),
    ("bad time", carom.InputError, ball(time={"end": -1})),
    ("several", carom.InputError, ball(bodies=[{"name": 3}, {"name": "b", "mass": "?"}], time={"end": -1})),
    ("impossible", (carom.Impossible, carom.NotConverged), lambda: carom.Spec({**BALL, "joints": PINS}).compile().state()),
    ("overlap", carom.Intersecting, lambda: sunk().advance(0.1)),
    ("overlap at start", carom.Intersecting, lambda: ball(bodies=[
        BALL["bodies"][0], {**BALL["bodies"][1], "position": [0, 0, 0]}])().run()),
    ("unknown observed", carom.InputError, lambda: started().observe("ball.speed")),
    ("not settable", carom.InputError, lambda: started().set("energy.kinetic", 3)),
    ("not finite", carom.InputError, lambda: started().set("ball.velocity.x", float("nan"))),
    ("fixed body", carom.InputError, lambda: started().set("floor", position=(0, 0, 1))),
    ("no quaternion", carom.InputError, lambda: started().set("ball", orientation=(2, 0, 0, 0))),
    ("no state", carom.InputError, lambda: carom.Spec(BALL).compile().restore(b"carom" * 30)),
    ("no checkpoint", carom.Error, lambda: carom.Spec(BALL).compile().state(checkpoint="nowhere")),
    ("no result", carom.Error, lambda: carom.read("nowhere")),
    ("no folder", carom.Error, lambda: carom.Spec(BALL).compile().run(folder="/proc/none/x")),
    ("no plot format", carom.Error, lambda: carom.Spec(BALL).compile().run(until=0.01).plot("energy.kinetic").save("a.gif")),
    ("batch of none", carom.InputError, lambda: carom.Spec(BALL).compile().batch(0)),
    ("mesh of none", carom.Error, lambda: carom.sdf("none.stl")),
]


@pytest.mark.parametrize("name, kind, make", CASES, ids=[c[0] for c in CASES])
def test_an_answer_is_an_exception(name, kind, make, monkeypatch):
    said = []
    real = carom._lib.error_of

    def listen(status, err):
        room = ctypes.create_string_buffer(2048)
        said.append((status, lib.carom_error_text(ctypes.byref(err), room, len(room)).decode()))
        return real(status, err)
    for module in (carom._lib, carom.model):
        monkeypatch.setattr(module, "error_of", listen)
    if name == "no file":  # found by Python before carom is asked
        kind = FileNotFoundError
    with pytest.raises(kind) as caught:
        make()
    problem = caught.value
    if isinstance(problem, carom.Error):
        status, text = said[-1]
        assert problem.args[0] == text and len(text) > 10
        assert problem.status == lib.carom_status_name(status).decode()
        assert str(problem).startswith(problem.all[0])
        assert not isinstance(problem, ValueError) or status == _c.CAROM_BAD_INPUT
    assert started().advance(0.05).time == 0.05  # the library goes on


def test_the_sentence_is_that_of_the_program(tmp_path):
    """Byte for byte, for a mistake alone and for several at once."""
    texts = ['{"carom": 1, "bodies": [{"name": "b", "mass": -1}]}',
             '{"carom": 1, "bodies": [{"name": 3}, {"nam": "b"}],\n "time": {"end": -1}}']
    for k, text in enumerate(texts):
        file = tmp_path / f"bad{k}.json"
        file.write_text(text)
        answer = subprocess.run([os.environ["CAROM_BIN"], "check", str(file)], capture_output=True, text=True, check=False)
        with pytest.raises(carom.InputError) as caught:
            carom.load(file)
        assert answer.stderr == "".join(f"carom: {line}\n" for line in str(caught.value).split("\n"))
        assert caught.value.file == str(file) and caught.value.line >= 1 and caught.value.path
