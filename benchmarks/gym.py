"""Environments: steps of Breakout for a learner, episodes that begin, and many games at once.

`cartpole` is gymnasium's own smallest environment, whose step is four lines of arithmetic: it shows what the interface
costs. The limit of `tick` stands for 5,000 ticks in a second.
"""

from __future__ import annotations

from .harness import Case

CASES = [
    Case("tick", "µs", {"rish": "_gym_rish:tick", "cartpole": "_gym_rish:cartpole"}, limit=200),
    Case("step_skip_4", "µs", {"rish": "_gym_rish:step", "cartpole": "_gym_rish:cartpole"}),
    Case("reset", "ms", {"rish": "_gym_rish:reset"}),
    Case("vector_8", "µs", {"rish": "_gym_rish:vector"}),
]
