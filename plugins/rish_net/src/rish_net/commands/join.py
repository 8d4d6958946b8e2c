"""`rish join INVITATION`: join a game that somebody hosts.

`rish join --lan` lists the games of the local network, `rish join --lan CODE` joins the one whose host shows the code.

Both sides need the same game. Without a path it is looked for in the current folder, and below it under the name of
the host's folder.
"""

from __future__ import annotations

import argparse
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from rish_core import UsageError, say

from ..game.net import Net
from ..links.errors import LinkError
from ..links.invitation import Invitation
from ..links.lan import lan_games
from ..links.link import Arrival
from ..links.quic import QuicTransport
from ..wire.messages import GAME, kind_of, unpack
from .opponent import press_random_keys
from .playing import Wrap, add_play_options, play_together

_ANSWER_SECONDS = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the invitation and the game."""
    parser.add_argument(
        "invitation", nargs="?", help="the line that `rish host` printed; with --lan the code that the host shows"
    )
    parser.add_argument("game", nargs="?", help="the folder or manifest of the same game, if it is not found by itself")
    parser.add_argument(
        "--lan", action="store_true", help="list the games in the local network, or join one of them with its code"
    )
    parser.add_argument("--random", action="store_true", help="press random keys instead of those of a person")
    add_play_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Join the game, or list those of the local network."""
    if arguments.invitation is None:
        return _list_games(arguments)
    if arguments.lan:
        transport = _join_by_code(arguments.invitation)
    else:
        transport = QuicTransport.join(Invitation.parse(arguments.invitation))
    try:
        title, name = _hosted_game(transport)
        arguments.game = arguments.game or str(_find(title, name))
        host = transport.invitation.fingerprint.hex()

        def begin(app: Any, net: Net, wrap: Wrap) -> None:
            token = "" if net.lobby is None else net.lobby.identity.tokens.get(host, "")
            if arguments.random:
                press_random_keys(app)
            net.join(app, wrap(transport), host, token)

        return play_together(arguments, begin)
    finally:
        transport.close()


def _list_games(arguments: argparse.Namespace) -> int:
    """Print the games of the local network."""
    if not arguments.lan:
        raise UsageError("an invitation is needed", hint="`rish host GAME` prints one; `rish join --lan` lists games")
    games = lan_games()
    for game in games:
        say(f"{game.title}    {game.players} of {game.most} players    {game.address}:{game.port}")
    if not games:
        say("no game is announced in the local network", error=True)
    return int(not games)


def _join_by_code(code: str) -> QuicTransport:
    """Join the game in the local network whose host shows this code. Raises LinkError."""
    games = lan_games()
    for game in games:
        with suppress(LinkError):
            return QuicTransport.join(game.invitation(code))
    count = "no game is" if not games else f"{len(games)} games are" if len(games) > 1 else "one game is"
    raise LinkError(f"{count} announced in the local network, and none has this code")


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
