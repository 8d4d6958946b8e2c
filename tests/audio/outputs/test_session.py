"""The sound of a running game: how many samples a tick has, what they depend on, jumps, pauses and other buses."""

from __future__ import annotations

import subprocess
import sys
import wave
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_audio import (
    AudioOutput,
    AudioSettings,
    Buses,
    LiveMixer,
    Output,
    SoundBank,
    change,
    pause,
    play,
    play_music,
    resume,
    stop,
)
from rish_audio.outputs.session import clips_of
from rish_core import RishError, TickHooks, Transform
from rish_core.launcher import main
from sound_files import tone, wav_bytes


@pytest.mark.parametrize(("rate", "ticks"), [(44_100, 60), (44_100, 50), (44_100, 144), (48_000, 60), (22_050, 144)])
def test_the_ticks_of_a_second_have_its_samples(studio: Any, rate: int, ticks: int) -> None:
    """Each tick has as many frames as its time, and those of a second are exactly the sample rate together."""
    game = studio(f"{{rate: {rate}}}")
    game.world.dt = 1 / ticks
    game.run(ticks * 2)
    sizes = {len(block) for block in game.kept}
    assert len(game.samples) == 2 * rate
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) == rate // ticks


def test_a_tick_with_too_many_samples_is_refused(studio: Any) -> None:
    """A sample rate that does not fit the tick rate is an error that says what would fit."""
    game = studio("{rate: 192000}")
    game.world.dt = 1 / 20
    with pytest.raises(RishError, match="At most 81920 Hz"):
        game.run()


def test_a_sound_that_repeats_is_decoded_once(studio: Any) -> None:
    """Of the sounds and sources of a scene only the forms that are played are decoded: a tune is rendered once."""
    game = studio("{sounds: {hymn: {clips: [b.wav], loop: true}, step: {clips: [a.wav]}}}")
    game.source("b.wav", loop=True)
    game.source("calm")
    assert set(clips_of(game.world)) == {("b.wav", True), ("a.wav", False), ("tune:calm", True)}


CROWD = "{voices: 8, sounds: {step: {clips: [a.wav, b.wav], pitch_spread: 3}}}"


def _busy(game: Any, ticks: int = 40) -> Any:
    """Play a game with moving sources, stealing and effects, and return the samples."""
    game.listener()
    entities = [game.source("a.wav", 200 * x - 900, 100, loop=True, echo=0.2) for x in range(10)]
    for tick in range(ticks):
        for index, entity in enumerate(entities):
            game.world.set(entity, Transform(position=(200 * index - 900 + 9 * tick, 100)))
        game.act(lambda world: play(world, "step", (0, 300), bus="ui", priority=1))
    return game.samples


def test_samples_depend_on_the_game_alone(studio: Any) -> None:
    """Two games with the same input have the same samples, to the bit."""
    assert np.array_equal(_busy(studio(CROWD)), _busy(studio(CROWD)))


class _Queue(Output):
    """Pushes blocks into the queue of a live mixer, and reads it in odd sizes."""

    def __init__(self, buses: int) -> None:
        self.live = LiveMixer(44_100, 2, 8, buses, room=64, start=1)
        self.parts: list[Any] = []
        self._size = 0

    def push(self, block: Any, clips: Any) -> None:
        """Take a block, and read what waits except for a part of it."""
        assert self.live.push(block, clips)
        self._size = (self._size + 97) % 511 + 1
        while self.live.pending > self._size:
            out = np.zeros((self._size, 2), np.float32)
            self.live.read(out)
            self.parts.append(out)


def test_the_live_path_has_the_samples_of_the_offline_one(studio: Any) -> None:
    """What a sound card gets in requests of odd sizes equals the samples in memory, to the bit."""
    game = studio(CROWD)
    queue = _Queue(len(game.world[SoundBank].of_world(game.world).bus_names()))
    game.world[AudioOutput].outputs.append(queue)
    samples = _busy(game)
    live = np.concatenate(queue.parts)
    assert len(live) > 39 * 735 - 512
    assert np.array_equal(live, samples[: len(live)])


def test_several_outputs_get_the_same_samples(studio: Any) -> None:
    """A film and a file at once have the same samples as one of them alone."""
    alone = _busy(studio(CROWD), 10)
    game = studio(CROWD)
    other: list[Any] = []
    game.world[AudioOutput].add_offline(game.world, "film", other.append)
    assert np.array_equal(_busy(game, 10), alone)
    assert np.array_equal(np.concatenate(other), alone)


def _step(samples: Any) -> float:
    """Return the greatest step between two samples; a click is larger than the slope of the wave."""
    return float(np.abs(np.diff(samples, axis=0)).max())


