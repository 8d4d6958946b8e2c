"""The autopilot: demonstrates the game when there is no player, by pressing the same keys as a person."""

from __future__ import annotations

from rish_core import Input, Stage, World, system
from rish_jit import maths

from .components import Choice, Hopper, Pilot, Settings
from .crowd import HEIGHT, WIDTH

CROWD = 2000
"""The number of hoppers that it adds before it begins to press keys."""
_ROUND = (("turn", 4.0), ("turn", 7.0), ("zoom", 9.0), ("sort", 12.0), ("sort", 14.0), ("zoom", 17.0), ("move", 20.0))
"""The keys that it presses, and the seconds of a round at which it presses them."""
_ROUND_TIME = 22.0


@system(Stage.INPUT, reads=(Hopper, Settings, Choice), writes=(Input, Pilot))
def autopilot(world: World, dt: float) -> None:
    """Hand back control at the first input, and take over again after a time without input."""
    keys, pilot = world[Input], world[Pilot]
    if keys.touched:
        pilot.idle = 0.0
        if pilot.active:
            pilot.active = False
            keys.release_all()
        return
    pilot.idle += dt
    if not pilot.active:
        pilot.active = pilot.idle >= world[Settings].relieve_after
        pilot.time = 0.0
        return
    before, pilot.time = pilot.time, pilot.time + dt
    keys.move(WIDTH * (0.5 + 0.38 * maths.sin(1.9 * pilot.time)), HEIGHT * (0.68 + 0.16 * maths.sin(2.7 * pilot.time)))
    if len(world.query(Hopper)) < CROWD:
        keys.press("add")
    else:
        keys.release("add")
        _switch(keys, before % _ROUND_TIME, pilot.time % _ROUND_TIME)
        if not world[Choice].moving and pilot.time % 2 < dt:
            keys.tap("move")


def _switch(keys: Input, before: float, now: float) -> None:
    """Press the keys whose moment is between two times of the round, in seconds."""
    for key, moment in _ROUND:
        if before < moment <= now:
            keys.tap(key)
