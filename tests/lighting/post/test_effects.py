"""Each effect equals its formula in plain numpy; without effects a frame is unchanged to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_lighting.post import kernels
from rish_lighting.post.chain import set_effect, transition
from rish_lighting.post.effect import Block
from rish_lighting.post.effects.bloom import bright
from rish_lighting.post.effects.crt import read_stray
from rish_lighting.post.effects.gauss import weights_of
from rish_lighting.post.effects.grade import Grading, curve
from rish_lighting.post.effects.lut import neutral
from rish_lighting.post.formulas import decode, encode, encoding

F32 = np.float32
NEUTRAL = [
    {"bloom": {"strength": 0}}, {"tone_map": {"curve": "clip"}}, {"grading": {"contrast": 1, "saturation": 1}},
    {"vignette": {"strength": 0}}, {"aberration": {"strength": 0}}, {"blur": {"radius": 0}}, {"fade": {"amount": 0}},
    {"grain": {"strength": 0}}, {"pixelate": {"size": 0.1}},
]  # fmt: skip


@pytest.mark.parametrize("link", NEUTRAL, ids=lambda link: next(iter(link)))
def test_an_effect_that_does_nothing_changes_no_bit(desk: Any, link: dict[str, Any]):
    """An effect without influence changes no bit: each level survives decoding, the effect and encoding."""
    plain = desk.show()
    shown = desk.show([link])
    assert np.abs(shown.astype(int) - plain).max() <= (1 if "grading" in link else 0)


def test_every_level_survives_decoding_and_encoding():
    """All 256 levels survive the table of the software backend."""
    levels = np.arange(256, dtype=np.uint8)
    rows = np.repeat(levels[None, :, None], 4, axis=2).copy()
    colors, out = np.zeros((1, 256, 4), F32), np.zeros((1, 256, 4), np.uint8)
    kernels.decode_rows(rows, decode(levels / 255).astype(F32), colors)
    kernels.encode_rows(colors, encoding(), 0, F32(0), out)
    assert np.array_equal(out[0, :, 0], levels)


def test_dither_scatters_without_changing_the_mean():
    """A level between two becomes either of them, in the right proportion."""
    light = decode(np.array((100 + 0.25) / 255))
    colors = np.full((64, 256, 4), light, F32)
    out = np.zeros((64, 256, 4), np.uint8)
    kernels.encode_rows(colors, encoding(), 0, F32(1), out)
    assert set(np.unique(out[..., 0])) == {100, 101}
    assert abs(out[..., 0].mean() - 100.25) < 0.05


def test_a_picture_at_another_size_is_read_between_its_texels():
    """An image of another size is read with bilinear interpolation at each pixel's center."""
    rng = np.random.default_rng(4)
    given = rng.random((9, 13, 4)).astype(F32)
    for height, width in ((5, 7), (9, 13), (20, 31), (1, 1)):
        out = np.zeros((height, width, 4), F32)
        kernels.resample(given, 0, height, out)
        y = np.clip((np.arange(height) + 0.5) * 9 / height - 0.5, 0, 8)
        x = np.clip((np.arange(width) + 0.5) * 13 / width - 0.5, 0, 12)
        j, i = np.minimum(y.astype(int), 7), np.minimum(x.astype(int), 11)
        fy, fx = (y - j)[:, None, None], (x - i)[None, :, None]
        upper = given[j][:, i] * (1 - fx) + given[j][:, i + 1] * fx
        lower = given[j + 1][:, i] * (1 - fx) + given[j + 1][:, i + 1] * fx
        assert np.allclose(out, upper * (1 - fy) + lower * fy, atol=2e-6)


def test_softening_is_a_weighted_sum_that_keeps_all_light():
    """Blur is a weighted sum in both directions that keeps the total light; the border is extended."""
    rng = np.random.default_rng(5)
    given, weights = rng.random((12, 17, 4)).astype(F32), weights_of(1.6)
    assert abs(weights[0] + 2 * weights[1:].sum() - 1) < 1e-6
    for kernel, axis in ((kernels.soften_across, 1), (kernels.soften_upright, 0)):
        out = np.zeros_like(given)
        kernel(given, 0, weights, out)
        wide = np.pad(given, [(4, 4) if k == axis else (0, 0) for k in range(3)], mode="edge")
        expected = weights[0] * given
        for k in range(1, 5):
            for way in (-k, k):
                expected = expected + weights[k] * np.take(wide, np.arange(4, 4 + given.shape[axis]) + way, axis)
        assert np.allclose(out, expected, atol=1e-6)


