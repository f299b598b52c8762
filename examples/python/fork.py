"""Forks: what would have happened if? A state is copied, one copy gets a push, both go on."""
import pickle

import carom

spec = carom.Spec(name="fork", gravity=(0, 0, -9.81), time={"end": 2})
spec.contact(method="impact", restitution=0.7, friction=0.3)
spec.body("floor", shape={"plane": (0, 0, 1)}, fixed=True)
spec.body("die", shape={"box": (0.1, 0.1, 0.1)}, density=500, position=(0, 0, 0.5), angular_velocity=(3, 2, 1))
model = spec.compile()

state = model.state().advance(until=0.25)  # before it lands
saved = pickle.dumps(state)                # for a file, or another process
pushed = state.copy()
pushed["die"].velocity = pushed["die"].velocity + (0.5, 0, 0)
for s in (state, pushed):
    s.advance(until=2)
print(f"the die lies at x = {state['die'].position[0]:.3f} m; pushed, at x = {pushed['die'].position[0]:.3f} m")
assert pickle.loads(saved).advance(until=2).hash == state.hash  # the same bits
assert pushed.hash != state.hash
