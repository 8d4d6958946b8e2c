"""Checks the sounds in a manifest at load time; mistakes have a file, line and column.

Fields and ranges are checked by the kernel. This module checks the sections of the settings, the sounds that sources
name, and the reactions to events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from rish_core import UnknownName
from rish_core.manifest import Mark, Report, Scope, YamlList, YamlMap, show
from rish_ecs import did_you_mean

from ..sounds.bank import SoundBank
from ..voices.reactions import EXPRESSIONS, KEYS, NUMBERS, scene_of, several

if TYPE_CHECKING:
    from rish_core import Manifest, Registry

_MAX_DEPTH = 64
Steps = tuple[str | int, ...]
Fields = Mapping[str, Any]
Found = Iterator[tuple[Mark, Steps, str]]


def check_sounds(manifest: Manifest, registry: Registry) -> SoundBank:
    """Add the mistakes in a manifest's sounds to its problems; return the sounds."""
    settings = manifest.settings.get("audio")
    settings = settings if isinstance(settings, YamlMap) else {}
    sections = {key: settings.get(key) for key in ("sounds", "buses", "mixes")}
    bank, report = SoundBank(), Report()
    bank.fill(SimpleNamespace(**sections), report, Scope(asset=manifest.asset_problem))
    for mark, path, what in _check_on(settings.get("on"), bank, registry, manifest):
        report.add(mark, path, what)
    for mark, path, what in _check_volumes(settings.get("volumes"), bank):
        report.add(mark, path, what)
    for name, prefab in manifest.prefabs.items():
        for mark, path, what in _check_entry(prefab, ("prefabs", name), bank, manifest, _MAX_DEPTH):
            report.add(mark, path, what)
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            for mark, path, what in _check_entry(entry, ("scenes", name, index), bank, manifest, _MAX_DEPTH):
                report.add(mark, path, what)
    manifest.problems.extend(report.problems)
    return bank


def check_output(manifest: Manifest) -> None:
    """Add a problem if a game that is used as data only names a file to write; the command line may name one."""
    path = ("settings", "audio", "output")
    is_file = str(manifest.value_at(path)).lower().endswith(".wav")
    if is_file and not any(text.startswith(".".join(path)) for text in manifest.overrides):
        manifest.add_problem(path, "a game that is used as data only can't write a file: use --audio FILE.wav")


def _check_entry(entry: Any, path: Steps, bank: SoundBank, manifest: Manifest, depth: int) -> Found:
    if not isinstance(entry, YamlMap) or depth == 0:
        return
    for key in ("AudioSource", "audio.AudioSource"):
        part = entry.get(key)
        if not isinstance(part, YamlMap):
            continue
        wrong = _wrong_sound(part["clip"], bank, manifest) if isinstance(part.get("clip"), str) else None
        if wrong is not None:
            yield part.values_at["clip"], (*path, key, "clip"), wrong
        if isinstance(part.get("bus"), str):
            yield from _check_bus(part, (*path, key), bank)
    children = entry.get("children")
    for index, child in enumerate(children if isinstance(children, YamlList) else ()):
        yield from _check_entry(child, (*path, "children", index), bank, manifest, depth - 1)


def _check_volumes(volumes: Any, bank: SoundBank) -> Found:
    """Yield the mistakes of a mapping from buses to numbers from 0 to 1."""
    for name, value in volumes.items() if isinstance(volumes, YamlMap) else ():
        path: Steps = ("settings", "audio", "volumes", name)
        if name not in bank.bus_names():
            near = did_you_mean(name, bank.bus_names())
            yield volumes.keys_at[name], path, f"no bus is called {name!r}{near}. Buses: {', '.join(bank.bus_names())}"
        elif isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            yield volumes.values_at[name], path, f"must be a number from 0 to 1, not {show(value)}"


def _check_on(on: Any, bank: SoundBank, registry: Registry, manifest: Manifest) -> Found:
    path: Steps = ("settings", "audio", "on")
    if not isinstance(on, YamlMap):
        return
    for key, reactions in on.items():
        fields, wrong = _fields_of(str(key), registry, manifest)
        if wrong:
            yield on.keys_at[key], (*path, str(key)), wrong
        for index, reaction in enumerate(several(reactions)):
            where = (*path, str(key), index) if isinstance(reactions, YamlList) else (*path, str(key))
            if not isinstance(reaction, YamlMap):
                yield on.values_at[key], where, f"must be a mapping such as {{play: hit.wav}}, not {show(reaction)}"
            else:
                yield from _check_reaction(reaction, where, bank, manifest)
                if fields is not None:
                    yield from _check_fields(reaction, where, str(key), fields, registry)


