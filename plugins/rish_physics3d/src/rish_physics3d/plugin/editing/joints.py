"""Joints in views of space: anchors to drag, axes, limits and cones."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array
from rish_space3d import outlines

from ...components.joints import (
    BallJoint3D,
    DistanceJoint3D,
    HingeJoint3D,
    MouseJoint3D,
    SliderJoint3D,
    WeldJoint3D,
    WheelJoint3D,
)
from ...joints.sketches import JointSketch3D, joint_sketches_3d, move_anchor_3d
from .colliders import MAX_OUTLINES, OPTION

if TYPE_CHECKING:
    from rish_editor import Editor, SpaceDraw

SIZE_PIXELS = 48
"""The radius of the arc of a limit, and half the length of an axis without limits, pixels."""


def joints_drawer(cls: type) -> Callable[[SpaceDraw, Editor, Array], None]:
    """Return the drawer of a kind of joints."""

    def draw(scene: SpaceDraw, editor: Editor, handles: Array) -> None:
        """Draw the joints that are selected or whose bodies are; with the option, all."""
        assert editor.game is not None
        selected, table = editor.game.selection.array, editor.game.world.table(cls)
        visible = np.isin(handles, selected) | np.isin(table.a, selected) | np.isin(table.b, selected)
        if editor.settings.options.get(OPTION, False):
            visible[:MAX_OUTLINES] = True
        if not visible.any():
            return
        for sketch in joint_sketches_3d(editor.game.world, handles[visible][:MAX_OUTLINES]):
            if sketch.cls is cls:
                _draw_joint(scene, editor, sketch)

    draw.in_space = True  # pyright: ignore[reportFunctionMemberAccess]
    return draw


def _draw_joint(scene: SpaceDraw, editor: Editor, sketch: JointSketch3D) -> None:
    a, b = sketch.anchors
    is_selected = scene.is_selected(sketch.joint)
    strong = 1.0 if is_selected else 0.6
    for body, anchor in ((sketch.a, a), (sketch.b, b)):
        if body:
            scene.line(scene.position(body), anchor, "joint", 1.0, opacity=0.5 * strong)
    scene.line(a, b, "joint", 2.0, opacity=strong)
    lines = joint_lines(sketch, scene.px(SIZE_PIXELS, a), _arm(scene, sketch))
    scene.lines(lines, "joint", 1.5, opacity=strong, edged=True)
    middle, distance = (a + b) / 2, float(np.linalg.norm(b - a))
    if is_selected and distance > 1e-3:
        scene.text(middle, f"{distance:.2f} m", "joint", offset=(0, -22), centered=True, backed=True)
    scene.icon(middle, editor.ui.icon("joint"), "joint", entity=sketch.joint)
    if is_selected:
        for side in (0, 1):
            _anchor(scene, editor, sketch, side)


def _arm(scene: SpaceDraw, sketch: JointSketch3D) -> Array:
    """Return the direction from the anchor to b, so that an arc of limits shows where b may turn; 0 for the world."""
    return scene.position(sketch.b) - sketch.anchors[1] if sketch.b else np.zeros(3)


def joint_lines(sketch: JointSketch3D, size: float, arm: Array) -> Array:
    """Return the axis and the limits of a joint as lines (n, 2, 3).

    size: the radius of arcs, and half the length of an axis without limits, meters. arm: the direction in which b is
    from its anchor.
    """
    a, b = sketch.anchors
    axes, turned = sketch.axes
    if sketch.cls is HingeJoint3D:
        return np.concatenate([_axis(a, axes[0], size), _arc(sketch, size, arm)])
    if sketch.cls is SliderJoint3D:
        return _way(sketch, size, axes[0])
    if sketch.cls is WheelJoint3D:
        wheel = outlines.circle_lines(b, turned[2], size / 2)
        return np.concatenate([_way(sketch, size, axes[0]), _axis(b, turned[2], size / 2), wheel])
    if sketch.cls is BallJoint3D:
        return _ball(sketch, size, arm)
    if sketch.cls is DistanceJoint3D:
        return np.zeros((0, 2, 3)) if sketch.lower is None else _way(sketch, size, (b - a) / max(sketch.position, 1e-9))
    if sketch.cls is WeldJoint3D:
        third = size / 6
        return outlines.moved(outlines.box_lines((-third,) * 3, (third,) * 3), np.column_stack([axes.T, a]))
    assert sketch.cls is MouseJoint3D
    return outlines.sphere_lines(a, size / 6)


def _axis(at: Array, way: Array, size: float) -> Array:
    return np.array([[at - way * size, at + way * size]])


def _arc(sketch: JointSketch3D, size: float, arm: Array) -> Array:
    """Return the arc of the limits about the main axis, from the anchor and back, and the direction of b now."""
    a, axis = sketch.anchors[0], sketch.axes[0, 0]
    side = arm - axis * float(arm @ axis)
    length = float(np.linalg.norm(side))
    side = side / length if length > 1e-6 else sketch.axes[1, 1] - axis * float(sketch.axes[1, 1] @ axis)
    if sketch.lower is None or sketch.upper is None:
        return outlines.circle_lines(a, axis, size / 2)
    low, high = sketch.lower - sketch.position, sketch.upper - sketch.position
    arc = outlines.arc_lines(a, axis, side * size, low, high)
    return np.concatenate([[[a, arc[0, 0]], [arc[-1, 1], a], [a, a + side * size * 1.2]], arc])


def _way(sketch: JointSketch3D, size: float, axis: Array) -> Array:
    """Return a line along an axis between circles at the limits; a line of a fixed length without limits."""
    a = sketch.anchors[0]
    if sketch.lower is None or sketch.upper is None:
        return _axis(a, axis, size)
    ends = [a + axis * sketch.lower, a + axis * sketch.upper]
    return np.concatenate([[ends], *[outlines.circle_lines(end, axis, size / 6) for end in ends]])


def _ball(sketch: JointSketch3D, size: float, arm: Array) -> Array:
    """Return the main axes of both bodies, the cone in which that of b stays, and the arc of its twist."""
    a, axis = sketch.anchors[0], sketch.axes[0, 0]
    lines = [np.array([[a, a + axis * size], [a, a + sketch.axes[1, 0] * size * 1.2]])]
    if sketch.cone is not None:
        lines.append(outlines.cone_lines(a, axis, size, min(2 * sketch.cone, 2 * math.pi)))
    if sketch.lower is not None:
        lines.append(_arc(sketch, size / 2, arm))
    if sketch.cone is None and sketch.lower is None:
        lines.append(outlines.sphere_lines(a, size / 4))
    return np.concatenate(lines)


def _anchor(scene: SpaceDraw, editor: Editor, sketch: JointSketch3D, side: int) -> None:
    """Show a handle for an anchor. Where both anchors coincide, dragging moves both; with Ctrl only that of b."""
    game = editor.game
    assert game is not None
    coincide = bool(np.abs(sketch.anchors[0] - sketch.anchors[1]).max() <= 1e-6)
    tip = editor.tr("Drag the anchor; with Ctrl, only this one") if coincide else editor.tr("Drag the anchor")
    at = sketch.anchors[side]
    drag = scene.handle(f"joint3d.{sketch.joint}.{sketch.cls.__name__}.{'ab'[side]}", at, "joint", mark="dot",
                        pixels=5.5, tooltip=tip, priority=1)  # fmt: skip
    if drag is None:
        return
    memory = scene.handles.memory
    if drag.began:
        memory["joint3d.sides"] = (0, 1) if coincide and not editor.ui.ctrl else (side,)
    place = scene.dragged(drag, at)
    if not scene.moves(drag):
        return
    with game.edit(editor.tr("Move an anchor"), merge=drag.key):
        for each in memory["joint3d.sides"]:
            field = sketch.fields[each]
            move_anchor_3d(game.world, sketch.joint, sketch.cls, each, scene.fitted(place))
            anchor = game.read(sketch.joint, sketch.cls, field)
            short = scene.rounded((sketch.a, sketch.b)[each], sketch.cls, field, anchor)
            game.world.set(sketch.joint, sketch.cls(**{field: tuple(short.tolist())}))
