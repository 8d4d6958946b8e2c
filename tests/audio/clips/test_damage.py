"""Damaged sound files: no crash, no signal, silence and one warning."""

from __future__ import annotations

import multiprocessing
import random
from pathlib import Path

import pytest

from damaged_sounds import play_damaged
from long_runs import long
from rish_audio.clips.ogg import ogg_crc


def run_apart(folder: Path, seeds: range) -> int | None:
    """Play damaged files in another process; return its exit code, negative for a signal."""
    process = multiprocessing.get_context("spawn").Process(target=play_damaged, args=(str(folder), seeds))
    process.start()
    process.join()
    return process.exitcode


@pytest.mark.slow
def test_damaged_files_end_no_process(tmp_path: Path) -> None:
    """Damaged files are silent with one warning each, or what remains is a whole file; a signal would be seen."""
    assert run_apart(tmp_path, range(1000, long(3000, 1300))) == 0


def test_the_checksum_of_ogg_is_that_of_the_specification() -> None:
    """The fast checksum equals division of polynomials bit by bit."""
    chance = random.Random(1)
    for size in (0, 1, 2, 27, 300):
        data = chance.randbytes(size)
        crc = 0
        for byte in data:
            crc ^= byte << 24
            for _ in range(8):
                crc = (crc << 1 ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
        assert ogg_crc(data) == crc
