"""Picks sprites by the opacity of their pixels."""

from __future__ import annotations

import numpy as np

from rish_frame import Frame, Hits, WorldMatrices
from rish_frame.frame import FRAME_COLUMNS
from rish_jit import Array

from ...components.visible import Sprite
from ...drawables.pick_scene import PickScene
from ...drawables.quads import quads
from ...drawables.touching import into, touch_unit
from ...packing.packer import Packer
from ...packing.packing import PackingArea
from .looks import SpriteLooks
from .parts import Part
from .style import Styles

_OPAQUE = 26
"""The least opacity of a pixel that counts, of 255: a tenth, so that soft shadows around a figure do not."""
_UNIT = 2.0**-4
_PAGE, _U0, _V0, _U1, _V1 = (FRAME_COLUMNS.index(name) for name in ("page", "u0", "v0", "u1", "v1"))


def pick_sprites(scene: PickScene) -> list[Hits]:
    """Return the sprites that the region touches; a point must lie on a pixel that is not transparent."""
    cache = scene.parts.cache.parts
    styles = cache.get("pick sprites")
    if styles is None:
        styles = cache["pick sprites"] = Styles()
    hits: list[Hits] = []
    for part in styles.update(scene.parts):
        hits += _of_part(scene, styles, part)
    return hits


def _of_part(scene: PickScene, styles: Styles, part: Part) -> list[Hits]:
    follow = np.array(part.space.follow)
    shift = (1 - follow) * np.array(scene.region.center)
    corners = scene.corners(part.space.screen)
    chosen = _near(scene, part, corners, shift)
    repeat = np.ones((len(chosen), 2), np.float32)
    size = part.style.size[chosen]
    if part.repeated:
        repeats = scene.world[SpriteLooks].repeat[part.rows]
        several = np.flatnonzero((repeats > 0).any(axis=1))
        several = several[scene.world.table(Sprite).column("visible")[part.rows[several]]]
        chosen = np.concatenate([chosen, several])
        repeat = np.concatenate([repeat, repeats[several]])
        size = np.concatenate([size, _own_size(scene, part, several) * repeats[several]])
    anchor = np.full((len(chosen), 2), 0.5, np.float32)
    if len(part.style.shift):
        anchor -= part.style.shift.reshape(-1, 2)[chosen]
    matrix = scene.world[WorldMatrices].rows(part.places[chosen])
    quad = quads(matrix, size, anchor)
    quad[:, 4:] += shift
    local = into(quad, corners)
    touched = touch_unit(local) & (part.style.rgba[chosen] >> np.uint32(24) > 0)
    place, chosen = ((local[:, 0] + 0.5) * repeat % 1)[touched], chosen[touched]
    if scene.region.is_point:
        chosen = chosen[_opaque(scene, styles, part, chosen, place)]
    chosen = np.sort(chosen)
    numbers = part.groups.layer[part.style.key[chosen]]
    heights = scene.world[WorldMatrices].rows(part.places[chosen])[:, 5]
    return scene.hits(Sprite, part.rows[chosen], numbers, heights)


def _near(scene: PickScene, part: Part, corners: Array, shift: Array) -> Array:
    """Return the indices of the sprites whose surroundings touch the box around the region."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, reach = (low + high) / 2, (high - low) / 2 + 1e-3 * np.maximum(np.abs(low), np.abs(high)) * 1e-3
    window = PackingArea(tuple(middle.tolist()), tuple(reach.tolist()), _UNIT, 1.0, tuple(shift.tolist()))
    drawn: WorldMatrices = scene.world[WorldMatrices]
    packers = scene.parts.cache.parts.setdefault("pick packers", {})
    packer = packers.setdefault(part.space, Packer())
    packed = packer.pack(drawn.poses, drawn.bases, part.places, part.style, window, sources=True)
    return np.concatenate([packed.source, packed.odd]).astype(np.int64)


def _own_size(scene: PickScene, part: Part, chosen: Array) -> Array:
    """Return the size of one image of repeated sprites, float32 (n, 2)."""
    rows = part.rows[chosen]
    size = scene.world.table(Sprite).column("size")[rows]
    return np.where(size > 0, size, scene.world[SpriteLooks].texels[rows])


def _opaque(scene: PickScene, styles: Styles, part: Part, chosen: Array, place: Array) -> Array:
    """Return bool n: whether the image of each sprite is opaque at a place.

    place: (n, 2), fractions of the image from its bottom left. The images of cameras count as opaque.
    """
    frame: Frame = scene.world[Frame]
    number, state = part.style.frame[chosen], part.groups.state[part.style.key[chosen]]
    on_page = np.array([look.texture == 0 for look in styles.states], np.bool_)
    which = np.flatnonzero(on_page[state] & (number < len(frame.frames)) & np.isfinite(place).all(axis=1))
    opaque = np.ones(len(chosen), np.bool_)
    rows, place = frame.frames[number[which]], place[which]
    x = (rows[:, _U0] + place[:, 0] * (rows[:, _U1] - rows[:, _U0])).astype(np.int64)
    y = (rows[:, _V0] + (1 - place[:, 1]) * (rows[:, _V1] - rows[:, _V0])).astype(np.int64)
    for page in frame.pages:
        some = rows[:, _PAGE] == page.id
        height, width = page.pixels.shape[:2]
        texels = page.pixels[np.clip(y[some], 0, height - 1), np.clip(x[some], 0, width - 1), 3]
        opaque[which[some]] = texels >= _OPAQUE
    return opaque
