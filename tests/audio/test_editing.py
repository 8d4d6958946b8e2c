"""What rish_audio brings for the editor: inspectors, gizmos, the panels Mixer and Sounds, previews, Play and Stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from editing import Desk, desk
from rish_audio import AudioListener, AudioOutput, AudioSource, Buses, SoundBank, Voices
from rish_audio.components.block import FLAGS, SILENT
from rish_audio.outputs import card, session
from rish_audio.outputs.card import CardOutput
from rish_audio.outputs.output import Output
from rish_audio.plugin.editing import player as player_of_previews
from rish_core import RishError

GAME = """rish: 1
game: {title: Sirens, size: [640, 360]}
plugins: [render, audio]
settings:
  audio:
    output: "null"
    min_distance: 60
    max_distance: 160
    sounds:
      # found in the woods
      zap: {synth: {preset: laser, frequency: 900}, gain: 0.5}
    buses:
      music: {gain: 0.5}  # not too loud
    mixes: {underwater: {music: {low_pass: 400}}}
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - name: siren
      Transform: {position: [20, 20]}
      AudioSource: {clip: zap, loop: true, cone_inner: 60, cone_outer: 200}
    - {name: motor, Transform: {position: [-90, -40]}, AudioSource: {clip: engine, loop: true, priority: 3}}
    - {name: ears, Transform: {position: [-30, -60]}, AudioListener: {}}
"""
OPEN: Callable[..., Any] = card._open
MIXER, SOUNDS = "audio.mixer", "audio.sounds"


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor for all tests of this file."""
    with desk(tmp_path_factory.mktemp("audio")) as made:
        yield made


@pytest.fixture
def game(at: Desk) -> Any:
    """The game of these tests, opened anew."""
    at.editor.panels.maximized = ""
    return at.open(GAME)


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test opens the sound card of the machine."""

    def refuse(*given: Any, **options: Any) -> Any:
        raise RishError("no sound system was found")

    monkeypatch.setattr(card, "_open", refuse)


def wide(at: Desk) -> None:
    """Show the mixer in the whole window."""
    at.show(MIXER)
    at.editor.panels.maximized = MIXER
    at.driver.step(5)


def play(at: Desk, ticks: int = 10) -> None:
    """Start the game, and let it run."""
    at.editor.run("play.start")
    at.driver.step(ticks)


def stop(at: Desk) -> None:
    """End the run."""
    at.editor.run("play.stop")
    at.driver.step(2)


def find(at: Desk, name: str) -> None:
    """Search a sound in the list."""
    at.driver.enter(f"{SOUNDS}/find", name)
    at.driver.step(2)


def text_of(game: Any) -> str:
    """Return the manifest as it would be saved."""
    return "".join(game.project.text.plain.values())


def bus(game: Any, name: str) -> dict[str, Any]:
    """Return the parameters of a bus in the settings."""
    found = game.world[SoundBank].of_world(game.world).buses
    return next(each for each in found if each["name"] == name)


# Inspectors


def test_fields_that_do_not_count_are_grayed(at: Desk, game: Any) -> None:
    """Without `spatial` the distances can't be edited, and the pan can; with it, the other way round."""
    [siren] = at.select("siren")
    game.set([siren], AudioSource, "spatial", False)
    game.set([siren], AudioSource, "max_distance", 50.0)
    at.driver.step(3)
    inside = "editor.inspector/AudioSource"
    at.driver.scroll(f"{inside}/loop:label", -8)
    before = game.read(siren, AudioSource, "max_distance")
    at.driver.drag(f"{inside}/place/max_distance", by=(30, 0))
    assert game.read(siren, AudioSource, "max_distance") == before
    at.driver.drag(f"{inside}/loudness/pan", by=(30, 0))
    assert game.read(siren, AudioSource, "pan") > 0
    game.set([siren], AudioSource, "spatial", True)
    at.driver.step(2)
    at.driver.drag(f"{inside}/place/max_distance", by=(30, 0))
    assert game.read(siren, AudioSource, "max_distance") > before
    pan = game.read(siren, AudioSource, "pan")
    at.driver.drag(f"{inside}/loudness/pan", by=(30, 0))
    assert game.read(siren, AudioSource, "pan") == pan
    at.driver.scroll(f"{inside}/loudness/pan", 20)


