"""The numbers of a step."""

from __future__ import annotations

from copy import copy

import numpy as np
from physics_rig import Rig, Scene

from rish_dynamics import soften
from rish_physics.solver.soft import CLOSED, INVERSE_H, JOINT, MASS, RATE, STILL, H, numbers_of


def test_numbers_are_made_once() -> None:
    """The numbers are computed once, until the settings or dt change."""
    state = Rig(Scene()).state
    first = numbers_of(state)
    assert numbers_of(state) is first
    state.dt = 1 / 30
    second = numbers_of(state)
    assert second[H] == np.float32(1 / 120)
    assert second[INVERSE_H] == np.float32(120)
    state.scaled = copy(state.scaled)
    state.scaled.substeps = 8
    assert numbers_of(state)[H] == np.float32(1 / 240)


def test_no_constraint_is_stiffer_than_the_substeps_can_follow() -> None:
    """The frequency is limited to a quarter of the sub-steps' rate, and half of it against static bodies."""
    state = Rig(Scene(), contact_hertz=1000.0, static_hertz=1000.0, joint_hertz=1000.0).state
    numbers = numbers_of(state)
    for place, hertz, damping in ((0, 60, 10.0), (STILL, 120, 10.0), (JOINT, 60, 2.0)):
        rate, mass, _ = soften(hertz, damping, 1 / 240)
        assert numbers[place + RATE] == np.float32(rate)
        assert numbers[place + MASS] == np.float32(mass)


def test_shorter_substeps_have_stiffer_contacts() -> None:
    """The stiffness is that of sub-steps of 1/240 s; it rises for shorter ones, and does not fall for longer ones."""
    for substeps, hertz in ((4, 30.0), (16, 120.0), (2, 30.0)):
        h = 1 / (60 * substeps)
        numbers = numbers_of(Rig(Scene(), substeps=substeps).state)
        rate, mass, _ = soften(min(hertz, 0.25 / h), 10.0, h)
        assert numbers[RATE] == np.float32(rate)
        assert numbers[MASS] == np.float32(mass)


def test_a_world_without_gravity_is_closed() -> None:
    """A world without gravity is closed: angular momentum is kept; see `contact.common_place`."""
    assert numbers_of(Rig(Scene(), gravity=(0, 0)).state)[CLOSED] > 0
    assert numbers_of(Rig(Scene(), gravity=(0, -10)).state)[CLOSED] == 0
    assert numbers_of(Rig(Scene(), gravity=(1, 0)).state)[CLOSED] == 0
