"""`rish pack GAME`: write a game into one file, NAME.rishgame, which `rish run` opens.

`--associate` opens such files by a double click in the file manager (Linux).
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path, PurePosixPath

from rish_cli import add_game, add_plugin_options, build_app, game_of, set_up_log
from rish_ecs import UsageError, say, shorten_path

from ..association import associate
from ..files.contents import Contents
from ..files.gathering import Gathered
from ..files.writing import pack_path, write_pack

_LARGEST = 5
_LISTED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the game, the file to write, and `--associate`."""
    add_game(parser, optional=True)
    add_plugin_options(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file to write (default: NAME.rishgame)")
    parser.add_argument("--all", action="store_true", help="name all files that were left out")
    parser.add_argument(
        "--associate", action="store_true", help="let the file manager open .rishgame files with Rish (Linux)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the pack and print what is in it, or associate the file manager."""
    set_up_log()
    if arguments.associate:
        for path in associate():
            say(f"wrote {path}")
        return 0
    if arguments.game is None:
        raise UsageError("the game to pack is missing", hint="rish pack GAME")
    game_of(arguments, changes=True)
    with build_app(arguments, headless=True, policy="raise", warm_up=False) as app:
        path = arguments.out or pack_path(app)
        contents, gathered = write_pack(app, path)
    for line in report(path, contents, gathered, whole=arguments.all):
        say(line)
    if not app.manifest.id:
        say(f"  no `id` in the section game: it shares saved games with other games called '{app.manifest.title}'")
    return 0


def report(path: Path, contents: Contents, gathered: Gathered, *, whole: bool = False) -> list[str]:
    """Return the lines about a written pack: sizes, plugins, code, and what was left out; `whole`: all of it."""
    packed = path.stat().st_size
    lines = [f"{shorten_path(path)}: {len(contents.files)} files, {_size(contents.size)}, packed {_size(packed)}"]
    sizes: Counter[str] = Counter()
    for name, file in contents.files.items():
        sizes[PurePosixPath(name).suffix or name] += file.size
    lines.append("  by kind: " + ", ".join(f"{kind} {_size(size)}" for kind, size in sizes.most_common(_LARGEST)))
    largest = sorted(contents.files, key=lambda name: (-contents.files[name].size, name))[:_LARGEST]
    lines.append("  largest: " + ", ".join(f"{name} {_size(contents.files[name].size)}" for name in largest))
    plugins = [f"{name} {each.version}" for name, each in contents.plugins.items()]
    lines.append(f"  plugins, not in the pack: {', '.join(plugins) or 'none'}")
    code = len(contents.code)
    asked = (
        f"{code} files of Python code: `rish run` asks before it runs them" if code else "no Python code: runs at once"
    )
    lines.append(f"  {asked}")
    left_out = [f"  left out: {name} ({reason})" for name, reason in gathered.left_out.items()]
    shown = left_out if whole else left_out[:_LISTED]
    return [*lines, *shown, *([f"  and {len(left_out) - len(shown)} more, see --all"] if left_out != shown else [])]


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"