def _fields_of(key: str, registry: Registry, manifest: Manifest) -> tuple[Fields | None, str]:
    """Return the fields of an event and an error message. The start of a scene has no fields; for an unknown event the
    fields are None.
    """
    scene = scene_of(key)
    if scene is not None:
        is_known = not scene or scene in manifest.scenes
        return {}, "" if is_known else f"no scene is called {scene!r}{did_you_mean(scene, manifest.scenes)}"
    try:
        return registry.event(key).fields, ""
    except UnknownName as error:
        return None, "" if key.partition(".")[0] in manifest.optional else str(error)


def _check_reaction(reaction: YamlMap, path: Steps, bank: SoundBank, manifest: Manifest) -> Found:
    does = [key for key in KEYS if key in reaction]
    if len(does) != 1:
        yield reaction.mark, path, f"needs one of {', '.join(KEYS)}, such as {{play: hit.wav}}"
        return
    allowed = (does[0], *KEYS[does[0]])
    for key in reaction:
        if key not in allowed:
            what = f"a reaction with {does[0]!r} has no key {str(key)!r}{did_you_mean(str(key), allowed)}"
            yield reaction.keys_at[key], (*path, str(key)), f"{what}: {', '.join(allowed)}"
    name = reaction[does[0]]
    wrong = _wrong_name(does[0], name, bank, manifest)
    if wrong is not None:
        yield reaction.values_at[does[0]], (*path, does[0]), wrong
    for key in NUMBERS:
        value = reaction.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield reaction.values_at[key], (*path, key), f"must be a number, not {show(value)}"
    yield from _check_bus(reaction, path, bank)


def _check_bus(node: YamlMap, path: Steps, bank: SoundBank) -> Found:
    bus, bus_names = node.get("bus", ""), bank.bus_names()
    if not isinstance(bus, str):
        yield node.values_at["bus"], (*path, "bus"), f"must be the name of a bus, not {show(bus)}"
    elif bus and bus not in bus_names:
        what = f"there is no bus {bus!r}{did_you_mean(bus, bus_names)}. Buses: {', '.join(bus_names)}"
        yield node.values_at["bus"], (*path, "bus"), what


def _wrong_name(does: str, name: Any, bank: SoundBank, manifest: Manifest) -> str | None:
    """Return the mistake in the name of a sound or a mix; music and mix may be empty."""
    if not isinstance(name, str) or (not name and does in ("play", "stop")):
        return f"must be the name of a {'mix' if does == 'mix' else 'sound'}, not {show(name)}"
    if does != "mix":
        return _wrong_sound(name, bank, manifest)
    is_known = not name or name in bank.mixes
    return None if is_known else f"no mix is called {name!r}{did_you_mean(name, bank.mixes)}: {', '.join(bank.mixes)}"


def _wrong_sound(name: str, bank: SoundBank, manifest: Manifest) -> str | None:
    """Return the mistake in the name of a sound, or in the file that it names."""
    wrong = bank.wrong_name(name)
    return wrong or (manifest.asset_problem(name, names="sounds") if name and name not in bank.names() else None)


def _check_fields(reaction: YamlMap, path: Steps, name: str, fields: Fields, registry: Registry) -> Found:
    """Check the expressions and the place against the fields of the event."""
    from rish_expressions import Expression, ExpressionError, Vocabulary  # not for games without reactions

    for key in EXPRESSIONS:
        if key in reaction:
            try:
                Expression.parse(str(reaction[key])).check(Vocabulary(registry), [*fields])
            except ExpressionError as error:
                yield reaction.values_at[key], (*path, key), error.line
    if "at" not in reaction:
        return
    names = [reaction["at"]] if isinstance(reaction["at"], str) else reaction["at"]
    if not isinstance(names, list) or len(names) not in (1, 2) or not all(isinstance(each, str) for each in names):
        what = f"must be a field of the event, or two for x and y, not {show(reaction['at'])}"
        yield reaction.values_at["at"], (*path, "at"), what
        return
    for field in names:
        if field not in fields:
            what = f"{name} has no field {field!r}{did_you_mean(field, fields)}: {', '.join(fields)}"
            yield reaction.values_at["at"], (*path, "at"), what
        elif not _is_place(fields[field], alone=len(names) == 1):
            what = "a place or an entity" if len(names) == 1 else "a number"
            yield reaction.values_at["at"], (*path, "at"), f"the field {field!r} of {name} is not {what}"


def _is_place(spec: Any, alone: bool) -> bool:
    """Whether a field can be a place: a single field must be a vector or an entity, each field of a pair a number."""
    if alone:
        return spec.type.special == "entity" or spec.type.shape in ((2,), (3,))
    return spec.type.shape == () and spec.type.special == ""
