"""The contract's tests of features that all kinds share: masks, and materials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from ..backend import Backend
from ..frame.batches import Batch, Material
from ..frame.camera_math import pixels
from ..frame.frame import Frame
from ..frame.instances import pack_sprites
from ..frame.kinds import STANDARD_KINDS
from ..frame.passes import Pass
from ..frame.shaders import Pixels, Shader
from .checks import ContractChecks, Picture, assert_color, assert_pixels, assert_rectangle, off_screen
from .samples import BLUE, OPAQUE, QUARTERS, RED, quad, sample_batches

BLACK = (0, 0, 0, 255)
Fallback = Callable[[Pixels, Mapping[str, Any]], None]


class BlendTests(ContractChecks):
    """Tests of the blend modes mask and erase, and of units of instances; all need pixels."""

    @pytest.mark.parametrize("kind", sorted(STANDARD_KINDS))
    @pytest.mark.parametrize("blend", ["mask", "erase"])
    def test_masks_keep_or_take_away(self, backend: Backend, blend: Any, kind: str) -> None:
        """Mask gives d·a and erase d·(1-a) where the thing is, in all channels; pixels around it do not change."""
        frame = self.scene()
        off_screen(frame, "map", self.size)
        ground, alpha = (200, 100, 40, 255), 100
        batch = sample_batches(20, 20, 12, (255, 255, 255, alpha))[kind]
        batch.layer, batch.blend = 1, blend
        frame.add(quad(20, 20, 36, 36, ground), to="map")
        frame.add(batch, to="map")
        picture = self.show_frame(backend, frame, "map")
        part = alpha / 255 if blend == "mask" else 1 - alpha / 255
        for x, y in ((20, 20), (16, 16), (23, 23)):
            assert_color(picture, x, y, [value * part for value in ground])
        assert_pixels(picture, dict.fromkeys(((20, 29), (20, 10), (5, 5)), ground))

    @pytest.mark.parametrize("blend", ["mask", "erase"])
    def test_masks_look_at_the_alpha_only(self, backend: Backend, blend: Any) -> None:
        """Mask and erase use only the alpha of the source, whatever its color."""
        for tint, is_kept in ((BLUE, blend == "mask"), ((255, 0, 0, 0), blend == "erase")):
            frame = self.scene()
            off_screen(frame, "map", self.size)
            frame.add(quad(20, 20, 20, 20, RED), to="map")
            frame.add(quad(20, 20, 10, 10, tint, layer=1, blend=blend), to="map")
            picture = self.show_frame(backend, frame, "map")
            assert_rectangle(picture, 15, 15, 10, 10, RED if is_kept else (0, 0, 0, 0), RED)

    @pytest.mark.parametrize("unit", [0.5, 2.0, 0.125])
    def test_a_unit_changes_the_bytes_and_not_the_place(self, backend: Backend, unit: float) -> None:
        """Sprites packed with another unit are drawn at the same position, with and without an origin."""
        for origin in ((0.0, 0.0), (12.0, -8.0)):
            packed = pack_sprites([20, 44], [15, 30], [10, 8], [6, 12], frame=QUARTERS, origin=origin, unit=unit)
            unscaled = pack_sprites([20, 44], [15, 30], [10, 8], [6, 12], frame=QUARTERS, origin=origin)
            picture = self.show(backend, Batch("sprites", {"instances": packed}, origin=origin, unit=unit))
            expected = self.show(backend, Batch("sprites", {"instances": unscaled}, origin=origin))
            assert (picture == expected).all()

    @pytest.mark.parametrize("unit", [0.0, -1.0, np.nan, np.inf])
    def test_a_batch_with_an_insane_unit_is_skipped_and_reported(self, backend: Backend, unit: float) -> None:
        """The batch is skipped with a report, and the batches after it are drawn."""
        self.need(backend, "pixels")
        frame = self.scene()
        packed = pack_sprites(20, 20, 30, 30, rgba=BLUE)
        frame.add(Batch("sprites", {"instances": packed}, unit=unit))
        frame.add(quad(20, 20, 10, 10, RED, layer=1))
        stats = backend.draw(frame)
        assert "unit" in stats.skipped["sprites"]
        assert_rectangle(backend.pixels(), 15, 15, 10, 10, RED, BLACK)


class MaterialTests(ContractChecks):
    """Materials, by GLSL or by a fallback; all need pixels and either capability."""

    def test_a_material_changes_what_is_drawn(self, backend: Backend) -> None:
        """A material inverts the colors of its batch, which is blended as usual; other batches keep their colors."""

        def invert(p: Pixels, _: Mapping[str, Any]) -> None:
            p.color[:, :3] = p.color[:, 3:] - p.color[:, :3]

        shader = Shader("invert", "vec4 shade(Pixel p) { return vec4(p.color.a - p.color.rgb, p.color.a); }")
        picture = self._show(backend, shader, invert, quad(20, 20, 10, 10, (255, 100, 0, 128)), quad(44, 20, 8, 8, RED))
        assert_rectangle(picture, 15, 15, 10, 10, (0, 78, 128, 255), BLACK)
        assert_rectangle(picture, 40, 16, 8, 8, RED, BLACK)

    def test_a_material_knows_where_it_is(self, backend: Backend) -> None:
        """`uv` counts from the bottom left corner of the thing, `at` from that of the target."""

        def places(p: Pixels, _: Mapping[str, Any]) -> None:
            p.color[:, :2], p.color[:, 2], p.color[:, 3] = p.uv, p.at[:, 0], 1

        shader = Shader("places", "vec4 shade(Pixel p) { return vec4(p.uv, p.at.x, 1.0); }")
        picture = self._show(backend, shader, places, quad(20, 20, 16, 8))
        width = self.size[0]
        for x, y, u, v in ((12, 16, 0.5 / 16, 0.5 / 8), (27, 23, 15.5 / 16, 7.5 / 8), (20, 16, 8.5 / 16, 0.5 / 8)):
            assert_color(picture, x, y, (255 * u, 255 * v, 255 * (x + 0.5) / width, 255), within=2)

    def test_a_material_has_uniforms_and_the_time(self, backend: Backend) -> None:
        """A uniform has the batch's value, otherwise the shader's default; `time` is the game's time in seconds."""

        def flat(p: Pixels, uniforms: Mapping[str, Any]) -> None:
            p.color[:] = (*uniforms["paint"], uniforms["more"] + p.time, 1)

        shader = Shader(
            "flat",
            "vec4 shade(Pixel p) { return vec4(paint, more + time, 1.0); }",
            {"paint": "vec2", "more": "float"},
            {"paint": (1.0, 0.5), "more": 0.25},
        )
        picture = self._show(backend, shader, flat, quad(20, 20, 10, 10), time=0.5)
        assert_color(picture, 20, 20, (255, 128, 191, 255), within=2)
        picture = self._show(backend, shader, flat, quad(20, 20, 10, 10), parameters={"paint": (0, 1)})
        assert_color(picture, 20, 20, (0, 255, 64, 255), within=2)

    def test_a_material_may_read_the_screen(self, backend: Backend) -> None:
        """`screen` is the target's image before the pass, if the pass reads it; this test swaps red and blue."""

        def swap(p: Pixels, _: Mapping[str, Any]) -> None:
            assert p.screen is not None
            height, width = p.screen.shape[:2]
            x, y = (p.at[:, 0] * width).astype(int), ((1 - p.at[:, 1]) * height).astype(int)
            p.color[:] = p.screen[y, x][:, [2, 1, 0, 3]] / np.float32(255)

        self._need_materials(backend, "targets", "copy")
        frame = self.scene()
        frame.shaders["swap"] = Shader("swap", "vec4 shade(Pixel p) { return screen(p.at).bgra; }", fallback=swap)
        frame.add_pass(Pass("after", inputs=("screen",), rank="post", projection=pixels(self.size)))
        frame.add(quad(20, 20, 30, 30, (200, 100, 0, 255)))
        frame.add(quad(20, 20, 10, 10, material=Material("swap")), to="after")
        picture = self.show_frame(backend, frame)
        assert_rectangle(picture, 15, 15, 10, 10, (0, 100, 200, 255), (200, 100, 0, 255))

    def test_a_material_reads_its_own_picture(self, backend: Backend) -> None:
        """`picture` reads the thing's own image at any uv; this test mirrors it."""

        def mirror(p: Pixels, _: Mapping[str, Any]) -> None:
            height, width = p.picture.shape[:2]
            x, y = ((1 - p.uv[:, 0]) * width).astype(int), ((1 - p.uv[:, 1]) * height).astype(int)
            p.color[:] = p.picture[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] / np.float32(255)

        shader = Shader("mirror", "vec4 shade(Pixel p) { return picture(vec2(1.0 - p.uv.x, p.uv.y)); }")
        picture = self._show(backend, shader, mirror, quad(20, 20, 8, 8, frame=QUARTERS))
        assert_pixels(picture, {(17, 22): (0, 255, 0, 255), (22, 22): RED, (17, 17): OPAQUE})

    def test_a_material_that_fails_costs_only_itself(self, backend: Backend) -> None:
        """A material that fails is reported; its batch is drawn without it, and all other batches are drawn."""

        def fail(p: Pixels, _: Mapping[str, Any]) -> None:
            p.color[:] = 0
            raise ArithmeticError("the fallback is out of order")

        self._need_materials(backend)
        frame = self.scene()
        frame.shaders["broken"] = Shader("broken", "vec4 shade(Pixel p) { return nonsense }", fallback=fail)
        frame.add(quad(20, 20, 10, 10, RED, material=Material("broken")))
        frame.add(quad(44, 20, 8, 8, BLUE, layer=1))
        for _ in range(2):
            stats = backend.draw(frame)
            assert list(stats.skipped) == ["material:broken"]
            assert_rectangle(backend.pixels(), 15, 15, 10, 10, RED, BLACK)
            assert_rectangle(backend.pixels(), 40, 16, 8, 8, BLUE, BLACK)

    def _need_materials(self, backend: Backend, *more: str) -> None:
        self.need(backend, "pixels", *more)
        if "fallbacks" not in backend.capabilities:
            self.need(backend, "materials")

    def _show(
        self,
        backend: Backend,
        shader: Shader,
        fallback: Fallback,
        *batches: Batch,
        time: float = 0.0,
        parameters: Mapping[str, Any] | None = None,
    ) -> Picture:
        """Draw the batches, the first one with the material, and return the screen."""
        self._need_materials(backend)
        frame: Frame = self.scene()
        frame.time = time
        complete = Shader(shader.name, shader.source, shader.uniforms, shader.defaults, fallback=fallback)
        frame.shaders[shader.name] = complete
        batches[0].material = Material(shader.name, parameters or {})
        for batch in batches:
            frame.add(batch)
        return self.show_frame(backend, frame)
