"""The actions that rules may use: `shake` and `animate_sprite`."""

from __future__ import annotations

from rish_core import Entity, Str, World, field, resource
from rish_expressions import Action, Scope

from ..animation.player import play
from ..scene.camera_systems import shake


@resource
class Shake:
    """The parameters of `shake`."""

    strength: float = field(0.5, low=0, high=1, doc="added to the trauma that is left from before")
    camera: Entity = field(0, doc="the camera; none: the main one")


def shake_camera(world: World, arguments: Shake, scope: Scope) -> None:
    """Shake a camera."""
    shake(world, arguments.camera or None, arguments.strength)


@resource
class AnimateSprite:
    """The parameters of `animate_sprite`, which plays a clip of a sheet."""

    target: Entity = field(0, doc="the entity with the Animation")
    clip: Str = field("", doc="the clip")
    restart: bool = field(False, doc="whether a clip that plays already begins again")
    after: bool = field(False, doc="whether it waits until the present clip ends")


def animate_sprite(world: World, arguments: AnimateSprite, scope: Scope) -> None:
    """Play a clip of a sheet."""
    play(world, arguments.target, arguments.clip, restart=arguments.restart, after=arguments.after)


ACTIONS = [Action("shake", Shake, shake_camera), Action("animate_sprite", AnimateSprite, animate_sprite)]
