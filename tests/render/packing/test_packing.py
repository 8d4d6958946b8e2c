"""Packing: the place of each sprite, culling, and the same bytes with and without a compiler."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rish_jit
from long_runs import long
from rish_frame.frame import affine_of
from rish_frame.poses import Poses
from rish_frame.poses.interpolation import plain_matrices
from rish_render.kinds.sprites.extract import quads
from rish_render.packing.order import changed_blocks, order_of
from rish_render.packing.packer import Packer
from rish_render.packing.packing import Style, plain_pack, window_of
from rish_render.scene.view import View

F32 = np.float32
COMPILED = pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")


def crowd(seed, count=600, *, groups=7, bases=5, anchors=False, snaps=False, large=False, uneven=False, blocks=False):
    """Return poses and styles of sprites on several bases, of which some mirror and the last may shear."""
    random = np.random.default_rng(seed)

    def some(low, high, size):
        return random.uniform(low, high, size).astype(F32)

    matrices = np.zeros((bases + 1, 6), F32)
    matrices[0, [0, 3]] = 1
    for k in range(1, bases + 1):
        turn, size = random.uniform(0, 7), random.uniform(0.3, 2)
        cos, sin = math.cos(turn) * size, math.sin(turn) * size
        matrices[k] = (cos, sin, -sin, cos, *random.uniform(-50, 50, 2))
        if k % 3 == 0:
            matrices[k, :2] *= -1
    if uneven:
        matrices[-1, 2:4] *= 3
    slots = np.arange(count) * (bases + 1) // count if blocks else random.integers(0, bases + 1, count)
    poses = Poses(
        some(-900, 900, 2 * count), some(-30, 30, count), some(-2, 2, 2 * count),
        some(-900, 900, 2 * count), some(-30, 30, count), some(-2, 2, 2 * count),
        F32(random.choice([0, 0.3, 1])), slots.astype(np.uint32), matrices,
    )  # fmt: skip
    key = random.integers(0, groups, count).astype(np.uint32)
    style = Style(
        np.stack([some(0, 6000 if large else 40, count), some(0, 40, count)], axis=1).reshape(-1),
        (random.integers(0, 60, count) * 4).astype(np.uint16), random.integers(0, 2**32, count).astype(np.uint32), key,
        some(-1, 1, 2 * count) if anchors else np.zeros(0, F32),
        random.integers(0, 2, count).astype(np.uint8) if snaps else np.zeros(0, np.uint8),
        np.bincount(key, minlength=groups).astype(np.int64),
        order_of(key),
    )  # fmt: skip
    return poses, style


def rows_of(count):
    """Return all rows in their order."""
    return np.arange(count, dtype=np.int32)


def packed(poses, style, view, **options):
    """Return the window of a view and the sprites that numpy packs for it."""
    window = window_of(view)
    count = len(poses.rotation)
    return window, plain_pack(poses, poses.bases(), rows_of(count), style, window.numbers(), **options)


@COMPILED
@settings(max_examples=long(40, 10), deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    density=st.sampled_from([0.1, 0.7, 1.0, 2.5, 54.0]),
    flags=st.tuples(*[st.booleans()] * 7),
)
def test_a_kernel_packs_the_same_bytes(seed, density, flags):
    """The kernel packs the same bytes as numpy for any mix of rotated, mirrored, huge, NaN and reordered sprites."""
    anchors, snaps, large, uneven, blocks, mixed, sources = flags
    poses, style = crowd(seed, anchors=anchors, snaps=snaps, large=large, uneven=uneven, blocks=blocks)
    poses.position[::53] = np.nan
    poses.rotation[1::97] = np.inf
    poses.rotation[2::89] = 1e9
    rows = rows_of(600)
    if mixed:
        rows = np.random.default_rng(seed).permutation(600).astype(np.int32)
    window = window_of(View((640, 480), (seed % 100, -5.3), density=density)).numbers()
    plain = plain_pack(poses, poses.bases(), rows, style, window, sources=sources)
    compiled = Packer().compiled(poses, poses.bases(), rows, style, window, sources)
    same(plain, compiled)


def same(plain, compiled):
    """Assert that both results have the same bytes."""
    for name, one, other in zip(plain._fields[:-1], plain, compiled, strict=False):
        assert one.tobytes() == other.tobytes(), name


@COMPILED
@settings(max_examples=long(25, 10), deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    density=st.sampled_from([0.1, 0.4, 1.0, 54.0]),
    flags=st.tuples(*[st.booleans()] * 5),
)
def test_whole_blocks_are_the_same_bytes(seed, density, flags):
    """Blocks on one base, packed eight at a time, give the same bytes, also if they begin in the middle of a row."""
    large, uneven, one, huge, sources = flags
    bases = 1 if one else 3
    poses, style = crowd(seed, 1800, bases=bases, large=large, uneven=uneven, blocks=True)
    if huge:
        poses.position[::61] = np.nan
        poses.scale[::307] = np.inf
        poses.rotation[1::97] = np.inf
    else:
        poses.scale[:] = np.abs(poses.scale)
        poses.last_scale[:] = poses.scale
    window = window_of(View((640, 480), (seed % 100, -5.3), density=density)).numbers()
    for first in (0, 37):
        rows = np.arange(first, 1800, dtype=np.int32)
        some = style._replace(
            sizes=style.sizes[2 * first :], frame=style.frame[first:], rgba=style.rgba[first:], key=style.key[first:],
            groups=np.bincount(style.key[first:], minlength=7).astype(np.int64), order=order_of(style.key[first:]),
        )  # fmt: skip
        plain = plain_pack(poses, poses.bases(), rows, some, window, sources=sources)
        same(plain, Packer().compiled(poses, poses.bases(), rows, some, window, sources))


@COMPILED
@pytest.mark.parametrize("seed", range(12))
def test_changed_blocks_give_the_same_bytes(seed):
    """After sprites came, went, moved or changed, packing their blocks gives the same bytes as packing all sprites, and
    the sprites that it says were moved are those of the last result."""
    random = np.random.default_rng(seed)
    poses, style = crowd(seed, 3000, bases=1, large=False, uneven=False, blocks=True)
    window = window_of(View((640, 480), (0, 0), density=random.choice([0.3, 1.0])))
    packer, count = Packer(), 2500
    patched = 0

    def some(number):
        """Return the style of the first sprites."""
        key = style.key[:number]
        return style._replace(
            sizes=style.sizes[: 2 * number], frame=style.frame[:number], rgba=style.rgba[:number], key=key,
            groups=np.bincount(key, minlength=7).astype(np.int64), order=order_of(key),
        )  # fmt: skip

    last = packer.compiled(poses, poses.bases(), rows_of(count), some(count), window.numbers(), False)
    for _ in range(40):
        instances = last.instances.copy()
        before, count = count, int(np.clip(count + random.choice([0, 0, 1, -1, 7, -300, 260]), 1, 2900))
        changed = random.integers(0, count, int(random.integers(0, 3)))
        style.key[changed] = random.integers(0, 7, len(changed))
        style.rgba[changed] = random.integers(0, 2**32, len(changed))
        poses.position.reshape(-1, 2)[changed] += F32(100)
        touched = changed_blocks(before, count, changed)
        now, rows = some(count), rows_of(count)
        result = packer.patch(poses, poses.bases(), rows, now, touched)
        patched += result is not None
        if result is None:
            result = packer.compiled(poses, poses.bases(), rows, now, window.numbers(), False)
        same(plain_pack(poses, poses.bases(), rows, now, window.numbers()), result)
        for first, end, by in result.moves or ():
            assert (instances[first:end] == result.instances[first + by : end + by]).all()
        last = result
    assert patched >= 30


@COMPILED
def test_a_packer_notices_what_is_new():
    """A packer follows new groups, bases, rows, sizes, and a larger number of sprites."""
    packer, window = Packer(), window_of(View((900, 700), (0, 0))).numbers()

    def check(poses, style, rows):
        plain = plain_pack(poses, poses.bases(), rows, style, window)
        same(plain, packer.compiled(poses, poses.bases(), rows, style, window, False))

    poses, style = crowd(1, 600, bases=0)
    check(poses, style, rows_of(600))
    check(poses, style._replace(sizes=style.sizes * F32(2)), rows_of(600))
    key = style.key[::-1].copy()
    check(poses, style._replace(key=key, order=order_of(key)), rows_of(600))
    hung, _ = crowd(2, 600, bases=3)
    check(hung, style, rows_of(600))
    check(hung._replace(slots=np.ones(600, np.uint32)), style, rows_of(600))
    turned = rows_of(600)
    turned[[3, 4]] = turned[[4, 3]]
    check(poses, style, turned)
    check(*crowd(3, 3000, bases=2, blocks=True), rows_of(3000))
    check(*crowd(4, 5, groups=2), rows_of(5))


@pytest.mark.parametrize("anchors", [False, True])
@pytest.mark.parametrize("density", [0.25, 1.0, 4.0])
def test_packed_sprites_lie_where_their_matrices_say(density, anchors):
    """Packed sprites are within an eighth of a pixel of their matrices, on rotated, scaled and mirrored bases."""
    poses, style = crowd(3, anchors=anchors)
    window, got = packed(poses, style, View((1200, 800), (3, 4), density=density), sources=True)
    assert len(got.instances) > 5
    matrix = plain_matrices(poses, got.source)
    anchor = np.full((len(matrix), 2), 0.5, F32)
    if anchors:
        anchor -= style.shift.reshape(-1, 2)[got.source]
    size = style.size[got.source]
    wanted = quads(matrix, size, anchor).astype(np.float64)
    found = affine_of(got.instances, window.origin, window.unit).astype(np.float64)
    mirrored = (got.instances["frame"] ^ style.frame[got.source]) & 1 == 1
    found[mirrored, :2] *= -1
    reach = np.abs(wanted[:, :4]).max(axis=1)
    assert (np.abs(found[:, 4:] - wanted[:, 4:]).max(axis=1) * density < 0.13 + 1e-3 * reach * density).all()
    assert (np.abs(found[:, :4] - wanted[:, :4]).max(axis=1) * density < 0.13 + 2e-4 * reach * density).all()


def test_what_is_seen_is_packed():
    """Every sprite whose corners reach into the view is packed."""
    poses, style = crowd(8)
    view = View((500, 300), (100, -50))
    _, got = packed(poses, style, view, sources=True)
    size = style.size
    quad = quads(plain_matrices(poses, rows_of(600)), size, np.full((600, 2), 0.5, F32))
    corners = np.stack([quad[:, 4:] + sx * quad[:, :2] / 2 + sy * quad[:, 2:4] / 2 for sx in (-1, 1) for sy in (-1, 1)])
    x0, y0, x1, y1 = view.bounds
    low, high = corners.min(axis=0), corners.max(axis=0)
    touches = (low[:, 0] < x1) & (high[:, 0] > x0) & (low[:, 1] < y1) & (high[:, 1] > y0)
    assert set(np.flatnonzero(touches)) <= set(got.source.tolist())
    assert len(got.instances) < 600


def test_groups_keep_the_order_of_their_sprites():
    """Sprites are packed group by group, within a group by number; the counts give the size of each group."""
    poses, style = crowd(5)
    _, got = packed(poses, style, View((3000, 3000), (0, 0)), sources=True)
    keys = style.key[got.source]
    assert (np.diff(keys.astype(int)) >= 0).all()
    assert np.bincount(keys, minlength=7).tolist() == got.counts.tolist()
    assert all((np.diff(got.source[keys == k]) > 0).all() for k in range(7))


def test_what_does_not_fit_is_separated():
    """Sprites too large or on a shearing base are returned by number, with the count of their group before them."""
    poses, style = crowd(6, large=True, uneven=True)
    _, got = packed(poses, style, View((3000, 3000), (0, 0)), sources=True)
    assert len(got.odd) > 20
    for number, before in zip(got.odd.tolist(), got.before.tolist(), strict=True):
        mine = got.source[style.key[got.source] == style.key[number]]
        assert (mine < number).sum() == before
        assert number not in got.source


def test_nothing_that_is_no_number_is_drawn():
    """Sprites at NaN are neither packed nor returned as odd."""
    poses, style = crowd(7)
    poses.position[:] = np.nan
    _, got = packed(poses, style, View((3000, 3000), (0, 0)))
    assert len(got.instances) == len(got.odd) == 0


@pytest.mark.parametrize("density", [0.01, 0.5, 1, 3, 54, 2000])
@pytest.mark.parametrize("size", [(320, 240), (7680, 4320)])
def test_the_unit_is_fine_and_reaches_far_enough(density, size):
    """A step is at most 1/8 pixel (1/4 on 8K), and every visible place is within reach."""
    view = View(size, (1e4, -3e3), density=density)
    for wider in (1.0, 3.0):
        window = window_of(view, wider=wider)
        assert window.unit / 8 * density <= (1 / 8 if size[0] < 4096 else 1 / 4)
        assert max(window.reach) <= 4095 * window.unit
        assert window.shows(view)
        assert math.log2(window.unit).is_integer()


def test_a_wider_window_survives_scrolling_and_zooming():
    """A wide window shows every view that is inside it and of similar size."""
    view = View((1280, 720), (0, 0))
    window = window_of(view, wider=3.0)
    assert window.shows(View((1280, 720), (1200, 650)))
    assert window.shows(View((1280, 720), (100, 50), density=0.6))
    assert window.shows(View((1280, 720), (100, 50), density=1.9, rotation=1.0))
    assert not window.shows(View((1280, 720), (1300, 0)))
    assert not window.shows(View((1280, 720), (0, 0), density=2.1))
    assert not window.shows(View((1280, 720), (0, 0), density=0.3))


def test_a_window_has_its_middle_on_a_corner_of_a_pixel():
    """The window's middle is on a corner of a pixel, so that its grid is aligned with the screen's."""
    view = View((1281, 721), (3.3, 7.7), density=2.0)
    x, y = window_of(view).origin
    left, low = view.center[0] - view.reach[0], view.center[1] - view.reach[1]
    assert ((x - left) * 2) % 1 == pytest.approx(0, abs=1e-9)
    assert ((y - low) * 2) % 1 == pytest.approx(0, abs=1e-9)
