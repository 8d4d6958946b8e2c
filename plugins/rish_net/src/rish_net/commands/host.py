"""`rish host GAME`: play a game and let others join."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from rish_core import say

from ..game.net import Net
from ..links.quic import QuicTransport
from .arguments import guests_argument, port_argument, relay_argument
from .playing import Wrap, add_play_options, play_together


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the game, and where to listen."""
    parser.add_argument("game", help="a folder with a game.yaml, or a manifest")
    parser.add_argument("--address", default="127.0.0.1", help="where to listen; 0.0.0.0: for other machines too")
    parser.add_argument("--port", type=port_argument, default=0, help="of UDP; any free one where not given")
    parser.add_argument("--shown", default="", metavar="ADDRESS", help="the address in the invitation, if another one")
    parser.add_argument("--players", type=int, metavar="N", help="the greatest number of players, 4 where not given")
    parser.add_argument(
        "--relay", type=relay_argument, metavar="HOST:PORT",
        help="let guests come by this relay, which `rish relay` starts; the invitation names it",
    )  # fmt: skip
    parser.add_argument(
        "--wait", type=guests_argument, metavar="N", help="begin when N others have joined; 1 with --frames, else 0"
    )
    add_play_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Host the game; the first line of the output is the invitation."""
    if arguments.players is not None:
        arguments.overrides.append(f"settings.net.players={arguments.players}")

    def begin(app: Any, net: Net, wrap: Wrap) -> None:
        transport = QuicTransport.listen(arguments.address, arguments.port, arguments.shown)
        if arguments.relay is not None:
            transport.register(*arguments.relay)
        say(str(transport.invitation))
        sys.stdout.flush()  # another program may wait for the line
        net.host(app, wrap(transport))
        net.awaited = arguments.wait if arguments.wait is not None else int(arguments.frames is not None)

    return play_together(arguments, begin)
