"""Composes the passes of a 3D scene: shadow maps, the views of all cameras, and pictures for surfaces and sprites."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_assets import LogOnce
from rish_frame import Batch, Frame, Pass, Recorder, Target
from rish_jit import Array

from ..components.lights import Lamp3D, Sun3D
from ..components.settings import SHADOWS, Scene3DSettings
from ..models.store import Models3D
from ..scene.cameras import PICTURE, VIEW
from ..scene.drawlist import DrawList
from ..scene.lights import SceneLights, forget_lights, gather_lights, is_same_sky
from ..scene.listing.cuts import Cut
from ..scene.views import ShadowView, View3D
from .batch_arrays import SOURCE, Parts
from .kinds import DEVELOP, GBUFFER_FORMATS, Surfaces

if TYPE_CHECKING:
    from rish_core import World

PICTURE_TARGET = "camera."
"""The prefix of targets that sprites show as the image `camera:NAME`."""
_FAR = (1.0, 1.0, 1.0, 1.0)


class Shown(NamedTuple):
    """A batch of models in the last frame, None: it would have been empty. cut: returns its instances of now."""

    batch: Surfaces | None
    cut: Callable[[], Cut]


@dataclass
class Composer:
    """Puts the passes of each frame together.

    parts: the arrays that stay from frame to frame. pictures: targets of the cameras whose pictures are on surfaces,
    the first inputs of every pass that shows models. log: logs each message once. shown: the batches of models in the
    last frame. has_shadows: whether it had shadows, and casters: the corners of what cast them.
    """

    parts: Parts = field(default_factory=Parts)
    pictures: tuple[str, ...] = ()
    log: LogOnce = field(default_factory=lambda: LogOnce("rish.scene3d"))
    shown: list[Shown] = field(default_factory=list["Shown"])
    has_shadows: bool = False
    casters: Array | None = None

    def compose(self, world: World, recorder: Recorder, views: list[View3D], lines: Batch | None = None) -> None:
        """Record the passes of all views. lines: a batch that is drawn in every view, or None."""
        frame, draw_list = world[Frame], world[DrawList]
        self.shown = []
        self.parts.begin(draw_list, world[Models3D])
        self.pictures = self._pictures(frame, recorder, world[Models3D], views)
        deferred = str(world[Scene3DSettings].pipeline) == "deferred"
        before = self._writers(frame, views) if self.pictures else ()
        quality = SHADOWS[str(world[Scene3DSettings].shadows)]
        self.has_shadows = quality > 0 and not frame.plain and _casts(world)
        casters = self.casters = draw_list.casters() if self.has_shadows else None
        views_done: list[View3D] = []
        maps_done: set[str] = set()  # views share the maps of lamps
        for view in views:
            lights = gather_lights(world, view, casters, quality, plain=frame.plain)
            self._shadows(
                recorder, draw_list, [each for each in lights.shadows if each.target not in maps_done], before
            )
            maps_done.update(lights.maps)
            self._view(recorder, draw_list, view, lights, views_done, before, lines=lines, deferred=deferred)
            views_done.append(view)
        forget_lights(world, {view.name for view in views})
        tone = tone_of(world)
        for name in dict.fromkeys(view.target for view in views if view.target.startswith(PICTURE)):
            size = next(view.size for view in views if view.target == name)
            onto = PICTURE_TARGET + name.removeprefix(PICTURE)
            recorder.add_target(Target(onto, size))
            _develop(recorder, name, onto, tone)

    def follow(self, world: World, recorder: Recorder) -> bool:
        """Record the last frame again with the models of now, where cameras and lights are the same.

        Return False if passes, shadows, or the number of batches may differ.
        """
        draw_list = world[DrawList]
        if _targets_of(world[Models3D]) != self.pictures or not is_same_sky(world):  # a material may be new
            return False
        if self.has_shadows and not _equal(draw_list.casters(), self.casters):
            return False
        cuts = [cut() for _, cut in self.shown]
        pairs = [(each.batch, cut) for each, cut in zip(self.shown, cuts, strict=True)]
        if any((batch is None) is (len(cut.runs) > 0) for batch, cut in pairs) or not recorder.again():
            return False
        self.parts.begin(draw_list, world[Models3D])
        for batch, cut in pairs:
            new = None if batch is None else self.parts.again(batch, cut)
            if batch and new and any(new.arrays[name] is not array for name, array in batch.arrays.items()):
                recorder.renew(batch, new)
        return True

    def _show(self, recorder: Recorder, to: str, cut: Callable[[], Cut], make: Callable[[Cut], Surfaces]) -> bool:
        """Record the batch of a cut, and return True; if it is empty, there is none."""
        now = cut()
        is_shown = len(now.runs) > 0
        batch: Any = recorder.add(make(now), to) if is_shown else None
        self.shown.append(Shown(batch, cut))
        return is_shown

    def _pictures(self, frame: Frame, recorder: Recorder, store: Models3D, views: list[View3D]) -> tuple[str, ...]:
        """Return the targets of the cameras whose pictures are on surfaces; a missing one is declared empty."""
        names = _targets_of(store)
        targets = {PICTURE_TARGET + view.target.removeprefix(PICTURE) for view in views}
        targets |= {target for pass_ in frame.passes.values() for target in pass_.targets}
        for name, camera in zip(names, store.cameras, strict=True):
            if name not in targets:
                what = f"no camera has the target {camera!r}, so its picture on surfaces is empty"
                self.log.error(f"camera:{camera}: {what}")
            if name not in frame.targets:
                recorder.add_target(Target(name, (1, 1)))
        return names

    def _writers(self, frame: Frame, views: list[View3D]) -> tuple[str, ...]:
        """Return the passes that draw pictures for surfaces.

        Shadow maps and views with a picture of their own are drawn before them, with the pictures of the last frame, so
        that cameras that show each other make no cycle.
        """
        onto = set(self.pictures)
        writers = [name for name, pass_ in frame.passes.items() if onto & {*pass_.targets}]
        shown = [view.target for view in views if PICTURE_TARGET + view.target.removeprefix(PICTURE) in onto]
        return tuple(dict.fromkeys([*writers, *(f"{target}.develop" for target in shown)]))

    def _shadows(
        self, recorder: Recorder, draw_list: DrawList, shadows: list[ShadowView], before: tuple[str, ...]
    ) -> None:
        """Put a pass for each picture of a shadow map."""
        counts: dict[str, int] = {}
        for shadow in shadows:
            number = counts[shadow.target] = counts.get(shadow.target, -1) + 1
            name = f"{shadow.target}.{number}"
            recorder.add_target(Target(shadow.target, shadow.size, ("r32f",), True, "nearest", (_FAR,)))
            recorder.add_pass(
                Pass(
                    name, (shadow.target,), self.pictures, shadow.view, shadow.projection, shadow.viewport,
                    depth_test=True, before=before,
                )
            )  # fmt: skip
            cut = partial(draw_list.cut, name, shadow.projection @ shadow.view, -1, "casting")
            self._show(recorder, name, cut, partial(self.parts.depths, eye=shadow.eye, reach=shadow.reach))

    def _view(
        self, recorder: Recorder, draw_list: DrawList, view: View3D, lights: SceneLights, views_done: list[View3D],
        before: tuple[str, ...], *, lines: Batch | None, deferred: bool,
    ) -> None:  # fmt: skip
        """Put the passes of one view: deferred light first, then surfaces that are lit while they are drawn."""
        recorder.add_target(Target(view.target, view.size, ("rgba16f",), True))
        camera = view.projection @ view.view
        common: dict[str, Any] = {"view": view.view, "projection": view.projection, "viewport": view.viewport}
        common |= {"depth_test": True, "before": before if view.target != VIEW else ()}
        after = tuple(each.name for each in views_done if each.target == view.target)
        sky = self._sky(view, lights, views_done)
        if deferred:
            buffer = f"{view.name}.gbuffer"
            recorder.add_target(Target(buffer, view.size, GBUFFER_FORMATS, True, "nearest"))
            recorder.add_pass(Pass(buffer, (buffer,), self.pictures, **common))
            cut = partial(draw_list.cut, view.name, camera, view.bits, "solid")
            is_shown = self._show(recorder, buffer, cut, self.parts.gbuffer)
            attachments = (buffer, *(f"{buffer}:{k}" for k in range(1, len(GBUFFER_FORMATS))))
            inputs = (*attachments, *lights.maps)
            shade = f"{view.name}.shade"
            recorder.add_pass(Pass(shade, (view.target,), inputs, after=after, **common))
            if sky is not None:
                recorder.add(sky, shade)
                sky = None
            if is_shown:
                recorder.add(self.parts.shade(self.parts.light(lights, len(attachments))), shade)
            after = (*after, shade)
        inputs = (*self.pictures, *lights.maps)
        recorder.add_pass(Pass(view.name, (view.target,), inputs, after=after, **common))
        if sky is not None:
            recorder.add(sky, view.name)
        light = self.parts.light(lights, len(self.pictures))
        if not deferred:
            cut = partial(draw_list.cut, view.name, camera, view.bits, "solid")
            self._show(recorder, view.name, cut, partial(self.parts.surfaces, light=light, z=1.0))
        cut = partial(draw_list.blended, view)
        self._show(recorder, view.name, cut, partial(self.parts.surfaces, light=light, z=2.0))
        if lines is not None:
            recorder.add(lines, view.name)

    def _sky(self, view: View3D, lights: SceneLights, views_done: list[View3D]) -> Batch | None:
        """Return the sky of a view, a black one where it must hide another view below it, or None."""
        below = any(each.target == view.target and _overlap(each.viewport, view.viewport) for each in views_done)
        if lights.picture is None and not below:
            return None
        return self.parts.sky(lights)


def onto_canvas(world: World) -> tuple[str, list[tuple[str, bool]]]:
    """Return the canvas, and the passes of other plugins onto it with whether they are behind the scene."""
    canvas, passes = world[Frame].canvas, world[Frame].passes.values()
    return canvas, [(each.name, each.behind) for each in passes if canvas in each.targets]


def show(world: World, recorder: Recorder) -> None:
    """Record the pass that shows the view of the screen on the canvas, over the passes that are behind."""
    canvas, others = onto_canvas(world)
    developing = _develop(recorder, VIEW, canvas, tone_of(world))
    developing.before = tuple(name for name, behind in others if not behind)
    developing.after = tuple(name for name, behind in others if behind)


def _develop(recorder: Recorder, name: str, onto: str, tone: int) -> Pass:
    """Record the pass that shows a target with linear light on another one, tone mapped and encoded."""
    pass_ = recorder.add_pass(Pass(f"{name}.develop", (onto,), (name,)))
    arrays = {"exposure": np.ones(1, np.float32), "tone": np.array([tone], np.int32)}
    recorder.add(Batch(DEVELOP, arrays, count=1, source=SOURCE), pass_.name)
    return pass_


def tone_of(world: World) -> int:
    """Return the number of the tone curve of the settings, see the kind `scene3d.develop`."""
    return int(str(world[Scene3DSettings].tone) == "aces")


def _casts(world: World) -> bool:
    """Return True if a light has shadows."""
    tables = (world.table(kind) for kind in (Sun3D, Lamp3D))
    return any(bool((table.column("enabled") & table.column("shadows")).any()) for table in tables)


def _targets_of(store: Models3D) -> tuple[str, ...]:
    """Return the targets of the cameras whose pictures are on surfaces."""
    return tuple([PICTURE_TARGET + name.replace(":", "_") for name in store.cameras])


def _equal(first: Array | None, second: Array | None) -> bool:
    return first is second or (first is not None and second is not None and np.array_equal(first, second))


def _overlap(first: Any, second: Any) -> bool:
    return all(a < b + m and b < a + n for a, b, n, m in zip(first[:2], second[:2], first[2:], second[2:], strict=True))
