"""The App in play: input reaches the tick, scenes change between ticks, and failing systems are disabled."""

from __future__ import annotations

import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from in_memory import SPACE, SPACE_UP, MakeApp, plugin, watching

from rish_core import (
    Input,
    InputRecord,
    Layer,
    Layers,
    LayerStack,
    Persistent,
    Scenes,
    Stage,
    Transform,
    UsageError,
    WindowEvent,
    in_scene,
    open_game,
    system,
)
from rish_core.errors import PluginError
from rish_core.loop.schedule import SystemFailed
from rish_ecs import TICK_STAGES, UnknownName
from rish_frame import Frame, NullBackend

# Input


def pressing(events: list[Any], **options: Any) -> tuple[NullBackend, SimpleNamespace, list[tuple[int, bool, bool]]]:
    """Return a scripted backend, a plugin that logs (tick, pressed, down) of the action `jump`, and its log."""
    seen: list[tuple[int, bool, bool]] = []

    def note(world: Any) -> None:
        keys = world[Input]
        seen.append((world.tick, keys.pressed("jump"), keys.down("jump")))

    return NullBackend(events=events), watching(note), seen


JUMP = {"input": {"jump": ["SPACE", "gamepad.a"]}}


def test_input_reaches_the_tick(rish_app: MakeApp) -> None:
    """A pressed key is `pressed` for one tick, and `down` until it is released."""
    backend, mine, seen = pressing([[], SPACE, [], SPACE_UP, []])
    rish_app(JUMP, plugins={"mine": mine}, backend=backend, strict=False).run(frames=5)
    assert seen == [(0, False, False), (1, True, True), (2, False, True), (3, False, False), (4, False, False)]


def test_a_tap_within_a_frame_without_ticks_is_not_lost(rish_app: MakeApp) -> None:
    """A tap within a frame without ticks is one press in the next tick."""
    backend, mine, seen = pressing([[SPACE, SPACE_UP], [], []])
    app = rish_app(JUMP, plugins={"mine": mine}, backend=backend, strict=False, headless=False)
    for seconds in (0.0, 0.001, 0.001, 0.05):
        app.frame(seconds=seconds)
    assert [pressed for _, pressed, _ in seen] == [True, False, False]
    assert [down for _, _, down in seen] == [True, False, False]


def test_several_ticks_of_a_frame_see_the_edge_once(rish_app: MakeApp) -> None:
    """Only the first of several ticks in a frame has the edge."""
    backend, mine, seen = pressing([SPACE])
    app = rish_app(JUMP, plugins={"mine": mine}, backend=backend, strict=False, headless=False)
    app.frame(seconds=0.07)
    assert seen == [(0, True, True), (1, False, True), (2, False, True), (3, False, True)]


def test_a_tick_can_be_given_its_input(rish_app: MakeApp) -> None:
    """Ticks with recorded input give the same state as the window's events."""
    backend, mine, seen = pressing([[], SPACE, SPACE_UP, []])
    live = rish_app(JUMP, plugins={"mine": mine}, backend=backend, strict=False)
    live.run(frames=4)
    again = rish_app(JUMP, plugins={"mine": mine}, strict=False)
    for events in ((), (SPACE,), (SPACE_UP,), ()):
        again.tick(InputRecord(events))
    assert seen[:4] == seen[4:]
    assert live.world.hash() == again.world.hash()


def test_events_pass_the_layers_from_the_top(rish_app: MakeApp) -> None:
    """Events pass the layers from the top; a swallowed one goes no further, and hidden layers get none."""
    asked: list[str] = []

    def layer(name: str, swallows: bool, **options: Any) -> Layer:
        def handle(world: Any, event: WindowEvent) -> bool:
            asked.append(f"{name} {event.name}")
            return swallows and event.name == "SPACE"

        return Layer(name, on_event=handle, **options)

    backend, mine, seen = pressing([SPACE, [], SPACE])
    console = layer("console", True, overlay=True)
    mine.rish_layers = lambda: [layer("ground", False), console]
    app = rish_app(JUMP, plugins={"mine": mine}, backend=backend, strict=False)
    app.frame()
    app.frame()
    assert asked == ["console SPACE"]
    app.world[Layers].show("console", False)
    app.frame()
    assert asked == ["console SPACE", "ground SPACE"]
    assert [pressed for _, pressed, _ in seen] == [False, False, True]


def test_letting_go_is_never_swallowed(rish_app: MakeApp) -> None:
    """A release is never swallowed, so a key that was held when a layer opened does not stick."""
    backend, mine, seen = pressing([SPACE, SPACE_UP])
    app = rish_app(JUMP, plugins={"mine": mine}, backend=backend, strict=False)
    app.frame()
    greedy = Layer("greedy", overlay=True, on_event=lambda world, event: True)
    app.world[LayerStack].push(app.world, greedy)
    app.frame()
    assert [down for _, _, down in seen] == [True, False]


def test_a_new_size_reaches_the_frame(rish_app: MakeApp) -> None:
    """A resize event passes the layers, and the next frame has the new size."""
    sizes: list[tuple[float, float]] = []

    def handle(world: Any, event: WindowEvent) -> bool:
        sizes.append((event.x, event.y))
        return False

    backend = NullBackend(events=[[], WindowEvent("resize", x=200, y=100)])
    app = rish_app(plugins={"mine": plugin(layers=lambda: [Layer("top", on_event=handle)])}, backend=backend)
    app.frame()
    backend.configure(size=(200, 100))
    app.frame()
    assert (sizes, app.world[Frame].size) == ([(200, 100)], (200, 100))