SLOPE = 0.5 * 0.5**0.5 * 2 * np.pi / 44_100
"""The slope of a tone of 1 Hz of `studio`, in the middle."""


def _rewound(studio: Any, how: str) -> Any:
    """Play a tone, go back tick by tick for a while, and go on."""
    game = studio(f"{{rewind: {how}}}").act(lambda world: play_music(world, "a.wav", fade=0))
    kept = []
    for _ in range(30):
        kept.append(game.world.snapshot())
        game.run()
    begin = len(game.kept)
    for snapshot in reversed(kept[10:]):
        game.world.restore(snapshot)
        game.world[AudioOutput].after_frame(game.world)
    back = np.concatenate(game.kept[begin:])
    game.run(20)
    return game, back


def test_a_rewind_is_heard_backwards_or_not_at_all(studio: Any) -> None:
    """A rewind plays reversed, or is silent, as the setting says; neither it nor its ends click."""
    game, back = _rewound(studio, "reversed")
    forth = np.concatenate(game.kept[11:31])
    assert np.abs(back[600:-600] - forth[::-1][599:-601]).max() < 0.001
    assert _step(game.samples) < 1.1 * 440 * SLOPE
    game, back = _rewound(studio, "silence")
    assert np.abs(back[300:]).max() == 0
    assert np.abs(game.kept[-1]).max() > 0.1
    assert _step(game.samples) < 1.1 * 440 * SLOPE


def test_a_game_that_is_loaded_goes_on_with_its_music(studio: Any) -> None:
    """Music of a snapshot goes on at its place in another game, which had other sounds."""
    game = studio(listens=False).act(lambda world: play_music(world, "a.wav"), ticks=100)
    kept = game.world.snapshot()
    game.run()
    other = studio().act(lambda world: play(world, "b.wav"), ticks=3)
    other.world.restore(kept)
    assert [voice["frame"] for voice in other.run().voices] == [voice["frame"] for voice in game.voices]
    assert np.abs(other.run(3).kept[-1]).max() > 0.1
    assert _step(other.samples) < 1.1 * 660 * SLOPE


@pytest.mark.parametrize(("name", "value"), [("voices", 4), ("voices", 64), ("channels", 1)])
def test_a_mixer_of_another_size_goes_on(studio: Any, name: str, value: int) -> None:
    """After an edit of the number of voices or channels, the game is still heard, with all samples of each tick."""
    game = studio("{voices: 8}")
    game.listener()
    game.source("a.wav", 0, 0, loop=True)
    game.run(5)
    setattr(game.world[AudioSettings], name, value)
    frames = [len(block) for block in game.kept]
    game.run(5)
    assert [len(block) for block in game.kept] == frames * 2
    assert np.abs(game.kept[-1]).max() > 0


def test_buses_that_come_with_an_edit_are_mixed(studio: Any) -> None:
    """When the settings get another bus, World and mixer follow without a click, and the bus is heard."""
    game = studio("{buses: {mine: {gain: 0.5}}}").act(
        lambda world: play(world, "a.wav", bus="mine", loop=True), ticks=5
    )
    settings = game.world[AudioSettings]
    settings.buses = {"mine": {"gain": 0.25}, "more": {"parent": "mine"}}
    settings.sounds = {"new": ["b.wav"]}
    game.run(5)
    assert [game.world.text(name) for name in game.world[Buses].name.tolist()][-2:] == ["mine", "more"]
    assert np.abs(game.kept[-1]).max() == pytest.approx(0.125 * 0.5**0.5, rel=0.01)
    game.act(lambda world: stop(world)).act(lambda world: play(world, "new", bus="more"), ticks=5)
    assert np.abs(game.kept[-1]).max() == pytest.approx(0.125 * 0.5**0.5, rel=0.01)
    assert _step(game.samples) < 1.1 * 330 * SLOPE


def test_a_missing_and_a_damaged_file_are_silent(studio: Any, tmp_path: Any, caplog: Any) -> None:
    """A source with such a file stops, one warning names the file, and the game goes on."""
    (tmp_path / "game0").mkdir()
    (tmp_path / "game0" / "bad.wav").write_bytes(b"RIFF\x00\x00\x00\x00WAVEjunk")
    game = studio()
    for _ in range(2):
        game.source("gone.wav")
        game.source("bad.wav")
    game.run(5)
    assert game.voices == []
    assert np.abs(game.samples).max() == 0
    assert sorted(record.getMessage().split(":")[0] for record in caplog.records) == ["bad.wav", "gone.wav"]


