"""The inspector of Transform: links both scales, and shows where the entity is in the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform, world_matrices
from rish_ecs import Inputs

from ..look import icons

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..session.target import Target
    from ..ui.ui import UI

_LINKED = "editor.scales_linked"
"""The name in `Editor.memory` of whether both scales change together, for all entities."""
_SCALES = "editor.scales"
"""The name in `Editor.memory` of the result of `_scales`."""


def draw_transform(ui: UI, editor: Editor, target: Target) -> None:
    """Draw position, rotation, scale and parent."""
    target.fields("position", "rotation")
    before = _scales(editor, target)
    if target.field("scale", room=26):
        linked = editor.memory.setdefault(_LINKED, True)
        ui.same_line(2)
        tip = editor.tr("Both scales change together") if linked else editor.tr("Each scale changes alone")
        if ui.icon_button(icons.LINK if linked else icons.UNLINK, "link", tip, active=linked):
            editor.memory[_LINKED] = not linked
        if linked:
            _follow(target, before, _scales(editor, target))
    target.field("parent")
    _place(ui, editor, target)


def _scales(editor: Editor, target: Target) -> Any:
    """Return the scales of all entities; read again only after changes, because there may be many entities."""
    entry = editor.memory.get(_SCALES)
    inputs = Inputs((target.cls,)) if entry is None or entry[0] is not target else entry[1]
    if inputs.changed(target.game.world) or entry is None:
        entry = editor.memory[_SCALES] = target, inputs, target.values("scale")
    return entry[2]


def _follow(target: Target, before: Any, after: Any) -> None:
    """Change the other scale of each entity by the same factor, if one was changed."""
    if after is before:
        return
    changed = before != after
    if not changed.any() or changed.all():
        return
    with np.errstate(all="ignore"):
        factor = np.where(changed & (before != 0), after / before, 1.0).prod(axis=1)
    factor = np.where(np.isfinite(factor), factor, 1.0)
    target.set("scale", np.where(changed, after, before * factor[:, None]).astype(np.float32))


def _place(ui: UI, editor: Editor, target: Target) -> None:
    """Show the position in the world of an entity that has a parent."""
    if len(target) != 1 or not target.value("parent") or not target.visible("position"):
        return
    table = target.game.world.table(Transform)
    matrices = np.asarray(world_matrices(target.game.world), np.float64).reshape(-1, 6)
    x, y = matrices[table.row_of(target.primary), 4:].tolist()
    with target.row(editor.tr("In the world"), "world"):
        ui.align()
        ui.text(f"{x:.2f}, {y:.2f}", "dim")
        ui.mark("world")
