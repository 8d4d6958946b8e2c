"""The system of the stage EXTRACT: converts columns to batches, once a frame.

It reads the components and the interpolated matrices, writes the Frame, and changes nothing else. A plugin that draws
things between these adds its batches to the pass `main` before this system runs (`@system(Stage.EXTRACT,
before="render.extract")`); they are sorted in by layer and z.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Transform
from rish_ecs import Disabled, Stage, system
from rish_frame import Frame, Paintings, WorldMatrices

from ..components.visible import Camera, CanvasGroup, RenderSettings, Shape, Sprite, Text
from ..materials.material_images import Pictures
from ..packing.drawables import Drawables, Things, emit
from ..scene.camera import views_of
from ..scene.extraction import Extraction, RenderCache, Seen
from ..scene.layer_stack import stack_of
from ..scene.pass_setup import FramePlan, link, plan
from ..scene.stack import Stack
from ..scene.steady import Setting, Stamp, keep, picture_of, setting_of, stamp_of
from ..scene.stretch import show_picture, stretch_frame, surface_of
from ..scene.tool_view import ToolView
from ..scene.view import MAIN, View
from .group_passes import draw_groups
from .paintings.typesetter import typesetter_of

if TYPE_CHECKING:
    from rish_ecs import World

Array = npt.NDArray[Any]


@system(
    Stage.EXTRACT,
    reads=(Sprite, Shape, Text, Camera, CanvasGroup, RenderSettings, Transform, WorldMatrices, Paintings, ToolView),
    writes=(Frame, Pictures, RenderCache),
)
def extract(world: World, dt: float) -> None:
    """Fill the frame with everything that the cameras show."""
    frame, pictures, memory = world[Frame], world[Pictures], world[RenderCache]
    if frame.typesetter is None:
        typesetter_of(world)
    stretch_frame(world)  # also for a kept picture: a tool may have drawn another size in between
    setting = setting_of(world, memory.setting)
    stamp = stamp_of(world, *_kinds())
    picture = memory.picture
    if picture is not None and picture.still(setting, stamp):
        picture.show(frame)
        return
    views = views_of(world)
    if picture is not None and picture.aimed(world, memory.plan, setting, stamp, views):
        picture.show(frame)
        return
    stack, made = _planned(world, memory, setting, views)
    for look in made.looks:
        scene = Extraction(world, stack, look.view, made.flat, pictures, memory, look.layers)
        things = extract_all(scene)
        draw_groups(world, stack, made, look, things, memory.batches)
        for turn in look.rounds:
            emit(things, turn.layers, stack.y_sorted, turn.pass_, memory.batches)
    show_picture(world, pictures)
    link(frame, made)
    pictures.publish(frame)
    _remember(world, memory, made, stamp)


def _remember(world: World, memory: RenderCache, made: FramePlan, stamp: Stamp | None) -> None:
    """Keep this frame for reuse if the last one had the same content.

    Either nothing at all has changed, or there are only sprites whose batches also serve for other views.
    """
    frame: Frame = world[Frame]
    before = memory.stamp
    setting = memory.plan.setting if memory.plan is not None else setting_of(world, memory.setting)
    same = stamp is not None and before is not None and stamp.content == before.content and setting is memory.setting
    memory.stamp, memory.setting, memory.picture = stamp, setting, None
    if not same or stamp is None or frame.canvas != "screen":
        return
    from .sprites import sprites_follow

    follow = sprites_follow(world, memory, made) if _only_sprites(world) and _paintings_stay(world, memory) else None
    if stamp == before or follow is not None:
        memory.picture = picture_of(frame, made, stamp, setting, follow)


def _only_sprites(world: World) -> bool:
    """Return True if there is nothing to draw except sprites."""
    tables = world.tables
    return not any(kind in tables and tables[kind].used for kind in _kinds()[0] if kind not in (Sprite, Disabled))


def _paintings_stay(world: World, memory: RenderCache) -> bool:
    """Return True if all paintings look the same whatever the camera shows."""
    shown = [*world[Paintings]] if Paintings in world else []
    if not shown:
        return True
    if memory.plan is None:
        return False
    screen = {name for name, flat in zip(memory.plan.stack.names, memory.plan.stack.screen, strict=False) if flat}
    return all(painting.layer in screen and not painting.entity for painting in shown)


def _planned(world: World, memory: RenderCache, setting: Setting, views: list[View]) -> tuple[Stack, FramePlan]:
    """Return the layers and the passes that draw them; those of the last frame with new views, if they still serve."""
    frame: Frame = world[Frame]
    others = list(frame.passes[MAIN].batches)
    kept = memory.plan
    if kept is not None and kept.still(world, setting, views):
        kept.aim(world, views, others)
        return kept.stack, kept.made
    world[Pictures].atlas.reserve(frame)
    stack = stack_of(world, memory.told, memory.parts)
    if world[ToolView].view is not None:
        stack.visible = stack.visible & ~stack.screen
    made = plan(world, stack, views, surface_of(world))
    memory.plan = keep(world, setting_of(world), stack, made, views, len(others))
    return stack, made


@cache
def _kinds() -> tuple[tuple[type, ...], tuple[type, ...]]:
    """Return the components that affect what is drawn, and those that look different in every frame."""
    from ..animation.sheet import SpriteSheet
    from ..strokes import Line
    from ..strokes.trail import Trail
    from ..tiles.component import TileMap
    from .nine_patch import NinePatch

    return (Sprite, SpriteSheet, Disabled, Shape, Text, NinePatch, Line), (Trail, TileMap, CanvasGroup)


def extract_all(scene: Extraction) -> list[Things]:
    """Return the drawables of every kind, in their drawing order for equal layer and z.

    Most kinds are not extracted again if nothing about them changed: their table, the view, the layers and images, and
    the visible rows with their matrices. The module of a kind is imported when the first thing of that kind is drawn,
    so that listing plugins or running a server does not load it.
    """
    from ..strokes import Line
    from ..strokes.trail import Trail, extract_trails
    from ..tiles.component import TileMap
    from .nine_patch import NinePatch, extract_nine_patches

    things: list[Things] = []
    if scene.some(TileMap):
        from ..tiles.drawing.extract_tiles import extract_tiles

        things += extract_tiles(scene)
    if scene.some(Trail):
        things += extract_trails(scene, scene.visible(Trail))
    if scene.some(Shape):
        things += _shapes(scene)
    if scene.some(Line):
        from ..strokes.extract import extract_lines

        things += extract_lines(scene, scene.visible(Line))
    if scene.some(NinePatch):
        things += _remembered(scene, "panels", NinePatch, scene.visible(NinePatch), extract_nine_patches)
    if scene.some(Sprite):
        from .sprites import extract_sprites

        things += extract_sprites(scene)
    if scene.some(Text):
        from ..text.extract import extract_text

        things += _remembered(scene, "texts", Text, scene.visible(Text), extract_text)
    if scene.painted:
        from .paintings.extract import extract_paintings

        things += extract_paintings(scene)
    return things


def _shapes(scene: Extraction) -> list[Drawables]:
    """Return the drawables of rectangles and circles, then those of shapes that are given by points."""
    from .shapes import extract_boxes, is_pointed

    shapes = scene.visible(Shape)
    pointed = is_pointed(scene, shapes)
    things = _remembered(scene, "boxes", Shape, shapes.some(~pointed), extract_boxes)
    if pointed.any():
        from .points import extract_pointed

        things = things + _remembered(scene, "pointed", Shape, shapes.some(pointed), extract_pointed)
    return things


def _remembered(
    scene: Extraction, name: str, kind: type, seen: Seen, make: Callable[[Extraction, Seen], list[Drawables]]
) -> list[Drawables]:
    """Return the result of `make`, or its result of the last frame if nothing has changed since."""
    if not len(seen.rows):
        return []
    table = scene.world.table(kind)
    stamp = (table.version, scene.view, scene.stack.stamp, scene.pictures.version)
    name = f"{scene.view.name} {name}"
    memory = scene.cache.kinds.get(name)
    if (
        memory is not None
        and memory[0] == stamp
        and np.array_equal(memory[1].rows, seen.rows)
        and np.array_equal(memory[1].matrix, seen.matrix)
    ):
        return memory[2]
    things = make(scene, seen)
    scene.cache.kinds[name] = (stamp, seen, things)
    return things
