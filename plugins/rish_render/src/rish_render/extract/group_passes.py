"""Draws groups: a target and a pass for each group in every view that shows it.

A group's target is as large as the viewport that shows it, and is drawn back pixel by pixel. A mask has a target of its
own, which is then drawn onto the group's target with a blend mode that keeps, or erases, what is below it. A rectangle
clips the group's image when it is drawn back; if it is turned, the area around it is erased instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import Batch, Frame, Material, Pass, PerVersion, Target, WorldMatrices
from rish_frame.frame import Rect
from rish_jit import Array

from ..components.visible import CanvasGroup
from ..drawables.drawables import BLENDS, Drawables, Things, emit
from ..materials.material_images import Pictures
from ..scene.pass_setup import box_arrays
from ..scene.stretch import target_picture
from ..scene.view import MAIN, View
from .bounds import Box, bounds_of

if TYPE_CHECKING:
    from rish_ecs import World

    from ..scene.groups import Groups
    from ..scene.pass_setup import FramePlan, Look
    from ..scene.stack import Stack

_FAR = 1 << 20
"""Half the side of the boxes that erase the area around a rotated rectangle, in 1/1024 of its longer side."""
_STRAIGHT = 1e-4
_SOURCE = "render.group"


@dataclass
class _Group:
    """One group, as drawn in one view."""

    number: int
    home: int
    mask: int
    target: str
    opacity: float
    blend: int
    material: Material | None
    z: float
    inverted: bool
    clip: tuple[float, float, float, float]
    matrix: Array
    view: View


def draw_groups(
    world: World, stack: Stack, plan: FramePlan, look: Look, things: list[Things], cache: dict[str, Any]
) -> None:
    """Draw the groups that a view shows, and add their images to the things that are still to be drawn.

    things: everything visible; those on the layers of groups are drawn here. cache: data that is kept from the last
    frame.
    """
    if stack.groups is None:
        return
    frame, pictures = world[Frame], world[Pictures]
    innermost_first = np.argsort(-stack.groups.depth, kind="stable").tolist()
    drawn = _drawn(stack.groups, things, innermost_first, look.layers)
    for index in innermost_first:
        if not drawn[stack.groups.number[index]]:
            continue
        group = _group(world, stack, plan, look, index)
        masked = group.mask >= 0 and bool(drawn[group.mask])
        if group.mask >= 0 and not masked and not group.inverted:
            continue
        if masked:
            _pass(frame, plan, group.view, f"{group.target}.mask", group.mask, stack, things, cache)
        pass_ = _pass(frame, plan, group.view, group.target, group.number, stack, things, cache)
        whole = pictures.whole(group.view.drawn_size)
        area = _area(group, pass_, cache)
        pass_.scissor = area
        if masked:
            pass_.batches.append(_mask(group, whole))
        if group.clip[2] > 0 and not _is_straight(group):
            pass_.batches.append(_around(group))
        things.append(_remembered(group, whole, area, group.home >= len(stack.names), cache))


def _drawn(groups: Groups, things: Sequence[Things], order: Sequence[int], layers: Array) -> Array:
    """Return bool: the layers on which there is anything, even if it is only the image of another group."""
    drawn = np.zeros(len(layers), np.bool_)
    for kind in things:
        drawn |= np.bincount(kind.layer, minlength=len(layers))[: len(layers)] > 0
    drawn &= layers
    for index in order:
        if drawn[groups.number[index]]:
            drawn[groups.home[index]] = True
    return drawn


def _group(world: World, stack: Stack, plan: FramePlan, look: Look, index: int) -> _Group:
    groups, table = stack.groups, world.table(CanvasGroup)
    assert groups is not None
    row, number = int(groups.rows[index]), int(groups.number[index])
    view = plan.flat if stack.screen[number] else look.view
    matrix = world[WorldMatrices].rows(groups.places[index : index + 1])[0].astype(np.float64)
    if not stack.screen[number]:
        matrix[4:] += (1 - stack.parallax[number]) * np.array(view.center)
    prefix = "group" if look.view.name == MAIN else f"group.{look.view.name}"
    material = table.read_row("material", row)
    return _Group(
        number,
        int(groups.home[index]),
        int(groups.mask[index]),
        f"{prefix}.{int(table.entities[row])}",
        float(table.column("opacity")[row]),
        int(table.column("blend")[row]),
        Material(material) if material else None,
        float(table.column("z")[row]),
        bool(table.column("inverted")[row]),
        tuple(float(value) for value in table.column("clip")[row]),  # pyright: ignore[reportArgumentType]
        matrix,
        view,
    )


def _pass(
    frame: Frame, plan: FramePlan, view: View, name: str, number: int, stack: Stack, things: list[Things],
    cache: dict[str, Any],
) -> Pass:  # fmt: skip
    """Set up the pass that draws one layer onto a target of its own."""
    wanted = Target(name, view.drawn_size)
    if frame.targets.get(name) != wanted:
        frame.add_target(wanted, replace=True)
    pass_ = frame.passes.get(name) or frame.add_pass(Pass(name, targets=(name,)))
    pass_.view, pass_.projection, pass_.scissor = view.view, view.projection, None
    layers = np.zeros(len(stack), np.bool_)
    layers[number] = True
    emit(things, layers, stack.y_sorted, pass_, cache)
    plan.before.append(pass_)
    return pass_


# The images of groups


def _remembered(group: _Group, whole: int, area: Rect, inner: bool, cache: dict[str, Any]) -> Drawables:
    """Return the image of a group as a thing to draw; the same object as long as nothing about it changes.

    inner: whether the group is in another one, whose target is filled by its view.
    """
    clip = _within(area, None if inner else group.view.viewport)
    look = (group.home, group.opacity, group.blend, group.material, group.z, group.matrix[5], group.view, whole, clip)
    name = f"{group.target} picture"
    last = cache.get(name)
    if last is None or last[0] != look:
        last = cache[name] = look, _picture(group, whole, clip)
    return last[1]


def _picture(group: _Group, whole: int, clip: Rect) -> Drawables:
    def make(rows: Array | slice, state: int) -> Batch:
        batch = _whole(group.target, group.view, whole, group.opacity)
        batch.blend, batch.material, batch.clip, batch.version = BLENDS[group.blend], group.material, clip, 0
        return batch

    return Drawables(
        np.array([group.home], np.int64),
        np.array([group.z], np.float32),
        np.array([group.matrix[5]], np.float32),
        np.zeros(1, np.int64),
        make,
    )


def _whole(target: str, view: View, frame: int, opacity: float = 1.0) -> Batch:
    """Return the batch that draws a target's image over everything that a view shows."""
    return target_picture(target, view.quad, frame, opacity, source=_SOURCE)


