"""Maps of materials on OpenGL: which way up, wrapping, levels, normal maps, opacity, and pictures of cameras."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_frame import Batch, Pass, Target
from rish_render.backends.arcade.backend import ArcadeBackend
from rish_scene3d import layout as at
from scene3d import Scene, bumps, checks, placed, quad

pytestmark = pytest.mark.gl

RED, GREEN = (220, 30, 30), (30, 200, 30)


def above(**values: Any) -> Scene:
    """Return a scene that looks straight down onto one square of 1 m that fills the height."""
    return Scene(size=(64, 64), eye=(0, 2, 0), aim=(0, 0, -1e-4), orthographic=1.0, **values)


def picture(scene: Scene, arcade: ArcadeBackend) -> Any:
    """Return the developed picture of a scene, uint8 (h, w, 3), without tone mapping."""
    scene.tone = 0
    arcade.configure(size=scene.size)
    assert not arcade.draw(scene.frame()).skipped
    return arcade.pixels()[..., :3].astype(int)


def close(seen: Any, wanted: Any, within: int = 2) -> bool:
    """Return whether a color is another one within some levels."""
    return bool(np.abs(np.asarray(seen) - wanted).max() <= within)


def test_pictures_are_the_right_way_up(arcade: ArcadeBackend) -> None:
    """Seen from above, the top left of a picture is at -x, -z, and its levels come back unchanged."""
    scene = above()
    row = scene.material(base_map=scene.page(checks()), model=at.UNLIT)
    scene.show(scene.mesh(quad()), row, placed())
    seen = picture(scene, arcade)
    assert close(seen[3, 3], RED)
    assert close(seen[3, 60], GREEN)
    assert close(seen[60, 3], (60, 90, 160))


@pytest.mark.parametrize(
    ("wrap", "marks"),
    [(at.WRAP_REPEAT, (RED, RED)), (at.WRAP_MIRROR, (RED, GREEN)), (at.WRAP_CLAMP, (RED, GREEN))],
)
def test_pictures_are_wrapped(arcade: ArcadeBackend, wrap: int, marks: Any) -> None:
    """Beyond its edge a picture is repeated, mirrored, or its last texels go on."""
    scene = above()
    shown = {"page": scene.page(checks()), "wrap": (wrap, wrap), "matrix": [[2, 0, 0], [0, 2, 0]]}
    scene.show(scene.mesh(quad()), scene.material(base_map=shown, model=at.UNLIT), placed())
    seen = picture(scene, arcade)
    assert close(seen[1, 1], marks[0], 12)
    assert close(seen[1, 33], marks[1], 12)
    assert close(seen[1, 62], RED if wrap == at.WRAP_MIRROR else GREEN, 12)


def test_far_pictures_are_smooth(arcade: ArcadeBackend) -> None:
    """A fine pattern that is smaller than pixels is one even color, from a smaller level of the picture."""
    scene = above()
    shown = {
        "page": scene.page(checks(64, 32, (255, 255, 255, 255), (0, 0, 0, 255))),
        "matrix": [[32, 0, 0], [0, 32, 0]],
    }
    scene.show(scene.mesh(quad()), scene.material(base_map=shown, model=at.UNLIT), placed())
    seen = picture(scene, arcade)
    assert np.ptp(seen[..., 2]) <= 6
    assert close(seen[30, 30], 127, 6)


def test_maps_of_different_sizes_work_in_one_run(arcade: ArcadeBackend) -> None:
    """Two materials with pictures of different sizes are shown by one run, each with its own picture."""
    scene = above()
    flat = [
        np.full((side, side, 4), color, np.uint8) for side, color in ((16, (200, 0, 0, 255)), (64, (0, 0, 200, 255)))
    ]
    rows = [scene.material(base_map=scene.page(image), model=at.UNLIT) for image in flat]
    half = placed(-0.25, scale=(0.5, 1, 1)), placed(0.25, scale=(0.5, 1, 1))
    scene.show(scene.mesh(quad()), rows, *half)
    seen = picture(scene, arcade)
    assert close(seen[32, 10], (200, 0, 0))
    assert close(seen[32, 54], (0, 0, 200))


def test_bumps_are_lit_from_above(arcade: ArcadeBackend) -> None:
    """Light from the top of a picture lights the upper side of its bumps, also where the thing is mirrored."""
    for scale, flags in ((1, 0), ((-1, 1, 1), at.MIRRORED)):
        scene = above(sky=(0, 0, 0))
        shown = {"page": scene.page(bumps(64, 1)), "wrap": (at.WRAP_CLAMP, at.WRAP_CLAMP)}
        scene.show(scene.mesh(quad()), scene.material(normal_map=shown, roughness=1), placed(scale=scale), flags=flags)
        scene.sun((-0.5, -1, 0.5), (0.5, 0.5, 0.5))
        seen = picture(scene, arcade)[..., 0]
        assert seen[20, 32] > seen[44, 32] + 10
        assert seen[32, 44] > seen[32, 20] + 10


def test_all_maps_have_their_channel(arcade: ArcadeBackend) -> None:
    """Green of the surface map is roughness, blue metallic, red of the occlusion map dims, emission is decoded."""
    scene = above()
    maps = {
        "metallic_roughness_map": scene.page(np.full((16, 16, 4), (9, 128, 64, 255), np.uint8)),
        "occlusion_map": scene.page(np.full((16, 16, 4), (51, 200, 200, 255), np.uint8)),
        "emissive_map": scene.page(np.full((16, 16, 4), (188, 0, 0, 255), np.uint8)),
    }
    row = scene.material(metallic=1, roughness=1, occlusion=0.5, emissive=(2, 2, 2), **maps)
    scene.show(scene.mesh(quad()), row, placed())
    arcade.configure(size=scene.size)
    arcade.draw(scene.frame(deferred=True))
    base, facing, emitted = (arcade.pixels(name)[32, 32] for name in ("gbuffer", "gbuffer:1", "gbuffer:2"))
    assert base[3] == pytest.approx(64 / 255, abs=1e-3)
    assert facing[2:] == pytest.approx([128 / 255, 0.6], abs=1e-3)
    assert emitted[0] == pytest.approx(2 * ((188 / 255 + 0.055) / 1.055) ** 2.4, abs=2e-3)


def test_the_second_texture_coordinates(arcade: ArcadeBackend) -> None:
    """A map with uv 1 takes the second texture coordinates of the mesh."""
    from rish_scene3d.models.model_library import MeshData

    flat = quad()
    assert flat.uv0 is not None
    scene = above()
    number = scene.mesh(MeshData(**{**flat.__dict__, "uv1": 1 - flat.uv0}))
    row = scene.material(base_map={"page": scene.page(checks()), "uv": 1}, model=at.UNLIT)
    scene.show(number, row, placed())
    assert close(picture(scene, arcade)[60, 60], RED)


def test_masks_cut_and_opacity_blends(arcade: ArcadeBackend) -> None:
    """MASKED runs have holes where opacity is below the cutoff; BLENDED ones mix with what lies below, in order."""
    holes = checks(64, 2, (0, 255, 0, 255), (255, 255, 255, 0))
    holes[:32, 32:, 3] = 0
    scene = above()
    floor = scene.mesh(quad())
    scene.show(floor, scene.material(base=(0, 0, 1, 1), model=at.UNLIT), placed(0, -0.2))
    cut = scene.material(base_map=scene.page(holes), model=at.UNLIT, alpha_mode=at.MASK)
    scene.show(floor, cut, placed(0, -0.1), flags=at.MASKED)
    glass = scene.material(base=(1, 0, 0, 0.5), model=at.UNLIT, alpha_mode=at.BLEND)
    scene.show(floor, glass, placed(0, 0.1, 0.25, scale=(1, 1, 0.5)), flags=at.BLENDED)
    scene.show(floor, scene.material(base=(1, 1, 1, 1), model=at.UNLIT), placed(0.45, 0.05, 0, scale=(0.1, 1, 1)))
    scene.tone = 0
    arcade.configure(size=scene.size)
    arcade.draw(scene.frame())
    seen = arcade.pixels("scene3d.view")[..., :3]
    assert seen[16, 48] == pytest.approx([0, 0, 1], abs=2e-3)
    assert seen[48, 16] == pytest.approx([0.5, 0, 0.5], abs=2e-3)
    assert seen[48, 40, 0] == pytest.approx(0.5, abs=2e-3)
    assert seen[48, 62] == pytest.approx([1, 1, 1], abs=2e-3)


def test_pictures_of_cameras_are_inputs(arcade: ArcadeBackend) -> None:
    """A material shows an input of the pass, encoded or linear, the right way up."""
    for form, level in (("rgba8", 188), ("rgba16f", 1.0)):
        scene = above()
        scene.tone = 0
        row = scene.material(base_map=at.INPUT_PAGE, model=at.UNLIT)
        scene.show(scene.mesh(quad()), row, placed())
        scene.inputs = ["camera"]
        frame = scene.frame(targets=(Target("camera", (32, 32), (form,)),))
        frame.add_pass(Pass("camera", ("camera",)))
        corners = np.array([[-1, 0, 0], [1, 0, 0], [1, 1, 0], [-1, 1, 0]], np.float32)
        colors = np.full((4, 4), (int(level * 255) if form != "rgba8" else level, 0, 0, 255), np.uint8)
        arrays = {"positions": corners, "colors": colors, "indices": np.array([[0, 1, 2], [0, 2, 3]], np.int32)}
        frame.add(Batch("mesh", arrays), to="camera")
        arcade.configure(size=scene.size)
        assert not arcade.draw(frame).skipped
        seen = arcade.pixels()[..., 0].astype(int)
        assert abs(seen[10, 32] - (188 if form == "rgba8" else 255)) <= 2
        assert seen[54, 32] == 0
