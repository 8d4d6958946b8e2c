"""Joints in scene views: anchors to drag, axes, limits, and the distance."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ...bodies.tool_shapes import JointSketch, joint_sketches, move_anchor
from ...components.joints import DistanceJoint, PrismaticJoint, RevoluteJoint, WheelJoint
from .colliders import MAX_OUTLINES, OPTION

if TYPE_CHECKING:
    from rish_editor import Editor, SceneDraw

Point = tuple[float, float]
_ARC_PIXELS = 40
"""The radius of the arc of a limit, pixels."""


def joints_drawer(cls: type) -> Callable[[SceneDraw, Editor, Array], None]:
    """Return the drawer of a kind of joints."""

    def draw(scene: SceneDraw, editor: Editor, handles: Array) -> None:
        """Draw the joints that are selected or whose bodies are; with the option, all."""
        assert editor.game is not None
        selected = editor.game.selection.array
        table = editor.game.world.table(cls)
        visible = np.isin(handles, selected) | np.isin(table.a, selected) | np.isin(table.b, selected)
        if editor.settings.options.get(OPTION, False):
            visible[:MAX_OUTLINES] = True
        if not visible.any():
            return
        for sketch in joint_sketches(editor.game.world, handles[visible][:MAX_OUTLINES]):
            if sketch.cls is cls:
                _draw_joint(scene, editor, sketch)

    return draw


def _draw_joint(scene: SceneDraw, editor: Editor, sketch: JointSketch) -> None:
    a, b = (tuple(point) for point in sketch.anchors.tolist())
    is_selected = scene.is_selected(sketch.joint)
    strong = 1.0 if is_selected else 0.6
    for body, anchor in ((sketch.a, a), (sketch.b, b)):
        if body:
            scene.line(scene.position(body), anchor, "joint", 1.0, opacity=0.5 * strong)
    scene.line(a, b, "joint", 2.0, opacity=strong)
    _limits(scene, sketch, a, strong)
    middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    distance = float(np.hypot(b[0] - a[0], b[1] - a[1]))
    if is_selected and distance > 1e-3:
        scene.text(middle, f"{distance:.1f}", "joint", offset=(0, -22), centered=True, backed=True)
    scene.icon(middle, editor.ui.icon("joint"), "joint", entity=sketch.joint)
    if is_selected:
        for side, at in ((0, a), (1, b)):
            _anchor(scene, editor, sketch, side, at)


def _anchor(scene: SceneDraw, editor: Editor, sketch: JointSketch, side: int, at: Point) -> None:
    """Show a handle for an anchor. Where both anchors coincide, dragging moves both; with Ctrl only that of b."""
    if not sketch.fields[side]:
        return
    game = editor.game
    assert game is not None
    apart = np.abs(sketch.anchors[0] - sketch.anchors[1]).max() > 1e-6
    coincide = bool(sketch.fields[1 - side]) and not apart
    tip = editor.tr("Drag the anchor; with Ctrl, only this one") if coincide else editor.tr("Drag the anchor")
    drag = scene.handle(f"joint.{sketch.joint}.{sketch.cls.__name__}.{'ab'[side]}", at, "joint", mark="dot",
                        pixels=5.5, tooltip=tip, priority=1)  # fmt: skip
    if drag is None:
        return
    if drag.began:
        scene.handles.kept = coincide and not editor.ui.ctrl
    sides = (0, 1) if scene.handles.kept else (side,)
    if not scene.moves(drag):
        return
    with game.edit(editor.tr("Move an anchor"), merge=drag.key):
        for each in sides:
            field = sketch.fields[each]
            if field:
                move_anchor(game.world, sketch.joint, sketch.cls, each, scene.fitted(drag.now))
                anchor = game.read(sketch.joint, sketch.cls, field)
                short = scene.rounded((sketch.a, sketch.b)[each], sketch.cls, field, anchor)
                game.world.set(sketch.joint, sketch.cls(**{field: short}))


def _limits(scene: SceneDraw, sketch: JointSketch, a: Point, strong: float) -> None:
    """Draw the axis, and the limits as an arc, as marks along the axis, or as circles."""
    x, y = sketch.direction.tolist()
    far = _ARC_PIXELS * scene.pixel
    if sketch.cls in (PrismaticJoint, WheelJoint):
        low, high = (-far, far) if sketch.lower is None or sketch.upper is None else (sketch.lower, sketch.upper)
        ends = [(a[0] + x * at, a[1] + y * at) for at in (low, high)]
        scene.line(ends[0], ends[1], "joint", 1.0, opacity=strong)
        if sketch.lower is not None:
            for end in ends:
                tick = 6 * scene.pixel
                scene.line((end[0] - y * tick, end[1] + x * tick), (end[0] + y * tick, end[1] - x * tick), "joint", 2.0)
    if sketch.lower is None or sketch.upper is None:
        return
    if sketch.cls is RevoluteJoint:
        start = float(np.arctan2(y, x))
        angles = start + np.linspace(sketch.lower, sketch.upper, 33)
        arc = np.stack([a[0] + far * np.cos(angles), a[1] + far * np.sin(angles)], axis=1)
        scene.polyline(np.concatenate([[a], arc, [a]]), "joint", 1.5, opacity=strong)
    elif sketch.cls is DistanceJoint:
        for radius in (sketch.lower, sketch.upper):
            if radius > 0:
                scene.circle(a, radius, "joint", 1.0, opacity=0.5 * strong)
