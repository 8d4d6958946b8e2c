"""Kernels that the World begins to need compile beside the editor: it goes on meanwhile, and a run waits for them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from imgui_bundle import imgui

import rish_jit
from rish_authoring import add_component
from rish_core import find
from rish_editor.session.game.play import PlayState
from rish_editor.session.settings import Settings
from rish_editor.shell.files import loading
from rish_editor.shell.shell import Shell
from rish_editor.testing import LEFT, UIDriver
from rish_editor.ui.keys import key_code
from rish_render import open_window
from scene_hands import SceneHands

needs_numba = pytest.mark.skipif(not rish_jit.available(), reason="needs numba")
YAML = """rish: 1
game: {title: Windy, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: mill, Transform: {position: [0, 0]}, Shape: {size: [60, 60], color: red}}
"""
CODE = """
import numpy as np
from rish_core import Input, Stage, component, system
from rish_jit import njit

calls = {"drawn": 0, "ticks": 0, "pressed": 0}

@component
class Wind:
    speed: float = 1.0

@njit
def blow(rows, dt):
    for i in range(len(rows)):
        rows[i] += dt

def rish_components():
    return [Wind]

def rish_warm_up(world):
    return {"wind": lambda: blow(np.zeros(1, np.float32), 0.5)} if len(world.table(Wind)) else {}

@system(Stage.EXTRACT)
def draw_wind(world, dt):
    if len(world.table(Wind)):
        blow(np.zeros(4, np.float32), 0.5)
        calls["drawn"] += 1

@system(Stage.UPDATE)
def push(world, dt):
    calls["ticks"] += 1
    calls["pressed"] += world[Input].pressed("A")

def rish_systems():
    return [draw_wind, push]
"""


class Processes:
    """Stands for worker processes: they compile when the test says so. able: whether they can compile anything."""

    def __init__(self) -> None:
        self.able = True
        self.finished = threading.Event()

    def compile(self, features: Any, entries: Any, watch: Callable[[int, int], bool], **options: Any) -> bool:
        """Compile until the test ends it."""
        going_on = True
        while not self.finished.wait(0.002) and going_on:
            going_on = watch(1, 4)
        return going_on

    def missing(self, entries: Any) -> list[Any]:
        """Return what is not compiled."""
        return [] if self.finished.is_set() and self.able else [*entries]


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    """Processes that compile when the test says so."""
    stub = Processes()
    monkeypatch.setenv("RISH_NO_JIT", "1")  # the kernel itself is plain Python
    monkeypatch.setattr("rish_editor.session.game.preparing.available", lambda: True)
    monkeypatch.setattr("rish_editor.session.game.preparing.missing", stub.missing)
    monkeypatch.setattr("rish_editor.session.game.preparing.load", lambda entries: None)
    monkeypatch.setattr(rish_jit.Features, "ready", lambda features, names: not features.listed(names))
    monkeypatch.setattr(
        rish_jit.Features, "compile", lambda features, *given, **options: stub.compile(features, *given)
    )
    yield stub
    stub.finished.set()


@pytest.fixture
def windy(tmp_path: Path, driver: UIDriver) -> Any:
    """A game whose wind needs a kernel, and has none yet; the editor prepares kernels."""
    folder = tmp_path / "windy"
    folder.mkdir()
    (folder / "game.yaml").write_text(YAML)
    (folder / "plugin.py").write_text(CODE)
    driver.shell.prepares = True
    assert driver.shell.open(folder), [line.text for line in driver.shell.log.lines]
    game = driver.shell.editor.game
    assert game is not None
    module = game.app.plugins["game"].module.__name__
    (folder / "kernels.txt").write_text(f"{module}.blow | (f4[::1], f8) | wind\n")
    driver.step(3)
    return game


def wind_of(game: Any) -> type:
    """Return the component of the game that needs the kernel."""
    return next(kind.cls for kind in game.app.registry.components.values() if kind.name == "Wind")


def add_wind(game: Any) -> None:
    """Give an entity wind, as the inspector does."""
    mill = find(game.world, "mill")
    assert mill is not None
    with game.edit("Add Wind"):
        add_component(game.app, [mill], wind_of(game))


def calls_of(game: Any) -> dict[str, int]:
    """Return how often the systems of the game ran."""
    return game.app.plugins["game"].module.calls


def settle(driver: UIDriver, until: Callable[[], bool]) -> None:
    """Run frames until something is true, for at most a minute."""
    end = time.monotonic() + 60
    while not until() and time.monotonic() < end:
        driver.step()
        time.sleep(0.002)
    assert until()


def test_editing_goes_on_while_a_kernel_is_prepared(windy: Any, driver: UIDriver, processes: Processes) -> None:
    """Keys and clicks are answered at once, the status bar tells how far it is, and what needs the kernel rests."""
    add_wind(windy)
    settle(driver, lambda: driver.sees("status/preparing"))
    grid = driver.shell.editor.settings.show_grid
    driver.key("G")
    driver.click("toolbar/tool.rotate")
    assert driver.shell.editor.settings.show_grid is not grid
    assert driver.shell.editor.view.tool == "rotate"
    with windy.edit("Move"):
        windy.world.set(find(windy.world, "mill"), wind_of(windy)(speed=3.0))
    driver.step(3)
    assert calls_of(windy)["drawn"] == 0
    processes.finished.set()
    settle(driver, lambda: calls_of(windy)["drawn"] > 0)
    assert not windy.preparation.pending
    assert [step.name for step in windy.history.done] == ["Add Wind", "Move"]


def test_a_run_begins_when_its_kernels_are_there(windy: Any, driver: UIDriver, processes: Processes) -> None:
    """F5 shows a card with progress; the run begins afterwards with its first tick, and no time is made up for."""
    add_wind(windy)
    driver.key("F5")
    driver.step(30)
    assert windy.play.state is PlayState.EDIT
    assert driver.sees("loading/progress")
    assert driver.sees("loading/cancel")
    assert calls_of(windy)["ticks"] == 0
    processes.finished.set()
    settle(driver, lambda: windy.play.state is PlayState.PLAYING)
    assert calls_of(windy)["ticks"] <= 1
    settle(driver, lambda: calls_of(windy)["ticks"] == 5)
    assert not driver.sees("loading/progress")


@pytest.mark.parametrize("how", ["Escape", "button"])
def test_waiting_for_a_run_can_be_cancelled(windy: Any, driver: UIDriver, processes: Processes, how: str) -> None:
    """Escape and the card's button end the waiting: the run does not begin later, and the compilation goes on."""
    add_wind(windy)
    driver.key("F5")
    driver.step(30)
    if how == "Escape":
        driver.key("Escape")
    else:
        driver.click("loading/cancel")
    driver.step(2)
    assert not driver.sees("loading/progress")
    processes.finished.set()
    settle(driver, lambda: not windy.preparation.pending)
    driver.step(3)
    assert windy.play.state is PlayState.EDIT
    driver.key("F5")
    assert windy.play.state is PlayState.PLAYING


