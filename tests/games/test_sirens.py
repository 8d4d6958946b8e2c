"""Sirens plays itself, is the same with any output, and what is heard is what the formulas say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from long_runs import LONG, long
from played_game import PlayedGame, SharedGame
from rish_audio import AudioOutput, AudioState, Buses, Voices
from rish_core import Scenes, Session, Transform, WindowEvent, open_game, read_manifest
from rish_history import History
from shipped_menus import SharedMenus, menus_of, replays_in_chinese
from ui_driver import UiDriver

SIRENS = Path(__file__).parents[2] / "games" / "sirens"
NAMES = list(read_manifest(SIRENS).scenes)


class Game(PlayedGame):
    """The game with helpers for tests."""

    def click(self, x: float, y: float) -> None:
        """Click at a place."""
        move = WindowEvent("mouse_move", x=x, y=y)
        self.tick(1, move, WindowEvent("mouse_button", "mouse.left", down=True))
        self.tick(1, WindowEvent("mouse_button", "mouse.left"))

    def put(self, place: tuple[float, float]) -> None:
        """Put the walker somewhere."""
        self.world.set(self.module("walking").walker_of(self.world), Transform(position=place))

    @property
    def shown(self) -> dict[str, Any]:
        """What the labels show."""
        return self.world[self.module("components").Readings].shown

    def voice(self, sound: str) -> int:
        """Return the row of the voice that plays a sound."""
        return int(np.flatnonzero(self.world[Voices].column("sound") == self.world.intern(sound))[0])


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedGame]:
    """The game, opened once for all tests that choose an exhibit by themselves."""
    with open_game(SIRENS, headless=True, policy="raise") as app:
        yield SharedGame(app)


@pytest.fixture
def enter(shared: SharedGame) -> Callable[[str], Game]:
    """A function that begins an exhibit without the tour."""
    return lambda scene: shared.enter(scene, Game)


@pytest.fixture(scope="module")
def menus() -> Iterator[SharedMenus]:
    """The menus of the game, opened once."""
    with menus_of("sirens") as ui:
        yield SharedMenus(ui)


@pytest.mark.slow
def test_sound_and_pictures_make_no_difference() -> None:
    """Each exhibit has the same hash when nothing is mixed or drawn, and when sound is mixed and it is drawn."""
    ticks = long(90, 12)
    hashes: list[list[str]] = []
    for heard_and_drawn in (False, True):
        backend = "null" if heard_and_drawn else None
        with open_game(SIRENS, headless=True, policy="raise", backend=backend) as app:
            if heard_and_drawn:
                app.world[AudioOutput].add_offline(app.world, "test", lambda samples: None)
            hashes.append([])
            for scene in NAMES:
                app.world[Scenes].go(scene)
                for tick in range(ticks):
                    app.run(1, draw=heard_and_drawn and tick % long(1, 12) == 0)
                assert app.world[Scenes].current == scene
                hashes[-1].append(app.world.hash())
    plain, played = (dict(zip(NAMES, each, strict=True)) for each in hashes)
    assert len(set(plain.values())) == len(NAMES)
    assert played == plain


@pytest.mark.slow
def test_the_tour_shows_every_exhibit() -> None:
    """The tour shows each exhibit, in the order of the manifest, and starts again."""
    seen: list[str] = []
    with open_game(SIRENS, ["settings.game.tour_time=0.2"], headless=True, policy="raise") as app:
        for _ in range(13 * len(NAMES) + 40):
            app.run(1, draw=False)
            current = app.world[Scenes].current
            if not seen or seen[-1] != current:
                seen.append(current)
    assert seen[: len(NAMES) + 1] == [*NAMES, NAMES[0]]


@pytest.mark.slow
def test_the_tour_rewinds_and_goes_on() -> None:
    """The tour of the first exhibit goes back once, and reaches the second one.

    The sample begins shortly before it goes back, and ends shortly after that.
    """
    with open_game(SIRENS, ["settings.game.tour_time=" + long("0", "10.5")], headless=True, policy="raise") as app:
        if not LONG:
            pilot = app.world.kind("game.Pilot")
            app.run(30, draw=False)
            app.world.set(int(app.world.query(pilot).entities[0]), pilot(active=True, time=9.8))
        ticks = [app.world.tick]
        for _ in range(long(1700, 300)):
            app.frame(draw=False)
            ticks.append(app.world.tick)
            if app.world[Scenes].current != "doppler":
                break
        assert app.world[Scenes].current == "distance"
        assert (np.diff(ticks) < 0).any()


def test_keys_choose_the_exhibit(enter: Callable[[str], Game]) -> None:
    """Numbers choose an exhibit, a page leads round, Escape leaves; a touch ended the tour."""
    game = enter("doppler")
    game.press("KEY_4")
    assert game.world[Scenes].current == "crowd"
    game.press("PAGEDOWN")
    game.press("PAGEDOWN")
    assert game.world[Scenes].current == "doppler"
    game.press("ESCAPE")
    assert game.world[Session].quit


def test_a_passing_siren_has_the_pitch_of_the_formula(enter: Callable[[str], Game]) -> None:
    """While a vehicle passes at 50 m/s, the pitch is within 0.2 % of the formula, above 1 before and below 1 after."""
    game = enter("doppler")
    street = game.module("street")
    game.press("SPACE")
    pairs: list[tuple[float, float]] = []
    for _ in range(200):
        game.tick()
        entity = street.driving(game.world)
        if entity and len(game.world[Voices]) and game.world[Voices].moved[0]:
            pairs.append(street.factors(game.world, entity))
    heard, theory = np.array(pairs[3:]).T
    assert heard.max() > 1.15
    assert heard.min() < 0.89
    assert np.abs(heard / theory - 1).max() < 0.002


def test_the_mixed_siren_has_the_frequency_of_the_formula(enter: Callable[[str], Game]) -> None:
    """The pure tone that comes nearer and goes away is within 1 % of the formula in the samples themselves."""
    game = enter("doppler")
    visit, kept = game.module("components").Visit, []
    game.world[visit].turn = 1
    game.world[AudioOutput].add_offline(game.world, "test", kept.append)
    theory = []
    for _ in range(300):
        game.tick()
        entity = game.module("street").driving(game.world)
        theory.append(440 * game.module("street").factors(game.world, entity)[1] if entity else 0.0)
    samples = np.concatenate(kept).mean(axis=1)
    for tick in (60, 90, 230, 260):
        part = samples[735 * tick : 735 * (tick + 8)] * np.hanning(735 * 8)
        spectrum = np.abs(np.fft.rfft(part, 1 << 17))
        assert spectrum.argmax() * 44100 / (1 << 17) == pytest.approx(np.mean(theory[tick : tick + 8]), rel=0.01)


@pytest.mark.parametrize("model", range(4))
def test_the_level_is_that_of_the_formula(enter: Callable[[str], Game], model: int) -> None:
    """In each model of distance, what is heard at some places is the formula's level within 0.05 dB."""
    game = enter("distance")
    field = game.module("field")
    for _ in range(model):
        game.press("SPACE")
    for place in ((330.0, 490.0), (500.0, 490.0), (860.0, 240.0)):
        game.put(place)
        game.tick(90)
        shown = field.read(game.world)
        assert shown["known"] == 1
        assert shown["level"] == pytest.approx(shown["formula"], abs=0.05)


