"""The names of files in a World: in the columns of components, and in the files that are loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rish_core import App, AssetNames, World


def rename_in_world(app: App, moved: Mapping[str, str]) -> None:
    """Give moved files their new names in all fields of components that name files. Only between two ticks."""
    world, names = app.world, app.registry.names
    numbers = {world.texts.find(old): new for old, new in moved.items()}
    numbers.pop(-1, None)
    if not numbers:
        return
    for kind in app.registry.components.values():
        for name, spec in kind.fields.items():
            item = spec.type.item or spec.type
            fits = item.special == "asset" or isinstance(names.get(spec.names), AssetNames)
            if fits and item.special in ("asset", "str") and len(world.table(kind.cls)):
                _rename_field(world, kind.cls, name, numbers)


def _rename_field(world: World, cls: Any, name: str, numbers: Mapping[int, str]) -> None:
    table = world.table(cls)
    column = table.column(name)
    if cls.__kind__.fields[name].type.pooled:
        for row, handle in enumerate(table.entities.tolist()):
            texts: list[Any] = list(table.read_row(name, row))
            found = [numbers.get(world.texts.find(text), text) for text in texts]
            if found != texts:
                world.set(handle, cls(**{name: found}))
        return
    for number, new in numbers.items():
        rows = np.flatnonzero(column == number)
        if len(rows):
            world.set(table.entities[rows], cls(**{name: new}))