def test_a_run_stands_still_for_what_it_begins_to_need(windy: Any, driver: UIDriver, processes: Processes) -> None:
    """What appears in a run stops its ticks until its kernel is there; a press of that time reaches the game."""
    driver.key("F5")
    driver.step(5)
    assert driver.shell.input.focused
    windy.world.spawn(wind_of(windy)())
    windy.world.flush()
    driver.step()
    ticks = calls_of(windy)["ticks"]
    driver.step(30)
    assert driver.sees("loading/progress")
    driver.key("A")
    assert calls_of(windy) == {"drawn": 0, "ticks": ticks, "pressed": 0}
    processes.finished.set()
    settle(driver, lambda: calls_of(windy)["drawn"] > 0)
    assert calls_of(windy)["ticks"] <= ticks + 2
    assert calls_of(windy)["pressed"] == 1


def test_what_processes_cannot_compile_is_named_and_stops_nothing(
    windy: Any, driver: UIDriver, processes: Processes, caplog: pytest.LogCaptureFixture
) -> None:
    """If worker processes fail, a line of the log names the kernel, and the run begins nevertheless."""
    processes.able = False
    add_wind(windy)
    driver.key("F5")
    with caplog.at_level(logging.WARNING, "rish.editor"):
        processes.finished.set()
        settle(driver, lambda: windy.play.state is PlayState.PLAYING)
    assert "blow" in caplog.text
    settle(driver, lambda: calls_of(windy)["drawn"] > 0)


def test_undo_ends_the_waiting(windy: Any, driver: UIDriver, processes: Processes) -> None:
    """What was taken away again is not waited for."""
    add_wind(windy)
    driver.step(2)
    assert windy.preparation.pending
    windy.undo()
    driver.key("F5")
    assert windy.play.state is PlayState.PLAYING


