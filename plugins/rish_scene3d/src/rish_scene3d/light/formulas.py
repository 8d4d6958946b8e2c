"""The formulas of reflection, lamps and fog in plain numpy; the drawers follow them line by line.

Vectors are float arrays (..., 3), numbers (...); light is linear. A factor of 1/pi is part of the unit of light: a
light of color 1 lights a white matt surface that faces it as bright as 1. Shadows: `shadowing`. Sky:
`environment_light`.

Sources: Walter 2007 (GGX); Heitz 2014 (height-correlated masking); Burley 2012 (squared roughness); Schlick 1994
(Fresnel); Kulla and Conty 2017 (light reflected several times, and matt light under a glossy coat; both are
symmetric in the two directions); Fdez-Aguera 2019 (the color of this light); Karis 2013 (the environment);
Guy and Agopian, "Filament" (the smallest roughness, forms without divisions by zero); Phong 1975.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import layout as at
from .albedo import MEANS, albedo_rows

Array = npt.NDArray[np.floating]

MIN_ROUGHNESS = 0.045
COAT = 0.04
"""The reflectance at normal incidence of all materials that are no metals."""


def dot(a: Array, b: Array) -> Array:
    """Return the dot products (...) of vectors (..., 3)."""
    return np.sum(a * b, axis=-1)


def unit(a: Array) -> Array:
    """Return vectors of length 1."""
    return a / np.maximum(np.sqrt(dot(a, a)), 1e-20)[..., None]


def powers(cosine: Array) -> Array:
    """Return t**0, t**1, t**4, t**8, t**16, t**32 of t = 1 - cosine, (..., 6); each from the one before by squares."""
    t = 1 - np.clip(cosine, 0, 1)
    t4 = (t * t) * (t * t)
    t8 = t4 * t4
    t16 = t8 * t8
    return np.stack([np.ones_like(t), t, t4, t8, t16, t16 * t16], axis=-1)


@dataclass
class Surface:
    """The terms of a point that are the same for all lights; `gloss` computes them.

    diffuse, f0: colors (..., 3) of matt light, and of reflection straight on. alpha: roughness squared. whole, bright:
    factors (..., 6) of E and B, see `albedo`. matt, more: factors (..., 6) of what the coat lets through to the matt
    ground, and of light that is reflected several times; both divided by the root of their mean. tint: color of light
    that is reflected several times.
    """

    diffuse: Array
    f0: Array
    alpha: Array
    whole: Array
    bright: Array
    matt: Array
    more: Array
    tint: Array


def gloss(base: Array, metallic: Array, roughness: Array) -> Surface:
    """Return the terms of a point with a base color (..., 3), metallic and roughness (...)."""
    rough = np.clip(roughness, MIN_ROUGHNESS, 1)
    metal = metallic[..., None]
    f0 = COAT * (1 - metal) + base * metal
    table = albedo_rows()
    place = rough * (len(table) - 1)
    row = np.minimum(place.astype(np.int64), len(table) - 2)
    part = (place - row)[..., None]
    mixed = table[row] * (1 - part) + table[row + 1] * part
    whole, bright = mixed[..., :6], mixed[..., 6:]
    one = np.zeros(6, np.float32)
    one[0] = 1
    lost = one - whole
    through = one - COAT * whole - (1 - COAT) * bright
    lost_mean = np.maximum(dot(lost, MEANS), 1e-4)
    through_mean = np.maximum(dot(through, MEANS), 1e-4)
    f_mean = (20 * f0 + 1) / 21
    kept = (1 - lost_mean)[..., None]
    return Surface(
        diffuse=base * (1 - metal),
        f0=f0,
        alpha=rough * rough,
        whole=whole,
        bright=bright,
        matt=through / np.sqrt(through_mean)[..., None],
        more=lost / np.sqrt(lost_mean)[..., None],
        tint=f_mean * f_mean * kept / (1 - f_mean * (1 - kept)),
    )


def ggx(alpha: Array, nl: Array, nv: Array, nh: Array) -> Array:
    """Return distribution times masking of GGX, times pi: D' * V. The cosines are at least 0, nv at least 1e-4."""
    a2 = alpha * alpha
    below = nh * nh * (a2 - 1) + 1
    masked = nl * np.sqrt(nv * nv * (1 - a2) + a2) + nv * np.sqrt(nl * nl * (1 - a2) + a2)
    return a2 / np.maximum(below * below, 1e-12) * (0.5 / np.maximum(masked, 1e-7))


def reflected(surface: Surface, normal: Array, to_eye: Array, to_light: Array) -> Array:
    """Return the share (..., 3) of the light from one direction that goes to the eye, with the cosine: PBR.

    All three are unit vectors; `normal` is that of the normal map. Nothing is reflected where the light is behind it.
    """
    nl = np.maximum(dot(normal, to_light), 0)
    nv = np.maximum(dot(normal, to_eye), 1e-4)
    half = unit(to_eye + to_light)
    nh = np.clip(dot(normal, half), 0, 1)
    vh = np.clip(dot(to_eye, half), 0, 1)
    fresnel = surface.f0 + (1 - surface.f0) * ((1 - vh) ** 5)[..., None]
    from_light, from_eye = powers(nl), powers(nv)
    matt = np.maximum(dot(surface.matt, from_light), 0) * np.maximum(dot(surface.matt, from_eye), 0)
    more = np.maximum(dot(surface.more, from_light), 0) * np.maximum(dot(surface.more, from_eye), 0)
    shine = ggx(surface.alpha, nl, nv, nh)[..., None] * fresnel
    return (surface.diffuse * matt[..., None] + shine + surface.tint * more[..., None]) * nl[..., None]


