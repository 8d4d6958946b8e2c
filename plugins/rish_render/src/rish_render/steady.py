"""What stays from picture to picture: the passes that show the layers, and a whole picture in which nothing changed.

A frame in which nothing has been written is shown again as it is. One in which only cameras moved keeps its stack and
its passes, and each kind looks for itself what it has to do. Everything here is found out from version numbers, so
the cost does not depend on how much is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rish_core.common.transform import WorldMatrices
from rish_core.frame.batches import Batch
from rish_core.frame.passes import Frame, Pass
from rish_core.loop.layers import Layers, LayerStack

from .components import Camera, CanvasGroup, Settings
from .materials.table import Shaders
from .pictures import Pictures
from .rounds import Plan, aim
from .stack import Stack
from .view import MAIN, View

if TYPE_CHECKING:
    from rish_core.ecs.world import World


class Setting(NamedTuple):
    """What passes depend on, apart from the cameras. held: keeps alive what is compared by identity."""

    stamp: tuple[Any, ...]
    held: tuple[Any, ...]


def setting_of(world: World) -> Setting:
    """The layers, the settings, the screen, the passes and targets that there are, and how many names are known."""
    frame, settings = world[Frame], world[Settings]
    layers: tuple[Any, ...] = ()
    held: tuple[Any, ...] = ()
    if LayerStack in world and Layers in world:
        stack, shown = world[LayerStack], world[Layers]
        held = tuple(stack.declared.values())
        layers = (tuple(shown.order), tuple(shown.hidden), tuple(stack.tools), tuple(map(id, held)))
    colours = (*settings.background, *settings.bars)
    modes = (settings.stretch, settings.aspect, settings.stretch_sampling)
    sizes = (frame.size, frame.design, len(world.texts))
    later = world[Shaders].passes if Shaders in world else ()
    passes = tuple(name for name in frame.passes if name not in later) if later else tuple(frame.passes)
    stamp = (layers, modes, colours, sizes, passes, tuple(frame.targets))
    return Setting(stamp, held)


@dataclass
class Kept:
    """The last frame: its setting, its stack, its plan, and the views that it was made for."""

    setting: Setting
    stack: Stack
    made: Plan
    views: tuple[View, ...]

    def still(self, world: World, setting: Setting, views: Sequence[View]) -> bool:
        """Whether stack and passes will do, once they are aimed anew."""
        return (
            setting.stamp == self.setting.stamp
            and len(views) == len(self.views)
            and all(_unlike_in_place_only(a, b) for a, b in zip(views, self.views, strict=True))
            and not _groups(world)
        )

    def aim(self, world: World, views: Sequence[View], others: list[Batch]) -> None:
        """Let the passes look where the cameras look now. others: what other plugins drew, which all passes show."""
        main = world[Frame].passes[MAIN]
        for look, view in zip(self.made.looks, views, strict=True):
            for turn in look.rounds:
                if turn.view is look.view:
                    if view != look.view:
                        aim(turn.pass_, view)
                    turn.view = view
                if others and turn.pass_ is not main:
                    turn.pass_.batches.extend(others)
            look.view = view
        self.views = tuple(views)


def _unlike_in_place_only(a: View, b: View) -> bool:
    return a is b or a == b or replace(a, centre=b.centre, rotation=b.rotation, density=b.density) == b


def _groups(world: World) -> bool:
    return CanvasGroup in world and len(world.table(CanvasGroup)) > 0


def keep(world: World, setting: Setting, stack: Stack, made: Plan, views: Sequence[View], others: int) -> Kept | None:
    """What to keep of a plan that was just made; None where it put batches of its own into passes."""
    own = any(len(pass_.batches) > others for pass_ in made.order)
    return None if own or stack.groups is not None else Kept(setting, stack, made, tuple(views))


@dataclass
class Picture:
    """A whole picture: what its passes held, and what it was made from."""

    stamp: tuple[Any, ...]
    held: tuple[Any, ...]
    passes: list[tuple[Pass, list[Batch]]]
    culled: int

    def show(self, frame: Frame) -> None:
        """Show it again."""
        for pass_, batches in self.passes:
            pass_.batches.extend(batches)
        frame.culled = self.culled


def stamp_of(world: World, setting: Setting, kinds: Sequence[type], restless: Sequence[type]) -> tuple[Any, ...] | None:
    """What changes when the picture does; None where it changes by itself, or others draw into it.

    kinds: components whose tables count. restless: those that look different in each frame.
    """
    frame: Frame = world[Frame]
    tables = world.tables
    if any(kind in tables and len(tables[kind]) for kind in restless) or frame.passes[MAIN].batches:
        return None
    cameras = tables[Camera]
    if any(cameras.flat("trauma").tolist()):
        return None
    versions = tuple([tables[kind].version for kind in kinds if kind in tables])
    materials = len(world[Shaders].loaded) if Shaders in world else 0
    drawn, pictures = world[WorldMatrices].version, world[Pictures].version
    return (setting.stamp, versions, cameras.version, drawn, pictures, materials)


def picture_of(frame: Frame, made: Plan, stamp: tuple[Any, ...], setting: Setting) -> Picture:
    """The picture that a frame holds."""
    passes = [(pass_, list(pass_.batches)) for pass_ in (*made.before, *made.order)]
    for _, batches in passes:
        for batch in batches:
            batch.version = 0
    return Picture(stamp, setting.held, passes, frame.culled)