@pytest.mark.slow
def test_a_window_goes_on_after_a_plugin_is_switched_on(
    processes: Processes, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a window, a lamp that needs the plugin of lights comes in one step, though its kernels are never finished:
    clicks, keys, undo and redo act; Play waits until the lamp is gone.
    """
    (tmp_path / "game.yaml").write_text(YAML.replace(", Shape: {size: [60, 60], color: red}", ""))
    monkeypatch.setattr("rish_lighting.plugin.available", lambda: True)
    window = open_window("Test", (1280, 720), visible=False)
    shell = Shell(settings, window=window, marks=True, drawn=False, saves=False)
    driver = UIDriver(shell)
    try:
        assert shell.open(tmp_path)
        driver.step(5)
        game = shell.editor.game
        assert game is not None
        assert shell.editor.run("entity.create.light")
        driver.step(3)
        assert "lighting" in game.app.plugins.names
        assert {plugin for plugin, _ in game.preparation.pending} == {"lighting"}
        driver.click("editor.hierarchy/rows/mill")
        assert [game.name_of(handle) for handle in game.selection] == ["mill"]
        while game.history.done:
            driver.key("Ctrl+Z")
        driver.step(3)
        assert not game.preparation.pending
        for key, there in (("Ctrl+Y", True), ("Ctrl+Z", False), ("Ctrl+Y", True)):
            driver.key(key)
            driver.step(3)
            assert ("lighting" in game.app.plugins.names) is there
            assert bool(game.preparation.pending) is there
        driver.key("F5")
        driver.step(3)
        assert game.play.state is PlayState.EDIT
        driver.key("Escape")
        driver.key("Ctrl+Z")
        driver.key("F5")
        driver.step(3)
        assert game.play.state is PlayState.PLAYING
        driver.key("F8")
    finally:
        shell.close()
        window.close()


@pytest.mark.slow
@needs_numba
def test_a_kernel_compiles_in_another_process_while_frames_go_on(
    windy: Any, driver: UIDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an empty cache the editor goes on, compiles nothing itself, and never waits within a call."""
    monkeypatch.setenv("RISH_CACHE_DIR", str(tmp_path / "cache"))
    compiled: list[str] = []
    waited: list[str] = []
    stops = [
        rish_jit.on_compile(lambda name, n: compiled.append(name)),
        rish_jit.on_wait(lambda *given: waited.append(given[0])),
    ]
    windy.app.kernels.compile_elsewhere(lambda: None)
    add_wind(windy)
    frames = driver.shell.frames
    settle(driver, lambda: calls_of(windy)["drawn"] > 0)
    for stop in stops:
        stop()
    assert driver.shell.frames > frames + 5
    assert (compiled, waited) == ([], [])


# A window that stands still


@pytest.fixture
def clock(processes: Processes, windy: Any, driver: UIDriver, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The clock of the window, moved by hand."""
    by_hand = SimpleNamespace(now=100.0)
    fake = SimpleNamespace(perf_counter=lambda: by_hand.now, sleep=lambda seconds: None)
    monkeypatch.setattr(loading, "time", fake)
    monkeypatch.setattr("rish_editor.shell.shell.time", fake)
    monkeypatch.setattr(driver.shell, "headless", False)
    driver.shell.frame()
    return by_hand


@pytest.mark.parametrize("drawing", [False, True])
def test_a_window_that_stands_still_shows_a_card_and_keeps_its_events(
    windy: Any, driver: UIDriver, clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, drawing: bool
) -> None:
    """While a called kernel compiles, also in the middle of a frame, a card names it; the drag of that time moves what
    was held, and the key pressed then acts.
    """
    shell, steps = driver.shell, list[str]()
    monkeypatch.setattr(loading, "draw_card", lambda ui, title, step, progress: steps.append(f"{step} {progress}"))
    hands = SceneHands(driver, windy)
    hands.select("mill")
    driver.move(hands.at(0.0, 0.0))
    driver.press()
    x, y = driver.at[0], driver.window.height - driver.at[1]
    events: list[tuple[Any, ...]] = [
        *(("on_mouse_drag", x + k, y, 10, 0, LEFT, 0) for k in (10, 20, 30, 40)),
        ("on_mouse_release", x + 40, y, LEFT, 0),
        ("on_key_press", key_code("G"), 0),
    ]

    def dispatch() -> None:
        if waiting and events:
            driver.window.dispatch_event(*events.pop(0))
        dispatch_events()

    waiting = False

    def wait() -> None:
        nonlocal waiting
        waiting = True
        for done in range(20):
            clock.now += 0.5
            shell.busy.show_kernel("some_plugin.kernels.spawn", done, 20)
        waiting = False

    dispatch_events, draw, waits = driver.window.dispatch_events, shell.editor.panels.draw, [wait]
    monkeypatch.setattr(driver.window, "dispatch_events", dispatch)

    def draw_once(root: int) -> None:
        if waits:
            waits.pop()()
        draw(root)

    if drawing:
        monkeypatch.setattr(shell.editor.panels, "draw", draw_once)
    else:
        shell.editor.later(wait)
    grid = shell.editor.settings.show_grid
    shell.frame()
    assert len(steps) > 10
    assert all("spawn" in step for step in steps)
    assert "(19, 20)" in steps[-1]
    assert not events
    for _ in range(12):
        clock.now += 1 / 60
        shell.frame()
    assert hands.pose("mill")[0].tolist() == [40.0, 0.0]
    assert not imgui.is_mouse_down(0)
    assert shell.editor.settings.show_grid is not grid


def test_a_run_makes_up_for_no_time_in_which_the_window_stood_still(
    windy: Any, driver: UIDriver, clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten seconds in which a kernel compiled are no ten seconds of the game."""
    windy.play.start()
    seconds: list[float] = []
    monkeypatch.setattr(windy.play, "advance", seconds.append)
    for moment in (0.0, 5.0, 5.0):
        clock.now += moment
        driver.shell.busy.show_kernel("some_plugin.kernels.spawn", 0, 1)
    for _ in range(3):
        clock.now += 1 / 60
        driver.shell.frame()
    assert len(seconds) == 3
    assert max(seconds) < 0.1
