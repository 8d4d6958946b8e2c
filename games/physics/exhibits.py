"""The exhibits: for each scene, how it is built, the action of the space key, and the script of its tour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rish_core import World

from . import fields, hanging, machines, stacks, surfaces

Drag = tuple[float, float, tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class Exhibit:
    """One scene of the gallery.

    build: adds the entities that are not in the manifest. act: the action of the space key. seconds: duration of the
    tour. acts: the seconds at which the tour presses space. drags: start and end second, the place on the screen where
    the tour grabs, and the place to which it drags. drives: start and end second of driving.
    """

    build: Callable[[World], None]
    act: Callable[[World], None]
    seconds: float = 9.0
    acts: tuple[float, ...] = (3.0, 6.0)
    drags: tuple[Drag, ...] = ()
    drives: tuple[float, float] = (0.0, 0.0)


EXHIBITS = {
    "pyramid": Exhibit(stacks.pyramid, stacks.throw_ball, acts=(2.0, 4.0, 6.0)),
    "dominoes": Exhibit(stacks.dominoes, stacks.push_first, 13.0, acts=(1.0,)),
    "cradle": Exhibit(hanging.cradle, hanging.lift_two, acts=(5.0,)),
    "bridge": Exhibit(hanging.bridge, hanging.drop_weight, acts=(2.0, 4.0, 6.0)),
    "ragdolls": Exhibit(hanging.ragdolls, hanging.toss, acts=(3.0,), drags=((5.0, 8.0, (520, 90), (600, 420)),)),
    "cloth": Exhibit(
        hanging.cloth, hanging.throw_at_cloth, 10.0, acts=(2.5, 4.5), drags=((6.0, 8.5, (510, 210), (760, 300)),)
    ),
    "tumbler": Exhibit(machines.tumbler, machines.turn_round, acts=(5.0,)),
    "vehicle": Exhibit(machines.vehicle, machines.jump, 15.0, acts=(6.0,), drives=(0.5, 14.5)),
    "joints": Exhibit(machines.joints, machines.shake_joints, acts=(6.0,), drags=((2.0, 5.0, (270, 130), (180, 60)),)),
    "bounce": Exhibit(surfaces.bounce, surfaces.throw_up, acts=(6.5,)),
    "friction": Exhibit(surfaces.friction, surfaces.again, acts=(6.0,)),
    "pile": Exhibit(stacks.pile, stacks.blast_pile, acts=(5.0,)),
    "platforms": Exhibit(surfaces.platforms, surfaces.drop_crate, 11.0, acts=(3.0, 5.0)),
    "water": Exhibit(fields.water, fields.drop_crate, acts=(4.0, 6.0)),
    "orbits": Exhibit(fields.orbits, fields.comet, 10.0, acts=(2.0, 6.0)),
}
"""The exhibits, in the order of the manifest's scenes."""
