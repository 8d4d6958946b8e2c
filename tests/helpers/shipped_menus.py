"""The menus of the shipped games, driven through events of the window, and their recordings in other languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rish_core import InputRecord, Layers, Scenes, Snapshot, TickHooks, World, open_game
from rish_frame import Frame, NullBackend
from rish_ui import UiSettings, UiState
from ui_driver import PlainSetter, UiDriver

GAMES = Path(__file__).parents[2] / "games"


@contextmanager
def menus_of(game: str, changes: Sequence[str] = ()) -> Iterator[UiDriver]:
    """Open a shipped game in English; texts are set in letters of equal width, nothing is drawn."""
    backend = NullBackend(keep=0)
    changes = ["settings.ui.language=en", *changes]
    with open_game(GAMES / game, changes, headless=True, backend=backend, policy="raise", personal=False) as app:
        app.world[Frame].typesetter = PlainSetter()
        driver = UiDriver(app, backend)
        driver.frame(2)
        yield driver


def restart(ui: UiDriver, start: Snapshot) -> None:
    """Take a game that is open back to an earlier moment, in English: cheaper than to open it again.

    The focus is cleared, because a restore keeps it where its widget still exists.
    """
    ui.world[UiState].focus.clear()
    ui.world.restore(start)
    ui.world.end_frame()
    ui.world[UiSettings].language = "en"
    ui.frame()


class SharedMenus:
    """A game that is open for many tests of its menus, each of which gets it as it was when this was created."""

    def __init__(self, ui: UiDriver) -> None:
        self.ui, self.first = ui, ui.world.snapshot()

    def begin(self, scene: str = "", language: str = "en") -> UiDriver:
        """Return the game in its first state, or at the beginning of a scene, in a language."""
        restart(self.ui, self.first)
        if scene:
            self.ui.world[Scenes].go(scene)
        self.ui.world[UiSettings].language = language
        self.ui.frame(2)
        return self.ui


def scene(ui: UiDriver) -> str:
    """Return the name of the current scene."""
    return ui.world[Scenes].current


def screens(ui: UiDriver) -> list[str]:
    """Return the names of the screens that are shown."""
    return [root.nodes[0].name for root in ui.world[UiState].ready(ui.world).roots if root.visible]


def walk_pause(ui: UiDriver, keys: Mapping[str, str], shown: Sequence[str]) -> None:
    """Open the pause by keys, its options, go back, resume, and open it again; shown: the screens besides the pause."""

    def press(*words: str) -> list[str]:
        ui.key(*(keys[word] for word in words))
        ui.frame(2)
        return screens(ui)

    assert press("pause") == [*shown, "pause_screen"]
    assert ui.world[Layers].all_paused
    assert press("down", "down", "accept")[-1] == "options_screen"
    assert press("back") == [*shown, "pause_screen"]
    assert press("pause") == [*shown]
    assert not ui.world[Layers].all_paused
    assert press("pause") == [*shown, "pause_screen"]


def replays_in_chinese(ui: UiDriver, play: Callable[[UiDriver], None], other: UiDriver | None = None) -> bool:
    """Play a game in English, and return whether the same input gives equal hashes in Chinese, large and light.

    other: the same game, in which the input is played again; without it, the game is taken back for that.
    """
    records: list[InputRecord] = []
    hashes: list[str] = []

    def note(world: World, record: InputRecord) -> None:
        records.append(record)
        hashes.append(world.hash())

    first, hooks = ui.world.snapshot(), ui.world[TickHooks].after
    hooks.append(note)
    play(ui)
    hooks.remove(note)
    ui = other or ui
    ui.world.restore(first)
    settings: UiSettings = ui.world[UiSettings]
    english = settings.language, settings.theme, settings.text_scale
    settings.language, settings.theme, settings.text_scale = "zh-Hant", "light", 1.5
    try:
        for record, expected in zip(records, hashes, strict=True):
            ui.app.simulate(record)
            if ui.world.hash() != expected:
                return False
    finally:
        settings.language, settings.theme, settings.text_scale = english
    return any(event.kind == "command" for record in records for event in record.events)
