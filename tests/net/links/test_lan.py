"""Games in the local network."""

from __future__ import annotations

import time

import pytest

from rish_net import Invitation, LanAnnouncement, LanBrowser, LanGame, LinkError, QuicTransport, key_of
from rish_net.links.lan import MAX_TITLE, read_game

PRINT = bytes(range(32))
SOUND: dict[bytes, bytes | None] = {
    b"v": b"1", b"title": b"Orchard", b"players": b"2", b"most": b"4", b"print": PRINT.hex().encode(),
}  # fmt: skip


def test_an_announcement_is_read() -> None:
    """The row of a game has its title, its players and where it is; with the code it becomes an invitation."""
    game = read_game(["192.168.1.5", "::1"], 4433, SOUND)
    assert game == LanGame("Orchard", 2, 4, "192.168.1.5", 4433, PRINT)
    assert game.invitation("7K3M-9XQ2") == Invitation("192.168.1.5", 4433, PRINT, key_of("7K3M-9XQ2", PRINT))


@pytest.mark.parametrize(
    "change",
    [{b"v": b"2"}, {b"players": b"x"}, {b"players": b"-1"}, {b"most": None}, {b"print": b"00"}, {b"print": b"\xff"}],
)
def test_other_announcements_are_no_games(change: dict[bytes, bytes | None]) -> None:
    """An announcement that lacks something, or of another version, is not listed."""
    assert read_game(["192.168.1.5"], 4433, {**SOUND, **change}) is None


def test_titles_of_strangers_are_one_short_line() -> None:
    """A title can't move the cursor of a terminal, nor fill the screen."""
    game = read_game(["192.168.1.5"], 4433, {**SOUND, b"title": b"\x1b[2J\n" + b"A" * 999})
    assert game is not None
    assert game.title.isprintable()
    assert len(game.title) <= MAX_TITLE


@pytest.mark.slow
def test_a_game_is_announced_found_and_joined() -> None:
    """A game appears in the list, its players are counted, and a guest with the code gets in, one without it does not.

    The announcement has no key.
    """
    pytest.importorskip("zeroconf")
    players = [1]
    host = QuicTransport.listen()
    announcement = LanAnnouncement(host, "Orchard \x1b", 4, lambda: players[0])
    browser = LanBrowser()

    def row(count: int) -> LanGame:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            for game in browser.games():
                if game.fingerprint == host.invitation.fingerprint and game.players == count:
                    return game
            time.sleep(0.05)
        raise AssertionError("the game is not listed")

    row(1)
    players[0] = 2
    found = row(2)
    assert found == LanGame("Orchard", 2, 4, "127.0.0.1", host.invitation.port, host.invitation.fingerprint)
    assert host.invitation.key not in str(announcement._info()).encode()
    guest = QuicTransport.join(found.invitation(announcement.code))
    with pytest.raises(LinkError, match="a wrong key"):
        QuicTransport.join(found.invitation("0000-0000"))
    for closed in (guest, announcement, browser, host):
        closed.close()
