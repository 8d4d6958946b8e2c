"""Streams: the window that a voice has into a file, against the whole file."""

from __future__ import annotations

import struct
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_audio.clips.clip_library import ClipLibrary
from rish_audio.clips.decoding import EDGE, decode_whole
from rish_audio.clips.headers import SOUND_LOADERS, read_info
from rish_audio.clips.info import ClipInfo
from rish_audio.clips.sample_file import SampleFile
from rish_audio.clips.stream import Stream, Window
from rish_audio.components.block import ADDRESS, CAPACITY, CHANNELS, END, FIRST, LENGTH
from rish_core import Assets
from rish_ecs import World
from sound_files import encoded, tone, wav_bytes

FRAMES = 60_000
SMALL = Window(0.1, 0.02)


def noise(frames: int, channels: int = 2) -> np.ndarray:
    """Return a tone with noise, so that every frame differs."""
    return tone(frames, channels) * 0.5 + np.random.default_rng(1).uniform(-0.2, 0.2, (frames, channels)).astype("f4")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the same noise in all formats, and a world's assets in it."""
    made = tmp_path_factory.mktemp("streams")
    (made / "a.wav").write_bytes(wav_bytes(noise(FRAMES)))
    for form in ("flac", "mp3", "ogg"):
        (made / f"a.{form}").write_bytes(encoded(noise(FRAMES), form))
    return made


def opened(folder: Path, window: Window = SMALL) -> tuple[World, ClipLibrary]:
    """Return a world with the files of a folder, and a library that streams everything."""
    world, library = World(), ClipLibrary(stream_over=0, window=window)
    world.put(Assets(folder, SOUND_LOADERS))
    world.put(library)
    return world, library


def heard(library: ClipLibrary, row: int, begin: int, count: int) -> np.ndarray:
    """Return what a mixer reads of a row: zeros outside the window."""
    columns = library.table[row]
    out = np.zeros((count, max(1, int(columns[CHANNELS]))), np.float32)
    if columns[ADDRESS]:
        ring = library._table._samples[row]
        assert ring.ctypes.data == columns[ADDRESS]
        assert len(ring) == columns[CAPACITY]
        frames = np.arange(begin, begin + count)
        there = (frames >= columns[FIRST]) & (frames < columns[END])
        out[there] = ring[frames[there] % len(ring)]
    return out


def unrolled(whole: np.ndarray, frames: np.ndarray, loop: tuple[int, int] | None) -> np.ndarray:
    """Return the samples of frames since the start: a slow reference."""
    out = np.zeros((len(frames), whole.shape[1]), np.float32)
    for i, frame in enumerate(frames):
        if loop is not None and frame >= loop[1]:
            frame = loop[0] + (frame - loop[1]) % (loop[1] - loop[0])
        if frame < len(whole):
            out[i] = whole[frame]
    return out


