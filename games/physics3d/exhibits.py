"""The exhibits: for each scene, how it is built, the action of the space key, and the script of its tour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rish_core import World

from . import hanging, machines, spinning, stacks, surfaces

Drag = tuple[float, float, tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class Exhibit:
    """One scene of the gallery.

    build: adds the entities that are not in the manifest. act: the action of the space key. seconds: duration of the
    tour. acts: the seconds at which the tour presses space. drags: start and end second, the place on the screen where
    the tour grabs, and the place to which it drags. drives: start and end second of driving.
    solves: the seconds at which it changes the solver.
    """

    build: Callable[[World], None]
    act: Callable[[World], None]
    seconds: float = 9.0
    acts: tuple[float, ...] = (3.0, 6.0)
    drags: tuple[Drag, ...] = ()
    drives: tuple[float, float] = (0.0, 0.0)
    solves: tuple[float, ...] = ()


EXHIBITS = {
    "pyramid": Exhibit(stacks.pyramid, stacks.throw_ball, acts=(2.0, 4.0, 6.0)),
    "stack": Exhibit(stacks.stack, stacks.throw_small_ball, 13.0, acts=(), solves=(2.0, 6.0)),
    "dominoes": Exhibit(stacks.dominoes, stacks.push_first, 13.0, acts=(1.0,)),
    "wrecking": Exhibit(stacks.wrecking, stacks.swing_again, 11.0, acts=(5.0,)),
    "paper": Exhibit(stacks.paper, stacks.fire, 8.0, acts=(2.0,)),
    "top": Exhibit(spinning.top, spinning.spin_up, 12.0, acts=(8.0,)),
    "flip": Exhibit(spinning.flip, spinning.nudge, 12.0, acts=(8.0,)),
    "friction": Exhibit(surfaces.friction, surfaces.slide, 7.0, acts=(3.5,)),
    "cradle": Exhibit(hanging.cradle, hanging.lift_two, acts=(5.0,)),
    "bridge": Exhibit(hanging.bridge, hanging.drop_weight, acts=(2.0, 4.0, 6.0)),
    "ragdolls": Exhibit(hanging.ragdolls, hanging.toss, acts=(5.0,)),
    "cloth": Exhibit(hanging.cloth, hanging.throw_at_cloth, 10.0, acts=(3.0, 6.0)),
    "tumbler": Exhibit(machines.tumbler, machines.turn_round, acts=(5.0,)),
    "marbles": Exhibit(surfaces.marbles, surfaces.drop_marbles, 12.0, acts=(6.0,)),
    "vehicle": Exhibit(machines.vehicle, machines.jump, 14.0, acts=(7.0,), drives=(0.5, 13.0)),
    "joints": Exhibit(machines.joints, machines.shake_joints, acts=(5.0,)),
    "bounce": Exhibit(surfaces.bounce, surfaces.throw_up, acts=(6.5,)),
}
"""The exhibits, in the order of the manifest's scenes."""
