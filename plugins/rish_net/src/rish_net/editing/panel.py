"""The panel Network: pings, rollbacks, stalls, bytes and hashes of a session, and a second player for tests."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from ..game.net import Net
from ..game.traffic import Traffic
from ..session.session import Session

if TYPE_CHECKING:
    from rish_editor import UI, Editor

_LINKS = {"Same machine": "", "Good link": "20ms 5ms 1%", "Far away": "75ms 20ms 3%", "Bad link": "120ms 50ms 10%"}
"""Simulated links by their names."""


class NetworkPanel:
    """Shows the session of a game; in the editor, it starts the game in a window with a second player."""

    id, title, icon, dock, order = "net.network", "Network", "link", "bottom", 42
    open, in_game = False, True

    def __init__(self) -> None:
        self._link = "Far away"

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the panel."""
        world = editor.game.world if editor.game is not None else None
        net: Net | None = world[Net] if world is not None and Net in world else None
        if net is not None and net.session is not None and net.traffic is not None and net.active:
            self._peers(ui, editor, net, net.session)
            self._numbers(ui, editor, net.session, net.traffic)
            return
        self._second_player(ui, editor)

    def _second_player(self, ui: UI, editor: Editor) -> None:
        """Draw the choice of a link, and the button that plays over it."""
        tr = editor.tr
        ui.text(
            tr("Play the saved game in a window of its own, with a second player who presses random keys."), wrap=True
        )
        labels = [tr(name) + (f"  ·  {link}" if link else "") for name, link in _LINKS.items()]
        self._link = ui.choice("link", self._link, list(_LINKS), labels=labels) or self._link
        if ui.button(tr("Play with a second player"), "play", icon=ui.icon("play"), kind="primary"):
            editor.later(lambda: play_with_opponent(editor, _LINKS[self._link]))
        ui.text(tr("With the plugin debug, F12 shows this panel in the game."), "dim", wrap=True)

    def _numbers(self, ui: UI, editor: Editor, session: Session, traffic: Traffic) -> None:
        tr = editor.tr
        sent, received = traffic.per_second()
        rows = {
            tr("Sent"): f"{sent / 1e3:,.1f} kB/s",
            tr("Received"): f"{received / 1e3:,.1f} kB/s",
            tr("Rollbacks"): f"{session.rollback.times:,}",
            tr("Ticks run again"): f"{session.rollback.rolled_back:,}",
            tr("Stalls"): f"{session.stalls:,}",
            tr("Input delay"): tr("{ticks} ticks", ticks=session.delay),
            tr("Last hash"): tr("tick {now}", now=f"{max(session.rollback.hashes, default=0):,}"),
        }
        with ui.table("numbers", 4) as shown:
            for number, (name, value) in enumerate(rows.items()) if shown else ():
                if number % 2 == 0:
                    ui.row()
                ui.cell()
                ui.text(name, "dim")
                ui.cell()
                ui.text(value, "mono")

    def _peers(self, ui: UI, editor: Editor, net: Net, session: Session) -> None:
        tr = editor.tr
        with ui.table("peers", 6, lines=True) as shown:
            if not shown:
                return
            for title in (tr("Player"), tr("Seat"), tr("Ping"), tr("Jitter"), tr("Equal until"), tr("Refused")):
                ui.cell()
                ui.text(title, "section")
            for number, peer in session.peers.items():
                person = net.roster.people.get(number if session.hosts else 0)
                ui.row()
                ping = peer.pace.round_trip
                cells = (
                    person.name if person is not None and person.name else f"{number}",
                    f"{peer.seat if session.hosts else 1}",
                    "–" if ping is None else f"{ping:.0f} ms",
                    f"{peer.pace.jitter:.0f} ms",
                    f"{peer.equal:,}",
                    f"{peer.refused:,}",
                )
                for text in cells:
                    ui.cell()
                    ui.text(text, "mono")


def play_with_opponent(editor: Editor, link: str) -> None:
    """Start the saved game in a window, with a second player over a simulated link."""
    game = editor.game
    root = game.app.manifest.root if game is not None else None
    if root is None:
        editor.note(editor.tr("Save the game first"))
        return
    simulated = ["--net-sim", link] if link else []
    subprocess.Popen([sys.executable, "-m", "rish_core", "host", str(root), "--opponent", *simulated])
