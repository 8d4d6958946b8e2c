"""Checks the particles in a manifest at load time; mistakes have a file, line and column.

Fields and ranges are checked by the kernel. This module checks the presets that emitters name, the reactions to events
under `settings: particles: on`, and in `rish check` all preset files of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rish_core import Assets
from rish_core.manifest import Mark, Spot, YamlList, YamlMap, place_at, show
from rish_ecs import Problem, did_you_mean, parse_color
from rish_ecs.declarations import notice_former

from ..births.reactions import KEYS
from ..files.checking import wrong_name
from ..files.reading import SUFFIX, asset_of

if TYPE_CHECKING:
    from rish_core import Manifest

_MAX_DEPTH = 64
Found = Iterator[tuple[Mark, str, str]]


def check_particles(manifest: Manifest) -> None:
    """Add the mistakes in a manifest's particles to its problems."""
    check = _Check(manifest)
    wrong = [*check.reactions()]
    for name, prefab in manifest.prefabs.items():
        wrong += check.entry(prefab, f"prefabs.{name}", _MAX_DEPTH)
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            wrong += check.entry(entry, f"scenes.{name}[{index}]", _MAX_DEPTH)
    wrong += check.other_files()
    for mark, path, what in wrong:
        manifest.problems.append(Problem(place_at(mark), path, what))


class _Check:
    """One check of one manifest. Each preset file is read only once."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.asked: dict[str, str | None] = {}

    def name(self, name: Any) -> str | None:
        """Return the mistake in a preset's name, None if there is none. `rish check` also looks for mistakes in its
        file.
        """
        if not isinstance(name, str) or not name:
            return None
        if name not in self.asked:
            wrong = wrong_name(name)
            self.asked[name] = wrong or self.manifest.asset_problem(asset_of(name), names="particle_presets")
        return self.asked[name]

    def entry(self, entry: Any, path: str, depth: int) -> Found:
        """Yield the mistakes of an entry and of its children."""
        if not isinstance(entry, YamlMap) or depth == 0:
            return
        for key in ("Emitter", "particles.Emitter"):
            part = entry.get(key)
            if isinstance(part, YamlMap) and "preset" in part and (sentence := self.name(part["preset"])):
                yield part.values_at["preset"], f"{path}.{key}.preset", sentence
        children = entry.get("children")
        for index, child in enumerate(children if isinstance(children, YamlList) else ()):
            yield from self.entry(child, f"{path}.children[{index}]", depth - 1)

    def reactions(self) -> Found:
        """Yield the mistakes of the reactions to events."""
        section = self.manifest.settings.get("particles")
        on = section.get("on") if isinstance(section, YamlMap) else None
        if not isinstance(on, YamlMap):
            return
        for name, rules in on.items():
            path = f"settings.particles.on.{name}"
            if not isinstance(rules, YamlList):
                yield from self._reaction(rules, on.values_at[name], path)
                continue
            for index, rule in enumerate(rules):
                yield from self._reaction(rule, on.values_at[name], f"{path}[{index}]")

    def other_files(self) -> Found:
        """Yield the mistakes of the game's preset files that the manifest does not name; scripts may name them."""
        if self.manifest.loaders is not None:
            for file in Assets(self.manifest.root).files(SUFFIX):
                if file not in self.asked and (sentence := self.name(file)):
                    yield Spot(file, 0, 0), "", sentence

    def _reaction(self, rule: Any, mark: Mark, path: str) -> Found:
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
        sentence = self.name(rule.get("preset"))
        if sentence:
            yield rule.values_at["preset"], f"{path}.preset", sentence
        color = rule.get("color")
        if color is not None and not str(color).isidentifier():  # a word may be a field of the event
            try:
                parse_color(str(color))
            except ValueError as error:
                yield rule.values_at["color"], f"{path}.color", str(error)
