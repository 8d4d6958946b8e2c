"""Reuses data from the last frame: the passes that draw the layers, and complete frames in which nothing changed.

If nothing was written, the last frame is shown again unchanged. If only cameras moved, the stack and the passes are
kept; if there are only sprites, whose batches extend beyond the visible area, all batches are kept as well. In all
other cases each kind checks its own data. All checks compare version numbers, so their cost does not depend on the
number of things that are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rish_core import Layers, LayerStack
from rish_frame import Batch, Frame, Paintings, Pass, WorldMatrices

from ..components.visible import Camera, CanvasGroup, RenderSettings
from ..materials.material_images import Pictures
from ..materials.table import Shaders
from .pass_setup import FramePlan, aim, deal
from .stack import Stack
from .tool_view import ToolView
from .view import MAIN, View

if TYPE_CHECKING:
    from rish_ecs import World


class Setting(NamedTuple):
    """The values that passes depend on, except the views: layers, render settings, sizes, passes and targets.

    modes: also whether a tool looks at the world.
    """

    layers: tuple[list[str], list[str], list[str], dict[str, Any]] | None
    modes: tuple[Any, ...]
    sizes: tuple[Any, ...]
    passes: list[str]
    targets: list[str]


def setting_of(world: World, last: Setting | None = None) -> Setting:
    """Return the current setting; `last` itself if it is equal."""
    frame, settings = world[Frame], world[RenderSettings]
    modes = (settings.stretch, settings.aspect, settings.stretch_sampling, world[ToolView].view is not None)
    now = Setting(
        _layers(world),
        (*modes, tuple(settings.background), tuple(settings.bars)),
        (frame.size, frame.design, frame.cell, len(world.texts)),
        list(frame.passes),
        list(frame.targets),
    )
    return last if last is not None and last == now else now


def _layers(world: World) -> tuple[list[str], list[str], list[str], dict[str, Any]] | None:
    if LayerStack not in world or Layers not in world:
        return None
    stack, shown = world[LayerStack], world[Layers]
    return list(shown.order), list(shown.hidden), list(stack.tools), dict(stack.declared)


@dataclass
class LastFrame:
    """The last frame: its setting, its stack, its plan, and its views."""

    setting: Setting
    stack: Stack
    plan: FramePlan
    views: tuple[View, ...]

    def still(self, world: World, setting: Setting, views: Sequence[View]) -> bool:
        """Return True if the stack and the passes can be used again after `aim`."""
        return (
            setting == self.setting
            and len(views) == len(self.views)
            and all(a.place == b.place for a, b in zip(views, self.views, strict=True))
            and not (CanvasGroup in world and len(world.table(CanvasGroup)))
        )

    def aim(self, world: World, views: Sequence[View], others: list[Batch]) -> None:
        """Set the views of the passes to the current ones. others: the batches of other plugins."""
        for look, view in zip(self.plan.looks, views, strict=True):
            for turn in look.rounds:
                if turn.view is look.view:
                    if view != look.view:
                        aim(turn.pass_, view)
                    turn.view = view
            look.view = view
        deal(world[Frame], self.stack, self.plan, others)
        self.views = tuple(views)


def keep(
    world: World, setting: Setting, stack: Stack, plan: FramePlan, views: Sequence[View], others: int
) -> LastFrame | None:
    """Return the parts of a new plan to keep; None if its passes have batches of their own or there are groups."""
    own = any(len(pass_.batches) > others for pass_ in plan.order)
    return None if own or stack.groups is not None else LastFrame(setting, stack, plan, tuple(views))


class Stamp(NamedTuple):
    """A key that changes whenever the frame's image may change.

    tables: versions of the kinds that are drawn. paintings: what they look like, see `_painted`. cameras, drawn:
    versions of the cameras and of all matrices. tool: the view of a tool.
    """

    tables: tuple[int, ...]
    pictures: int
    materials: int
    paintings: tuple[Any, ...]
    cameras: int
    drawn: int
    tool: View | None

    @property
    def content(self) -> tuple[Any, ...]:
        """All parts except the positions of things and cameras."""
        return self[:4]


def stamp_of(world: World, kinds: Sequence[type], restless: Sequence[type]) -> Stamp | None:
    """Return the stamp of the coming frame; None if it changes in every frame.

    It does if a restless kind is in use, a camera shakes, or another plugin draws into it. kinds: components whose
    tables count. restless: those that look different in each frame.
    """
    tables = world.tables
    for kind in restless:
        if kind in tables and tables[kind].used:
            return None
    cameras = tables[Camera]
    if world[Frame].passes[MAIN].batches or any(cameras.flat("trauma").tolist()):
        return None
    versions = tuple([tables[kind].version for kind in kinds if kind in tables])
    materials = len(world[Shaders].loaded) if Shaders in world else 0
    drawn = cameras.version, world[WorldMatrices].version
    return Stamp(versions, world[Pictures].version, materials, _painted(world), *drawn, world[ToolView].view)


def _painted(world: World) -> tuple[Any, ...]:
    """Return a key that changes whenever a painting changes; it holds the parts, so that their ids are not reused."""
    if Paintings not in world:
        return ()
    key: list[Any] = []
    for painting in world[Paintings].items.values():
        if painting.visible:
            key += (painting, painting.layer, painting.z, painting.entity, painting.offset, painting.scale)
            key.append(painting.opacity)
            for part in painting.parts:
                key += (part, part.version, part.clip)
    return tuple(key)


@dataclass
class Picture:
    """A complete frame that can be shown again: the batches of its passes, and the stamp and setting it was made from.

    follow: returns whether the batches also serve for other views, one for each look of the plan; None if they may
    not.
    """

    stamp: Stamp
    setting: Setting
    passes: list[tuple[Pass, list[Batch]]]
    culled: int
    follow: Callable[[Sequence[View]], bool] | None

    def show(self, frame: Frame) -> None:
        """Add the kept batches to the passes of the frame."""
        for pass_, batches in self.passes:
            pass_.batches.extend(batches)
        frame.culled = self.culled

    def still(self, setting: Setting, stamp: Stamp | None) -> bool:
        """Return True if nothing has changed."""
        return stamp == self.stamp and setting is self.setting

    def aimed(
        self, world: World, last: LastFrame | None, setting: Setting, stamp: Stamp | None, views: Sequence[View]
    ) -> bool:
        """Set only the views, if nothing else that is visible has changed; returns whether that was possible."""
        if (
            self.follow is None or stamp is None or last is None
            or setting is not self.setting or stamp.content != self.stamp.content
            or not last.still(world, setting, views) or not self.follow(views)
        ):  # fmt: skip
            return False
        last.aim(world, views, [])
        self.stamp = stamp
        return True


def picture_of(
    frame: Frame, plan: FramePlan, stamp: Stamp, setting: Setting, follow: Callable[[Sequence[View]], bool] | None
) -> Picture:
    """Return the batches that a frame holds as a Picture."""
    passes = [(pass_, list(pass_.batches)) for pass_ in (*plan.before, *plan.order)]
    for _, batches in passes:
        for batch in batches:
            batch.version = 0
    return Picture(stamp, setting, passes, frame.culled, follow)