def test_a_door_lets_the_music_out(enter: Callable[[str], Game]) -> None:
    """In front of the club's door one wall takes 6 dB, two around the clock 9.5 dB; the open door takes nothing."""
    game = enter("walls")
    game.put((200.0, 400.0))
    game.tick(120)
    voices = game.world[Voices]
    assert voices.muffled[game.voice("club")] == pytest.approx(1 / 2, abs=1e-3)
    assert voices.muffled[game.voice("clock")] == pytest.approx(2 / 3, abs=1e-3)
    assert game.shown["club_taken"] == pytest.approx(-6.02, abs=0.01)
    assert game.shown["club_cutoff"] == pytest.approx(2.6, abs=0.05)
    game.press("SPACE")
    game.tick(120)
    assert game.world[Voices].muffled[game.voice("club")] == 0
    assert game.shown["club_taken"] == 0


def test_walls_stop_the_walker(enter: Callable[[str], Game]) -> None:
    """The walker does not get through the closed door, and gets through the open one."""
    game = enter("walls")
    game.put((200.0, 400.0))
    walker = game.module("walking").walker_of(game.world)
    game.tick(60, WindowEvent("key", "W", down=True))
    assert game.world.get(walker, Transform).position[1] < 425
    game.press("SPACE")
    game.tick(60)
    assert game.world.get(walker, Transform).position[1] > 440


def test_a_crowd_shares_the_voices(enter: Callable[[str], Game]) -> None:
    """Of 240 sources 64 are mixed, chimes always; the others are virtual and go on, as the texts say."""
    game = enter("crowd")
    for _ in range(5):
        game.press("SPACE")
    game.tick(150)
    voices = game.world[Voices]
    assert len(voices) == 240
    assert int((voices.slot >= 0).sum()) == 64
    assert (voices.slot[voices.column("sound") == game.world.intern("chime")] >= 0).all()
    assert (voices.frame[voices.slot < 0] > 0).all()
    assert game.world[AudioState].stolen > 0
    assert [game.shown[name] for name in ("mixed", "most", "unheard")] == [64, 64, 176]
    game.press("BACKSPACE")
    game.tick(2)
    assert len(game.world[Voices]) == 200
    game.click(240, 300)
    game.tick(40)
    assert len(game.world[Voices]) == 240


