"""What the tests of the package share."""
import os

import pytest

import carom

ROOT = os.environ["CAROM_SOURCE_DIR"]

BALL = {
    "carom": 1, "name": "ball", "gravity": [0, 0, -9.81], "time": {"end": 1},
    "inputs": {"push": {"unit": "N"}},
    "contact": {"method": "impact", "restitution": 0.8},
    "bodies": [{"name": "floor", "fixed": True, "shape": {"plane": [0, 0, 1]}},
               {"name": "ball", "mass": 3, "shape": {"sphere": 0.06}, "position": [0, 0, 0.3]}],
    "forces": [{"name": "load", "type": "load", "body": "ball", "force": ["input.push", 0, 0]}],
}


def scene(name):
    return os.path.join(ROOT, "examples", "scenes", name)


@pytest.fixture
def pendulum():
    return carom.load(scene("pendulum.json"))


@pytest.fixture
def ball():
    return carom.Spec(BALL).compile()
