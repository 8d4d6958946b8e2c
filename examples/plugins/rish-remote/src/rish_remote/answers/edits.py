"""Edits of entities: spawn, despawn, set fields, add and remove components.

A request is checked completely before anything changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rish_core import spawn_prefab
from rish_ecs.storage import describe, hangs

from ..api.errors import Problems
from ..api.values import entity_of, read_fields
from .entities import found_entity, read_kinds, whole_entity

if TYPE_CHECKING:
    from ..api.route import Call
    from ..game.game import Game


def spawn(game: Game, call: Call) -> Any:
    """Spawn an entity from components, or a prefab whose fields the components replace."""
    args, problems = call.args, Problems()
    parts = _parts(game, args["components"] or {}, "components", problems)
    parent = _parent(game, args["parent"], problems)
    if args["prefab"] is None and (args["at"] is not None or args["parent"] is not None):
        problems.add("prefab", "`at` and `parent` belong to a prefab; write Transform into `components`")
    problems.refuse()
    if args["prefab"] is None:
        return whole_entity(game, game.world.spawn(*parts))
    handle = spawn_prefab(game.world, args["prefab"], *parts, at=args["at"], parent=parent)
    return whole_entity(game, handle)


def _parent(game: Game, text: str | None, problems: Problems) -> int:
    handle = entity_of(game.world, text) if text is not None else 0
    if handle is None:
        problems.add("parent", f"no entity has the handle or the name {text!r}")
    return handle or 0


def _parts(game: Game, values: Mapping[str, Any], place: str, problems: Problems, of: int | None = None) -> list[Any]:
    """Return components with the given values; mistakes are added to `problems`. of: an entity that must have them."""
    components: list[Any] = []
    for name, kind in read_kinds(game, values, place, problems).items():
        if of is not None and not game.world.has(of, kind.cls):
            problems.add(f"{place}.{name}", f"the entity {describe(of)} has no {name}: add it with `add`")
        fields = read_fields(game.world, kind, values[name], f"{place}.{name}", problems)
        if not problems.found:
            components.append(kind.cls(**fields))
    return components


def edit(game: Game, call: Call) -> Any:
    """Set fields of components, add components and remove components of one entity."""
    handle, args, problems = found_entity(game, call), call.args, Problems()
    world = game.world
    parts = _parts(game, args["set"] or {}, "set", problems, of=handle)
    added = _parts(game, args["add"] or {}, "add", problems)
    removed = read_kinds(game, args["remove"], "remove", problems)
    _refuse_circle(game, handle, parts, problems)
    problems.refuse()
    if parts:
        world.set(handle, *parts)
    if added:
        world.add(handle, *added)
    if removed:
        world.remove(handle, *(kind.cls for kind in removed.values()))
    return whole_entity(game, handle)


def _refuse_circle(game: Game, handle: int, parts: list[Any], problems: Problems) -> None:
    """Refuse a parent that is the entity itself or one of its descendants."""
    world = game.world
    for part in parts:
        cls = type(part)
        above: Any = part.parent if hangs(cls) else 0
        visited: set[int] = set()
        while above and above not in visited and world.alive(above) and world.has(above, cls):
            visited.add(int(above))
            if above == handle:
                problems.add(f"set.{cls.__name__}.parent", f"the entity {describe(handle)} would be its own ancestor")
            table, row = world.locate(int(above), cls)
            above = table.read_row("parent", row)


def despawn(game: Game, call: Call) -> Any:
    """Remove an entity and its children."""
    handle = found_entity(game, call)
    game.world.despawn(handle)
    return {"despawned": describe(handle)}
