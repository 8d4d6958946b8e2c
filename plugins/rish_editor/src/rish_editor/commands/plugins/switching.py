"""Switching plugins of the game on, alone or together with the edit that needs them, as one step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rish_authoring import add_plugin, plugin_names
from rish_core import RishError
from rish_core.plugin import how_to_get_plugin

from ...session.catalog import PluginRefused, has_component
from ..targets import the_game

if TYPE_CHECKING:
    from ...session.catalog import Offer
    from ...session.editor import Editor


def label_of(editor: Editor, name: str, offer: Offer | None) -> str:
    """Return a label that names the plugin to switch on, such as `Body — switch on physics`. name: of the component or
    preset."""
    if offer is None:
        return name
    return editor.tr(
        "{name} — switch on {plugin}" if offer.installed else "{name} — {plugin} is not installed",
        name=name, plugin=offer.plugin,
    )  # fmt: skip


def offer_of(editor: Editor, components: Iterable[str]) -> Offer | None:
    """Return the first plugin to switch on for some components; None if the game has them all, if no known plugin has
    one, and while the game is played.
    """  # fmt: skip
    game = editor.game
    lacking = editor.catalog.lacking(game.app, components) if game is not None and game.editing else None
    return lacking[0] if lacking else None


def require(editor: Editor, components: Iterable[str]) -> None:
    """Switch on the plugins of those components that the game lacks; call it within the step that needs them.

    Raises PluginRefused; and UsageError for a component of no known plugin.
    """
    game, names = the_game(editor), [*components]
    while any(not has_component(game.app, name) for name in names):
        switch_on(editor, editor.catalog.needed(game.app, names).plugin)


def switch_on(editor: Editor, plugin: str) -> None:
    """Switch a plugin on; call it within a step. Raises PluginRefused; then nothing has changed."""
    game = the_game(editor)
    if not game.editing:
        raise PluginRefused(plugin, "the game is played", hint="Stop it first")
    if plugin not in {candidate.name for candidate in game.app.plugins.candidates}:
        raise PluginRefused(plugin, "it is not installed", hint=how_to_get_plugin(plugin))
    if plugin in plugin_names(game.project.text):
        raise PluginRefused(plugin, f"it does not run: {game.app.plugins.aside.get(plugin, 'see the log')}")
    try:
        game.project.edit(lambda text: add_plugin(text, plugin))
    except (RishError, OSError) as error:
        raise PluginRefused(plugin, str(error)) from error
    editor.note(editor.tr("Switched on {plugin}", plugin=plugin), "ok")
