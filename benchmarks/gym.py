"""Environments: ticks of Breakout for a learner, episodes that begin, and many games at once.

`cartpole` is gymnasium's own smallest environment, whose step is four lines of arithmetic: it shows what the interface
costs. `tick` is a tick of a step of four, as the game's task declares it; its limit stands for 5,000 ticks in a second.
`step_of_one` is a step of a single tick, with its observation. `step` and `pixels` are steps of four ticks beside those
of four frames in the Arcade Learning Environment (ale-py): with the observation of the task beside the memory of the
Atari, and with gray pictures, 84 x 84 beside its 160 x 210.
"""

from __future__ import annotations

from .harness import Case

CASES = [
    Case("tick", "µs", {"rish": "_gym_rish:tick", "cartpole": "_gym_rish:cartpole"}, limit=200),
    Case("step_of_one", "µs", {"rish": "_gym_rish:step_of_one", "cartpole": "_gym_rish:cartpole"}),
    Case("step", "µs", {"rish": "_gym_rish:step", "ale": "_gym_ale:step"}),
    Case("pixels", "µs", {"rish": "_gym_rish:pixels", "ale": "_gym_ale:pixels"}),
    Case("reset", "ms", {"rish": "_gym_rish:reset"}),
    Case("vector_8", "µs", {"rish": "_gym_rish:vector"}),
]
