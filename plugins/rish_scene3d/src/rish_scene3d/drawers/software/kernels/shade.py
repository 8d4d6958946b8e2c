"""Shades the pixels of a target: small tiles of pixels are sorted by material, and each material's are shaded together.

Tuples of arrays that travel together:

geometry: places, world and more of `place`, flat; corners and keys of `triangles`; the instances as int32 (n, 16).
looks: materials float32 (m, MATERIAL); `maps` int64 (m, 5, 8) and `levels` of `maps`; `decode` float32 (257), the
linear light of encoded levels; `halves` of `maps`.
lights: suns, lamps, clusters, cluster_lamps, ambient; the atlas, flat, four numbers a texel; scene; `shades` of
`shadow`; the rows of `light.albedo`, flat.
view: float32 (4) the depth along the view; float32 (3) the way back to an orthographic camera; float32 (4) the viewport
in pixels, row 0 on top; float32 (16) the projection; float32 (16) from the view to the world.
images: float32 (h, w, 4): the picture; base and metallic; normal; emitted; normal of the mesh; float32 (h, w, 1) meters
along the view.
scratch: float32 (NUMBERS), the same as int32, int32 (INTEGERS), int32 (2 · BLOCK), int32 (2, lamps) with zeros, int64
(4).
"""

from __future__ import annotations

import numpy as np

from rish_jit import njit

from ....layout import (
    ALPHA_MODE,
    BASE,
    BLEND,
    EMISSIVE,
    EXPOSURE,
    FOG_DENSITY,
    MAP_SIZE,
    MAPS,
    MODEL,
    ORTHOGRAPHIC,
    PHONG,
    UNLIT,
)  # fmt: skip
from . import slots as at
from .attributes import read_attributes
from .deferred import read_buffers, write_buffers
from .gloss import look_back, prepare_gloss, prepare_phong, read_sky
from .lamps import choose_lamps
from .light import add_lamp, add_sun, finish
from .maps import CLASS, read_map
from .surface import start_surface, use_map
from .triangles import KEY_BACK, KEY_BITS, KEY_UNSHADOWED

F = np.float32
TILE_WIDE, TILE_HIGH = 32, 4
FORWARD, GBUFFER, SHADE = 0, 1, 2
"""What is done with the pixels: lit and written to the picture; described in the other images; lit as the other images
describe them."""
SAME = ~KEY_BACK
"""The bits of a key that the pixels of a block have in common."""


@njit(borrows=True)
def _collect(mode, ids, top, images, box, tile):
    """Fill `tile` with the pixels of a box that are to be shaded: triangle or code, then place; return how many.

    top: the row of the picture that is the first of `ids`. Of a code, bits 1 and 2 are the model, and bit 3 says
    whether shadows fall on it. A place is row · 65536 + column.
    """
    count, left, right = 0, box[0], box[2]
    for y in range(box[1], box[3]):
        if mode != SHADE:
            most, row = np.int32(-1), ids[y - top]
            for x in range(left, right):
                most = max(most, row[x])
            if most < 0:
                continue
        for x in range(left, right):
            if mode == SHADE:
                number = np.int32(-1)
                if images[5][y, x, 0] > F(0):
                    number = np.int32(np.int64(images[3][y, x, 3] + F(0.5)) << 1)
            else:
                number = ids[y - top, x]
                ids[y - top, x] = np.int32(-1)
            if number >= 0:
                tile[count], tile[at.BLOCK + count] = number, np.int32(y << 16 | x)
                count += 1
    return count


