"""Former names: renamed fields, members and classes are still read, with one notice per name."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import Enum
from typing import Any

import numpy as np
import pytest

from rish_ecs import UnknownName, World, component, event, field, resource
from rish_ecs.declarations import renames
from rish_ecs.declarations.component import kind_of
from rish_ecs.declarations.resource import whole_fields


class Form(Enum):
    """An enum whose member `rectangle` has a new name."""

    CIRCLE = "circle"
    BOX = "box"
    RECTANGLE = BOX


def declared(*, renamed: bool) -> dict[str, type]:
    """Return the same classes before or after a renaming."""
    if not renamed:

        class Old(Enum):
            RECTANGLE = "rectangle"
            CIRCLE = "circle"

        @component
        class Shape:
            kind: Old = field(Old.CIRCLE)
            fill: float = field(1.0)

        @event
        class Wish:
            count: int = field(0)

        @resource
        class Settings:
            speed: float = 1.0

        return {"part": Shape, "event": Wish, "settings": Settings}

    @component(was="Shape")
    class Figure:
        form: Form = field(Form.CIRCLE, was="kind")
        color: float = field(1.0, was=("fill", "tint"))

    @event(was="Wish")
    class Request:
        number: int = field(0, was="count")

    @resource(was="Settings")
    class FigureSettings:
        time_scale: float = field(1.0, was="speed")

    return {"part": Figure, "event": Request, "settings": FigureSettings}


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear the set of names that were already reported."""
    monkeypatch.setattr(renames, "_noticed", set())


def test_a_constructor_takes_a_former_name_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    """A former field name sets the renamed field and is reported once."""
    cls: Any = declared(renamed=True)["part"]
    with caplog.at_level(logging.WARNING, logger="rish"):
        made = [cls(tint=0.5), cls(tint=0.25), cls(kind="rectangle")]
    assert [each.color for each in made] == [0.5, 0.25, 1.0]
    assert made[2].form is Form.BOX
    said = [record.getMessage() for record in caplog.records]
    assert said == [
        "Figure: 'tint' is called 'color' now; please rename it",
        "Figure: 'kind' is called 'form' now; please rename it",
        "Form: 'rectangle' is called 'box' now; please rename it",
    ]


def test_an_event_takes_a_former_name() -> None:
    """A former field name works for events, also with arrays."""
    cls = declared(renamed=True)["event"]
    world = World([cls])
    world.emit(cls, count=np.array([3, 4]))
    assert world.events(cls).number.tolist() == [3, 4]


def test_a_column_has_the_new_name_only() -> None:
    """A column has only the new name, and the error for the former one names it."""
    cls = declared(renamed=True)["part"]
    with pytest.raises(UnknownName, match="no field 'fill': it is called 'color' now"):
        kind_of(cls).field("fill")


def test_a_dataclass_in_a_resource_keeps_what_it_had_under_a_former_name() -> None:
    """A dataclass in a resource reads a former field name; if neither name is found, the default is used."""

    @dataclass
    class Link:
        name: str
        enabled: bool = dataclass_field(default=True, metadata={"was": ("on",)})

    assert whole_fields(Link, {"name": "crt", "on": False}) == {"name": "crt", "enabled": False}
    assert whole_fields(Link, {"name": "crt", "enabled": False, "on": True}) == {"name": "crt", "enabled": False}
    assert whole_fields(Link, {"name": "crt"}) == {"name": "crt", "enabled": True}


def test_a_saved_world_comes_back_under_the_new_names() -> None:
    """A saved world is restored with renamed fields, classes, enum members, events and resources."""
    old, new = declared(renamed=False), declared(renamed=True)
    before = World([old["part"], old["event"]])
    before.put(old["settings"](speed=0.5))
    part: Any = old["part"]
    handle = before.spawn(part(kind="rectangle", fill=0.25))
    before.emit(old["event"], count=7)
    after = World([new["part"], new["event"]])
    after.put(new["settings"]())
    after.restore(before.snapshot())
    view: Any = after.get(handle, new["part"])
    assert (view.form, view.color) == (Form.BOX, 0.25)
    assert after.events(new["event"]).number.tolist() == [7]
    assert after[new["settings"]].time_scale == 0.5