def test_bloom_takes_what_is_above_the_threshold():
    """Bloom is zero below threshold - knee, starts softly, and keeps the color above."""
    row = np.ones((1, 5, 4), F32)
    row[0, :, 0] = [0.1, 0.45, 0.6, 2.0, 8.0]
    row[0, :, 1:3] = row[0, :, :1] / 2
    given = row.copy()
    bright(F32(0.5), F32(0.1), row)
    assert row[0, 0, 0] == 0
    assert 0 < row[0, 1, 0] < 0.05
    assert row[0, 3:, 0] == pytest.approx([1.5, 7.5], rel=1e-4)
    assert np.allclose(row[..., 1], row[..., 0] * given[..., 1] / given[..., 0])


def test_bloom_shines_over_dark_and_adds_nothing_to_a_dark_picture(desk: Any):
    """Bloom decreases around a lamp, and changes no bit of a dark image."""
    dark = np.full((108, 192, 4), 255, np.uint8)
    dark[..., :3] = 40
    desk.paint(dark)
    assert np.array_equal(desk.show(["bloom"]), dark)
    dark[50:58, 92:100, :3] = 255
    desk.paint(dark.copy())
    shown = desk.show(["bloom"])[54, :, 0].astype(int)
    assert shown[102] > shown[110] > shown[130] >= 40
    assert (np.diff(shown[101:150]) <= 0).all()


def test_the_vignette_follows_its_formula(desk: Any):
    """The vignette is zero in the middle and has its share of the color in the corners."""
    white = np.full((108, 192, 4), 255, np.uint8)
    desk.paint(white)
    shown = desk.show([{"vignette": {"strength": 0.8, "inner": 0.3, "roundness": 0}}])
    y, x = np.mgrid[0:108, 0:192] + 0.5
    far = np.hypot(x / 96 - 1, y / 54 - 1) / np.sqrt(2)
    t = np.clip((far - 0.3) / 0.7, 0, 1)
    expected = encode(1 - 0.8 * t * t * (3 - 2 * t)) * 255
    assert np.abs(shown[..., 0] - expected).max() <= 1


def test_tone_curves_are_what_is_published(desk: Any):
    """Tone curves equal the published ones: `soft` is linear below its shoulder, all increase, none exceeds white."""
    from rish_lighting.post.effects.tone import CURVES, tone

    light = np.linspace(0, 8, 400)
    made = {}
    for number, name in enumerate(CURVES):
        row = np.repeat(light[None, :, None], 4, axis=2).astype(F32)
        tone(number, F32(1), F32(0.75), F32(4), row)
        made[name] = row[0, :, 0].astype(float)
        assert (np.diff(made[name]) >= -1e-6).all()
        assert made[name].max() <= 1
    assert np.allclose(made["clip"], np.minimum(light, 1), atol=1e-6)
    assert np.allclose(made["soft"][light < 0.75], light[light < 0.75], atol=1e-6)
    assert np.allclose(made["reinhard"], np.minimum(light * (1 + light / 16) / (1 + light), 1), atol=1e-5)
    x = light * 0.6
    assert np.allclose(made["aces"], np.minimum(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 1), atol=1e-5)


def test_the_table_of_grading_holds_its_curve():
    """The fallback's table equals the formula to a tenth of a level."""
    from rish_lighting.post.effects.grade import _fallback

    values = {name: spec.default for name, spec in Grading.__effect__.fields.items()}
    values.update(temperature=0.4, contrast=1.4, lift=(0.02, 0, 0), gamma=(1.3, 1, 0.8), saturation=1.0)
    light = np.linspace(0, 1, 777)
    row = np.repeat(light[None, :, None], 4, axis=2).astype(F32)
    _fallback(Block(row, 0, (777, 1), {}, values, 0.0, 1.0))
    expected = curve(values, light).T
    assert np.abs(encode(row[0, :, :3]) - encode(expected)).max() * 255 < 0.1


