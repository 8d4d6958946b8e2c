"""Reuses data from the last frame: the passes that draw the layers, and complete frames in which nothing changed.

If no source of the frame changed, the last frame is shown again. If only cameras moved, the stack and the passes are
kept; if there are only sprites, whose batches extend beyond the visible area, all batches are kept as well. In all
other cases each kind finds out what of its own sources changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rish_core import Layers, LayerStack
from rish_ecs import Inputs
from rish_frame import Batch, Frame, Pass, WorldMatrices

from ..components.visible import Camera, CanvasGroup, RenderSettings
from ..materials.material_images import Pictures
from ..materials.table import Shaders
from .pass_setup import FramePlan, aim, deal
from .stack import Stack
from .tool_view import ToolView
from .view import MAIN, View

if TYPE_CHECKING:
    from rish_ecs import World


class FrameChanges(NamedTuple):
    """What changed since the last frame.

    setting: the layers, render settings, materials, sizes, passes or targets. contents: what is drawn. poses: the
    places of things, or cameras, which may also shake.
    """

    setting: bool
    contents: bool
    poses: bool


class FrameSources:
    """What a frame is made from."""

    def __init__(self) -> None:
        self._setting: tuple[Any, ...] = ()
        self._poses = Inputs((Camera, WorldMatrices, _tool_view))
        self._contents = Inputs(())
        self._drawn: Sequence[type] = ()
        self._others: list[tuple[Batch, int | None]] = []

    def look(self, world: World, steady: Sequence[type], restless: Sequence[type]) -> FrameChanges:
        """Return what changed since the last call.

        steady: the components that are drawn and look the same until they change. restless: those that look different
        each time; while some exist, the contents change always.
        The contents include the batches that other plugins have added to the main pass.
        """
        if self._drawn is not steady:
            self._drawn = steady
            self._contents = Inputs((*steady, Pictures))
        shakes = any(world.tables[Camera].flat("trauma").tolist())
        contents = self._contents.changed(world) or shakes or _is_restless(world, restless)
        others = [(batch, batch.version) for batch in world[Frame].passes[MAIN].batches]
        contents |= others != self._others or any(version is None for _, version in others)
        self._others = others
        before, self._setting = self._setting, _setting(world)
        return FrameChanges(self._setting != before, contents, self._poses.changed(world) or shakes)

    def note_passes(self, world: World) -> None:
        """Note the present texts, passes and targets as those of the last frame, which has changed them itself."""
        self._setting = (*self._setting[:-3], *_passes(world))

    def forget(self) -> None:
        """Let everything count as changed."""
        self._setting = ()
        self._poses.forget()
        self._contents.forget()


def _setting(world: World) -> tuple[Any, ...]:
    frame, settings = world[Frame], world[RenderSettings]
    return (
        _layers(world), settings.stretch, settings.aspect, settings.stretch_sampling, world[ToolView].view is None,
        tuple(settings.background), tuple(settings.bars),
        frame.size, frame.design, frame.cell, _materials(world), *_passes(world),
    )  # fmt: skip


def _passes(world: World) -> tuple[int, list[str], list[str]]:
    """Return the number of texts, the passes and the targets."""
    frame = world[Frame]
    return len(world.texts), list(frame.passes), list(frame.targets)


def _layers(world: World) -> tuple[Any, ...] | None:
    if LayerStack not in world or Layers not in world:
        return None
    stack, shown = world[LayerStack], world[Layers]
    return list(shown.order), list(shown.hidden), list(stack.tools), dict(stack.declared)


def _tool_view(world: World) -> str:
    view = world[ToolView].view
    return "" if view is None else repr(view)


def _materials(world: World) -> int:
    shaders = world.resources.get(Shaders)
    return 0 if shaders is None else len(shaders.loaded)


def _is_restless(world: World, kinds: Sequence[type]) -> bool:
    """Return True if a kind that looks different in each frame is in use."""
    tables = world.tables
    return any(kind in tables and tables[kind].used for kind in kinds)


@dataclass
class LastFrame:
    """The last frame: its stack, its plan, and its views."""

    stack: Stack
    plan: FramePlan
    views: Sequence[View]

    def still(self, world: World, views: Sequence[View]) -> bool:
        """Return True if the stack and the passes can be used again after `aim`."""
        groups = world.tables.get(CanvasGroup)
        if groups is not None and groups.used:
            return False
        return views is self.views or (
            len(views) == len(self.views) and all(a.place == b.place for a, b in zip(views, self.views, strict=True))
        )

    def aim(self, world: World, views: Sequence[View], others: list[Batch]) -> None:
        """Set the views of the passes to the current ones. others: the batches of other plugins."""
        for look, view in zip(self.plan.looks, () if views is self.views else views, strict=False):
            for turn in look.rounds:
                if turn.view is look.view:
                    if view != look.view:
                        aim(turn.pass_, view)
                    turn.view = view
            look.view = view
        deal(world[Frame], self.stack, self.plan, others)
        self.views = views


def keep(stack: Stack, plan: FramePlan, views: Sequence[View], others: int) -> LastFrame | None:
    """Return the parts of a new plan to keep; None if its passes have batches of their own or there are groups."""
    own = any(len(pass_.batches) > others for pass_ in plan.order)
    return None if own or stack.groups is not None else LastFrame(stack, plan, views)


@dataclass
class Picture:
    """A complete frame that can be shown again: the batches of its passes.

    follow: returns whether the batches also serve for other views, one for each look of the plan; None if they may
    not.
    """

    passes: list[tuple[Pass, list[Batch]]]
    culled: int
    follow: Callable[[Sequence[View]], bool] | None

    def show(self, frame: Frame) -> None:
        """Put the batches into the passes of the frame; those of other plugins are among them."""
        for pass_, batches in self.passes:
            pass_.batches[:] = batches
        frame.culled = self.culled

    def aimed(self, world: World, last: LastFrame | None, views: Sequence[View]) -> bool:
        """Set only the views, if all batches serve for them too; returns whether that was possible."""
        if self.follow is None or last is None or not last.still(world, views) or not self.follow(views):
            return False
        last.aim(world, views, [])
        return True


def picture_of(frame: Frame, plan: FramePlan, follow: Callable[[Sequence[View]], bool] | None) -> Picture:
    """Return the batches that a frame holds as a Picture."""
    passes = [(pass_, list(pass_.batches)) for pass_ in (*plan.before, *plan.order)]
    for _, batches in passes:
        for batch in batches:
            batch.version = 0 if batch.version is None else batch.version
    return Picture(passes, frame.culled, follow)
