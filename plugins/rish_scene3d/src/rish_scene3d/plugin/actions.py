"""The action that rules may use: `animate_3d`."""

from __future__ import annotations

from rish_core import Entity, Str, World, field, resource
from rish_expressions import Action, Scope

from ..clips.playing import play_3d


@resource
class Animate3D:
    """The parameters of `animate_3d`, which plays a clip of a 3D model."""

    target: Entity = field(0, doc="the entity with the Animator3D")
    clip: Str = field("", names="clips_3d", doc="the clip")
    fade: float = field(0.0, low=0, unit="s", doc="how long it takes to replace what was before")
    restart: bool = field(False, doc="whether a clip that plays already begins again")
    after: bool = field(False, doc="whether it waits until the present clip ends")


def animate(world: World, arguments: Animate3D, scope: Scope) -> None:
    """Play a clip on the entity of the rule, see `play_3d`."""
    options = {name: getattr(arguments, name) for name in ("fade", "restart", "after")}
    play_3d(world, arguments.target, arguments.clip, **options)


ACTIONS = [Action("animate_3d", Animate3D, animate)]
