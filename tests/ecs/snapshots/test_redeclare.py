"""A running world takes over classes that were declared again: rows stay, and changed fields are migrated."""

from __future__ import annotations

import gc
import weakref
from dataclasses import dataclass
from dataclasses import field as plain_field
from enum import Enum
from typing import Any

import numpy as np
import pytest

from rish_ecs.declarations.columns import Chars, Str, Vec2
from rish_ecs.declarations.component import component, event, field, table
from rish_ecs.declarations.resource import resource
from rish_ecs.declarations.system import Stage
from rish_ecs.world import World
from rish_jit.errors import DeclarationError, UnknownName


def make(category: Any, name: str, owner: str = "game", **annotations: Any) -> Any:
    """Return a class as a module would declare it; (type, default) gives a field a default."""
    body: dict[str, Any] = {"__annotations__": {}, "__module__": __name__}
    for key, value in annotations.items():
        hint, *default = value if isinstance(value, tuple) else (value,)
        body["__annotations__"][key] = hint
        if default:
            body[key] = default[0]
    cls = category(type(name, (), body))
    cls.__kind__.owner = owner
    return cls


@component
class Other:
    """A component that is not redeclared."""

    x: float = 3.0


def test_rows_stay_where_nothing_of_the_fields_changed() -> None:
    """A class with the same fields takes over the columns, as the same arrays."""
    old, new = (make(component, "Door", open=bool, width=(float, 2.0)) for _ in range(2))
    world = World([old, Other])
    doors = world.spawn_many(3, old(open=True), Other())
    column, before = world[old].width, world.hashes()
    world.redeclare([new, Other])
    assert world.hashes() == before
    assert np.shares_memory(world[new].width, column)
    assert world.get(int(doors[1]), new).open


def test_a_class_that_was_loaded_before_forwards() -> None:
    """Code that holds the old class gets the same table, query and entities, and can spawn."""
    old, new = make(component, "Door", open=bool), make(component, "Door", open=bool, width=(float, 2.0))
    world = World([old, Other])
    door = world.spawn(old(open=True), Other())
    world.redeclare([new, Other])
    assert world[old] is world[new]
    assert old in world
    assert world.table(old) is world.table(new)
    assert world.has(door, old)
    another = world.spawn(old(open=True, width=3.0))
    assert world.get(another, new).width == 3.0
    query = world.query(old)
    assert len(query) == 2
    assert query[old.width].tolist() == query[new.width].tolist() == [2.0, 3.0]
    assert list(query.rows(old)) == list(query.rows(new))
    assert len(world.query(Other, without=old)) == 0
    world.remove(door, old)
    assert not world.has(door, new)
    assert world.components_of(another) == [new]


@pytest.mark.slow
def test_every_class_of_before_forwards_and_none_is_kept_for_it() -> None:
    """Classes of all earlier reloads refer to the current one, and unused ones are collected."""
    first = make(component, "Door", open=bool)
    mark = resource(type("Mark", (), {"__annotations__": {"x": int}, "__module__": __name__}))
    world = World([first])
    world.put(mark(x=3))
    seen: list[Any] = []
    for _ in range(5):
        world.redeclare([make(component, "Door", open=bool)])
        world.renew(resource(type("Mark", (), {"__annotations__": {"x": int}, "__module__": __name__})))
        seen += [weakref.ref(next(iter(world.tables))), weakref.ref(world.resource_classes["Mark"])]
    door = world.spawn(first(open=True))
    assert world.has(door, first)
    assert list(world.query(first)) == [door]
    assert world[mark].x == 3
    gc.collect()
    assert [reference() is not None for reference in seen] == [False] * 8 + [True] * 2


def test_fields_are_added_removed_renamed_and_retyped() -> None:
    """New fields get defaults, fields with `was` take over values, numbers are cast, and removed fields are dropped."""
    old = make(component, "Door", hits=(int, 7), gone=(float, 1.0), label=(Chars, "north"), at=(Vec2, (1, 2)))
    new = make(
        component,
        "Door",
        hits=float,
        title=(Chars, field("", was="label")),
        at=Vec2,
        fresh=(Str, "oak"),
    )
    world = World([old])
    doors = world.spawn_many(2, old())
    at = world[old].at
    at[1] = (5, 6)
    world.redeclare([new])
    found = world.get(int(doors[1]), new)
    assert (found.hits, found.title, found.fresh, found.at.tolist()) == (7.0, "north", "oak", [5, 6])
    assert world[new].hits.dtype == np.float32
    with pytest.raises(UnknownName, match="gone"):
        _ = world[new].gone


