"""The light of surfaces and of the sky, pixel by pixel, against the sheet of formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_scene3d import layout as at
from rish_scene3d.light import environment_light, formulas, shadowing
from rish_scene3d.light.sky import sky_of_colors
from rish_scene3d.passes import kinds
from scene3d import SIZE, Scene, box, placed, quad, sphere
from scene3d_sheet import sky_light

CODE = 3
"""The number of the attachment's column that holds the model, and whether shadows fall."""


def described(show: Any, scene: Scene) -> dict[str, Any]:
    """Return what the deferred attachments say of each pixel, flat, for pixels that show something."""
    frame = scene.frame(deferred=True)
    base, facing, emitted, flat = (
        show(frame, name).astype(float) for name in ("gbuffer", "gbuffer:1", "gbuffer:2", "gbuffer:3")
    )
    meters = show(frame, "gbuffer:4")[..., 0].astype(float)
    seen = meters > 0
    rows, columns = np.nonzero(seen)
    wide, high = scene.size
    lens = scene.projection.astype(float)
    across, up = (columns + 0.5) / wide * 2 - 1, 1 - (rows + 0.5) / high * 2
    if scene.orthographic:
        x, y = (across - lens[0, 3]) / lens[0, 0], (up - lens[1, 3]) / lens[1, 1]
    else:
        x, y = across * meters[seen] / lens[0, 0], up * meters[seen] / lens[1, 1]
    back = np.linalg.inv(scene.view.astype(float))
    point = np.stack([x, y, -meters[seen], np.ones(len(x))], axis=-1) @ back[:3].T
    normal = facing[seen][:, :2] + flat[seen][:, 2:]
    return {
        "seen": seen, "point": point, "depth": meters[seen], "base": base[seen][:, :3], "metallic": base[seen][:, 3],
        "roughness": facing[seen][:, 2], "occlusion": facing[seen][:, 3], "emitted": emitted[seen][:, :3],
        "model": emitted[seen][:, CODE].astype(int) & 3, "shaded": emitted[seen][:, CODE] >= 4,
        "normal": environment_light.octahedral_direction(normal / 2 + 0.5),
        "flat": environment_light.octahedral_direction(flat[seen][:, :2] / 2 + 0.5),
    }  # fmt: skip


def plain(scene: Scene, pixels: dict[str, Any], maps: list[Any]) -> Any:
    """Return the light (n, 3) of pixels by the sheet. maps: the shadow maps of the inputs, rows from the bottom."""
    light, row = scene.light(), scene.scene_row().astype(float)
    eye, point, normal, base = row[:3], pixels["point"], pixels["normal"], pixels["base"]
    to_eye = formulas.unit(eye - point)
    if scene.orthographic:
        to_eye = np.broadcast_to(scene.view[2, :3].astype(float), point.shape)
    gloss = formulas.gloss(base, pixels["metallic"], pixels["roughness"])
    turned = environment_light.turned(formulas.mirror(normal, to_eye), row[at.SKY_TURN])
    mirrored = environment_light.atlas_light(light["atlas"], turned, pixels["roughness"])
    matt = environment_light.ambient_light(light["ambient"], normal)
    phong, unlit = (pixels["model"] == at.PHONG)[:, None], (pixels["model"] == at.UNLIT)[:, None]
    sky = np.where(phong, base * matt, formulas.environment(gloss, normal, to_eye, matt, mirrored))
    total = sky * (pixels["occlusion"] * row[at.AMBIENT_STRENGTH])[:, None]

    def reflected(way: Any) -> Any:
        shiny = formulas.phong(base, pixels["metallic"], pixels["roughness"], normal, to_eye, way)
        return np.where(phong, shiny, formulas.reflected(gloss, normal, to_eye, way))

    for sun in light["suns"].astype(float):
        share = np.ones(len(point))
        if sun[at.SUN_MAP] >= 0:
            share = shadowing.sun_share(maps[int(sun[at.SUN_MAP])], sun, point, pixels["flat"], pixels["depth"])
        share = np.where(pixels["shaded"], share, 1)
        way = np.broadcast_to(-sun[:3], point.shape)
        total += reflected(way) * sun[at.SUN_COLOR : at.SUN_COLOR + 3] * share[:, None]
    for lamp in light["lamps"].astype(float):
        way, color = formulas.lamp_light(point, lamp)
        share = np.ones(len(point))
        if lamp[at.LAMP_MAP] >= 0:
            share = shadowing.lamp_share(maps[int(lamp[at.LAMP_MAP])], lamp, point, pixels["flat"])
        total += reflected(way) * color * np.where(pixels["shaded"], share, 1)[:, None]
    total = np.where(unlit, base, total) + pixels["emitted"]
    start = point + to_eye * pixels["depth"][:, None] if scene.orthographic else np.broadcast_to(eye, point.shape)
    return formulas.fogged(total, formulas.clear(start, point, row), row) * row[at.EXPOSURE]