@njit(borrows=True)
def _take(mode, geometry, tile, count, s, q):
    """Move the pixels with the material of the first one from `tile` to the slots; return their number and the key."""
    corners, keys = geometry[3], geometry[4]
    key = (tile[0] if mode == SHADE else keys[tile[0]]) & SAME
    n = left = 0
    last = pixel_key = np.int32(-1)
    first = second = third = instance = np.int32(0)
    for p in range(count):
        number, place = tile[p], tile[at.BLOCK + p]
        if number != last:  # neighbors often show the same triangle
            last = pixel_key = number
            if mode != SHADE:
                pixel_key = keys[number]
                first, second, third = corners[number, 0], corners[number, 1], corners[number, 2]
                instance = corners[number, 3]
        if pixel_key & SAME != key:
            tile[left], tile[at.BLOCK + left] = number, place
            left += 1
            continue
        s[at.PX + n], s[at.PY + n] = F(place & 0xFFFF) + F(0.5), F(place >> 16) + F(0.5)
        s[at.SIDE + n] = F(-1) if pixel_key & KEY_BACK else F(1)
        q[at.FIRST + n], q[at.SECOND + n], q[at.THIRD + n], q[at.INSTANCE + n] = first, second, third, instance
        n += 1
    return n, np.int64(key)


@njit(borrows=True)
def _fill_up(n, s, q):
    """Copy the last pixel until there is a multiple of eight; return that number."""
    last = n - 1
    while n % 8:
        for slot in (at.PX, at.PY, at.SIDE):
            s[slot + n] = s[slot + last]
        for slot in (at.FIRST, at.SECOND, at.THIRD, at.INSTANCE):
            q[slot + n] = q[slot + last]
        n += 1
    return n


@njit(borrows=True)
def _tint(ints, decode, n, s, q):
    """Multiply the vertex colors by the tints of the instances."""
    for i in range(n):
        tint = np.int64(ints[q[at.INSTANCE + i], 13])
        if tint != -1:
            s[at.BR + i] *= decode[tint & 255]
            s[at.BG + i] *= decode[(tint >> 8) & 255]
            s[at.BB + i] *= decode[(tint >> 16) & 255]
            s[at.BA + i] *= F((tint >> 24) & 255) / F(255)


@njit(borrows=True)
def _copy_base(n, s):
    """Set the light to the base color."""
    for i in range(n):
        s[at.LR + i], s[at.LG + i], s[at.LB + i] = s[at.BR + i], s[at.BG + i], s[at.BB + i]


@njit(borrows=True)
def _write(picture, blended, n, s):
    """Write the light of the pixels to the picture, or blend it over what is there."""
    for i in range(n):
        pixel = picture[np.int64(s[at.PY + i]), np.int64(s[at.PX + i])]
        if blended:
            alpha = s[at.BA + i]
            rest = F(1) - alpha
            pixel[0] = s[at.LR + i] * alpha + pixel[0] * rest
            pixel[1] = s[at.LG + i] * alpha + pixel[1] * rest
            pixel[2] = s[at.LB + i] * alpha + pixel[2] * rest
            pixel[3] = alpha + pixel[3] * rest
        else:
            pixel[0], pixel[1], pixel[2], pixel[3] = s[at.LR + i], s[at.LG + i], s[at.LB + i], F(1)


@njit(inline="always")
def _is_plain(row, maps, more, scene):
    """Return whether all pixels of an instance with a material have one color: without light, textures and fog."""
    plain = row[MODEL] == F(UNLIT) and scene[FOG_DENSITY] <= F(0) and more.shape[0] == 0
    for k in range(5):
        plain = plain and maps[k, CLASS] < 0
    return plain


@njit(borrows=True)
def _paint(picture, geometry, row, decode, scene, tile, count):
    """Write the pixels of `tile` with the material of the first one, which is plain; return how many others are left.

    The colors are those of `_tint`, `start_surface` and `finish`. row: of the material.
    """
    corners, keys, ints = geometry[3], geometry[4], geometry[5]
    key, blended, exposure = keys[tile[0]] & SAME, row[ALPHA_MODE] == F(BLEND), scene[EXPOSURE]
    left, last, shown, fits = 0, np.int32(-1), np.int32(-1), True
    red = green = blue = alpha = F(0)
    for p in range(count):
        number, place = tile[p], tile[at.BLOCK + p]
        if number != last:
            last, fits = number, keys[number] & SAME == key
        if fits and corners[number, 3] != shown:
            shown = corners[number, 3]
            tint = np.int64(ints[shown, 13])
            red, green, blue = decode[tint & 255], decode[(tint >> 8) & 255], decode[(tint >> 16) & 255]
            red = max((red * row[BASE] + row[EMISSIVE]) * exposure, F(0))
            green = max((green * row[BASE + 1] + row[EMISSIVE + 1]) * exposure, F(0))
            blue = max((blue * row[BASE + 2] + row[EMISSIVE + 2]) * exposure, F(0))
            alpha = F((tint >> 24) & 255) / F(255) * row[BASE + 3]
        if not fits:
            tile[left], tile[at.BLOCK + left] = number, place
            left += 1
            continue
        pixel, rest = picture[place >> 16, place & 0xFFFF], F(1) - alpha
        if blended:
            pixel[0], pixel[1] = red * alpha + pixel[0] * rest, green * alpha + pixel[1] * rest
            pixel[2], pixel[3] = blue * alpha + pixel[2] * rest, alpha + pixel[3] * rest
        else:
            pixel[0], pixel[1], pixel[2], pixel[3] = red, green, blue, F(1)
    return left


