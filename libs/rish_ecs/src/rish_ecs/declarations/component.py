"""Components: classes with typed fields, each of which is stored as one packed column.

One declaration is used for columns, manifests, inspectors, saves, hashes and the reference::

    @component
    class Wind:
        '''A gusty sideways push.'''
        strength: float = field(4.0, unit="kg·units/s²", low=0)

`Wind(strength=6)` is a light object with the given values, for `world.spawn`. `Wind.strength` is the field itself, for
`query[Wind.strength]`. Events and tables are declared in the same way.
"""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import Enum
from functools import cached_property
from typing import Any, TypeVar, cast, dataclass_transform, get_type_hints, overload
from weakref import WeakSet

import numpy as np

from rish_jit.errors import DeclarationError, Place, UnknownName, did_you_mean, place_of

from ..vector import Vector
from .columns import NAMES, Column, ColumnType, column_type
from .renames import former_names, notice_former

_T = TypeVar("_T")
MISSING: Any = object()
PLAIN_TYPES = frozenset({"", "entity"})
"""The column types whose values are stored as plain numbers."""
_TUPLES = frozenset({tuple, list, Vector})
RESERVED = frozenset(
    {"schema", "used", "room", "version", "membership", "entities", "added_at", "nbytes", "on_grow", "flat",
     "flat_rows", "column", "pool_of", "append", "resize", "clear", "row_of", "rows_of", "lookup", "read_row",
     "row_key", "write_row", "read_value", "fill_rows", "move_rows", "keep_rows", "insert_row", "insert_rows",
     "remove_row", "remove_rows", "reset_rows", "reset_transient", "compact_pools", "on_remove", "drop_spans",
     "take_rows", "texts", "encode", "encode_all", "put_rows", "put_row", "put_all", "defaults", "mark", "changes",
     "recent_rows", "moved_since", "cached", "start_versions", "take_kind", "caches", "row_index",
     "repeat_changes"}
)  # fmt: skip
"""Names used by the tables themselves; no field may have one of them."""


@dataclass(eq=False, repr=False)
class FieldSpec:
    """The declaration of one field: name, column type, default, unit, range, marks. A descriptor of its class."""

    given_default: Any = MISSING
    unit: str = ""
    low: float | None = None
    high: float | None = None
    doc: str = ""
    choices: tuple[str, ...] = ()
    transient: bool = False
    view: bool = False
    derived: bool = False
    angle: bool = False
    cascade: bool = False
    hidden: bool = False
    step: float | None = None
    names: str = ""
    also: tuple[str, ...] = ()
    was: tuple[str, ...] = ()
    meanings: Mapping[float, str] = dataclass_field(default_factory=dict[float, str])
    name: str = ""
    kind: Kind = MISSING
    type: ColumnType = MISSING
    default: Any = None

    def bind(self, cls: Any, name: str, column: ColumnType) -> None:
        """Set the field's name and type, and check the default like any other value. Raises DeclarationError."""
        self.name, self.type = name, column
        meanings = "; ".join(f"{' '.join([f'{key:g}'] * column.width)}: {text}" for key, text in self.meanings.items())
        if meanings and not self.doc.endswith(meanings):  # a field that is inherited was bound before
            self.doc = f"{self.doc}; {meanings}" if self.doc else meanings
        try:
            self.default = column.zero if self.given_default is MISSING else self.check(self.given_default)
        except ValueError as error:
            raise DeclarationError(f"{cls.__name__}.{name}: the default: {error}", where=place_of(cls)) from None

    @property
    def saved(self) -> bool:
        """Whether snapshots contain the field."""
        return not (self.transient or self.derived)

    def meaning(self, value: Any) -> str | None:
        """Return what a value means that is no ordinary number; None for a number."""
        numbers = np.asarray(value, self.type.dtype).ravel()
        texts = (text for key, text in self.meanings.items() if (numbers == self.type.dtype.type(key)).all())
        return next(texts, None)

    def is_word(self, text: str) -> bool:
        """Return True if a text of an `Asset` field is one of `also`, and so no path."""
        return any(text == word or (word.endswith(":") and text.startswith(word)) for word in self.also)

    @cached_property
    def _usual(self) -> tuple[tuple[int, ...], frozenset[type], Any, Any]:
        types, low, high = self.type.limits
        low, high = (low, self.low), (high, self.high)
        return self.type.shape, types, max(x for x in low if x is not None), min(x for x in high if x is not None)

    def is_usual(self, value: Any) -> bool:
        """Whether a value is a number, or a tuple of numbers, that needs no other check and no conversion."""
        shape, types, low, high = self._usual
        if not shape:
            return type(value) in types and low <= value <= high
        if type(value) not in _TUPLES or shape != (len(value),):
            return False
        for number in value:  # noqa: SIM110 (a third faster)
            if type(number) not in types or not low <= number <= high:
                return False
        return True

    def stored(self, value: Any) -> Any:
        """Return a usual value in the type of the column."""
        return np.array(value, self.type.dtype) if self.type.shape else self.type.dtype.type(value)

    def check(self, value: Any) -> Any:
        """Return `value` coerced, after checking range and choices. Raises ValueError."""
        if self.is_usual(value):
            return self.stored(value)
        stored = self.type.coerce(value)
        if self.low is not None or self.high is not None:
            self._check_range(stored, value)
        if self.choices:
            self._check_choice([stored] if isinstance(stored, str) else stored)
        return stored

    def check_rows(self, value: Column) -> Column:
        """Return a coerced copy of an array of rows, after checking range and choices. Raises ValueError."""
        stored = self.type.coerce_rows(value)
        if self.low is not None or self.high is not None:
            self._check_range(stored, stored)
        if self.choices and stored.dtype.kind == "O":
            self._check_choice(stored)
        return stored

    def _check_choice(self, texts: Iterable[Any]) -> None:
        for text in texts:
            if isinstance(text, str) and text not in self.choices:
                near = did_you_mean(text, self.choices)
                raise ValueError(f"expected one of {', '.join(self.choices)}, got {text!r}{near}")

    def _check_range(self, stored: Any, value: Any) -> None:
        numbers: Column = np.asarray(stored)
        unit = f" {self.unit}" if self.unit else ""
        low, high = (_limit(bound, numbers.dtype) for bound in (self.low, self.high))
        if low is not None and (numbers < low).any():
            shown = numbers.min() if isinstance(value, np.ndarray) else repr(value)
            raise ValueError(f"{shown} is below the least value, {self.low}{unit}")
        if high is not None and (numbers > high).any():
            shown = numbers.max() if isinstance(value, np.ndarray) else repr(value)
            raise ValueError(f"{shown} is above the greatest value, {self.high}{unit}")

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        return instance.__dict__.get(self.name, self.default)

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.name] = self.kind.check_value(self, value)

    def __repr__(self) -> str:
        return f"<field {self.kind.name if self.kind is not MISSING else '?'}.{self.name}: {self.type.name}>"


