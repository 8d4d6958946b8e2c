"""What grows on and on is named with its plugin and line; what only changes is not."""

from __future__ import annotations

from typing import Any

import pytest

from rish_core import App, Place
from rish_devtools import Watchdog
from rish_devtools.watchdog.leaks import Growth

LEAKS = """
from rish_core import component, event

kept = []
handles, events, objects = [], [], []

class Ghost:
    pass

def work(event):
    event.wait()

@component
class Crumb:
    pass

@system(Stage.UPDATE, writes=Crumb)
def leak(world, dt):
    kept.extend(range(30))
    handles.append(open(__file__))
    objects.extend(Ghost() for _ in range(30))
    events.append(threading.Event())
    threading.Thread(target=work, args=(events[-1],), daemon=True).start()
    for _ in range(30):
        world.spawn(Crumb())

def rish_components():
    return [Crumb]

def rish_systems():
    return [leak]

def rish_shutdown(world):
    for each in events:
        each.set()
    for each in handles:
        each.close()
"""


def looks(app: App, count: int) -> None:
    """Play frames and look at what grows after each of them."""
    for _ in range(count):
        app.run(frames=1)
        app.world[Watchdog].check_leaks()


@pytest.mark.slow
def test_everything_that_grows_is_named(faulty: Any, reports: Any) -> None:
    """A list, open files, threads, objects and rows that grow are each reported once, with plugin and line."""
    app: App = faulty(LEAKS, leak="on", leak_interval=3600, leak_growth=100)
    looks(app, 7)
    found = {report.what: report for report in reports(app, "leak")}
    lines = {what: report.place.line for what, report in found.items() if report.place.file.endswith("plugin.py")}
    assert lines == {
        "list kept": 6,
        "list objects": 7,
        "the number of files that are opened by system 'game.leak'": 22,
        "the number of threads": 12,
        "the number of Ghost objects": 9,
        "the component game.Crumb": 15,
    }
    assert {report.plugin for report in found.values()} == {"game"}
    assert len(found) == len(reports(app, "leak"))
    app.close()


@pytest.mark.slow
def test_a_line_that_allocates_is_named(faulty: Any, reports: Any) -> None:
    """With `leak: trace` the line that allocates is named, whatever keeps the memory."""
    code = """
    def keep(world, dt, kept=[[]]):
        kept.append(bytes(40_000))
    keep = system(Stage.UPDATE)(keep)

    def rish_systems():
        return [keep]
    """
    app: App = faulty(code, leak="trace", leak_interval=3600, leak_growth=100)
    looks(app, 6)
    (report,) = reports(app, "leak")
    assert (report.plugin, report.what, report.place.line) == ("game", "the memory allocated by a line", 5)
    assert report.count >= 100


def test_only_what_grows_at_each_look_is_reported() -> None:
    """What goes up and down, or only a little up, is none; a report is repeated only after it became less."""
    growth, key = Growth("items", 100), ("game", "list kept", Place("plugin.py", 3))

    def look(*amounts: int) -> list[int]:
        return [report.count for amount in amounts for report in growth.look({key: amount})]

    assert look(0, 90, 180, 170, 260, 350, 340) == []
    assert look(341, 342, 343, 344, 345) == []
    assert look(400, 500, 600, 700) == [160]
    assert look(100, 200, 300, 400, 500, 600) == [400]
