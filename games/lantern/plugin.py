"""Lantern's own plugin: what it declares, and what happens when a scene is loaded.

`level.py` peoples the keep, `walking.py` moves the hero; `lantern.py`, `fires.py` and `embers.py` are about light,
`wraiths.py` and `creatures.py` about who lives in the dark, `puzzle.py` about plates and gates. `story.py` has the
beginning and the end, `hud.py` the words, and `autopilot.py` plays.
"""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About, World

from . import autopilot, components, creatures, embers, fires, hud, lantern, puzzle, story, walking, wraiths
from .components import Pilot, Quest, Settings


def rish_about() -> About:
    """It is drawn, lit, pushed about, and it burns."""
    return About(
        requires=["render", "physics", "particles", "lighting"], description="a keep in the dark, and a lantern"
    )


def rish_settings() -> type:
    """How fast oil burns, lives, and how long the autopilot waits."""
    return Settings


def rish_components() -> list[type]:
    """Who and what is in the keep."""
    return [
        components.Hero,
        components.Lantern,
        components.Fire,
        components.Ember,
        components.Jar,
        components.Crate,
        components.Plate,
        components.Gate,
        components.Wraith,
        components.Rat,
        components.Swing,
        components.StandIn,
        components.Icon,
        components.Words,
    ]


def rish_events() -> list[type]:
    """What happens, for effects now and sounds to come."""
    return [components.Kindled, components.EmberTaken, components.Refilled, components.Touched]


def rish_resources() -> list[type]:
    """The quest, and who plays it."""
    return [Quest, Pilot]


def rish_systems() -> list[Callable[..., None]]:
    """In the order of a tick."""
    return [
        autopilot.autopilot,
        story.go_on,
        lantern.switch_light,
        walking.steer,
        creatures.scurry,
        lantern.burn_oil,
        fires.light_torches,
        embers.carry_embers,
        wraiths.hunt,
        wraiths.stir,
        puzzle.press_plates,
        story.end,
        creatures.sway,
        fires.flare_up,
        walking.show_walk,
        lantern.shine,
        creatures.show_rats,
        wraiths.show_wraiths,
        hud.show_signs,
        hud.show_words,
    ]


def rish_scene_loaded(world: World, scene: str) -> None:
    """A quest begins with the keep; on the title the autopilot waits a moment before it goes on."""
    world[Pilot].wait = world[Settings].title_time
    if scene == "play":
        story.begin(world)