@pytest.mark.slow
@pytest.mark.parametrize("form", ["wav", "flac", "mp3", "ogg"])
@pytest.mark.parametrize("loop", [None, (0, FRAMES), (20_001, 33_333), (100, 101)])
def test_a_stream_is_the_file_without_gaps(folder: Path, form: str, loop: tuple[int, int] | None) -> None:
    """A voice that plays on, over loops of any length, hears the samples of the whole file, bit for bit."""
    world, library = opened(folder)
    whole = decode_whole(folder / f"a.{form}", read_info(folder / f"a.{form}"))
    for begin in range(0, 90_000, 735):
        row = library.feed(world, f"a.{form}", 1, begin, 735, loop=loop, wait=True)
        found = heard(library, row, begin, 735)
        frames = np.arange(begin, begin + 735)
        kept = frames < len(whole) - EDGE if loop is None else np.full(735, True)
        assert np.array_equal(found[kept], unrolled(whole, frames, loop)[kept]), begin
        library.release(np.array([row]), begin // 735, begin // 735)
    assert library.table[row, LENGTH] == len(whole)


@pytest.mark.parametrize("stored", [False, True])
def test_a_long_generated_clip_is_streamed_from_a_file(tmp_path: Path, stored: bool) -> None:
    """Its function is called once, by `prepare` or the first voice, and only a window of it is in memory."""
    world, library = opened(tmp_path)
    samples, calls = noise(30_000), list[int]()

    def make() -> np.ndarray | SampleFile:
        calls.append(1)
        if not stored:
            return samples
        file = SampleFile(22_050, 2)
        file.append(samples)
        return file

    library.add("long", ClipInfo(30_000, 22_050, 2), make)
    for begin in range(0, 70_000, 735):
        row = library.feed(world, "long", 1, begin, 735, loop=(0, 30_000), wait=True)
        frames = np.arange(begin, begin + 735)
        assert np.array_equal(heard(library, row, begin, 735), unrolled(samples, frames, (0, 30_000))), begin
    assert (calls, library.size < samples.nbytes / 5) == ([1], True)
    whole = library.row(world, "long", looped=True, wait=True)
    assert np.array_equal(heard(library, whole, 0, 30_000), samples)


def test_a_generated_clip_that_cannot_be_stored_is_silent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An error of the disk is logged once."""
    world, library = opened(tmp_path)

    def fail() -> np.ndarray:
        raise OSError("the disk is full")

    library.add("long", ClipInfo(30_000, 22_050, 2), fail)
    assert [library.feed(world, "long", 1, 735 * k, 735, wait=True) for k in range(3)] == [0, 0, 0]
    assert [record.getMessage().count("the disk is full") for record in caplog.records] == [1]


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    data=st.lists(st.tuples(st.integers(0, 200_000), st.integers(-3000, 3000)), min_size=1, max_size=12),
    form=st.sampled_from(["wav", "flac", "mp3", "ogg"]),
    loop=st.sampled_from([(0, FRAMES), (11_111, 50_000)]),
)
def test_a_voice_may_jump_anywhere_and_play_backwards(
    folder: Path, data: list[tuple[int, int]], form: str, loop: tuple[int, int]
) -> None:
    """After any jump, and at any speed in both directions, the next block has the right samples at once (offline)."""
    world, library = opened(folder)
    whole = decode_whole(folder / f"a.{form}", read_info(folder / f"a.{form}"))
    for position, step in data:
        for _ in range(3):
            row = library.feed(world, f"a.{form}", 7, position, step, loop=loop, wait=True)
            low = max(0, min(position, position + step))
            count = max(position, position + step) - low
            frames = np.arange(low, low + count)
            assert np.array_equal(heard(library, row, low, count), unrolled(whole, frames, loop))
            position = max(0, position + step)
    library.close()


def test_the_end_of_a_stream_does_not_click(folder: Path) -> None:
    """A file that ends off zero is faded over its last frames, unless the voice repeats."""
    for loop, quiet in ((None, True), ((0, FRAMES), False)):
        stream = Stream(folder / "a.wav", read_info(folder / "a.wav"), FRAMES - 1000, loop, SMALL)
        stream.fill(FRAMES, 10_000)
        assert (np.abs(stream.ring[(FRAMES - 1) % len(stream.ring)]).max() == 0) == quiet


def test_two_voices_have_windows_of_their_own(folder: Path) -> None:
    """The same file plays at two places at a time, as in a crossfade with itself."""
    world, library = opened(folder)
    rows = [library.feed(world, "a.ogg", voice, at, 735, wait=True) for voice, at in ((1, 0), (2, 30_000))]
    again = [library.feed(world, "a.ogg", voice, at, 735, wait=True) for voice, at in ((1, 735), (2, 30_735))]
    assert rows == again
    assert len(set(rows)) == 2


def test_a_jump_leaves_the_old_window_readable(folder: Path) -> None:
    """The row changes at a jump, and the old samples stay until blocks later, so that they can fade out."""
    world, library = opened(folder)
    old = library.feed(world, "a.wav", 1, 0, 735, wait=True)
    before = heard(library, old, 0, 1000)
    new = library.feed(world, "a.wav", 1, 50_000, 735, wait=True)
    assert new != old
    for block in range(10):
        library.release(np.array([new]), block, block)
        assert np.array_equal(heard(library, old, 0, 1000), before)
    for block in range(10, 60):
        library.feed(world, "a.wav", 1, 50_000, 735, wait=True)
        library.release(np.array([new]), block, block)
    assert library.table[old, ADDRESS] == 0
    assert library.table[new, ADDRESS] != 0


def test_a_voice_that_ends_gives_its_window_back(folder: Path) -> None:
    """Windows of voices that are not fed any more are freed, and their rows are used again."""
    world, library = opened(folder)
    for voice in range(1000):
        row = library.feed(world, "a.wav", voice, 0, 735, wait=True)
        library.release(np.array([row]), voice, voice)
    assert library.size < 40 * 6174 * 8 + 1
    for block in range(1000, 1100):
        library.release(np.array([], np.int64), block, block)
    assert library.size == 0


def until(ready: Callable[[], bool]) -> None:
    """Wait for the worker thread."""
    end = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.mark.parametrize("form", ["wav", "flac", "mp3", "ogg"])
def test_a_live_stream_is_silent_until_the_worker_has_found_the_place(folder: Path, form: str) -> None:
    """Without waiting, row 0 comes first, then the same samples as offline; also after a jump and backwards."""
    world, library = opened(folder)
    whole = decode_whole(folder / f"a.{form}", read_info(folder / f"a.{form}"))
    for position, step in ((0, 735), (735, 735), (40_000, 735), (40_735, 735), (30_000, -735), (29_265, -735)):

        def fed(position: int = position, step: int = step) -> bool:
            return library.feed(world, f"a.{form}", 1, position, step) != 0

        until(fed)
        row = library.feed(world, f"a.{form}", 1, position, step)
        low = min(position, position + step)
        assert np.array_equal(heard(library, row, low, 735), whole[low : low + 735])
    library.close()


def test_playing_backwards_live_never_runs_dry(folder: Path) -> None:
    """The worker opens the window before the position reaches its beginning, so there is no gap while rewinding."""
    world, library = opened(folder, Window(0.3, 0.05))
    until(lambda: library.feed(world, "a.wav", 1, 59_000, -735) != 0)
    for position in range(59_000, 1000, -735):
        assert library.feed(world, "a.wav", 1, position, -735) != 0
        library._start(int, wait=False).result()  # what the worker was asked for before is done
    library.close()


def test_a_file_that_changes_while_it_is_played_is_not_read_on(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The voice is silent with one warning, as the decoder could crash; after a reload it plays the new file."""
    (tmp_path / "m.ogg").write_bytes((folder / "a.ogg").read_bytes())
    world, library = opened(tmp_path)
    assert library.feed(world, "m.ogg", 1, 0, 735, wait=True)
    (tmp_path / "m.ogg").write_bytes(encoded(tone(50_000, 2), "ogg"))
    for position in range(735, 9000, 735):
        row = library.feed(world, "m.ogg", 1, position, 735, wait=True)
    assert row == 0
    assert [each.getMessage() for each in caplog.records] == [
        "m.ogg: the file was changed while it was played; silence is heard instead"
    ]
    world[Assets].reload("m.ogg")
    assert library.info(world, "m.ogg").frames < FRAMES
    assert library.feed(world, "m.ogg", 1, 9000, 735, wait=True)


@pytest.mark.slow
def test_a_hundred_megabytes_need_less_than_four(tmp_path: Path) -> None:
    """A WAV file of 100 MB is played, with a jump and loops, in less than 4 MB of memory."""
    frames = 65_536 * 400
    with open(tmp_path / "long.wav", "wb") as file:
        header = bytearray(wav_bytes(np.zeros((1, 2), np.float32))[:44])
        header[4:8], header[40:44] = struct.pack("<I", 36 + 4 * frames), struct.pack("<I", 4 * frames)
        file.write(header)
        file.truncate(44 + 4 * frames)  # silence, which takes no room on the disk
    world, library = opened(tmp_path, Window())
    library.feed(world, "long.wav", 1, 0, 735, wait=True)
    library.close()
    tracemalloc.start()
    for block in range(600):
        position = block * 735 + (frames - 250_000 if block >= 200 else 0)
        row = library.feed(world, "long.wav", 1, position, 735, loop=(1000, frames), wait=True)
        library.release(np.array([row]), block, block)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert row
    assert peak < 4_000_000