def _mask(group: _Group, frame: int) -> Batch:
    """Return the batch that erases the parts that a mask hides."""
    batch = _whole(f"{group.target}.mask", group.view, frame)
    batch.blend = "erase" if group.inverted else "mask"
    batch.layer, batch.z = group.number, float("inf")
    return batch


# Clipping


def _area(group: _Group, pass_: Pass, cache: dict[str, Any]) -> Rect:
    """Return the part of its viewport that a group needs, as fractions, rounded to pixels."""
    x0, y0, x1, y1 = _drawn_box(group, pass_, cache)
    if group.clip[2] > 0 and _is_straight(group):
        left, bottom, wide, tall = _rect(group)
        x0, y0, x1, y1 = max(x0, left), max(y0, bottom), min(x1, left + wide), min(y1, bottom + tall)
    width, height = group.view.drawn_size
    left, right = (math.floor(min(max(edge, 0.0), 1.0) * width + 0.5) for edge in (x0, x1))
    bottom, top = (math.floor(min(max(edge, 0.0), 1.0) * height + 0.5) for edge in (y0, y1))
    return left / width, bottom / height, max(right - left, 0) / width, max(top - bottom, 0) / height


def _drawn_box(group: _Group, pass_: Pass, cache: dict[str, Any]) -> Box:
    """Return the box around everything that a pass draws, plus two pixels for soft edges, as fractions of its viewport.

    Images of inner groups count only as far as they are drawn.
    """
    view = group.view
    inner = [batch.clip for batch in pass_.batches if batch.source == _SOURCE and batch.clip is not None]
    known: PerVersion[Box] = cache.setdefault("bounds", PerVersion())
    box = bounds_of([batch for batch in pass_.batches if batch.source != _SOURCE], known)
    if box is None:
        return 0.0, 0.0, 1.0, 1.0
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    if box[0] <= box[2]:
        corners = np.array([[box[i], box[j]] for i in (0, 2) for j in (1, 3)])
        shown = (view.to_screen(corners) - view.corner) / view.size
        edge = 2 / np.array(view.drawn_size)
        low, high = shown.min(axis=0) - edge, shown.max(axis=0) + edge
    for x, y, w, h in inner:
        low, high = np.minimum(low, (x, y)), np.maximum(high, (x + w, y + h))
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _is_straight(group: _Group) -> bool:
    """Return True if the sides of a group's rectangle are parallel to the rows and columns of pixels."""
    ends = group.view.to_screen(group.matrix[[4, 5]] + np.array([[0, 0], group.matrix[:2], group.matrix[2:4]]))
    (a, b), (c, d) = ends[1] - ends[0], ends[2] - ends[0]
    return max(abs(b), abs(c)) <= _STRAIGHT * max(abs(a), abs(d))


def _rect(group: _Group) -> Rect:
    """Return the rectangle of a group as fractions of its viewport."""
    x, y, w, h = group.clip
    m = group.matrix
    corners = np.array([[x, y], [x + w, y + h]])
    world = np.stack([m[0] * corners[:, 0] + m[2] * corners[:, 1], m[1] * corners[:, 0] + m[3] * corners[:, 1]], axis=1)
    shown = (group.view.to_screen(world + m[4:]) - group.view.corner) / group.view.size
    (x0, y0), (x1, y1) = shown.min(axis=0).tolist(), shown.max(axis=0).tolist()
    return x0, y0, x1 - x0, y1 - y0


def _within(rect: Rect, viewport: Rect | None) -> Rect:
    """Convert a rectangle of a viewport to fractions of the target."""
    if viewport is None:
        return rect
    x, y, w, h = viewport
    return x + rect[0] * w, y + rect[1] * h, rect[2] * w, rect[3] * h


def _around(group: _Group) -> Batch:
    """Return four boxes that erase the area around a rotated rectangle."""
    x, y, w, h = group.clip
    far = float(_FAR) * max(w, h, 1e-6) / 1024
    boxes = [
        (x - far, y + h / 2), (x + w + far, y + h / 2), (x + w / 2, y - far), (x + w / 2, y + h + far),
    ]  # fmt: skip
    m = group.matrix
    matrix = np.array(
        [[*(2 * far * m[:4]), m[0] * cx + m[2] * cy + m[4], m[1] * cx + m[3] * cy + m[5]] for cx, cy in boxes],
        np.float32,
    )
    arrays = box_arrays(matrix, np.full((4, 2), far, np.float32), np.full((4, 4), 255, np.uint8))
    return Batch("shapes", arrays, layer=group.number, z=float("inf"), blend="erase", source=_SOURCE)
