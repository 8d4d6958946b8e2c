"""Removes a plugin from a game, after a look at what still needs it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rish_authoring import GameText, remove_plugin
from rish_core import App, ManifestError, RishError, read_manifest
from rish_ecs import UsageError

from .adding import lock, restored_files
from .installer import Tell

_LISTED = 20


def remove_from_game(
    folder: Path, plugin: str, tell: Tell, *, force: bool = False, options: Sequence[str] = ()
) -> list[str]:
    """Take a plugin out of a game's manifest and lock the versions; return what the game needs it for, a line each.

    Raises UnknownName if the manifest does not name it, and UsageError with these lines unless `force`; then nothing
    has changed. With `force` a game that has mistakes now is not locked.
    """
    text = GameText(read_manifest(folder).require())
    remove_plugin(text, plugin)
    needs = needed_for(text)
    if needs and not force:
        more = f"\n... and {len(needs) - _LISTED} more" if len(needs) > _LISTED else ""
        listed = "\n".join(needs[:_LISTED]) + more
        raise UsageError(f"the game still needs '{plugin}':\n{listed}", hint="Change that first, or use --force")
    with restored_files(text, {}):
        text.save()
        if not needs:
            lock(text.main, tell, options)
    return needs


def needed_for(text: GameText) -> list[str]:
    """Return the mistakes that a game has with a changed text, a line each: what names a plugin that is not loaded."""
    try:
        App(text.parsed().require(), headless=True, policy="raise", warm_up=False).close()
    except ManifestError as error:
        return [str(problem) for problem in error.problems]
    except RishError as error:
        return [str(error)]
    return []


def still_loaded(folder: Path, plugin: str) -> list[str]:
    """Return the plugins of a game that require a plugin, which is loaded for them."""
    with App(read_manifest(folder).require(), headless=True, policy="raise", warm_up=False) as app:
        required = app.plugins.required
        return [name for name, groups in required.items() if any(plugin in group for group in groups)]