def stage(**more: Any) -> Scene:
    """Return a scene with a floor, three spheres and a box of all models."""
    scene = Scene(size=(160, 90), **more)
    ball, floor, cube = scene.mesh(sphere(16, 32)), scene.mesh(quad(12, 4)), scene.mesh(box())
    scene.sky = sky_of_colors((0.1, 0.2, 0.5), (0.6, 0.5, 0.4), (0.1, 0.1, 0.05))
    scene.show(floor, scene.material(base=(0.6, 0.6, 0.55, 1), roughness=0.8), placed())
    scene.show(ball, scene.material(base=(0.9, 0.6, 0.2, 1), metallic=1, roughness=0.3), placed(-0.9, 0.5, 0))
    scene.show(
        ball, scene.material(base=(0.2, 0.3, 0.8, 1), roughness=0.05, emissive=(0, 0.1, 0)), placed(0.2, 0.5, 0.4)
    )
    phong = scene.material(base=(0.7, 0.2, 0.2, 1), model=at.PHONG, specular=0.6, shininess=20)
    scene.show(cube, phong, placed(1.2, 0.35, -0.6, 0.7, turn=0.6))
    scene.show(ball, scene.material(base=(0.3, 0.6, 0.3, 1), model=at.UNLIT), placed(0.6, 0.2, 1.2, 0.4))
    return scene


def lit(scene: Scene) -> Scene:
    """Add a sun with cascades, a lamp and a spot, all with shadows, and a lamp without."""
    scene.cast_sun(scene.sun(), (3.5, 9.0), 128)
    scene.cast_lamp(scene.lamp((1.0, 1.5, 1.2), (3, 2, 1), 6.0), 64)
    scene.cast_lamp(scene.lamp((-1, 2.2, 1.5), (5, 5, 6), 9.0, axis=(0.4, -0.75, -0.5), angle=0.8, inner=0.9), 64)
    scene.lamp((-2, 0.8, 0.3), (0.5, 1, 2), 3.0)
    return scene


def compared(show: Any, scene: Scene) -> tuple[Any, Any]:
    """Return the light of pixels as it is drawn, and by the sheet."""
    pixels, shown = described(show, scene), show(scene.frame())
    frame = scene.frame()
    maps = [show(frame, name)[::-1, :, 0].astype(float) for name in scene.inputs]
    return shown[pixels["seen"]][:, :3], plain(scene, pixels, maps)


@pytest.mark.parametrize("orthographic", [0.0, 4.0])
def test_light_is_that_of_the_sheet(show: Any, orthographic: float) -> None:
    """Without shadows, each pixel has the light of the formulas within 0.2 %, with fog and a turned sky."""
    scene = stage(orthographic=orthographic)
    scene.sun()
    scene.lamp((1.0, 1.5, 1.2), (3, 2, 1), 6.0)
    scene.lamp((-1, 2.2, 1.5), (5, 5, 6), 9.0, axis=np.array([0.4, -0.75, -0.5]) / 0.985, angle=0.8, inner=0.9)
    scene.lights = {at.FOG_DENSITY: 0.05, at.FOG_FALL: 0.4, at.FOG_COLOR: 0.3, at.SKY_TURN: 0.7}
    drawn, wanted = compared(show, scene)
    wrong = np.abs(drawn - wanted) > 2e-3 + 5e-3 * np.abs(wanted)
    assert wrong.mean() < 2e-3
    assert np.abs(drawn - wanted).mean() < 5e-4