def test_the_pointer_moves_faders_and_chooses_mixes(enter: Callable[[str], Game]) -> None:
    """A fader that is dragged down silences its bus, a click on its name mutes it, a button chooses a mix."""
    game = enter("mix")
    desk = game.module("desk")
    x = desk.LEFT + desk.STEP
    game.tick(2)
    game.tick(1, WindowEvent("mouse_move", x=x, y=500), WindowEvent("mouse_button", "mouse.left", down=True))
    game.tick(3, WindowEvent("mouse_move", x=x, y=desk.LOW))
    game.tick(2, WindowEvent("mouse_button", "mouse.left"))
    assert desk.gains(game.world)["music"] == (0.0, False)
    game.click(x, desk.LOW - 34)
    assert desk.gains(game.world)["music"][1]
    game.click(700, 432)
    game.tick(60)
    assert desk.MIXES[game.world[game.module("components").Visit].mix] == "underwater"
    buses = game.world[Buses]
    assert buses.low_pass[desk.STRIPS.index("music")] == pytest.approx(420)


def test_time_runs_backwards_while_a_key_is_held(enter: Callable[[str], Game]) -> None:
    """While R is held, the vehicle and its voice go back."""
    game = enter("doppler")
    game.tick(100)
    tick, frame = game.world.tick, int(game.world[Voices].frame[0])
    game.world[History].rewind(tick - 50)
    for _ in range(60):
        game.app.frame(draw=False)
    assert game.world.tick < tick + 20
    assert int(game.world[Voices].frame[0]) < frame


def test_instruments_are_drawn_only_with_an_output() -> None:
    """With an output the panels of the instruments have many colors, without one a line of text."""
    pictures = []
    for sound in (True, False):
        with open_game(SIRENS, ["scene=crowd"], headless=True, pixels=True, policy="raise") as app:
            if sound:
                app.world[AudioOutput].add_offline(app.world, "test", lambda samples: None)
            app.run(90, draw=False)
            app.frame()
            pictures.append(app.pixels()[720 - 152 : 720 - 36, 24:866, :3].astype(int))
    heard, silent = pictures
    bright = [(picture.max(axis=2) - picture.min(axis=2) > 90).mean() for picture in (heard, silent)]
    assert bright[0] > 0.1
    assert bright[1] < 0.001
    assert (silent.max(axis=2) > 90).any()


def test_the_bar_works_by_the_mouse(menus: SharedMenus) -> None:
    """Arrows and tabs of the bar change the exhibit, its buttons do what its keys do, and take no pointer from it."""
    ui = menus.begin("crowd")
    member = ui.world.kind("game.Member")
    ui.wait(30)
    assert len(ui.world.query(member)) == 40
    ui.click("bar.left.act")
    ui.wait(30)
    assert len(ui.world.query(member)) == 80
    ui.click("bar.left.fewer")
    assert len(ui.world.query(member)) == 40
    for path, wanted in (("left.next", "mix"), ("left.back", "crowd"), ("tabs.walls", "walls")):
        ui.click(f"bar.{path}")
        ui.frame(2)
        assert ui.world[Scenes].current == wanted


@pytest.mark.parametrize(("opens", "back"), [("M", "ESCAPE"), ("gamepad.start", "gamepad.b")])
def test_the_menu_works_by_keys(menus: SharedMenus, opens: str, back: str) -> None:
    """The menu opens and closes by keyboard and gamepad; its last button ends the game."""
    ui = menus.begin()
    ui.key(opens, back)
    assert ui.focus == ""
    assert not ui.world[Session].quit
    ui.key(opens, *(("UP", "ENTER") if opens == "M" else ("gamepad.dpad_up", "gamepad.a")))
    ui.frame()
    assert ui.world[Session].quit


@pytest.mark.parametrize(
    ("language", "scene", "wanted"),
    [
        ("en", "walls", {"Walls", "The club's door [#9fb0d8]Space[/]", "CLUB", "no wall"}),
        ("zh-Hant", "walls", {"牆壁", "夜店的門 [#9fb0d8]空白鍵[/]", "夜店", "沒有牆"}),
        ("en", "crowd", {"40 sources", "[#7f8db5]40/64 mixed, 0 virtual, 0 stolen[/]"}),
        ("zh-Hant", "crowd", {"40 個聲源", "[#7f8db5]混音 40／64   虛擬 0   被搶 0[/]"}),
        ("en", "mix", {"plain", "radio"}),
        ("zh-Hant", "mix", {"原聲", "收音機"}),
        ("zh-Hant", "distance", {"反比   10.2 公尺"}),
    ],
)
def test_the_texts_are_in_the_language(menus: SharedMenus, language: str, scene: str, wanted: set[str]) -> None:
    """Bar, panels and readings are in the language of the settings, with the keys that they stand for."""
    ui = menus.begin(scene, language)
    ui.key("F5")
    ui.wait(39)
    ui.frame()
    assert wanted <= set(ui.texts)


def test_a_recording_replays_in_chinese(menus: SharedMenus) -> None:
    """Clicks and keys on the bar and the menu, played in English, give equal hashes in Chinese with large text."""

    def play(ui: UiDriver) -> None:
        for path in ("bar.tabs.crowd", "bar.left.fewer", "bar.left.act", "bar.menu", "menu.resume", "bar.left.next"):
            ui.click(path)
            ui.frame(4)

    assert replays_in_chinese(menus.begin(), play)
