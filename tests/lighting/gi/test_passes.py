"""Radiance cascades by OpenGL give the results of the kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rish_frame import BackendError
from rish_lighting.gi.cascades import illuminate
from rish_lighting.gi.passes import CascadePasses
from rish_render.backends import make_arcade

from .scenes import blank, disc, put, scene

pytestmark = pytest.mark.gl


@pytest.fixture(scope="module")
def ctx() -> Iterator[Any]:
    """A context of OpenGL."""
    backend = make_arcade()
    try:
        backend.open("gi", (16, 16), False)
    except (BackendError, ImportError) as error:
        pytest.skip(str(error))
    yield backend._device.ctx
    backend.close()


def lit(ctx, made, passes=None):
    """Return float32 (h, w, 3): the light of a scene."""
    solid, emission, albedo = made
    high, wide = solid.shape

    def texture(colors, alpha):
        data = np.ascontiguousarray(np.dstack([colors, alpha]), dtype=np.float32)
        nearest = (ctx.NEAREST, ctx.NEAREST)
        return ctx.texture((wide, high), components=4, dtype="f4", data=data.tobytes(), filter=nearest)

    passes = passes or CascadePasses(ctx, (wide, high))
    out = passes.illuminate(texture(emission, solid), texture(albedo, np.ones_like(solid)))
    return np.frombuffer(out.read(), np.float16).reshape(high, wide, 4)[..., :3].astype(np.float32)


@pytest.mark.parametrize("name", ["lamp", "slits"])
def test_the_passes_do_what_the_kernels_do(ctx, name):
    """The passes equal the kernels within 1 %, on a grid whose size is not a power of two."""
    made = scene(name, 60)
    found, wanted = lit(ctx, made), illuminate(*made)
    assert np.sqrt(((found - wanted) ** 2).mean() / (wanted**2).mean()) <= 0.01


def test_a_grid_may_be_wider_than_tall(ctx):
    """A grid may be wider than tall, with tiles of probes of any form."""
    made = tuple(part[:24] for part in scene("pillars", 72))
    found, wanted = lit(ctx, made), illuminate(*made)
    assert np.sqrt(((found - wanted) ** 2).mean() / (wanted**2).mean()) <= 0.01


def test_no_light_leaks_through_a_wall_of_two_texels(ctx):
    """No light passes a wall of two texels, as with the kernels."""
    made = blank(96)
    disc(made, 0.25, 0.3, 0.05, (5, 5, 5))
    put(made, 0.5, 0, 0.52, 1, albedo=0.8)
    light = lit(ctx, made)
    assert light[:, 51:].max() <= 0.005 * light[:, :48].mean()


def test_passes_serve_again_and_leave_the_context_as_it_was(ctx):
    """Passes can be reused for another scene of the same size, and the bound framebuffer is restored."""
    made, other = scene("lamp", 40), blank(40)
    passes = CascadePasses(ctx, (40, 40))
    bound = ctx.active_framebuffer
    first = lit(ctx, made, passes=passes)
    assert lit(ctx, other, passes=passes).max() == 0
    np.testing.assert_array_equal(lit(ctx, made, passes=passes), first)
    assert ctx.active_framebuffer is bound
