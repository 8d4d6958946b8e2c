"""Builds the App of the game that the arguments of a command name."""

from __future__ import annotations

import argparse
import logging
import os
from collections.abc import Collection, Iterable
from typing import Any

from rish_core import App, Manifest, read_manifest
from rish_core.plugin import Candidate, NamedWish, installed_plugins
from rish_ecs import Place, UsageError, is_ours

from .options import audio_overrides, split_names

_log = logging.getLogger("rish.plugins")


def build_app(arguments: argparse.Namespace, **options: Any) -> App:
    """Build the App of the game that the arguments name, with their plugins. options: further options for `App`."""
    manifest, plugins = wished(arguments, options.get("backend"))
    without = split_names(getattr(arguments, "without", ""))
    return App(manifest, **plugins, without=without, **options)


def wished(arguments: argparse.Namespace, backend: str | None = None) -> tuple[Manifest, dict[str, Any]]:
    """Return the manifest of the game, and the options `more`, `installed` and `off` of `App` for its plugins."""
    manifest = read_manifest(arguments.game, [*arguments.overrides, *audio_overrides(arguments)])
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
