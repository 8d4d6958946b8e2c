"""A plugin that floods the log is named, and its lines are dropped until it is quiet again."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from rish_core import App
from rish_devtools.watchdog.log_limits import Floods

LATER = 1e10
"""Seconds of `time.time` that the test does not reach."""

FLOOD = """
@system(Stage.UPDATE)
def chatter(world, dt):
    for number in range(30):
        logging.getLogger("rish.game").warning("tick %d", number)

def rish_systems():
    return [chatter]
"""


def test_a_flood_is_cut_and_named(
    faulty: Any, reports: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above the limit lines are dropped; two lines say so, with plugin, system, place and number."""
    app: App = faulty(FLOOD, log_lines=10)
    # All records lie in one second that never ends, however slow the frames are.
    one_second = property(lambda record: LATER, lambda record, value: None)
    monkeypatch.setattr(logging.LogRecord, "created", one_second, raising=False)
    app.run(frames=5)
    app.close()
    assert sum(text.startswith("tick") for text in caplog.messages) == 10
    (report,) = reports(app, "flood")
    assert (report.plugin, report.what, report.over) == ("game", "system 'game.chatter'", True)
    assert (report.place.file.endswith("plugin.py"), report.place.line) == (True, 7)
    assert report.count == 140
    own = [record.getMessage() for record in caplog.records if record.name == "rish.watchdog"]
    assert len(own) == 2
    assert "plugin 'game' logs more than 10 lines a second, in system 'game.chatter'; the rest is dropped" in own[0]
    assert "140 lines of plugin 'game' were dropped within" in own[1]


class _Owners:
    def of_file(self, path: str) -> str | None:
        return {"/a.py": "wind", "/core.py": "core"}.get(path)

    def is_plugin(self, name: str) -> bool:
        return name == "rain"


class _World:
    running = ""


@pytest.fixture
def floods() -> tuple[Any, Any, list[Any]]:
    """A filter with a limit of 2 lines a second, a function that passes a record through it, and its reports."""
    found: list[Any] = []
    owners: Any = _Owners()
    floods = Floods(2, owners, _World, found.append)

    def log(path: str = "/a.py", name: str = "rish.x", at: float = 100.0) -> bool:
        record = logging.LogRecord(name, logging.WARNING, path, 1, "text", None, None)
        record.created = at
        kept = bool(floods.filter(record))
        assert bool(floods.filter(record)) is kept  # the second handler
        return kept

    return floods, log, found


def test_each_plugin_has_its_own_limit(floods: tuple[Any, Any, list[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """A record belongs to the plugin of its file, else of its logger, else of the running system; never to ours."""
    _, log, found = floods
    assert [log() for _ in range(3)] == [True, True, False]
    assert [log("/lib.py", "rish.rain") for _ in range(3)] == [True, True, False]
    monkeypatch.setattr(_World, "running", "snow.fall")
    assert [log("/core.py", "rish.schedule") for _ in range(3)] == [True, True, False]
    assert [log(name="rish.watchdog") for _ in range(3)] == [True] * 3
    assert [report.plugin for report in found] == ["wind", "rain", "snow"]
    assert found[2].what == "system 'snow.fall'"


def test_it_recovers(floods: tuple[Any, Any, list[Any]]) -> None:
    """After a second within the limit the flood is over; a later one is another report."""
    floods_, log, found = floods
    for second in (100, 101, 102):
        assert [log(at=second + k / 10) for k in range(4)] == [True, True, False, False]
    assert [report.count for report in found] == [6]
    assert log(at=104)
    assert [report.over for report in found] == [True, True]
    assert [log(at=104.5) for _ in range(2)] == [True, False]
    floods_.look(104.9)
    assert len(found) == 3
    floods_.look(107)
    assert [report.count for report in found] == [6, 6, 1, 1]
