"""The light of a picture by the formula sheet: evaluated in numpy at the points that the deferred target describes."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_scene3d import layout as at
from rish_scene3d.light import environment_light, formulas, shadowing
from scene3d import Scene

Array = Any


def sky_light(direction: Array, picture: Array, suns: Array, scene: Array, pixel: float) -> Array:
    """Return the light (n, 3) of the sky as it is drawn, with fog and exposure; fog ends at the distance FAR."""
    seen = environment_light.turned(direction, float(scene[at.SKY_TURN]))
    light = environment_light.picture_light(picture, seen) * scene[at.SKY_LIGHT]
    light = light + environment_light.star_light(seen, float(scene[at.STARS]), pixel)[..., None]
    light = light + environment_light.disc_light(direction, suns, scene, pixel)
    eye = scene[at.EYE : at.EYE + 3]
    share = formulas.clear(np.broadcast_to(eye, direction.shape), eye + direction * scene[at.FAR], scene)
    return formulas.fogged(light, share, scene) * scene[at.EXPOSURE]


def sheet_picture(scene: Scene, read: Any) -> tuple[Array, Array]:
    """Return the light (n, 3) that the sheet gives at each drawn pixel of the target `gbuffer`, and their mask (h, w).

    read: returns a target by its name, top row first.
    """
    base, facing, emitted, flatter, depth = (read(name) for name in ("gbuffer", *(f"gbuffer:{k}" for k in range(1, 5))))
    drawn = depth[..., 0] > 0
    base, facing, emitted, flatter = base[drawn], facing[drawn], emitted[drawn], flatter[drawn]
    far = depth[drawn][:, 0].astype(float)
    point, to_eye = _points(scene, drawn, far)
    normal = environment_light.octahedral_direction((facing[:, :2] + flatter[:, 2:]) / 2 + 0.5)
    flat = environment_light.octahedral_direction(flatter[:, :2] / 2 + 0.5)
    light, model = scene.light(), np.rint(emitted[:, 3]).astype(int)
    row = light["scene"].astype(float)
    total = _sky(light, row, base, facing, normal, to_eye, model % 4)
    for way, color, share in _lights(scene, read, point, flat, far):
        lit = np.where((model >= 4)[:, None], share[:, None], 1.0) * color
        total += lit * _reflected(base, facing, normal, to_eye, way, model % 4)
    total = np.where((model % 4 == at.UNLIT)[:, None], base[:, :3], total) + emitted[:, :3]
    total = formulas.fogged(total, formulas.clear(np.array(scene.eye, float)[None], point, row), row)
    return total * row[at.EXPOSURE], drawn


def _points(scene: Scene, drawn: Array, far: Array) -> tuple[Array, Array]:
    """Return the points of the drawn pixels, and the directions to the eye."""
    height, width = drawn.shape
    rows, columns = np.nonzero(drawn)
    clip = np.stack([(columns + 0.5) / width * 2 - 1, 1 - (rows + 0.5) / height * 2], axis=-1)
    projection, back = scene.projection.astype(float), np.linalg.inv(scene.view.astype(float))
    seen = np.stack([clip[:, 0] / projection[0, 0] * far, clip[:, 1] / projection[1, 1] * far, -far], axis=-1)
    point = seen @ back[:3, :3].T + back[:3, 3]
    return point, formulas.unit(np.array(scene.eye, float) - point)


def _sky(light: Any, row: Array, base: Array, facing: Array, normal: Array, to_eye: Array, model: Array) -> Array:
    terms = formulas.gloss(base[:, :3], base[:, 3], facing[:, 2])
    matt = environment_light.ambient_light(light["ambient"].astype(float), normal)
    seen = environment_light.turned(formulas.mirror(normal, to_eye), float(row[at.SKY_TURN]))
    mirrored = environment_light.atlas_light(light["atlas"], seen, facing[:, 2])
    around_it = formulas.environment(terms, normal, to_eye, matt, mirrored)
    around_it = np.where((model == at.PHONG)[:, None], base[:, :3] * matt, around_it)
    return around_it * facing[:, 3:] * row[at.AMBIENT_STRENGTH]


def _reflected(base: Array, facing: Array, normal: Array, to_eye: Array, way: Array, model: Array) -> Array:
    terms = formulas.gloss(base[:, :3], base[:, 3], facing[:, 2])
    glossy = formulas.reflected(terms, normal, to_eye, way)
    plain = formulas.phong(base[:, :3], base[:, 3], facing[:, 2], normal, to_eye, way)
    return np.where((model == at.PHONG)[:, None], plain, glossy)


def _lights(scene: Scene, read: Any, point: Array, flat: Array, far: Array) -> Any:
    """Yield for each sun and lamp the directions to it, its light and the share that arrives."""
    for sun in scene.suns:
        way = np.broadcast_to(-sun[at.SUN_AXIS : at.SUN_AXIS + 3].astype(float), point.shape)
        shadow = _map(scene, read, int(sun[at.SUN_MAP]))
        share = np.ones(len(point)) if shadow is None else shadowing.sun_share(shadow, sun, point, flat, far)
        yield way, np.broadcast_to(sun[at.SUN_COLOR : at.SUN_COLOR + 3], point.shape), share
    for lamp in scene.lamps:
        way, color = formulas.lamp_light(point, lamp)
        shadow = _map(scene, read, int(lamp[at.LAMP_MAP]))
        yield way, color, np.ones(len(point)) if shadow is None else shadowing.lamp_share(shadow, lamp, point, flat)


def _map(scene: Scene, read: Any, number: int) -> Array | None:
    """Return a shadow map with its bottom row first; None if the light has none."""
    return read(scene.inputs[number])[::-1, :, 0] if number >= 0 else None
