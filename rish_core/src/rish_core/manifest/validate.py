"""Turns the errors of a validator into messages with a place, and describes the values of fields for messages.

pydantic-core checks the values; its errors contain a type of mistake and a path of keys. Here each is converted to a
`Problem` with a message that says what was expected, in which unit and range, and what was given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rish_ecs import Problem, did_you_mean
from rish_ecs.declarations import show, usual

from .nodes import Mark, YamlMap, mark_of, path_text, place_at

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

    from rish_ecs.declarations import FieldSpec

Steps = tuple[str | int, ...]
COLORS = ("Color", "list[Color]")
STOP_MESSAGE = "checking stopped here"
"""The end of the final message of a full report."""
OPTION = "--set "
"""The start of a mark's name for a value from the command line."""


class ReportFull(Exception):  # a signal from `Report.note` to callers that limit a report
    """Raised by `Report.note` when a report with a limit has its maximum of mistakes."""


class Report:
    """Collects mistakes; of several about the same value at the same place only the first is kept.

    maximum: the number of mistakes; one more adds a final message and raises ReportFull. None: no limit.
    """

    def __init__(self, problems: Iterable[Problem] = (), maximum: int | None = None) -> None:
        self._maximum = maximum
        self._problems: dict[tuple[Any, str], Problem] = {(p.place, p.path): p for p in problems}

    def add(self, mark: Mark, path: Steps, what: str) -> None:
        """Add a mistake of the value at a path, written at a mark."""
        self.note(Problem(place_at(mark), path_text(path), what))

    def note(self, problem: Problem) -> None:
        """Add a problem. Raises ReportFull if the report is full."""
        if self._maximum is not None and len(self._problems) >= self._maximum:
            what = f"{self._maximum} mistakes; {STOP_MESSAGE}"
            self._problems[problem.place, ""] = Problem(problem.place, "", what)
            raise ReportFull
        self._problems.setdefault((problem.place, problem.path), problem)

    def unknown(self, node: YamlMap, key: str, path: Steps, what: str, choices: Iterable[str], hint: str = "") -> None:
        """Add a mistake about an unknown key of a mapping, with the nearest choice and a list of choices."""
        names = list(choices)
        listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        tail = f". Choices: {listed}" if listed else ""
        self.add(node.keys_at[key], (*path, key), f"{what}{did_you_mean(key, names)}{tail}{hint}")

    def __len__(self) -> int:
        return len(self._problems)

    @property
    def problems(self) -> list[Problem]:
        """All mistakes, sorted by file, line and column."""
        return sorted(self._problems.values())


def check(
    validator: SchemaValidator,
    node: YamlMap,
    path: Steps,
    report: Report,
    *,
    what: str = "",
    keys: Iterable[str] = (),
    sentence: Callable[[Mapping[str, Any]], str | None] = lambda error: None,
) -> dict[str, Any]:
    """Validate a mapping; report mistakes and return the valid values, by key.

    what: the start of the message about an unknown key ("Body has no field"). keys: the known keys. sentence: may
    return a better message for an error.
    """
    from pydantic_core import ValidationError

    values: dict[str, Any] = node
    for _ in range(2):
        try:
            return validator.validate_python(values)
        except ValidationError as failure:
            invalid: set[str] = set()
            for error in failure.errors(include_url=False):
                steps: Steps = error["loc"]
                invalid.add(str(steps[0]) if steps else "")
                if error["type"] == "extra_forbidden" and len(steps) == 1:
                    report.unknown(node, str(steps[0]), path, f"{what} {str(steps[0])!r}", keys)
                    continue
                mark = mark_of(node, steps, node.mark)
                located = {**error, "mark": mark}
                report.add(mark, (*path, *steps), sentence(located) or explain(located))
            values = {key: value for key, value in node.items() if key not in invalid}
    return {}


def explain(error: Mapping[str, Any]) -> str:
    """Return a general message for one error of pydantic-core, without the field's unit or range."""
    kind, value = error["type"], error["input"]
    ctx: Mapping[str, Any] = error.get("ctx", {})
    if (expected := _EXPECTED.get(kind)) is not None:
        hint = _quote_hint(value, error.get("mark")) if kind == "string_type" else ""
        return f"must be {expected}, not {show(value)}{hint}"
    if kind == "value_error":
        return str(ctx["error"])
    if kind in _BOUNDS:
        return _BOUNDS[kind].format(given=_number(value), bound=_number(next(iter(ctx.values()))))
    if kind in ("too_short", "too_long"):
        bound = ctx["min_length"] if kind == "too_short" else ctx["max_length"]
        minimum = "at least" if kind == "too_short" else "at most"
        return f"must hold {minimum} {bound}, not {len(value)}"
    if kind == "literal_error":
        return f"must be {ctx['expected']}, not {show(value)}"
    return "is unknown here" if kind == "extra_forbidden" else str(error["msg"])


