"""The shortest program: a pendulum from a file, its result as arrays, a plot.

    PYTHONPATH=python python3 examples/python/swing.py
"""
import os

import carom

here = os.path.dirname(os.path.abspath(__file__))
model = carom.load(os.path.join(here, "..", "scenes", "pendulum.json"))
result = model.run(until=2)
print(result)
print(f"largest force on the hinge: {result['hinge.force'].max():.2f} {result.unit('hinge.force')}")
result.plot("hinge.angle", "hinge.force", title="A rod swings from the horizontal").save("swing.svg")
