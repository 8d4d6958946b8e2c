"""Breakout's own plugin: what it declares, and what happens when a scene is loaded.

The rules are in `rules.py` (balls), `bricks.py`, `powers.py` and `match.py` (levels, lives, the end); `effects.py` is
for the eye, `screens.py` for the rest of the pictures, and `autopilot.py` plays.
"""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About, Layers, World

from . import autopilot, bricks, components, effects, match, powers, rules, screens
from .components import Match, Pilot, Scenery, Settings


def rish_about() -> About:
    """Breakout draws."""
    return About(requires=["render"], description="a ball, a paddle, a wall")


def rish_settings() -> type:
    """Lives, speeds, and how long the autopilot waits."""
    return Settings


def rish_components() -> list[type]:
    """What is in play, and what is only for the eye."""
    return [
        components.Paddle,
        components.Ball,
        components.Brick,
        components.PowerUp,
        components.Shard,
        components.Popup,
        components.Glow,
        components.Ghost,
        components.Readout,
        components.LifeIcon,
        components.Drift,
    ]


def rish_events() -> list[type]:
    """What happens, for effects now and sounds to come."""
    return [
        components.BallBounced,
        components.BrickHit,
        components.PowerTaken,
        components.LifeLost,
        components.LevelCleared,
        components.MatchOver,
    ]


def rish_resources() -> list[type]:
    """The match, who plays it, and what effects remember."""
    return [Match, Pilot, Scenery]


def rish_systems() -> list[Callable[..., None]]:
    """In the order of a tick."""
    return [
        autopilot.autopilot,
        match.pause,
        screens.leave_screen,
        powers.wear_off,
        rules.steer,
        rules.hold_and_serve,
        rules.fly_balls,
        bricks.burn_fuses,
        bricks.break_bricks,
        powers.drop_power_ups,
        effects.burst,
        match.raise_wall,
        match.keep_score,
        effects.flare,
        effects.fly_shards,
        effects.pop_up,
        effects.drag_tails,
        effects.dress,
        screens.sway,
        screens.write_readouts,
        screens.show_lives,
    ]


def rish_scene_loaded(world: World, scene: str) -> None:
    """A match begins with its scene; on the other screens the autopilot waits a moment before it goes on."""
    world[Layers].pause("world", False)
    waits = {"title": world[Settings].title_time, "play": 0.3}
    world[Pilot].wait = waits.get(scene, 3.0)
    if scene == "play":
        match.new_match(world)
