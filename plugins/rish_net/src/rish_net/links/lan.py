"""Games in the local network, announced and listed by multicast DNS (RFC 6762, 6763), with zeroconf.

An announcement has the game's title, the number of players, the address and the fingerprint of the host; it never has
the key: who wants to join types the code that the host shows (`codes`).

zeroconf is imported when a game is announced or listed.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rish_core import UsageError
from rish_ecs import how_to_get

from .codes import key_of, new_code
from .errors import LinkError
from .invitation import Invitation
from .quic import QuicTransport

SERVICE = "_rish-game._udp.local."
MAX_GAMES = 64
"""The greatest number of games in the list; announcements beyond it are ignored."""
MAX_TITLE = 60
_TEST_NET = "192.0.2.1", 9
"""An address for documentation (RFC 5737): a socket that is connected to it has this machine's address."""
_UPDATE_SECONDS = 2.0


@dataclass(frozen=True)
class LanGame:
    """A game in the local network. players, most: how many play, and how many can. fingerprint: of the certificate."""

    title: str
    players: int
    most: int
    address: str
    port: int
    fingerprint: bytes

    def invitation(self, code: str) -> Invitation:
        """Return the invitation for the code that the host shows. Raises UsageError for what is no code."""
        return Invitation(self.address, self.port, self.fingerprint, key_of(code, self.fingerprint))


class LanAnnouncement:
    """Announces the game of a host until `close`. players: returns how many play now. code: lets a guest in."""

    def __init__(self, host: QuicTransport, title: str, most: int, players: Callable[[], int]) -> None:
        zeroconf, invitation = _zeroconf(), host.invitation
        self.code = new_code()
        host.also_accept(key_of(self.code, invitation.fingerprint))
        self._players, self._most, self._title = players, most, title
        address = invitation.address if _is_address(invitation.address) else own_address()
        name = secrets.token_hex(4)
        self._fingerprint = invitation.fingerprint

        def info() -> Any:
            return zeroconf.ServiceInfo(
                SERVICE, f"{name}.{SERVICE}", port=invitation.port, parsed_addresses=[address],
                properties=self._properties(), server=f"rish-{name}.local.",
            )  # fmt: skip

        self._info = info
        try:
            self._zeroconf = zeroconf.Zeroconf()
            self._zeroconf.register_service(info())
        except (OSError, zeroconf.Error) as error:
            raise LinkError(f"the game can't be announced in the local network: {error}") from None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._update, name="rish-net-lan", daemon=True)
        self._thread.start()

    def _properties(self) -> dict[str, str]:
        return {
            "v": "1",
            "title": _shown(self._title),
            "players": str(self._players()),
            "most": str(self._most),
            "print": self._fingerprint.hex(),
        }

    def _update(self) -> None:
        """Announce again when the number of players changes."""
        last = self._properties()
        while not self._closed.wait(_UPDATE_SECONDS):
            now = self._properties()
            if now != last:
                self._zeroconf.update_service(self._info())
                last = now

    def close(self) -> None:
        """Take the announcement back."""
        self._closed.set()
        self._thread.join()
        self._zeroconf.close()


class LanBrowser:
    """Lists the games of the local network until `close`; for a screen that shows them. `games` never waits."""

    def __init__(self) -> None:
        zeroconf = _zeroconf()
        self._games: dict[str, LanGame] = {}
        try:
            self._zeroconf = zeroconf.Zeroconf()
        except OSError as error:
            raise LinkError(f"the local network can't be searched: {error}") from None
        self._browser = zeroconf.ServiceBrowser(self._zeroconf, SERVICE, handlers=[self._changed])

    def games(self) -> list[LanGame]:
        """Return the games, by title and address."""
        return sorted(self._games.copy().values(), key=lambda game: (game.title, game.address, game.port))

    def _changed(self, zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        """Note a game that came, changed or went (called by zeroconf, in its thread)."""
        if state_change.name == "Removed":
            self._games.pop(name, None)
            return
        info = zeroconf.get_service_info(service_type, name, timeout=1000)
        game = None if info is None else read_game(info.parsed_addresses(), info.port, info.properties)
        if game is not None and (name in self._games or len(self._games) < MAX_GAMES):
            self._games[name] = game

    def close(self) -> None:
        """End the search."""
        self._zeroconf.close()


def lan_games(seconds: float = 2.0) -> list[LanGame]:
    """Return the games that answer within a time. Raises LinkError, and UsageError where zeroconf is missing."""
    browser = LanBrowser()
    try:
        time.sleep(seconds)
        return browser.games()
    finally:
        browser.close()


def read_game(addresses: list[str], port: int | None, properties: dict[bytes, bytes | None]) -> LanGame | None:
    """Return the game of an announcement, which anybody may have written; None if it is none."""
    texts = {key: (properties.get(key.encode()) or b"").decode(errors="replace") for key in _KEYS}
    try:
        fingerprint = bytes.fromhex(texts["print"])
        players, most = (int(texts[key][:3]) for key in ("players", "most"))
    except ValueError:
        return None
    if texts["v"] != "1" or len(fingerprint) != 32 or not addresses or not port or min(players, most) < 0:
        return None
    return LanGame(_shown(texts["title"]), players, most, addresses[0], port, fingerprint)


_KEYS = "v", "title", "players", "most", "print"


def own_address() -> str:
    """Return the address of this machine in the network of its default route; 127.0.0.1 without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_TEST_NET)  # a datagram socket sends nothing for that
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _is_address(text: str) -> bool:
    """Return whether a text is the IP address of one machine."""
    try:
        return not ipaddress.ip_address(text).is_unspecified
    except ValueError:
        return False


def _shown(title: str) -> str:
    """Return a title in one line, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in title[:MAX_TITLE]).strip()


def _zeroconf() -> Any:
    try:
        import zeroconf
    except ImportError:
        raise UsageError(
            "the local network is searched with zeroconf", hint=how_to_get("zeroconf", ">=0.131,<1")
        ) from None
    return zeroconf
