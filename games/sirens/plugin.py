"""Sirens: five exhibits about sound, with instruments that show what is mixed.

`street.py`, `field.py`, `walls.py`, `crowd.py` and `desk.py` are the exhibits, `gallery.py` lists them and handles keys
and buttons, `walking.py` moves the walker, `tour.py` shows the exhibits when there is no input. `table.py` shows the
voices, `instruments.py` what the mixer mixed; both only draw, with the help of `pen.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About, World
from rish_history import History

from . import components, crowd, desk, field, gallery, instruments, street, table, tour, walking, walls
from .components import Needles, Readings, Settings, Trace, Visit


def rish_about() -> About:
    """Sirens needs drawing, widgets, sound and history."""
    return About(requires=["render", "ui", "audio", "history"], description="five exhibits about sound")


def rish_settings() -> type:
    """Return the class of `settings: game:`."""
    return Settings


def rish_components() -> list[type]:
    """Return the components of the exhibits."""
    return [
        components.Walker,
        components.Car,
        components.Wall,
        components.Door,
        components.Place,
        components.Member,
        components.Row,
        components.Pilot,
    ]


def rish_resources() -> list[type]:
    """Return the state of the visit, what labels show, and what the instruments remember."""
    return [Visit, Readings, Needles, Trace]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems, in the order of a tick; those that draw come last."""
    return [
        tour.tour,
        gallery.listen,
        walking.walk,
        street.drive,
        crowd.come,
        desk.handle,
        gallery.take_readings,
        table.write_rows,
        street.trace,
        street.draw_street,
        field.draw_field,
        walls.draw_rays,
        crowd.draw_crowd,
        desk.draw_desk,
        table.draw_table,
        instruments.draw_instruments,
        gallery.draw_rewind,
    ]


def rish_scene_loaded(world: World, scene: str) -> None:
    """Build the exhibit; a rewind stops at its begin."""
    gallery.build(world, scene)
    if world[History].kept:
        world[History].forget()
