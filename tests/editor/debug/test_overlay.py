"""The debug overlay: panels over the running game, on one key, that never disturb what is recorded."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_core import App, Interventions, Transform, named
from rish_editor.debug.plugin import Debug
from rish_editor.testing import UIDriver
from rish_editor.ui.keys import key_code
from rish_history import RandomPlayer, Recorder, origin_of, read_recording, verify


def _console(player: UIDriver) -> Any:
    player.shell.editor.show("editor.console")
    player.step(2)
    return player.shell.editor.panels["editor.console"].repl


def _run(player: UIDriver, text: str) -> None:
    player.click("editor.console/input")
    player.type(text)
    player.key("Enter")
    player.step(3)


def test_the_key_shows_and_hides_the_overlay(opened: Callable[..., App]) -> None:
    """The overlay is drawn over the game from one press of its key to the next; hidden, the picture is the game's."""
    app = opened()
    window = app.host.backend.window  # pyright: ignore[reportAttributeAccessIssue]
    app.run(2)
    app.clock.pause()
    app.frame()
    before = app.pixels()
    for shown in (True, False):
        window.dispatch_event("on_key_press", key_code("F12"), 0)
        window.dispatch_event("on_key_release", key_code("F12"), 0)
        window.dispatch_events()
        app.run(4)
        changed = (app.pixels() != before).any(axis=2).mean()
        assert changed > 0.05 if shown else changed == 0


def test_the_panels_in_game_are_those_that_say_so(player: UIDriver) -> None:
    """Log, console and hierarchy are in the overlay, with a button each; the scene view is not."""
    for name in ("editor.hierarchy", "editor.log", "editor.console"):
        assert player.sees(f"debug/{name}")
    assert not player.sees("debug/editor.scene")
    assert player.sees("editor.log")
    player.click("debug/editor.log")
    player.step()
    assert not player.sees("editor.log")


_USUAL = ("editor.hierarchy", "editor.inspector", "editor.log", "editor.console")


def _small(opened: Callable[..., App], size: tuple[int, int] = (640, 360), *, seen: bool = False) -> UIDriver:
    from .conftest import Player

    app = opened(size=size)
    app.headless = not seen  # what nobody sees is not saved
    driver = UIDriver(Player(app))  # pyright: ignore[reportArgumentType]
    app.world[Debug].switch.show()
    driver.step(6)
    return driver


def _overlap(a: Any, b: Any) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.parametrize("size", [(640, 360), (320, 240)])
def test_a_small_game_is_not_covered(opened: Callable[..., App], size: tuple[int, int]) -> None:
    """At first only the bar is over a small game; each panel covers less than a fifth of it."""
    driver = _small(opened, size)
    width, height = size
    assert not any(driver.sees(name) for name in _USUAL)
    for name in _USUAL:
        driver.click(f"debug/{name}")
        driver.step(4)
        left, top, right, bottom = driver.place(name)[:4]
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
        assert (right - left) * (bottom - top) < 0.2 * width * height
    if size == (640, 360):
        places = [driver.place(name)[:4] for name in _USUAL]
        assert not any(_overlap(a, b) for k, a in enumerate(places) for b in places[:k])


def test_the_bar_moves_and_folds(opened: Callable[..., App]) -> None:
    """The grip moves the bar, not beyond the window; folded, it has the buttons that stop time alone."""
    driver = _small(opened)
    before = driver.place("debug/pause")
    driver.drag("debug/move", by=(-30, 200))
    after = driver.place("debug/pause")
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((-30, 200), abs=1)
    driver.drag("debug/move", by=(-900, 900))
    left, _, _, bottom = driver.place("debug/move")[:4]
    assert left >= 0
    assert bottom <= 360
    driver.click("debug/fold")
    driver.step(2)
    assert driver.sees("debug/pause")
    assert not driver.sees("debug/editor.log")
    driver.click("debug/fold")
    driver.step(2)
    assert driver.sees("debug/editor.log")


def test_a_panel_over_the_game_collapses(opened: Callable[..., App]) -> None:
    """A double click on the title leaves the title alone; the button of the bar shows the whole panel again."""
    driver = _small(opened)
    driver.click("debug/editor.log")
    driver.step(4)
    left, top, right, _ = driver.place("editor.log")[:4]
    driver.double_click(((left + right) / 2, top + 8))
    driver.step(2)
    assert not driver.sees("editor.log/search")
    driver.click("debug/editor.log")
    driver.click("debug/editor.log")
    driver.step(3)
    assert driver.sees("editor.log/search")