def test_a_preview_without_a_card_says_why(at: Desk, game: Any) -> None:
    """The button of a source plays nothing without a sound card, shows one line, and changes nothing in the World."""
    at.select("siren")
    before, steps = game.world.hash(), len(at.steps)
    button = "editor.inspector/AudioSource/preview"
    at.driver.click(button)
    problem = "editor.inspector/AudioSource/problem"
    at.driver.wait(lambda: at.driver.sees(problem))
    player = at.editor.memory["audio.player"][1]
    assert "no sound system was found" in player.problem
    assert not player.name
    assert game.world.hash() == before
    assert len(at.steps) == steps
    assert not len(game.world[Voices])


def test_a_clip_that_does_not_exist_is_named(at: Desk, game: Any) -> None:
    """A source whose clip has no sound, or no clip, is drawn all the same."""
    [siren] = at.select("siren")
    for name in ("nothing.wav", "nobody", ""):
        game.set([siren], AudioSource, "clip", name)
        at.driver.step(8)
    assert at.editor.failures == 0
    assert not at.editor.failed_drawers


# Gizmos


def test_distances_are_dragged_and_undone(at: Desk, game: Any) -> None:
    """The handles of the circles set the distances, from those of the settings on; each drag is one step."""
    [siren] = at.select("siren")
    at.drag(f"audio.{siren}.min", (20, 0))
    assert game.read(siren, AudioSource, "min_distance") == pytest.approx(80, abs=3)
    at.drag(f"audio.{siren}.max", (30, 0))
    assert game.read(siren, AudioSource, "max_distance") == pytest.approx(190, abs=3)
    assert len(at.steps) == 2
    game.undo()
    game.undo()
    assert game.read(siren, AudioSource, "min_distance") == 0
    assert game.read(siren, AudioSource, "max_distance") == 0


def test_the_cone_and_the_listener_are_turned(at: Desk, game: Any) -> None:
    """An edge of the cone sets its full angle; the arrow of a listener sets where it faces."""
    [siren] = at.select("siren")
    before = game.read(siren, AudioSource, "cone_inner")
    at.drag(f"audio.{siren}.inner", (-20, 20))
    assert game.read(siren, AudioSource, "cone_inner") > before + 0.2
    [ears] = at.select("ears")
    at.drag(f"listener.{ears}.forward", (70, -70))
    x, y, z = game.read(ears, AudioListener, "forward").tolist()
    assert x == pytest.approx(1, abs=0.1)
    assert y == pytest.approx(0, abs=0.1)
    assert z == 0


# The mixer


def test_a_fader_writes_the_settings_as_one_step(at: Desk, game: Any) -> None:
    """A drag of a fader is one step: it changes the text of the game, keeps its comments, and Undo takes it back."""
    wide(at)
    at.driver.drag(f"{MIXER}/music/fader", by=(0, -120), steps=6)
    at.driver.step(2)
    gain = bus(game, "music")["gain"]
    assert gain != 0.5
    assert len(at.steps) == 1
    assert "# not too loud" in text_of(game)
    assert f"gain: {gain}" in text_of(game)
    at.driver.key("Ctrl+Z")
    at.driver.step(2)
    assert bus(game, "music")["gain"] == 0.5
    assert text_of(game) == GAME


def test_numbers_mute_and_effects_are_written_too(at: Desk, game: Any) -> None:
    """Decibels are typed below a fader; mute, filters and ducking of buses that the text does not have are added."""
    wide(at)
    at.driver.enter(f"{MIXER}/music/gain", "-20")
    at.driver.step(2)
    assert bus(game, "music")["gain"] == pytest.approx(0.1, abs=1e-3)
    at.driver.click(f"{MIXER}/effects/mute")
    at.driver.step(2)
    assert bus(game, "effects")["muted"] is True
    at.driver.click(f"{MIXER}/effects/select")
    at.driver.enter(f"{MIXER}/effects/filters/low_pass", "800")
    at.driver.step(2)
    assert bus(game, "effects")["low_pass"] == 800
    play(at)
    buses = game.world[Buses]
    assert buses.low_pass[2] == 800
    assert buses.muted[2]
    stop(at)


