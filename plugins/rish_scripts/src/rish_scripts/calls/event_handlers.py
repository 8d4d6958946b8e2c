"""Calls the script methods of events, on the scripts of the entities in the events.

An event type declares `@event(script="on_hit")`. Then the method `on_hit` is called with the event on every script of
an entity in one of the event's `Entity` fields. So the plugin of the event and that of the script are independent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Vector
from rish_ecs.declarations import members_of
from rish_ecs.storage import EventRow

from .registry import ScriptClass, Scripts

if TYPE_CHECKING:
    from rish_core import World
    from rish_ecs.storage import EventQueue


def hear_events(world: World, scripts: Scripts) -> None:
    """Call the methods for the events since the last call.

    The order is: events, then their entity fields, then script classes. An entity in two fields of an event is called
    once.
    """
    for cls, queue in world.queues.items():
        method = queue.kind.marks.get("script", "") if len(queue.columns) else ""
        classes = scripts.classes(method) if method else []
        if classes and len(batch := world.events(cls)):
            _hand_on(scripts, method, classes, queue, batch)


def _entities(queue: EventQueue, batch: Any) -> Any:
    """Return the entities of each event, int64 (events, fields); a repeated entity is replaced by 0."""
    names = [name for name, spec in queue.kind.fields.items() if spec.type.special == "entity" and not spec.type.shape]
    found = np.zeros((len(batch), len(names)), np.int64)
    for place, name in enumerate(names):
        found[:, place] = getattr(batch, name)
        for before in range(place):
            found[found[:, before] == found[:, place], place] = 0
    return found


def _hand_on(scripts: Scripts, method: str, classes: list[ScriptClass], queue: EventQueue, batch: Any) -> None:
    entities = _entities(queue, batch)
    flat, fields = entities.ravel(), entities.shape[1]
    calls: list[tuple[int, int]] = []
    for number, script_class in enumerate(classes):
        known = np.flatnonzero(script_class.binding.table.rows_of(flat) >= 0)
        calls += [(place, number) for place in known.tolist()]
    calls.sort()
    events = _objects(queue, batch, sorted({place // fields for place, _ in calls}))
    with scripts.watchdog:
        for place, number in calls:
            script = classes[number].member(int(flat[place]))
            if script:
                scripts.call(script, method, events[place // fields])


def _objects(queue: EventQueue, batch: Any, rows: list[int]) -> dict[int, EventRow]:
    """Return some events of a batch as light objects, by their row in the batch."""
    values: dict[str, list[Any]] = {}
    for name, spec in queue.kind.fields.items():
        found, column = spec.type, getattr(batch, name)
        if found.pooled:
            values[name] = [column[row] for row in rows]
            continue
        plain = column[rows].tolist()
        if found.shape:
            plain = [Vector(numbers) for numbers in plain] if len(found.shape) == 1 else plain
        elif found.text:
            plain = [queue.columns.texts.texts[number] for number in plain]
        elif found.enum is not None:
            plain = [members_of(found.enum)[number] for number in plain]
        values[name] = plain
    if not values:
        return {row: EventRow({}) for row in rows}
    return {
        row: EventRow(dict(zip(values, each, strict=True)))
        for row, each in zip(rows, zip(*values.values(), strict=True), strict=True)
    }
