"""Field paths: what they name, reading, writing, and the messages for wrong ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.expressions.conftest import Health

from rish_core import Entity, Layers, Name, Transform, World, component, field, named
from rish_expressions import ComponentField, Expression, ExpressionError, FieldPath, Vocabulary

READINGS: list[tuple[str, Any]] = [
    ("hero.Health.now", 4.0),
    ("'old oak'.Health.now", 90.0),
    ("hero.Health.aim", (1.0, 2.0)),
    ("hero.Health.aim.y", 2.0),
    ("hero.Health.aim[0]", 1.0),
    ("hero.Health.color.a", 1.0),
    ("'old oak'.Health.mood", "angry"),
    ("hero.Health.alive", True),
    ("hero.Health.scores[1]", 6.0),
    ("hero.Transform.position.x", 3.0),
    ("Score.points", 3),
    ("Cache.mood", "calm"),
    ("layers.hud.visible", True),
    ("layers.hud.paused", False),
]


@pytest.mark.parametrize(("text", "value"), READINGS)
def test_a_path_reads_the_value_that_it_names(world: World, text: str, value: Any) -> None:
    """Entities by name, numbers of vectors, enums as words, resources and layers are read."""
    assert FieldPath.parse(text).bind(world).read() == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("hero.Health.now", 12.5),
        ("hero.Health.level", 3),
        ("hero.Health.alive", False),
        ("hero.Health.aim.x", 9.0),
        ("hero.Health.aim", (5.0, 6.0)),
        ("hero.Health.mood", "angry"),
        ("hero.Health.title", "sir"),
        ("hero.Health.scores[0]", 8.0),
        ("Score.points", 11),
        ("Score.rate", 2.0),
        ("layers.hud.visible", False),
        ("layers.world.paused", True),
    ],
)
def test_what_is_written_is_read_again(world: World, text: str, value: Any) -> None:
    """A value that was written is read again by a new binding."""
    FieldPath.parse(text).bind(world).write(value)
    assert FieldPath.parse(text).bind(world).read() == value


def test_angles_are_degrees(world: World) -> None:
    """An angle is read and written in degrees and stored in radians."""
    turn = FieldPath.parse("hero.Health.turn").bind(world)
    turn.write(90)
    assert turn.read() == pytest.approx(90)
    assert world.get(named(world, "hero"), turn.target.cls or object).turn == pytest.approx(np.pi / 2)


def test_a_write_marks_the_table(world: World) -> None:
    """Writing through a path increases the version of the table."""
    before = world.table(Transform).version
    FieldPath.parse("hero.Transform.position.y").bind(world).write(1)
    assert world.table(Transform).version > before


def test_a_number_of_a_vector_is_changed_alone(world: World) -> None:
    """The other numbers keep their bits, equal bits are not marked, and a change is computed once, also if refused."""
    field = FieldPath.parse("hero.Transform.position.y").bind(world)
    assert isinstance(field, ComponentField)
    table, calls = world.table(Transform), list[float]()

    def change(value: Any) -> Any:
        return lambda old: (calls.append(old), value)[1]

    row = table.row_of(field.entity)
    table.position[row] = 0.1, 0.0
    before = table.version
    field.change_of(field.entity, change(0.0))
    assert table.version == before
    field.change_of(field.entity, change(-0.0))
    assert table.version > before
    with pytest.raises(ExpressionError):
        field.change_of(field.entity, change("up"))
    field.change_of(field.entity, change(7))
    assert calls == [0, 0, 0, 0]
    assert table.position[row].tolist() == [np.float32(0.1), 7]


def test_a_path_without_an_entity_is_relative_to_the_given_one(world: World) -> None:
    """`Health.now` is of the entity of the binding, and an error without one."""
    oak = named(world, "old oak")
    assert FieldPath.parse("Health.now").bind(world, oak).read() == 90
    with pytest.raises(ExpressionError, match="which entity"):
        FieldPath.parse("Health.now").bind(world)


def test_a_name_is_looked_up_when_it_is_used(world: World) -> None:
    """A bound path follows the name: to a later entity after the first has died, and an error between."""
    path = FieldPath.parse("hero.Transform.position.x").bind(world)
    world.despawn(named(world, "hero"))
    with pytest.raises(ExpressionError, match="no entity is called 'hero'"):
        path.read()
    world.spawn(Name(value="hero"), Transform(position=(8, 0)))
    assert path.read() == 8


def test_children_are_named_after_their_parent(world: World) -> None:
    """`hero.arm.hand.Health.now` is of a child's child, by their names; the first of that name, wherever it moves."""
    hero, oak = named(world, "hero"), named(world, "old oak")
    arm = world.spawn(Name(value="arm"), Transform(parent=hero))
    world.spawn(Name(value="hand"), Transform(parent=arm), Health(now=7))
    other = world.spawn(Name(value="hand"), Transform(parent=oak), Health(now=8))
    path = FieldPath.parse("hero.arm.hand.Health.now").bind(world)
    assert path.read() == 7
    path.write(5)
    assert [FieldPath.parse(f"{of}.hand.Health.now").bind(world).read() for of in ("arm", "'old oak'")] == [5, 8]
    assert Expression.parse("it.hand.Health.now + 1").bind(world, {"it": "entity"})({"it": arm}) == 6
    world.set(other, Transform(parent=arm))
    with pytest.raises(ExpressionError, match="no child 'hand'"):
        FieldPath.parse("'old oak'.hand.Health.now").bind(world).read()
    with pytest.raises(ExpressionError, match=r"no child 'harm'.*did you mean 'arm'"):
        FieldPath.parse("hero.harm.Health.now").bind(world).read()


