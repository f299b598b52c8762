"""The kernels for themselves: a distance field sampled at many points, a collision query, an impact."""
import os
import subprocess

import numpy as np

import carom

gear = "gear.stl"
subprocess.run([os.environ.get("CAROM_BIN", "carom"), "mesh", "make", "gear", gear], check=True)
field = carom.sdf(gear, resolution=64)
low, high = np.array(field.info["low"]), np.array(field.info["high"])
points = np.random.default_rng(0).uniform(low, high, (100_000, 3))
inside = field(points) < 0
volume = inside.mean() * np.prod(high - low)
print(f"volume by counting points: {volume:.4e} m^3, of the mesh: {field.info['volume']:.4e} m^3")
assert abs(volume / field.info["volume"] - 1) < 0.05

after, impulse, _ = carom.impact([[2.0, -1.0], [-1.0, 2.0]], [-1.0, 0.0], restitution=1.0)  # a row of three balls
print("three balls in a row, velocities of the gaps after the impact:", after)