@njit(borrows=True)
def shade_rows(mode, box, ids, geometry, looks, lights, view, images, scratch):
    """Shade the pixels of a box, int64 (4): left, top, right, bottom. `ids` says which triangle is seen, see `cover`.

    The numbers in the box are -1 afterwards. All steps are called from here, as each level of calls costs compile time.
    """
    places, world, more, _, keys, ints = geometry
    materials, maps, levels, decode, halves = looks
    suns, lamps, _, _, ambient, atlas, scene, shades, albedo = lights
    s, bits, q, tile, lamp_rows, part = scratch
    for tile_number in range(
        ((box[2] - box[0] + TILE_WIDE - 1) // TILE_WIDE) * ((box[3] - box[1] + TILE_HIGH - 1) // TILE_HIGH)
    ):
        across = (box[2] - box[0] + TILE_WIDE - 1) // TILE_WIDE
        part[0] = box[0] + tile_number % across * TILE_WIDE
        part[1] = box[1] + tile_number // across * TILE_HIGH
        part[2], part[3] = min(part[0] + TILE_WIDE, box[2]), min(part[1] + TILE_HIGH, box[3])
        left = _collect(mode, ids, box[1], images, part, tile)
        while left:
            material = np.int64(keys[tile[0]] >> KEY_BITS) if mode != SHADE else 0
            if mode == FORWARD and _is_plain(materials[material], maps[material], more, scene):
                left = _paint(images[0], geometry, materials[material], decode, scene, tile, left)
                continue
            count, key = _take(mode, geometry, tile, left, s, q)
            left -= count
            n = _fill_up(count, s, q)
            if mode == SHADE:
                model, shaded, blended = (key >> 1) & 3, key & 8 != 0, False
                read_buffers(view, images, n, s)
            else:
                row = materials[material]
                model, shaded = np.int64(row[MODEL]), key & KEY_UNSHADOWED == 0
                blended = row[ALPHA_MODE] == F(BLEND)
                read_attributes(places, world, more, view[0], n, s, q)
                _tint(ints, decode, n, s, q)
                start_surface(row, n, s)
                for k in range(5):
                    if maps[material, k, CLASS] >= 0:
                        numbers = row[MAPS + k * MAP_SIZE :]
                        read_map(maps[material, k], numbers, levels, halves, n, s, bits, q)
                        use_map(k, row, decode, n, s, q)
            if mode == GBUFFER:
                write_buffers(F(model + (4 if shaded else 0)), images, count, s)
                continue
            if model != UNLIT or scene[ORTHOGRAPHIC] > F(0.5):
                look_back(scene, view[1], n, s)
            phong = model == PHONG
            if model == UNLIT:
                _copy_base(n, s)
            else:
                if phong:
                    prepare_phong(scene, ambient, n, s)
                else:
                    read_sky(scene, atlas, n, s, q)
                    prepare_gloss(scene, ambient, albedo, n, s, q)
                for k in range(suns.shape[0]):
                    add_sun(suns[k], shades, shaded, phong, n, s, q)
                for k in range(choose_lamps(lights, view[2], n, s, lamp_rows[0], lamp_rows[1])):
                    add_lamp(lamps[lamp_rows[1, k]], shades, shaded, phong, n, s, q)
            finish(scene, n, s)
            _write(images[0], blended, count, s)
