"""`rish host GAME`: play a game and let others join."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from typing import Any

from rish_core import UsageError, say
from rish_ecs import how_to_get

from ..game.net import Net
from ..game.seating import Seats
from ..links.lan import LanAnnouncement, own_address
from ..links.quic import QuicTransport
from ..settings import NetSettings
from .arguments import guests_argument, port_argument, relay_argument
from .opponent import opponent
from .playing import Wrap, add_play_options, play_together


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the game, and where to listen."""
    parser.add_argument("game", help="a folder with a game.yaml, or a manifest")
    parser.add_argument(
        "--address",
        help="where to listen; 0.0.0.0: for other machines too (default with --lan, else this one only)",
    )
    parser.add_argument("--port", type=port_argument, default=0, help="of UDP; any free one where not given")
    parser.add_argument("--shown", default="", metavar="ADDRESS", help="the address in the invitation, if another one")
    parser.add_argument("--players", type=int, metavar="N", help="the greatest number of players, 4 where not given")
    parser.add_argument(
        "--relay", type=relay_argument, metavar="HOST:PORT",
        help="let guests come by this relay, which `rish relay` starts; the invitation names it",
    )  # fmt: skip
    parser.add_argument(
        "--lan", action="store_true",
        help="announce the game in the local network, and show a code for `rish join --lan CODE`",
    )  # fmt: skip
    parser.add_argument(
        "--wait", type=guests_argument, metavar="N", help="begin when N others have joined; 1 with --frames, else 0"
    )
    parser.add_argument("--lobby", action="store_true", help="wait in a lobby with names and chat until all are ready")
    parser.add_argument(
        "--opponent", action="store_true",
        help="add a second player without a window, who presses random keys; with --net-sim on both sides",
    )  # fmt: skip
    add_play_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Host the game; the first line of the output is the invitation."""
    if arguments.players is not None:
        arguments.overrides.append(f"settings.net.players={arguments.players}")

    def begin(app: Any, net: Net, wrap: Wrap) -> None:
        if arguments.lobby and net.lobby is None:
            get = "--headless has no window" if app.headless else how_to_get("rish-ui")
            raise UsageError("a lobby needs a window and rish-ui", hint=f"Leave out --lobby. {get}")
        everywhere = "0.0.0.0" if arguments.lan else "127.0.0.1"
        shown = arguments.shown or (own_address() if arguments.lan else "")
        transport = QuicTransport.listen(arguments.address or everywhere, arguments.port, shown)
        code = ""
        if arguments.lan:
            announcement = LanAnnouncement(
                transport, app.manifest.title, app.world[NetSettings].players, lambda: len(app.world[Seats].open)
            )
            ending.callback(announcement.close)
            code = f"\ncode {announcement.code}"
        if arguments.relay is not None:
            transport.register(*arguments.relay)
        say(f"{transport.invitation}{code}")
        sys.stdout.flush()  # another program may wait for the line
        net.host(app, wrap(transport), lobby=arguments.lobby, invitation=str(transport.invitation))
        if arguments.opponent:
            options = [f"--net-sim={arguments.net_sim}"] if arguments.net_sim else []
            options += [f"--set={override}" for override in arguments.overrides]
            options += [] if arguments.frames is None else [f"--frames={arguments.frames}"]
            ending.enter_context(opponent(str(transport.invitation), arguments.game, options))
        net.awaited = arguments.wait if arguments.wait is not None else int(arguments.frames is not None)

    with ExitStack() as ending:
        return play_together(arguments, begin)