TWO = """
rish: 1
game: {title: Two, seed: 5}
plugins: [audio]
settings: {audio: {sounds: {ping: {synth: coin}}}}
scenes:
  main:
    - {Transform: {position: [300, 0]}, AudioSource: {clip: engine, loop: true}}
"""


@pytest.mark.slow
def test_two_processes_have_the_same_samples(tmp_path: Any) -> None:
    """`rish run GAME --audio FILE` writes the same file in each process."""
    (tmp_path / "game.yaml").write_text(TWO)
    one, two = tmp_path / "one.wav", tmp_path / "two.wav"
    arguments = ["run", str(tmp_path), "--headless", "--frames", "30", "--audio"]
    assert main([*arguments, str(one)]) == 0
    done = _rish(*arguments, two)
    assert done.returncode == 0, done.stderr
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.slow
def test_a_recording_has_the_same_samples_again(tmp_path: Any) -> None:
    """A game that is replayed, and one that a strict run checks, have the same samples, to the bit."""
    game = tmp_path / "game"
    game.mkdir()
    (game / "game.yaml").write_text(TWO)
    names = ("first.wav", "again.wav", "strict.wav", "run.rish")
    first, again, strict, recording = (tmp_path / name for name in names)
    kept: list[bytes] = []

    def rish(*arguments: Any) -> None:
        assert main([str(argument) for argument in arguments]) == 0

    rish("record", game, "--headless", "--random", 3, "--frames", 40, "--out", recording, "--audio", first)
    rish("replay", recording, "--headless", "--audio", again)
    assert again.read_bytes() == first.read_bytes()
    with wave.open(str(first)) as file:
        assert any(file.readframes(file.getnframes()))
    for options in (("--strict",), ()):
        rish("run", game, "--headless", "--frames", 4, "--audio", strict, *options)
        kept.append(strict.read_bytes())
    assert kept[-1] == kept[-2]


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Any) -> None:
    """`--audio` with a path that is a folder ends with 2 and a line that names it."""
    (tmp_path / "game.yaml").write_text("rish: 1\nplugins: [audio]\nscenes: {main: []}\n")
    (tmp_path / "taken.wav").mkdir()
    done = _rish("run", tmp_path, "--headless", "--frames", "3", "--audio", tmp_path / "taken.wav")
    assert done.returncode == 2
    assert "taken.wav" in done.stderr
    assert "can't be written" in done.stderr
    assert "Traceback" not in done.stderr


