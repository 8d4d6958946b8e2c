"""The inspectors of Sprite, SpriteSheet and NinePatch: a preview in which cells, regions and borders are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_render import Sprite, SpriteSheet, sheet_regions

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..session.target import Target
    from ..ui.ui import UI
    from ..ui.widgets.image_views import Picture

_MAX_CELLS = 1024
"""The greatest number of cells of a sheet that are drawn."""
_SIDES = ("left", "top", "right", "bottom")


def draw_sprite(ui: UI, editor: Editor, target: Target) -> None:
    """Draw the picture with its cells or its region, then the fields."""
    target.field("image")
    shown = _picture_of(editor, target)
    if shown is not None and target.visible("frame"):
        sheet = len(target) == 1 and target.game.world.has(target.primary, SpriteSheet)
        tip = "Click a cell to choose it" if sheet else "Drag a box to choose a part of the picture"
        picture = ui.picture("preview", shown, tooltip=editor.tr(tip))
        if sheet:
            _choose_cell(ui, target, picture, target.primary)
        else:
            _choose_region(ui, target, picture)
        ui.space(2)
    target.fields(skip=("image",))


def _picture_of(editor: Editor, target: Target) -> tuple[int, tuple[int, int]] | None:
    """Return the preview of the picture that all entities have, None if there is none."""
    path = str(target.value("image"))
    return editor.thumbnails.get(path) if path and not target.mixed("image") else None


def cells_of(target: Target, handle: int, size: tuple[int, int]) -> Any:
    """Return x y w h of all cells of an entity's sheet, float32 (n, 4). size: of the picture, pixels."""
    world = target.game.world
    row = world.table(SpriteSheet).row_of(handle)
    numbers = np.arange(_MAX_CELLS)
    sizes = np.tile(np.array(size, np.float32), (_MAX_CELLS, 1))
    regions = sheet_regions(world, np.full(_MAX_CELLS, row), sizes, numbers)
    again = np.flatnonzero((regions[1:] == regions[0]).all(axis=1))
    return regions[: int(again[0]) + 1] if len(again) else regions


def _choose_cell(ui: UI, target: Target, picture: Picture, handle: int) -> None:
    """Draw the cells of the sheet; a click chooses one."""
    cells = cells_of(target, handle, picture.size)
    if len(cells) > 1:
        for cell in cells.tolist():
            ui.picture_box(picture, tuple(cell), "border_strong")
    chosen = int(target.value("frame")) % len(cells)
    if picture.pointer is not None:
        x, y = picture.pointer
        inside = (
            (cells[:, 0] <= x) & (x < cells[:, 0] + cells[:, 2]) & (cells[:, 1] <= y) & (y < cells[:, 1] + cells[:, 3])
        )
        hits = np.flatnonzero(inside)
        if len(hits):
            ui.picture_box(picture, tuple(cells[hits[0]].tolist()), "accent", filled=True)
            if picture.pressed:
                target.set("frame", int(hits[0]))
    ui.picture_box(picture, tuple(cells[chosen].tolist()))


def _choose_region(ui: UI, target: Target, picture: Picture) -> None:
    """Draw the region; dragging a box chooses another one."""
    x, y, wide, tall = target.value("region").tolist()
    if wide > 0 and not target.mixed("region"):
        ui.picture_box(picture, (x, y, wide, tall))
    if not picture.held or picture.start is None or picture.pointer is None:
        return
    ends = np.array([picture.start, picture.pointer])
    limits = np.array(picture.size, float)
    low = np.clip(np.floor(ends.min(axis=0)), 0, limits)
    high = np.clip(np.ceil(ends.max(axis=0)), 0, limits)
    if (high - low).min() >= 2:
        target.set("region", [*low.tolist(), *(high - low).tolist()])


def draw_sheet(ui: UI, editor: Editor, target: Target) -> None:
    """Draw the fields of a sheet, and how many cells it has."""
    target.fields()
    world = target.game.world
    if len(target) != 1 or not world.has(target.primary, Sprite) or not target.visible("cell"):
        return
    path = str(world.get(target.primary, Sprite).image)
    shown = editor.thumbnails.get(path) if path else None
    if shown is None:
        return
    cells = cells_of(target, target.primary, shown[1])
    with target.row(editor.tr("Cells"), "cells"):
        ui.align()
        size = "×".join(f"{side:g}" for side in cells[0, 2:].tolist())
        ui.text(editor.tr("{count} of {size} px", count=len(cells), size=size), "dim")
        ui.mark("cells")


def draw_nine_patch(ui: UI, editor: Editor, target: Target) -> None:
    """Draw the picture with its four borders, which can be dragged, then the fields."""
    target.field("image")
    shown = _picture_of(editor, target)
    if shown is not None and target.visible("border"):
        picture = ui.picture("preview", shown, tooltip=editor.tr("Drag the lines to set the border"))
        _borders(ui, target, picture)
        ui.space(2)
    target.fields(skip=("image",))


def _borders(ui: UI, target: Target, picture: Picture) -> None:
    x, y, wide, tall = target.value("region").tolist()
    if wide <= 0:
        x, y, wide, tall = 0.0, 0.0, float(picture.size[0]), float(picture.size[1])
    border = target.value("border").tolist()
    left, top, right, bottom = border
    places = (x + left, y + top, x + wide - right, y + tall - bottom)
    for k, (side, place) in enumerate(zip(_SIDES, places, strict=True)):
        upright = k % 2 == 0
        span = (y, y + tall) if upright else (x, x + wide)
        new = ui.picture_line(picture, f"border.{side}", place, span, upright=upright)
        if new is None:
            continue
        start, room = (x, wide) if upright else (y, tall)
        opposite = border[(k + 2) % 4]
        distance = new - start if k < 2 else start + room - new
        border[k] = float(min(max(distance, 0.0), max(room - opposite, 0.0)))
        target.set("border", border)
