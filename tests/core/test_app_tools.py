"""What tools do with a game that does not run: draw its World as it is, and show what they have edited."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from in_memory import MakeApp

from rish_core import Host, Stage, component, system
from rish_devtools.strict.errors import StrictError


@component
class Wall:
    """Something that other values are derived from."""

    length: float = 1.0


class Stagehand(Host):
    """A host that writes down when it is called."""

    def __init__(self, calls: list[str]) -> None:
        self.calls = calls

    def begin(self, world: Any) -> None:
        """Note the beginning of a drawing."""
        self.calls.append("begin")

    def draw(self, world: Any) -> Any:
        """Note the drawing, and return statistics."""
        self.calls.append("draw")
        return len(self.calls)


def game(rish_app: MakeApp) -> Any:
    """Return a game with a system of each stage, some of which derive, and the list of all calls with their dt."""
    calls: list[Any] = []
    systems: list[Any] = []

    def add(stage: Stage, *, derive: bool) -> None:
        name = f"{stage.name}{' derives' if derive else ''}"

        @system(stage, derive=derive, name=name.replace(" ", "_").lower())
        def run(world: Any, dt: float) -> None:
            calls.append((name, dt))

        systems.append(run)

    for stage in Stage:
        add(stage, derive=False)
    for stage in (Stage.PRE, Stage.UPDATE, Stage.LATE):
        add(stage, derive=True)
    plugin = SimpleNamespace(rish_systems=lambda: systems, rish_host=lambda: lambda app, options: Stagehand(calls))
    app = rish_app({}, plugins={"stage": plugin}, strict=False)
    calls.clear()
    return SimpleNamespace(app=app, calls=calls)


def test_drawing_runs_the_stages_of_drawing_and_no_others(rish_app: MakeApp) -> None:
    """`draw` runs LATE, EXTRACT and DRAW between the host's begin and draw, without a tick, and returns its result."""
    made = game(rish_app)
    before = made.app.world.hash(), made.app.world.tick
    stats = made.app.draw()
    names = [call if isinstance(call, str) else call[0] for call in made.calls]
    assert names == ["begin", "LATE", "LATE derives", "EXTRACT", "DRAW", "draw"]
    assert stats == 6
    assert {call[1] for call in made.calls if not isinstance(call, str)} == {0.0}
    assert (made.app.world.hash(), made.app.world.tick) == before


def test_drawing_may_leave_out_what_only_moves_with_frames(rish_app: MakeApp) -> None:
    """With late=False only the systems of LATE run that derive; `seconds` is the dt of all."""
    made = game(rish_app)
    made.app.draw(late=False, seconds=0.25)
    assert made.calls == ["begin", ("LATE derives", 0.25), ("EXTRACT", 0.25), ("DRAW", 0.25), "draw"]


def test_refreshing_runs_what_derives_in_a_tick(rish_app: MakeApp) -> None:
    """`refresh` runs the systems of the tick stages that derive, with a dt of 0, and counts no tick."""
    made = game(rish_app)
    made.app.refresh()
    assert made.calls == [("PRE derives", 0.0), ("UPDATE derives", 0.0)]
    assert made.app.world.tick == 0


def test_a_frame_runs_systems_that_derive_once(rish_app: MakeApp) -> None:
    """In a frame a system that derives runs like any other: once a tick, or once in LATE."""
    made = game(rish_app)
    made.app.frame()
    names = [call if isinstance(call, str) else call[0] for call in made.calls]
    assert names.count("PRE derives") == names.count("UPDATE derives") == names.count("LATE derives") == 1
    assert names.count("begin") == names.count("draw") == 1


def test_what_derives_is_checked_in_a_refresh_too(rish_app: MakeApp) -> None:
    """--strict reports a write that was not declared, also of a system that runs in a refresh."""

    @system(Stage.PRE, derive=True)
    def stretch(world: Any, dt: float) -> None:
        if dt == 0:
            world[Wall].length[:] = 2.0

    hooks = SimpleNamespace(rish_systems=lambda: [stretch], rish_components=lambda: [Wall])
    app = rish_app({}, plugins={"walls": hooks})
    app.world.spawn(Wall())
    app.frame()
    with pytest.raises(StrictError, match="stretch"):
        app.refresh()


def test_calls_of_systems_and_hooks_go_through_a_function_of_a_tool(rish_app: MakeApp) -> None:
    """`wrap_calls` inserts functions around systems and hooks, also after systems were replaced; None removes them."""
    calls: list[Any] = []

    def around(plugin: str, name: str, function: Any) -> Any:
        def call(*given: Any) -> Any:
            calls.append((plugin, name))
            return function(*given)

        return call

    @system(Stage.UPDATE)
    def act(world: Any, dt: float) -> None:
        calls.append("act")

    acting = SimpleNamespace(rish_systems=lambda: [act], rish_frame_end=lambda world: calls.append("end"))
    app = rish_app(plugins={"wind": acting}, strict=False)
    app.run(frames=1)
    app.wrap_calls(around)
    app.run(frames=1)
    app.schedule.replace(app.registry.systems, plugins=app.plugins.names)
    app.run(frames=1)
    app.wrap_calls(None)
    app.run(frames=1)
    wrapped = [("wind", "wind.act"), "act", ("wind", "rish_frame_end"), "end"]
    assert calls == ["act", "end", *wrapped, *wrapped, "act", "end"]
