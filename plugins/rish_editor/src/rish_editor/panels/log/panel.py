"""The log: what the engine, plugins and the game have reported, with filters, details and a way to the source."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rish_cli import LEVELS

from ...look import icons
from ...session.log import NAMES
from .row_selection import RowSelection
from .rows import Filter, LogRows, Row

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.log import Line
    from ...ui.ui import UI

_DETAILS = 0.42
"""The share of the panel for the details of the selected line."""
_WIDE_RATIO = 1.6
"""The least width / height of a panel whose details are beside the lines; otherwise they are below."""
_LOGGER_WIDTH = 480.0
"""The least width of a list that shows the loggers, units."""
_NARROW = 800.0
"""The least width of a panel that always shows the choice of a logger, units; others show it while it is used."""


class LogPanel:
    """The lines of the log. A click shows a whole line below, a double click opens its source."""

    id, title, icon, dock, order, in_game = "editor.log", "Log", "log", "bottom", 10, True

    def __init__(self) -> None:
        self.filter = Filter()
        self.rows = LogRows()
        self.selected: Line | None = None
        self.picked = RowSelection()
        self.follow = True
        self._bottom = 0.0
        self.clear_on_play = False

    def save(self) -> dict[str, Any]:
        """Return the filter of levels and the options."""
        return {
            "clear_on_play": self.clear_on_play,
            "minimum": self.filter.minimum,
            "hidden": sorted(self.filter.hidden),
            "collapse": self.filter.collapse,
        }

    def load(self, data: Any) -> None:
        """Restore the data that `save` returned."""
        levels = [number for number, _ in LEVELS.values()]
        self.clear_on_play = bool(data.get("clear_on_play"))
        self.filter.minimum = data["minimum"] if data.get("minimum") in levels else self.filter.minimum
        self.filter.hidden = frozenset(data.get("hidden", ())) & frozenset(NAMES)
        self.filter.collapse = bool(data.get("collapse", True))

    def inputs(self, editor: Editor) -> Any:
        """Return what the lines are made of."""
        return editor.log.count, editor.log.cleared, editor.log.least

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the filters, the lines, and the selected line."""
        log = editor.log
        log.clear_on_play = self.clear_on_play
        if log.least != self.filter.minimum:
            log.capture(self.filter.minimum)
        self._tools(ui, editor)
        self.rows.update(log, self.filter)
        log.seen()
        chosen = self.rows.row_of(self.selected.number) if self.selected is not None else None
        if chosen is None and self.selected is not None and self.selected.number < log.first:
            self.selected = None
        self.picked.use_keys(ui, editor, self.id, lambda: self.rows.numbers, self._text_of)
        if not self.rows.rows:
            self._say_empty(ui, editor)
            return
        width, height = ui.room
        line, beside = self.selected, width > _WIDE_RATIO * height
        part = 1.0 - _DETAILS if line is not None else 1.0
        with ui.area("list", *((width * part, 0.0) if beside else (0.0, height * part))):
            self._list(ui, editor)
        if line is not None:
            if beside:
                ui.same_line(8)
            with ui.area("chosen"):
                self._details(ui, editor, chosen or Row(line, line))

    # Filters

    def _tools(self, ui: UI, editor: Editor) -> None:
        tr, log, log_filter = editor.tr, editor.log, self.filter
        wide = ui.room[0] >= ui.px(_NARROW)
        if ui.icon_button(icons.DELETE, "clear", tr("Clear"), enabled=bool(log.lines)):
            log.clear()
            self.picked.clear()
            self.selected = None
        ui.same_line(2)
        if ui.icon_button(
            icons.GROUP, "collapse", tr("Show equal lines once, with their number"), active=log_filter.collapse
        ):
            log_filter.collapse = not log_filter.collapse
        ui.same_line(2)
        if ui.icon_button(icons.DOWN, "follow", tr("Stay at the newest line"), active=self.follow):
            self.follow = not self.follow
            self._bottom = 0.0
        ui.same_line(2)
        if ui.icon_button(icons.MORE, "more", tr("More")):
            ui.open_popup("options")
        self._options(ui, editor)
        ui.same_line(10)
        new = ui.line(
            "search", log_filter.text, hint=f"{icons.SEARCH}  {tr('Search')}", width=ui.px(200 if wide else 130)
        )
        log_filter.text = log_filter.text if new is None else new
        ui.same_line()
        if wide or log_filter.logger:
            self._logger(ui, editor)
        self._levels(ui, editor)

    def _logger(self, ui: UI, editor: Editor) -> None:
        loggers = ["", *sorted(editor.log.loggers)]
        chosen = ui.choice("logger", self.filter.logger, loggers, labels=[editor.tr("All loggers"), *loggers[1:]],
                           tooltip=editor.tr("Only lines of this logger"), width=ui.px(150))  # fmt: skip
        self.filter.logger = self.filter.logger if chosen is None else chosen
        ui.same_line()

    def _levels(self, ui: UI, editor: Editor) -> None:
        """Draw the choice of the least level, and a button for each level that is not below it."""
        tr, log_filter = editor.tr, self.filter
        numbers = dict(zip(NAMES, (number for number, _ in LEVELS.values()), strict=True))
        least = next(name for name, number in numbers.items() if number >= log_filter.minimum)
        tip = tr("The least important lines that are logged; TRACE and DEBUG cost time")
        labels = [name.upper() for name in NAMES]
        chosen = ui.choice("level", least, NAMES, labels=labels, tooltip=tip, width=ui.px(112))
        if chosen is not None:
            log_filter.minimum = numbers[chosen]
            editor.log.capture(log_filter.minimum)
        for name, number in numbers.items():
            if number < log_filter.minimum:
                continue
            ui.same_line(4)
            shown = name not in log_filter.hidden
            if _toggle(ui, name, editor.log.counts[name], shown, tr("Show {level} lines", level=name.upper())):
                log_filter.hidden = log_filter.hidden ^ {name}

    def _options(self, ui: UI, editor: Editor) -> None:
        tr = editor.tr
        with ui.popup("options") as opened:
            if not opened:
                return
            if ui.item(tr("Clear on Play"), "clear_on_play", icon=icons.PLAY, checked=self.clear_on_play):
                self.clear_on_play = not self.clear_on_play
            if ui.item(tr("Copy all shown lines"), "copy", icon=icons.COPY, enabled=bool(self.rows.rows)):
                editor.copy("\n".join(map(as_text, self.rows.rows)))

    def _say_empty(self, ui: UI, editor: Editor) -> None:
        tr = editor.tr
        if editor.log.lines:
            ui.empty(tr("No line fits the filters"), tr("Show more levels, or clear the search"), icons.FILTER)
        else:
            ui.empty(tr("Nothing has been logged"), tr("What the game prints and logs appears here"), icons.LOG)

    # Lines

    def _list(self, ui: UI, editor: Editor) -> None:
        shows_logger = ui.room[0] > ui.px(_LOGGER_WIDTH)
        with ui.table("lines", 3 + shows_logger, lines=True, scrolls=True) as shown:
            if not shown:
                return
            ui.columns(20, 64, 0.99, *([130] if shows_logger else []))
            self._scroll(*ui.scroll)
            rows = self.rows.rows
            for number in ui.visible_rows(len(rows)):
                self._row(ui, editor, number, rows[number])
                if shows_logger:
                    ui.cell()
                    ui.text(rows[number].line.logger.removeprefix("rish."), "dim", cut=True)
            if self.follow and not self.rows.drawn:
                ui.scroll_here(1.0)
            self.rows.drawn = True

    def _scroll(self, at: float, most: float) -> None:
        """Keep the list scrolled to its end, unless the user has scrolled up."""
        if at < self._bottom - 1 and at < most - 1:
            self.follow = False
        elif at >= most - 1 and most > 0:
            self.follow = True
        self._bottom = at if self.follow else 0.0

    def _row(self, ui: UI, editor: Editor, number: int, row: Row) -> None:
        line = row.line
        color = ui.theme.log(line.name)
        ui.row()
        if line.name == "critical":
            ui.row_color("critical_row")
        ui.cell()
        if ui.selectable("", f"line{number}", line.number in self.picked, span=True):
            self.picked.click(ui, line.number, lambda: self.rows.numbers)
            self.selected = line
        if ui.double_clicked():
            show_source(editor, line)
        self._menu(ui, editor, row)
        ui.same_line(0)
        ui.text(icons.by_name(line.name), color=color)
        ui.cell()
        ui.text(clock(row.last), "dim")
        ui.cell()
        if row.count > 1:
            ui.text(f"{row.count}×", "bold")
            ui.same_line(6)
        loud = line.level >= LEVELS["WARNING"][0] or line.level < LEVELS["INFO"][0]
        ui.text(line.text.partition("\n")[0][:400], color=color if loud else None, cut=True)

    def _text_of(self, number: int) -> str:
        row = self.rows.row_of(number)
        return "" if row is None else as_text(row)

    def _menu(self, ui: UI, editor: Editor, row: Row) -> None:
        tr, line = editor.tr, row.line
        with ui.context_menu(f"menu{line.number}") as opened:
            if not opened:
                return
            if ui.item(tr("Copy"), "copy", icon=icons.COPY):
                editor.copy(as_text(row))
            if ui.item(tr("Open Source"), "source", icon=icons.EXTERNAL, enabled=line.where is not None):
                show_source(editor, line)
            if ui.item(tr("Only this logger"), "only", icon=icons.FILTER):
                self.filter.logger = line.logger

    def _details(self, ui: UI, editor: Editor, row: Row) -> None:
        tr, line = editor.tr, row.line
        ui.text(f"{icons.by_name(line.name)}  {line.name.upper()}", color=ui.theme.log(line.name))
        ui.same_line(12)
        ui.text(line.logger, "dim")
        if row.count > 1:
            ui.same_line(12)
            ui.text(tr("{count}×, {first} to {last}", count=row.count, first=clock(line), last=clock(row.last)), "dim")
        ui.right(ui.px(56))
        if ui.icon_button(icons.COPY, "copy", tr("Copy")):
            editor.copy(as_text(row))
        ui.same_line(2)
        if ui.icon_button(icons.CLOSE, "close", tr("Close")):
            self.selected = None
        with ui.area("details", scroll_across=bool(line.details)):
            where = line.where
            if where is not None and ui.link(f"{where[0]}:{where[1]}", "source", tr("Open in text editor")):
                show_source(editor, line)
            ui.text(line.text, wrap=not line.details)
            if line.details:
                ui.text(line.details, "mono")


def _toggle(ui: UI, name: str, count: int, shown: bool, tooltip: str) -> bool:
    """Draw the button of a level, in its color while its lines are shown."""
    with ui.colored(ui.theme.log(name) if shown else ui.theme.rgba("text_disabled")):
        return ui.button(f"{count:,}", f"show.{name}", icon=icons.by_name(name), tooltip=tooltip,
                         kind="normal" if shown else "ghost")  # fmt: skip


def clock(line: Line) -> str:
    """Return the time of a line as it is shown."""
    return time.strftime("%H:%M:%S", time.localtime(line.time))


def as_text(row: Row) -> str:
    """Return the text of a row for the clipboard."""
    line = row.line
    details = f"\n{line.details}" if line.details else ""
    count = f" ({row.count}×)" if row.count > 1 else ""
    return f"{clock(row.last)} {line.name.upper()} {line.logger}: {line.text}{count}{details}"


def show_source(editor: Editor, line: Line) -> None:
    """Open the source of a line, if it is known."""
    if line.where is not None:
        editor.open_source(*line.where)
