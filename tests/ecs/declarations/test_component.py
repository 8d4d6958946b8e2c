"""Components: the results of declarations, and the errors of invalid ones."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from rish_ecs.declarations.columns import Array, Chars, Entity, Str, Vec2
from rish_ecs.declarations.component import (
    RESERVED,
    Disabled,
    Each,
    FieldSpec,
    component,
    event,
    field,
    kind_of,
    rows_in,
    table,
)
from rish_ecs.declarations.resource import resource
from rish_ecs.storage.table import Table
from rish_ecs.world import World
from rish_jit.errors import DeclarationError, UnknownName

if TYPE_CHECKING:
    from pathlib import Path


class Mode(Enum):
    """The kind of movement."""

    WALK = 1
    RUN = 2


@component
class Body:
    """A thing with mass."""

    velocity: Vec2 = field((0, 0), unit="units/s", doc="how fast")
    mass: float = field(1.0, unit="kg", low=0, high=100)
    mode: Mode = Mode.WALK
    kind: Str = field("round", choices=("round", "square"))
    target: Entity = 0
    lives: int = 3
    path: list[Vec2] = field()
    words: list[Str] = field(choices=("a", "b"))


def test_declaration() -> None:
    """A declaration gives a kind with its name, doc and fields in order."""
    kind = kind_of(Body)
    assert (kind.name, kind.key, kind.category, kind.doc) == ("Body", "Body", "component", "A thing with mass.")
    assert list(kind.fields) == ["velocity", "mass", "mode", "kind", "target", "lives", "path", "words"]
    assert kind.place.file.endswith("test_component.py")
    kind.owner = "physics"
    assert kind.key == "physics.Body"
    kind.owner = ""


def test_fields_on_the_class_and_on_an_instance() -> None:
    """`Body.mass` is the field, `Body().mass` its default, `Body(mass=2).mass` the value."""
    spec: Any = Body.mass
    assert isinstance(spec, FieldSpec)
    assert (spec.name, spec.unit, spec.low, spec.kind) == ("mass", "kg", 0, kind_of(Body))
    assert Body().mass == 1.0
    body = Body(mass=2)
    assert body.mass == 2.0
    body.mass = 3
    assert kind_of(Body).values(body) == {"mass": 3.0}
    assert repr(Body(mass=2, mode=Mode.RUN, velocity=(1, 2))) == "Body(mass=2.0, mode=run, velocity=[1.0, 2.0])"
    assert "Body.mass" in repr(spec)


def test_equality() -> None:
    """Instances are equal if all their values are, given or default."""
    assert Body(mass=1) == Body()
    assert Body(velocity=(1, 0)) != Body()
    assert Body() != Disabled()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"mass": -1}, r"Body.mass: -1 is below the least value, 0 kg"),
        ({"mass": 101.0}, r"Body.mass: 101.0 is above the greatest value, 100 kg"),
        ({"mass": float("nan")}, r"Body.mass: expected a number, got NaN"),
        ({"mass": np.array([1.0, 200.0])}, r"Body.mass: 200.0 is above the greatest value, 100 kg"),
        ({"mass": np.array([1.0, np.nan])}, r"Body.mass: expected finite numbers, got nan"),
        ({"velocity": (1, 2, 3)}, r"Body.velocity: expected 2 numbers, got \(1, 2, 3\). how fast"),
        ({"velocity": np.zeros((4, 3))}, r"Body.velocity: expected rows of 2 numbers"),
        ({"velocity": np.zeros((4, 2, 2))}, r"Body.velocity: expected 2 numbers"),
        ({"mode": "fly"}, r"Body.mode: expected one of walk, run, got 'fly'"),
        ({"mode": np.array([5])}, r"Body.mode: 5 is no member of Mode"),
        ({"kind": "rond"}, r"Body.kind: expected one of round, square, got 'rond' \(did you mean 'round'\?\)"),
        ({"kind": np.array(["round", "roud"])}, r"got 'roud'"),
        ({"words": ["a", "c"]}, r"Body.words: expected one of a, b, got 'c'"),
        ({"lives": [1, 2]}, r"Body.lives: expected a whole number"),
        ({"lives": Each([1, 2.5])}, r"Body.lives: expected a whole number, got 2.5"),
        ({"mass": Each([1, -2])}, r"Body.mass: -2 is below"),
    ],
)
def test_wrong_values(values: dict[str, Any], message: str) -> None:
    """A wrong value is refused when the instance is made, with the names of component and field."""
    with pytest.raises(DeclarationError, match=message):
        Body(**values)


def test_wrong_names_and_positions() -> None:
    """An unknown field is refused with the nearest one, and a positional value with the correct form."""
    with pytest.raises(UnknownName, match=r"Body has no field 'masss' \(did you mean 'mass'\?\)"):
        Body(masss=1)  # pyright: ignore[reportCallIssue]
    with pytest.raises(DeclarationError, match=r"takes its values by name. Write Body\(velocity=...\)"):
        Body(5)  # pyright: ignore[reportCallIssue]
    body = Body()
    with pytest.raises(DeclarationError, match="above"):
        body.mass = 1000


def test_bounds_are_in_the_precision_of_the_column() -> None:
    """A value that equals a bound fits, although float32 rounds the bound."""

    @component
    class Fine:
        x: float = field(0.5, low=0.1, high=0.7)

    assert Fine(x=0.1).x == np.float32(0.1)
    assert Fine(x=0.7).x == np.float32(0.7)


def test_rows() -> None:
    """`rows_in` returns the number of rows of an array or an `Each`, and None for a single value."""
    fields = kind_of(Body).fields
    assert rows_in(fields["mass"], Body(mass=np.ones(5)).mass) == 5
    assert rows_in(fields["velocity"], Body(velocity=np.ones(2)).velocity) is None
    assert rows_in(fields["velocity"], Body(velocity=np.ones((7, 2))).velocity) == 7
    assert rows_in(fields["path"], Body(path=np.ones((7, 2))).path) is None
    assert rows_in(fields["path"], Body(path=Each([[(1, 2)], []])).path) == 2
    assert rows_in(fields["mode"], Body(mode=Each(["run", Mode.WALK])).mode) == 2
    assert rows_in(fields["kind"], Body(kind=Each(["round", "square"])).kind) == 2
    assert Body(velocity=Each([(1, 2), (3, 4)])).velocity.tolist() == [[1, 2], [3, 4]]  # pyright: ignore[reportAttributeAccessIssue]


def test_rows_are_private() -> None:
    """An instance keeps its values if the array they came from changes."""
    source = np.ones(3, np.float32)
    body = Body(mass=source)
    source[:] = 50
    assert body.mass.tolist() == [1, 1, 1]  # pyright: ignore[reportAttributeAccessIssue]


def test_wrong_default() -> None:
    """A default is checked like any other value."""
    with pytest.raises(DeclarationError, match=r"Bad.x: the default: 5.0 is above the greatest value, 1"):

        @component
        class Bad:
            x: float = field(5.0, high=1)


def test_a_field_without_a_type_is_reported() -> None:
    """A field without a type is refused, because it would be ignored otherwise."""
    with pytest.raises(DeclarationError, match=r"Bad.x has field\(...\) but no type. Write x: float"):

        @component
        class Bad:
            x = field(5.0)


@pytest.mark.parametrize("declare", [component, resource, event])
def test_a_value_without_an_annotation_is_a_mistake(declare: Any) -> None:
    """A class attribute without an annotation is refused: instances would share it, and snapshots would miss it."""

    class Bad:
        x: float = 1.0
        speed = 3.0

    with pytest.raises(DeclarationError, match=r"test_component.py:\d+: Bad.speed has no annotation.*: float = 3.0"):
        declare(Bad)


def test_constants_and_methods_need_no_annotation() -> None:
    """CONSTANTS, names with an underscore, methods and classes are not fields."""

    @component
    class Good:
        x: float = 1.0
        MAX = 5
        _minimum = 2
        made_of = int

        @property
        def double(self) -> float:
            return 2 * self.x

    assert list(Good.__kind__.fields) == ["x"]


def test_no_column_type() -> None:
    """A field that cannot be a column is refused with the possible types."""
    with pytest.raises(DeclarationError, match=r"Bad.x: str is no column type. Choices: .*Vec2"):

        @component
        class Bad:
            x: str = ""


def test_name_that_is_not_there() -> None:
    """An annotation that is imported only for type checkers is refused by name."""
    with pytest.raises(DeclarationError, match="an annotation names 'Path', which is not defined here"):

        @component
        class Bad:
            x: Path


@pytest.mark.parametrize("name", ["version", "entities", "_private", "append"])
def test_reserved_names(name: str) -> None:
    """Names that tables use themselves are refused as fields."""
    made = type("Bad", (), {"__annotations__": {name: float}})
    with pytest.raises(DeclarationError, match=f"Bad.{name}: the name is reserved"):
        component(made)


def test_all_public_names_of_tables_are_reserved() -> None:
    """All public names of tables are reserved, so that no field can hide them."""
    names = {name for name in (*dir(Table), *Table(kind_of(Disabled)).__dict__) if not name.startswith("_")}
    assert names <= RESERVED


def test_inheritance() -> None:
    """A component can inherit fields from a base class, and each class has its own field objects."""

    @component
    class Base:
        x: float = 1.0

    @component
    class Derived(Base):
        y: float = 2.0

    class Mixin:
        z: float = field(3.0, low=0)

    @component
    class One(Mixin):
        pass

    @component
    class Two(Mixin):
        pass

    assert list(kind_of(Derived).fields) == ["x", "y"]
    assert Derived.x.kind is kind_of(Derived)  # pyright: ignore[reportAttributeAccessIssue]
    assert Base.x.kind is kind_of(Base)  # pyright: ignore[reportAttributeAccessIssue]
    assert One.z.kind is kind_of(One)  # pyright: ignore[reportAttributeAccessIssue]
    assert Two().z == 3.0


def test_events_and_tables() -> None:
    """`@event` accepts markers for other plugins; `@table` declares rows that are not entities."""

    @event(script="on_hit")
    class Hit:
        a: Entity = 0

    @event
    class Gone:
        """Something left."""

    @table
    class Contacts:
        depth: float = 0.0

    assert kind_of(Hit).category == "event"
    assert kind_of(Hit).marks == {"script": "on_hit"}
    assert kind_of(Gone).marks == {}
    assert kind_of(Contacts).category == "table"


def test_no_kind() -> None:
    """A class that was not declared is refused with the decorator to use."""
    with pytest.raises(DeclarationError, match=r"Path is no component, event or table. Mark the class with @component"):
        kind_of(type("Path", (), {}))


def test_field_names_may_be_anything() -> None:
    """Fields may have the names of arguments of the kernel's own functions."""

    @component
    class Odd:
        self: float = 1.0
        cls: float = 2.0
        count: int = 3
        name: Chars = "x"
        values: Array[float, 1] = field((4,))

    odd = Odd(self=5, cls=6, count=7)
    assert (odd.self, odd.cls, odd.count) == (5.0, 6.0, 7)


def test_what_tools_show_is_no_state() -> None:
    """`step` and `names` restrict no value, and worlds with and without them have the same hashes and snapshots."""

    def declared(**marks: Any) -> Any:
        step, names = ({key: value} if (value := marks.get(key)) else {} for key in ("step", "names"))

        @component
        class Lamp:
            """A lamp."""

            power: float = field(1.0, **step)
            layer: Str = field("back", **names)

        return Lamp

    plain, rich = declared(), declared(step=0.25, names="layers")
    assert (rich.power.step, rich.layer.names) == (0.25, "layers")
    assert (plain.power.step, plain.layer.names) == (None, "")
    one, other = World([plain]), World([rich])
    for world, cls in ((one, plain), (other, rich)):
        world.spawn(cls(power=0.3, layer="unknown"))
    assert one.hash() == other.hash()
    other.restore(one.snapshot())
    assert other.hash() == one.hash()
