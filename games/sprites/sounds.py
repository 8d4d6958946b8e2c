"""The sounds of the crowd, where the plugin audio is installed. The sounds themselves are in `sounds.yaml`."""

from __future__ import annotations

from typing import Any

from rish_core import Input, Stage, World, every, system
from rish_jit import maths

from .components import Hopper

FULL = 20_000
"""The number of hoppers from which the crowd is at its loudest."""
LOOPS = {"murmur": 1.0, "chatter": 0.7, "patter": 0.8}
"""The sounds of the crowd, with their greatest gain."""
MODES = {"move": "click", "turn": "click", "sort": "click", "zoom": "zoom"}


def command(world: World, verb: str = "play", **values: Any) -> None:
    """Send a command to the plugin audio; without it, nothing happens. values: fields of `audio.SoundCommand`."""
    kind = world.kind("audio.SoundCommand")
    if kind is not None:
        world.emit(kind, verb=verb, **values)


@system(Stage.UPDATE, reads=Input)
def hear_keys(world: World, dt: float) -> None:
    """Click for keys, and pop while hoppers come and go."""
    keys = world[Input]
    for action, name in MODES.items():
        if keys.pressed(action):
            command(world, sound=name)
    across = 2 * keys.pointer[0] / 960 - 1
    if keys.down("add"):
        command(world, sound="come", pan=max(-0.8, min(0.8, across)))
    if keys.down("take"):
        command(world, sound="go")


@system(Stage.UPDATE, reads=Hopper, run_if=every(15))
def murmur(world: World, dt: float) -> None:
    """Let the crowd be as loud as it is large: each doubling adds the same."""
    count = len(world.query(Hopper))
    share = min(1.0, maths.log(1.0 + count / 20) / maths.log(1.0 + FULL / 20))
    for name, most in LOOPS.items():
        command(world, "set", sound=name, parameter="gain", value=most * share * share, fade=0.25)
