"""Breakout's own plugin: what it declares, and what happens when a scene is loaded. The rules are in `rules.py`."""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About, World

from . import autopilot, components, effects, rules, screens
from .components import Match


def rish_about() -> About:
    """Breakout draws."""
    return About(requires=["render"], description="a ball, a paddle, a wall")


def rish_settings() -> type:
    """Lives, speeds, and how long the autopilot waits."""
    return components.Settings


def rish_components() -> list[type]:
    """What is in play, and what is only for the eye."""
    return [
        components.Paddle,
        components.Ball,
        components.Brick,
        components.PowerUp,
        components.Shard,
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
    """The match."""
    return [Match]


def rish_systems() -> list[Callable[..., None]]:
    """In the order of a tick."""
    return [
        autopilot.autopilot,
        rules.pause,
        screens.leave_screen,
        rules.steer,
        rules.hold_and_serve,
        rules.fly_balls,
        rules.break_bricks,
        rules.drop_power_ups,
        rules.keep_score,
        effects.burst,
        effects.flare,
        effects.fly_shards,
        effects.drag_tails,
        effects.dress,
        screens.sway,
        screens.write_readouts,
        screens.show_lives,
    ]


def rish_scene_loaded(world: World, scene: str) -> None:
    """A match begins with its scene; the other screens wait a moment before the autopilot goes on."""
    if scene == "play":
        rules.new_match(world)
    else:
        world[Match].timer = 1.2 if scene == "title" else 3.0
