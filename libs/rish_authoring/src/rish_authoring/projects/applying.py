"""Bringing a running game up to date with changed text."""

from __future__ import annotations

from rish_core import App, Manifest
from rish_reload import prepare

from ..text.game_text import GameText
from ..text.partial import parsed_for


def apply_text(app: App, text: GameText, *, entities: bool = True) -> list[str]:
    """Apply a changed text to a game; only between two ticks. Return why the App must be opened again, or nothing.

    Settings, layers, prefabs, scenes and input are applied at once; title, seed and keys of plugins are noted in the
    manifest and take effect when the game is opened again. If the plugins are others, nothing is applied. entities:
    change the entities that were spawned from the text. Raises ManifestError with places; then nothing has changed.
    """
    manifest = parsed_for(app, text)
    others = other_plugins(app, manifest)
    if others:
        return others
    change = prepare(app, manifest=manifest)
    change.apply(entities=entities)
    return [f"{key} takes effect when the game is opened again" for key in change.later]


def other_plugins(app: App, manifest: Manifest) -> list[str]:
    """Return why the App must be opened again before it can use a manifest: it names other plugins; or nothing."""
    if _plugins(manifest) == _plugins(app.manifest):
        return []
    others = sorted({*_plugins(manifest)} ^ {*_plugins(app.manifest)})
    named = ", ".join(f"{name}{'?' if optional else ''}{spec}" for name, spec, optional in others) or "their order"
    return [f"the plugins have changed: {named}"]


def _plugins(manifest: Manifest) -> list[tuple[str, str, bool]]:
    return [(wish.name, wish.spec, wish.optional) for wish in manifest.plugins]
