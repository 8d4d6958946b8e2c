"""Lantern's own plugin: its declarations, and the start of each scene.

`level.py` spawns the things of the keep and `walking.py` moves the hero. `lantern.py`, `fires.py` and `embers.py` are
about light, `wraiths.py` and `creatures.py` about the creatures, `puzzle.py` about plates and gates. `story.py` has the
beginning and the end, `hud.py` the readouts, `sounds.py` the sounds, and `autopilot.py` the autopilot.
"""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About, World
from rish_lighting import LightingSettings

from . import autopilot, components, creatures, embers, fires, hud, lantern, puzzle, sounds, story, walking, wraiths
from .components import Pilot, Quest, Settings


def rish_about() -> About:
    """Lantern needs drawing, lighting, physics, particles, animation and the interface of players."""
    return About(
        requires=["render", "physics2d", "particles", "lighting", "animation", "ui"],
        description="a keep in the dark, and a lantern",
    )


def rish_settings() -> type:
    """The speed at which oil burns, the number of lives, and the waits of the autopilot."""
    return Settings


def rish_components() -> list[type]:
    """The components of everything in the keep."""
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
        components.StandIn,
        components.Icon,
        components.Hint,
        components.Shows,
    ]


def rish_events() -> list[type]:
    """The events of a quest, for the effects and for sounds added later."""
    return [components.Kindled, components.EmberTaken, components.Refilled, components.Touched]


def rish_resources() -> list[type]:
    """The quest, the autopilot, and what was heard last."""
    return [Quest, Pilot, sounds.Heard]


def rish_systems() -> list[Callable[..., None]]:
    """The systems, in the order in which they run in a tick."""
    return [
        autopilot.autopilot,
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
        walking.show_walk,
        lantern.shine,
        creatures.show_rats,
        wraiths.show_wraiths,
        hud.show_oil,
        hud.show_signs,
        hud.show_hint,
        hud.show_screens,
        hud.pop_signs,
        wraiths.throb,
        sounds.footsteps,
        sounds.scrape_and_squeak,
        sounds.change_mood,
    ]


def rish_scene_loaded(world: World, scene: str) -> None:
    """Begin a quest with the scene "play"; on the title, set how long the autopilot waits before it continues."""
    world[Quest].gi = world[LightingSettings].gi != "off"
    world[Pilot].wait = world[Settings].title_time
    if scene == "play":
        story.begin(world)
    sounds.begin_sounds(world, scene)
