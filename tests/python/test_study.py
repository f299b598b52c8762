"""Studies from Python: the rows of the program."""
import json
import os
import subprocess

import numpy as np
import pytest

import carom
from conftest import BALL


@pytest.fixture
def file(tmp_path):
    """A ball falls 0.24 m and rebounds: its height after is e^2 of that before."""
    scene = {**BALL, "variables": {"e": 0.8}, "contact": {"method": "impact", "restitution": "$e"}, "time": {"end": 0.25},
             "record": {"every": 0.01, "signals": ["ball.velocity.z"]}}
    (tmp_path / "ball.json").write_text(json.dumps(scene))
    study = {"carom-study": 1, "name": "rebound", "scene": "ball.json", "sampling": {"random": {"runs": 12, "seed": 3}},
             "vary": {"variables.e": {"uniform": [0.5, 0.9]}}, "measures": {"speed": {"max": "ball.velocity.z"}}}
    (tmp_path / "study.json").write_text(json.dumps(study))
    return tmp_path / "study.json"


def test_rows_are_those_of_the_program(file, tmp_path):
    study = carom.study(file)
    seen = []
    table = study.run(tmp_path / "python", workers=2, progress=seen.append).table
    assert len(study) == len(table) == 12 and set(table["status"]) == {"done"}
    assert study.variables == ["variables.e"] and study.units == {"speed": "m/s"}
    speed = np.sqrt(2 * 9.81 * 0.24)
    fall = 0.23 - np.sqrt(2 * 0.24 / 9.81)  # the frame behind the impact
    assert np.allclose(table["speed"], table["variables.e"] * speed - 9.81 * fall, atol=9.81 * 0.011)
    answer = subprocess.run([os.environ["CAROM_BIN"], "sweep", str(file), "-o", str(tmp_path / "cli")],
                            capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert (tmp_path / "cli" / "table.csv").read_bytes() == (tmp_path / "python" / "table.csv").read_bytes()
    one = study.evaluate(7)
    assert one["speed"] == table["speed"][7] and one["run"] == 7
    assert study.probability("speed") == 1.0
    assert "speed" in study.summary
    again = carom.study(tmp_path / "python").run(tmp_path / "python").table
    assert np.array_equal(again["speed"], table["speed"])
    with pytest.raises(KeyError, match="there are: speed"):
        study.probability("height")


def test_what_progress_raises_comes_through(file, tmp_path):
    def stop(_rows):
        raise KeyboardInterrupt
    study = carom.study(file)
    try:
        study.run(tmp_path / "left", progress=stop)
    except KeyboardInterrupt:
        pass  # a sweep that was done before it was asked is done
    assert len(study.run(tmp_path / "left").table) == 12


def test_a_bad_study_is_refused(tmp_path):
    (tmp_path / "bad.json").write_text('{"carom-study": 1, "scene": "none.json"}')
    with pytest.raises(carom.Error):
        carom.study(tmp_path / "bad.json")
