"""The inspectors of Shape, Line, Text and TileMap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import Assets
from rish_render import ShapeForm

from ..look import icons

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..session.target import Target
    from ..ui.ui import UI

_BY_FORM = {
    ShapeForm.BOX: ("points", "holes", "radius"),
    ShapeForm.CIRCLE: ("points", "holes", "corner_radius"),
}
"""The fields that a form of shapes does not use."""


def draw_shape(ui: UI, editor: Editor, target: Target) -> None:
    """Draw the fields that the chosen form of the shape uses."""
    target.field("shape")
    form = target.value("shape")
    skipped = () if target.mixed("shape") else _BY_FORM.get(form, ("radius", "corner_radius", "anchor"))
    if "points" not in skipped and target.visible("points"):
        _points_note(ui, editor)
    target.fields(skip=("shape", *skipped))


def draw_line(ui: UI, editor: Editor, target: Target) -> None:
    """Draw the fields, with a note on how points are moved."""
    if target.visible("points"):
        _points_note(ui, editor)
    target.fields()


def _points_note(ui: UI, editor: Editor) -> None:
    ui.text(f"{icons.INFO}  {editor.tr('Drag the points in the scene; their numbers are here')}", "small", wrap=True)


def draw_text(ui: UI, editor: Editor, target: Target) -> None:
    """Draw the field of the text, then the fields of its style."""
    target.fields("text", "size", "color", "font", "align")
    target.fields(skip=("text", "size", "color", "font", "align"))


def draw_tile_map(ui: UI, editor: Editor, target: Target) -> None:
    """Draw the fields, with the size and the layers of the map."""
    target.field("map")
    path = str(target.value("map"))
    if path and not target.mixed("map") and target.visible("map"):
        _about_map(ui, editor, target, path)
    target.fields(skip=("map",))


def _about_map(ui: UI, editor: Editor, target: Target, path: str) -> None:
    assets = target.game.world[Assets]
    try:
        tile_map: Any = assets.load(path)
    except Exception as error:
        ui.text(f"{icons.ERROR}  {str(error).splitlines()[0]}", "error", wrap=True)
        return
    grid = getattr(tile_map, "grid", None)
    if grid is None:
        return
    with target.row(editor.tr("Size"), "size"):
        ui.align()
        ui.text(editor.tr("{columns}×{rows} cells of {width}×{height} px", columns=grid.columns, rows=grid.rows,
                          width=grid.width, height=grid.height), "dim")  # fmt: skip
        ui.mark("size")
    with target.row(editor.tr("Layers"), "layers"):
        ui.align()
        ui.text(", ".join(layer.name for layer in tile_map.layers) or "—", "dim", wrap=True)
        ui.mark("layers")
    if path in assets.problems:
        ui.text(f"{icons.ERROR}  {str(assets.problems[path]).splitlines()[0]}", "error", wrap=True)