def test_a_running_game_is_mixed_as_the_faders_say(at: Desk, game: Any) -> None:
    """While the game runs, a fader sets the bus of the run and not the text; Stop takes that back."""
    wide(at)
    play(at)
    at.driver.enter(f"{MIXER}/music/gain", "-20")
    assert game.world[Buses].gain[1] == pytest.approx(0.1, abs=1e-3)
    at.driver.click(f"{MIXER}/effects/mute")
    at.driver.step(2)
    assert game.world[Buses].muted[2]
    assert text_of(game) == GAME
    stop(at)
    assert at.steps == []
    play(at)
    assert game.world[Buses].gain[1] == 0.5
    stop(at)


@pytest.mark.slow
def test_a_mix_is_chosen_while_the_game_runs(at: Desk, game: Any) -> None:
    """The chosen mix brings the buses to its parameters."""
    wide(at)
    play(at)
    at.driver.click(f"{MIXER}/mix")
    at.driver.click(f"{MIXER}/mix:underwater")
    at.driver.step(60)
    assert game.world[Buses].low_pass[1] == pytest.approx(400, rel=0.05)
    stop(at)


def test_a_new_bus_is_mixed_in_the_next_run(at: Desk, game: Any) -> None:
    """The mixers are made anew if the settings of the game have got other buses since it was opened."""
    game.project.edit(lambda text: text.of(("settings", "audio")).put(("settings", "audio", "buses", "birds"), {}))
    at.driver.step(2)
    play(at)
    mixer = game.world[AudioOutput].mixer
    assert len(mixer.peak) == len(game.world[Buses]) == 6
    assert mixer.peak[0].max() > 0
    stop(at)


@pytest.mark.parametrize("count", [0, 500])
def test_any_number_of_voices_is_listed(at: Desk, game: Any, count: int) -> None:
    """Without voices the table says so; of 500 it draws those in view, the loudest first."""
    from rish_audio import play as play_sound

    wide(at)
    if not count:
        assert at.driver.sees(f"{MIXER}/none")
        return
    play(at)
    for k in range(count):
        game.world.defer(
            lambda world, k=k: play_sound(world, "engine", loop=True, gain=0.001 * (k + 1), at=(20, 0), bus="effects")
        )
    at.driver.step(8)
    voices = game.world[Voices]
    assert len(voices) >= count
    rows = [mark for mark in at.driver.marks(f"{MIXER}/") if mark.endswith("/row")]
    assert 5 < len(rows) < 60
    shown = int(rows[0].split("/")[-2])
    assert voices.level[voices.serial == shown][0] == voices.level.max()
    assert at.editor.failures == 0
    stop(at)


