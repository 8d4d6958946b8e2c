"""The built-in actions with parameters of their own form: set, add, spawn and emit; and the plain ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rish_core import (
    Entity,
    Scenes,
    Session,
    Str,
    UnknownName,
    UsageError,
    World,
    field,
    resource,
    spawn_prefab,
    tagged,
)
from rish_core.manifest import YamlMap, show
from rish_ecs import RishError, did_you_mean
from rish_ecs.declarations import FieldSpec
from rish_expressions import (
    Action,
    ComponentField,
    ExpressionError,
    Field,
    FieldPath,
    Scope,
    Setting,
    Target,
    Variables,
    add_values,
    bind_target,
    stored,
    type_of,
)

from .values import Path, Run, given_values, name_of, value_of

if TYPE_CHECKING:
    from .context import Context

Perform = Callable[[Mapping[str, Any]], None]


@resource
class Despawn:
    """The parameters of `despawn`: one entity, or all with a tag."""

    entity: Entity = field(0, doc="the entity, with its children")
    tag: Str = field("", names="tags", doc="all entities with this tag")


def despawn(world: World, arguments: Despawn, scope: Scope) -> None:
    """Despawn an entity, all entities with a tag, or both."""
    handles = tagged(world, arguments.tag).tolist() if arguments.tag else []
    if arguments.entity and world.alive(arguments.entity):
        handles.append(arguments.entity)
    if handles:
        world.despawn(handles)


@resource
class Goto:
    """The parameters of `goto`."""

    scene: Str = field(
        "", names="scenes", doc="the scene that begins before the next tick; the name of the current one restarts it"
    )


def goto(world: World, arguments: Goto, scope: Scope) -> None:
    """Request a scene."""
    world[Scenes].go(arguments.scene)


@resource
class Quit:
    """The parameters of `quit`."""

    really: bool = field(True, doc="whether the game ends")


def leave(world: World, arguments: Quit, scope: Scope) -> None:
    """End the game after this tick."""
    world[Session].quit = world[Session].quit or arguments.really


ACTIONS = [Action("despawn", Despawn, despawn), Action("goto", Goto, goto), Action("quit", Quit, leave)]
"""The built-in actions with plain parameters."""


def read_set(node: YamlMap, key: str, path: Path, context: Context) -> Perform | None:
    """Return the function that performs `set: {PATH: value}`."""
    return _assignments(node, key, path, context, add=False)


def read_add(node: YamlMap, key: str, path: Path, context: Context) -> Perform | None:
    """Return the function that performs `add: {PATH: value}`. A sum is limited to the range of its field."""
    return _assignments(node, key, path, context, add=True)


def _assignments(node: YamlMap, key: str, path: Path, context: Context, *, add: bool) -> Perform | None:
    values = _mapping(node[key], node.values_at[key], key, path, context)
    if values is None:
        return None
    context.no_others(node, (key,), path)
    parts = [_assignment(values, name, (*path, name), context, add) for name in values]
    valid = [part for part in parts if part is not None]
    if len(valid) == 1:
        return valid[0]

    def perform(scope: Mapping[str, Any]) -> None:
        for part in valid:
            part(scope)

    return perform


def _mapping(values: Any, mark: Any, key: str, path: Path, context: Context) -> YamlMap | None:
    if isinstance(values, YamlMap) and values:
        return values
    such = f"such as {{{key}: {{hero.Health.now: 1}}}}"
    return context.report.add(mark, path, f"must be a mapping of fields, {such}, not {show(values)}")


def _assignment(values: YamlMap, name: str, path: Path, context: Context, add: bool) -> Perform | None:
    node, mark = values[name], values.values_at[name]
    if name in context.words.variables:
        return _variable(name, node, mark, path, context, add)
    place = _place(values, name, path, context)
    if place is None:
        return None
    field_path, target, root = place
    if add and target.type not in ("number", "list", "any"):
        return context.report.add(values.keys_at[name], path, f"{name} is no number, so nothing can be added")
    run = value_of(None if add else _spec(target), target.type, node, mark, path, context)
    if run is None:
        return None
    if context.world is None:
        return lambda scope: None
    return _write(context.world, field_path, target, run, root, add)


def _place(values: YamlMap, name: str, path: Path, context: Context) -> tuple[FieldPath, Target, str] | None:
    """Return the path of a key, its target, and the name of the rule with which it begins, or ""."""
    if context.skips(name):
        return None
    try:
        field_path = FieldPath.parse(name)
        target = field_path.resolve(context.words)
    except ExpressionError as error:
        hint = did_you_mean(name, context.words.variables) if "." not in name else ""
        what = f"no variable is called {name!r}{hint}" if "." not in name else error.line
        return context.report.add(values.keys_at[name], path, what)
    root = field_path.parts[0] if not field_path.quoted and field_path.parts[0] in context.names else ""
    if target.kind == "component" and not target.entity:
        what = f"which entity? Write NAME.{name}, or self.{name}"
        return context.report.add(values.keys_at[name], path, what)
    if root:
        context.used.add(root)
    return field_path, target, root


def read_settings(values: Any, mark: Any, key: str, path: Path, context: Context) -> Run:
    """Return the function that computes the list of `Setting` for a mapping of fields to values."""
    node = _mapping(values, mark, key, path, context)
    parts = [] if node is None else [_setting(node, name, (*path, name), context) for name in node]
    valid = [part for part in parts if part is not None]
    return lambda scope: [part(scope) for part in valid]


def _setting(values: YamlMap, name: str, path: Path, context: Context) -> Run | None:
    place = _place(values, name, path, context)
    if place is None:
        return None
    field_path, target, root = place
    if target.kind != "component":
        return context.report.add(values.keys_at[name], path, f"{name} is no field of an entity")
    run = value_of(_spec(target), target.type, values[name], values.values_at[name], path, context)
    if run is None or context.world is None:
        return run
    bound, spec = ComponentField(context.world, field_path, target, 0 if root else None), target.spec
    assert spec is not None

    def setting(scope: Mapping[str, Any]) -> Setting:
        entity = bound.owner(scope[root] if root else bound.entity)
        return Setting(entity, target, stored(spec, run(scope)))

    return setting


def _spec(target: Target) -> FieldSpec | None:
    """Return the declaration with which a value is checked; None for an element of a vector."""
    return target.spec if target.element is None else None


def _write(world: World, path: FieldPath, target: Target, run: Run, root: str, add: bool) -> Perform:
    field: Field = ComponentField(world, path, target, 0) if root else bind_target(world, path, target)
    if isinstance(field, ComponentField):
        if add:
            total = _sum_of(target)
            if root:
                return lambda scope: field.change_of(scope[root], lambda old: total(old, run(scope)))
            return lambda scope: field.change_of(field.entity, lambda old: total(old, run(scope)))
        if root:
            return lambda scope: field.write_of(scope[root], run(scope))
    if not add:
        return lambda scope: field.write(run(scope))
    total = _sum_of(target)
    return lambda scope: field.write(total(field.read(), run(scope)))


def _sum_of(target: Target) -> Callable[[Any, Any], Any]:
    """Return the function that adds two values of a field; numbers stay within its range."""
    spec = target.spec
    if spec is None or (spec.low is None and spec.high is None) or spec.angle:
        return add_values

    def total(old: Any, more: Any) -> Any:
        value = add_values(old, more)
        if not isinstance(value, (int, float)):
            return value
        value = value if spec.low is None else max(value, spec.low)
        return value if spec.high is None else min(value, spec.high)

    return total


def _variable(name: str, node: Any, mark: Any, path: Path, context: Context, add: bool) -> Perform | None:
    first_value = context.words.variables[name]
    kind = "truth" if isinstance(first_value, bool) else "text" if isinstance(first_value, str) else "number"
    if add and kind != "number":
        return context.report.add(mark, path, f"{name} is no number, so nothing can be added")
    if type(first_value) is int and isinstance(node, float) and not node.is_integer():
        return context.report.add(mark, path, f"{name} is a whole number; declare it as {first_value}.0 for fractions")
    run, world = value_of(None, kind, node, mark, path, context), context.world
    if run is None or world is None:
        return None if run is None else lambda scope: None

    def perform(scope: Mapping[str, Any]) -> None:
        variables: Variables = world[Variables]
        value = run(scope)
        variables[name] = add_values(variables[name], value) if add else value

    return perform


def read_spawn(node: YamlMap, key: str, path: Path, context: Context) -> Perform | None:
    """Return the function that performs `spawn: PREFAB` with `at`, `count`, `parent` and `with: {C.field: value}`."""
    context.no_others(node, (key, "at", "count", "parent", "with"), path)
    if isinstance(node[key], str) and context.optional.skip(node[key]):
        return None
    name = name_of(node, key, path, context.prefabs, "prefab", context)
    runs: dict[str, Run | None] = {}
    for word, kind in (("at", "list"), ("count", "number"), ("parent", "entity")):
        if word in node:
            runs[word] = value_of(None, kind, node[word], node.values_at[word], (*path, word), context)
    fields = _spawn_fields(node, (*path, "with"), context)
    if name is None or fields is None or None in runs.values() or (world := context.world) is None:
        return None if context.world is not None else lambda scope: None
    at, count, parent = runs.get("at"), runs.get("count"), runs.get("parent")

    def perform(scope: Mapping[str, Any]) -> None:
        values = {name_of_field: run(scope) for name_of_field, run in fields.items()}
        options: dict[str, Any] = {}
        if at is not None:
            options["at"] = tuple(at(scope))
        if parent is not None:
            options["parent"] = parent(scope)
        if count is not None:
            number = round(count(scope))
            if not 0 <= number <= MAX_SPAWNED:
                raise UsageError(f"{number} copies of {name(scope)!r}: the number must lie from 0 to {MAX_SPAWNED}")
            options["n"] = number
        if options.get("n") != 0:
            spawn_prefab(world, name(scope), *([values] if values else []), **options)

    return perform


MAX_SPAWNED = 10_000
"""The maximum number of copies of one `spawn`."""


def _spawn_fields(node: YamlMap, path: Path, context: Context) -> dict[str, Run] | None:
    values = node.get("with")
    if values is None:
        return {}
    if not isinstance(values, YamlMap):
        what = f"must be a mapping of fields such as {{Body.mass: 2}}, not {show(values)}"
        return context.report.add(node.values_at["with"], path, what)
    runs: dict[str, Run] = {}
    for name, value in values.items():
        if context.skips(name):
            continue
        *children, component, last = name.split(".") if name.count(".") else ("", name)
        try:
            full = f"{children[-1]}.{component}" if children else ""
            kind = context.words.registry.component(full if full in context.words.registry.components else component)
            spec = kind.field(last)
        except (UnknownName, IndexError) as error:
            context.report.add(values.keys_at[name], (*path, name), str(error))
            continue
        run = value_of(spec, type_of(spec), value, values.values_at[name], (*path, name), context)
        if run is not None:
            runs[name] = _for_column(spec, run)
    return runs


def _for_column(spec: FieldSpec, run: Run) -> Run:
    return lambda scope: stored(spec, run(scope))


def read_emit(node: YamlMap, key: str, path: Path, context: Context) -> Perform | None:
    """Return the function that performs `emit: EVENT` with the event's fields."""
    name, events = node[key], context.words.registry.events
    if isinstance(name, str) and context.optional.skip(name):
        return None
    try:
        kind = context.words.registry.event(context.full_name(name if isinstance(name, str) else show(name), events))
    except RishError as error:
        return context.report.add(node.values_at[key], path, str(error))
    fields = {name_of_field: kind.fields[name_of_field] for name_of_field in kind.shown}
    context.no_others(node, (key, *fields), path)
    given_fields = {name_of_field: value for name_of_field, value in node.items() if name_of_field in fields}
    runs = given_values(fields, given_fields, node.values_at, path, context)
    cls, world = kind.cls, context.world
    if world is None:
        return lambda scope: None
    return lambda scope: world.emit(cls, **{name_of_field: run(scope) for name_of_field, run in runs.items()})


SPECIAL: dict[str, Callable[[YamlMap, str, Path, Any], Perform | None]] = {
    "set": read_set, "add": read_add, "spawn": read_spawn, "emit": read_emit,
}  # fmt: skip
"""The built-in actions whose parameters depend on what they name."""