def test_a_fade_ends_in_its_color(desk: Any):
    """At amount 1 the frame has the color of the fade."""
    shown = desk.show([{"fade": {"amount": 1, "color": "#336699"}}])
    assert (shown[..., :3] == [0x33, 0x66, 0x99]).all()


def test_squares_have_one_color(desk: Any):
    """Each square of `pixelate` has one color."""
    shown = desk.show([{"pixelate": {"size": 6}}])
    squares = shown.reshape(18, 6, 32, 6, 4)
    assert (squares == squares[:, :1, :, :1]).all()


def test_a_neutral_table_of_colors_changes_nothing(desk: Any):
    """A neutral color table changes nothing, and an image that is not a table is ignored."""
    plain = desk.show()
    from rish_lighting.post.passes import Source

    for n in (2, 16):
        desk.world[Source].images.put("n.png", neutral(n).astype(F32) / 255)
        shown = desk.show([{"lut": {"image": "n.png"}}])
        assert np.abs(shown.astype(int) - plain).max() <= 1
        desk.world[Source].images.put("n.png", neutral(n)[::-1].astype(F32) / 255)
        assert np.abs(desk.show([{"lut": {"image": "n.png"}}]).astype(int) - plain).max() > 20
    desk.world[Source].images.put("n.png", np.ones((5, 7, 4), F32))
    assert np.array_equal(desk.show([{"lut": {"image": "n.png"}}]), plain)


def test_a_crt_keeps_the_brightness_of_a_plain_surface(desk: Any):
    """The lines, grille and glow of `crt` keep the mean brightness in the middle to within a quarter."""
    for level in (60, 120, 180):
        plain = np.full((108, 192, 4), 255, np.uint8)
        plain[..., :3] = level
        desk.paint(plain)
        shown = desk.show([{"crt": {"lines": 36, "shading": 0}}])[36:72, 60:132, :3]
        assert 0.75 < decode(shown / 255).mean() / decode(level / 255) < 1.25
        assert shown.std() > 3


@pytest.mark.parametrize("effect", ["dissolve", "crossfade", "wipe", "iris"])
def test_a_crossing_begins_with_the_old_picture_and_ends_with_the_new(desk: Any, effect: str):
    """A transition begins with the old image, ends with the new one, and has no effect before and after."""
    old = desk.show()
    transition(desk.world, effect=effect, seconds=1.0)
    new = np.ascontiguousarray(old[:, ::-1])
    desk.paint(new)
    assert np.abs(desk.draw(0.0).astype(int) - old).max() <= 1
    for _ in range(5):
        middle = desk.draw(0.1)
    assert np.abs(middle.astype(int) - old).mean() > 3
    assert np.abs(middle.astype(int) - new).mean() > 3
    for _ in range(6):
        desk.draw(0.1)
    assert np.array_equal(desk.draw(), new)
    assert not [name for name in desk.frame.targets if name.startswith("light.")]


def test_noise_moves_with_time_and_stands_with_it(desk: Any):
    """Noise is the same at the same time, and different a while later."""
    first = desk.show([{"grain": {"strength": 0.2}}])
    assert np.array_equal(desk.draw(), first)
    assert not np.array_equal(desk.draw(0.09), first)
    set_effect(desk.world, "grain", enabled=False)
    assert np.array_equal(desk.draw(), desk.show())


@pytest.mark.parametrize("width", range(1, 10))
def test_stray_light_reaches_the_last_column(width):
    """The stray light of a tube fills rows of any width completely."""
    stray, middle = np.full((3, 4, 4), 0.25, np.float32), np.full(width, 0.5, np.float32)
    row, knots = np.full(4 * width, np.nan, np.float32), np.zeros(4 * (width // 4 + 2), np.float32)
    read_stray(stray, middle, middle, knots, row)
    assert (row == 0.25).all()
