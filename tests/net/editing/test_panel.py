"""The panel Network of the editor."""

from __future__ import annotations

import os

os.environ.setdefault("ARCADE_HEADLESS", "1")

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_editor import Settings, Shell
from rish_editor.testing import UIDriver
from rish_net import Net
from rish_net.editing import panel
from rish_net.game.traffic import Traffic
from rish_net.links.link import Arrival, Arrived

GAME = "rish: 1\nplugins: [net, render]\nscenes: {main: []}\n"


class Silent:
    """A transport that receives one packet in each poll."""

    def poll(self) -> list[Arrived]:
        """Return what arrived."""
        return [Arrived(Arrival.PACKET, 1, bytes(50))]

    def send(self, link: int, packet: bytes) -> None:
        """Do nothing."""

    def send_message(self, link: int, message: bytes, bulk: bool = False) -> None:
        """Do nothing."""

    def drop(self, link: int, reason: str) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


@pytest.mark.slow
def test_the_panel_starts_a_second_player_and_shows_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The button starts the game with an opponent over the chosen link; with a session its counters are shown."""
    monkeypatch.setenv("RISH_CONFIG", str(tmp_path / "config"))
    started: list[Any] = []
    monkeypatch.setattr(panel, "subprocess", SimpleNamespace(Popen=started.append))
    (tmp_path / "game.yaml").write_text(GAME)
    shell = Shell(Settings(language="zh-TW"), size=(1280, 720), headless=True, marks=True)
    driver = UIDriver(shell)
    assert shell.open(tmp_path)
    driver.step(4)
    shell.editor.show("net.network")
    driver.step(10)
    driver.click("net.network/play")
    driver.step(2)
    assert started[0][3:] == ["host", str(tmp_path), "--opponent", "--net-sim", "75ms 20ms 3%"]
    app = shell.editor.game.app
    net: Net = app.world[Net]
    net.host(app, Silent())
    net.session.add_peer(1)
    driver.step(2)
    assert "net.network/play" not in driver.marks("net.network")
    shell.close()


def test_traffic_counts_bytes() -> None:
    """What is sent and received is counted, so far and a second."""
    traffic = Traffic(Silent())
    traffic.poll()
    traffic.send(1, bytes(30))
    traffic.send_message(1, bytes(70))
    traffic.poll()
    assert (traffic.sent, traffic.received) == (100, 100)
    assert min(traffic.per_second()) > 0
