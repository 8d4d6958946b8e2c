"""What a backend's tests are written with: its contract, and pictures that are compared.

A backend's whole test file is `class TestMine(BackendContract): make = MyBackend`. `compare_pictures` compares with a
reference picture and writes both side by side where they differ.
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
