"""The panel of the watchdog, for the editor and running games: a table of plugins, and the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .resource import Watchdog

if TYPE_CHECKING:
    from rish_editor import UI, Editor

_REFRESH_FRAMES = 30
"""Frames between two computations of the table, so that numbers can be read."""


class WatchdogPanel:
    """Shows cost and failures of plugins: median milliseconds of a frame, budget, share, failures, all reports."""

    id, title, icon, dock, order = "watchdog.panel", "Watchdog", "warning", "bottom", 41
    open, in_game = False, True

    def __init__(self) -> None:
        self._rows: list[tuple[str, float, float]] = []
        self._age = 0

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the panel."""
        world = editor.game.world if editor.game is not None else None
        if world is None or Watchdog not in world:
            hint = editor.tr("Play a game that names the plugin watchdog")
            ui.empty(editor.tr("Nothing is watched"), hint, ui.icon("warning"))
            return
        watchdog: Watchdog = world[Watchdog]
        if self._age % _REFRESH_FRAMES == 0:
            self._rows = watchdog.times()
        self._age += 1
        self._table(ui, editor, watchdog)
        with ui.area("reports"):
            for report in watchdog.reports:
                ui.text(str(report), "dim" if report.over else "warning", wrap=True)
            if not watchdog.reports:
                ui.text(editor.tr("Nothing to report"), "dim")

    def _table(self, ui: UI, editor: Editor, watchdog: Watchdog) -> None:
        tr = editor.tr
        total = sum(ms for _, ms, _ in self._rows) or 1.0
        with ui.table("plugins", 5, lines=True) as shown:
            if not shown:
                return
            for title in (tr("Plugin"), tr("Median"), tr("Budget"), tr("Share"), tr("Failures")):
                ui.cell()
                ui.text(title, "section")
            for plugin, ms, budget in self._rows:
                ui.row()
                ui.cell()
                ui.text(plugin, "mono")
                failed = watchdog.failures[plugin]
                above = bool(budget and ms > budget)
                cells = (
                    (f"{ms:.3f} ms", above),
                    (f"{budget:g} ms" if budget else "", False),
                    (f"{ms / total:.0%}", False),
                    (f"{failed:,}" if failed else "", True),
                )
                for text, warns in cells:
                    ui.cell()
                    ui.text(text, "warning" if warns else "mono")
