"""Helpers that several commands share: arguments that name a game, and building the App."""

from __future__ import annotations

import argparse
import json
import logging
import os
from pathlib import Path
from typing import Any

from rish_ecs import Place, UsageError

from ..app import App
from ..manifest.manifest import Manifest, read_manifest
from ..plugin.discovery import Candidate, installed_plugins
from ..plugin.packages import switched_off
from ..plugin.plan import NamedWish

_log = logging.getLogger("rish.plugins")


def add_game(parser: argparse.ArgumentParser, many: bool = False) -> None:
    """Add the argument that names the game, or several games."""
    parser.add_argument(
        "games" if many else "game",
        nargs="+" if many else None,
        metavar="GAME",
        help="a game's folder or its game.yaml",
    )


def add_plugin_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that decide which plugins are loaded, and `--set`."""
    parser.add_argument("--with", dest="more", default="", metavar="PLUGINS", help="load these plugins too: a,b")
    parser.add_argument(
        "--without",
        default="",
        metavar="PLUGINS",
        help="set these plugins aside: what they declare stays, nothing runs",
    )
    parser.add_argument("--safe-mode", action="store_true", help="load only the plugins of Rish itself")
    parser.add_argument(
        "--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE",
        help="override a value of the manifest, as in settings.physics.gravity=[0,-5]; may be repeated",
    )  # fmt: skip


def whole_number(text: str) -> int:
    """Convert a text to a whole number from 0 up; a type for argparse."""
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 up, not {text!r}")
    return int(text)


def add_audio_option(parser: argparse.ArgumentParser) -> None:
    """Declare `--audio`, whose value `audio_overrides` turns into overrides of the manifest."""
    parser.add_argument("--audio", type=_audio, metavar="WHERE", help="sound: card, none, or a .wav file to write")


def audio_overrides(arguments: argparse.Namespace) -> list[str]:
    """Return the overrides of the manifest that `--audio` stands for."""
    audio = getattr(arguments, "audio", None)
    return [f"settings.audio.output={json.dumps(audio)}"] if audio else []


def _audio(text: str) -> str:
    path = Path(text)
    if text not in ("card", "none", "null") and path.suffix != ".wav":
        raise argparse.ArgumentTypeError(f"expected card, none or a .wav file, not {text!r}")
    folder = next(each for each in path.parents if each.exists())
    if path.suffix and (path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK)):
        raise argparse.ArgumentTypeError(f"{text} can't be written")
    return text


def split_names(text: str) -> list[str]:
    """Split `a,b` into a list of names."""
    return [name.strip() for name in text.split(",") if name.strip()]


def build_app(arguments: argparse.Namespace, **options: Any) -> App:
    """Build the App of the game that the arguments name."""
    manifest, plugins = wished(arguments, options.get("backend"))
    without = split_names(getattr(arguments, "without", ""))
    return App(manifest, **plugins, without=without, **options)


def wished(arguments: argparse.Namespace, backend: str | None = None) -> tuple[Manifest, dict[str, Any]]:
    """Return the manifest of the game, and which plugins to load: the options `more`, `installed` and `off` of App."""
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
    off = _switched_off(installed, getattr(arguments, "safe_mode", False))
    return manifest, {"more": more, "installed": installed, "off": off}


def _switched_off(installed: list[Candidate], safe: bool) -> dict[str, str]:
    """Return the plugins that must not be loaded, each with the reason."""
    disabled = split_names(os.environ.get("RISH_DISABLE_PLUGINS", ""))
    for name in {*disabled} - {one.name for one in installed}:
        _log.warning("RISH_DISABLE_PLUGINS names '%s', which is not installed", name)
    return switched_off([(one.name, one.distribution) for one in installed], disabled, safe=safe)


def _backends_plugin(
    manifest: Manifest, more: list[NamedWish], backend: str | None, installed: list[Candidate]
) -> list[NamedWish]:
    """Return the installed plugin with the name of the requested backend, if the game does not name it already.

    So `--backend terminal` works with any game: the option also loads the plugin that provides the backend.
    """
    named = {wish.name for wish in (*manifest.plugins, *more)}
    if not backend or backend in named or all(found.name != backend for found in installed):
        return []
    return [NamedWish.parse(backend, Place(f"--backend {backend}"))]
