"""The declarations inside of a task: parts of an observation, actions, and terms of a reward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rish_core.manifest import YamlList, YamlMap, path_text, place_at, show

from .reading import TaskSection, Text

Bounds = tuple[float, float]
MAX_ROWS = 10_000
MAX_PIXELS = 4096


@dataclass(frozen=True)
class Value:
    """A part that is the value of an expression: a number, or a list of numbers. Values outside are clipped."""

    text: Text
    low: float
    high: float


@dataclass(frozen=True)
class Rows:
    """A part with one row for each entity that has a component or a tag, and a mask of the rows that are in use.

    each: the component or tag. count: the number of rows; further entities are left out. fields: the bounds by path.
    near: the name of an entity: the nearest come first, and positions are relative to it; None: the oldest come first.
    """

    each: Text
    count: int
    fields: tuple[tuple[Text, Bounds], ...]
    near: Text | None = None


@dataclass(frozen=True)
class Picture:
    """A part that is the drawn frame, reduced to a size in pixels; gray: one channel instead of three."""

    size: tuple[int, int]
    gray: bool = False


Part = Value | Rows | Picture


@dataclass(frozen=True)
class ActionWish:
    """The actions of an agent, by names of `input:` and keys.

    choose: lists of which one item is held, by name; an item is a set of names. press: names that are held
    independently. tap: the names that are pressed anew in each step, for one tick. axes: names of axes such as
    `gamepad.left_x`. pointer: left, bottom, right, top of the pointer's area, or None.
    """

    choose: Mapping[str, tuple[tuple[str, ...], ...]]
    press: tuple[str, ...]
    tap: tuple[str, ...]
    axes: tuple[str, ...]
    pointer: tuple[float, float, float, float] | None
    at: Text


@dataclass(frozen=True)
class Term:
    """A term of the reward. kind: the expression's value, its change in a step, or the number of events.

    where: for events, a condition on their fields. times: the factor.
    """

    kind: Literal["value", "change", "count"]
    text: Text
    times: float = 1.0
    where: Text | None = None


# Observations


def read_parts(section: TaskSection) -> dict[str, Part]:
    """Return the parts of an observation; mistakes are reported."""
    parts = {name: _part(inner) for name, inner in section.sections()}
    if not section.node and not section.report:
        section.wrong("", "an observation needs at least one part")
    return {name: part for name, part in parts.items() if part is not None}


def _part(section: TaskSection) -> Part | None:
    if "size" in section.node:
        return _picture(section)
    if "each" in section.node:
        return _rows(section)
    section.only(("value", "low", "high"))
    text = section.text("value")
    bounds = _bounds(section, [section.node.get("low"), section.node.get("high")], "low")
    if text is None and "value" not in section.node:
        section.wrong("value", "a part needs `value`, `each` or `size`")
    return Value(text, *bounds) if text is not None and bounds is not None else None


def _picture(section: TaskSection) -> Picture | None:
    section.only(("size", "gray"))
    size, gray = section.items("size"), section.node.get("gray", False)
    if len(size) != 2 or not all(type(n) is int and 1 <= n <= MAX_PIXELS for n in size):
        section.wrong("size", f"must be [width, height] in pixels, up to {MAX_PIXELS}, not {show(size)}")
        return None
    if not isinstance(gray, bool):
        section.wrong("gray", f"must be true or false, not {show(gray)}")
    return Picture((size[0], size[1]), gray is True)


def _rows(section: TaskSection) -> Rows | None:
    section.only(("each", "count", "fields", "near"))
    each, count = section.text("each"), section.whole("count", 16, 1, MAX_ROWS)
    fields = section.below("fields")
    bounds_by_path: list[tuple[Text, Bounds]] = []
    for path, ends in fields.node.items():
        bounds = _bounds(fields, ends, path)
        if bounds is not None:
            text = Text(path, place_at(fields.node.keys_at[path]), path_text((*fields.path, path)))
            bounds_by_path.append((text, bounds))
    if not fields.node:
        section.wrong("fields", "name at least one field: {Transform.position.x: [0, 960]}")
    if each is None or not bounds_by_path:
        return None
    return Rows(each, count or 1, tuple(bounds_by_path), section.text("near"))


def _bounds(section: TaskSection, ends: Any, key: str) -> Bounds | None:
    numbers = [end for end in ends if isinstance(end, (int, float)) and not isinstance(end, bool)] if ends else []
    if len(numbers) != 2 or len(ends) != 2 or not numbers[0] < numbers[1]:
        section.wrong(key, "needs a lowest and a highest value, as numbers: low: 0, high: 960, or [0, 960]")
        return None
    return float(numbers[0]), float(numbers[1])


# Actions


def read_actions(section: TaskSection) -> ActionWish:
    """Return the declared actions; mistakes are reported."""
    section.only(("choose", "press", "tap", "axes", "pointer"))
    node = section.node
    choose: dict[str, tuple[tuple[str, ...], ...]] = {}
    if isinstance(node.get("choose"), YamlMap):
        inner = section.below("choose")
        choose = {name: _items(inner, name) for name in inner.node}
    elif "choose" in node:
        choose = {"choose": _items(section, "choose")}
    area = section.items("pointer")
    numbers = [float(end) for end in area if isinstance(end, (int, float)) and not isinstance(end, bool)]
    if area and (len(numbers) != 4 or not (numbers[0] < numbers[2] and numbers[1] < numbers[3])):
        section.wrong("pointer", "must be the area [left, bottom, right, top] in the game's pixels")
        numbers = []
    press, axes = _names(section, "press"), _names(section, "axes")
    if not (choose or press or axes or area):
        section.wrong("", "needs at least one of choose, press, axes, pointer")
    pointer = (numbers[0], numbers[1], numbers[2], numbers[3]) if numbers else None
    return ActionWish(
        choose, press, _names(section, "tap"), axes, pointer, Text("", place_at(node.mark), path_text(section.path))
    )


def _names(section: TaskSection, key: str) -> tuple[str, ...]:
    names = section.items(key)
    if not all(isinstance(name, str) for name in names) or len(set(names)) != len(names):
        section.wrong(key, f"must be a list of different names, not {show(section.node[key])}")
        return ()
    return tuple(names)


def _items(section: TaskSection, key: str) -> tuple[tuple[str, ...], ...]:
    """Return what each number of a choice holds: `none`, one name, or a list of names."""
    value = section.node[key]
    if not isinstance(value, YamlList) or not value:
        section.wrong(key, f"must be a list such as [none, left, [left, jump]], not {show(value)}")
        return ()
    choices = [item if isinstance(item, list) else [item] for item in value]
    if not all(isinstance(name, str) for names in choices for name in names):
        section.wrong(key, "each item must be none, a name, or a list of names")
        return ()
    return tuple(tuple(name for name in names if name != "none") for names in choices)


# Rewards


def read_terms(section: TaskSection) -> dict[str, Term]:
    """Return the terms of a reward; a single expression is one term."""
    if not isinstance(section.node.get("reward"), YamlMap):
        text = section.text("reward")
        return {"reward": Term("value", text)} if text is not None else {}
    terms = {name: _term(inner) for name, inner in section.below("reward").sections()}
    return {name: term for name, term in terms.items() if term is not None}


def _term(section: TaskSection) -> Term | None:
    section.only(("value", "change", "count", "where", "times"))
    kinds = [kind for kind in ("value", "change", "count") if kind in section.node]
    if len(kinds) != 1:
        section.wrong("value", "a term needs exactly one of value, change, count")
        return None
    if "where" in section.node and kinds != ["count"]:
        section.wrong("where", "only a term with `count` has a condition: use `... if ... else 0` in the expression")
    text = section.text(kinds[0])
    kind: Any = kinds[0]
    return Term(kind, text, section.number("times", 1.0), section.text("where")) if text is not None else None
