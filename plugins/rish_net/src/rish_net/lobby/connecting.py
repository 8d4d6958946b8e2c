"""Opening links without holding up the game: a thread listens, joins or searches, and the lobby asks for the result."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from rish_core import RishError, describe_error

from ..links.invitation import Invitation
from ..links.lan import LanAnnouncement, LanBrowser, LanGame, own_address


class Opening:
    """Something that is being opened. result: None while it takes, and after an error. error: why there is none."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.result: Any = None
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
            self.result = self._work()
        except RishError as error:
            self.error = str(error).partition("\n")[0]
        except Exception as error:  # a thread has nobody to raise it to
            self.error = describe_error(error)


class Hosted(NamedTuple):
    """A host that listens. announcement: in the local network; None where it can't be announced."""

    transport: Any
    announcement: LanAnnouncement | None


def joining(text: str, near: LanGame | None = None) -> Opening:
    """Join the host of an invitation, or a game of the local network with its code. Raises UsageError for neither."""
    is_code = near is not None and ":" not in text
    invitation = near.invitation(text) if near is not None and is_code else Invitation.parse(text)

    def join() -> Any:
        from ..links.quic import QuicTransport

        return QuicTransport.join(invitation)

    return Opening(join)


def hosting(title: str, most: int, players: Callable[[], int]) -> Opening:
    """Listen on all addresses, and announce the game in the local network if that is possible; a `Hosted`."""

    def listen() -> Hosted:
        from ..links.quic import QuicTransport

        transport, announcement = QuicTransport.listen("0.0.0.0", shown=own_address()), None
        with suppress(RishError):
            announcement = LanAnnouncement(transport, title, most, players)
        return Hosted(transport, announcement)

    return Opening(listen)


def searching() -> Opening:
    """Search the local network; a `LanBrowser`."""
    return Opening(LanBrowser)