def test_what_is_open_over_a_game_is_remembered(opened: Callable[..., App]) -> None:
    """The next run has the open panels, their places and the folded bar; larger games have an arrangement of theirs."""
    driver = _small(opened, seen=True)
    driver.click("debug/editor.console")
    driver.step(4)
    left, top, *_ = driver.place("editor.console")[:4]
    driver.drag((left + 120, top + 8), by=(-150, -60))
    driver.click("debug/fold")
    driver.step(2)
    place = driver.place("editor.console")[:4]
    driver.shell.app.close()  # pyright: ignore[reportAttributeAccessIssue]
    driver = _small(opened, seen=True)
    assert driver.place("editor.console")[:4] == pytest.approx(place, abs=1)
    assert not driver.sees("editor.log")
    assert not driver.sees("debug/editor.log")
    driver.shell.app.close()  # pyright: ignore[reportAttributeAccessIssue]
    driver = _small(opened, (1000, 600), seen=True)
    assert driver.sees("editor.log")
    assert not driver.sees("editor.console")


def test_pause_and_step_stop_the_running_game(player: UIDriver) -> None:
    """The bar pauses the game and runs single ticks."""
    app = player.shell.app  # pyright: ignore[reportAttributeAccessIssue]
    player.click("debug/pause")
    tick = app.world.tick
    player.step(5)
    assert app.world.tick == tick
    player.click("debug/step")
    player.step(3)
    assert app.world.tick == tick + 1


def test_input_over_the_overlay_does_not_reach_the_game(player: UIDriver) -> None:
    """Clicks and keys over a panel are the overlay's; those over the game are the game's, with their releases."""
    got: list[str] = []
    real = player.shell.real  # pyright: ignore[reportAttributeAccessIssue]
    names = ("on_mouse_press", "on_mouse_release", "on_key_press", "on_key_release", "on_text")
    real.push_handlers(**{name: lambda *given, name=name: got.append(name) for name in names})
    player.shell.switch.show()  # pyright: ignore[reportAttributeAccessIssue]
    player.step(2)
    player.click("editor.log/search")
    player.type("x")
    player.key("A")
    assert got == []
    player.click((500.0, 200.0))
    player.key("A")
    player.type("x")
    assert got == ["on_mouse_press", "on_mouse_release", "on_key_press", "on_key_release", "on_text"]


def test_the_key_works_while_a_field_has_the_keyboard(player: UIDriver) -> None:
    """F12 hides the overlay even while a person types into it."""
    _console(player)
    player.click("editor.console/input")
    player.key("F12")
    assert not player.shell.switch.shown  # pyright: ignore[reportAttributeAccessIssue]


def test_the_console_changes_the_run_and_notes_it(player: UIDriver) -> None:
    """An edit through the overlay changes the running World and counts as an intervention; looking does not."""
    world = player.shell.app.world  # pyright: ignore[reportAttributeAccessIssue]
    repl = _console(player)
    _run(player, "world.tick")
    assert world[Interventions].count == 0
    player.click("debug/pause")
    _run(player, "find('ball').set(Transform(position=(7, 8)))")
    assert [piece.text for piece in repl.pieces if piece.kind == "error"] == []
    ball = named(world, "ball")
    assert world.get(ball, Transform).position == (7, 8)
    assert world[Interventions].count == 1
    assert "editor.console" in world[Interventions].reasons[-1][1]


@pytest.mark.slow
@pytest.mark.parametrize("edits", [False, True], ids=["looked at", "edited"])
def test_a_recording_with_the_overlay_verifies_without_it(
    opened: Callable[..., App], tmp_path: Path, edits: bool
) -> None:
    """A recording made while the overlay is hidden, shown, and used replays to the same hashes without the overlay."""
    from .conftest import Player

    app = opened(more=("history",))
    driver = UIDriver(Player(app))  # pyright: ignore[reportArgumentType]
    RandomPlayer(app, seed=3).take_over()
    recorder = Recorder(app, tmp_path / "run.rish", origin_of(app))
    app.run(20)
    app.world[Debug].switch.show()
    driver.step(20)
    driver.click("debug/editor.log")
    driver.click("debug/editor.log")
    if edits:
        _console(driver)
        _run(driver, "find('ball').set(Transform(position=(7, 8)))")
    driver.step(10)
    app.world[Debug].switch.show(False)
    app.run(20)
    recorder.finish()
    assert not recorder.failed
    recording = read_recording(tmp_path / "run.rish")
    assert len(recording.segments) == (2 if edits else 1)
    other = opened(debug=False, more=("history",))
    assert recording.origin.differences(origin_of(other)) == []
    assert verify(other, recording) is None
    assert other.world.hash() == app.world.hash()


