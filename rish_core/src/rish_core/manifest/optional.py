"""Names of optional plugins in a manifest: `audio.AudioSource`, `hud: {audio.muted: true}`.

A name that an optional plugin declares is written with the plugin's name. So it can be skipped if the plugin is absent,
and a misspelled name of another plugin is still reported.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from rish_ecs.declarations import Kind

from .manifest import Manifest
from .nodes import YamlMap
from .validate import Report, Steps


class Components(Protocol):
    """The members of `Registry` that reading entries and names uses."""

    @property
    def plugins(self) -> Collection[str]: ...  # noqa: D102
    @property
    def components(self) -> Mapping[str, Kind]: ...  # noqa: D102
    @property
    def owners(self) -> Mapping[tuple[str, str], str]: ...  # noqa: D102
    def component(self, name: str) -> Kind: ...  # noqa: D102
    def not_named(self, what: str, name: str, extra: Iterable[str] = ()) -> str | None: ...  # noqa: D102


class OptionalNames:
    """The names of a manifest's optional plugins. skipped: how often each absent plugin is used."""

    def __init__(self, manifest: Manifest, registry: Components) -> None:
        self.manifest, self.registry, self.optional = manifest, registry, manifest.optional
        self.absent = sorted(name for name in self.optional if name not in registry.plugins)
        self.skipped = Counter[str]()

    def of_plugins(self) -> OptionalNames:
        """Return the same names for prefabs that plugins declare, in which short names are allowed."""
        names = copy.copy(self)
        names.optional = frozenset(self.absent)
        return names

    def skip(self, name: str) -> bool:
        """Whether a name begins with the name of an absent plugin; if so, count it in `skipped`."""
        plugin, dot, _ = name.partition(".")
        skipped = bool(dot) and plugin in self.absent
        self.skipped.update([plugin] if skipped else ())
        return skipped

    def full(self, key: str, declared: Iterable[str]) -> str:
        """Return the full name of a short key if one plugin that is not optional declares it, otherwise the key."""
        matches = [full for full in declared if full.partition(".")[2] == key]
        matches = [full for full in matches if full.partition(".")[0] not in self.optional]
        return matches[0] if len(matches) == 1 else key

    def short(self, word: str, name: str, section: str = "") -> str:
        """Return a name without its plugin's name, if the plugin declares it. section: that of a key, `game.`.

        If the plugin is absent, the name of a prefab is shortened if the game itself defines the prefab.
        """
        plugin, _, short = name.partition(".")
        replaced = word == "prefab" and plugin in self.absent and short in self.manifest.prefabs
        return short if replaced or self.registry.owners.get((word, section + short)) == plugin else name

    def mistake(self, owner: str, name: str) -> str | None:
        """Return a message for a short name if its owner is optional, otherwise None."""
        return (
            f"{name!r} belongs to the optional plugin '{owner}': write {owner}.{name}"
            if owner in self.optional
            else None
        )

    def key(
        self, word: str, node: YamlMap, key: str, path: Steps, declared: Collection[str], report: Report,
        what: str, choices: Iterable[str], section: str = "",
    ) -> str | None:  # fmt: skip
        """Return the declared name of a key; None if it was skipped or reported. declared: all declared names."""
        name, choices = self.short(word, key, section), [*choices]
        message = None
        if section + name in declared:
            message = self.mistake(self.registry.owners.get((word, section + name), ""), name) if name == key else None
            if message is None:
                return name
        elif self.skip(key):
            return None
        message = message or self.registry.not_named(word, section + key, [section + name for name in choices])
        if message is not None:
            report.add(node.keys_at[key], (*path, key), message)
        else:
            report.unknown(node, key, path, what, choices, self.hint(key))
        return None

    def hint(self, name: str) -> str:
        """Return the end of a message about an unknown name, if it may belong to an absent plugin."""
        full = [f"{plugin}.{name}" for plugin in self.absent if "." not in name]
        return f". If an optional plugin declares it, write {' or '.join(full)}" if full else ""
