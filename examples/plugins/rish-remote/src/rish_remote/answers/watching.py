"""Watching values: the messages of `/api/1/watch`."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from rish_core import World
from rish_ecs.declarations import FieldSpec

from ..api.errors import Problems
from ..api.values import entity_of, plain, plain_resource, typed
from ..game.events import KEPT
from ..game.watches import Watch

if TYPE_CHECKING:
    from ..api.route import Call
    from ..game.game import Game


def watch(game: Game, call: Call) -> Any:
    """Return a watch of the values `ENTITY/Component.field` and `Resource.field`, and of types of events."""
    problems = Problems()
    values: dict[str, Callable[[], Any]] = {}
    for path in call.args["values"]:
        try:
            values[path] = _value(game, path)
        except (LookupError, ValueError) as error:
            problems.add(path, error)
    types: set[str] = set()
    for name in call.args["events"]:
        try:
            types.add(game.app.registry.event(name).key)
        except LookupError as error:
            problems.add(name, error)
    problems.refuse()
    new_watch = Watch(values, call.args["every"], _events(game, types) if types else None)
    game.watches.add(new_watch)
    return new_watch


def _events(game: Game, types: AbstractSet[str]) -> Callable[[], list[Any]]:
    """Return a function that returns the events since its last call, and has the next ones kept."""
    log, after = game.events, game.events.count
    log.listen()

    def read() -> list[Any]:
        nonlocal after
        log.listen()
        events = log.since(after, types, KEPT)
        after = log.count
        return events

    return read


def _value(game: Game, path: str) -> Callable[[], Any]:
    entity, slash, field = path.rpartition("/")
    owner, dot, name = field.rpartition(".")
    if not dot:
        raise ValueError("write ENTITY/Component.field, or Resource.field")
    if not slash:
        return _of_resource(game, owner, name)
    spec = game.app.registry.component(owner).field(name)
    return lambda: _of_entity(game.world, entity, spec)


def _of_entity(world: World, entity: str, spec: FieldSpec) -> Any:
    """Return the value, or None while there is no such entity."""
    handle = entity_of(world, entity)
    if handle is None or not world.has(handle, spec.kind.cls):
        return None
    table, row = world.locate(handle, spec.kind.cls)
    return typed(spec, table.read_row(spec.name, row))


def _of_resource(game: Game, owner: str, name: str) -> Callable[[], Any]:
    spec = game.app.registry.resource(owner)
    instance = game.world[spec.cls]
    if name.startswith("_") or not hasattr(instance, name) or callable(getattr(instance, name)):
        raise ValueError(f"{owner} has no field {name!r}")
    return lambda: plain(plain_resource(getattr(game.world[spec.cls], name)))
