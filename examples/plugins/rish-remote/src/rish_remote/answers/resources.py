"""Resources and settings: values that exist once in a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import UnknownName
from rish_ecs.declarations import ResourceSpec

from ..api.errors import ApiError, Problems, missing
from ..api.values import from_json, plain, plain_resource, typed
from .info import fields_of

if TYPE_CHECKING:
    from ..api.route import Call
    from ..game.game import Game


def list_resources(game: Game, call: Call) -> Any:
    """Return the names of the resources, and whether each is state or derived."""
    listed = {key: _kind_of(spec) for key, spec in game.app.registry.resources.items() if spec.cls in game.world}
    return {"resources": listed}


def _kind_of(spec: ResourceSpec) -> str:
    return "derived" if spec.derived else "view" if spec.view else "state"


def one_resource(game: Game, call: Call) -> Any:
    """Return the values of a resource."""
    return _values(game, _resource(game, call))


def _resource(game: Game, call: Call) -> ResourceSpec:
    try:
        return _held(game, game.app.registry.resource(call.path["resource"]))
    except UnknownName as error:
        raise missing(error) from None


def list_settings(game: Game, call: Call) -> Any:
    """Return the settings of all plugins."""
    return {"settings": {plugin: _values(game, spec) for plugin, spec in game.app.registry.settings.items()}}


def one_setting(game: Game, call: Call) -> Any:
    """Return the settings of a plugin."""
    return _values(game, _setting(game, call))


def _setting(game: Game, call: Call) -> ResourceSpec:
    settings, plugin = game.app.registry.settings, call.path["plugin"]
    if plugin not in settings:
        raise missing(UnknownName(f"no plugin {plugin!r} has settings", given=plugin, choices=settings))
    return _held(game, settings[plugin])


def _held(game: Game, spec: ResourceSpec) -> ResourceSpec:
    if spec.cls not in game.world:
        raise ApiError(404, f"the world holds no {spec.name} now")
    return spec


def _values(game: Game, spec: ResourceSpec) -> dict[str, Any]:
    instance = game.world[spec.cls]
    values: dict[str, Any] = {}
    for each in fields(instance):
        value = getattr(instance, each.name)
        column = spec.fields.get(each.name)
        values[each.name] = plain_resource(value) if column is None else plain(typed(column, value))
    return {"name": spec.name, "kind": _kind_of(spec), "values": values, "fields": fields_of(spec.fields)}


def set_resource(game: Game, call: Call) -> Any:
    """Set fields of a resource that have a column type."""
    return _set(game, _resource(game, call), call.args["set"])


def set_setting(game: Game, call: Call) -> Any:
    """Set settings of a plugin while the game runs; a plugin may read some of them only when it starts."""
    return _set(game, _setting(game, call), call.args["set"])


def _set(game: Game, spec: ResourceSpec, new_values: Mapping[str, Any]) -> Any:
    """Write checked values. What is derived is in no hash, but ticks may read it, so the change is always noted."""
    problems = Problems()
    values = _checked(game, spec, new_values, problems)
    problems.refuse()
    instance = game.world[spec.cls]
    for name, value in values.items():
        setattr(instance, name, value)
    if values and not spec.view:
        game.note(f"{spec.key}: {', '.join(values)}")
    return _values(game, spec)


def _checked(game: Game, spec: ResourceSpec, new_values: Mapping[str, Any], problems: Problems) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in new_values.items():
        column = spec.fields.get(name)
        if column is None:
            is_field = any(each.name == name for each in fields(spec.cls))
            what = UnknownName(f"{spec.name} has no field {name!r}", given=name, choices=spec.fields)
            problems.add(f"set.{name}", "can only be read, because it has no column type" if is_field else what)
            continue
        try:
            checked = column.check(from_json(game.world, column, value))
        except (ValueError, TypeError, OverflowError) as error:
            problems.add(f"set.{name}", error)
            continue
        values[name] = checked.item() if isinstance(checked, np.generic) else checked
    return values
