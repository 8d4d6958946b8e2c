"""Every backend of this repository passes the same contract as one from outside."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from rish_frame.backend import Backend
from rish_frame.errors import BackendError
from rish_frame.null import NullBackend
from rish_frame.testing import BackendContract
from rish_frame.testing.blend_tests import BlendTests, MaterialTests
from rish_frame.testing.kind_tests import KindTests
from rish_frame.testing.pass_tests import PassTests
from rish_frame.testing.sprite_tests import SpriteTests
from rish_frame.testing.tile_tests import TileTests

NEED_PIXELS = frozenset(
    name
    for part in (SpriteTests, KindTests, TileTests, BlendTests, MaterialTests, PassTests)
    for name in vars(part)
    if name.startswith("test_")
) | {
    "test_a_change_of_the_frame_table_is_seen",
    "test_an_unknown_material_is_reported_and_the_plain_thing_drawn",
    "test_work_is_done_in_order_before_the_frame_is_drawn",
    "test_arrays_keep_their_contents_from_frame_to_frame",
    "test_arrays_of_other_kinds_are_drawn_too",
    "test_other_sprites_keep_their_order",
}
"""The tests that a backend without pixels may skip."""


def factory_of(name: str) -> Callable[[], Backend]:
    """Return the factory of a backend of rish_render, or skip with the reason."""
    try:
        plugin: Any = importlib.import_module("rish_render.plugin")
    except ImportError as error:
        pytest.skip(f"rish_render does not import here: {error}")
    factories = plugin.rish_backends()
    if name not in factories:
        pytest.skip(f"rish_render has no backend '{name}' yet")
    return factories[name]


class TestNull(BackendContract):
    """The recording backend, which draws nothing and may skip tests of pixels."""

    make = NullBackend
    extras = frozenset({"drawn", "send"})
    skips = NEED_PIXELS


class TestSoftware(BackendContract):
    """The backend without OpenGL."""

    skips = frozenset[str]()

    @staticmethod
    def make() -> Backend:
        """Return a software backend; skip if it is missing."""
        return factory_of("software")()


@pytest.mark.gl
class TestArcade(BackendContract):
    """The OpenGL backend; it needs a machine with OpenGL."""

    extras = frozenset({"over", "texture"})
    skips = frozenset[str]()

    @staticmethod
    def make() -> Backend:
        """Return an arcade backend; skip if it or OpenGL is missing."""
        backend = factory_of("arcade")()
        try:
            backend.open("contract", (64, 48), False)
        except BackendError as error:
            pytest.skip(str(error))
        backend.close()
        return backend