def field(
    default: Any = MISSING,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    doc: str = "",
    choices: Iterable[str] = (),
    transient: bool = False,
    view: bool = False,
    derived: bool = False,
    angle: bool = False,
    cascade: bool = False,
    hidden: bool = False,
    step: float | None = None,
    names: str = "",
    also: Iterable[str] = (),
    was: str | Iterable[str] = (),
    meanings: Mapping[float, str] | None = None,
) -> Any:
    """Declare a field with a default and further properties.

    unit: shown in messages and editors. low, high: the range, ends included. doc: one sentence. choices: the allowed
    texts of a `Str`. transient: reset to the default at the end of each tick, and in no snapshot. view: for drawing
    only, never hashed. derived: a view field that can be computed again, and is in no snapshot: a restore sets it to
    the default, and the `rebuild` of a derived resource sees to the rest. angle: radians in code, degrees in manifests
    and editors. cascade: for an `Entity`: when it is despawned, the entity with this field is despawned as well.
    hidden: set by the engine, not by authors. step: the change of a number when a tool moves it by one step; None: the
    tool chooses. names: the list from which tools offer texts, such as `layers` or `images` (hook `rish_names`); other
    texts stay valid. also: what an `Asset` may hold besides paths: words, and beginnings such as `camera:`, which end
    in a colon. was: former names, which manifests, saves and constructors may still use; a log message gives the new
    one. meanings: numbers that mean something of their own, such as {-1: "as the settings say"}, by which tools show
    them; the end of `doc` says them too. In a vector all its numbers are this one.
    """
    marks = dict(locals(), view=view or derived, choices=tuple(choices), also=tuple(also), was=former_names(was))
    marks["meanings"] = dict(meanings or {})
    return FieldSpec(marks.pop("default"), **marks)


