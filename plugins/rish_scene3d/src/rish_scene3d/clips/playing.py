"""Functions that start clips of 3D models, and tell whether they play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_animation import is_playing, start_clips

from ..components.animation import Animator3D, FadingClips3D

if TYPE_CHECKING:
    from rish_ecs import World


def play_3d(
    world: World, entities: Any, clip: str, *, fade: float = 0.0, restart: bool = False, after: bool = False
) -> None:
    """Play a clip on entities (one entity or many) with an Animator3D.

    An entity that already plays the clip continues, unless it has ended or `restart` is true. fade: seconds in which
    the new clip replaces the present one, which plays on meanwhile; if none plays, it replaces the pose of lower
    layers. after: start when the current clip ends, without a fade. Raises StaleEntity, and UnknownName if an entity
    has no Animator3D; in this case none is changed.
    """
    options = {"fade": fade, "restart": restart, "after": after}
    start_clips(world, Animator3D, FadingClips3D, entities, clip, still=True, **options)


def is_playing_3d(world: World, entity: int, clip: str = "") -> bool:
    """Return whether an entity's Animator3D plays a clip, or waits to play it; "": any. False without an Animator3D."""
    return is_playing(world, entity, clip, cls=Animator3D)
