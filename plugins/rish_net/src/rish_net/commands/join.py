"""`rish join INVITATION`: join a game that somebody hosts.

Both sides need the same game. Without a path it is looked for in the current folder, and below it under the name of
the host's folder.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rish_core import UsageError

from ..links.errors import LinkError
from ..links.invitation import Invitation
from ..links.link import Arrival
from ..links.quic import QuicTransport
from ..wire.messages import GAME, kind_of, unpack
from .playing import add_play_options, play_together

_ANSWER_SECONDS = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the invitation and the game."""
    parser.add_argument("invitation", help="the line that `rish host` printed")
    parser.add_argument("game", nargs="?", help="the folder or manifest of the same game, if it is not found by itself")
    add_play_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Join the game."""
    transport = QuicTransport.join(Invitation.parse(arguments.invitation))
    try:
        title, name = _hosted_game(transport)
        arguments.game = arguments.game or str(_find(title, name))
        return play_together(arguments, lambda app, net, wrap: net.join(app, wrap(transport)))
    finally:
        transport.close()


def _hosted_game(transport: QuicTransport) -> tuple[str, str]:
    """Return the title and the folder's name of the game that the host plays. Raises LinkError."""
    until = time.monotonic() + _ANSWER_SECONDS
    while time.monotonic() < until:
        arrivals = transport.poll()
        for arrived in arrivals:
            if arrived.what is Arrival.CLOSED:
                raise LinkError(f"the host did not let this game in: {arrived.data.decode(errors='replace')}")
        for arrived in arrivals:
            if arrived.what is Arrival.MESSAGE and kind_of(arrived.data) == GAME:
                values = unpack(arrived.data, title=str, name=str)
                return values["title"], values["name"]
        time.sleep(0.01)
    raise LinkError("the host does not say which game it plays")


def _find(title: str, name: str) -> Path:
    """Return the folder of a game with this name. Raises UsageError."""
    here = Path()
    own = Path(name).name  # the name comes from another machine: it is no path
    for folder in [here, here / own, here / "games" / own]:
        if (folder / "game.yaml").is_file() and folder.resolve().name == own:
            return folder
    raise UsageError(f"the host plays '{title}', and there is no such game here", hint="Give its folder as well")