def environment(surface: Surface, normal: Array, to_eye: Array, matt_light: Array, mirrored: Array) -> Array:
    """Return the light (..., 3) of the sky that goes to the eye.

    matt_light: `environment_light.ambient_light` at `normal`. mirrored: `environment_light.atlas_light` at the mirrored
    direction and this roughness. The caller multiplies with the occlusion and AMBIENT_STRENGTH.
    """
    seen = powers(np.maximum(dot(normal, to_eye), 1e-4))
    whole = np.clip(dot(surface.whole, seen), 0, 1)[..., None]
    bright = np.clip(dot(surface.bright, seen), 0, 1)[..., None]
    through = 1 - COAT * whole - (1 - COAT) * bright
    once = surface.f0 * np.maximum(whole - bright, 0) + bright
    return mirrored * once + matt_light * (surface.tint * (1 - whole) + surface.diffuse * through)


def mirror(normal: Array, to_eye: Array) -> Array:
    """Return the direction from which light is mirrored to the eye."""
    return 2 * dot(normal, to_eye)[..., None] * normal - to_eye


def phong(base: Array, strength: Array, exponent: Array, normal: Array, to_eye: Array, to_light: Array) -> Array:
    """Return the share (..., 3) of the light that goes to the eye, by Phong: base * nl + strength * max(r.v, 0)**e."""
    nl = dot(normal, to_light)
    along = np.maximum(dot(mirror(normal, to_light), to_eye), 0)
    return np.where(nl[..., None] > 0, base * nl[..., None] + (strength * along**exponent)[..., None], 0)


def lamp_light(point: Array, lamp: Array) -> tuple[Array, Array]:
    """Return the unit vectors from points (n, 3) to a lamp, a row of the table, and the light (n, 3) without shadow.

    The fall is that of the square, windowed to reach 0 at the range (Karis 2013); a cone fades by a square.
    """
    offset = lamp[at.LAMP_PLACE : at.LAMP_PLACE + 3] - point
    square = np.maximum(dot(offset, offset), 1e-12)
    to_light = offset / np.sqrt(square)[..., None]
    ratio = square / (lamp[at.LAMP_RANGE] * lamp[at.LAMP_RANGE])
    window = np.clip(1 - ratio * ratio, 0, 1)
    share = window * window / np.maximum(square, 1e-4)
    if lamp[at.LAMP_ANGLE] > -1:
        cosine = -dot(to_light, lamp[at.LAMP_AXIS : at.LAMP_AXIS + 3])
        cone = np.clip((cosine - lamp[at.LAMP_ANGLE]) / (lamp[at.LAMP_INNER] - lamp[at.LAMP_ANGLE]), 0, 1)
        share = share * cone * cone
    return to_light, share[..., None] * lamp[at.LAMP_COLOR : at.LAMP_COLOR + 3]


def cluster_of(across: Array, up: Array, depth: Array, scene: Array) -> npt.NDArray[np.int64]:
    """Return the numbers of the clusters of points.

    across, up: place in the viewport, 0 to 1 from the bottom left. depth: meters along the view.
    """
    wide, high, deep = at.CLUSTERS
    near, far = scene[at.NEAR], scene[at.FAR]
    part = np.log(np.maximum(depth, near) / near) / np.log(far / near)
    x = np.clip(across * wide, 0, wide - 1).astype(np.int64)
    y = np.clip(up * high, 0, high - 1).astype(np.int64)
    z = np.clip(part * deep, 0, deep - 1).astype(np.int64)
    return (z * high + y) * wide + x


def clear(eye: Array, point: Array, scene: Array) -> Array:
    """Return the share (n,) of light that fog lets through between the eye and points: exponential height fog.

    The density at height h is density * exp(-fall * (h - base)); its integral along the way is closed.
    """
    offset = point - eye
    length = np.sqrt(dot(offset, offset))
    rise = scene[at.FOG_FALL] * offset[..., 1]
    start = np.exp(-np.clip(scene[at.FOG_FALL] * (eye[..., 1] - scene[at.FOG_BASE]), -40, 40))
    safe = np.where(np.abs(rise) < 1e-3, 1.0, np.clip(rise, -40, 40))
    mean = np.where(np.abs(rise) < 1e-3, 1 - rise / 2, (1 - np.exp(-safe)) / safe)
    return np.exp(-np.minimum(scene[at.FOG_DENSITY] * start * mean * length, 80))


def fogged(light: Array, share: Array, scene: Array) -> Array:
    """Return light (n, 3) behind fog that lets the share (n,) through."""
    return light * share[..., None] + scene[at.FOG_COLOR : at.FOG_COLOR + 3] * (1 - share)[..., None]
