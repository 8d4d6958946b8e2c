"""Entities: lists with filters, columns of fields, single entities."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Name, Origin, Tags, UnknownName, World, tagged
from rish_ecs.declarations import Column, FieldSpec, Kind
from rish_ecs.storage import describe

from ..api.errors import ApiError, Problems
from ..api.values import entity_of, typed, typed_column

if TYPE_CHECKING:
    from ..api.route import Call
    from ..game.game import Game

_PREFAB = "prefab:"


def list_entities(game: Game, call: Call) -> Any:
    """Return a page of the entities that fit, in the order of their handles."""
    handles = _fitting(game, call)
    first = call.args["offset"]
    page = handles[first : first + call.args["limit"]].tolist()
    rows = [_row(game, handle) for handle in page]
    return {"tick": game.world.tick, "total": len(handles), "offset": first, "entities": rows}


def _row(game: Game, handle: int) -> dict[str, Any]:
    kinds = game.world.components_of(handle)
    names = [cls.__name__ for cls in kinds if cls is not Origin]
    return {"entity": describe(handle), "name": name_of(game.world, handle), "components": names}


def columns(game: Game, call: Call) -> Any:
    """Return fields of all entities that fit and have them, one list for each field."""
    specs = [_field(game, path) for path in call.args["fields"]]
    if not specs:
        raise ApiError(400, "fields: name at least one field, as in Transform.position")
    handles = _fitting(game, call, [spec.kind for spec in specs])
    first = call.args["offset"]
    page = handles[first : first + call.args["limit"]]
    values = {path: _values(game.world, spec, page) for path, spec in zip(call.args["fields"], specs, strict=True)}
    entities = [describe(handle) for handle in page.tolist()]
    return {"tick": game.world.tick, "total": len(handles), "offset": first, "entities": entities, "columns": values}


def _field(game: Game, path: str) -> FieldSpec:
    """Return the field that a path such as `Transform.position` names. Raises UnknownName."""
    component, _, name = path.rpartition(".")
    if not component:
        raise ApiError(400, f"fields: write Component.field, as in Transform.position, not {path!r}")
    return game.app.registry.component(component).field(name)


def _values(world: World, spec: FieldSpec, handles: Column) -> Any:
    table = world.table(spec.kind.cls)
    rows = table.rows_of(handles)
    if spec.type.special in ("", "entity"):
        return typed_column(spec, table.column(spec.name)[rows])
    return [typed(spec, table.read_row(spec.name, row)) for row in rows.tolist()]


def _fitting(game: Game, call: Call, required: Iterable[Kind] = ()) -> Column:
    """Return the handles of the entities that pass all filters, sorted, int64 (n,)."""
    world, args = game.world, call.args
    kinds = [*(game.app.registry.component(name) for name in args["has"]), *required]
    sets = [world.table(kind.cls).entities for kind in kinds]
    sets += [tagged(world, args["tag"])] if args["tag"] else []
    sets += [_named_like(world, args["name"])] if args["name"] else []
    sets += [_of_prefab(game, args["prefab"])] if args["prefab"] else []
    handles = np.sort(sets[0]) if sets else _all(world)
    for other in sets[1:]:
        handles = np.intersect1d(handles, other)
    return handles


def _all(world: World) -> Column:
    tables = [table.entities for table in world.tables.values() if len(table)]
    return np.unique(np.concatenate(tables)) if tables else np.zeros(0, np.int64)


def _named_like(world: World, pattern: str) -> Column:
    """Return the entities whose names fit a pattern with `*` and `?`, in any letter case."""
    table = world.table(Name)
    numbers, pattern = table.column("value"), pattern.lower()
    fitting = [number for number in np.unique(numbers).tolist() if fnmatchcase(world.text(number).lower(), pattern)]
    return table.entities[np.isin(numbers, fitting)]


def _of_prefab(game: Game, name: str) -> Column:
    world = game.world
    table = world.table(Origin)
    if name not in game.app.game.prefabs:
        raise UnknownName(f"no prefab is called {name!r}", given=name, choices=game.app.game.prefabs)
    pairs = np.column_stack([table.column("scene"), table.column("entry")])
    kinds, pair_of_row = np.unique(pairs, axis=0, return_inverse=True)
    fits = np.array([_made_by(game, world.text(scene), entry) == name for scene, entry in kinds.tolist()], np.bool_)
    return table.entities[fits[pair_of_row.ravel()]] if len(kinds) else table.entities[:0]


def _made_by(game: Game, scene: str, entry: int) -> str:
    """Return the prefab of an entry of a scene or prefab, "" if it uses none."""
    if scene.startswith(_PREFAB) and not entry:
        return scene.removeprefix(_PREFAB)
    plan = game.app.game.plan(scene)
    return plan.steps[entry].node.prefab if plan is not None and entry < len(plan.steps) else ""


def name_of(world: World, handle: int) -> str | None:
    """Return the name of an entity, or None."""
    return str(world.get(handle, Name).value) if world.has(handle, Name) else None  # pyright: ignore[reportAttributeAccessIssue]


def found_entity(game: Game, call: Call) -> int:
    """Return the entity that the path names by handle or name. Raises ApiError 404."""
    text = call.path["entity"]
    handle = entity_of(game.world, text)
    if handle is None:
        raise ApiError(404, f"no entity has the handle or the name {text!r}; `GET /api/1/entities` lists them")
    return handle


def one_entity(game: Game, call: Call) -> Any:
    """Return an entity with all its components."""
    return whole_entity(game, found_entity(game, call))


def whole_entity(game: Game, handle: int) -> dict[str, Any]:
    """Return an entity with the values of all fields, by component."""
    world = game.world
    components: dict[str, Any] = {}
    for cls in world.components_of(handle):
        table, row = world.locate(handle, cls)
        fields = table.schema.fields
        components[_key(game, table.schema)] = {n: typed(spec, table.read_row(n, row)) for n, spec in fields.items()}
    prefab = _prefab_of(game, handle)
    tags = list(world.get(handle, Tags).values) if world.has(handle, Tags) else []  # pyright: ignore[reportAttributeAccessIssue]
    identity = {"entity": describe(handle), "name": name_of(world, handle), "prefab": prefab, "tags": tags}
    return {"tick": world.tick, **identity, "components": components}


def _key(game: Game, kind: Kind) -> str:
    """Return the short name of a component, or its full name if another plugin has one of the same name."""
    namesakes = [other for other in game.app.registry.components.values() if other.name == kind.name]
    return kind.name if len(namesakes) == 1 else kind.key


def _prefab_of(game: Game, handle: int) -> str | None:
    if not game.world.has(handle, Origin):
        return None
    table, row = game.world.locate(handle, Origin)
    return _made_by(game, table.read_row("scene", row), table.read_row("entry", row)) or None


def read_kinds(game: Game, names: Iterable[str], place: str, problems: Problems) -> dict[str, Kind]:
    """Return components by the names in a request; unknown names are added to `problems`."""
    kinds: dict[str, Kind] = {}
    for name in names:
        try:
            kinds[name] = game.app.registry.component(name)
        except UnknownName as error:
            problems.add(f"{place}.{name}", error)
    return kinds
