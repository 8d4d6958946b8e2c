"""The declaration of a derived value: `@derived(reads=(Wire, Transform))`."""

from __future__ import annotations

import copy
import dataclasses
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast, dataclass_transform

from rish_jit.errors import DeclarationError, place_of

from ..declarations.component import FieldSpec

_T = TypeVar("_T")


@dataclass(frozen=True)
class Compared:
    """A source: the rows of a component whose values differ.

    For a value by rows, if a system may write the component without marking rows. Marked rows count as changed; if any
    row may have been written, all are compared with a copy of the table.
    """

    cls: type


@dataclass(frozen=True)
class Rows:
    """A source: the rows of a component or table. It changes when rows are added, removed or moved, but not when they
    are written. `Rows(World)` are the rows of all components.
    """

    cls: type


@dataclass(frozen=True, eq=False)
class DerivedSpec:
    """The declaration of a derived value. reads: its sources, see `Inputs`. patches: whether it has a `patch`.

    by: the component whose rows the value has, or None.
    """

    cls: type
    reads: tuple[Any, ...]
    patches: bool
    by: type | None = None

    @property
    def name(self) -> str:
        """The name of the class, for messages."""
        return self.cls.__qualname__


@dataclass_transform()
def derived(*, reads: Any, by: type | None = None) -> Callable[[type[_T]], type[_T]]:
    """Declare a value that is computed from the World; the class becomes a dataclass, and `world[Class]` returns it.

    reads: the sources of the value, one or a sequence of them: components, tables, fields (`Transform.parent`), rows
    (`Rows(Transform)`), resources, other derived values, functions; see `Inputs`. The value is computed when it is
    requested for the first time, and when it is requested after a source has changed. by: the component or table for
    each of whose rows the value has a row; then those that read the value learn which rows were patched.

    The class has a method `compute(self, world)`, which is called for a new instance and sets its fields. It may have a
    method `patch(self, world, changes)`, which is called instead for the present instance if only rows of tables
    changed: `changes[Wire]` is the `RowChanges` of a source. `patch` returns False to have the value computed after
    all. If a computed value is equal to the former one, that one stays, and what is derived from it stays too.

    Derived values are not state: they are in no snapshot and no hash. In strict mode each patched value is compared
    with a computed one, and reading a source that is not declared is an error. Raises DeclarationError.
    """
    sources = tuple(cast("Sequence[Any]", reads)) if isinstance(reads, (tuple, list)) else (reads,)

    def declare(cls: type[_T]) -> type[_T]:
        if not callable(getattr(cls, "compute", None)):
            hint = "Write def compute(self, world): ..., which sets its fields"
            raise DeclarationError(f"the derived value {cls.__name__} has no compute", where=place_of(cls), hint=hint)
        for source in sources:
            if not (
                callable(source)
                or isinstance(source, (FieldSpec, Rows, Compared))
                or isinstance(_version_of(source), int)
            ):
                hint = "Give classes, fields such as Transform.parent, functions, or objects with an integer `version`"
                raise DeclarationError(f"{cls.__name__} can't read {source!r}", where=place_of(cls), hint=hint)
        _copy_defaults(cls)
        declared = dataclass(eq=False)(cls)
        spec = DerivedSpec(declared, sources, callable(getattr(cls, "patch", None)), by)
        declared.__derived__ = spec  # pyright: ignore[reportAttributeAccessIssue]
        return declared

    return declare


def _version_of(source: Any) -> Any:
    return getattr(source, "version", None)


def derived_spec(cls: Any) -> DerivedSpec | None:
    """Return the declaration of a derived value's class, or None for another class."""
    return cls.__dict__.get("__derived__") if isinstance(cls, type) else None


def _copy_defaults(cls: type[Any]) -> None:
    """Let each instance copy the defaults that can change, such as lists and arrays."""
    for name in inspect.get_annotations(cls):
        default: Any = cls.__dict__.get(name, dataclasses.MISSING)
        if cast("Any", type(default)).__hash__ is None:
            setattr(cls, name, dataclasses.field(default_factory=lambda value=default: copy.deepcopy(value)))
