"""Fields that can be animated, named by paths: `Component.field`, `Component.field.x`, `child.Component.field`.

Names are looked up among declarations, so that mistakes are found when a file or a manifest is read. How values of a
field are mixed depends on its type: numbers and colors linearly (colors as they are stored, that is in sRGB), angles by
the shortest way, quaternions on the sphere (slerp); texts, assets, enums and booleans change in steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import UsageError, parse_color
from rish_ecs.declarations import ColumnType, FieldSpec
from rish_expressions import FieldPath, Target, Vocabulary
from rish_jit import Array

if TYPE_CHECKING:
    from rish_ecs import World

_SCALAR = ColumnType("float", np.dtype(np.float32))
_STEPS = ("str", "asset", "enum")


@dataclass(frozen=True)
class Field:
    """A field that can be animated.

    text: the path. target: the resolved path. spec: the declaration of the field; for an element, of a single number
    with the same unit and range.
    """

    text: str
    target: Target
    spec: FieldSpec

    @property
    def cls(self) -> type:
        """The component class."""
        return self.spec.kind.cls

    @cached_property
    def width(self) -> int:
        """The number of numbers of a value."""
        return self.spec.type.width

    @cached_property
    def mixes(self) -> bool:
        """Whether there are values between two values; otherwise the field changes in steps."""
        return self.spec.type.special not in _STEPS and self.spec.type.dtype.kind != "b"

    @property
    def angle(self) -> bool:
        """Whether a value is one angle, so that the shortest way between two is not always the difference."""
        return self.spec.angle and self.spec.type.width == 1

    @cached_property
    def quat(self) -> bool:
        """Whether a value is a rotation in space."""
        return self.spec.type.name == "Quat"

    def column(self, world: World) -> Array:
        """Return a view of the field's column, (n,) or (n, ...), or of the element's column (n,)."""
        return self.target.column(world)

    def encode(self, world: World, value: Any) -> Any:
        """Return a value as it is stored in the column; a text becomes its number. A color may be a text.

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


def field_of(words: Vocabulary, text: str) -> Field:
    """Return the field that a path names. The path has no entity, but may have children.

    Raises ExpressionError for a path that names none, and UsageError for a field that can't be animated.
    """
    path = FieldPath.parse(text)
    target = path.resolve(words, below=True)
    spec = target.spec
    if target.kind != "component" or spec is None:
        raise UsageError(f"{text!r} can't be animated: it is no field of a component")
    if spec.hidden or spec.type.special == "entity" or spec.type.pooled or len(spec.type.shape) > 1:
        raise UsageError(f"{text!r} can't be animated: it is {_reason(spec)}")
    if target.element is not None:
        scalar = replace(spec, type=_SCALAR)
        scalar.default = spec.default[target.element]
        spec = scalar
    return Field(path.text, target, spec)


def world_field(world: World, text: str) -> Field:
    """Return the field that a path names in a world; see `field_of`."""
    return field_of(Vocabulary.of_world(world), text)


def _reason(spec: FieldSpec) -> str:
    if spec.hidden:
        return "set by the engine"
    if spec.type.special == "entity":
        return "an entity"
    return f"of type {spec.type.name}, whose values have no fixed length"
