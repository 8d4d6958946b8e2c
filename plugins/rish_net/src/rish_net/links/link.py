"""What the session needs of a transport: packets that may get lost, and messages that arrive completely and in order.

A transport runs in a thread of its own; its methods may be called from the game's thread at any time and never wait.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Arrival(Enum):
    """What arrived. LOST: there is no link for now; OPENED or CLOSED follows."""

    OPENED = "opened"
    PACKET = "packet"
    MESSAGE = "message"
    LOST = "lost"
    CLOSED = "closed"


@dataclass(frozen=True)
class Arrived:
    """Something that arrived. link: the number of the link. data: a packet, a message, or the reason of the end."""

    what: Arrival
    link: int
    data: bytes = b""


class Transport(Protocol):
    """The links of a peer: one to each guest, or one to the host, which has number 1. Number 0 is the
    relay."""

    def poll(self) -> list[Arrived]:
        """Return what arrived since the last call, in order."""
        ...

    def send(self, link: int, packet: bytes) -> None:
        """Send a packet, which may get lost."""
        ...

    def send_message(self, link: int, message: bytes, bulk: bool = False) -> None:
        """Send a message, which arrives completely, unless the link ends. bulk: it is large.

        Large messages, and all others, arrive in the order in which they were sent; but others overtake large ones.
        """
        ...

    def drop(self, link: int, reason: str) -> None:
        """End a link."""
        ...

    def close(self) -> None:
        """End all links."""
        ...
