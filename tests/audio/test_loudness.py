"""The measure of the loudness of the games, against the signals of ITU-R BS.1770 and EBU Tech 3341."""

from __future__ import annotations

import numpy as np
import pytest

from loudness import Samples, loudness, true_peak


def tone(level: float, seconds: float, rate: int = 48000, hertz: float = 1000.0) -> Samples:
    """Return a stereo sine of a level in dB below full scale."""
    wave = 10 ** (level / 20) * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)
    return np.stack([wave, wave], 1)


@pytest.mark.parametrize("rate", [44100, 48000])
def test_a_tone_has_the_loudness_of_its_level(rate: int) -> None:
    """A sine of 997 Hz at full scale in one channel is at -3.01 LUFS, one of -23 dB in both at -23."""
    assert loudness(tone(0, 3, rate, 997)[:, :1], rate) == pytest.approx(-3.01, abs=0.02)
    assert loudness(tone(-23, 3, rate, 997), rate) == pytest.approx(-23, abs=0.02)


@pytest.mark.parametrize(
    "parts",
    [
        [(-36, 2), (-23, 16), (-36, 2)],
        [(-72, 2), (-36, 2), (-23, 16), (-36, 2), (-72, 2)],
        [(-26, 5), (-20, 5.02), (-26, 5)],
    ],
    ids=["quiet", "quiet and silent", "two levels"],
)  # fmt: skip
def test_quiet_parts_do_not_count(parts: list[tuple[float, float]]) -> None:
    """The signals 3, 4 and 5 of EBU Tech 3341, shortened, are at -23 LUFS."""
    assert loudness(np.concatenate([tone(*part, rate=16000) for part in parts]), 16000) == pytest.approx(-23, abs=0.1)


def test_silence_has_no_loudness() -> None:
    """Silence is below every level."""
    assert loudness(np.zeros((48000, 2)), 48000) == -np.inf


def test_a_peak_between_two_samples_is_found() -> None:
    """A sine of a quarter of the rate whose samples are at 45 degrees has its peak 3 dB above them."""
    phase = np.pi / 2 * np.arange(4800) + np.pi / 4
    assert true_peak(np.sin(phase)[:, None]) == pytest.approx(0.0, abs=0.1)
