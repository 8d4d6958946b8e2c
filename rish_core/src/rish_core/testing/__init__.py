"""What a plugin's tests are written with: fixtures, the contract of a backend, pictures that are compared.

pytest finds the fixtures by itself where rish-core is installed::

    def test_wind_blows(rish_app):
        app = rish_app({"scenes": {"main": [{"Body": {}, "Wind": {}}]}}, plugins={"wind": rish_wind})
        app.run(frames=60)

`rish_app` loads only the plugins it is given, watches every system (`--strict`) and raises whatever goes
wrong. A backend's whole test file is `class TestMine(BackendContract): make = MyBackend`. `compare_pictures`
compares with a reference picture and writes both side by side where they differ.
"""

from __future__ import annotations

import pytest

for _name in (
    "blend_tests",
    "checks",
    "contract",
    "fixtures",
    "kind_tests",
    "pass_tests",
    "pictures",
    "sprite_tests",
    "tile_tests",
    "verb_tests",
):
    pytest.register_assert_rewrite(f"{__name__}.{_name}")

from .contract import BackendContract  # noqa: E402
from .fixtures import rish_app, rish_world  # noqa: E402
from .pictures import Comparison, compare_pictures, measure, save_picture  # noqa: E402
from .samples import picture_frame, quad, sample_batches, sample_page  # noqa: E402

__all__ = [
    "BackendContract",
    "Comparison",
    "compare_pictures",
    "measure",
    "picture_frame",
    "quad",
    "rish_app",
    "rish_world",
    "sample_batches",
    "sample_page",
    "save_picture",
]
