"""The contract's tests of the other kinds: shapes, lines, polygons, meshes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ..backend import Backend
from ..frame.batches import Batch, Blend
from ..frame.camera_math import look_at, perspective
from ..frame.frame import Frame
from ..frame.kinds import STANDARD_KINDS
from ..frame.passes import Pass, Target
from .checks import ContractChecks, assert_color, assert_pixels, assert_rectangle, at, off_screen, over
from .samples import (  # fmt: skip
    BLUE,
    GREEN,
    OPAQUE,
    PAGE,
    QUARTERS,
    RED,
    WHITE,
    cube,
    flat_mesh,
    line,
    mesh,
    quad,
    sample_batches,
    shape,
    triangles,
)

BLACK = (0, 0, 0, 255)
CLEAR = (0, 0, 0, 0)


class KindTests(ContractChecks):
    """Kinds besides sprites; all need pixels and their kind. Edges may be smoothed and are not checked."""

    @pytest.mark.parametrize("kind", sorted(STANDARD_KINDS))
    def test_every_kind_fills_what_it_covers(self, backend: Backend, kind: str) -> None:
        """Each kind covers a square around (20, 20) and is blended over the background."""
        ground, color = (10, 60, 200, 255), (240, 100, 20, 128)
        batch = sample_batches(20, 20, 12, color)[kind]
        batch.layer = 1
        picture = self.show(backend, quad(20, 20, 40, 40, ground), batch)
        for x, y in ((20, 20), (16, 16), (23, 23)):
            assert_color(picture, x, y, over(ground, color))
        assert_color(picture, 20, 29, ground)

    @pytest.mark.parametrize("kind", sorted(STANDARD_KINDS))
    def test_what_has_nothing_in_a_channel_covers_what_has(self, backend: Backend, kind: str) -> None:
        """A batch without values in a channel is drawn in black with its opacity; blended by add, it is not drawn."""
        frame = self.scene()
        off_screen(frame, "buffer", (40, 40), "rgba8", "rgba8", channels=("", "glow"))
        glow = np.full_like(frame.frames, -1)
        glow[QUARTERS] = frame.frames[WHITE]
        frame.channels["glow"] = glow
        frame.set_frames(frame.frames)
        frame.add(quad(20, 20, 40, 40, frame=QUARTERS), to="buffer")
        shapes: list[tuple[int, Blend, int]] = [(8, "alpha", 255), (20, "alpha", 128), (32, "add", 255)]
        for layer, (x, blend, alpha) in enumerate(shapes, 1):
            batch = sample_batches(x, 20, 10, (200, 100, 50, alpha))[kind]
            batch.blend, batch.layer = blend, layer
            frame.add(batch, to="buffer")
        self.show_frame(backend, frame, "buffer")
        pixels = backend.pixels("buffer:1")
        assert_pixels(pixels, {(2, 2): OPAQUE, (8, 20): BLACK, (20, 20): over(OPAQUE, (0, 0, 0, 128))})
        assert_color(pixels, 32, 20, OPAQUE)

    @pytest.mark.parametrize("kind", sorted(STANDARD_KINDS.keys() - {"sprites"}))
    def test_kinds_interleave_by_layer(self, backend: Backend, kind: str) -> None:
        """Each kind is drawn above a sprite of a lower layer and below one of a higher layer."""
        middle = sample_batches(20, 20, 20, RED)[kind]
        middle.layer = 1
        picture = self.show(backend, quad(20, 20, 6, 6, BLUE, layer=2), middle, quad(20, 20, 30, 30, GREEN))
        assert_pixels(picture, {(20, 20): BLUE, (14, 20): RED, (20, 33): GREEN})

    @pytest.mark.parametrize("kind", sorted(STANDARD_KINDS))
    def test_every_kind_can_add(self, backend: Backend, kind: str) -> None:
        """Each kind can be drawn with the blend mode add."""
        batch = sample_batches(20, 20, 12, (100, 0, 50, 255))[kind]
        batch.layer, batch.blend = 1, "add"
        picture = self.show(backend, quad(20, 20, 40, 40, (100, 20, 30, 255)), batch)
        assert_color(picture, 20, 20, (200, 20, 80, 255))

    def test_a_box_has_sharp_or_round_corners(self, backend: Backend) -> None:
        """A box with a corner radius does not cover its corners; a box without one does."""
        sharp = self.show(backend, shape(20, 20, 20, 20, RED))
        round_ = self.show(backend, shape(20, 20, 20, 20, RED, corner=8))
        assert_color(sharp, 11, 11, RED)
        assert_pixels(round_, {(11, 11): BLACK, (20, 11): RED, (14, 14): RED})

    def test_an_ellipse_touches_the_middle_of_its_sides(self, backend: Backend) -> None:
        """An ellipse covers the middles of its box's sides, but not the corners."""
        picture = self.show(backend, shape(30, 24, 40, 20, RED, kind=1))
        assert_pixels(picture, dict.fromkeys(((30, 24), (12, 24), (48, 24), (30, 16), (30, 32)), RED))
        assert_pixels(picture, dict.fromkeys(((12, 17), (48, 31), (8, 24), (30, 36)), BLACK))

    @pytest.mark.parametrize("kind", [0, 1])
    def test_an_outline_lies_inside_the_border(self, backend: Backend, kind: int) -> None:
        """The outline is drawn inside the border, around a fill and around a transparent inside."""
        filled = self.show(backend, shape(20, 20, 24, 24, RED, kind=kind, line=4, edge=GREEN))
        assert_pixels(filled, {(20, 20): RED, (10, 20): GREEN, (20, 29): GREEN, (6, 20): BLACK})
        hollow = self.show(backend, shape(20, 20, 24, 24, (0, 0, 0, 0), kind=kind, line=4, edge=GREEN))
        assert_pixels(hollow, {(20, 20): BLACK, (10, 20): GREEN})

    def test_a_fill_fades_from_top_to_bottom(self, backend: Backend) -> None:
        """The fill of a box changes from `rgba` at the top to `rgba2` at the bottom."""
        picture = self.show(backend, shape(20, 24, 20, 40, (255, 0, 0, 255), rgba2=(0, 0, 255, 255)))
        assert_color(picture, 20, 42, (246, 0, 10, 255), within=8)
        assert_color(picture, 20, 24, (127, 0, 128, 255), within=8)
        assert_color(picture, 20, 5, (10, 0, 246, 255), within=8)

    def test_a_line_has_width_and_round_caps(self, backend: Backend) -> None:
        """A line of width 8 from (20, 20) to (40, 20) has half a circle beyond each end."""
        picture = self.show(backend, line(20, 20, 40, 20, 8, RED))
        assert_pixels(picture, dict.fromkeys(((30, 20), (30, 17), (30, 22), (18, 20), (42, 20)), RED))
        assert_pixels(picture, dict.fromkeys(((30, 26), (30, 14), (16, 16), (44, 24), (47, 20)), BLACK))

    def test_a_line_goes_any_way(self, backend: Backend) -> None:
        """Lines can be vertical and diagonal; a line without length is a dot."""
        upright = self.show(backend, line(20, 10, 20, 40, 6, RED))
        assert_pixels(upright, {(20, 25): RED, (26, 25): BLACK})
        diagonal = self.show(backend, line(10, 10, 40, 40, 6, RED))
        assert_pixels(diagonal, {(25, 25): RED, (33, 25): BLACK})
        dot = self.show(backend, line(20, 20, 20, 20, 8, RED))
        assert_pixels(dot, {(20, 20): RED, (26, 20): BLACK})

    def test_polygons_have_a_color_each(self, backend: Backend) -> None:
        """Two triangles in one batch have their own colors, whatever the winding of their corners."""
        left = [(4, 4), (24, 4), (4, 24)]
        right = [(34, 4), (34, 24), (54, 4)]
        picture = self.show(backend, triangles([left, right], RED, BLUE))
        assert_pixels(picture, {(8, 8): RED, (38, 8): BLUE, (20, 20): BLACK, (50, 20): BLACK})

    def test_triangles_of_one_polygon_meet_without_a_seam(self, backend: Backend) -> None:
        """The common edge of two half transparent triangles of a polygon is covered exactly once."""
        picture = self.show(backend, sample_batches(24, 24, 24, (255, 255, 255, 128))["polygons"])
        values = [at(picture, k, k)[0] for k in range(15, 33)]
        assert all(abs(value - 128) <= 1 for value in values), values

    def test_a_mesh_mixes_the_colors_of_its_corners(self, backend: Backend) -> None:
        """A mesh interpolates the colors of its corners, from red on the left to blue on the right."""
        self.need(backend, "mesh")
        corners = [(10, 10, 0), (50, 10, 0), (50, 40, 0), (10, 40, 0)]
        batch = mesh(corners, [RED, BLUE, BLUE, RED], [(0, 1, 2), (0, 2, 3)])
        picture = self.show(backend, batch)
        assert_color(picture, 30, 25, (124, 0, 131, 255), within=4)
        assert_color(picture, 12, 25, (239, 0, 16, 255), within=4)
        assert_color(picture, 55, 25, BLACK)

    def test_a_mesh_can_wear_a_page(self, backend: Backend) -> None:
        """A mesh with `uv` shows the texels of the page that the batch names, with line 0 on top."""
        self.need(backend, "mesh")
        batch = flat_mesh(20, 20, 16, 16)
        batch.texture = PAGE
        batch.arrays["uv"] = np.array([(4, 4), (8, 4), (8, 0), (4, 0)], np.float32)
        picture = self.show(backend, batch)
        assert_pixels(picture, {(14, 26): RED, (26, 26): GREEN, (14, 14): BLUE, (26, 14): OPAQUE})

    def test_what_lies_behind_is_hidden_by_the_depth_test(self, backend: Backend) -> None:
        """With a depth test the nearer rectangle is visible though it was drawn first; without it, the later one."""
        self.need(backend, "mesh")
        for depth_test, expected in ((True, RED), (False, BLUE)):
            frame = self._space(depth_test=depth_test, projection=np.diag(np.array([1, 1, -1, 1], np.float32)))
            frame.add(flat_mesh(0, 0, 1, 1, RED, z=0.5), to="space")
            frame.add(flat_mesh(0, 0, 1, 1, BLUE, z=-0.5), to="space")
            assert_color(self.show_frame(backend, frame, "space"), 32, 32, expected)

    def test_depth_is_cleared_with_the_colors(self, backend: Backend) -> None:
        """The depth buffer is cleared with the colors, so a farther rectangle is visible in the next frame."""
        self.need(backend, "mesh")
        frame = self._space(projection=np.diag(np.array([1, 1, -1, 1], np.float32)))
        for z, color in ((0.5, RED), (-0.5, BLUE)):
            frame.reset()
            frame.add(flat_mesh(0, 0, 1, 1, color, z=z), to="space")
            assert_color(self.show_frame(backend, frame, "space"), 32, 32, color)

    def test_a_cube_shows_its_near_faces(self, backend: Backend) -> None:
        """A cube in perspective, drawn onto a target from three sides, shows its near faces, though drawn first."""
        self.need(backend, "mesh")
        for eye, expected in (((0, 0, 3), BLUE), ((3, 0, 0), RED), ((0, 3, 0.01), GREEN)):
            frame = self._space(view=look_at(eye, (0, 0, 0)), projection=perspective(math.radians(60), 1, 0.1, 10))
            frame.add(cube(), to="space")
            picture = self.show_frame(backend, frame, "space")
            assert_rectangle(picture[22:42, 22:42], 2, 2, 16, 16, expected, expected)
            assert_color(picture, 4, 4, CLEAR)

    def test_a_triangle_that_crosses_the_cameras_plane_is_cut(self, backend: Backend) -> None:
        """A floor that begins behind the camera covers the image from the lower edge to the horizon, not above it."""
        self.need(backend, "mesh")
        frame = self._space(projection=perspective(math.radians(90), 1, 0.1, 100))
        corners = [(-50, -1, 50), (50, -1, 50), (50, -1, -90), (-50, -1, -90)]
        frame.add(mesh(corners, [GREEN] * 4, [(0, 1, 2), (0, 2, 3)]), to="space")
        picture = self.show_frame(backend, frame, "space")
        for x in (4, 32, 60):
            assert_pixels(picture, {(x, 1): GREEN, (x, 20): GREEN, (x, 40): CLEAR})

    def test_a_kind_of_a_stranger_does_not_disturb_ours(self, backend: Backend) -> None:
        """A batch of an unknown kind between two sprite batches does not change how these are drawn."""
        self.need(backend, "pixels")
        frame = self.scene(quad(20, 20, 10, 10, RED), Batch("contract.silent", {"things": np.zeros(1)}))
        frame.add(quad(20, 20, 4, 4, BLUE))
        backend.draw(frame)
        assert_color(backend.pixels(), 20, 20, BLUE)
        assert_color(backend.pixels(), 16, 16, RED)

    def _space(self, depth_test: bool = True, **camera: Any) -> Frame:
        """Return a scene with a pass `space`, which draws onto a target of 64x64 pixels with depth."""
        frame = self.scene()
        frame.add_target(Target("space", size=(64, 64), depth=True))
        frame.add_pass(Pass("space", ("space",), depth_test=depth_test, **camera))
        return frame
