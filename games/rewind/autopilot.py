"""The autopilot: plays when there is no player, as a demonstration.

It presses the same keys as a person, clicks the same buttons, and rewinds as a person would. Its plan continues while
time runs back, so the entity that carries it is timeless.
"""

from __future__ import annotations

from typing import Any

from rish_core import Input, Scenes, Stage, World, system
from rish_history import History
from rish_ui import Screen, click, modal_open

from .components import Pilot, Visit

AFTER, AFTER_HAND = 1.0, 40.0
"""Seconds without input after which the autopilot starts; AFTER_HAND applies once a person has played."""
PLANS: dict[str, list[tuple[str, int]]] = {
    "title": [("wait", 600), ("title_screen.choices.play", 1)],
    "pit": [("right", 92), ("wait", 34), ("rewind", 124), ("left", 46), ("wait", 200)],
    "gate": [("left", 140), ("wait", 4), ("rewind", 142), ("right", 90), ("wait", 200)],
    "both": [
        ("left", 98), ("wait", 4), ("rewind", 100), ("right", 76), ("wait", 24), ("rewind", 96), ("left", 62),
        ("wait", 200),
    ],
    "end": [("wait", 300), ("ending.choices.leave", 1)],
}  # fmt: skip
"""The actions of each level, and for how many ticks each is held. A rewind goes back by that many ticks; a name with
dots is a button that is clicked."""


@system(Stage.INPUT, writes=World, reads=(Input, Scenes, Screen))
def autopilot(world: World, dt: float) -> None:
    """Continue the plan of this level, unless a person is playing or has a menu open."""
    keys = world[Input]
    plan = PLANS.get(world[Scenes].current, [])
    for entity in world.query(Pilot).entities.tolist():
        pilot = world.get(entity, Pilot)
        if keys.touched:
            if pilot.active:
                keys.release_all()
            world[Visit].by_hand = True
            world.set(entity, Pilot(step=len(plan), idle=0.0, active=False))
            continue
        if modal_open(world):  # a person reads a menu
            world.set(entity, Pilot(idle=0.0))
            continue
        idle = pilot.idle + dt
        if idle < (AFTER_HAND if world[Visit].by_hand else AFTER) or pilot.step >= len(plan):
            if idle < 2 * dt:
                keys.release_all()  # keys still held from the previous level
            world.set(entity, Pilot(idle=idle))
            continue
        _go_on(world, entity, pilot, idle, plan[pilot.step])


def _go_on(world: World, entity: int, pilot: Any, idle: float, what: tuple[str, int]) -> None:
    """Do one tick of a step of the plan."""
    keys, (name, length) = world[Input], what
    world[Visit].by_hand = False
    if pilot.ticks == 0:
        keys.release_all()
        if name == "rewind":
            world[History].rewind(max(0, world.tick - length))
        elif "." in name:
            click(world, name)
        elif name != "wait":
            keys.press(name)
    done = pilot.ticks + 1 >= length or name == "rewind"
    step, ticks = (pilot.step + 1, 0) if done else (pilot.step, pilot.ticks + 1)
    world.set(entity, Pilot(step=step, ticks=ticks, idle=idle, active=True))
