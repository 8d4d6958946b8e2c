"""Lifecycle: scripts are called when they are added, when the simulation starts, and when it stops.

Every row of a table has the number of the change that added it. So one number is enough to know which scripts had their
`on_create`: scripts of a restored world are not created twice, and those spawned just before a snapshot are not missed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import resource
from rish_ecs.declarations import current

from ..script import Script, overrides
from .registry import Scripts

if TYPE_CHECKING:
    from rish_core import World


@resource
class Simulation:
    """Whether the simulation runs, and which scripts had their `on_create`.

    running: False before the first tick, and in an editor. seen: the number of the last structure change whose added
    scripts were called.
    """

    running: bool = False
    seen: int = 0


def welcome(world: World, scripts: Scripts) -> None:
    """Call `on_create` of the scripts that were added, class by class, and `on_start` of all in the first tick."""
    life: Simulation = world[Simulation]
    now = world.changes.sequence
    if life.seen == now and life.running:
        return
    since, life.seen = life.seen, now
    for script_class in scripts.classes("on_create"):
        table = script_class.binding.table
        with scripts.watchdog:
            for handle in table.entities[table.added_at[: len(table)] > since].tolist():
                scripts.call(script_class.binding.at(handle), "on_create")
    if not life.running:
        life.running = True
        _tell_all(scripts, "on_start")


def stop(world: World) -> None:
    """Stop the simulation: call `on_stop` of all scripts. The next tick calls `on_start` again."""
    life: Simulation = world[Simulation]
    if life.running:
        _tell_all(world[Scripts], "on_stop")
        life.running = False


def inspect(world: World, entity: int, ui: Any, cls: type = Script) -> bool:
    """Call `on_inspect(ui)` of the scripts of an entity; for editors, between two ticks or in a function for `defer`.

    cls: only scripts of this class. Errors are logged, each line of code once, and never raised; they are no faults.
    Returns whether every call succeeded. An entity that is gone has no scripts.
    """
    scripts: Scripts = world[Scripts]
    fine = True
    with scripts.watchdog:
        for script in scripts.of(entity):
            if isinstance(script, current(cls)) and overrides(type(script), "on_inspect"):
                fine &= bool(scripts.call(script, "on_inspect", ui, check=lambda _: True))
    return fine


def _tell_all(scripts: Scripts, method: str) -> None:
    for script_class in scripts.classes(method):
        with scripts.watchdog:
            for script in script_class.members():
                scripts.call(script, method)
