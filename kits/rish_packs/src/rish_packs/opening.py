"""Opens packs as games, for every command that takes a game (`rish.game_files`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rish_cli import OpenedGame, PackedGame
from rish_core.plugin import installed_plugins
from rish_ecs import how_to_get, is_ours

from .cache import unpacked
from .errors import PackError
from .files.archive import open_archive
from .files.contents import NeededPlugin
from .unpacking import unpack as unpack


def open_game(path: Path) -> OpenedGame:
    """Unpack a pack into the user's cache, and return its folder and its files with Python code.

    Raises PackError for a pack that is damaged or not safe, that needs plugins that are not installed, or that can't be
    unpacked.
    """
    with open_archive(path) as archive:
        _require_plugins(path, archive.contents.plugins)
        return OpenedGame(unpacked(archive), archive.contents.code)


def look_into(path: Path) -> PackedGame:
    """Return what is in a pack. Raises PackError for a pack that is damaged or not safe."""
    with open_archive(path) as archive:
        contents = archive.contents
        return PackedGame(contents.name, contents.title, contents.code)


def _require_plugins(path: Path, plugins: Mapping[str, NeededPlugin]) -> None:
    """Raise PackError with the plugins that a game can't do without and that are not installed."""
    installed = {candidate.name for candidate in installed_plugins()}
    missing = {name: each for name, each in plugins.items() if name not in installed and not each.optional}
    if not missing:
        return
    lines = [f"the plugin '{name}' of the package {each.package} {each.version}" for name, each in missing.items()]
    packages = {each.package: each.version for each in missing.values()}
    hints = [_how(package, version) for package, version in packages.items()]
    raise PackError.at(path, f"it needs {'; '.join(lines)}, not installed here", hint=". ".join(hints))


def _how(package: str, version: str) -> str:
    """Return how to install a package. The pack says which, so it may be anybody's."""
    how = how_to_get(package, f"=={version}" if version and is_ours(package) else "")
    return how if is_ours(package) else f"If you trust the package {package}: {how}"
