"""What is known of a sound file from its header."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rish_audio.clips.headers import read_info
from rish_core import AssetError
from sound_files import arcade_sound, chunk, encoded, loop_chunk, marker_chunks, tone, wav_bytes


@pytest.mark.parametrize("form", ["flac", "mp3", "ogg"])
def test_the_header_of_each_encoded_format_gives_rate_channels_and_length(tmp_path: Path, form: str) -> None:
    """FLAC, MP3 and Ogg Vorbis files give their rate, channels and frames; MP3 and Vorbis may pad up to a packet."""
    (tmp_path / "a").write_bytes(encoded(tone(10_000, 2), form))
    info = read_info(tmp_path / "a")
    assert (info.rate, info.channels, info.format) == (44_100, 2, form)
    assert 10_000 <= info.frames <= 10_000 + (0 if form == "flac" else 2304)


def test_the_three_files_of_one_sound_agree() -> None:
    """The same sound of arcade as Ogg and MP3 has the same length, and its WAV file is read at its own rate."""
    ogg, mp3, wav = (read_info(arcade_sound(f"laser1.{form}")) for form in ("ogg", "mp3", "wav"))
    assert (ogg.frames, ogg.rate, ogg.channels) == (mp3.frames, mp3.rate, mp3.channels) == (70_895, 44_100, 1)
    assert (wav.frames, wav.rate, wav.channels) == (6_863, 44_100, 1)


@pytest.mark.parametrize("bits", [8, 16, 24, 32, -32])
@pytest.mark.parametrize("extensible", [False, True])
def test_a_wav_file_gives_its_loop_and_markers(tmp_path: Path, bits: int, extensible: bool) -> None:
    """Loop points end after the last frame that is played; markers are sorted; odd chunks and others are skipped."""
    more = chunk(b"junk", b"odd") + loop_chunk(100, 899) + marker_chunks({"later": 700, "first": 20, "ünï": 300})
    (tmp_path / "a.wav").write_bytes(wav_bytes(tone(1000, 2, 22_050), 22_050, bits, extensible, more))
    info = read_info(tmp_path / "a.wav")
    assert (info.frames, info.rate, info.channels) == (1000, 22_050, 2)
    assert info.loop == (100, 900)
    assert info.markers == (("first", 20), ("ünï", 300), ("later", 700))


def test_a_loop_or_marker_outside_the_file_is_ignored(tmp_path: Path) -> None:
    """Loop points and markers beyond the last frame are left out, and the file is played."""
    (tmp_path / "a.wav").write_bytes(wav_bytes(tone(100), more=loop_chunk(50, 100) + marker_chunks({"x": 101})))
    info = read_info(tmp_path / "a.wav")
    assert (info.loop, info.markers, info.frames) == (None, (), 100)


def test_a_wav_file_of_unknown_length_ends_with_the_file(tmp_path: Path) -> None:
    """A size of 0xffffffff, which programs write into a pipe, means all that follows."""
    data = bytearray(wav_bytes(tone(500)))
    data[4:8] = data[40:44] = b"\xff" * 4
    (tmp_path / "a.wav").write_bytes(data)
    assert read_info(tmp_path / "a.wav").frames == 500


def test_more_than_two_channels_are_announced_as_two(tmp_path: Path) -> None:
    """A file with six channels is a clip with two."""
    (tmp_path / "a.wav").write_bytes(wav_bytes(np.zeros((100, 6), np.float32)))
    info = read_info(tmp_path / "a.wav")
    assert (info.channels, info.sources) == (2, 6)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"GIF89a", "no sound file"),
        (b"RIFX" + bytes(60), "RIFF"),
        (wav_bytes(tone(100))[:-10], "cut off"),
        (wav_bytes(tone(100)).replace(b"data\xc8\0\0\0", b"data\xf0\xff\xff\xff"), "cut off"),
        (wav_bytes(tone(100), rate=0), "0 Hz"),
        (wav_bytes(tone(100), rate=1), "1 Hz"),
        (wav_bytes(tone(100), rate=10_000_000), "10000000 Hz"),
        (wav_bytes(np.zeros((10, 9), np.float32)), "9 channels"),
        (wav_bytes(np.zeros((0, 1), np.float32)), "no samples"),
        (wav_bytes(tone(100)).replace(b"fmt \x10\0\0\0\x01", b"fmt \x10\0\0\0\x55"), "0x55"),
        (encoded(tone(3000), "flac")[:30], "STREAMINFO"),
        (b"OggS" + bytes(100), "Vorbis"),
        (b"\xff\xfb" + bytes(100), "MP3"),
    ],
)
def test_a_malformed_header_is_refused_with_its_reason(tmp_path: Path, data: bytes, message: str) -> None:
    """Each way in which a header can be wrong has a message of its own."""
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(AssetError, match=message):
        read_info(tmp_path / "a")


def test_importing_the_clips_does_not_import_miniaudio() -> None:
    """miniaudio is loaded when the first file is opened, so that games without sound start fast."""
    code = "import sys, rish_audio.clips.clip_library, rish_audio.clips.wav; sys.exit('_miniaudio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
