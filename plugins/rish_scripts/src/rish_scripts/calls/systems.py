"""The systems that call scripts: in PRE, FORCES and UPDATE of a tick, and in LATE of a frame.

Scripts may write anything, so these systems declare `writes=World`; the views of scripts mark the rows that were
written.
"""

from __future__ import annotations

from rish_core import Stage, World, system

from ..timers import due_timers, run_timers
from .event_handlers import call_event_methods, handled_events
from .lifecycle import start_scripts
from .registry import scripts_of


@system(Stage.PRE, writes=World, events=(), name="create")
def create_scripts(world: World, dt: float) -> None:
    """Call `on_create` and `on_start` of the scripts that were added between two ticks."""
    start_scripts(world, scripts_of(world))


@system(Stage.FORCES, writes=World, events=(), name="fixed_update")
def fixed_update(world: World, dt: float) -> None:
    """Call `on_fixed_update` of all scripts."""
    scripts = scripts_of(world)
    start_scripts(world, scripts)
    for script_class in scripts.classes("on_fixed_update"):
        scripts.call_each(script_class, script_class.cls.on_fixed_update, dt)


@system(Stage.UPDATE, writes=World, events=handled_events, name="events")
def tell_events(world: World, dt: float) -> None:
    """Call the methods of events, such as `on_hit`."""
    scripts = scripts_of(world)
    start_scripts(world, scripts)
    call_event_methods(world, scripts)


@system(Stage.UPDATE, writes=World, events=(), name="timers")
def tell_timers(world: World, dt: float) -> None:
    """Call the methods of timers that have expired, and the steps of sequences."""
    if (due := due_timers(world)) is not None:
        scripts = scripts_of(world)
        with scripts.watchdog:
            run_timers(world, due, scripts.member, scripts.call)


@system(Stage.UPDATE, writes=World, events=(), name="update")
def update(world: World, dt: float) -> None:
    """Call `on_update` of all scripts, and `on_update_all` of each class."""
    scripts = scripts_of(world)
    for script_class in scripts.classes("on_update", "on_update_all"):
        if script_class.updates:
            scripts.call_each(script_class, script_class.cls.on_update, dt)
        if script_class.updates_all:
            scripts.call_all(script_class, dt)


@system(Stage.LATE, writes=World, events=(), name="frame")
def show_frame(world: World, dt: float) -> None:
    """Call `on_frame` of all scripts."""
    scripts = scripts_of(world)
    for script_class in scripts.classes("on_frame"):
        scripts.call_each(script_class, script_class.cls.on_frame, world.alpha)
