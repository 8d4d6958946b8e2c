"""The writer of WAV files."""

from __future__ import annotations

import itertools
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_audio.clips.decoding import decode_whole
from rish_audio.clips.headers import read_info
from rish_audio.clips.wav import WavWriter
from rish_ecs import RishError
from sound_files import tone


@given(cuts=st.lists(st.integers(0, 500), max_size=6), channels=st.integers(1, 8))
def test_pieces_of_any_size_make_the_same_file(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], channels: int
) -> None:
    """The file does not depend on the sizes of the blocks, and has what was written, to half a step of 16 bits."""
    folder = tmp_path_factory.mktemp("wav")
    samples = tone(500, channels)
    edges = [0, *sorted(cuts), 500]
    with WavWriter(folder / "parts.wav", 48_000, channels) as parts:
        for begin, end in itertools.pairwise(edges):
            parts.write(samples[begin:end])
    with WavWriter(folder / "whole.wav", 48_000, channels) as whole:
        whole.write(samples)
    assert (folder / "parts.wav").read_bytes() == (folder / "whole.wav").read_bytes()
    info = read_info(folder / "whole.wav")
    assert (info.frames, info.rate, info.sources) == (500, 48_000, channels)
    if channels <= 2:
        assert np.abs(decode_whole(folder / "whole.wav", info) - samples).max() <= 2**-16


def test_loud_samples_are_limited_and_no_numbers_are_silent(tmp_path: Path) -> None:
    """Samples beyond 1 stay at the greatest integer and do not wrap around."""
    with WavWriter(tmp_path / "a.wav", 44_100, 1) as writer:
        writer.write(np.array([[2.0], [-2.0], [np.nan], [0.5]], np.float32))
    found = decode_whole(tmp_path / "a.wav", read_info(tmp_path / "a.wav"))
    assert found[:, 0].tolist() == [32_767 / 32_768, -1, 0, 0.5]


def test_an_interrupted_file_leaves_the_old_one_and_no_rest(tmp_path: Path) -> None:
    """After an error while writing, the folder is as it was before."""
    (tmp_path / "a.wav").write_bytes(b"old")
    with suppress(KeyboardInterrupt), WavWriter(tmp_path / "a.wav", 44_100) as writer:
        writer.write(np.zeros((10, 2), np.float32))
        raise KeyboardInterrupt
    assert [each.name for each in tmp_path.iterdir()] == ["a.wav"]
    assert (tmp_path / "a.wav").read_bytes() == b"old"


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A folder of that name, or a file in place of the folder, is an error with the path."""
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path, tmp_path / "file" / "a.wav"):
        with pytest.raises(RishError, match=path.name):
            WavWriter(path, 44_100)


def test_a_file_beyond_four_gigabytes_is_refused(tmp_path: Path) -> None:
    """The header can't hold the size, so the write is refused before anything is lost."""
    writer = WavWriter(tmp_path / "a.wav", 44_100)
    huge = np.broadcast_to(np.zeros(2, np.float32), (2**30, 2))
    with pytest.raises(RishError, match="4 GB"):
        writer.write(huge)
    writer.close()
    assert (tmp_path / "a.wav").stat().st_size == 44
