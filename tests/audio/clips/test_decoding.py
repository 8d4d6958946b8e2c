"""Whole clips: samples of files of all formats."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rish_audio.clips.decoder import LOUDEST, fold_matrix
from rish_audio.clips.decoding import EDGE, MAX_EDGE, decode_whole, fade_edges
from rish_audio.clips.headers import read_info
from sound_files import encoded, tone, wav_bytes


def decoded(path: Path, data: bytes) -> np.ndarray:
    """Return the samples of a file with this content."""
    path.write_bytes(data)
    return decode_whole(path, read_info(path))


@pytest.mark.parametrize(("bits", "error"), [(8, 2**-6.5), (16, 2**-16), (24, 2**-24), (32, 2**-24), (-32, 0)])
def test_wav_files_are_exact_to_their_resolution(tmp_path: Path, bits: int, error: float) -> None:
    """Samples differ by at most half a step of 16 bits and more, floats not at all; 8 bits have no integer for zero."""
    wanted = tone(3000, 2)
    assert np.abs(decoded(tmp_path / "a", wav_bytes(wanted, bits=bits)) - wanted).max() <= error


@pytest.mark.parametrize(("form", "error"), [("flac", 2**-14), ("mp3", 0.05), ("ogg", 0.1)])
def test_encoded_files_sound_like_the_original(tmp_path: Path, form: str, error: float) -> None:
    """FLAC is exact to 16 bits; MP3 and Vorbis are near the original, after the shift of the encoder."""
    wanted, found = tone(20_000, 2), decoded(tmp_path / "a", encoded(tone(20_000, 2), form))
    part = wanted[8000:9000]
    shifts = range(2400) if form != "flac" else [0]
    assert min(np.sqrt(np.mean((found[8000 + s : 9000 + s] - part) ** 2)) for s in shifts) <= error


def test_what_is_no_number_is_silent_and_huge_samples_are_limited(tmp_path: Path) -> None:
    """NaN and infinity become 0, and the rest is at most LOUDEST, so that a damaged file of floats is not painful."""
    samples = np.array([[0.5], [np.nan], [np.inf], [-np.inf], [1e38], [-7.0], [0.25]], np.float32)
    found = decoded(tmp_path / "a", wav_bytes(samples, bits=-32))
    assert found[:, 0].tolist() == [0.5, 0, 0, 0, LOUDEST, -LOUDEST, 0.25]


@pytest.mark.parametrize("form", ["wav", "ogg"])
@pytest.mark.parametrize("channels", range(3, 9))
def test_folding_keeps_left_and_right_apart_and_never_gets_louder(channels: int, form: str) -> None:
    """The left speaker is only left, the right one only right, and both sides get the same shares in all."""
    shares = fold_matrix(channels, form)
    right = 2 if form == "ogg" and channels in (3, 5, 6, 7, 8) else 1
    assert shares[0, 0] > 0 == shares[0, 1]
    assert shares[right, 1] > 0 == shares[right, 0]
    assert np.allclose(shares.sum(axis=0), 1)


def test_a_file_with_six_channels_is_folded(tmp_path: Path) -> None:
    """A sound on the left speaker is on the left channel alone."""
    samples = np.zeros((100, 6), np.float32)
    samples[:, 0] = 0.5
    found = decoded(tmp_path / "a", wav_bytes(samples))
    assert (found[:, 0] > 0.1).all()
    assert not found[:, 1].any()


def test_edges_off_zero_are_faded_and_others_stay() -> None:
    """The first and last frames go linearly to zero only if the clip begins or ends off zero; the rest is unchanged."""
    flat = np.full((200, 2), 0.5, np.float32)
    faded = fade_edges(flat)
    assert not faded[[0, -1]].any()
    assert np.array_equal(faded[EDGE:-EDGE], flat[EDGE:-EDGE])
    assert np.abs(np.diff(faded[:, 0])).max() <= 0.5 / EDGE + 1e-6
    quiet = np.full((200, 1), MAX_EDGE, np.float32)
    assert fade_edges(quiet) is quiet
    assert fade_edges(np.ones((1, 1), np.float32)).shape == (1, 1)
