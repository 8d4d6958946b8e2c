"""Applies a changed text to a running game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rish_core import App, Manifest
from rish_reload import prepare, prepare_plugins

from ..text.game_text import GameText
from ..text.partial_manifest import leave_out, pruned_for


@dataclass
class TextChange:
    """A changed text that was checked for a game.

    apply: applies the change, only once; its argument says whether to change the entities that were spawned from the
    text. later: the changes that take effect only at the next start. switches: whether plugins begin or end. lost: the
    number of entities that lose each component because its plugin ends, by full name.
    """

    apply: Callable[[bool], None]
    later: Sequence[str] = ()
    switches: bool = False
    lost: Mapping[str, int] = field(default_factory=dict[str, int])


def prepare_text(app: App, text: GameText, *, own: bool = True) -> TextChange:
    """Check a changed text, and the plugins if it names others. own: whether to load the game's own plugin then.

    Raises like `apply_text`.
    """
    pruned = pruned_for(app, text)
    manifest = text.parsed(app.manifest.overrides) if pruned is None else pruned.manifest()
    if _plugins(manifest) == _plugins(app.manifest):
        change = prepare(app, manifest=manifest if pruned is None else leave_out(pruned, app.plugins, app.registry))
        return TextChange(lambda entities: change.apply(entities=entities), change.later)
    exchange = prepare_plugins(app, manifest, None if pruned is None else partial(leave_out, pruned), own=own)

    def switch(entities: bool) -> None:
        exchange.attempt(entities=entities, prepare=False)  # an editor prepares kernels beside its window
        exchange.accept()

    return TextChange(switch, exchange.later, True, exchange.lost)


def apply_text(app: App, text: GameText, *, entities: bool = True) -> list[str]:
    """Apply a changed text to a game; only between two ticks.

    Plugins, settings, layers, prefabs, scenes and input are applied at once. Title, seed and keys of plugins take
    effect only at the next start; the result has a sentence for each such change. If a plugin ends, the rows of its
    components are removed. entities: change the entities that were spawned from the text. Raises ManifestError with
    places, and PluginError for plugins that can't be used; then nothing has changed.
    """
    change = prepare_text(app, text)
    change.apply(entities)
    return notes_on_later(change)


def notes_on_later(change: TextChange) -> list[str]:
    """Return a sentence for each part of a change that takes effect only at the next start."""
    return [f"{key} takes effect when the game is opened again" for key in change.later]


def _plugins(manifest: Manifest) -> list[tuple[str, str, bool, str]]:
    """Return the plugins of a manifest in a form that can be compared."""
    return [(wish.name, wish.spec, wish.optional, wish.provider or "") for wish in manifest.plugins]
