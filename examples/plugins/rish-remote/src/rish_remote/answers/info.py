"""The game as a whole: title, plugins, systems with their times, declarations, hash, log."""

from __future__ import annotations

import logging
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import API, Profiler, Scenes, UnknownName
from rish_core.loop import BoundSystem
from rish_ecs.declarations import FieldSpec, Kind

from ..api.errors import ApiError, missing
from ..api.values import plain, typed

if TYPE_CHECKING:
    from ..api.route import Call
    from ..game.game import Game

_TO_MS = 1e3


def game_info(game: Game, call: Call) -> Any:
    """Return title, time, scene, host and versions of the game."""
    app, world, scenes = game.app, game.world, game.world[Scenes]
    return {
        "title": app.manifest.title,
        "tick": world.tick,
        "time": world.time,
        "dt": world.dt,
        "seed": world.seed,
        "scene": scenes.current,
        "entities": len(world.entities),
        "running": app.running,
        "headless": app.headless,
        "paused": game.clock.paused,
        "host": app.host.name,
        "size": list(app.host.size),
        "pixels": app.host.has_pixels,
        "writable": game.writable,
        "failed": app.set_aside,
        "versions": {"rish": _version(), "api": API},
    }


def _version() -> str | None:
    try:
        return version("rish-core")
    except PackageNotFoundError:
        return None


def plugins(game: Game, call: Call) -> Any:
    """Return the plugins: those that run, in their order, then the disabled and the absent ones with reasons."""
    loaded = game.app.plugins
    listed: list[dict[str, Any]] = [
        {"name": plugin.name, "version": plugin.version, "description": plugin.about.description, "state": "running"}
        for plugin in loaded
    ]
    for state, reasons in (("disabled", loaded.aside), ("absent", loaded.absent)):
        listed += [{"name": name, "state": state, "reason": reason} for name, reason in reasons.items()]
    return {"plugins": listed}


def systems(game: Game, call: Call) -> Any:
    """Return the systems in the order in which they run, with milliseconds per frame."""
    schedule, profiler = game.app.schedule, game.world[Profiler]
    frames = list(profiler.frames)
    count = len(schedule.systems)
    times = np.array([frame.times[:count] for frame in frames], np.float64).reshape(len(frames), count) * _TO_MS
    mean = times.mean(axis=0) if frames else np.zeros(count)
    worst = times.max(axis=0) if frames else np.zeros(count)
    disabled = set(schedule.disabled)
    listed = [
        {**_system(bound), "enabled": bound.name not in disabled, "mean_ms": mean[slot], "worst_ms": worst[slot]}
        for slot, bound in enumerate(schedule.systems)
    ]
    frame_times = [frame.seconds * _TO_MS for frame in frames]
    mean_ms = float(np.mean(frame_times)) if frame_times else 0.0
    return {
        "frames": len(frames),
        "frame_ms": mean_ms,
        "systems": plain(listed),
    }


def _system(bound: BoundSystem) -> dict[str, Any]:
    doc = (bound.spec.fn.__doc__ or "").strip().partition("\n")[0]
    where = {"stage": bound.spec.stage.name, "plugin": bound.plugin, "place": str(bound.place)}
    return {"name": bound.name, **where, "layer": bound.spec.layer, "doc": doc}


def switch_system(game: Game, call: Call) -> Any:
    """Enable or disable a system. A recording does not contain this, so its replay ends to agree here."""
    schedule, name = game.app.schedule, call.path["system"]
    try:
        name = game.app.registry.system(name).name
        (schedule.enable if call.args["enabled"] else schedule.disable)(name)
    except UnknownName as error:
        raise missing(error) from None
    game.note(f"{'enabled' if call.args['enabled'] else 'disabled'} the system {name}")
    return {"name": name, "enabled": name not in schedule.disabled}


def components(game: Game, call: Call) -> Any:
    """Return the components with their fields, and the number of entities that have each."""
    kinds = game.app.registry.components
    return {"components": {key: {**describe_kind(kind), "count": _count(game, kind)} for key, kind in kinds.items()}}


def _count(game: Game, kind: Kind) -> int:
    return len(game.world.table(kind.cls))


def describe_kind(kind: Kind) -> dict[str, Any]:
    """Return a component, event or table as data."""
    doc = (kind.cls.__doc__ or "").strip()
    return {"name": kind.name, "plugin": kind.owner, "doc": doc, "view": kind.view, "fields": fields_of(kind.fields)}


def fields_of(specs: dict[str, FieldSpec]) -> dict[str, Any]:
    """Return the fields of a declaration as data: types, units, ranges, choices."""
    return {name: _field(spec) for name, spec in specs.items()}


def _field(spec: FieldSpec) -> dict[str, Any]:
    enum = [member.name.lower() for member in spec.type.enum] if spec.type.enum is not None else []
    attributes = {"unit": spec.unit, "doc": spec.doc, "choices": [*spec.choices, *enum], "names": spec.names}
    attributes |= {"low": spec.low, "high": spec.high, "step": spec.step}
    flags = {name: True for name in ("view", "transient", "hidden", "angle") if getattr(spec, name)}
    present = {name: value for name, value in attributes.items() if value not in ("", None, [])}
    return {"type": spec.type.name, "default": plain(typed(spec, spec.default)), **present, **flags}


def state_hash(game: Game, call: Call) -> Any:
    """Return the hash of the state, and with `parts` that of each part."""
    state: dict[str, Any] = {"tick": game.world.tick, "hash": game.world.hash()}
    return {**state, "parts": game.world.hashes()} if call.args["parts"] else state


def log(game: Game, call: Call) -> Any:
    """Return the last records of the log."""
    level = logging.getLevelNamesMapping().get(call.args["level"].upper())
    if level is None:
        raise ApiError(400, f"level: no level is called {call.args['level']!r}. Choices: debug, info, warning, error")
    records = game.log.since(call.args["after"], level, call.args["limit"])
    return {"next": game.log.count, "records": records}
