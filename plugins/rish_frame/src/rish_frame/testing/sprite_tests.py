"""The contract's tests of sprites: the position and color of their pixels."""

from __future__ import annotations

import pytest

from ..backend import Backend
from ..frame.batches import Batch
from ..frame.instances import pack_sprites
from .checks import ContractChecks, Picture, assert_color, assert_pixels, assert_rectangle, at, over
from .samples import (  # fmt: skip
    BLUE,
    GLOW,
    GREEN,
    HALF_RED,
    MIRRORED_X,
    MIRRORED_Y,
    NOTHING,
    OPAQUE,
    QUARTERS,
    RED,
    Color,
    affine,
    quad,
    wide,
)

BLACK = (0, 0, 0, 255)

Quarters = tuple[Color, Color, Color, Color]


class SpriteTests(ContractChecks):
    """Sprites and wide sprites; all need pixels."""

    def test_a_red_square_lies_where_it_was_put(self, backend: Backend) -> None:
        """A red sprite covers exactly the 10x10 pixels around (20, 15); y points up."""
        picture = self.show(backend, quad(20, 15, 10, 10, RED))
        assert_rectangle(picture, 15, 10, 10, 10, RED, BLACK)
        assert picture[self.size[1] - 1 - 10, 15].tolist() == list(RED)

    def test_the_top_row_of_a_picture_comes_first(self, backend: Backend) -> None:
        """A sprite at the top of the screen is in the first row of `pixels`."""
        picture = self.show(backend, quad(32, self.size[1] - 2, 64, 4, GREEN))
        assert picture[0, 32].tolist() == list(GREEN)
        assert picture[-1, 32].tolist() == list(BLACK)

    def test_neighbors_share_no_pixel_and_leave_none_out(self, backend: Backend) -> None:
        """Half transparent squares side by side, at any eighth of a pixel, cover each pixel exactly once."""
        for eighth in range(8):
            x = 10 + eighth / 8
            packed = pack_sprites([x, x + 8, x + 16], 20, 8, 8, rgba=(255, 255, 255, 128))
            picture = self.show(backend, Batch("sprites", {"instances": packed}))
            row = [at(picture, column, 20)[0] for column in range(2, 40)]
            lit = [value for value in row if value > 2]
            assert len(lit) == 24
            assert all(abs(value - 128) <= 1 for value in lit)

    def test_pictures_stand_upright(self, backend: Backend) -> None:
        """A sprite shows red and green above blue and white, as in the page."""
        self._expect_quarters(self.show(backend, quad(20, 20, 8, 8, frame=QUARTERS)), RED, GREEN, BLUE, OPAQUE)

    def test_a_frame_can_be_mirrored(self, backend: Backend) -> None:
        """A frame with u0 > u1 is mirrored in x, one with v0 > v1 in y."""
        mirrored_x = self.show(backend, quad(20, 20, 8, 8, frame=MIRRORED_X))
        self._expect_quarters(mirrored_x, GREEN, RED, OPAQUE, BLUE)
        down = self.show(backend, quad(20, 20, 8, 8, frame=MIRRORED_Y))
        self._expect_quarters(down, BLUE, OPAQUE, RED, GREEN)

    @pytest.mark.parametrize(
        ("turn", "expected"),
        [(1, (GREEN, OPAQUE, RED, BLUE)), (2, (OPAQUE, BLUE, GREEN, RED)), (3, (BLUE, RED, OPAQUE, GREEN)),
         (-1, (BLUE, RED, OPAQUE, GREEN))],
    )  # fmt: skip
    def test_sprites_turn_counter_clockwise(self, backend: Backend, turn: int, expected: Quarters) -> None:
        """Sprites turn counter-clockwise; quarters of a turn are exact to the pixel."""
        picture = self.show(backend, quad(20, 20, 8, 8, frame=QUARTERS, turn=turn))
        self._expect_quarters(picture, *expected, rim=1)

    def test_a_turned_sprite_keeps_its_middle_and_loses_its_corners(self, backend: Backend) -> None:
        """A square turned by 45 degrees covers its middle and its new tips, but not its old corners."""
        picture = self.show(backend, quad(30, 24, 20, 20, RED, turn=0.5))
        assert_pixels(picture, dict.fromkeys(((30, 24), (30, 36), (30, 11), (18, 24), (42, 24)), RED))
        assert_pixels(picture, dict.fromkeys(((21, 15), (39, 33), (21, 33), (39, 15), (30, 40), (14, 24)), BLACK))

    def test_size_scales_the_picture(self, backend: Backend) -> None:
        """4x4 texels on 20x12 pixels give texels of 5x3 pixels."""
        picture = self.show(backend, quad(30, 20, 20, 12, frame=QUARTERS))
        assert_pixels(picture, {(20, 25): RED, (29, 20): RED, (30, 20): GREEN, (29, 19): BLUE, (39, 14): OPAQUE})
        assert_pixels(picture, {(19, 20): BLACK, (40, 20): BLACK})

    def test_a_tint_multiplies(self, backend: Backend) -> None:
        """A tint multiplies each channel separately."""
        tint = (100, 200, 50, 255)
        picture = self.show(backend, quad(20, 20, 8, 8, tint, QUARTERS))
        self._expect_quarters(picture, (100, 0, 0, 255), (0, 200, 0, 255), (0, 0, 50, 255), tint)

    @pytest.mark.parametrize("alpha", [0, 1, 64, 127, 128, 200, 254, 255])
    def test_alpha_blends_premultiplied_to_the_level(self, backend: Backend, alpha: int) -> None:
        """A straight tint is blended over an opaque background in 8-bit sRGB, exact to one level."""
        ground, color = (30, 120, 250, 255), (250, 60, 10, alpha)
        picture = self.show(backend, quad(20, 20, 20, 20, ground), quad(20, 20, 10, 10, color))
        assert_rectangle(picture, 15, 15, 10, 10, over(ground, color), ground)

    def test_half_transparent_texels_are_premultiplied(self, backend: Backend) -> None:
        """The premultiplied texel (128, 0, 0, 128) over white keeps half of the white, and a tint fades it."""
        picture = self.show(backend, quad(20, 20, 20, 20), quad(20, 20, 10, 10, frame=HALF_RED))
        assert_color(picture, 20, 20, (255, 127, 127, 255))
        faded = self.show(backend, quad(20, 20, 20, 20), quad(20, 20, 10, 10, (255, 255, 255, 128), HALF_RED))
        assert_color(faded, 20, 20, (255, 191, 191, 255))

    def test_texels_of_nothing_draw_nothing(self, backend: Backend) -> None:
        """Texels without alpha do not change the pixels below them."""
        picture = self.show(backend, quad(20, 20, 20, 20, BLUE), quad(20, 20, 10, 10, frame=NOTHING))
        assert_rectangle(picture, 10, 10, 20, 20, BLUE, BLACK)

    def test_later_batches_of_a_layer_and_z_cover_earlier_ones(self, backend: Backend) -> None:
        """A later batch covers an earlier one; within a batch a later sprite covers an earlier one."""
        picture = self.show(backend, quad(20, 20, 10, 10, RED), quad(20, 20, 10, 10, BLUE))
        assert_color(picture, 20, 20, BLUE)
        packed = pack_sprites([20, 20], 20, 10, 10, rgba=[list(GREEN), list(RED)])
        assert_color(self.show(backend, Batch("sprites", {"instances": packed})), 20, 20, RED)

    def test_layer_outweighs_z_and_z_the_order_of_adding(self, backend: Backend) -> None:
        """Batches are sorted by layer, then by z, whatever the order of adding."""
        picture = self.show(
            backend,
            quad(20, 20, 10, 10, RED, layer=1, z=-5),
            quad(20, 20, 20, 20, GREEN, layer=0, z=9),
            quad(20, 20, 30, 30, BLUE, layer=0, z=3),
        )
        assert_pixels(picture, {(20, 20): RED, (12, 20): GREEN, (7, 20): BLUE})

    def test_the_origin_of_a_batch_moves_its_sprites(self, backend: Backend) -> None:
        """Two batches of one pass with the same bytes and different origins are drawn at different positions."""
        packed = pack_sprites(5, 5, 10, 10)
        left = Batch("sprites", {"instances": packed}, origin=(10.0, 20.0))
        right = Batch("sprites", {"instances": packed}, origin=(40.0, 0.0))
        picture = self.show(backend, left, right)
        assert_rectangle(picture, 10, 20, 10, 10, OPAQUE, BLACK)
        assert_rectangle(picture, 40, 0, 10, 10, OPAQUE, BLACK)

    def test_additive_light_keeps_the_alpha(self, backend: Backend) -> None:
        """Additive light keeps the target's alpha, as the blend mode add and as the frame flag ADDITIVE."""
        ground, light = (100, 50, 200, 255), (100, 200, 100, 255)
        expected = (200, 250, 255, 255)
        below = quad(20, 20, 20, 20, ground)
        assert_color(self.show(backend, below, quad(20, 20, 10, 10, light, blend="add")), 20, 20, expected)
        assert_color(self.show(backend, below, quad(20, 20, 10, 10, light, GLOW)), 20, 20, expected)
        dim = (100, 200, 100, 128)
        assert_color(self.show(backend, below, quad(20, 20, 10, 10, dim, GLOW)), 20, 20, (150, 150, 250, 255))

    @pytest.mark.parametrize("alpha", [255, 100])
    def test_multiply_screen_and_replace(self, backend: Backend, alpha: int) -> None:
        """Multiply, screen and replace follow the formulas of the contract, within two levels of rounding."""
        ground, color = (100, 200, 50), (200, 100, 30)
        below = quad(20, 20, 20, 20, (*ground, 255))
        a = alpha / 255
        expected = {
            "multiply": [d * (s * a / 255 + 1 - a) for d, s in zip(ground, color, strict=True)],
            "screen": [s * a + d * (1 - s * a / 255) for d, s in zip(ground, color, strict=True)],
            "replace": [s * a for s in color],
        }
        for blend, values in expected.items():
            picture = self.show(backend, below, quad(20, 20, 10, 10, (*color, alpha), blend=blend))
            assert_color(picture[..., :3], 20, 20, values, within=2)
            assert_color(picture, 12, 20, (*ground, 255))

    def test_linear_filtering_mixes_texels_and_nearest_does_not(self, backend: Backend) -> None:
        """The linear filter mixes red and green and no texel of a neighboring frame; nearest does not mix."""
        smooth = self.show(backend, quad(24, 24, 32, 32, frame=QUARTERS, filter="linear"))
        red, green, _, _ = at(smooth, 24, 34)
        assert red > 80
        assert green > 80
        assert_color(smooth, 9, 38, RED)
        sharp = self.show(backend, quad(24, 24, 32, 32, frame=QUARTERS))
        assert_pixels(sharp, {(23, 34): RED, (24, 34): GREEN})

    def test_wide_sprites_lie_where_sprites_do(self, backend: Backend) -> None:
        """Wide sprites cover the same pixels and show the same texels as sprites."""
        picture = self.show(backend, wide(20, 15, 10, 10, RED))
        assert_rectangle(picture, 15, 10, 10, 10, RED, BLACK)
        self._expect_quarters(self.show(backend, wide(20, 20, 8, 8, frame=QUARTERS)), RED, GREEN, BLUE, OPAQUE)

    def test_wide_sprites_shear_and_mirror(self, backend: Backend) -> None:
        """A wide sprite's matrix may shear it, or mirror it by a negative size."""
        sheared = self.show(backend, affine([10, 0, 20, 20, 30, 20], RED))
        assert_pixels(sheared, {(21, 11): RED, (39, 28): RED, (21, 28): BLACK, (39, 11): BLACK, (30, 20): RED})
        mirrored = self.show(backend, wide(20, 20, -8, 8, frame=QUARTERS))
        self._expect_quarters(mirrored, GREEN, RED, OPAQUE, BLUE, rim=1)

    def test_wide_sprites_may_be_larger_than_the_screen(self, backend: Backend) -> None:
        """Wide sprites may be larger than 16 bits allow, with their center far outside the screen."""
        picture = self.show(backend, wide(0, 0, 100_000, 100_000, BLUE), wide(-49_968, 24, 100_000, 10, RED))
        assert_pixels(picture, {(31, 24): RED, (33, 24): BLUE, (0, 0): BLUE})

    @staticmethod
    def _expect_quarters(picture: Picture, *colors: Color, rim: int = 0) -> None:
        """Check four colors on 8x8 pixels around (20, 20): the upper two from the left, then the lower two.

        rim: pixels at the border that are not checked.
        """
        low, high = 16 + rim, 23 - rim
        corners = (low, high), (high, high), (low, low), (high, low)
        for points in (corners, ((19, 20), (20, 20), (19, 19), (20, 19))):
            assert_pixels(picture, dict(zip(points, colors, strict=True)))
