"""`rish edit GAME`: open a game in the editor; --headless draws it off screen."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rish_cli import add_game, add_log_options, game_of, is_packed, look_into, set_up_log, whole_number
from rish_core import UnknownName, UsageError, say, settle

if TYPE_CHECKING:
    from .shell.shell import Shell

SETTLES = True
"""`run` calls `settle` itself."""
MIN_SCALE, MAX_SCALE = 0.5, 3.0
"""The scales of the interface."""
HEADLESS_FRAMES = 30
"""The number of frames that are drawn off screen by default: until panels have found their places."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_game(parser, optional=True, more="; none: begin empty")
    parser.add_argument("--headless", action="store_true", help="no window: draw off screen, one tick a frame")
    parser.add_argument("--frames", type=whole_number, metavar="N", help="stop after N frames")
    parser.add_argument("--capture", type=_picture, metavar="FILE.png", help="write a picture of the last frame")
    parser.add_argument("--size", type=_size, metavar="WxH", help="of the window, units; usually what fits the screen")
    parser.add_argument("--theme", choices=("dark", "light", "contrast"), help="instead of the chosen theme")
    parser.add_argument("--language", metavar="CODE", help="instead of the chosen language, such as zh-TW")
    parser.add_argument("--scale", type=_scale, metavar="X", help="of the interface, 0.5 to 3")
    parser.add_argument("--marks", type=Path, metavar="FILE.json", help="write the places of widgets, for tests")
    parser.add_argument("--play", action="store_true", help="begin to play at once")
    add_log_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Open the editor and run it until its window is closed; return the exit code."""
    set_up_log(arguments)
    game = None if arguments.game is None else _game(arguments)
    from rish_render import has_display

    headless = arguments.headless
    if not headless and not has_display():
        command = f"rish edit {arguments.game or 'GAME'} --headless --capture out.png"
        raise UsageError("this machine has no screen for a window", hint=f"Draw the editor off screen: {command}")
    shell = _shell(arguments, headless)
    try:
        if game is not None and not shell.open(game) and headless:
            return 2
        settle()
        if arguments.play:
            shell.editor.run("play.start")
        count = arguments.frames if arguments.frames is not None else HEADLESS_FRAMES if headless else None
        shell.run(count)
        if arguments.capture is not None:
            _write(arguments.capture, shell)
    finally:
        shell.close()
    return 2 if headless and (shell.editor.failures or shell.editor.problems) else 0


def _game(arguments: argparse.Namespace) -> Path:
    """Return the path of the game; a packed one is looked into, and the window asks where its files are written."""
    path = Path(arguments.game)
    if arguments.headless or not is_packed(path):
        return game_of(arguments, changes=True)
    look_into(path)
    return path


def _shell(arguments: argparse.Namespace, headless: bool) -> Shell:
    from .look.language import NAMES
    from .look.theme import DARK, HIGH_CONTRAST, LIGHT
    from .session.settings import read_settings
    from .shell.shell import Shell

    settings = read_settings()
    if arguments.theme:
        settings.use_now(theme={"dark": DARK, "light": LIGHT, "contrast": HIGH_CONTRAST}[arguments.theme].name)
    if arguments.language:
        if arguments.language not in NAMES:
            what = f"the editor has no language '{arguments.language}'"
            raise UnknownName(what, where="--language", given=arguments.language, choices=NAMES)
        settings.use_now(language=arguments.language)
    if arguments.scale:
        settings.use_now(scale=arguments.scale)
    return Shell(settings, size=arguments.size, headless=headless, saves=not headless, marks=arguments.marks or False)


def _write(path: Path, shell: Shell) -> None:
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(shell.pixels()).convert("RGB").save(path)
    say(f"wrote {path}", error=True)


def _picture(text: str) -> Path:
    if not text.lower().endswith(".png"):
        raise argparse.ArgumentTypeError(f"expected a file that ends with .png, not {text!r}")
    return Path(text)


def _scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not MIN_SCALE <= scale <= MAX_SCALE:
        raise argparse.ArgumentTypeError(f"expected a number from {MIN_SCALE} to {MAX_SCALE:g}, not {text!r}")
    return scale


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and 64 <= int(width) <= 8192 and 64 <= int(height) <= 8192):
        raise argparse.ArgumentTypeError(f"expected a width and a height from 64 to 8192, as in 1280x720, not {text!r}")
    return int(width), int(height)
