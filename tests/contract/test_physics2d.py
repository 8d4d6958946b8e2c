"""Both providers of `physics2d` pass the same contract."""

from __future__ import annotations

from rish_physics import plugin as physics
from rish_physics.testing import Physics2DContract
from rish_teach import plugin as teach


class TestPhysics(Physics2DContract):
    """The provider with kernels, which has all capabilities."""

    plugin = physics


class TestTeach(Physics2DContract):
    """The provider in plain Python, which has few."""

    plugin = teach