def test_the_mixer_is_in_the_overlay_of_a_running_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over `rish run --debug` the panel shows the voices; its faders change the run, which is no intervention."""
    from rish_core import Interventions, open_game
    from rish_editor.debug.plugin import Debug
    from rish_editor.testing import UIDriver

    monkeypatch.setenv("RISH_CONFIG", str(tmp_path / "config"))
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    options: dict[str, Any] = {"headless": True, "backend": "arcade"}
    with open_game(tmp_path, ["settings.debug.open=false"], more=["debug"], **options) as app:
        app.world[Debug].switch.marks = True
        driver = UIDriver(Window(app))  # pyright: ignore[reportArgumentType]
        app.world[Debug].switch.show()
        driver.step(6)
        driver.shell.editor.show(MIXER)
        driver.step(4)
        for _ in range(40):
            if driver.place(f"{MIXER}/music/gain").bottom < driver.place(MIXER).bottom:
                break
            driver.scroll(MIXER, -1)
        driver.enter(f"{MIXER}/music/gain", "-20")
        assert app.world[Buses].gain[1] == pytest.approx(0.1, abs=1e-3)
        assert app.world[Interventions].count == 0
        assert len(app.world[Voices]) == 2


class Window:
    """What `UIDriver` needs of a game in its own window."""

    def __init__(self, app: Any) -> None:
        self.app, self._switch, self._real = app, app.world.resource("debug.Debug").switch, app.host.backend.window
        self.window = SimpleNamespace(height=app.host.size[1], dispatch_event=self._real.dispatch_event)

    @property
    def editor(self) -> Any:
        """What the panels of the overlay get."""
        return self._switch.overlay.editor

    def frame(self, seconds: float) -> None:
        """Run a frame of the game."""
        self._real.dispatch_events()
        self.app.frame()


# Sounds


def test_a_sound_of_the_synthesizer_is_tuned_and_saved(at: Desk, game: Any) -> None:
    """A slider is one step that can be undone; Save writes the sound with its other keys and keeps the comments."""
    at.show(SOUNDS)
    find(at, "zap")
    at.driver.click(f"{SOUNDS}/of/zap")
    at.driver.step(3)
    at.driver.enter(f"{SOUNDS}/pitch/frequency", "333")
    at.driver.step(2)
    synths = at.editor.memory["audio.synths"]
    made = game.world[SoundBank].sounds["zap"].made
    assert synths.now("zap", made).frequency == 333
    game.undo()
    assert synths.now("zap", made).frequency == 900
    game.redo()
    at.driver.step(2)
    at.driver.click(f"{SOUNDS}/save")
    at.driver.step(2)
    at.driver.click(f"{SOUNDS}/save/confirm")
    at.driver.step(3)
    saved = game.world[SoundBank].of_world(game.world).sounds["zap"]
    assert saved.made.frequency == 333
    assert saved.gain == 0.5
    assert "# found in the woods" in text_of(game)
    assert not synths.changed("zap")


def test_a_shipped_sound_is_saved_under_a_new_name_and_copied(at: Desk, game: Any) -> None:
    """A varied preset becomes a sound of the game; its YAML in the clipboard is read as the same sound."""
    from rish_core.manifest import Report, Scope

    at.show(SOUNDS)
    find(at, "coin")
    at.driver.click(f"{SOUNDS}/of/coin")
    at.driver.click(f"{SOUNDS}/vary")
    at.driver.step(2)
    copied: list[str] = []
    at.editor.copy = copied.append
    at.driver.click(f"{SOUNDS}/copy")
    at.driver.click(f"{SOUNDS}/save")
    at.driver.step(2)
    at.driver.enter(f"{SOUNDS}/save/name", "gem")
    at.driver.click(f"{SOUNDS}/save/confirm")
    at.driver.step(3)
    saved = game.world[SoundBank].of_world(game.world).sounds["gem"]

    import yaml

    from rish_audio.sounds.reading import read_sounds
    from rish_audio.synth.parameters import to_mapping

    report = Report()
    again = read_sounds(yaml.safe_load(copied[0]), report, Scope())["coin"]
    assert not report.problems
    assert to_mapping(again.made) == to_mapping(saved.made)
    game.undo()
    assert "gem" not in text_of(game)


# Previews


def test_a_preview_is_mixed_by_a_card_and_ends(at: Desk, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The samples of the sound reach the card, the mark of the waveform moves on, and the preview ends by itself."""
    monkeypatch.setattr(card, "_open", OPEN)
    card.warm_up()  # not by a process in the background, which may get no time for it
    monkeypatch.setattr(player_of_previews, "CardOutput", partial(CardOutput, backend="null"))
    at.show(SOUNDS)
    find(at, "blip")
    at.driver.click(f"{SOUNDS}/of/blip/play")
    player = at.editor.memory["audio.player"][1]
    assert player.name == "blip"
    loudest, places, until = 0.0, {0.0}, time.monotonic() + 60
    while (player.name or loudest < 0.1) and time.monotonic() < until:
        if not player.name:  # on a busy machine the loudest moment may be between two looks at the level
            at.driver.click(f"{SOUNDS}/of/blip/play")
        at.driver.step()
        loudest = max(loudest, float(player._live.peak[0].max()) if player._live is not None else 0.0)
        places.add(player.place)
        time.sleep(0.005)
    assert not player.problem
    assert not player.name
    assert 0.1 < loudest < 1
    assert len(places) > 2
    assert not len(game.world[Voices])
    find(at, "engine")
    at.driver.click(f"{SOUNDS}/of/engine/play")
    at.driver.step(3)
    at.driver.click(f"{SOUNDS}/of/engine/play")
    assert not player.name
    player.close()


