"""Names of animated fields: `Component.field`, `Component.field.element`, `child/Component.field`.

A `Field` is what such a text names: a column, or one element of a vector column, of the entity or of a child of a given
name. Names are looked up among declarations, so that mistakes are found when a file or a manifest is read. How values
of a field are mixed depends on its type: numbers and colors linearly (colors as they are stored, that is in sRGB),
angles by the shortest way, quaternions on the sphere (slerp); texts, assets, enums and booleans change in steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_ecs import UnknownName, UsageError, parse_color
from rish_ecs.declarations import ColumnType, FieldSpec, Kind

if TYPE_CHECKING:
    from rish_ecs import World

Array = npt.NDArray[Any]
_SCALAR = ColumnType("float", np.dtype(np.float32))
_ELEMENTS = {"Vec2": "xy", "Vec3": "xyz", "Vec4": "xyzw", "Color": "rgba"}
_STEPS = ("str", "asset", "enum")


@dataclass(frozen=True)
class Field:
    """A field that can be animated.

    text: as written. child: the path of names below the entity, "" for itself. spec: its declaration; for an element
    that of a single number with the same unit and range. element: the index within the vector, None for a whole value.
    """

    text: str
    child: str
    spec: FieldSpec
    element: int | None = None

    @property
    def cls(self) -> type:
        """The component class."""
        return self.spec.kind.cls

    @property
    def width(self) -> int:
        """The number of numbers in a value."""
        return self.spec.type.width

    @property
    def mixes(self) -> bool:
        """Whether there are values between two values; otherwise the field changes in steps."""
        return self.spec.type.special not in _STEPS and self.spec.type.dtype.kind != "b"

    @property
    def angle(self) -> bool:
        """Whether a value is one angle, so that the shortest way between two is not always the difference."""
        return self.spec.angle and self.spec.type.width == 1

    @property
    def quat(self) -> bool:
        """Whether a value is a rotation in space."""
        return self.spec.type.name == "Quat"

    def column(self, world: World) -> Array:
        """Return the column in a world, n or (n, ...), or that of the element; a live view."""
        column: Array = world.table(self.cls).column(self.spec.name)
        return column if self.element is None else column[:, self.element]

    def encode(self, world: World, value: Any) -> Any:
        """Return a value as it is stored: numbers, of interned text the number. A color may be text.

        Raises UsageError for a value that does not fit the field.
        """
        spec = self.spec
        try:
            value = parse_color(value) if spec.type.name == "Color" and isinstance(value, str) else value
            if spec.type.name == "Color" and np.ndim(value) == 1 and len(value) == 3:
                value = [*value, 1.0]
            many = isinstance(value, np.ndarray) and spec.type.is_rows(value)
            checked = spec.check_rows(value) if many else spec.check(value)
            return world.table(self.cls).encode(spec, checked, len(value) if many else 1)
        except ValueError as error:
            raise UsageError(f"{self.text}: {error}", hint=spec.doc or None) from None


def field_of(kinds: Mapping[str, Kind] | Iterable[Kind], text: str) -> Field:
    """Return the field that a text names, among these components (by full name, or listed).

    Raises UnknownName with the nearest choice, and UsageError for a field that can't be animated.
    """
    kinds = list(kinds.values()) if isinstance(kinds, Mapping) else list(kinds)
    child, _, path = text.rpartition("/")
    parts = path.split(".")
    named = [kind for kind in kinds if kind.name == parts[0]]
    if parts[0][:1].islower() and len(parts) > 1:
        parts = [f"{parts[0]}.{parts[1]}", *parts[2:]]
        named = [kind for kind in kinds if kind.key == parts[0]]
    if len(named) > 1:
        keys = " or ".join(kind.key for kind in named)
        raise UsageError(f"{text!r}: several plugins have a component {parts[0]!r}", hint=f"Write {keys}")
    if not named:
        choices = [kind.name for kind in kinds if kind.shown]
        raise UnknownName(f"{text!r}: no component is called {parts[0]!r}", given=parts[0], choices=choices)
    kind = named[0]
    if not 2 <= len(parts) <= 3:
        example = next(iter(kind.shown), "field")
        raise UsageError(f"{text!r} is not the name of a field", hint=f"Write {kind.name}.{example}")
    spec = kind.given_field(parts[1])
    if spec.hidden or spec.type.special == "entity" or spec.type.pooled or len(spec.type.shape) > 1:
        raise UsageError(f"{text!r} can't be animated: it is {_reason(spec)}")
    if len(parts) == 2:
        return Field(text, child, spec)
    letters = _ELEMENTS.get(spec.type.name, "")
    if parts[2] not in letters or len(parts[2]) != 1:
        what = f"{kind.name}.{spec.name} has no element {parts[2]!r}"
        raise UnknownName(f"{text!r}: {what}", given=parts[2], choices=list(letters))
    scalar = replace(spec, type=_SCALAR)
    scalar.default = spec.default[letters.index(parts[2])]
    return Field(text, child, scalar, letters.index(parts[2]))


def world_field(world: World, text: str) -> Field:
    """Return the field that a text names in a world; see `field_of`."""
    return field_of([table.schema for table in world.tables.values()], text)


def _reason(spec: FieldSpec) -> str:
    if spec.hidden:
        return "set by the engine"
    if spec.type.special == "entity":
        return "an entity"
    return f"of type {spec.type.name}, whose values have no fixed length"
