"""Bringing a running game up to date with changed text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rish_core import App, Manifest
from rish_reload import prepare, prepare_plugins

from ..text.game_text import GameText
from ..text.partial import leave_out, pruned_for


@dataclass
class TextChange:
    """A changed text that was checked for a game.

    apply: applies it once; its argument says whether entities that were spawned from the text are changed. later: what
    takes effect only at the next start. switches: whether the text names other plugins. lost: how many entities lose
    each component because its plugin ends, by full name.
    """

    apply: Callable[[bool], None]
    later: Sequence[str] = ()
    switches: bool = False
    lost: Mapping[str, int] = field(default_factory=dict[str, int])


def prepare_text(app: App, text: GameText, *, own: bool = True) -> TextChange:
    """Check a changed text, with other plugins if it names them. own: whether the game's own plugin is then loaded.

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
    """Apply a changed text to a game; only between two ticks. Return what takes effect only at the next start.

    Plugins, settings, layers, prefabs, scenes and input are applied at once; title, seed and keys of plugins are noted
    in the manifest. A plugin that ends takes the rows of its components with it. entities: change the entities that
    were spawned from the text. Raises ManifestError with places, and PluginError for plugins that can't be used; then
    nothing has changed.
    """
    change = prepare_text(app, text)
    change.apply(entities)
    return said_later(change)


def said_later(change: TextChange) -> list[str]:
    """Return a sentence for each part of a change that takes effect only at the next start."""
    return [f"{key} takes effect when the game is opened again" for key in change.later]


def _plugins(manifest: Manifest) -> list[tuple[str, str, bool, str]]:
    return [(wish.name, wish.spec, wish.optional, wish.provider or "") for wish in manifest.plugins]
