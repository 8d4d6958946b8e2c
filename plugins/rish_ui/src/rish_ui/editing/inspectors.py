"""`Layout` in the inspector: a picker of anchors, and only the fields that have an effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..components.layout import Layout, Place

if TYPE_CHECKING:
    from rish_editor import UI, Editor, Target

ACROSS = ("left", "center", "right", "stretch")
DOWN = ("top", "middle", "bottom", "stretch")
"""The presets of the picker, from left to right and from top to bottom."""
RANGES = ((0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.0, 1.0))
"""The low and the high anchor of a preset; the pivot is their middle."""
ANCHORING = ("anchor_low", "anchor_high", "pivot", "offset")
_SIDE, _GAP = 24.0, 3.0


def draw_layout(ui: UI, editor: Editor, target: Target) -> None:
    """Draw the place, the picker of anchors for a widget that floats, and the other fields."""
    target.field("place")
    floats = not target.mixed("place") and target.value("place") is Place.ANCHORED
    if target.visible("anchor_low"):
        with target.row(editor.tr("Anchors"), "anchors"):
            if floats:
                with ui.group():
                    draw_picker(ui, editor, target)
            elif ui.button(
                editor.tr("Float at an anchor"), "float",
                tooltip=editor.tr("Let it float over its parent"),
            ):  # fmt: skip
                anchor(editor, target, 1, 1)
    if floats:
        target.fields(*ANCHORING)
    target.fields(skip=("place", *ANCHORING))


def draw_picker(ui: UI, editor: Editor, target: Target) -> None:
    """Draw four by four small pictures: places along both axes, and stretching."""
    current = preset_of(target)
    for row, down in enumerate(DOWN):
        for column, across in enumerate(ACROSS):
            if column:
                ui.same_line(_GAP)
            name = f"{down}_{across}"
            canvas = ui.canvas(
                name, _SIDE, width=_SIDE, tooltip=f"{editor.tr(down)}, {editor.tr(across)}",
                background="selection" if current == (column, row) else "input",
            )  # fmt: skip
            _draw_preset(canvas, column, row)
            if canvas.pressed:
                anchor(editor, target, column, row)


def preset_of(target: Target) -> tuple[int, int] | None:
    """Return column and row of the preset with the widget's anchors; None if no preset has them."""
    if target.mixed("anchor_low") or target.mixed("anchor_high"):
        return None
    low, high = (target.value(name).tolist() for name in ("anchor_low", "anchor_high"))
    pairs = [tuple(round(float(side), 4) for side in pair) for pair in zip(low, high, strict=True)]
    return (RANGES.index(pairs[0]), RANGES.index(pairs[1])) if all(pair in RANGES for pair in pairs) else None  # type: ignore[return-value]


def anchor(editor: Editor, target: Target, column: int, row: int) -> None:
    """Set the anchors of a preset as one step: the widget lies at them without an offset, and stretched sides fill."""
    (x0, x1), (y0, y1) = RANGES[column], RANGES[row]
    title, game = editor.tr("Set the anchors"), target.game
    values: dict[str, Any] = {
        "place": Place.ANCHORED, "anchor_low": (x0, y0), "anchor_high": (x1, y1),
        "pivot": ((x0 + x1) / 2, (y0 + y1) / 2), "offset": (0.0, 0.0),
    }  # fmt: skip
    with game.edit(title, merge=("anchors", editor.ui.gesture)):
        for name, value in values.items():
            game.set(target.handles, Layout, name, value, name=title)
        for axis, stretched in enumerate((x0 != x1, y0 != y1)):
            if stretched:
                sizes = target.values("size")
                sizes[:, axis] = 0
                game.set(target.handles, Layout, "size", sizes, name=title)


def _draw_preset(canvas: Any, column: int, row: int) -> None:
    """Draw the parent as a frame, and the widget in it."""
    width, height = canvas.size
    rim, min_length = width * 0.16, width * 0.26
    room = width - 2 * rim
    boxes: list[tuple[float, float]] = []
    for k in (column, row):
        low, high = RANGES[k]
        boxes.append((rim, room) if low != high else (rim + low * (room - min_length), min_length))
    (x, w), (y, h) = boxes
    frame = [(rim, rim), (width - rim, rim), (width - rim, height - rim), (rim, height - rim), (rim, rim)]
    canvas.polyline(frame, "text_dim", 1.0)
    canvas.rect(x, y, w, h, "accent", opacity=0.85)
