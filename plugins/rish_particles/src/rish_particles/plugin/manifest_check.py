"""Checks the particles in a manifest at load time; mistakes have a file, line and column.

Fields and ranges are checked by the kernel. This module checks the presets that emitters name, and the reactions to
events under `settings: particles: on`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rish_core.manifest import Mark, YamlList, YamlMap, place_at, show
from rish_ecs import Problem, did_you_mean, parse_color
from rish_ecs.declarations import notice_former

from ..births.reactions import KEYS
from ..files.reading import HOME, SUFFIX, asset_of, shipped

if TYPE_CHECKING:
    from rish_core import Manifest

_DEPTH = 64
Found = Iterator[tuple[Mark, str, str]]


def check_particles(manifest: Manifest) -> None:
    """Add the mistakes in a manifest's particles to its problems."""
    wrong = [*_check_reactions(manifest)]
    for name, prefab in manifest.prefabs.items():
        wrong += _check_entry(prefab, f"prefabs.{name}", _DEPTH)
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            wrong += _check_entry(entry, f"scenes.{name}[{index}]", _DEPTH)
    for mark, path, what in wrong:
        manifest.problems.append(Problem(place_at(mark), path, what))


def wrong_name(name: Any) -> str | None:
    """Return the mistake in a preset's name, without opening the file; None if there is none."""
    if not isinstance(name, str) or not name:
        return None
    asset = asset_of(name)
    if asset.startswith(HOME) and asset.removeprefix(HOME).removesuffix(SUFFIX) not in shipped():
        return (
            f"no preset is called {name!r}{did_you_mean(name, shipped())}. "
            f"There are {', '.join(shipped())}, or name a file *{SUFFIX}"
        )
    if not asset.endswith((SUFFIX, ".json")):
        return f"{name!r} is no preset: its file must end in {SUFFIX}"
    return None


def _check_entry(entry: Any, path: str, depth: int) -> Found:
    if not isinstance(entry, YamlMap) or depth == 0:
        return
    for key in ("Emitter", "particles.Emitter"):
        part = entry.get(key)
        if isinstance(part, YamlMap) and "preset" in part:
            sentence = wrong_name(part["preset"])
            if sentence:
                yield part.values_at["preset"], f"{path}.{key}.preset", sentence
    children = entry.get("children")
    for index, child in enumerate(children if isinstance(children, YamlList) else ()):
        yield from _check_entry(child, f"{path}.children[{index}]", depth - 1)


def _check_reactions(manifest: Manifest) -> Found:
    section = manifest.settings.get("particles")
    on = section.get("on") if isinstance(section, YamlMap) else None
    if not isinstance(on, YamlMap):
        return
    for name, rules in on.items():
        path = f"settings.particles.on.{name}"
        if not isinstance(rules, YamlList):
            yield from _check_reaction(rules, on.values_at[name], path)
            continue
        for index, rule in enumerate(rules):
            yield from _check_reaction(rule, on.values_at[name], f"{path}[{index}]")


def _check_reaction(rule: Any, mark: Mark, path: str) -> Found:
    if not isinstance(rule, YamlMap):
        yield mark, path, f"must be a mapping such as {{preset: sparks, at: point}}, not {show(rule)}"
        return
    for key in rule:
        if key == "least":
            notice_former("a reaction", key, "minimum", place_at(rule.keys_at[key]))
        elif key not in KEYS:
            what = f"a reaction has no key {key!r}{did_you_mean(key, KEYS)}: {', '.join(KEYS)}"
            yield rule.keys_at[key], f"{path}.{key}", what
    for key in ("preset", "at"):
        if key not in rule:
            yield rule.mark, path, f"needs `{key}`"
    sentence = wrong_name(rule.get("preset"))
    if sentence:
        yield rule.values_at["preset"], f"{path}.preset", sentence
    color = rule.get("color")
    if color is not None and not str(color).isidentifier():  # a word may be a field of the event
        try:
            parse_color(str(color))
        except ValueError as error:
            yield rule.values_at["color"], f"{path}.color", str(error)
