"""Samples in a temporary file."""

from __future__ import annotations

import os

import numpy as np

from rish_audio.clips.sample_file import SampleFile


def test_what_is_appended_is_read() -> None:
    """Frames are read from any place on, up to the end of the file; appending does not disturb reading."""
    file, samples = SampleFile(8000, 2), np.arange(40, dtype=np.float32).reshape(20, 2)
    assert [file.append(samples[:12]), file.append(samples[12:])] == [0, 12]
    out = np.full((6, 2), -1, np.float32)
    assert file.read(9, out) == 6
    assert np.array_equal(out, samples[9:15])
    assert file.read(17, out) == 3
    assert np.array_equal(out[:3], samples[17:])
    assert (file.read(20, out), file.read(25, out)) == (0, 0)
    assert np.array_equal(file.samples(), samples)


def test_the_file_is_deleted_with_the_object() -> None:
    """Nothing stays open or on the disk."""
    file = SampleFile(8000, 1)
    file.append(np.zeros(9, np.float32))
    number = file._file.fileno()
    assert os.fstat(number).st_size == 36
    del file
    try:
        assert os.fstat(number).st_size != 36
    except OSError:
        return
