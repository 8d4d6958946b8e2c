"""Entries that spawn several copies (`count`, `at: {grid: ...}`, `at: {random: ...}`, a list of places).

Changed copies get their own entries, and the group keeps the others where they are: its `count` is reduced, positions
are removed from its list, and a grid or random positions are written as a list.
"""

from __future__ import annotations

from typing import Any, cast

from rish_core import Transform
from rish_core.manifest import Drawn, Listed, Step
from rish_ecs import kind_of

from ..text.nodes import Steps
from .session import Session
from .values import text_value
from .worlds import Spawned


def reduce_group(session: Session, number: int, remaining: list[int], copies: list[int]) -> None:
    """Change an entry so that it spawns only some of its copies. kept: the copies that stay. copies: all of them."""
    step, path = session.steps[number], session.paths[number]
    text = session.text.of(path)
    places = [copies.index(copy) for copy in remaining]
    is_prefix = places == list(range(len(places)))
    if not (is_prefix and not step.draws):
        _write_values(session, number, remaining, places)
    at: Any = text.get((*path, "at")) if text.has((*path, "at")) else None
    counted = text.has((*path, "count"))
    if isinstance(at, list) and at and isinstance(at[0], list):
        for index in reversed(range(len(cast("list[Any]", at)))):
            if index not in places and len(text.get((*path, "at"))) > 1:
                text.delete((*path, "at", index))
        if counted:
            _set_count(session, path, len(remaining))
    elif isinstance(at, dict) and not (is_prefix and "grid" in at):
        write_places(session, number, remaining)
    else:
        _set_count(session, path, len(remaining))
    session.edits.append(f"{_group_phrase(step)} has {len(remaining)} copies")


def _group_phrase(step: Step) -> str:
    return f"the group of {step.node.name or step.node.prefab or 'entities'!r}"


def _set_count(session: Session, path: Steps, count: int) -> None:
    text = session.text.of(path)
    at: Any = text.get((*path, "at")) if text.has((*path, "at")) else None
    if count == 1 and text.has((*path, "count")) and not isinstance(at, dict):
        text.delete((*path, "count"))
    else:
        text.put((*path, "count"), count)


def write_places(session: Session, number: int, remaining: list[int]) -> None:
    """Replace the `at` of an entry by a list of the positions of some copies."""
    path, side = session.paths[number], session.anew
    text = session.text.of(path)
    spec = kind_of(Transform).fields["position"]
    places = [text_value(spec, _row(side, number, copy)["position"], session.name_of) for copy in remaining]
    text.set((*path, "at"), places[0] if len(places) == 1 else places)
    if text.has((*path, "count")):
        text.delete((*path, "count"))
    session.notes.append(f"{_group_phrase(session.steps[number])}: its places are written out as a list")


def _row(side: Spawned, number: int, copy: int, cls: type = Transform) -> dict[str, Any]:
    return side.read(side.handles[number, copy], cls)


def _write_values(session: Session, number: int, remaining: list[int], places: list[int]) -> None:
    """Replace `{each: ...}` and `{random: ...}` by the values of the copies that stay."""
    step, path = session.steps[number], session.paths[number]
    text = session.text.of(path)
    for cls, values in step.parts.items():
        for name, value in values.items():
            if not isinstance(value, (Listed, Drawn)):
                continue
            key = session.key_name(cls)
            where = (*path, f"{key}.{name}") if text.has((*path, f"{key}.{name}")) else (*path, key, name)
            written: Any = text.get(where) if text.has(where) else None
            if isinstance(value, Listed) and isinstance(written, dict):
                new_values: list[Any] = [written["each"][place // value.hold % len(value.values)] for place in places]
            else:
                spec = kind_of(cls).fields[name]
                new_values = [
                    text_value(spec, _row(session.anew, number, number_of_copy, cls)[name], session.name_of)
                    for number_of_copy in remaining
                ]
            text.put(where, new_values[0] if len(new_values) == 1 else {"each": new_values})


def freeze(session: Session, number: int) -> None:
    """Replace random values of an entry by their present values, so that they no longer depend on earlier draws."""
    step = session.steps[number]
    copies = [copy for entry, copy in session.anew.handles if entry == number]
    path = session.paths[number]
    _write_values(session, number, copies, list(range(len(copies))))
    if step.node.at is not None and step.node.at.random and session.text.has((*path, "at")):
        write_places(session, number, copies)
    session.notes.append(
        f"{_group_phrase(step)}: its random values are written out, because earlier draws have changed"
    )