def test_untouched_columns_keep_their_hash() -> None:
    """If one field is retyped, the hashes of all other columns stay."""
    old = make(component, "Door", hits=(int, 7), label=(Chars, "north"), note=(Str, "x"))
    new = make(component, "Door", hits=(float, 7), label=(Chars, ""), note=(Str, ""))
    world = World([old, Other])
    world.spawn_many(5, old(), Other())
    before = world.hashes()
    world.redeclare([new, Other])
    assert {name for name, digest in world.hashes().items() if digest != before.get(name)} == {"game.Door.hits"}


def test_new_and_removed_classes() -> None:
    """A removed class is removed from its entities, and a new one can be added to them."""
    first, second, third = (make(component, name, x=(float, 1.0)) for name in ("First", "Second", "Third"))
    world = World([first, second])
    entities = world.spawn_many(3, first(), second(x=9))
    world.redeclare([third, second])
    assert world.components_of(int(entities[0])) == [second]
    with pytest.raises(UnknownName, match="First"):
        world.table(first)
    world.add(entities, third())
    assert len(world.query(second, third)) == 3
    assert world.query(second, third)[second.x].tolist() == [9, 9, 9]


def test_signatures_have_room_for_many_new_classes() -> None:
    """With more than 64 components signatures get more words, and queries still distinguish all components."""
    few = make(component, "Few", x=float)
    many = [make(component, f"Many{number}", x=float) for number in range(130)]
    world = World([few])
    entity = world.spawn(few())
    world.redeclare([*many, few])
    world.add(entity, many[0](), many[129]())
    assert list(world.query(few, many[129], without=many[64])) == [entity]
    assert list(world.query(few, without=many[129])) == []
    world.despawn(entity)
    assert len(world.table(many[129])) == 0


def test_queued_handles_and_added_are_kept() -> None:
    """Change detection continues: rows added before are still new for readers that have not read them."""
    old, new = make(component, "Door", x=float), make(component, "Door", x=int)
    world = World([old])
    world.spawn(old())
    world.redeclare([new])
    world.stage, world.running = Stage.UPDATE, "game.look"
    assert len(world.added(new)) == 1
    assert len(world.added(old)) == 0


def test_events_go_on_being_read_once() -> None:
    """Unread events are migrated, and readers' cursors stay."""
    old, new = make(event, "Hit", power=int), make(event, "Hit", power=float, who=(Str, "nobody"))
    world = World([old])
    world.stage, world.running = Stage.UPDATE, "game.read"
    world.emit(old, power=3)
    assert len(world.events(old)) == 1
    world.emit(old, power=4)
    world.stage = None
    world.redeclare([new])
    world.stage = Stage.UPDATE
    rows = list(world.events(new))
    assert [(row.power, row.who) for row in rows] == [(4.0, "nobody")]
    world.emit(old, power=5)
    assert [row.power for row in world.events(new)] == [5.0]


def test_the_frame_keeps_its_events() -> None:
    """Events of a frame's first tick are still visible to frame systems after the classes changed between ticks."""
    old, new = make(event, "Hit", power=int), make(event, "Hit", power=float)
    world = World([old])
    world.stage = Stage.UPDATE
    world.emit(old, power=3)
    world.stage = None
    world.end_tick()
    world.redeclare([new])
    world.stage = Stage.LATE
    assert [row.power for row in world.events(new)] == [3.0]
    assert [row.power for row in world.events(old)] == [3.0]


def test_tables_are_migrated() -> None:
    """Rows of tables are migrated as well."""
    old, new = make(table, "Contacts", a=int, gone=int), make(table, "Contacts", a=int, depth=(float, 0.5))
    world = World([old])
    world[old].append(2, a=np.array([3, 4]))
    world.redeclare([new])
    assert (world[new].a.tolist(), world[new].depth.tolist()) == ([3, 4], [0.5, 0.5])


