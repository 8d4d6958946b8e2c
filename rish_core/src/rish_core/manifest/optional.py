"""Names of optional plugins in a manifest: `audio.AudioSource`, `hud: {audio.muted: true}`.

A name of an optional plugin is written with the plugin's name. So it can be skipped where the plugin is absent, and a
misspelt name of another plugin stays a mistake.
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
    """The part of the registry that entries and names need."""

    @property
    def plugins(self) -> Collection[str]: ...  # noqa: D102
    @property
    def components(self) -> Mapping[str, Kind]: ...  # noqa: D102
    @property
    def owners(self) -> Mapping[tuple[str, str], str]: ...  # noqa: D102
    def component(self, name: str) -> Kind: ...  # noqa: D102
    def not_named(self, what: str, name: str, known: Iterable[str] = ()) -> str | None: ...  # noqa: D102


class OptionalNames:
    """The names of a manifest's optional plugins. skipped: how often each absent plugin is used."""

    def __init__(self, manifest: Manifest, registry: Components) -> None:
        self.manifest, self.registry, self.optional = manifest, registry, manifest.optional
        self.absent = sorted(name for name in self.optional if name not in registry.plugins)
        self.skipped = Counter[str]()

    def of_plugins(self) -> OptionalNames:
        """Return the same names for text of plugins, in which short names are no mistakes."""
        made = copy.copy(self)
        made.optional = frozenset(self.absent)
        return made

    def skip(self, name: str) -> bool:
        """Whether a name begins with that of an absent plugin; its use is counted."""
        plugin, dot, _ = name.partition(".")
        skipped = bool(dot) and plugin in self.absent
        self.skipped.update([plugin] if skipped else ())
        return skipped

    def full(self, key: str, known: Iterable[str]) -> str:
        """Return which of the full names `known` a key means; short ones are those of plugins that are not optional."""
        found = [full for full in known if full.partition(".")[2] == key]
        found = [full for full in found if full.partition(".")[0] not in self.optional]
        return found[0] if len(found) == 1 else key

    def short(self, word: str, name: str, above: str = "") -> str:
        """Return a name without its plugin, if that plugin declares it. above: the section of a key, `game.`.

        A prefab of the game replaces a plugin's of that name, also without the plugin.
        """
        plugin, _, short = name.partition(".")
        replaced = word == "prefab" and plugin in self.absent and short in self.manifest.prefabs
        return short if replaced or self.registry.owners.get((word, above + short)) == plugin else name

    def mistake(self, owner: str, name: str) -> str | None:
        """Return a message for a short name if its owner is optional, otherwise None."""
        return (
            f"{name!r} belongs to the optional plugin '{owner}': write {owner}.{name}"
            if owner in self.optional
            else None
        )

    def key(
        self, word: str, node: YamlMap, key: str, path: Steps, known: Collection[str], report: Report,
        what: str, choices: Iterable[str], above: str = "",
    ) -> str | None:  # fmt: skip
        """Return the declared name of a key; None if it was skipped or reported. known: all declared names."""
        name, choices = self.short(word, key, above), [*choices]
        said = None
        if above + name in known:
            said = self.mistake(self.registry.owners.get((word, above + name), ""), name) if name == key else None
            if said is None:
                return name
        elif self.skip(key):
            return None
        said = said or self.registry.not_named(word, above + key, [above + name for name in choices])
        if said is not None:
            report.add(node.keys_at[key], (*path, key), said)
        else:
            report.unknown(node, key, path, what, choices, self.hint(key))
        return None

    def hint(self, name: str) -> str:
        """Return the end of a message about an unknown name, if it may belong to an absent plugin."""
        full = [f"{plugin}.{name}" for plugin in self.absent if "." not in name]
        return f". If an optional plugin declares it, write {' or '.join(full)}" if full else ""
