"""Joints in views of space: anchors to drag, axes, limits and cones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ...joints.lines import joint_lines
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
    for body, center, anchor in zip((sketch.a, sketch.b), sketch.centers, (a, b), strict=True):
        if body:
            scene.line(center, anchor, "joint", 1.0, opacity=0.5 * strong)
    scene.line(a, b, "joint", 2.0, opacity=strong)
    lines = joint_lines(sketch, scene.px(SIZE_PIXELS, a))
    scene.lines(lines, "joint", 1.5, opacity=strong, edged=True)
    middle, distance = (a + b) / 2, float(np.linalg.norm(b - a))
    if is_selected and distance > 1e-3:
        scene.text(middle, f"{distance:.2f} m", "joint", offset=(0, -22), centered=True, backed=True)
    scene.icon(middle, editor.ui.icon("joint"), "joint", entity=sketch.joint)
    if is_selected:
        for side in (0, 1):
            _anchor(scene, editor, sketch, side)


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
