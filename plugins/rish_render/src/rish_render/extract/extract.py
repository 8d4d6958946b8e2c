"""The system of the stage EXTRACT: converts columns to batches, once a frame.

It reads the components and the interpolated matrices, writes the Frame, and changes nothing else. A plugin that draws
things between these adds its batches to the pass `main` before this system runs (`@system(Stage.EXTRACT,
before="render.extract")`); they are sorted in by layer and z.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rish_core import Transform
from rish_ecs import Stage, system
from rish_frame import Frame, Paintings, WorldMatrices

from ..components.visible import Camera, CanvasGroup, RenderSettings
from ..drawables.drawables import emit
from ..drawables.extraction import Extraction, RenderCache
from ..drawables.kind import DrawableKind, DrawableKinds, Follow
from ..kinds.paintings.typesetter import typesetter_of
from ..materials.material_images import Pictures
from ..scene.camera import views_of
from ..scene.frame_reuse import FrameChanges, keep, picture_of
from ..scene.pass_setup import FramePlan, link, plan
from ..scene.stack import Stack
from ..scene.stretch import show_picture, stretch_frame, surface_of
from ..scene.tool_view import ToolView
from ..scene.view import MAIN, View
from .group_passes import draw_groups

if TYPE_CHECKING:
    from rish_ecs import World


@system(
    Stage.EXTRACT,
    reads=(Camera, CanvasGroup, RenderSettings, Transform, WorldMatrices, Paintings, ToolView, DrawableKinds),
    writes=(Frame, Pictures, RenderCache),
)
def extract(world: World, dt: float) -> None:
    """Fill the frame with everything that the cameras show."""
    frame, pictures, memory = world[Frame], world[Pictures], world[RenderCache]
    if frame.typesetter is None:
        typesetter_of(world)
    stretch_frame(world)  # also for a kept picture: a tool may have drawn another size in between
    kinds, picture = world[DrawableKinds], memory.picture
    changes = memory.sources.look(world, kinds.steady, kinds.restless)
    if picture is not None and not any(changes):
        picture.show(frame)
        return
    plan_before = memory.plan
    same_views = plan_before is not None and not (changes.setting or changes.poses)
    views = plan_before.views if plan_before is not None and same_views else views_of(world)
    only_poses = not (changes.setting or changes.contents)
    if picture is not None and only_poses and picture.aimed(world, memory.plan, views):
        picture.show(frame)
        return
    if changes.setting:
        memory.plan = None
    stack, plan_of_frame = _planned(world, memory, views)
    used = kinds.used(world)
    for look in plan_of_frame.looks:
        scene = Extraction(world, stack, look.view, plan_of_frame.flat, pictures, memory, look.layers)
        things = kinds.extract(scene, used)
        draw_groups(world, stack, plan_of_frame, look, things, memory.batches)
        for turn in look.rounds:
            emit(things, turn.layers, stack.y_sorted, turn.pass_, memory.batches)
    show_picture(world, pictures)
    link(frame, plan_of_frame, fresh=plan_before is None or plan_before.plan is not plan_of_frame)
    pictures.publish(frame)
    _remember(world, memory, plan_of_frame, changes, used)


def _remember(
    world: World, memory: RenderCache, plan_of_frame: FramePlan, changes: FrameChanges, used: Sequence[DrawableKind]
) -> None:
    """Keep this frame for reuse if the last one had the same content.

    Either nothing at all has changed, or all batches also serve for other views, see `DrawableKind.follow`.
    """
    frame: Frame = world[Frame]
    memory.picture = None
    memory.sources.note_passes(world)
    if changes.setting or changes.contents or frame.canvas != "screen":
        return
    follow = _follow(world, memory, plan_of_frame, used)
    if not changes.poses or follow is not None:
        memory.picture = picture_of(frame, plan_of_frame, follow)


def _follow(world: World, memory: RenderCache, plan_of_frame: FramePlan, used: Sequence[DrawableKind]) -> Follow | None:
    """Return a function that says whether all batches of this frame serve for other views; None if some do not."""
    follows = [kind.follow(world, memory, plan_of_frame) for kind in used]
    sure = [follow for follow in follows if follow is not None]
    if not follows or len(sure) < len(follows):
        return None
    return lambda views: all(follow(views) for follow in sure)


def _planned(world: World, memory: RenderCache, views: Sequence[View]) -> tuple[Stack, FramePlan]:
    """Return the layers and the passes that draw them; those of the last frame with new views, if they still serve."""
    frame: Frame = world[Frame]
    others = list(frame.passes[MAIN].batches)
    last = memory.plan
    if last is not None and last.still(world, views):
        last.aim(world, views, others)
        return last.stack, last.plan
    world[Pictures].atlas.reserve(frame)
    stack = world[Stack] if world[ToolView].view is None else world[Stack].without_screen
    fresh = plan(world, stack, views, surface_of(world))
    memory.plan = keep(stack, fresh, views, len(others))
    return stack, fresh