def _quote_hint(value: Any, mark: Mark | None) -> str:
    """Return the advice to put a value that should be text into quotes, as it was written, or ""."""
    text = getattr(mark, "written", "") or (usual(value) if isinstance(value, int | float) else "")
    if not text:
        return ""
    option = mark.name if mark is not None else ""
    if not option.startswith(OPTION):
        return f": put it into quotes, '{text}'"
    if option.endswith(f"={text}"):  # the shell takes the outer quotes away
        return f": write {OPTION}\"{option.removeprefix(OPTION).removesuffix(text)}'{text}'\""
    return f": put it into quotes, '{text}', and the whole option into double quotes"


_EXPECTED = {
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number of 64 bits",
    "bool_type": "true or false",
    "string_type": "text",
    "list_type": "a list",
    "dict_type": "a mapping",
    "finite_number": "a finite number",
}
_BOUNDS = {
    "greater_than_equal": "{given} is too small: the minimum is {bound}",
    "less_than_equal": "{given} is too large: the maximum is {bound}",
    "greater_than": "{given} is too small: it must be more than {bound}",
    "less_than": "{given} is too large: it must be less than {bound}",
    "string_too_short": "must not be empty",
    "string_too_long": "is too long: the maximum is {bound} characters",
}


def _number(value: Any) -> str:
    """Return a number as text for messages."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value).lower() if isinstance(value, bool) else show(value)
    return f"{value:.7g}" if isinstance(value, float) else str(value)


def expected(spec: FieldSpec) -> str:
    """Return a phrase for the values of a field, for messages: `2 numbers in units/s`, `one of left, right`."""
    column_type = spec.type
    unit = f" in {unit_of(spec)}" if unit_of(spec) else ""
    if column_type.special == "enum" or spec.choices:
        return "one of " + ", ".join(words_of(spec))
    if column_type.name == "Color":
        return "a color ('#rrggbb', a name, or 3 or 4 numbers from 0 to 1)"
    if column_type.name == "list[Color]":
        return "a list of colors ('#rrggbb', a name, or 3 or 4 numbers from 0 to 1)"
    if column_type.special == "list" and column_type.item is not None:
        return f"a list of {column_type.item.name}{unit}"
    if column_type.name == "Quat":
        return "three angles in degrees (around x, y and z), or the four numbers of a quaternion"
    if len(column_type.shape) == 1:
        return f"{column_type.shape[0]} numbers{unit}"
    if column_type.shape:
        return f"{column_type.shape[0]} rows of {math.prod(column_type.shape[1:])} numbers{unit}"
    words = {"str": "text", "chars": "text", "entity": "the name of an entity", "asset": "the path of an asset"}
    scalar = {"b": "true or false", "f": "a number"}.get(column_type.dtype.kind, "a whole number")
    return words.get(column_type.special) or scalar + unit


def unit_of(spec: FieldSpec) -> str:
    """Return the unit of a field in manifests, where angles are degrees."""
    return spec.unit.replace("radians", "rad").replace("rad", "degrees") or "degrees" if spec.angle else spec.unit


def words_of(spec: FieldSpec) -> list[str]:
    """Return the allowed words of an enum or of a field with choices."""
    if spec.type.enum is not None:
        return [member.name.lower() for member in spec.type.enum]
    return list(spec.choices)


def range_of(spec: FieldSpec) -> tuple[float | None, float | None]:
    """Return the lowest and highest value of a field in the manifest's unit; None for no bound."""
    low, high = (math.degrees(end) if spec.angle and end is not None else end for end in (spec.low, spec.high))
    if spec.type.name in COLORS:
        return (0.0 if low is None else low), (1.0 if high is None else high)
    return low, high


def range_text(spec: FieldSpec) -> str:
    """Return the range of a field as text: `0 kg or more`, `0 to 1`; empty if there is none."""
    low, high = range_of(spec)
    unit = f" {unit_of(spec)}" if unit_of(spec) else ""
    if low is not None:
        return f"{low:g}{unit} or more" if high is None else f"{low:g} to {high:g}{unit}"
    return f"{high:g}{unit} or less" if high is not None else ""
