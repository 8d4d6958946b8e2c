"""What `rish host` and `rish join` share: the options of `rish run`, and a loop that keeps real time."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rish_core import Clock, open_game, read_manifest, say

from ..game.net import Net


def add_play_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `rish run` that make sense in a game over a network."""
    parser.add_argument("--headless", action="store_true", help="no window; the game still runs in real time")
    parser.add_argument("--backend", help="draw with this backend")
    parser.add_argument("--frames", type=int, metavar="N", help="stop after N ticks of the game, on all sides")
    parser.add_argument("--hash", action="store_true", help="print the hash of the world's state at the end")
    parser.add_argument("--set", action="append", default=[], dest="overrides", metavar="KEY=VALUE")


def play_together(arguments: argparse.Namespace, begin: Callable[[Any, Net], None]) -> int:
    """Open the game, begin the session, play until it ends; return the exit code."""
    shown = {} if arguments.backend is None else {"backend": arguments.backend}
    more = [] if "net" in [wish.name for wish in read_manifest(arguments.game).plugins] else ["net"]
    app = open_game(arguments.game, arguments.overrides, headless=arguments.headless, more=more, personal=False, **shown)
    with app:
        net: Net = app.world[Net]
        begin(app, net)
        net.until = arguments.frames
        with suppress(KeyboardInterrupt):
            _loop(app, net)
        if arguments.hash:
            say(f"hash {app.world.hash()}")
    if net.ended:
        say(f"rish: {net.ended}", error=True)
    return 1 if net.ended else 0


def _loop(app: Any, net: Net) -> None:
    """Run frames in real time until the game or the session ends."""
    following = time.perf_counter()
    while app.running and not net.finished:
        app.frame(draw=not app.headless)
        if app.headless:
            following += app.clock.dt / app.world[Clock].time_scale
            wait = following - time.perf_counter()
            if wait > 0:
                time.sleep(wait)
            else:
                following -= wait


__all__ = ["add_play_options", "play_together"]
