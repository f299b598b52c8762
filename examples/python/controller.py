"""A controller in Python: a rod is held upright by a torque that is computed every 10 ms."""
import carom

spec = carom.Spec(name="upright", gravity=(0, -9.81, 0), time={"end": 2})
spec.input("torque", unit="N*m")
spec.body("rod", shape={"box": (0.05, 1, 0.05)}, mass=2, position=(0, 0.5, 0))
spec.revolute("pivot", bodies=("ground", "rod"))
spec.motor("motor", joint="pivot", target="input.torque")

state = spec.compile().state()
state.set("pivot", angle=0.3, rate=0)
while state.time < 2 - 1e-9:
    angle, rate = state.observe("pivot.angle", "pivot.angle.rate")
    state.inputs["torque"] = max(-8, min(8, -40 * angle - 8 * rate))  # what the motor can do: 8 N m
    state.advance(0.01)
angle = state.observe("pivot.angle")
print(f"after {state.time:.2f} s the rod is {angle:.6f} rad off the vertical")
assert abs(angle) < 0.01
