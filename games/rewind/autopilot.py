"""The autopilot: plays when there is no player, as a demonstration.

It presses the same keys as a person and rewinds as a person would. Its plan continues while time runs back, so the
entity that carries it is timeless.
"""

from __future__ import annotations

from rish_core import Input, Scenes, Stage, World, system
from rish_history import History

from .components import Pilot

AFTER = 1.0
"""Seconds without a key after which the autopilot starts."""
PLANS: dict[str, list[tuple[str, int]]] = {
    "pit": [("right", 92), ("wait", 34), ("rewind", 124), ("left", 46), ("wait", 200)],
    "gate": [("left", 140), ("wait", 4), ("rewind", 142), ("right", 90), ("wait", 200)],
    "both": [
        ("left", 98), ("wait", 4), ("rewind", 100), ("right", 76), ("wait", 24), ("rewind", 96), ("left", 62),
        ("wait", 200),
    ],
    "end": [("wait", 200), ("jump", 2)],
}  # fmt: skip
"""The actions of each level, and for how many ticks each is held. A rewind goes back by that many ticks."""


@system(Stage.INPUT, writes=(Input, Pilot), reads=Scenes)
def autopilot(world: World, dt: float) -> None:
    """Continue the plan of this level, unless a person is playing."""
    keys, history = world[Input], world[History]
    plan = PLANS.get(world[Scenes].current, [])
    for entity in world.query(Pilot).entities.tolist():
        pilot = world.get(entity, Pilot)
        if keys.touched:
            if pilot.active:
                keys.release_all()
            world.set(entity, Pilot(step=len(plan), idle=0.0, active=False))
            continue
        idle = pilot.idle + dt
        step, ticks = pilot.step, pilot.ticks
        if idle < AFTER or step >= len(plan):
            if idle < 2 * dt:
                keys.release_all()  # keys still held from the previous level
            world.set(entity, Pilot(idle=idle))
            continue
        what, length = plan[step]
        if ticks == 0:
            keys.release_all()
            if what not in ("wait", "rewind"):
                keys.press(what)
        if what == "rewind" and ticks == 0:
            history.rewind(max(0, world.tick - length))
        done = ticks + 1 >= length or what == "rewind"
        world.set(
            entity, Pilot(step=step + 1 if done else step, ticks=0 if done else ticks + 1, idle=idle, active=True)
        )
