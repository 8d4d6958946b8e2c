"""Breakout's own plugin: its declarations, and the start of each scene.

The rules are in `rules.py` (balls), `bricks.py`, `powers.py` and `match.py` (levels, lives, the end); `effects.py` has
the visual effects, `screens.py` what is shown on the screens of `game.yaml`, and `autopilot.py` the autopilot.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rish_core import About, World

from . import autopilot, bricks, components, effects, match, powers, rules, screens
from .components import Match, Pilot, Scenery, Settings
from .warm_up import call_kernels


def rish_about() -> About:
    """Breakout needs drawing, animation and menus."""
    return About(requires=["render", "animation", "ui"], description="a ball, a paddle, a wall")


def rish_settings() -> type:
    """Lives, speeds, and how long the autopilot waits."""
    return Settings


def rish_components() -> list[type]:
    """The components of things in play and of visual effects."""
    return [
        components.Paddle,
        components.Ball,
        components.Brick,
        components.PowerUp,
        components.Popup,
        components.Glow,
        components.Ghost,
    ]


def rish_events() -> list[type]:
    """The events of a match; some are only for sounds."""
    return [
        components.BallBounced,
        components.BrickHit,
        components.PowerTaken,
        components.LifeLost,
        components.LevelCleared,
        components.MatchOver,
        components.Served,
        components.Exploded,
        components.Paused,
    ]


def rish_resources() -> list[type]:
    """The match, the autopilot and the state of the effects."""
    return [Match, Pilot, Scenery]


def rish_systems() -> list[Callable[..., None]]:
    """The systems, in the order in which they run in a tick."""
    return [
        autopilot.autopilot,
        screens.leave,
        match.lower_wall,
        powers.wear_off,
        rules.steer,
        rules.hold_and_serve,
        rules.fly_balls,
        bricks.burn_fuses,
        bricks.break_bricks,
        powers.drop_power_ups,
        match.keep_score,
        effects.flare,
        effects.pop_up,
        effects.drag_tails,
        effects.dress,
        effects.rumble,
        match.tell_pause,
        screens.show_readouts,
    ]


def rish_warm_up(world: World) -> dict[str, Callable[[], object]]:
    """The kernels of a match."""
    return {"match": partial(call_kernels, world)} if len(world.table(components.Brick)) else {}


def rish_scene_loaded(world: World, scene: str) -> None:
    """Begin a match with the scene "play"; set how long the autopilot waits, on the title as long as for a person."""
    pilot = world[Pilot]
    pilot.wait = {"title": 0.0, "play": 0.3}.get(scene, 3.0)
    if scene == "title":
        pilot.active, pilot.idle = False, 0.0
    elif scene == "play":
        match.new_match(world)
