"""Resources: typed singletons of plain values."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_ecs.declarations.columns import Vec2
from rish_ecs.declarations.component import field
from rish_ecs.declarations.resource import copy_plain, feed_plain, resource, resource_spec
from rish_jit.errors import DeclarationError


class Tint(Enum):
    """Two colors."""

    RED = 1
    BLUE = 2


class Point(NamedTuple):
    """A pair of numbers."""

    x: int
    y: int


@dataclasses.dataclass(frozen=True)
class Inner:
    """A frozen dataclass within a resource."""

    values: list[int]
    tint: Tint = Tint.RED


@resource
class Settings:
    """The settings of a plugin."""

    gravity: Vec2 = field((0, -9.8), unit="units/s²")
    steps: int = field(4, low=1)
    tint: Tint = Tint.BLUE
    names: dict[str, int] = dataclasses.field(default_factory=dict)
    history: list[float] = []


def _fed(value: Any) -> bytes:
    chunks: list[bytes] = []
    feed_plain(chunks.append, value)
    return b"".join(chunks)


def test_declaration() -> None:
    """A resource is a dataclass; fields of column types keep their unit and range."""
    spec = resource_spec(Settings)
    assert spec is not None
    assert (spec.name, spec.key, spec.derived, spec.view) == ("Settings", "Settings", False, False)
    assert spec.fields["steps"].low == 1
    assert list(spec.fields) == ["gravity", "steps", "tint", "history"]
    assert resource_spec(int) is None
    assert resource_spec(Settings()) is None


def test_defaults_are_private() -> None:
    """Mutable defaults are copied for each instance."""
    one, two = Settings(), Settings()
    one.names["a"] = 1
    one.history = [1.0]
    one.gravity[1] = 5  # pyright: ignore[reportIndexIssue]
    assert (two.names, len(two.history)) == ({}, 0)
    assert two.gravity[1] == np.float32(-9.8)
    assert Settings(steps=9).steps == 9
    assert type(two.steps) is int


def test_inheritance() -> None:
    """A resource can inherit from another and override defaults."""

    @resource
    class More(Settings):
        extra: float = 2.0
        steps: int = 7

    assert (More().extra, More().steps, More().tint) == (2.0, 7, Tint.BLUE)
    spec = resource_spec(More)
    assert spec is not None
    assert spec.fields["gravity"].unit == "units/s²"


def test_bad_declarations() -> None:
    """A default that does not fit, or `field(...)` on a type that is no column, is refused."""
    with pytest.raises(DeclarationError, match=r"Bad.x: the default: expected a number, got 'abc'"):

        @resource
        class Bad:
            x: float = "abc"  # pyright: ignore[reportAssignmentType]

    with pytest.raises(DeclarationError, match=r"Wrong.x has field\(...\) but no column type"):

        @resource
        class Wrong:
            x: dict[str, int] = field()


def test_plain() -> None:
    """Values are checked recursively: `copy_plain` refuses whatever a resource may not hold."""
    assert copy_plain({"a": [1, (2.0, "x"), Inner([1]), np.zeros(3), Tint.RED, None, b"raw"]})
    for value in ({"a": [object()]}, np.array([object()]), {1, 2}):
        with pytest.raises(DeclarationError, match="plain value"):
            copy_plain(value)


def test_copy_shares_nothing() -> None:
    """A copy is equal and shares no mutable part."""
    value = {"a": [np.zeros(2), Inner([1, 2])], "p": Point(1, 2), "t": (1, [2])}
    copied = copy_plain(value)
    copied["a"][0][0] = 9
    copied["a"][1].values.append(3)
    copied["t"][1].append(3)
    assert value["a"][0][0] == 0
    assert value["a"][1] == Inner([1, 2])
    assert value["t"] == (1, [2])
    assert isinstance(copied["p"], Point)


@pytest.mark.parametrize("value", [{1, 2}, object(), np.array([object()]), np.array([1j]), int, [lambda: 0]])
def test_what_is_not_plain_is_refused(value: Any) -> None:
    """Values that are not plain can be neither copied nor hashed."""
    for use in (copy_plain, _fed):
        with pytest.raises(DeclarationError, match=r"which is no plain value. Keep plain values"):
            use(value)


_PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(), st.binary()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner), st.tuples(inner, inner)),
    max_leaves=12,
)


@pytest.mark.slow
@given(_PLAIN)
def test_equal_values_feed_equally(value: Any) -> None:
    """A copy feeds the hash the same bytes."""
    assert _fed(copy_plain(value)) == _fed(value)


@given(_PLAIN, _PLAIN)
def test_different_values_feed_differently(one: Any, two: Any) -> None:
    """Different values feed different bytes."""
    if repr(one) != repr(two) and one != two:
        assert _fed(one) != _fed(two)


def test_order_of_dicts_does_not_count() -> None:
    """Dicts feed the same bytes whatever the order of their keys."""
    one: dict[Any, int] = {"b": 1, 2: 3, Tint.RED: 4, Tint.BLUE: 5, (1, "x"): 6, None: 7, Point(0, 0): 8}
    two = dict(reversed(one.items()))
    assert list(one) != list(two)
    assert _fed(one) == _fed(two)
    assert _fed({"a": 1, "b": 2}) != _fed({"a": 2, "b": 1})


def test_types_count() -> None:
    """1, 1.0, True and "1" feed different bytes."""
    assert len({_fed(value) for value in (1, 1.0, True, "1", b"1", None)}) == 6
    assert _fed(np.zeros(2, np.float32)) != _fed(np.zeros(2, np.float64))
