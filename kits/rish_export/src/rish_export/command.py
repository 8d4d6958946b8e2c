"""`rish export GAME`: make a program of a game, for machines without Python; with `--page` a web page of it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rish_cli import add_game, game_of, set_up_log
from rish_core import FINE, RishError, UsageError, say
from rish_ecs import how_to_get, shorten_path

from .exporting import Exported, Wish, export
from .plan import checked_name
from .target import check_target, put, work_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the game, and what is written where."""
    add_game(parser)
    parser.add_argument(
        "--to", type=Path, metavar="DIR", help="the folder (default: dist/NAME, or dist/NAME-page with --page)"
    )
    parser.add_argument("--one-file", action="store_true", help="write the program as a single file into that folder")
    parser.add_argument("--archive", action="store_true", help="write the folder as one archive into that folder")
    parser.add_argument("--name", help="the name of the program (default: that of the game's folder)")
    parser.add_argument("--version", default="1.0", help="the version that the program, its reports and its page name")
    parser.add_argument("--icon", type=Path, metavar="FILE", help=".ico, .icns or .png (default: icon.* of the game)")
    page = parser.add_argument_group("a web page of the game")
    page.add_argument("--page", action="store_true", help="write a page with pictures, films and the download instead")
    page.add_argument(
        "--recording", action="append", default=[], type=Path, metavar="FILE",
        help="show what rish record wrote, instead of a game that plays itself; may be repeated",
    )  # fmt: skip
    page.add_argument(
        "--download", action="append", default=[], metavar="[SYSTEM=]FILE",
        help="offer this file, instead of a program that is made now; may be repeated",
    )  # fmt: skip
    page.add_argument("--no-download", action="store_true", help="offer no download")


def run(arguments: argparse.Namespace) -> int:
    """Make the program or the page, and print the sizes of its parts."""
    set_up_log()
    begin = time.perf_counter()

    def tell(step: str) -> None:
        say(f"{time.perf_counter() - begin:5.1f} s  {step}", error=True)

    _check(arguments)
    wish = Wish(
        str(game_of(arguments)), arguments.to, arguments.name, arguments.version, arguments.icon,
        one_file=arguments.one_file, archive=arguments.archive,
    )  # fmt: skip
    result = _page(wish, arguments, tell) if arguments.page else export(wish, tell)
    for line in result.lines:
        say(line)
    say(f"{shorten_path(result.path)}: made in {time.perf_counter() - begin:.1f} s")
    return FINE


def _check(arguments: argparse.Namespace) -> None:
    """Raise UsageError for options that don't go together."""
    options = ("recording", "download", "no_download")
    given = [f"--{name.replace('_', '-')}" for name in options if getattr(arguments, name)]
    if given and not arguments.page:
        raise UsageError(f"{given[0]} is for a page", hint="Add --page")
    if arguments.page and (arguments.one_file or arguments.archive):
        raise UsageError("--page goes neither with --one-file nor with --archive")
    if arguments.download and arguments.no_download:
        raise UsageError("--download and --no-download don't go together")


def _page(wish: Wish, arguments: argparse.Namespace, tell: Callable[[str], object]) -> Exported:
    """Make the page of a game; the program that it offers is made after the game was played."""
    try:
        from rish_page import Download, PageWish, is_page, program_name, read_downloads, this_system, write_page
    except ModuleNotFoundError as error:
        if error.name != "rish_page":
            raise
        raise RishError(
            "pages of games are made by rish-page, which is missing", hint=how_to_get("rish-page")
        ) from None
    game = Path(wish.game)
    folder = (game if game.is_dir() else game.parent).resolve()
    name = checked_name(wish.name or folder.name)
    target = (wish.to or Path("dist") / f"{name}-page").absolute()
    check_target(target, folder, is_page)
    given = read_downloads(arguments.download)
    with work_folder(target) as work:
        page, scratch = work / "page", work / "scratch"
        page.mkdir()

        def downloads() -> list[Download]:
            if given or arguments.no_download:
                return given
            made = export(replace(wish, to=scratch / "program", archive=True), tell).path
            return [Download(made, program_name(made, wish.version), this_system(), "archive")]

        page_wish = PageWish(game, name, wish.version, wish.icon, arguments.recording, downloads)
        lines = write_page(page, page_wish, scratch, tell)
        put(page, target, work)
    return Exported(target / "index.html", lines)
