"""`rish join INVITATION GAME`: join a game that somebody hosts."""

from __future__ import annotations

import argparse
from typing import Any

from ..game.net import Net
from ..links.invitation import Invitation
from ..links.quic import QuicTransport
from .playing import add_play_options, play_together


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the invitation and the game."""
    parser.add_argument("invitation", help="the line that `rish host` printed")
    parser.add_argument("game", help="a folder with a game.yaml, or a manifest: the same game")
    add_play_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Join the game."""
    invitation = Invitation.parse(arguments.invitation)

    def begin(app: Any, net: Net) -> None:
        net.join(app, QuicTransport.join(invitation))

    return play_together(arguments, begin)
