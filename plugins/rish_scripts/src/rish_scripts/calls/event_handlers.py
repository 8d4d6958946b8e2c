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

from .registry import ScriptClass, Scripts, scripts_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from rish_core import World
    from rish_ecs.storage import EventQueue


def handled_events(world: World) -> Collection[type]:
    """Return the types of the events for which a script class has a method."""
    return scripts_of(world).handled


def call_event_methods(world: World, scripts: Scripts) -> None:
    """Call the methods for the events since the last call.

    The order is: events, then their entity fields, then script classes. An entity in two fields of an event is called
    once.
    """
    for cls, queue in world.queues.items():
        method = queue.kind.marks.get("script", "") if len(queue.columns) else ""
        classes = scripts.classes(method) if method else []
        if classes and len(batch := world.events(cls)):
            _call_methods(scripts, method, classes, queue, batch)


def _entities(queue: EventQueue, batch: Any) -> Any:
    """Return int64 (events, fields): the entities of each event. A repeated entity is replaced by 0."""
    names = [name for name, spec in queue.kind.fields.items() if spec.type.special == "entity" and not spec.type.shape]
    entities = np.zeros((len(batch), len(names)), np.int64)
    for column, name in enumerate(names):
        entities[:, column] = getattr(batch, name)
        for earlier in range(column):
            entities[entities[:, earlier] == entities[:, column], column] = 0
    return entities


def _call_methods(scripts: Scripts, method: str, classes: list[ScriptClass], queue: EventQueue, batch: Any) -> None:
    entities = _entities(queue, batch)
    flat, fields = entities.ravel(), entities.shape[1]
    calls: list[tuple[int, int]] = []
    for number, script_class in enumerate(classes):
        positions = np.flatnonzero(script_class.binding.table.rows_of(flat) >= 0)
        calls += [(position, number) for position in positions.tolist()]
    calls.sort()
    events = _objects(queue, batch, sorted({position // fields for position, _ in calls}))
    with scripts.watchdog:
        for position, number in calls:
            script = classes[number].member(int(flat[position]))
            if script:
                scripts.call(script, method, events[position // fields])


def _objects(queue: EventQueue, batch: Any, rows: list[int]) -> dict[int, EventRow]:
    """Return some events of a batch as light objects, by their row in the batch."""
    values: dict[str, list[Any]] = {}
    for name, spec in queue.kind.fields.items():
        column_type, column = spec.type, getattr(batch, name)
        if column_type.pooled:
            values[name] = [column[row] for row in rows]
            continue
        items = column[rows].tolist()
        if column_type.shape:
            items = [Vector(numbers) for numbers in items] if len(column_type.shape) == 1 else items
        elif column_type.text:
            items = [queue.columns.texts.texts[number] for number in items]
        elif column_type.enum is not None:
            items = [members_of(column_type.enum)[number] for number in items]
        values[name] = items
    if not values:
        return {row: EventRow({}) for row in rows}
    return {
        row: EventRow(dict(zip(values, row_values, strict=True)))
        for row, row_values in zip(rows, zip(*values.values(), strict=True), strict=True)
    }
