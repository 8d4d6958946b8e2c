"""Lifecycle: scripts are called when they are added, when the simulation starts, and when it stops.

Every row of a table has the number of the change that added it. So one number is enough to know for which scripts
`on_create` was called: scripts of a restored world are not created twice, and those spawned just before a snapshot are
not missed.
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
    """Whether the simulation runs, and for which scripts `on_create` was called.

    running: False before the first tick, and in an editor. seen: the number of the last structure change whose added
    scripts were called.
    """

    running: bool = False
    seen: int = 0


def start_scripts(world: World, scripts: Scripts) -> None:
    """Call `on_create` of scripts that were added, class by class; in the first tick, call `on_start` of all."""
    simulation: Simulation = world[Simulation]
    sequence = world.changes.sequence
    if simulation.seen == sequence and simulation.running:
        return
    since, simulation.seen = simulation.seen, sequence
    for script_class in scripts.classes("on_create"):
        table = script_class.binding.table
        with scripts.watchdog:
            for handle in table.entities[table.added_at[: len(table)] > since].tolist():
                scripts.call(script_class.binding.at(handle), "on_create")
    if not simulation.running:
        simulation.running = True
        _call_all(scripts, "on_start")


def stop(world: World) -> None:
    """Stop the simulation: call `on_stop` of all scripts. The next tick calls `on_start` again."""
    simulation: Simulation = world[Simulation]
    if simulation.running:
        _call_all(world[Scripts], "on_stop")
        simulation.running = False


def inspect(world: World, entity: int, ui: Any, cls: type = Script) -> bool:
    """Call `on_inspect(ui)` of the scripts of an entity; for editors, between two ticks or in a function for `defer`.

    cls: only scripts of this class. Errors are logged, each line of code once, and never raised; they are no faults.
    Returns whether every call succeeded. An entity that is gone has no scripts.
    """
    scripts: Scripts = world[Scripts]
    succeeded = True
    with scripts.watchdog:
        for script in scripts.of(entity):
            if isinstance(script, current(cls)) and overrides(type(script), "on_inspect"):
                succeeded &= bool(scripts.call(script, "on_inspect", ui, check=lambda _: True))
    return succeeded


def _call_all(scripts: Scripts, method: str) -> None:
    for script_class in scripts.classes(method):
        with scripts.watchdog:
            for script in script_class.members():
                scripts.call(script, method)