def test_two_classes_of_one_name_change_nothing() -> None:
    """Two classes of one name are refused before anything is changed."""
    door, twin = (make(component, "Door", x=float) for _ in range(2))
    world = World([door])
    world.spawn(door(x=2))
    with pytest.raises(DeclarationError, match=r"game\.Door"):
        world.redeclare([door, twin])
    assert world[door].x.tolist() == [2]


def test_growth_is_reported_to_what_keeps_columns() -> None:
    """`on_grow` callbacks are called with the old columns, so that strict mode finds references to them."""
    old, new = make(component, "Door", x=float), make(component, "Door", x=int)
    world = World([old])
    world.spawn(old())
    told: list[Any] = []
    world.table(old).on_grow.append(lambda grown, before: told.append(before["x"]))
    world.redeclare([new])
    assert [column.dtype for column in told] == [np.float32]


class Mode(Enum):
    """An enum in its first version."""

    SLOW = 0
    FAST = 1


def _versions() -> tuple[type, type]:
    """Return a resource of a module loaded twice, each time with its own enum and dataclass."""

    def load(version: int) -> type:
        mode = Enum("Mode", ["SLOW", "FAST"] if version == 1 else ["FAST", "SLOW", "STILL"])

        @dataclass
        class Entry:
            name: str = ""
            score: int = 0

        body: dict[str, Any] = {
            "__annotations__": {"points": int, "mode": mode, "best": list[Entry], "rate": float},
            "points": 0,
            "mode": next(iter(mode)),
            "best": plain_field(default_factory=list),
            "rate": field(1.0, was="speed"),
            "__module__": __name__,
        }
        if version == 1:
            body["__annotations__"]["speed"] = body["__annotations__"].pop("rate")
            body["speed"] = 4.0
            del body["rate"]
        cls = resource(type("Score", (), body))
        cls.Entry, cls.Mode = Entry, mode
        return cls

    return load(1), load(2)


def test_a_resource_keeps_its_fields_by_name() -> None:
    """A resource's enums and dataclasses become the new ones, and renamed fields keep their values."""
    old, new = _versions()
    world = World()
    world.put(old(points=3, mode=old.Mode.FAST, best=[old.Entry("ann", 9)], speed=2.5))
    made = world.renew(new)
    assert type(made) is new
    assert (made.points, made.mode, made.rate) == (3, new.Mode.FAST, 2.5)
    assert made.best == [new.Entry("ann", 9)]
    assert world[old] is made is world[new]
    assert world.renew(new) is made
    world.put(old(points=8, mode=old.Mode.SLOW))
    assert world[new].points == 8
    assert isinstance(world[new].mode, new.Mode)


def test_a_resource_value_that_no_longer_fits_takes_its_default() -> None:
    """A resource's value of another type is replaced by the default."""
    old = resource(
        type("Score", (), {"__annotations__": {"a": list, "b": str}, "a": plain_field(default_factory=list), "b": "x"})
    )
    new = resource(type("Score", (), {"__annotations__": {"a": int, "b": int}, "a": 5, "b": 6}))
    world = World()
    world.put(old(a=[1], b="word"))
    made = world.renew(new)
    assert (made.a, made.b) == (5, 6)


def test_a_resource_value_of_the_same_type_is_the_very_same() -> None:
    """A resource's value of the same type is kept unchanged, with all digits of a Python float."""
    old, new = (resource(type("Pilot", (), {"__annotations__": {"idle": float, "at": Vec2}})) for _ in range(2))
    world = World()
    world.put(old(idle=0.1 + 0.2))
    before = world.hashes()
    assert world.renew(new).idle == 0.1 + 0.2
    assert world.hashes() == before


def test_a_resource_value_of_any_type_is_kept() -> None:
    """A field of the type Any keeps a value that is not of the type of its default."""
    old, new = (
        resource(type("Look", (), {"__annotations__": {"fade": Any}, "fade": "", "__module__": __name__}))
        for _ in range(2)
    )
    world = World()
    world.put(old(fade={"dissolve": 1.5}))
    world.renew(new)
    assert world[new].fade == {"dissolve": 1.5}


def test_a_forgotten_resource_is_gone() -> None:
    """A forgotten resource is in no snapshot."""
    _, cls = _versions()
    world = World()
    world.put(cls())
    world.forget(cls)
    assert cls not in world
    assert list(world.snapshot().resources) == ["RandomStreams"]