def test_a_game_without_opengl_goes_on_with_one_line(
    opened: Callable[..., App], caplog: pytest.LogCaptureFixture
) -> None:
    """With a backend that the overlay can't draw onto, the game runs, and one line says what to do."""
    app = opened(backend="software")
    app.run(2)
    lines = [record.getMessage() for record in caplog.records if "--debug" in record.getMessage()]
    assert len(lines) == 1
    assert "--backend arcade" in lines[0]


def test_a_hidden_overlay_costs_nothing(opened: Callable[..., App]) -> None:
    """While it is hidden, nothing of the interface is made: no context, no fonts, and no call but a test of a flag."""
    app = opened()
    app.run(3)
    switch = app.world[Debug].switch
    assert switch.overlay is None
    begin = time.perf_counter()
    for _ in range(1000):
        switch._draw()
    assert time.perf_counter() - begin < 0.05


def test_a_panel_of_a_plugin_is_in_the_overlay(folder: Path) -> None:
    """A plugin's panel with `in_game` is drawn over the game, and its sliders change live variables."""
    from types import SimpleNamespace

    from rish_core import open_game, resource

    from .conftest import Player

    @resource
    class Wind:
        speed: float = 0.0

    class Tuning:
        id, title, dock, in_game = "wind.tuning", "Tuning", "bottom", True

        def draw(self, ui: Any, editor: Any) -> None:
            wind = editor.game.world[Wind]
            new = ui.slider("speed", wind.speed, 0.0, 10.0)
            if new is not None:
                wind.speed = new

    plugin = SimpleNamespace(rish_resources=lambda: [Wind], rish_editor_panels=lambda: [Tuning])
    options: dict[str, Any] = {"headless": True, "backend": "arcade", "extra": {"wind": plugin}}
    with open_game(folder, ["settings.debug.open=false"], more=["debug", "wind"], **options) as app:
        driver = UIDriver(Player(app))  # pyright: ignore[reportArgumentType]
        app.world[Debug].switch.show()
        driver.step(6)
        driver.shell.editor.show("wind.tuning")
        driver.step(3)
        driver.drag("wind.tuning/speed", by=(80, 0))
        assert 0 < app.world[Wind].speed <= 10
        assert app.world[Interventions].count >= 1


def test_commands_that_need_the_editors_window_are_absent(player: UIDriver) -> None:
    """Over a game there are no files, layouts and palette, so no command asks for them; none fails to be asked."""
    editor = player.shell.editor
    assert "edit.duplicate" in editor.commands
    for name in ("file.save", "layout.reset", "tools.palette", "play.start"):
        assert name not in editor.commands
    for command in editor.commands:
        editor.commands.enabled(command.id, editor)
        editor.commands.checked(command.id, editor)
    assert not [line for line in editor.log.lines if line.level >= 40]


def test_the_profiler_is_in_the_overlay(opened: Callable[..., App]) -> None:
    """With the plugin `profiler`, as `rish run --debug` loads it, its panel is among those of the overlay."""
    from .conftest import Player

    driver = UIDriver(Player(opened(more=("profiler",))))  # pyright: ignore[reportArgumentType]
    driver.shell.switch.show()  # pyright: ignore[reportAttributeAccessIssue]
    driver.step(6)
    driver.click("debug/profiler.panel")
    driver.step(4)
    assert driver.sees("profiler.panel")


def test_plugins_are_switched_from_their_panel(player: UIDriver) -> None:
    """A button switches a plugin off at the next tick border, and again on; what is refused is logged."""
    player.shell.editor.show("debug.plugins")
    player.step(2)
    app = player.shell.editor.game.app
    for running in (False, True):
        player.click("debug.plugins/physics/switch")
        player.step(3)
        assert ("physics" in app.plugins) is running
    player.click("debug.plugins/render/switch")
    player.step(3)
    assert "can't be taken from a running game" in player.shell.editor.log.lines[-1].text
