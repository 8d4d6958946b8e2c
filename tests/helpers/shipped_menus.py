"""The menus of the shipped games, driven through events of the window, and their recordings in other languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rish_core import InputRecord, Scenes, Snapshot, TickHooks, World, open_game
from rish_frame import Frame, NullBackend
from rish_ui import UiSettings
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
    """Take a game that is open back to an earlier moment, in English: cheaper than to open it again."""
    ui.world.restore(start)
    ui.world.end_frame()
    ui.world[UiSettings].language = "en"
    ui.frame()


def scene(ui: UiDriver) -> str:
    """Return the name of the current scene."""
    return ui.world[Scenes].current


def screens(ui: UiDriver) -> list[str]:
    """Return the names of the screens that are shown."""
    from rish_ui import UiState

    return [root.nodes[0].name for root in ui.world[UiState].ready(ui.world).roots if root.visible]


def replays_in_chinese(game: str, play: Callable[[UiDriver], None], changes: Sequence[str] = ()) -> bool:
    """Play a game in English, and return whether the same input gives equal hashes in Chinese, large and light.

    The hashes of every fourth tick and of the last one are compared.
    """
    records: list[InputRecord] = []
    hashes: list[str] = []

    def note(world: World, record: InputRecord) -> None:
        records.append(record)
        if len(records) % 4 == 0:
            hashes.append(world.hash())

    with menus_of(game, changes) as ui:
        first = ui.world.snapshot()
        ui.world[TickHooks].after.append(note)
        play(ui)
        last = ui.world.hash()
    with menus_of(game, changes) as ui:
        ui.world.restore(first)
        settings: UiSettings = ui.world[UiSettings]
        settings.language, settings.theme, settings.text_scale = "zh-Hant", "light", 1.5
        for number, record in enumerate(records, 1):
            ui.app.simulate(record)
            if number % 4 == 0 and ui.world.hash() != hashes[number // 4 - 1]:
                return False
        if ui.world.hash() != last:
            return False
    return any(event.kind == "command" for record in records for event in record.events)