def test_shadows_are_those_of_the_sheet(show: Any) -> None:
    """With the shadows of a sun, a lamp and a spot, the light differs from the formulas in few pixels, by rounding."""
    drawn, wanted = compared(show, lit(stage()))
    wrong = (np.abs(drawn - wanted) > 2e-3 + 5e-3 * np.abs(wanted)).any(axis=1)
    assert wrong.mean() < 0.01
    without = stage()
    without.suns, without.lamps = [], []
    assert np.abs(drawn.mean() - compared(show, without)[0].mean()) > 0.1


def test_no_shadows_fall_on_runs_without(show: Any) -> None:
    """A floor with the flag NO_SHADOWS is as bright as without any shadow map."""
    pictures: list[Any] = []
    for flags, casts in ((at.NO_SHADOWS, True), (0, False), (0, True)):
        scene = Scene(size=(80, 45))
        scene.show(scene.mesh(quad(8)), scene.material(), placed(), flags=flags)
        scene.show(scene.mesh(box()), scene.material(), placed(0, 1, 0), flags=flags)
        sun = scene.sun()
        if casts:
            scene.cast_sun(sun, (6.0,), 128)
        pictures.append(show(scene.frame()))
    assert np.array_equal(pictures[0], pictures[1])
    assert np.abs(pictures[0] - pictures[2]).max() > 0.5


def test_a_lit_plane_has_no_acne(show: Any) -> None:
    """At 20 angles of a sun, no pixel of a plane is darker with the shadow map than without by half a level."""
    for step in range(20):
        height, turn = 0.1 + step / 20 * 1.4, step * 0.7
        axis, seen = (np.cos(height) * np.cos(turn), -np.sin(height), np.cos(height) * np.sin(turn)), []
        for casts in (False, True):
            scene = Scene(size=(160, 90), sky=(0, 0, 0))
            scene.show(scene.mesh(quad(4)), scene.material(roughness=1), placed())
            sun = scene.sun(axis)
            if casts:
                scene.cast_sun(sun, (6.0,), 256)
            seen.append(show(scene.frame())[..., 0])
        assert seen[0].max() > 0.05
        assert np.abs(seen[0] - seen[1]).max() < 0.5 / 255 * seen[0].max()


def test_white_spheres_vanish_in_white_light(show: Any) -> None:
    """Metal and matt white of six roughnesses differ from an even white sky around them by at most 1 % in any pixel."""
    scene = Scene(eye=(0, 0, 9), aim=(0, 0, 0), fov=0.5, sky=(1, 1, 1))
    ball = scene.mesh(sphere(32, 64))
    for k, roughness in enumerate((0.05, 0.2, 0.4, 0.6, 0.8, 1.0)):
        for metallic in (0, 1):
            look = scene.material(base=(1, 1, 1, 1), roughness=roughness, metallic=metallic)
            scene.show(ball, look, placed((k - 2.5) * 1.1, metallic - 0.5))
    covered = show(scene.frame(deferred=True), "gbuffer:4")[..., 0] > 0
    assert covered.mean() > 0.2
    for deferred in (False, True):
        assert np.abs(show(scene.frame(deferred=deferred))[covered][:, :3] - 1).max() <= 0.01


def test_deferred_light_is_forward_light(show: Any) -> None:
    """Deferred and forward pictures agree within a level in every pixel."""
    scene = lit(stage())
    forward, deferred = (show(scene.frame(deferred=later), "screen").astype(int) for later in (False, True))
    assert np.abs(forward - deferred).max() <= 1


