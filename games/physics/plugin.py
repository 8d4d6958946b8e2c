"""The gallery's own plugin: what it declares, and what happens when an exhibit is opened.

`exhibits.py` lists them; `stacks.py`, `hanging.py`, `machines.py`, `surfaces.py` and `fields.py` build them from the
parts in `parts.py`. `gallery.py` hears the keys, `hand.py` the pointer, `tour.py` plays when nobody does, and
`effects.py` is for the eye.
"""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About, World

from . import components, effects, gallery, hand, tour
from .components import Pilot, Settings, Visit
from .exhibits import EXHIBITS


def rish_about() -> About:
    """It moves, and is seen."""
    return About(requires=["physics", "render"], description="a gallery of physics")


def rish_settings() -> type:
    """When the tour begins, and how slow slow motion is."""
    return Settings


def rish_components() -> list[type]:
    """What is in the exhibits beside bodies."""
    return [
        components.Flash,
        components.Spark,
        components.Ring,
        components.Link,
        components.Hand,
        components.Lift,
        components.Portal,
        components.Swinging,
        components.Fleeting,
        components.Readout,
    ]


def rish_resources() -> list[type]:
    """What is switched on, and who shows the gallery."""
    return [Visit, Pilot]


def rish_systems() -> list[Callable[..., None]]:
    """In the order of a tick."""
    return [
        tour.tour,
        gallery.listen,
        gallery.act,
        hand.grab,
        gallery.go_on,
        gallery.blow,
        gallery.swing,
        gallery.steer,
        effects.strike,
        gallery.send,
        effects.fly_sparks,
        effects.cool,
        effects.doze,
        effects.widen,
        effects.draw_links,
        gallery.clear_away,
        gallery.write_readouts,
    ]


def rish_scene_loaded(world: World, scene: str) -> None:
    """An exhibit is built when its scene is there."""
    visit = world[Visit]
    visit.time, visit.spark, world[Pilot].time = 0.0, 0, 0.0
    effects.spawn_sparks(world)
    EXHIBITS[scene].build(world)
