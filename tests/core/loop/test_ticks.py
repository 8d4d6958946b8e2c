"""TickHooks: tools between the window and the ticks, and the order in which handlers receive an event."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from rish_core import (
    Input,
    InputRecord,
    Layer,
    LayerStack,
    PendingInput,
    Stage,
    TickHooks,
    WindowEvent,
    resource,
    system,
)
from rish_frame import NullBackend

SPACE = WindowEvent("key", "SPACE", down=True)
LEFT = WindowEvent("key", "LEFT", down=True)


@resource
class Score:
    """A resource that counts points."""

    points: int = 0


def pressing(events: Any, **hooks: Any) -> tuple[NullBackend, dict[str, Any], list[list[str]]]:
    """Return a backend that presses keys, and a plugin that logs the pressed keys of each tick."""
    seen: list[list[str]] = []

    @system(Stage.PRE)
    def look(world: Any, dt: float) -> None:
        seen.append(world[Input].pressed_keys())

    plugin = SimpleNamespace(rish_systems=lambda: [look], rish_resources=lambda: [Score], **hooks)
    return NullBackend(events=events), {"mine": plugin}, seen


def test_a_tap_gives_the_input_that_counts(rish_app: Any) -> None:
    """A `before` hook can replace the record; the tick and the `after` hooks get the new one."""
    backend, plugins, seen = pressing([[SPACE], [SPACE]])
    app = rish_app(plugins=plugins, backend=backend, strict=False)
    told: list[InputRecord] = []
    tick_hooks = app.world[TickHooks]
    tick_hooks.before.append(lambda world, record: InputRecord((LEFT,)) if record.events else record)
    tick_hooks.after.append(lambda world, record: told.append(record))
    app.run(2)
    assert seen == [["LEFT"], []]
    assert told == [InputRecord((LEFT,)), InputRecord((LEFT,))]


def test_a_tap_lets_time_stand_still(rish_app: Any) -> None:
    """If a `before` hook returns None, the tick is skipped and no further hook is called."""
    backend, plugins, seen = pressing([[SPACE], []])
    app = rish_app(plugins=plugins, backend=backend, strict=False)
    asked: list[int] = []
    app.world[TickHooks].before += [
        lambda world, record: None if record.events else record,
        lambda world, record: asked.append(world.tick) or record,
    ]
    app.run(3)
    assert app.world.tick == 2
    assert seen == [[], []]
    assert asked == [0, 1]


def test_a_simulated_tick_calls_no_observer(rish_app: Any) -> None:
    """A simulated tick calls no hooks, so that a tool which replays the past is not recorded."""
    app = rish_app(strict=False)
    heard: list[str] = []
    app.world[TickHooks].before.append(lambda world, record: heard.append("before") or record)
    app.world[TickHooks].after.append(lambda world, record: heard.append("after"))
    app.simulate(InputRecord((SPACE,)))
    assert (heard, app.world.tick) == ([], 1)
    app.tick()
    assert (heard, app.world.tick) == (["before", "after"], 2)


def scoring(world: Any, event: WindowEvent) -> bool:
    """A handler that writes state and swallows the event."""
    world[Score].points += 1
    return True


def test_what_a_layer_of_the_game_writes_follows_from_the_record(rish_app: Any) -> None:
    """The handlers of a game's layers run within the tick, so the records alone reproduce the state."""
    layers: dict[str, Any] = {"rish_layers": lambda: [Layer("menu", overlay=True, on_event=scoring)]}
    backend, plugins, seen = pressing([[SPACE], [], [LEFT, SPACE]], **layers)
    app = rish_app(plugins=plugins, backend=backend, strict=False)
    records: list[InputRecord] = []
    app.world[TickHooks].after.append(lambda world, record: records.append(record))
    app.run(4)
    assert app.world[Score].points == 3
    assert seen == [[], [], [], []]
    _, plugins, _ = pressing([], **layers)
    again = rish_app(plugins=plugins, strict=False)
    for record in records:
        again.simulate(record)
    assert again.world[Score].points == 3
    assert again.world.hash() == app.world.hash()


def test_a_layer_of_a_tool_is_asked_when_the_event_comes(rish_app: Any) -> None:
    """A tool's layer gets events before the tick; those it swallows are in no record and reach no other layer."""
    asked: list[str] = []

    def tool(world: Any, event: WindowEvent) -> bool:
        asked.append(f"tool {event.name}")
        return event.name == "SPACE"

    def game(world: Any, event: WindowEvent) -> bool:
        asked.append(f"game {event.name}")
        return False

    backend, plugins, seen = pressing(
        [[SPACE, LEFT], []], rish_layers=lambda: [Layer("menu", overlay=True, on_event=game)]
    )
    app = rish_app(plugins=plugins, backend=backend, strict=False)
    app.world[LayerStack].push(app.world, Layer("editor", overlay=True, tool=True, on_event=tool))
    app.clock.pause()
    app.frame()
    assert asked == ["tool SPACE", "tool LEFT"]
    app.clock.pause(False)
    app.frame()
    assert asked == ["tool SPACE", "tool LEFT", "game LEFT"]
    assert seen == [["LEFT"]]


def test_no_press_of_a_slow_frame_is_lost(rish_app: Any) -> None:
    """A key that is pressed several times within a frame is pressed in as many ticks, and the other keys in order."""
    up = WindowEvent("key", "SPACE")
    events = [SPACE, up, SPACE, up, LEFT, SPACE, up]
    backend, plugins, seen = pressing([events])
    app = rish_app(plugins=plugins, backend=backend, strict=False)
    app.run(5)
    assert seen == [["SPACE"], ["SPACE", "LEFT"], ["SPACE"], [], []]


def test_events_after_a_command_that_settles_wait_for_a_tick(rish_app: Any) -> None:
    """A layer of a tool gets the rest of a frame's events after the tick of its command; the window still closes."""
    told: list[tuple[int, str]] = []

    def listen(world: Any, event: WindowEvent) -> bool:
        told.append((world.tick, event.name))
        if event.name == "SPACE":
            world[PendingInput].send(WindowEvent("command", "Clicked"), settle=True)
        return True

    backend, plugins, _ = pressing([])
    app = rish_app(plugins=plugins, backend=backend, strict=False)
    app.world[LayerStack].push(app.world, Layer("tool", tool=True, on_event=listen))
    app.clock.pause()
    backend.send(SPACE, LEFT)
    app.frame()
    assert told == [(0, "SPACE"), (0, "LEFT")], "while no tick runs, nothing waits"
    told.clear()
    app.clock.pause(False)
    app.frame()
    backend.send(SPACE, LEFT, SPACE, LEFT)
    app.run(3)
    assert told == [(1, "SPACE"), (2, "LEFT"), (2, "SPACE"), (3, "LEFT")]
    backend.send(SPACE, LEFT, WindowEvent("close"))
    app.run(1)
    assert told[4:] == [(4, "SPACE")]
    assert not app.running