# Playing


class Kept(Output):
    """Stands for the sound card: keeps the flags and the heard voices of each block."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self.name, self.blocks, self.closed = "card", [], False

    def push(self, block: Any, clips: Any) -> None:
        """Note the block."""
        self.blocks.append((int(block.head[FLAGS]), int((block.whole[:, 0] != 0).sum())))

    def close(self) -> None:
        """Note the end."""
        self.closed = True


def test_play_is_heard_and_stop_silences(at: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `auto` the first frame of a run opens the card; Pause fades out, Stop at once; closing closes the card."""
    monkeypatch.setattr(session, "CardOutput", Kept)
    game = at.open(GAME.replace('output: "null"', "output: card"))
    at.driver.step(20)
    assert game.world[AudioOutput].outputs == []
    play(at)
    [kept] = game.world[AudioOutput].outputs
    at.driver.step(2)
    assert kept.blocks[-1] == (0, 1)
    at.editor.run("play.pause")
    at.driver.step(3)
    assert kept.blocks[-1][0] == SILENT
    at.editor.run("play.start")
    at.driver.step(4)
    assert kept.blocks[-1] == (0, 1)
    at.editor.run("play.stop")
    at.driver.step(1)
    assert kept.blocks[-1] == (SILENT, 0)
    count = len(kept.blocks)
    at.driver.step(10)
    assert len(kept.blocks) == count
    play(at)
    assert kept.blocks[-1] == (0, 1)
    stop(at)
    at.open(GAME)
    assert kept.closed


@pytest.mark.slow
def test_all_texts_are_in_traditional_chinese(at: Desk, game: Any) -> None:
    """Inspectors and panels show no text without a translation, edited and played."""
    at.editor.settings.language = "zh-TW"
    try:
        at.driver.step(2)
        language = at.shell.editor.language
        for name in ("siren", "ears"):
            at.select(name)
        wide(at)
        for bus_name in ("music", "effects"):
            at.driver.click(f"{MIXER}/{bus_name}/select")
        play(at)
        stop(at)
        at.editor.panels.maximized = ""
        at.show(SOUNDS)
        for sound in ("zap", "coin"):
            find(at, sound)
            at.driver.click(f"{SOUNDS}/of/{sound}")
            at.driver.step(2)
        at.driver.click(f"{SOUNDS}/save")
        at.driver.step(2)
        assert language.missing == set()
    finally:
        at.editor.settings.language = "en"
        at.driver.step(2)


def test_a_meter_holds_its_peak() -> None:
    """A peak stays for a while, then falls; a higher one is taken at once."""
    from rish_audio.plugin.editing.values import Holds

    holds = Holds()
    holds.follow(np.array([[0.8, 0.1]]), 0.1)
    holds.follow(np.array([[0.2, 0.3]]), 0.1)
    assert holds.peaks.tolist() == [[0.8, 0.3]]
    for _ in range(40):
        holds.follow(np.array([[0.0, 0.0]]), 0.1)
    assert holds.peaks.max() < 0.2


@pytest.mark.parametrize("level", [-60.0, -30.0, -6.0, 0.0, 6.0])
def test_a_fader_goes_where_its_level_is(level: float) -> None:
    """The place of a level on a fader leads back to the level."""
    from rish_audio.plugin.editing.drawing import height_of, level_at

    assert level_at(height_of(level)) == pytest.approx(level)