@component
class Hook:
    """Another component whose entities form a tree."""

    parent: Entity = field(0, cascade=True)


def test_children_of_every_component_with_a_parent_are_named() -> None:
    """A child by another component than Transform is found by its name, also after it moved."""
    world = World([Name, Transform, Hook, Health])
    crane, ship = world.spawn(Name(value="crane"), Hook), world.spawn(Name(value="ship"), Transform)
    load = world.spawn(Name(value="load"), Hook(parent=crane), Health(now=3))
    assert FieldPath.parse("crane.load.Health.now").bind(world).read() == 3
    world.set(load, Hook(parent=ship))
    assert FieldPath.parse("ship.load.Health.now").bind(world).read() == 3
    with pytest.raises(ExpressionError, match="no child 'load'"):
        FieldPath.parse("crane.load.Health.now").bind(world).read()


def test_children_do_not_change_the_hash(world: World) -> None:
    """Reading a child's field leaves the hash of the World as it is."""
    world.spawn(Name(value="arm"), Transform(parent=named(world, "hero")), Health())
    before = world.hash()
    assert FieldPath.parse("hero.arm.Health.now").bind(world).read() == 10
    assert world.hash() == before


def test_names_below_a_given_entity_are_children(world: World) -> None:
    """Resolved with `below`, all names before the component are children; the name of an element has one spelling."""
    words = Vocabulary.of_world(world)
    target = FieldPath.parse("arm.hand.Health.color[1]").resolve(words, below=True)
    assert (target.entity, target.children, target.name) == ("", ("arm", "hand"), "Health.color.g")
    assert len(target.column(world)) == len(world.table(Health))
    with pytest.raises(ExpressionError, match="no component is called 'Score'"):
        FieldPath.parse("Score.points").resolve(words, below=True)


def test_a_resolved_path_offers_the_column(world: World) -> None:
    """Class, field and element of the target give the column of all rows, for tools that write many."""
    target = FieldPath.parse("hero.Transform.position.y").resolve(Vocabulary.of_world(world))
    assert (target.cls, target.field, target.element, target.entity) == (Transform, "position", 1, "hero")
    assert target.column(world).tolist() == [4, 0, 0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hero.Healt.now", "did you mean 'Health'"),
        ("hero.Health.noow", "did you mean 'now'"),
        ("hero.Health.aim.z", "has 2 numbers"),
        ("hero.Health.now.x", "is no vector"),
        ("hero.Health", "name a field of Health"),
        ("layers.hdu.visible", "did you mean 'hud'"),
        ("layers.hud.color", "layers.NAME.visible"),
        ("settings.nothing.x", "no plugin 'nothing'"),
        ("Score.marks.a.b", "no field and no number"),
        ("hero", "names no field"),
        ("hero.now", "names no field"),
        ("hero.Health.now + 1", "names no field"),
    ],
)
def test_a_wrong_path_says_what_is_wrong(world: World, text: str, said: str) -> None:
    """An unknown name, number or form is an ExpressionError with the nearest name or the valid forms."""
    with pytest.raises(ExpressionError, match=said):
        FieldPath.parse(text).bind(world)


def test_an_item_of_a_mapping_can_be_read_and_written(world: World) -> None:
    """The name after a field that is a dict is a key; writing adds an item, and one that is there keeps its type."""
    item, new = FieldPath.parse("Score.marks.a").bind(world), FieldPath.parse("Score.marks.c").bind(world)
    held: Any = world[item.target.cls]
    before = held.marks
    item.write(0.5)
    new.write(True)
    assert (item.read(), new.read(), held.marks) == (0.5, True, {"a": 0.5, "b": "x", "c": True})
    assert before == {"a": 1, "b": "x"}
    for each, value in (
        (item, "much"),
        (item, True),
        (item, [1]),
        (new, 1),
        (FieldPath.parse("Score.marks.d").bind(world), None),
    ):
        with pytest.raises(ExpressionError, match="expected a"):
            each.write(value)
    with pytest.raises(ExpressionError, match="marks has no item 'z'"):
        FieldPath.parse("Score.marks.z").bind(world).read()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("hero.Health.now", -1),
        ("hero.Health.now", "much"),
        ("hero.Health.level", 1.5),
        ("hero.Health.mood", "glad"),
        ("hero.Health.aim", (1, 2, 3)),
        ("hero.Health.title", "king"),
        ("Score.points", 5000),
        ("layers.hud.visible", 1),
        ("hero.Health.scores[2]", 1),
    ],
)
def test_a_wrong_value_is_refused_and_changes_nothing(world: World, text: str, value: Any) -> None:
    """A value of another type or out of range raises ExpressionError and the hash stays the same."""
    before = world.hash()
    with pytest.raises(ExpressionError):
        FieldPath.parse(text).bind(world).write(value)
    assert world.hash() == before


def test_a_missing_component_is_an_error_with_those_that_exist(world: World) -> None:
    """Reading a component that the entity has not says which it has."""
    with pytest.raises(ExpressionError, match=r"the entity has no Tags.*Health"):
        FieldPath.parse("hero.Tags.values").bind(world).read()
    assert "hud" in world[Layers].order
