"""Checks the sounds in a manifest at load time; mistakes have a file, line and column.

Fields and ranges are checked by the kernel. This module checks the sections of the settings, the sounds that sources
name, and the reactions to events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from rish_core import UnknownName
from rish_core.manifest import Mark, Report, YamlList, YamlMap, show
from rish_ecs import did_you_mean
from rish_expressions import Expression, ExpressionError, Vocabulary

from ..sounds.bank import SoundBank
from ..voices.reactions import EXPRESSIONS, KEYS, NUMBERS, several

if TYPE_CHECKING:
    from rish_core import Manifest, Registry
    from rish_ecs.declarations import Kind

_DEPTH = 64
Steps = tuple[str | int, ...]
Found = Iterator[tuple[Mark, Steps, str]]


def check_sounds(manifest: Manifest, registry: Registry) -> SoundBank:
    """Add the mistakes in a manifest's sounds to its problems; return the sounds."""
    settings = manifest.settings.get("audio")
    settings = settings if isinstance(settings, YamlMap) else {}
    given = {key: settings.get(key) for key in ("sounds", "buses", "mixes")}
    bank, report = SoundBank(), Report()
    bank.fill(SimpleNamespace(**given), report)
    for mark, path, what in _check_on(settings.get("on"), bank, registry, manifest.optional):
        report.add(mark, path, what)
    for name, prefab in manifest.prefabs.items():
        for mark, path, what in _check_entry(prefab, ("prefabs", name), bank, _DEPTH):
            report.add(mark, path, what)
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            for mark, path, what in _check_entry(entry, ("scenes", name, index), bank, _DEPTH):
                report.add(mark, path, what)
    manifest.problems.extend(report.problems)
    return bank


def _check_entry(entry: Any, path: Steps, bank: SoundBank, depth: int) -> Found:
    if not isinstance(entry, YamlMap) or depth == 0:
        return
    for key in ("AudioSource", "audio.AudioSource"):
        part = entry.get(key)
        if not isinstance(part, YamlMap):
            continue
        wrong = bank.wrong_name(part["clip"]) if isinstance(part.get("clip"), str) else None
        if wrong is not None:
            yield part.values_at["clip"], (*path, key, "clip"), wrong
        bus = part.get("bus")
        if isinstance(bus, str) and bus and bus not in bank.bus_names():
            known = bank.bus_names()
            what = f"there is no bus {bus!r}{did_you_mean(bus, known)}. Buses: {', '.join(known)}"
            yield part.values_at["bus"], (*path, key, "bus"), what
    children = entry.get("children")
    for index, child in enumerate(children if isinstance(children, YamlList) else ()):
        yield from _check_entry(child, (*path, "children", index), bank, depth - 1)


def _check_on(on: Any, bank: SoundBank, registry: Registry, optional: Collection[str]) -> Found:
    path: Steps = ("settings", "audio", "on")
    if not isinstance(on, YamlMap):
        return
    for name, reactions in on.items():
        kind = None
        try:
            kind = registry.event(str(name))
        except UnknownName as error:
            if str(name).partition(".")[0] not in optional:
                yield on.keys_at[name], (*path, str(name)), str(error)
        for index, reaction in enumerate(several(reactions)):
            where = (*path, str(name), index) if isinstance(reactions, YamlList) else (*path, str(name))
            if not isinstance(reaction, YamlMap):
                yield on.values_at[name], where, f"must be a mapping such as {{play: hit.wav}}, not {show(reaction)}"
            else:
                yield from _check_reaction(reaction, where, bank)
                if kind is not None:
                    yield from _check_fields(reaction, where, kind, registry)


def _check_reaction(reaction: YamlMap, path: Steps, bank: SoundBank) -> Found:
    for key in reaction:
        if key not in KEYS:
            what = f"a reaction has no key {str(key)!r}{did_you_mean(str(key), KEYS)}: {', '.join(KEYS)}"
            yield reaction.keys_at[key], (*path, str(key)), what
    sound = reaction.get("play")
    if not isinstance(sound, str) or not sound:
        yield reaction.mark, path, "needs `play`, the name of a sound"
    else:
        wrong = bank.wrong_name(sound)
        if wrong is not None:
            yield reaction.values_at["play"], (*path, "play"), wrong
    for key in NUMBERS:
        value = reaction.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield reaction.values_at[key], (*path, key), f"must be a number, not {show(value)}"


def _check_fields(reaction: YamlMap, path: Steps, kind: Kind, registry: Registry) -> Found:
    """Check the expressions and the place against the fields of the event."""
    for key in EXPRESSIONS:
        if key in reaction:
            try:
                Expression.parse(str(reaction[key])).check(Vocabulary(registry), [*kind.fields])
            except ExpressionError as error:
                yield reaction.values_at[key], (*path, key), error.line
    if "at" not in reaction:
        return
    names = [reaction["at"]] if isinstance(reaction["at"], str) else reaction["at"]
    if not isinstance(names, list) or len(names) not in (1, 2) or not all(isinstance(name, str) for name in names):
        what = f"must be a field of the event, or two for x and y, not {show(reaction['at'])}"
        yield reaction.values_at["at"], (*path, "at"), what
        return
    for name in names:
        if name not in kind.fields:
            what = f"{kind.key} has no field {name!r}{did_you_mean(name, kind.fields)}: {', '.join(kind.fields)}"
            yield reaction.values_at["at"], (*path, "at"), what
