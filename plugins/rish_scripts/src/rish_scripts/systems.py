"""When scripts are called: in a tick in PRE, FORCES and UPDATE, and before a picture in LATE.

Scripts may write anything, so these systems declare `writes=World`; the views that scripts write through say which rows
they wrote.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from rish_core import Stage, World, system

from .hearing import hear_events
from .lifecycle import welcome
from .roster import Scripts
from .timers import run_timers


@system(Stage.PRE, writes=World, name="create")
def create_scripts(world: World, dt: float) -> None:
    """`on_create` and `on_start` of what came between two ticks."""
    with _at_work(world) as scripts:
        welcome(world, scripts)


@system(Stage.FORCES, writes=World, name="fixed_update")
def fixed_update(world: World, dt: float) -> None:
    """`on_fixed_update` of all."""
    with _at_work(world) as scripts:
        welcome(world, scripts)
        for troop in scripts.troops():
            if troop.defines("on_fixed_update"):
                scripts.call_each(troop, troop.cls.on_fixed_update, dt)


@system(Stage.UPDATE, writes=World, name="events")
def tell_events(world: World, dt: float) -> None:
    """The methods that events name, `on_hit` and the like."""
    with _at_work(world) as scripts:
        welcome(world, scripts)
        hear_events(world, scripts)


@system(Stage.UPDATE, writes=World, name="timers")
def tell_timers(world: World, dt: float) -> None:
    """Methods whose time has come, and steps of sequences."""
    with _at_work(world) as scripts:
        troops = {troop.name: troop for troop in scripts.troops()}

        def script_of(handle: int, name: str) -> Any:
            return troops[name].member(handle) if name in troops else None

        run_timers(world, script_of, scripts.call)


@system(Stage.UPDATE, writes=World, name="update")
def update(world: World, dt: float) -> None:
    """`on_update` of all, and `on_update_all` of each class."""
    with _at_work(world) as scripts:
        for troop in scripts.troops():
            if troop.defines("on_update"):
                scripts.call_each(troop, troop.cls.on_update, dt)
            if troop.defines("on_update_all"):
                scripts.call_all(troop, dt)


@system(Stage.LATE, writes=World, name="frame")
def show_frame(world: World, dt: float) -> None:
    """`on_frame` of all."""
    with _at_work(world) as scripts:
        for troop in scripts.troops():
            if troop.defines("on_frame"):
                scripts.call_each(troop, troop.cls.on_frame, world.alpha)


def _at_work(world: World) -> AbstractContextManager[Scripts]:
    scripts: Scripts = world[Scripts]
    return scripts.at_work(world)
