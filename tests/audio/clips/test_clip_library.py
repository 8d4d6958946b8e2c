"""The library of clips: rows of the table, decoding on demand and unloading."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import numpy as np
import pytest

from rish_audio.clips.clip_library import ClipLibrary
from rish_audio.clips.decoding import decode_whole
from rish_audio.clips.headers import SOUND_LOADERS, read_info
from rish_audio.clips.info import SILENT, ClipInfo
from rish_audio.clips.table import WAIT_BLOCKS
from rish_audio.components.block import ADDRESS, CAPACITY, CHANNELS, END, FIRST, LENGTH
from rish_core import Assets
from rish_ecs import RishError, World
from sound_files import encoded, loop_chunk, tone, wav_bytes

NOBODY = np.array([], np.int64)


def opened(folder: Path, **settings: int) -> tuple[World, ClipLibrary]:
    """Return a world with the files of a folder."""
    world, library = World(), ClipLibrary(**settings)
    world.put(Assets(folder, SOUND_LOADERS))
    world.put(library)
    return world, library


def samples_at(library: ClipLibrary, row: int) -> np.ndarray:
    """Return the samples of a row of the clip table, read through its address like the mixer does."""
    import ctypes

    columns = library.table[row]
    count = int(columns[CAPACITY] * columns[CHANNELS])
    found = (ctypes.c_float * count).from_address(int(columns[ADDRESS]))
    return np.ctypeslib.as_array(found).reshape(-1, int(columns[CHANNELS]))


@pytest.mark.parametrize("form", ["wav", "flac", "mp3", "ogg"])
def test_a_row_leads_to_the_samples_of_the_file(tmp_path: Path, form: str) -> None:
    """The address, the channels and the bounds of a row are those of the decoded file."""
    data = wav_bytes(tone(4000, 2)) if form == "wav" else encoded(tone(4000, 2), form)
    (tmp_path / f"a.{form}").write_bytes(data)
    world, library = opened(tmp_path)
    row = library.row(world, f"a.{form}", looped=True, wait=True)
    whole = decode_whole(tmp_path / f"a.{form}", read_info(tmp_path / f"a.{form}"))
    assert np.array_equal(samples_at(library, row), whole)
    assert library.table[row, [FIRST, END, CAPACITY, LENGTH]].tolist() == [0, *[len(whole)] * 3]
    assert library.row(world, f"a.{form}", looped=True) == row


def test_a_clip_that_ends_off_zero_is_faded_only_where_it_does_not_repeat(tmp_path: Path) -> None:
    """Voices that repeat have the samples of the file; the others have fades; a clip that needs none has one row."""
    (tmp_path / "off.wav").write_bytes(wav_bytes(np.full((500, 1), 0.5, np.float32), more=loop_chunk(0, 499)))
    (tmp_path / "zero.wav").write_bytes(wav_bytes(np.zeros((500, 1), np.float32)))
    world, library = opened(tmp_path)
    once, looped = (library.row(world, "off.wav", looped=each, wait=True) for each in (False, True))
    assert samples_at(library, once)[[0, -1], 0].tolist() == [0, 0]
    assert samples_at(library, looped)[[0, -1], 0].tolist() == [0.5, 0.5]
    assert len({library.row(world, "zero.wav", looped=each, wait=True) for each in (False, True)}) == 1


def test_the_worker_decodes_while_the_game_goes_on(tmp_path: Path) -> None:
    """After `prepare` the row becomes that of the clip within a moment; until then it is the silent one."""
    (tmp_path / "a.wav").write_bytes(wav_bytes(tone(4000)))
    world, library = opened(tmp_path)
    library.prepare(world, ["a.wav"])
    end = time.monotonic() + 60
    while not (row := library.row(world, "a.wav")):
        assert time.monotonic() < end
    assert np.array_equal(samples_at(library, row), samples_at(library, library.row(world, "a.wav", wait=True)))
    assert library.table[0, ADDRESS] == 0
    library.close()


def test_a_made_clip_is_used_like_a_file(tmp_path: Path) -> None:
    """Samples that a function returns have a row and an information; a wrong shape is silent with one warning."""
    world, library = opened(tmp_path)
    library.add("beep", ClipInfo(300, 22_050, 1), lambda: tone(300)[:, 0])
    assert np.array_equal(samples_at(library, library.row(world, "beep", looped=True, wait=True)), tone(300))
    assert library.info(world, "beep").rate == 22_050
    library.add("wrong", ClipInfo(300, 22_050, 2), lambda: tone(300))
    assert library.row(world, "wrong", wait=True) == 0


def test_clips_that_nothing_plays_are_unloaded_above_the_limit(tmp_path: Path) -> None:
    """Above `memory` the clips that were not played for the longest time go; those that are played stay as they are."""
    for i in range(8):
        (tmp_path / f"{i}.wav").write_bytes(wav_bytes(tone(1000, hertz=100.0 * (i + 1))))
    world, library = opened(tmp_path, memory=16_000)
    rows = [library.row(world, f"{i}.wav", looped=True, wait=True) for i in range(8)]
    kept = samples_at(library, rows[0]).copy()
    for block in range(4 * WAIT_BLOCKS):
        library.release(np.array(rows[:1]), block, block)
    assert library.size <= 16_000
    assert np.array_equal(samples_at(library, rows[0]), kept)
    assert library.table[rows[1], ADDRESS] == 0
    assert np.array_equal(
        samples_at(library, library.row(world, "1.wav", looped=True, wait=True)),
        decode_whole(tmp_path / "1.wav", read_info(tmp_path / "1.wav")),
    )


def test_samples_stay_until_the_mixer_can_not_read_them_any_more(tmp_path: Path) -> None:
    """While the mixer stands still, nothing is freed; WAIT_BLOCKS blocks after the last use the address goes."""
    (tmp_path / "a.wav").write_bytes(wav_bytes(tone(1000)))
    world, library = opened(tmp_path)
    row = library.row(world, "a.wav", wait=True)
    library.release(np.array([row]), 100, 90)
    library.forget("a.wav")
    for made in range(101, 200):
        library.release(NOBODY, made, 90)
    assert library.table[row, ADDRESS] != 0
    library.release(NOBODY, 200, 100 + WAIT_BLOCKS)
    assert library.table[row, ADDRESS] == 0
    for made in range(201, 202 + WAIT_BLOCKS):
        assert library.row(world, "a.wav", wait=True) != row
        library.release(NOBODY, made, made)


def test_a_full_table_says_so(tmp_path: Path) -> None:
    """If all rows are played, the error gives their number; if some are idle, they are given up instead."""
    for i in range(8):
        (tmp_path / f"{i}.wav").write_bytes(wav_bytes(tone(100)))
    world, library = opened(tmp_path, capacity=5)
    rows = [library.row(world, f"{i}.wav", wait=True) for i in range(4)]
    library.release(np.array(rows), 1000, 1000)
    with pytest.raises(RishError, match="all 5 rows"):
        library.row(world, "5.wav", wait=True)
    for block in range(1001, 1100):
        library.release(np.array(rows[:3]), block, block)
        found = library.row(world, "5.wav")
    assert found == rows[3]


def test_a_file_that_is_loaded_again_is_heard_at_the_next_play(tmp_path: Path) -> None:
    """After a reload the name has a new row with the new samples, while the old row keeps the old ones for a while."""
    (tmp_path / "a.wav").write_bytes(wav_bytes(tone(1000)))
    world, library = opened(tmp_path)
    old = library.row(world, "a.wav", wait=True)
    before = samples_at(library, old).copy()
    (tmp_path / "a.wav").write_bytes(wav_bytes(tone(700)))
    world[Assets].reload("a.wav")
    new = library.row(world, "a.wav", wait=True)
    assert new != old
    assert library.info(world, "a.wav").frames == len(samples_at(library, new)) == 700
    assert np.array_equal(samples_at(library, old), before)


@pytest.mark.parametrize("name", ["missing.wav", "folder.wav", "empty.wav", "text.txt", "../out.wav", "lie.wav"])
def test_what_can_not_be_played_is_silent_with_one_located_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """A missing file, a folder, an empty file, another file, one outside, a lie of 4 GB: one error, then silence."""
    (tmp_path / "folder.wav").mkdir()
    (tmp_path / "empty.wav").write_bytes(b"")
    (tmp_path / "text.txt").write_bytes(b"hello")
    (tmp_path / "lie.wav").write_bytes(wav_bytes(tone(99)).replace(b"data\xc6\0\0\0", b"data\xf0\xff\xff\xff"))
    world, library = opened(tmp_path)
    caplog.set_level(logging.WARNING)
    for _ in range(3):
        assert library.info(world, name, "game.yaml:3") == SILENT
        assert library.row(world, name, wait=True) == library.feed(world, name, 1, 0, 735) == 0
    assert [(each.name, each.levelno) for each in caplog.records] == [("rish.plugins.audio", logging.ERROR)]
    text = caplog.messages[0]
    assert text.startswith(("game.yaml:3: ", f"{name}: "))
    assert name in text
    assert "silence is heard instead" in text
    assert not library.table[0].any()


def test_a_clip_above_the_limit_asks_for_a_stream(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A whole clip that needs more memory than all may have is silent, and the warning names the way out."""
    (tmp_path / "a.wav").write_bytes(wav_bytes(tone(1000)))
    world, library = opened(tmp_path, memory=2000)
    assert library.row(world, "a.wav", wait=True) == 0
    assert "Stream it" in caplog.text
