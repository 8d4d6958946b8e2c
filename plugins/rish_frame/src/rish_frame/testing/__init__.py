"""Tools for the tests of a backend: the tests of the contract, and the comparison of images.

A backend's test file needs only `class TestMine(BackendContract): make = MyBackend`. `compare_pictures` compares an
image with a reference and writes both side by side if they differ.
"""

from __future__ import annotations

import pytest

for _name in (
    "blend_tests",
    "checks",
    "contract",
    "kind_tests",
    "pass_tests",
    "pictures",
    "sprite_tests",
    "tile_tests",
    "verb_tests",
):
    pytest.register_assert_rewrite(f"{__name__}.{_name}")

from .contract import BackendContract  # noqa: E402
from .pictures import Comparison, compare_pictures, measure, save_picture  # noqa: E402
from .samples import picture_frame, quad, sample_batches, sample_page  # noqa: E402

__all__ = [
    "BackendContract",
    "Comparison",
    "compare_pictures",
    "measure",
    "picture_frame",
    "quad",
    "sample_batches",
    "sample_page",
    "save_picture",
]
