"""New defaults of fields reach the entities that have not departed from the former ones."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import spawn_prefab
from rish_core.app import App
from rish_ecs import Chars, Str, Vec2, component
from rish_reload import prepare


def version(**defaults: Any) -> Any:
    """Return a version of a game's plugin whose component has other defaults than the first version."""

    class Mode(Enum):
        """A state."""

        SHUT = 0
        OPEN = 1

    values = {"size": 1.0, "reach": (1.0, 2.0), "tag": "old", "note": "old", "mode": "SHUT", "path": (), **defaults}

    @component
    class Box:
        """A component with fields of several types."""

        size: float = values["size"]
        reach: Vec2 = values["reach"]
        tag: Str = values["tag"]
        note: Chars = values["note"]
        mode: Mode = Mode[values["mode"]]
        path: list[float] = values["path"]

    return SimpleNamespace(rish_components=lambda: [Box], Box=Box)


TEXT = {
    "prefabs": {"small": {"Box": {"size": 1.0}}, "plain": {"Box": {}}},
    "scenes": {"main": [{"name": "implicit", "Transform": {}, "Box": {}, "count": 2},
                        {"name": "explicit", "Transform": {}, "Box": {"size": 1.0}},
                        {"name": "inherited", "Transform": {}, "prefab": "small"}]},
}  # fmt: skip
CHANGES = {"size": 2.5, "reach": (3.0, 2.0), "tag": "new", "note": "new", "mode": "OPEN", "path": (1.0, 2.0)}


@pytest.fixture
def app(rish_app: Callable[..., App]) -> App:
    """A game with the first version, in which two entities come from prefabs and one from code."""
    app = rish_app(TEXT, plugins={"game": version()}, policy="disable")
    app.frame()
    spawn_prefab(app.world, "plain")
    spawn_prefab(app.world, "small")
    app.world.spawn(app.world.kind("Box")())
    return app


def column(app: App, field: str) -> list[Any]:
    """Return the values of a field, in the order in which the entities were spawned, in plain form."""
    table = app.world.table(app.world.kind("Box"))
    values = [table.read_row(field, row) for row in range(len(table))]
    return [value.name if isinstance(value, Enum) else list(value) if field in ("reach", "path") else value
            for value in values]  # fmt: skip


@pytest.mark.parametrize("field", list(CHANGES))
def test_a_new_default_reaches_whoever_has_the_former(app: App, field: str) -> None:
    """Entities get the new default of a field of any type, except where a text or the game has set a value."""
    before = {name: column(app, name) for name in CHANGES}
    changed = app.world.table(app.world.kind("Box")).entities[1]
    set_by_game = {"size": 9.0, "reach": (9.0, 9.0), "tag": "mine", "note": "mine", "path": [9.0]}.get(field)
    if set_by_game is not None:
        app.world.set(changed, app.world.kind("Box")(**{field: set_by_game}))
    own = column(app, field)[1]
    prepare(app, module=version(**{field: CHANGES[field]})).apply()
    new = list(CHANGES[field]) if isinstance(CHANGES[field], tuple) else CHANGES[field]
    explicit = before[field][0] if field == "size" else new
    assert column(app, field) == [new, own if set_by_game is not None else new, explicit, explicit, new, explicit, new]
    assert {name: column(app, name) for name in CHANGES if name != field} == {
        name: values for name, values in before.items() if name != field
    }


def test_a_reload_that_is_taken_back_takes_its_defaults_back(app: App) -> None:
    """After an attempt that is undone, entities have the former default again; the text's values stay."""
    change = prepare(app, module=version(size=2.5))
    change.attempt()
    assert column(app, "size") == [2.5, 2.5, 1, 1, 2.5, 1, 2.5]
    change.undo()
    assert column(app, "size") == [1] * 7
