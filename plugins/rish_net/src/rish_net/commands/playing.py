"""What `rish host` and `rish join` share: the options of `rish run`, and a loop that keeps real time."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rish_core import Clock, Session, describe_error, open_game, read_manifest, say
from rish_history import origin_of

from ..game.net import Net
from ..game.recording import SessionRecorder
from ..links.link import Transport
from ..links.simulated import LinkQuality, SimulatedTransport
from .arguments import count_argument
from .news import News

Wrap = Callable[[Transport], Transport]


def add_play_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `rish run` that make sense in a game over a network."""
    parser.add_argument("--headless", action="store_true", help="no window; the game still runs in real time")
    parser.add_argument("--backend", help="draw with this backend")
    parser.add_argument(
        "--frames", type=count_argument, metavar="N", help="stop after N ticks of the game, on all sides"
    )
    parser.add_argument("--hash", action="store_true", help="print the hash of the world's state at the end")
    parser.add_argument(
        "--set", action="append", default=[], dest="overrides", metavar="KEY=VALUE",
        help="replace a value of the manifest, such as game.seed=7; on both sides",
    )  # fmt: skip
    parser.add_argument("--record", metavar="FILE", help="write a recording of the whole session for rish replay")
    parser.add_argument(
        "--net-sim", metavar="LINK", default="",
        help='what is sent has this delay, jitter and loss: "80ms 20ms 5%%"; also reorder=, duplicates=, cut=5s-8s',
    )  # fmt: skip


def play_together(arguments: argparse.Namespace, begin: Callable[[Any, Net, Wrap], None]) -> int:
    """Open the game, begin the session, play until it ends; return the exit code.

    begin: called with the game, its `Net`, and a function that gives a transport the simulated way of `--net-sim`.
    """
    quality = LinkQuality.parse(arguments.net_sim) if arguments.net_sim else None
    shown = {} if arguments.backend is None else {"backend": arguments.backend}
    more = [] if "net" in [wish.name for wish in read_manifest(arguments.game).plugins] else ["net"]
    app = open_game(
        arguments.game, arguments.overrides, headless=arguments.headless, more=more, personal=False, **shown
    )
    with app:
        net: Net = app.world[Net]
        net.until = arguments.frames
        with _recorded(app, net, arguments, more), suppress(KeyboardInterrupt):
            begin(app, net, lambda links: links if quality is None else SimulatedTransport(links, quality))
            _loop(app, net)
        if arguments.hash:
            say(f"hash {app.world.hash()}")
    for what, outcome in app.failed.items():
        say(f"rish: {what} failed{outcome and f' and {outcome}'}: see above", error=True)
    if net.ended:
        say(f"rish: {net.ended}", error=True)
    return 2 if app.failed else 1 if net.ended else int(app.world[Session].exit_code)


@contextmanager
def _recorded(app: Any, net: Net, arguments: argparse.Namespace, more: list[str]) -> Iterator[None]:
    """Record the session that the block plays, if `--record` is given."""
    if arguments.record is None:
        yield
        return
    recorder = net.recorder = SessionRecorder(Path(arguments.record), origin_of(app, arguments.overrides, more))
    error = ""
    try:
        yield
    except Exception as failure:
        error = describe_error(failure)
        raise
    finally:
        recorder.finish(net.session, error)
    say(f"wrote {recorder.path}: {recorder.ticks} ticks. Play it again: rish replay {recorder.path}", error=True)


def _loop(app: Any, net: Net) -> None:
    """Run frames in real time until the game or the session ends."""
    following, news = time.perf_counter(), News()
    while app.running and not net.finished:
        app.frame(draw=not app.headless)
        news.look(app.world)
        if app.headless:
            following += app.clock.dt / app.world[Clock].time_scale
            wait = following - time.perf_counter()
            if wait > 0:
                time.sleep(wait)
            else:
                following -= wait
