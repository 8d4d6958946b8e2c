"""`rish relay`: forward the packets of players whose routers let nobody in."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import suppress

from rish_core import say

from ..links.errors import LinkError
from ..relay.relay import Relay, RelayLimits
from ..relay.serving import serve_relay
from .arguments import count_argument, port_argument

PORT = 41235
"""The usual port of a relay."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add where to listen, and the limits."""
    parser.add_argument("--address", default="0.0.0.0", help="where to listen (default: all addresses)")
    parser.add_argument("--port", type=port_argument, default=PORT, help=f"of UDP (default: {PORT}; 0: any free one)")
    limits = RelayLimits()
    parser.add_argument(
        "--sessions", type=count_argument, default=limits.sessions, metavar="N",
        help=f"the greatest number of games at once (default: {limits.sessions})",
    )  # fmt: skip
    parser.add_argument(
        "--rate", type=count_argument, default=int(limits.rate / 1000), metavar="KB",
        help=f"kilobytes per second and player, each way (default: {limits.rate / 1000:.0f})",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Forward packets until interrupted; the first line of the output says where."""
    rate = arguments.rate * 1000
    relay = Relay(RelayLimits(sessions=arguments.sessions, rate=rate, burst=2 * rate))

    async def serve() -> None:
        _, port = await serve_relay(relay, arguments.address, arguments.port)
        say(f"relay at {arguments.address}:{port}")
        sys.stdout.flush()  # another program may wait for the line
        await asyncio.Event().wait()

    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(serve())
    except OSError as error:
        where = f"{arguments.address}:{arguments.port}"
        raise LinkError(f"no relay can listen at {where}: {error.strerror or error}") from None
    return 0
