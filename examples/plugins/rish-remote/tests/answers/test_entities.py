"""Lists of entities, columns, and single entities."""

from __future__ import annotations

from typing import Any

import pytest


def names(found: Any) -> list[str | None]:
    """Return the names of a list of entities."""
    return [one["name"] for one in found["entities"]]


def test_filters_are_joined(pond: Any) -> None:
    """Entities are filtered by components, tag, pattern of names and prefab, and paged."""
    assert pond.get("entities")["total"] == 4
    assert names(pond.get("entities?has=Duck&name=don*")) == ["Donald"]
    assert pond.get("entities?tag=bird")["total"] == pond.get("entities?prefab=duck")["total"] == 3
    assert names(pond.get("entities?name=bank&tag=bird")) == []
    page = pond.get("entities?has=Transform&offset=2&limit=1")
    assert (page["total"], len(page["entities"])) == (4, 1)


def test_columns_have_a_row_for_each_entity(pond: Any) -> None:
    """Columns hold the fields of the entities that have all of them, with the shortest exact decimals."""
    pond.send("PATCH", "entities/Donald", set={"Duck": {"speed": 0.1, "friend": "bank"}})
    found = pond.get("columns?fields=Duck.speed,Duck.mood,Duck.friend,Transform.position&name=Donald")
    bank = pond.get("entities/bank")["entity"]
    assert found["columns"] == {
        "Duck.speed": [0.1], "Duck.mood": ["calm"], "Duck.friend": [bank], "Transform.position": [[3, 4]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("entities/99v1", 404, "no entity"),
        ("entities/..%2f..%2fetc%2fpasswd", 404, "no entity"),
        ("entities/%ff", 400, "no valid text"),
        ("entities?has=Dukc", 400, "did you mean 'Duck'"),
        ("entities?prefab=goose", 400, "no prefab"),
        ("entities?limit=0", 400, "out of range"),
        ("entities?limit=x", 400, "whole number"),
        ("entities?tga=x", 400, "did you mean 'tag'"),
        ("columns?fields=Transform", 400, "Component.field"),
        ("columns", 400, "is missing"),
    ],
)
def test_mistakes_in_queries_are_named(pond: Any, path: str, status: int, said: str) -> None:
    """A wrong name, number or argument in a URL is refused with what is wrong and the nearest choice."""
    found, message = pond.refused("GET", path)
    assert found == status
    assert said in message
