"""`rish check GAME...`: read games and report every mistake at once, with its place."""

from __future__ import annotations

import argparse
from pathlib import Path

from rish_core import App, ManifestError, Scenes
from rish_ecs import RishError, say, shorten_path
from rish_system import source_files, unportable

from .game_app import build_app
from .log import set_up_log
from .options import add_game, add_plugin_options
from .progress import show_progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the games, plugin options and the backend."""
    add_game(parser, many=True)
    add_plugin_options(parser)
    parser.add_argument(
        "--backend", metavar="NAME", help="also draw each scene on this backend, and say what it can't draw"
    )


def run(arguments: argparse.Namespace) -> int:
    """Check each game as far as possible without running it; return 2 if anything is wrong."""
    set_up_log()
    wrong = 0
    for name in arguments.games:
        arguments.game = name
        try:
            with show_progress():
                app = build_app(
                    arguments, backend=arguments.backend, headless=True, policy="raise", open_assets=True,
                    warm_up=arguments.backend is not None,
                )  # fmt: skip
            with app:
                missing = _not_drawn(app) if arguments.backend else {}
            for what, why in missing.items():
                say(f"{name}: on '{arguments.backend}' '{what}' is not drawn as it should be: {why}", error=True)
            names = _wrong_names(app)
            for file, why in names.items():
                say(f"{file}: the name {why}. Rename the file", error=True)
            wrong += bool(missing or names)
            if not (missing or names):
                without = "".join(f", without '{plugin}'" for plugin in app.plugins.absent)
                counts = f"{_count(len(app.manifest.scenes), 'scene')}, {_count(len(app.plugins), 'plugin')}"
                say(f"{name}: fine ({counts}{without})")
        except ManifestError as error:
            wrong += 1
            for problem in error.problems:
                say(problem, error=True)
        except RishError as error:
            wrong += 1
            say(f"{name}: {error}", error=True)
    return 2 if wrong else 0


def _wrong_names(app: App) -> dict[str, str]:
    """Return the files of a game that can't be copied to every system, each with the reason."""
    root = app.manifest.root
    names = {} if root is None else unportable(source_files(root))
    return {shorten_path(Path(root or "") / name): why for name, why in names.items()}


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _not_drawn(app: App) -> dict[str, str]:
    """Draw one frame of each scene; return the reason for each kind of batch that the backend could not draw."""
    for scene in app.game.scenes:
        app.world[Scenes].go(scene)
        app.frame()
    return app.host.skipped
