"""Builds the App of the game that the arguments of a command name."""

from __future__ import annotations

import argparse
import logging
import os
from collections.abc import Collection, Iterable
from typing import Any

from rish_core import App, Manifest, read_manifest
from rish_core.plugin import Candidate, NamedWish, installed_modules, installed_plugins
from rish_ecs import Place, UsageError, how_to_get, is_ours

from .game_file import game_of
from .options import audio_overrides, split_names

_log = logging.getLogger("rish.plugins")


def build_app(arguments: argparse.Namespace, **options: Any) -> App:
    """Build the App of the game that the arguments name, with their plugins. options: further options for `App`."""
    manifest, plugins = wished(arguments, options.get("backend"))
    options = {**plugins, "without": split_names(getattr(arguments, "without", "")), **options}
    if manifest.data_only and manifest.root is not None and (manifest.root / "plugin.py").is_file():
        return _open_partly(manifest, options)
    return App(manifest, **options)


def _open_partly(manifest: Manifest, options: dict[str, Any]) -> App:
    """Open a game without its Python code, and without the parts of the manifest that need the code.

    A package offers `open_leniently` in the entry-point group `rish.partial_games`.
    """
    openers = installed_modules("rish.partial_games")
    if not openers:
        raise UsageError("a game is opened without its code by rish-authoring", hint=how_to_get("rish-authoring"))
    app, mistakes, _ = openers[0].load().open_leniently(manifest.path, manifest.overrides, **options)
    if mistakes:
        count = f"{len(mistakes)} parts of it are" if len(mistakes) > 1 else "a part of it is"
        _log.warning("%s: without the game's Python code %s left out, first %s", manifest.file, count, mistakes[0])
    return app


def wished(arguments: argparse.Namespace, backend: str | None = None) -> tuple[Manifest, dict[str, Any]]:
    """Return the manifest of the game, and the options `more`, `installed` and `off` of `App` for its plugins."""
    manifest = read_manifest(game_of(arguments), [*arguments.overrides, *audio_overrides(arguments)])
    place = Place(f"--with {arguments.more}")
    try:
        more = [NamedWish.parse(name, place) for name in split_names(arguments.more)]
    except UsageError as error:
        raise UsageError(error.what, where=place, hint=error.hint) from None
    installed = installed_plugins()
    named = {wish.name for wish in manifest.plugins}  # an optional plugin stays optional, so the hash stays the same
    wanted = [name for name in ("audio", "debug", "profile", "strict") if getattr(arguments, name, False)]
    tools = [name for name in wanted if name not in named]
    tools += ["profiler?"] if "debug" in wanted else []
    more += [NamedWish.parse(name, Place(f"--{name.strip('?')}")) for name in tools]
    more += _backends_plugin(manifest, more, backend, installed)
    disabled = split_names(os.environ.get("RISH_DISABLE_PLUGINS", ""))
    for name in {*disabled} - {candidate.name for candidate in installed}:
        _log.warning("RISH_DISABLE_PLUGINS names '%s', which is not installed", name)
    off = switched_off(installed, disabled, safe=getattr(arguments, "safe_mode", False))
    return manifest, {"more": more, "installed": installed, "off": off}


def switched_off(
    installed: Iterable[Candidate], disabled: Collection[str] = (), *, safe: bool = False
) -> dict[str, str]:
    """Return the plugins that must not be loaded, each with the reason.

    disabled: names from the environment. safe: whether only plugins of this project may be loaded.
    """
    off = {name: f"'{name}' is switched off by RISH_DISABLE_PLUGINS" for name in disabled}
    for candidate in installed if safe else ():
        if not is_ours(candidate.distribution):
            reason = f"'{candidate.name}' is left out by --safe-mode, because it comes from {candidate.distribution}"
            off.setdefault(candidate.name, reason)
    return off


def _backends_plugin(
    manifest: Manifest, more: list[NamedWish], backend: str | None, installed: list[Candidate]
) -> list[NamedWish]:
    """Return the installed plugin with the name of the requested backend, if the game does not name it already.

    So `--backend terminal` works with any game: the option also loads the plugin that provides the backend.
    """
    named = {wish.name for wish in (*manifest.plugins, *more)}
    if not backend or backend in named or all(candidate.name != backend for candidate in installed):
        return []
    return [NamedWish.parse(backend, Place(f"--backend {backend}"))]
