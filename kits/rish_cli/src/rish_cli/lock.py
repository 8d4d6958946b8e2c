"""`rish lock GAME`: write the exact versions of a game's plugins.

They are written to the text file `game.lock` beside `game.yaml`. `rish run` warns if other versions are installed.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import Any, cast

from rish_core import App
from rish_core.manifest import read_yaml
from rish_core.plugin import CORE
from rish_ecs import UsageError, how_to_update, say, shorten_path
from rish_system import write_whole

from .game_app import build_app
from .game_file import game_of
from .log import set_up_log
from .options import add_game, add_plugin_options

LOCK_FILE = "game.lock"
_HEAD = (
    "# The versions with which this game was made, written by `rish lock`. `rish run` warns if others are installed.\n"
)
_log = logging.getLogger("rish.plugins")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the game, plugin options and `--check`."""
    add_game(parser)
    add_plugin_options(parser)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 2 if other versions are installed"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the lock file, or check it with `--check`; return the exit code, 2 if other versions are installed."""
    set_up_log()
    game_of(arguments, changes=not arguments.check)
    with build_app(arguments, headless=True, policy="raise", warm_up=False) as app:
        path = (app.manifest.root or Path()) / LOCK_FILE
        if not arguments.check:
            write_lock(app)
            say(f"{shorten_path(path)}: {len(locked_versions(app))} packages")
            return 0
        if not path.is_file():
            raise UsageError(f"{shorten_path(path)} does not exist", hint=f"Run: rish lock {arguments.game}")
        lines = drift(app)
    for line in lines:
        say(line)
    if not lines:
        say(f"{shorten_path(path)}: the same versions are installed")
    return 2 if lines else 0


def locked_versions(app: App) -> dict[str, str]:
    """Return the versions of the packages that the game's plugins come from, sorted by package."""
    from importlib_metadata import version

    versions_by_package = {"rish-core": version("rish-core"), "rish-ecs": version("rish-ecs")}
    for plugin in app.plugins:
        if plugin.distribution is not None and plugin.name != CORE:
            versions_by_package[plugin.distribution] = plugin.version or ""
    return dict(sorted(versions_by_package.items()))


def drift(app: App) -> list[str]:
    """Return a sentence for each package whose version differs from the lock file; empty without such a file."""
    path = _path(app)
    if path is None or not path.is_file():
        return []
    locked = _read(path)
    if locked is None:
        return [f"{shorten_path(path)} can't be read; write it again: rish lock {path.parent}"]
    installed = locked_versions(app)
    lines: list[str] = []
    for package in sorted({*locked, *installed}):
        before, after = locked.get(package), installed.get(package)
        if before == after:
            continue
        if after is None:
            lines.append(f"{package} {before} is in {LOCK_FILE}, but the game does not load it now")
        elif before is None:
            lines.append(f"{package} {after} is loaded, but not in {LOCK_FILE}. Run: rish lock {path.parent}")
        else:
            how = how_to_update(package, f"=={before}")
            lines.append(f"{package} is {after}, but the game was made with {before}. {how}")
    return lines


def warn_of_drift(app: App) -> None:
    """Log a warning for each package whose version differs from the lock file."""
    for line in drift(app):
        _log.warning("%s", line)


def _path(app: App) -> Path | None:
    return None if app.manifest.root is None else app.manifest.root / LOCK_FILE


def _read(path: Path) -> dict[str, str] | None:
    """Return the versions in a file by package; None if the file is damaged."""
    document = read_yaml(path)
    data: Any = document.data
    packages: Any = cast("dict[Any, Any]", data).get("packages") if isinstance(data, dict) else None
    if document.problems or not isinstance(packages, dict):
        return None
    return {str(package): str(version) for package, version in cast("dict[Any, Any]", packages).items()}


def lock_text(app: App) -> str:
    """Return the content of the lock file of a game with the installed versions."""
    return f"{_HEAD}packages:\n" + "".join(f'  {name}: "{version}"\n' for name, version in locked_versions(app).items())


def write_lock(app: App) -> None:
    """Write the lock file of a game, completely or not at all. Raises UsageError for a game without a folder."""
    path = _path(app)
    if path is None:
        raise UsageError("a manifest without a folder can't be locked")
    write_whole(path, lock_text(app).encode())