# Scenes

TWO = {
    "scenes": {
        "main": [{"Transform": {}}, {"name": "hero", "Transform": {}, "Persistent": {}}],
        "next": [{"Transform": {"position": [5, 5]}}] * 3,
    }
}


def test_a_scene_changes_at_the_border(rish_app: MakeApp) -> None:
    """A requested scene is changed after the tick, and persistent entities survive."""
    seen: list[tuple[str, int]] = []

    @system(Stage.PRE, writes=Scenes, run_if=in_scene("main"))
    def leave(world: Any, dt: float) -> None:
        if world.tick == 1:
            world[Scenes].go("next")

    @system(Stage.UPDATE)
    def look(world: Any, dt: float) -> None:
        seen.append((world[Scenes].current, len(world[Transform])))

    app = rish_app(TWO, plugins={"mine": plugin(leave, look)}, strict=False)
    hero = app.world[Persistent].entities.tolist()
    app.run(frames=4)
    assert seen == [("main", 2), ("main", 2), ("next", 4), ("next", 4)]
    assert app.world[Persistent].entities.tolist() == hero


def test_a_scene_that_does_not_exist_is_answered_with_the_nearest(rish_app: MakeApp) -> None:
    """An unknown scene is refused where it is requested, with the nearest name."""
    with pytest.raises(UnknownName, match="did you mean 'next'"):
        rish_app(TWO).world[Scenes].go("nxt")


def test_a_scene_may_be_begun_anew(rish_app: MakeApp) -> None:
    """A scene can be restarted, and a hook can request another one, which is changed after the next tick."""

    def pass_on(world: Any, scene: str) -> None:
        if scene == "main" and world.tick:
            world[Scenes].go("next")

    app = rish_app(TWO, plugins={"mine": plugin(scene_loaded=pass_on)})
    app.frame()
    app.world[Scenes].restart()
    app.frame()
    assert app.world[Scenes].current == "main"
    app.frame()
    assert (app.world[Scenes].current, app.world[Scenes].requested) == ("next", "")


# Failing systems


@pytest.mark.parametrize("error", [ValueError("broken"), SystemExit(2)], ids=["error", "exit"])
@pytest.mark.parametrize("stage", list(Stage))
def test_a_system_that_raises_is_set_aside(
    stage: Stage, error: BaseException, rish_app: MakeApp, caplog: pytest.LogCaptureFixture
) -> None:
    """A system that raises in any stage is logged with file and line and disabled; the others run on."""
    ran: list[int] = []

    @system(stage)
    def bad(world: Any, dt: float) -> None:
        raise error

    good = {name: watching(lambda world: ran.append(world.tick), stage) for name in ("a", "z")}
    with caplog.at_level(logging.WARNING):
        app = rish_app(plugins={"a": good["a"], "bad": plugin(bad), "z": good["z"]}, policy="disable", strict=False)
        app.run(frames=60)
    assert (len(ran), app.schedule.disabled, app.running) == (120, ("bad.bad",), True)
    messages = [r.getMessage() for r in caplog.records]
    assert len(messages) == 1
    assert "test_app_play.py:" in messages[0]
    assert f"system 'bad.bad' of plugin 'bad' failed in stage {stage.name}" in messages[0]


@pytest.mark.parametrize("stage", [Stage.FIRST, Stage.STEP, Stage.DRAW])
def test_in_development_a_failing_system_ends_the_game(stage: Stage, rish_app: MakeApp) -> None:
    """With the policy "raise" a failing system raises SystemFailed with its place and cause."""

    @system(stage)
    def bad(world: Any, dt: float) -> None:
        raise SystemExit(5)

    app = rish_app(plugins={"bad": plugin(bad)}, strict=stage in TICK_STAGES)
    with pytest.raises(
        SystemFailed, match=rf"test_app_play.py:\d+: system 'bad.bad' of plugin 'bad'.*{stage.name}"
    ) as caught:
        app.frame()
    assert isinstance(caught.value.__cause__, SystemExit)


def test_a_plugin_that_can_not_be_imported_is_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A plugin that cannot be imported is disabled; with the policy "raise" it raises PluginError."""
    (tmp_path / "game.yaml").write_text("rish: 1\nscenes: {main: []}\n")
    for text, said in (("1/0", "ZeroDivisionError"), ("import sys; sys.exit(1)", "SystemExit"), ("def", "SyntaxError")):
        (tmp_path / "plugin.py").write_text(f"\n{text}\n")
        caplog.clear()
        with open_game(tmp_path, headless=True, installed=[]) as app:
            app.run(frames=60)
            assert "game" in app.plugins.aside
        assert "plugin.py:2" in caplog.text
        assert f"plugin 'game' could not be imported: {said}" in caplog.text
        with pytest.raises(PluginError, match=rf"plugin.py:2.*plugin 'game' could not be imported: {said}"):
            open_game(tmp_path, headless=True, installed=[], policy="raise")


def test_a_frame_system_may_not_write_what_is_hashed(rish_app: MakeApp) -> None:
    """Systems outside of ticks may not spawn entities or draw random numbers."""
    for work in (lambda world: world.spawn(Transform), lambda world: world.random("x")):
        app = rish_app(plugins={"eye": watching(work, Stage.LATE)})
        with pytest.raises(SystemFailed, match="only TICK stages") as caught:
            app.frame()
        assert isinstance(caught.value.__cause__, UsageError)
