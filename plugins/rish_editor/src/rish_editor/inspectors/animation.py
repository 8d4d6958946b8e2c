"""The inspector of Animation: the clips of its file, and a preview that plays."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Assets
from rish_render import Sprite, SpriteSheet

from ..look import icons
from .sprite import cells_of

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..session.target import Target
    from ..ui.ui import UI

_SECONDS = 0.1
"""The time of a cell in the preview of frames without fps."""


def draw_animation(ui: UI, editor: Editor, target: Target) -> None:
    """Draw the preview, the choice of clips, then the fields."""
    path = str(target.value("clips"))
    clips = _clips(target, path) if path and not target.mixed("clips") else {}
    if len(target) == 1 and target.visible("clip"):
        _preview(ui, editor, target, clips)
    target.field("clips")
    if clips and target.visible("clip"):
        names = list(clips)
        with target.row(editor.tr("Clip"), "clip"):
            now = "—" if target.mixed("clip") else str(target.value("clip"))
            new = ui.choice("clip", now, ["", *names], labels=[editor.tr("The first"), *names])
        if new is not None:
            target.set("clip", new)
        target.fields(skip=("clips", "clip", "frames", "fps", "mode"))
    else:
        target.fields(skip=("clips",))


def _clips(target: Target, path: str) -> dict[str, Any]:
    """Return the clips of a file by name; none if it can't be read or has none for sheets."""
    try:
        return dict(getattr(target.game.world[Assets].load(path), "clips", {}))
    except Exception:
        return {}


def _preview(ui: UI, editor: Editor, target: Target, clips: dict[str, Any]) -> None:
    """Play the chosen clip in a small picture."""
    world, handle = target.game.world, target.primary
    if not (world.has(handle, Sprite) and world.has(handle, SpriteSheet)):
        ui.text(
            f"{icons.INFO}  {editor.tr('An animation needs a Sprite and a SpriteSheet beside it')}", "dim", wrap=True
        )
        return
    image = str(world.get(handle, Sprite).image)
    shown = editor.thumbnails.get(image) if image else None
    if shown is None:
        return
    cells = cells_of(target, handle, shown[1])
    numbers, seconds = _steps(target, clips, len(cells))
    if not numbers:
        return
    at = (time.monotonic() * float(target.value("speed"))) % max(sum(seconds), 1e-6)
    step = min(int(np.searchsorted(np.cumsum(seconds), at)), len(numbers) - 1)
    region = tuple(cells[numbers[step] % len(cells)].tolist())
    editor.stay_awake()
    ui.picture("preview", shown, region=region, height=80.0, tooltip=editor.tr("The chosen clip"))
    ui.space(2)


def _steps(target: Target, clips: dict[str, Any], count: int) -> tuple[list[int], list[float]]:
    """Return the cells of the clip in the preview, and the duration of each, seconds."""
    chosen = clips.get(str(target.value("clip")), next(iter(clips.values()), None))
    if chosen is not None:
        return list(chosen.cells), list(chosen.times)
    numbers = cells_in(str(target.value("frames"))) or list(range(count))
    fps = float(target.value("fps"))
    return numbers, [1 / fps if fps > 0 else _SECONDS] * len(numbers)


def cells_in(text: str) -> list[int]:
    """Parse a list of cells such as `0-3, 2, 1`; empty if the text is invalid."""
    cells: list[int] = []
    for part in text.split(","):
        first, dash, last = (word.strip() for word in part.partition("-"))
        if not first.isdecimal() or (dash and not last.isdecimal()):
            return []
        start, end = int(first), int(last) if dash else int(first)
        cells += range(start, end + 1) if end >= start else range(start, end - 1, -1)
    return cells