def _rish(*arguments: Any) -> Any:
    command = [sys.executable, "-m", "rish_core", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


OUTPUTS = ["none", "null", "card", "game.wav"]


def test_the_hash_is_equal_with_every_output_and_without_sound(studio: Any, tmp_path: Any, monkeypatch: Any) -> None:
    """The state of a game does not depend on its output, nor on whether the optional plugin is there."""
    monkeypatch.chdir(tmp_path)
    scene = "\n    - {Transform: {position: [1, 0]}, audio.AudioSource: {clip: a.wav, loop: true}}\n"
    hashes = [
        studio(f"{{output: '{output}'}}", scene, plugins="'audio?'", listens=False).run(20).world.hash()
        for output in OUTPUTS
    ]
    hashes.append(studio("{}", scene, plugins="'audio?'").run(20).world.hash())
    hashes.append(studio("{}", scene, plugins="'audio?'", without=True, listens=False).run(20).world.hash())
    assert len(set(hashes)) == 1


class _Card(_Queue):
    """Stands for a sound card."""

    def __init__(self, live: Any, **options: Any) -> None:
        self.live, self.blocks = live, []

    def push(self, block: Any, clips: Any) -> None:
        """Keep a block, and pass it on."""
        self.blocks.append(block)
        self.live.push(block, clips)


def test_a_game_that_stands_still_fades_out(studio: Any, monkeypatch: Any) -> None:
    """With a sound card, a paused game is silent after one block, and goes on where it was."""
    from rish_audio.components.block import FLAGS, FRAMES, SILENT
    from rish_audio.outputs import session
    from rish_core import Clock

    monkeypatch.setattr(session, "CardOutput", _Card)
    game = studio("{output: card}", listens=False)
    assert game.world[AudioOutput].outputs == []  # a card is opened after the first picture
    game.app.frame(draw=False)
    (card,) = game.world[AudioOutput].outputs
    game.act(lambda world: play(world, "a.wav", loop=True), ticks=3)
    out = np.zeros((735 * 3, 2), np.float32)
    card.live.read(out)
    game.world[Clock].paused = True
    game.app.frame(draw=False)
    assert [int(block.head[FLAGS]) for block in card.blocks] == [0, 0, 0, SILENT]
    game.world[Clock].paused = False
    game.world[Clock].time_scale = 2.0
    game.app.frame(draw=False)
    assert (int(card.blocks[-1].head[FLAGS]), int(card.blocks[-1].head[FRAMES])) == (0, 368)


def test_a_game_that_fails_finishes_its_file(studio: Any, tmp_path: Any) -> None:
    """A file is complete and has all samples until the error."""
    path = tmp_path / "out.wav"
    game = studio(f"{{output: '{path}'}}", listens=False).act(lambda world: play(world, "a.wav"), ticks=5)
    with pytest.raises(RishError):
        game.act(lambda world: 1 / 0)
    game.app.__exit__(None, None, None)
    with wave.open(str(path)) as file:
        assert file.getnframes() == 5 * 735


@pytest.mark.slow
@pytest.mark.parametrize("ticks", [long(7200, 300)])
def test_a_long_session_has_no_click(studio: Any, tmp_path: Any, ticks: int) -> None:
    """200 sources that move, stealing, streamed music that crossfades, pauses, gains and rewinds never click.

    All tones are low, so their second differences are tiny, and a step of 5 % of the music would stand out, but
    for the moments at which time turns round, where the samples have a bend. There no step is larger than all slopes.
    """
    game = studio("{voices: 32, stream_above: 0.01, buses: {effects: {gain: 0.02}, music: {gain: 0.1}}}")
    (tmp_path / "game0" / "low.wav").write_bytes(wav_bytes(tone(44_100, hertz=50)))
    game.listener()
    rng = np.random.default_rng(1)
    sources = [
        game.source("low.wav", *rng.uniform(-2500, 2500, 2), loop=True, pitch=rng.uniform(0.5, 2)) for _ in range(200)
    ]
    steps = rng.uniform(-15, 15, (200, 2))
    kept: list[Any] = []
    turns: list[int] = []
    for tick in range(ticks):
        table = game.world.table(Transform)
        rows = table.rows_of(np.array(sources))
        table.position[rows] += steps * np.where(np.abs(table.position[rows]) > 3000, -1, 1)
        table.mark()
        game.act(lambda world, tick=tick: _events(world, tick))
        kept = [*kept[-30:], game.world.snapshot()] if tick % 150 > 100 else []
        if tick % 150 == 140:
            turns.append(sum(map(len, game.kept)))
            for snapshot in reversed(kept[-20:]):
                game.world.restore(snapshot)
                game.world[AudioOutput].after_frame(game.world)
            turns.append(sum(map(len, game.kept)))
    samples = game.samples
    bends = np.abs(np.diff(samples, 2, axis=0)).max(axis=1)
    for turn in turns:
        bends[max(turn - 2, 0) : turn + 1] = 0
    assert bends.max() < 0.002
    assert _step(samples) < 0.02
    assert np.sqrt((samples**2).mean()) > 0.01


def _events(world: Any, tick: int) -> None:
    if tick % 120 == 0:
        play_music(world, "ab"[tick // 120 % 2] + ".wav", fade=1)
    if tick % 10 == 0:
        play(world, "low.wav", (tick % 700, 100), pitch=1.5, priority=tick % 3)
        change(world, "gain", 0.5 + tick % 3 / 4, sound="low.wav", fade=tick % 20 / 40)
    if tick % 70 == 50:
        pause(world, tag="music", fade=0.1)
    if tick % 70 == 60:
        resume(world, tag="music")


def test_ticks_that_run_again_are_no_pause(studio: Any) -> None:
    """A hook of ticks may restore a state without voices and run the ticks since then again: sounds go on."""
    game = studio("{output: none}", listens=False)
    heard: list[tuple[int, float]] = []

    class Ear(Output):
        def push(self, block: Any, clips: Any) -> None:
            heard.append((int(block.whole[0, 0]), float(block.head[1])))

    game.world[AudioOutput].outputs.append(Ear())
    game.run(2)
    state = game.world.snapshot()
    game.act(lambda world: play(world, "a.wav"), 3)

    def again(world: Any, record: Any) -> Any:
        world.restore(state)
        game.wanted.append(lambda world: play(world, "a.wav"))
        for _ in range(3):
            game.app.simulate()
        return record

    hooks = game.world[TickHooks]
    hooks.before.append(again)
    game.run()
    hooks.before.remove(again)
    game.run()
    assert len(heard) == game.world.tick
    serials = [serial for serial, _ in heard if serial]
    assert len(serials) >= 4
    assert len(set(serials)) == 1
    assert not any(flags for _, flags in heard)
