"""Opening links without holding up the game: a thread listens or joins, and the lobby asks whether it is done."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any

from rish_core import RishError, describe_error

from ..links.invitation import Invitation

_TEST_NET = "192.0.2.1", 9
"""An address for documentation (RFC 5737): a UDP socket that is connected to it sends nothing, but has an address."""


class Opening:
    """A link that is being opened. transport: the result; None while it takes. error: why there is none."""

    def __init__(self, work: Callable[[], Any], *, hosts: bool) -> None:
        self.hosts = hosts
        self.transport: Any = None
        self.error = ""
        self._work = work
        self._thread = threading.Thread(target=self._run, name="rish-net-opening", daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether it succeeded or failed."""
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self.transport = self._work()
        except RishError as error:
            self.error = str(error).partition("\n")[0]
        except Exception as error:  # a thread has nobody to raise it to
            self.error = describe_error(error)


def joining(text: str) -> Opening:
    """Join the host of an invitation. Raises UsageError if it is none."""
    invitation = Invitation.parse(text)

    def join() -> Any:
        from ..links.quic import QuicTransport

        return QuicTransport.join(invitation)

    return Opening(join, hosts=False)


def hosting() -> Opening:
    """Listen on all addresses; the invitation has the address in the local network."""

    def listen() -> Any:
        from ..links.quic import QuicTransport

        return QuicTransport.listen("0.0.0.0", shown=own_address())

    return Opening(listen, hosts=True)


def own_address() -> str:
    """Return the address of this machine in the network to which its default route leads; 127.0.0.1 without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_TEST_NET)
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
