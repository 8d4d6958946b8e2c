"""Drops log lines of a plugin above its limit of lines per second, and reports how many were dropped."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rish_core import Place, shorten_path

from .owners import CORE, Owners
from .reports import Report

OWN = "rish.watchdog"
_CHECKED = "_rish_watchdog_keeps"
"""The attribute of a record with the decision about it, because several handlers ask."""


@dataclass(eq=False)
class _Lines:
    """The log lines of a plugin: the count in the current second, and the dropped lines since the flood began."""

    second: int = 0
    count: int = 0
    began: float = 0.0
    dropped: Counter[tuple[str, int, str]] = field(default_factory=Counter[tuple[str, int, str]])
    report: Report | None = None


class Floods(logging.Filter):
    """A filter of the handlers of the log.

    on_report: called when a plugin begins to flood the log, and when the flood ends.
    """

    def __init__(self, limit: float, owners: Owners, world: Any, on_report: Callable[[Report], None]) -> None:
        super().__init__()
        self._limit, self._owners, self._world, self._on_report = limit, owners, world, on_report
        self._plugins: dict[str, _Lines] = {}

    def attach(self) -> None:
        """Filter all handlers that show the log; may be repeated, because handlers may be added later."""
        for handler in _handlers():
            if self not in handler.filters:
                handler.addFilter(self)

    def detach(self) -> None:
        """Stop filtering, and report floods that go on."""
        for handler in _handlers():
            handler.removeFilter(self)
        for lines in self._plugins.values():
            self._close(lines, lines.second + 1)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is kept."""
        if record.name == OWN or not self._limit:
            return True
        is_kept = getattr(record, _CHECKED, None)
        if is_kept is None:
            is_kept = self._count(record)
            setattr(record, _CHECKED, is_kept)
        return is_kept

    def look(self, now: float) -> None:
        """Report floods that have ended. now: seconds of `time.time`."""
        for lines in self._plugins.values():
            if lines.report is not None and now >= lines.second + 2:
                self._close(lines, now)

    def _count(self, record: logging.LogRecord) -> bool:
        plugin = self._plugin(record)
        lines = self._plugins.setdefault(plugin, _Lines())
        second = int(record.created)
        if second != lines.second:
            if lines.report is not None and (second > lines.second + 1 or lines.count <= self._limit):
                self._close(lines, record.created)
            lines.second, lines.count = second, 0
        lines.count += 1
        if lines.count <= self._limit:
            return True
        lines.dropped[record.pathname, record.lineno, self._world.running] += 1
        if lines.report is None:
            lines.began = record.created
            lines.report = self._begin(plugin, record)
        lines.report.count = lines.dropped.total()
        return False

    def _begin(self, plugin: str, record: logging.LogRecord) -> Report:
        running = self._world.running
        what = f"system '{running}'" if running else f"logger {record.name}"
        place = Place(shorten_path(record.pathname), record.lineno)
        text = f"plugin '{plugin}' logs more than {self._limit:g} lines a second, in {what}; the rest is dropped"
        report = Report("flood", plugin, what, place, text)
        self._on_report(report)
        return report

    def _close(self, lines: _Lines, now: float) -> None:
        report, lines.report = lines.report, None
        if report is None:
            return
        (path, number, running), most = lines.dropped.most_common(1)[0]
        report.place, report.count, report.over = Place(shorten_path(path), number), lines.dropped.total(), True
        where = f" in system '{running}'" if running else ""
        report.text = (
            f"{report.count:,} lines of plugin '{report.plugin}' were dropped within {now - lines.began:.1f} s, "
            f"{most:,} of them from this line{where}"
        )
        lines.dropped = Counter()
        self._on_report(report)

    def _plugin(self, record: logging.LogRecord) -> str:
        """Return the plugin that logs: by the file, then by the name of the logger, then by the running system."""
        owner = self._owners.of_file(record.pathname)
        if owner not in (None, CORE):
            return str(owner)
        logger_plugin = record.name.removeprefix("rish.").partition(".")[0]
        running = self._world.running.partition(".")[0]
        return logger_plugin if self._owners.is_plugin(logger_plugin) else running or owner or CORE


def _handlers() -> list[logging.Handler]:
    last = [logging.lastResort] if logging.lastResort is not None else []
    return [*logging.getLogger("rish").handlers, *logging.getLogger().handlers, *last]
