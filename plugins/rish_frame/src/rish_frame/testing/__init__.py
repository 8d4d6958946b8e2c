"""Tools for the tests of a backend: the tests of the contract, and the comparison of images.

A backend's test file needs only `class TestMine(BackendContract): make = MyBackend`. `compare_pictures` compares an
image with a reference and writes both side by side if they differ. `compute_both` runs compute work on a device and by
its fallback.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.register_assert_rewrite(*(f"{__name__}.{path.stem}" for path in Path(__file__).parent.glob("[a-z]*.py")))

from .computing import compute_both  # noqa: E402
from .contract import BackendContract, InstalledBackendContract  # noqa: E402
from .pictures import Comparison, compare_pictures, measure, save_picture  # noqa: E402
from .samples import picture_frame, quad, sample_batches, sample_page  # noqa: E402

__all__ = [
    "BackendContract",
    "Comparison",
    "InstalledBackendContract",
    "compare_pictures",
    "compute_both",
    "measure",
    "picture_frame",
    "quad",
    "sample_batches",
    "sample_page",
    "save_picture",
]