@dataclass(eq=False)
class Declaration:
    """What the declarations of kinds and of resources have in common.

    fields: those with column types. owner: the plugin that declared the class, set at registration. was: former names
    of the class. before: the classes that it replaced in reloads, as long as they are referenced. view: it affects only
    what is drawn or heard, so neither its content nor its changes are hashed.
    """

    name: str
    cls: type
    fields: dict[str, FieldSpec]
    was: tuple[str, ...] = ()
    owner: str = ""
    before: WeakSet[type] = dataclass_field(default_factory=WeakSet[type])
    view: bool = False

    @property
    def key(self) -> str:
        """The full name, `plugin.Name`; the short name if no plugin owns it."""
        return f"{self.owner}.{self.name}" if self.owner else self.name

    @property
    def former_keys(self) -> list[str]:
        """The former full names of the class; a name without a dot belongs to the current owner."""
        return [name if "." in name or not self.owner else f"{self.owner}.{name}" for name in self.was]


@dataclass(eq=False)
class Kind(Declaration):
    """The declaration of a component, event or table class.

    category: `component`, `event` or `table`. marks: options of an event for other plugins, such as `script="on_hit"`.
    view_class: the class of entity views, see `views.py`; None until it is needed.
    """

    category: str = "component"
    doc: str = ""
    marks: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    view_class: type[Any] | None = None

    @cached_property
    def former(self) -> dict[str, str]:
        """The current name of each former name of a field."""
        return {old: name for name, spec in self.fields.items() for old in spec.was if old not in self.fields}

    @cached_property
    def layout(self) -> tuple[dict[str, int], dict[str, tuple[int, ...]], set[str]]:
        """The stored width and row shape by field, and the names of fields that are plain scalar numbers."""
        types = {name: spec.type for name, spec in self.fields.items()}
        widths = {name: column.stored_width for name, column in types.items()}
        shapes = {name: (2,) if column.pooled else column.shape for name, column in types.items()}
        return widths, shapes, {n for n, column in types.items() if column.special in PLAIN_TYPES and not column.shape}

    @property
    def place(self) -> Place:
        """The file and line of the class."""
        return place_of(self.cls)

    def field(self, name: str) -> FieldSpec:
        """Return the field of that name. Raises UnknownName with the nearest."""
        spec = self.fields.get(name)
        if spec is None:
            now = f": it is called {self.former[name]!r} now" if name in self.former else ""
            raise UnknownName(f"{self.name} has no field {name!r}{now}", given=name, choices=self.shown)
        return spec

    def given_field(self, name: str) -> FieldSpec:
        """Return the field of a current or former name. Raises UnknownName with the nearest."""
        if name not in self.fields and name in self.former:
            notice_former(self.name, name, self.former[name])
            name = self.former[name]
        return self.field(name)

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The names of the fields for authors: all that are not hidden."""
        return tuple(name for name, spec in self.fields.items() if not spec.hidden)

    def values(self, instance: Any) -> dict[str, Any]:
        """Return the values that were given to an instance, by field name."""
        return {name: value for name, value in instance.__dict__.items() if name in self.fields}

    def check_value(self, spec: FieldSpec, value: Any) -> Any:
        """Check a single value or an array of rows for a field, and return it coerced. Raises DeclarationError."""
        try:
            if isinstance(value, Each):
                return value.checked(spec)
            if isinstance(value, np.ndarray) and spec.type.is_rows(cast("Column", value)):
                return spec.check_rows(cast("Column", value))
            return spec.check(value)
        except ValueError as error:
            raise DeclarationError(f"{self.name}.{spec.name}: {error}", hint=spec.doc or None) from None


class Each:
    """A list with one value for each row, for `spawn_many`, where a plain list would count as a single value."""

    def __init__(self, values: Iterable[Any]) -> None:
        self.values = list(values)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"Each({self.values!r})"

    def checked(self, spec: FieldSpec) -> Any:
        """Return the checked values: an array of rows, or an `Each` if the rows may differ in length."""
        checked = spec.type.stack([spec.check(value) for value in self.values])
        return Each(cast("list[Any]", checked)) if isinstance(checked, list) else checked


def rows_in(spec: FieldSpec, value: Any) -> int | None:
    """Return the number of rows of a checked value (an array of rows or an `Each`); None for a single value."""
    if isinstance(value, np.ndarray):
        rows = cast("Column", value)
        return len(rows) if spec.type.is_rows(rows) else None
    return len(value) if isinstance(value, Each) else None


def narrow(spec: FieldSpec, value: Any, keep: Column) -> Any:
    """Return the rows of a checked value that the bool mask `keep` selects; a single value is returned unchanged."""
    if rows_in(spec, value) is None:
        return value
    if isinstance(value, Each):
        return Each(item for item, here in zip(value.values, keep.tolist(), strict=True) if here)
    return value[keep]


def _limit(bound: float | None, dtype: np.dtype[Any]) -> Any:
    """Return a bound in the precision of the numbers, so that 0.1 as float32 is not above 0.1."""
    return np.float32(bound) if bound is not None and dtype == np.float32 else bound


def annotations_of(cls: type, depth: int = -1, *, lenient: bool = False) -> dict[str, Any]:
    """Return the resolved annotations of a class and its bases.

    depth: the stack frame of the function that contains the class, whose local names are used as well; -1: none.
    lenient: names that exist only for type checkers count as Any; otherwise they raise DeclarationError.
    """
    scope: dict[str, Any] = {cls.__name__: cls}
    if depth >= 0:
        scope = {**sys._getframe(depth).f_locals, **scope}  # pyright: ignore[reportPrivateUsage]
    while True:
        try:
            names = {name for base in reversed(cls.__mro__[:-1]) for name in inspect.get_annotations(base)}
            hints = get_type_hints(cls, localns=scope, include_extras=True)
            return {name: hint for name, hint in hints.items() if name in names}
        except NameError as error:
            if lenient and error.name and error.name not in scope:
                scope[error.name] = Any
                continue
            raise DeclarationError(
                f"{cls.__name__}: an annotation names {error.name!r}, which is not defined here",
                where=place_of(cls),
                hint="Import it at the top of the module, outside `if TYPE_CHECKING`",
            ) from None


def check_annotated(cls: type, annotations: Collection[str]) -> None:
    """Raise DeclarationError for a value without an annotation, which would be shared by all instances.

    Names that begin with an underscore, CONSTANTS, and values that no field can hold (methods, classes) are allowed.
    """
    for name, value in cls.__dict__.items():
        if name not in annotations and not name.startswith("_") and not name.isupper() and _looks_like_a_field(value):
            kind = type(value).__name__ if isinstance(value, (bool, int, float)) else "..."
            raise DeclarationError(
                f"{cls.__name__}.{name} has no annotation, so it is no field",
                where=place_of(cls),
                hint=f"Write {name}: {kind} = {value!r}, or {name.upper()} for a constant",
            )


def _looks_like_a_field(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        items = cast("Sequence[Any]", value)
        return bool(items) and all(isinstance(item, (int, float)) for item in items)
    return isinstance(value, (int, float, str, np.generic, np.ndarray, Enum))


def _field_specs(cls: type, depth: int) -> dict[str, FieldSpec]:
    specs: dict[str, FieldSpec] = {}
    annotations = annotations_of(cls, depth + 1)
    for name, value in cls.__dict__.items():
        if isinstance(value, FieldSpec) and name not in annotations:
            hint = f"Write {name}: float = field(...), or another column type"
            raise DeclarationError(f"{cls.__name__}.{name} has field(...) but no type", where=place_of(cls), hint=hint)
    check_annotated(cls, annotations)
    for name, annotation in annotations.items():
        column = column_type(annotation)
        if column is None:
            shown = getattr(annotation, "__name__", annotation)
            raise DeclarationError(
                f"{cls.__name__}.{name}: {shown} is no column type", where=place_of(cls), choices=NAMES
            )
        if name in RESERVED or name.startswith("_"):
            raise DeclarationError(
                f"{cls.__name__}.{name}: the name is reserved for the tables",
                where=place_of(cls),
                hint="Choose another name",
            )
        default = cls.__dict__.get(name, MISSING)
        inherited = next((b.__dict__[name] for b in cls.__mro__[1:] if name in b.__dict__), MISSING)
        spec = default if default is not MISSING else inherited
        if isinstance(spec, FieldSpec) and spec.name and spec.kind is not MISSING:
            spec = copy.copy(spec)
        elif not isinstance(spec, FieldSpec):
            spec = FieldSpec(spec)
        spec.bind(cls, name, column)
        specs[name] = spec
    return specs


def _init(self: Any, /, *unnamed: Any, **values: Any) -> None:
    kind: Kind = self.__kind__
    if unnamed:
        first = next(iter(kind.fields), "field")
        raise DeclarationError(f"{kind.name} takes its values by name", hint=f"Write {kind.name}({first}=...)")
    for name, value in values.items():
        spec = kind.fields.get(name) or kind.given_field(name)
        self.__dict__[spec.name] = spec.stored(value) if spec.is_usual(value) else kind.check_value(spec, value)


def _repr(self: Any) -> str:
    inner = ", ".join(f"{name}={_shown(value)}" for name, value in self.__dict__.items())
    return f"{type(self).__name__}({inner})"


def _shown(value: Any) -> str:
    if isinstance(value, (np.ndarray, np.generic)):
        return repr(cast("Column", value).tolist())
    return value.name.lower() if isinstance(value, Enum) else repr(value)


def _eq(self: Any, other: Any) -> bool:
    kind: Kind = self.__kind__
    if getattr(other, "__kind__", None) is not kind:
        return NotImplemented
    return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in kind.fields)


def declare(
    cls: type[_T], category: str, marks: dict[str, Any], depth: int, was: str | Iterable[str] = (), view: bool = False
) -> type[_T]:
    """Turn a class with annotations into a component, event or table, and return the class."""
    specs = _field_specs(cls, depth + 1)
    for name, spec in specs.items() if view else ():
        spec.view = True
        if spec.cascade:
            what = f"{cls.__name__}.{name}: a class for drawing only can't despawn entities"
            raise DeclarationError(what, where=place_of(cls), hint="Take out view=True or cascade=True")
    if category == "table":
        view = bool(specs) and all(spec.view for spec in specs.values())
    kind = Kind(cls.__name__, cls, specs, former_names(was), category=category, view=view, marks=marks)
    kind.doc = (cls.__doc__ or "").strip()
    for name, spec in specs.items():
        spec.kind = kind
        setattr(cls, name, spec)
    for name, value in {"__kind__": kind, "__init__": _init, "__repr__": _repr, "__eq__": _eq}.items():
        setattr(cls, name, value)
    cls.__hash__ = object.__hash__  # pyright: ignore[reportAttributeAccessIssue]
    return cls


@overload
@dataclass_transform()
def component(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform()
def component(*, was: str | Iterable[str] = ..., view: bool = ...) -> Callable[[type[_T]], type[_T]]: ...
def component(cls: Any = None, /, *, was: str | Iterable[str] = (), view: bool = False) -> Any:
    """Declare a component, which entities can have. Raises DeclarationError for a type that is not a column type.

    was: former names of the class, under which saves can still be read. view: it affects only what is drawn or heard:
    all its fields are `view`, and the hash does not depend on which entities have it.
    """
    if cls is not None:
        return declare(cls, "component", {}, 2)
    return lambda cls: declare(cls, "component", {}, 2, was, view)  # pyright: ignore[reportUnknownLambdaType, reportUnknownVariableType, reportUnknownArgumentType]


@overload
@dataclass_transform()
def event(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform()
def event(*, was: str | Iterable[str] = ..., view: bool = ..., **marks: Any) -> Callable[[type[_T]], type[_T]]: ...
def event(cls: Any = None, /, *, was: str | Iterable[str] = (), view: bool = False, **marks: Any) -> Any:
    """Declare an event: `@event`, or `@event(script="on_hit")` with marks for other plugins.

    was: former names of the class, under which saves can still be read. view: it affects only what is drawn or heard:
    all its fields are `view`, and the hash contains neither the events nor their readers. `on_demand=True`: see
    `World.is_read`.
    """
    if cls is not None:
        return declare(cls, "event", {}, 2)
    return lambda cls: declare(cls, "event", marks, 2, was, view)  # pyright: ignore[reportUnknownLambdaType, reportUnknownVariableType, reportUnknownArgumentType]


@overload
@dataclass_transform()
def table(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform()
def table(*, was: str | Iterable[str] = ..., view: bool = ...) -> Callable[[type[_T]], type[_T]]: ...
def table(cls: Any = None, /, *, was: str | Iterable[str] = (), view: bool = False) -> Any:
    """Declare a table whose rows are not entities (contacts, edges); `world[Cls]` is its `Columns`.

    was: former names of the class, under which saves can still be read. view: it affects only what is drawn or heard:
    all its fields are `view`, and the hash does not contain its rows.
    """
    if cls is not None:
        return declare(cls, "table", {}, 2)
    return lambda cls: declare(cls, "table", {}, 2, was, view)  # pyright: ignore[reportUnknownLambdaType, reportUnknownVariableType, reportUnknownArgumentType]


def current(cls: Any) -> Any:
    """Return the current version of a class: itself, or after a reload its successor."""
    attributes: dict[str, Any] = getattr(cls, "__dict__", {})
    spec = attributes.get("__kind__") or attributes.get("__resource__") or attributes.get("__derived__")
    return getattr(spec, "cls", cls)


def kind_of(cls: Any) -> Kind:
    """Return the declaration of a class. Raises DeclarationError for a class that was not declared."""
    kind = getattr(cls, "__kind__", None)
    if not isinstance(kind, Kind):
        name = getattr(cls, "__name__", repr(cls))
        raise DeclarationError(f"{name} is no component, event or table", hint="Mark the class with @component")
    return kind


@component
class Disabled:
    """Excludes the entity from all queries that do not name this component."""
