"""Many states at once: from which height, and how fast sideways, does a ball hop over a step?"""
import numpy as np

import carom

spec = carom.Spec(name="hop", gravity=(0, 0, -9.81), time={"end": 3})
spec.contact(method="impact", restitution=0.8)
spec.body("floor", shape={"plane": (0, 0, 1)}, fixed=True)
spec.body("step", shape={"box": (0.1, 1, 0.4)}, position=(1, 0, 0.2), fixed=True)
spec.body("ball", shape={"sphere": 0.05}, density=1000, position=(0, 0, 0.6))
model = spec.compile()

heights, speeds = np.meshgrid(np.linspace(0.3, 1.2, 13), np.linspace(0.2, 2, 13))
batch = model.batch(heights.size)
batch.set("ball.position.z", heights).set("ball.velocity.x", speeds)
batch.advance(3)
over = batch.observe("ball.position.x").reshape(heights.shape) > 1
print(f"{over.sum()} of {over.size} balls came over; {len(batch.errors)} states failed")
for row in over[::-1]:
    print("  " + "".join("#" if one else "." for one in row))
again = model.batch(heights.size).set("ball.position.z", heights).set("ball.velocity.x", speeds).advance(3, threads=1)
assert again.hashes == batch.hashes  # numbers do not depend on threads
assert over.any() and not over.all()
