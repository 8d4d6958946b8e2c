"""Plain values as bytes: the cache never hides a change."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import pytest

from rish_ecs.declarations.resource import fields_of, resource, resource_spec
from rish_ecs.snapshots.plain_bytes import FieldBytes, plain_bytes


class Tint(Enum):
    """Two colors."""

    RED = 1
    BLUE = 2


@dataclass
class Pair:
    """Two numbers."""

    a: int = 1
    b: float = 2.0


@resource
class Bag:
    """A resource with one field of each kind."""

    number: float = 1.0
    count: int = 1
    word: str = "a"
    tint: Tint = Tint.RED
    array: Any = None
    items: Any = None
    pairs: Any = None
    own: Any = None


CHANGES: dict[str, Any] = {
    "float": lambda bag: setattr(bag, "number", 2.0),
    "minus zero": lambda bag: setattr(bag, "number", -0.0),
    "int": lambda bag: setattr(bag, "count", 2),
    "int to bool": lambda bag: setattr(bag, "count", True),
    "word": lambda bag: setattr(bag, "word", "b"),
    "member": lambda bag: setattr(bag, "tint", Tint.BLUE),
    "array": lambda bag: bag.array.__setitem__(0, 9),
    "type of an array": lambda bag: setattr(bag, "array", bag.array.view(np.float32)),
    "shape of an array": lambda bag: setattr(bag, "array", bag.array.reshape(2, 2)),
    "list": lambda bag: bag.items.append(3),
    "deep in a list": lambda bag: bag.items[0].append(3),
    "array in a dict": lambda bag: bag.pairs["x"].__setitem__(0, 9),
    "type of an array in a dict": lambda bag: bag.pairs.__setitem__("x", bag.pairs["x"].view(np.float32)),
    "dataclass": lambda bag: setattr(bag.own, "a", 7),
}


def bag() -> Any:
    """Return a bag with a value in each field."""
    return Bag(
        number=0.0, array=np.arange(4, dtype=np.int32), items=[[1], "x"], pairs={"x": np.arange(4, dtype=np.int32)},
        own=Pair(),
    )  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_every_change_is_seen(what: str) -> None:
    """Every change is detected, even if made in place after the bytes were cached."""
    made, instance, other = FieldBytes(resource_spec(Bag)), bag(), bag()
    before = made.of(instance)
    assert made.of(instance) == before == made.of(other)
    CHANGES[what](instance)
    changed = made.of(instance)
    assert changed != before
    assert changed == FieldBytes(resource_spec(Bag)).of(instance)
    assert made.of(other) == before


def test_the_order_of_a_dict_does_not_count() -> None:
    """The order of a dict does not change the bytes."""
    made = FieldBytes(resource_spec(Bag))
    one, other = bag(), bag()
    one.pairs, other.pairs = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert made.of(one) == made.of(other)


def test_numbers_of_numpy_count_as_numbers() -> None:
    """Numpy's scalars give the same bytes as Python's, because a restored save contains Python's."""
    made, one, other = FieldBytes(resource_spec(Bag)), bag(), bag()
    one.number, other.number = np.float64(0.5), 0.5
    one.count, other.count = np.int32(3), 3
    assert made.of(one) == made.of(other)


def test_the_bytes_are_whole_words() -> None:
    """The length of the bytes is a multiple of 8, because they are hashed in words of eight bytes."""
    for text in ("", "a", "abcdefgh"):
        instance = bag()
        instance.word = text
        assert len(FieldBytes(resource_spec(Bag)).of(instance)) % 8 == 0
    assert plain_bytes(fields_of(Pair())) == plain_bytes(fields_of(Pair()))


def test_a_field_that_was_added_is_hashed_when_it_is_set() -> None:
    """A field marked as added leaves the bytes as they were without it, as long as it is None."""

    def declared(**fields: Any) -> Any:
        annotations = dict.fromkeys(fields, "Any") | {"number": float}
        return resource(type("Rules", (), {"__annotations__": annotations, "number": 1.0, **fields}))

    old, new = declared(), declared(more=dataclasses.field(default=None, metadata={"added": True}))
    before, made = FieldBytes(resource_spec(old)).of(old()), FieldBytes(resource_spec(new))
    instance = new()
    assert made.of(instance) == before
    instance.more = {"a": 1}
    assert made.of(instance) != before
    instance.more = None
    assert made.of(instance) == before