def test_skies_are_those_of_the_sheet(show: Any) -> None:
    """The sky, with stars, the disc of a sun and fog, is that of the formulas, and it is the farthest."""
    scene = Scene(eye=(0, 1, 3), aim=(0.3, 2.2, 0), size=SIZE)
    scene.sky = sky_of_colors((0.1, 0.2, 0.5), (0.6, 0.5, 0.4), (0.1, 0.1, 0.05))
    scene.sun(axis=(-0.1, -0.45, 1.0))
    scene.lights = {at.STARS: 2.0, at.DISC: 0.06, at.SKY_TURN: 0.4, at.FOG_DENSITY: 0.004, at.FOG_FALL: 0.1}
    drawn = show(scene.frame())
    across, up = np.meshgrid((np.arange(320) + 0.5) / 160 - 1, 1 - (np.arange(180) + 0.5) / 90)
    lens, back = scene.projection.astype(float), np.linalg.inv(scene.view.astype(float))
    rays = np.stack([across / lens[0, 0], up / lens[1, 1], -np.ones_like(up)], axis=-1) @ back[:3, :3].T
    ways = formulas.unit(rays).reshape(-1, 3)
    light, pixel = scene.light(), 2 / (lens[1, 1] * 180)
    picture = np.asarray(scene.sky.picture, float)
    wanted = sky_light(ways, picture, light["suns"], scene.scene_row(), pixel).reshape(180, 320, 3)
    assert np.abs(drawn[..., :3] - wanted).max() < 5e-3 * wanted.max()
    assert wanted.max() > 20 * np.median(wanted)


def test_every_pixel_of_a_mixed_block_has_its_material(show: Any) -> None:
    """Small things of many unlit materials in one block of pixels each show their own color and tint."""
    scene = Scene(size=(96, 54), orthographic=5.4, eye=(0, 0, 5), aim=(0, 0, 0), sky=(0, 0, 0))
    cube, random = scene.mesh(box()), np.random.default_rng(3)
    colors = random.random((40, 3))
    for k, color in enumerate(colors):
        spot = placed(k % 10 - 4.5 + 0.02, k // 10 - 1.5 + 0.02, 0, 0.5)
        scene.show(cube, scene.material(base=(*color, 1), model=at.UNLIT), spot, tint=[[255, 255, 255 * (k % 2), 255]])
    shown = show(scene.frame())
    for k, color in enumerate(colors):
        x, y = int((k % 10 - 4.5 + 4.8) * 10), int((2.7 - (k // 10 - 1.5)) * 10)
        assert shown[y, x, :3] == pytest.approx(color * (1, 1, k % 2), abs=1e-5)


def test_transparent_things_are_blended_in_order(show: Any) -> None:
    """Three unlit panes, one behind the other, give the color of blending them by hand; the nearest hides nothing."""
    scene = Scene(size=(64, 36), orthographic=2, eye=(0, 0, 5), aim=(0, 0, 0), sky=(0.1, 0.1, 0.1))
    cube = scene.mesh(quad(1))
    panes = [((1, 0, 0), 0.5, 0.0), ((0, 1, 0), 0.25, 1.0), ((0, 0, 1), 0.75, 2.0)]
    for color, alpha, z in panes:
        pane = scene.material(base=(*color, alpha), model=at.UNLIT, alpha_mode=at.BLEND)
        scene.show(cube, pane, placed(z=z, tilt=np.pi / 2), flags=at.BLENDED)
    frame = scene.frame()
    wanted = np.full(3, 0.1)
    for color, alpha, _ in panes:
        wanted = np.array(color) * alpha + wanted * (1 - alpha)
    assert show(frame)[18, 32, :3] == pytest.approx(wanted, abs=1e-5)
    assert show(frame)[18, 32, 3] == pytest.approx(1)
    assert frame.passes["scene3d.view"].batches[1].kind == kinds.SURFACES
