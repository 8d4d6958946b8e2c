"""The gallery's own plugin: its declarations, and the code that builds an exhibit when its scene is loaded.

`exhibits.py` lists the exhibits; `stacks.py`, `hanging.py`, `machines.py`, `surfaces.py` and `fields.py` build them
from the parts in `parts.py`. `gallery.py` handles keys and buttons, `hand.py` the pointer, `tour.py` shows the gallery
when there is no input, `effects.py` has the visual effects and `sounds.py` the sounds.
"""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About, World

from . import components, effects, gallery, hand, hanging, machines, sounds, surfaces, tour
from .components import Pilot, Settings, Visit
from .exhibits import EXHIBITS


def rish_about() -> About:
    """Require physics, rendering and widgets."""
    return About(
        requires=["physics2d[areas,debug,joints,queries]", "render", "ui"],
        optional={
            "physics2d[continuous]": "fast bodies pass through walls",
            "physics2d[one_way]": "platforms are solid from below",
            "physics2d[sleeping]": "no body sleeps",
            "physics2d[surfaces]": "belts stand still, and what rolls never stops",
        },
        description="a gallery of physics",
    )


def rish_settings() -> type:
    """Return the class of `settings: game:`, with the start of the tour and the speed of slow motion."""
    return Settings


def rish_components() -> list[type]:
    """Return the components of the exhibits."""
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
    ]


def rish_resources() -> list[type]:
    """Return the resources: the visit, the state of the tour, and what was heard last."""
    return [Visit, Pilot, sounds.Heard]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems, in the order of a tick."""
    return [
        tour.tour,
        gallery.listen,
        gallery.act,
        hand.grab,
        gallery.go_on,
        hanging.blow,
        machines.swing,
        machines.steer,
        effects.strike,
        surfaces.send,
        effects.fly_sparks,
        effects.cool,
        effects.doze,
        effects.widen,
        effects.draw_links,
        gallery.clear_away,
        sounds.hum,
    ]


def rish_scene_loaded(world: World, scene: str) -> None:
    """Build an exhibit after its scene was loaded."""
    visit = world[Visit]
    visit.number = list(EXHIBITS).index(scene) + 1
    visit.time, visit.spark, world[Pilot].time = 0.0, 0, 0.0
    effects.spawn_sparks(world)
    EXHIBITS[scene].build(world)
    sounds.begin_sounds(world, scene)
