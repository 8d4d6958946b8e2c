"""Boids: a flock of birds by a compute shader, and a falcon by a system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About, Input, Stage, Transform, World, system
from rish_jit import maths

from .components import Falcon, Settings
from .flock import COMPUTES, Flock, fly


def rish_about() -> About:
    """The game needs drawing."""
    return About(requires=["render"], optional={"backend[compute]": "fewer birds"}, description="birds that flock")


def rish_settings() -> type:
    """The numbers of birds."""
    return Settings


def rish_components() -> list[type]:
    """The component of the falcon."""
    return [Falcon]


def rish_resources() -> list[type]:
    """The birds."""
    return [Flock]


def rish_compute() -> list[Any]:
    """The shaders of the birds, each with its fallback."""
    return COMPUTES


def rish_systems() -> list[Callable[..., None]]:
    """The flight of the falcon, and that of the birds."""
    return [hunt, fly]


def rish_device_ready(backend: Any, world: World) -> None:
    """Let as many birds fly as the backend is able to."""
    settings = world[Settings]
    able = "compute" in backend.capabilities
    world[Flock].resize(settings.birds if able else settings.without_compute)


@system(Stage.UPDATE, reads=Input, writes=(Falcon, Transform))
def hunt(world: World, dt: float) -> None:
    """Fly towards the pointer, or a round if it has not been moved for a while."""
    keys = world[Input]
    for entity in world.query(Falcon, Transform).entities.tolist():
        falcon, pose = world.get(entity, Falcon), world.get(entity, Transform)
        falcon.calls = keys.down("call")
        falcon.idle = 0.0 if keys.touched else falcon.idle + dt
        if falcon.idle < 6:
            goal = keys.pointer
        else:
            t = world.time * 0.7
            goal = (480 + 330 * maths.sin(t), 310 + 120 * maths.sin(1.7 * t))
        x, y = pose.position
        dx, dy = goal[0] - x, goal[1] - y
        far = maths.hypot(dx, dy)
        if far > 2:
            step = min(falcon.speed * dt, far) / far
            pose.position = (x + dx * step, y + dy * step)
            pose.rotation = maths.atan2(dy, dx)
