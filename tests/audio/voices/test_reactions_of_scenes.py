"""Reactions in the manifest: music, mixes and sounds at the start of scenes and at events."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rish_audio import Buses, Voices
from rish_core import App, Scenes, event, parse_manifest, resource


@event(view=True)
class Paused:
    """A game was paused or continued."""

    on: bool = False


@resource
class Level:
    """A state of a game."""

    height: int = 3


GAME = SimpleNamespace(rish_events=lambda: [Paused], rish_resources=lambda: [Level])
HEAD = """
rish: 1
plugins: [audio]
scenes: {title: [], play: [], deep: []}
settings:
  audio:
    mixes: {muffled: {music: {low_pass: 500}}}
    on:
"""


@pytest.fixture
def begin() -> Any:
    """Return a function that begins a game with reactions."""
    opened: list[App] = []

    def open_app(reactions: str) -> App:
        app = App(parse_manifest(HEAD + reactions), headless=True, policy="raise", extra={"game": GAME})
        opened.append(app)
        return app

    yield open_app
    for app in opened:
        app.close()


def heard(app: App) -> list[tuple[str, bool]]:
    """Return the sounds of the voices, and whether each is at its end or fades out."""
    voices = app.world[Voices]
    return [
        (app.world.text(int(name)), bool(ending))
        for name, ending in zip(voices.column("sound"), voices.ending, strict=True)
    ]


def test_music_changes_with_the_scene_and_goes_on_where_it_is_the_same(begin: Callable[[str], App]) -> None:
    """Each scene has its music, a scene with the same music does not begin it again, and a sound is played once."""
    app = begin("""
      scene: {play: coin}
      scene title: {music: calm, fade: 0.2}
      scene play: {music: action, fade: 0.2}
      scene deep: {music: action}
    """)
    app.tick()
    assert heard(app) == [("coin", False), ("calm", False)]
    app.world[Scenes].go("play")
    app.tick()
    app.tick()
    assert heard(app)[1:] == [("calm", True), ("coin", False), ("action", False)]
    app.run(120)
    first = app.world[Voices].serial[-1]
    app.world[Scenes].go("deep")
    app.run(3)
    assert first in app.world[Voices].serial
    assert heard(app)[0] == ("action", False)


def test_an_event_changes_the_mix_and_stops_sounds(begin: Callable[[str], App]) -> None:
    """A mix is set and taken back by the fields of an event, and another reaction ends a sound."""
    app = begin("""
      scene title: {music: calm}
      Paused:
        - {mix: muffled, if: on, fade: 0}
        - {mix: "", if: not on, fade: 0}
        - {stop: calm, if: on}
    """)
    app.tick()
    app.world.emit(Paused, on=True)
    app.tick()
    assert 500 in app.world[Buses].low_pass
    assert [name for name, over in heard(app) if not over] == []
    app.world.emit(Paused, on=False)
    app.tick()
    assert 500 not in app.world[Buses].low_pass


def test_an_expression_may_read_the_state_of_the_game(begin: Callable[[str], App]) -> None:
    """The pitch of a sound follows a resource of the game."""
    app = begin("      Paused: {play: coin, pitch: '1 + Level.height / 4'}")
    app.world.emit(Paused)
    app.tick()
    assert app.world[Voices].pitch.tolist() == [1.75]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("scene tilte: {music: calm}", "no scene is called 'tilte' (did you mean 'title'?)"),
        ("scene title: {music: calms}", "no sound is called 'calms' (did you mean 'calm'?)"),
        ("scene title: {mix: mufled}", "no mix is called 'mufled' (did you mean 'muffled'?)"),
        ("scene title: {music: calm, play: coin}", "needs one of play, music, mix, stop"),
        ("scene title: {mix: muffled, gain: 2}", "a reaction with 'mix' has no key 'gain'"),
        ("scene title: {play: coin, at: place}", "scene title has no field 'place'"),
        ("scene title: {stop: ''}", "must be the name of a sound, not the text ''"),
        ("Paused: {play: coin, if: of}", "'of'"),
    ],
)
def test_mistakes_have_a_place(begin: Callable[[str], App], wrong: str, said: str) -> None:
    """A wrong scene, sound, mix or key is reported with its line before the game runs."""
    with pytest.raises(Exception, match="mistake") as caught:
        begin("      " + wrong)
    assert said in str(caught.value)
    assert ":9:" in str(caught.value)
