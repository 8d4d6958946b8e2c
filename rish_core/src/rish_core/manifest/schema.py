"""Builds checks for manifests from declarations: the allowed values of components' and settings' fields.

The `FieldSpec`s of a class are turned into one pydantic-core schema of types, units, ranges and choices. The schema is
used to read values (here) and to write the JSON Schema for text editors (`jsonschema`). An author writes `90deg` for an
angle, three angles for a quaternion, `"#ff8800"` or `orange` for a color, a name for an entity, a path for an asset,
lower-case words for an enum; `read` returns the values for the component's constructor.

In a scene the copies of an entry may differ in a field: `{each: [a, b, c]}` uses the values in turn (`hold: 20` uses
each for 20 copies), `{random: [low, high]}` draws a random value for each copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rish_ecs import Each, did_you_mean, parse_color
from rish_ecs.declarations import Column, ColumnType, FieldSpec, degrees_of, notice_former, quaternion_of, show
from rish_jit import quaternions_of

from .nodes import Mark, YamlList, YamlMap, place_at
from .validate import COLORS, Report, Steps, check, expected, explain, range_of, range_text, words_of

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator
    from pydantic_core.core_schema import CoreSchema

    from rish_ecs.random import Stream

FLOAT32_MAX = 3.4028234663852886e38
_BOUND_ERRORS = ("greater_than_equal", "less_than_equal")
_ANGLES = ColumnType("Vec3", np.dtype(np.float32), (3,))
_TYPE_ERRORS = ("_type", "_parsing", "_from_float", "finite_number", "too_short", "too_long")


@dataclass(frozen=True)
class Ref:
    """A value that names an entity; the plan writes the handle into the field after the entity is spawned."""

    name: str
    mark: Mark
    path: Steps


@dataclass(frozen=True)
class Listed:
    """The values of a field written as `{each: ...}`: copy k gets `values[k // hold % len(values)]`."""

    values: tuple[Any, ...]
    hold: int = 1


@dataclass(frozen=True)
class Drawn:
    """The bounds of a field written as `{random: ...}`: each copy gets a random number (or vector) between them."""

    low: Any
    high: Any


def copy_values(spec: FieldSpec, value: Any, copies: Column, stream: Stream | None) -> Any:
    """Return a field's value for the copies with these numbers, int64 (n,): an array of n rows if the copies differ."""
    rows = len(copies)
    if isinstance(value, Listed):
        return stack(spec, value.values, (copies // value.hold) % len(value.values))
    if isinstance(value, Drawn):
        assert stream is not None
        if spec.type.dtype.kind == "i":
            return stream.integers(value.low, value.high + 1, size=rows)
        low, high = np.asarray(value.low, np.float64), np.asarray(value.high, np.float64)
        drawn = low + stream.uniform(size=(rows, *low.shape)) * (high - low)
        return (quaternions_of(drawn) if spec.type.name == "Quat" else drawn).astype(spec.type.dtype)
    return value


def stack(spec: FieldSpec, values: Sequence[Any], chosen: Column) -> Any:
    """Return the checked values at the indices `chosen`, int (n,), as an array, or as `Each` for pooled fields."""
    if spec.type.pooled:
        return Each([values[i] for i in chosen.tolist()])
    return spec.type.stack([spec.type.coerce(value) for value in values])[chosen]


def _accept_any(text: str, also: Sequence[str], names: str) -> str | None:
    """Accept any path."""
    return None


@dataclass
class Scope:
    """The names that values may refer to.

    layers: the known layers; empty: any name is allowed. asset: `Manifest.asset_problem`.
    """

    layers: Sequence[str] = ()
    asset: Callable[[str, Sequence[str], str], str | None] = _accept_any
    _asset_problems: dict[tuple[Any, ...], str | None] = field(default_factory=dict[tuple[Any, ...], "str | None"])

    def asset_problem(self, text: str, also: Sequence[str] = (), names: str = "") -> str | None:
        """Return what is wrong with an asset's path, or None; each path is checked once. also, names: see `field`."""
        key = (text, also, names)
        if key not in self._asset_problems:
            self._asset_problems[key] = self.asset(*key)
        return self._asset_problems[key]


def core_schema_of(spec: FieldSpec) -> CoreSchema:
    """Return the pydantic-core schema of one field."""
    from pydantic_core import core_schema as cs

    if spec.type.special == "enum" or spec.choices:
        return cs.no_info_before_validator_function(_word_reader(spec), cs.literal_schema(words_of(spec)))
    return _type_schema(spec, spec.type)


def _type_schema(spec: FieldSpec, column_type: ColumnType) -> CoreSchema:
    from pydantic_core import core_schema as cs

    if column_type.special == "list" and column_type.item is not None:
        return cs.list_schema(_type_schema(spec, column_type.item), strict=True)
    if column_type.name == "Color":
        numbers = cs.list_schema(_number_schema(spec, column_type), min_length=3, max_length=4, strict=True)
        either = cs.union_schema([cs.str_schema(), numbers])
        return cs.no_info_before_validator_function(_color, numbers, json_schema_input_schema=either)
    if column_type.name == "Quat":
        number = _number_schema(spec, column_type)
        either = cs.list_schema(cs.union_schema([cs.str_schema(), number]), min_length=3, max_length=4)
        numbers = cs.list_schema(number, min_length=3, max_length=4, strict=True)
        return cs.no_info_before_validator_function(_angles, numbers, json_schema_input_schema=either)
    if column_type.special in ("str", "chars", "asset"):
        return cs.str_schema(strict=True)
    if column_type.special == "entity":
        return cs.nullable_schema(cs.str_schema(strict=True))
    schema = _number_schema(spec, column_type)
    for size in reversed(column_type.shape):
        schema = cs.list_schema(schema, min_length=size, max_length=size, strict=True)
    return schema


def _number_schema(spec: FieldSpec, column_type: ColumnType) -> CoreSchema:
    from pydantic_core import core_schema as cs

    low, high = range_of(spec)
    if column_type.dtype.kind == "b":
        return cs.bool_schema(strict=True)
    if column_type.dtype.kind == "f":
        minimum = -FLOAT32_MAX if low is None else low
        maximum = FLOAT32_MAX if high is None else high
        number = cs.float_schema(ge=minimum, le=maximum, allow_inf_nan=False, strict=True)
        if not spec.angle:
            return number
        either = cs.union_schema([cs.str_schema(), number])
        return cs.no_info_before_validator_function(_degrees, number, json_schema_input_schema=either)
    bounds = np.iinfo(column_type.dtype)
    minimum = int(bounds.min) if low is None else math.ceil(low)
    maximum = int(bounds.max) if high is None else math.floor(high)
    return cs.int_schema(ge=minimum, le=maximum, strict=True)


def _word_reader(spec: FieldSpec) -> Callable[[Any], Any]:
    """Return a function that accepts the words of a field in any letter case, and former names of enum members."""
    enum = spec.type.enum
    members: Mapping[str, Any] = enum.__members__ if enum is not None else {}
    former = {name.lower(): member.name.lower() for name, member in members.items() if name != member.name}

    def read(value: Any) -> Any:
        word = value.lower() if isinstance(value, str) else value
        if isinstance(word, str) and word in former:
            notice_former(spec.name, word, former[word])
            return former[word]
        return word

    return read


def _degrees(value: Any) -> Any:
    degrees = degrees_of(value) if isinstance(value, str) else None
    return value if degrees is None else degrees


def _angles(value: Any) -> Any:
    return [_degrees(part) for part in value] if isinstance(value, list) and len(value) == 3 else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _color(value: Any) -> Any:
    return parse_color(value) if isinstance(value, str) else value


class FieldsReader:
    """Reads mappings of one class's fields: a component's, or a plugin's settings."""

    def __init__(
        self,
        name: str,
        fields: Mapping[str, FieldSpec],
        *,
        per_copy: bool = False,
        extra: Mapping[str, CoreSchema] | None = None,
    ) -> None:
        """name: for messages. per_copy: whether copies may differ. extra: schemas of fields that are not columns."""
        self.name = name
        self.per_copy = per_copy
        self.extra = dict(extra or {})
        self.fields = {key: spec for key, spec in fields.items() if not spec.hidden}
        self._former = {old: key for key, spec in self.fields.items() for old in spec.was if old not in self.fields}
        self._finishes = {key: finish for key, spec in self.fields.items() if (finish := _finish_of(spec)) is not None}

    @property
    def core_schema(self) -> CoreSchema:
        """The schema of the complete mapping; no field is required."""
        from pydantic_core import core_schema as cs

        fields = {key: cs.typed_dict_field(core_schema_of(spec), required=False) for key, spec in self.fields.items()}
        fields.update({key: cs.typed_dict_field(schema, required=False) for key, schema in self.extra.items()})
        return cs.typed_dict_schema(fields, extra_behavior="forbid")

    @cached_property
    def validator(self) -> SchemaValidator:
        """The validator, created at the first use, because a game uses few of the installed kinds."""
        from pydantic_core import SchemaValidator

        return SchemaValidator(self.core_schema)

    def read(self, node: Any, mark: Mark, path: Steps, scope: Scope, report: Report) -> dict[str, Any]:
        """Return the given values by field, as arguments for the class's constructor; mistakes are reported."""
        if node is None:
            return {}
        if not isinstance(node, YamlMap):
            choices = f" such as {{{next(iter(self.fields))}: ...}}" if self.fields else ""
            report.add(mark, path, f"must be a mapping of fields{choices}, not {show(node)}")
            return {}
        if not self._former.keys().isdisjoint(node):
            node = self._renamed(node)
        if any(type(value) is YamlMap for value in node.values()):
            return self._read_copies(node, path, scope, report)
        return self._read_plain(node, path, scope, report)

    def _renamed(self, node: YamlMap) -> YamlMap:
        """Return the mapping with current names of fields; a former name stays if the current one is given as well."""
        renamed = YamlMap(node.mark)
        for key, value in node.items():
            current_key = self._former.get(key, key)
            if current_key != key:
                notice_former(self.name, key, current_key, place_at(node.keys_at[key]))
                current_key = key if current_key in node else current_key
            renamed.put(current_key, value, node.keys_at[key], node.values_at[key])
        return renamed

    def _read_plain(self, node: YamlMap, path: Steps, scope: Scope, report: Report) -> dict[str, Any]:
        values = check(
            self.validator, node, path, report,
            what=f"{self.name} has no field", keys=[*self.fields, *self.extra], sentence=self._field_message,
        )  # fmt: skip
        for key in values.keys() & self._finishes.keys():
            try:
                at = (node.values_at[key], (*path, key))
                values[key] = self._finishes[key](values[key], at[0], at[1], scope)
            except ValueError as error:
                report.add(node.values_at[key], (*path, key), str(error))
        return values

    def _field_message(self, error: Mapping[str, Any]) -> str | None:
        """Return a message with the field's unit, range or choices for an error of the validator, or None."""
        spec = self.fields.get(error["loc"][0])
        if spec is None:
            return None
        kind, value = error["type"], error["input"]
        if kind in _BOUND_ERRORS:
            if (spec.low if kind == "greater_than_equal" else spec.high) is None and spec.type.name not in COLORS:
                return explain(error)  # the limit of the type, not of the field
            return f"{value!r} is out of range: {range_text(spec)}"
        if kind == "literal_error":
            return f"must be {expected(spec)}, not {show(value)}{did_you_mean(value, words_of(spec))}"
        if len(error["loc"]) == 1 and kind in ("too_short", "too_long") and spec.type.special != "list":
            return f"must be {expected(spec)}, not {show(value)}"
        if len(error["loc"]) == 1 and kind.endswith(_TYPE_ERRORS):
            text = explain(error)
            return f"must be {expected(spec)}" + text[text.index(", not ") :] if ", not " in text else text
        return None

    def _read_copies(self, node: YamlMap, path: Steps, scope: Scope, report: Report) -> dict[str, Any]:
        """Read a mapping in which some fields have the form `{each: ...}` or `{random: ...}`."""
        equal_fields = YamlMap(node.mark)
        values: dict[str, Any] = {}
        for key, value in node.items():
            if type(value) is not YamlMap or key not in self.fields:
                equal_fields.put(key, value, node.keys_at[key], node.values_at[key])
            elif not self.per_copy:
                report.add(node.values_at[key], (*path, key), f"must be {expected(self.fields[key])}, not a mapping")
            else:
                copies = self._read_copy(self.fields[key], value, (*path, key), scope, report)
                if copies is not None:
                    values[key] = copies
        return {**self._read_plain(equal_fields, path, scope, report), **values}

    def _read_copy(
        self, spec: FieldSpec, node: YamlMap, path: Steps, scope: Scope, report: Report
    ) -> Listed | Drawn | None:
        """Read `{each: [...], hold: n}` or `{random: [low, high]}`."""
        word = "each" if "each" in node else "random" if "random" in node else ""
        allowed = {"each": ("each", "hold"), "random": ("random",)}.get(word, ())
        unknown_keys = [key for key in node if key not in allowed]
        items = node.get(word)
        if not word or unknown_keys:
            what = f"must be {expected(spec)}, or {{each: [...]}} or {{random: [low, high]}}"
            return report.add(node.keys_at[unknown_keys[0]] if unknown_keys else node.mark, path, what)
        if not isinstance(items, YamlList) or not items or (word == "random" and len(items) != 2):
            what = "must be a list of two, [low, high]" if word == "random" else "must be a list of values"
            return report.add(node.values_at[word], (*path, word), f"{what}, not {show(items)}")
        if word == "each" and spec.type.special == "entity":
            return report.add(node.mark, path, "all copies must refer to the same entity: write one name")
        if word == "random" and (spec.type.special or spec.choices or spec.type.dtype.kind not in "fi"):
            return report.add(node.mark, path, f"can't be random: it must be {expected(spec)}")
        if word == "random" and spec.type.name == "Quat":
            return self._read_rotations(spec, items, (*path, word), report)
        values = [self._read_item(spec, items, i, (*path, word), scope, report) for i in range(len(items))]
        if len(report) and any(value is None for value in values):
            return None
        if word == "random":
            return Drawn(values[0], values[1])
        hold = node.get("hold", 1)
        if not isinstance(hold, int) or isinstance(hold, bool) or hold < 1:
            what = f"must be a whole number from 1, not {show(hold)}"
            return report.add(node.values_at["hold"], (*path, "hold"), what)
        return Listed(tuple(values), hold)

    def _read_rotations(self, spec: FieldSpec, items: YamlList, path: Steps, report: Report) -> Drawn | None:
        """Read the bounds of random rotations as angles, because interpolating quaternions gives no valid rotation."""
        angles = FieldsReader(self.name, {spec.name: replace(spec, type=_ANGLES, angle=True)})
        bounds = [angles._read_item(angles.fields[spec.name], items, i, path, Scope(), report) for i in range(2)]
        return None if None in bounds else Drawn(*bounds)

    def _read_item(
        self, spec: FieldSpec, items: YamlList, index: int, path: Steps, scope: Scope, report: Report
    ) -> Any:
        """Read one of several values of a field like a single value; return None if it is wrong."""
        single = YamlMap(items.mark)
        single.put(spec.name, items[index], items.items_at[index], items.items_at[index])
        inner = Report()
        values = self._read_plain(single, (*path, index), scope, inner)
        for problem in inner.problems:
            report.note(type(problem)(problem.place, problem.path.removesuffix(f".{spec.name}"), problem.what))
        return values.get(spec.name) if not inner else None


Finish = Callable[[Any, Mark, Steps, Scope], Any]


def _finish_of(spec: FieldSpec) -> Finish | None:
    """Return the function that converts a valid value for the constructor and may raise ValueError, or None."""
    special = spec.type.item.special if spec.type.item is not None else spec.type.special
    if special == "enum":
        return lambda value, mark, path, scope: spec.type.coerce(value)
    if special == "entity":
        return lambda value, mark, path, scope: _reference(spec, value, mark, path)
    if special == "asset":
        return lambda value, mark, path, scope: _asset(spec, value, scope)
    if special == "str" and spec.name == "layer":
        return lambda value, mark, path, scope: _layer(value, scope)
    if spec.type.name == "Quat":
        return lambda value, mark, path, scope: quaternion_of(value)
    if spec.type.name == "Color":
        return lambda value, mark, path, scope: _opaque(value)
    if spec.type.name == "list[Color]":
        return lambda value, mark, path, scope: [_opaque(item) for item in value]
    if spec.angle:
        return lambda value, mark, path, scope: _radians(value)
    return None


def _reference(spec: FieldSpec, value: Any, mark: Mark, path: Steps) -> Any:
    if spec.type.special == "list":
        raise ValueError("a list of entities can't be written in a manifest: set it from a system")
    return Ref(value, mark, path) if value else 0


def _asset(spec: FieldSpec, value: Any, scope: Scope) -> Any:
    texts = cast("list[str]", value) if isinstance(value, list) else [str(value)]
    for text in texts:
        problem = scope.asset_problem(text, spec.also, spec.names) if text and not spec.is_word(text) else None
        if problem is not None:
            raise ValueError(problem)
    return value  # pyright: ignore[reportUnknownVariableType]


def _layer(value: str, scope: Scope) -> str:
    if value and scope.layers and value not in scope.layers:
        listed = ", ".join(scope.layers)
        raise ValueError(f"no layer is called {value!r}{did_you_mean(value, scope.layers)}. Layers: {listed}")
    return value


def _opaque(value: Any) -> Any:
    return value if len(value) == 4 else [*value, 1.0]


def _radians(value: Any) -> Any:
    return [_radians(part) for part in value] if isinstance(value, list) else math.radians(value)  # pyright: ignore[reportUnknownVariableType]
