"""Renames files in the columns of a World."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import App, AssetNames, World

from .moves import Moves, respelled


def rename_in_world(app: App, moves: Moves) -> None:
    """Give moved files their new names in all fields of components that name files. Only between two ticks."""
    world, names = app.world, app.registry.names
    for kind in app.registry.components.values():
        for name, spec in kind.fields.items():
            item = spec.type.item or spec.type
            fits = item.special == "asset" or isinstance(names.get(spec.names), AssetNames)
            if fits and item.special in ("asset", "str") and len(world.table(kind.cls)):
                _rename_field(world, kind.cls, name, moves)


def _rename_field(world: World, cls: Any, name: str, moves: Moves) -> None:
    """Write the new names of moved files into one field."""
    table = world.table(cls)
    if cls.__kind__.fields[name].type.pooled:
        for row, handle in enumerate(table.entities.tolist()):
            texts: list[str] = list(table.read_row(name, row))
            renamed = [respelled(text, "rooted", moves, "") or text for text in texts]
            if renamed != texts:
                world.set(handle, cls(**{name: renamed}))
        return
    column = table.column(name)
    for number in np.unique(column).tolist():  # each text once; a name may be spelled in several ways
        new = respelled(world.text(number), "rooted", moves, "")
        if new is not None:
            world.set(table.entities[column == number], cls(**{name: new}))
