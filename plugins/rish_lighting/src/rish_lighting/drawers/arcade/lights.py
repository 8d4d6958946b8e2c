"""Draws lights with OpenGL: one instance for each, all in one draw call, added to the target."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass, PerContext
from rish_jit import Array

from ... import formulas as f
from ...passes.kinds import COOKIE
from ...shadows.diamond import WEDGES, WIDTH
from ..matrices import backwards, matrices
from .programs import Programs, has, put

_TEXELS_PER_LIGHT = (f.COLUMNS + WEDGES) // 4
"""The number of texels, of four numbers each, that hold one light."""
_KINDS = ((f.SPOT, "SPOT"), (f.SUN, "SUN"), (f.AREA, "AREA"), (f.TEXTURE, "TEXTURE"), (f.GRADIENT, "GRADIENT"))


class ArcadeLights:
    """Draws `light.lights`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._lights = PerContext(_Lights)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Add the lights of a batch to the target."""
        device.blend_func = device.ONE, device.ONE
        self._lights(device).draw(target, batch, pass_)


class _Lights:
    """The programs, buffers and textures of one context."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.programs = Programs(ctx)
        self._geometry = ctx.geometry([], mode=ctx.TRIANGLES)
        self._rows: Any = None
        self._maps: Any = None
        self._maps_seen: Any = None
        self._cookies: Any = None
        self._cookies_seen: Any = None
        self._width = min(WIDTH, 1 << (int(ctx.info.MAX_TEXTURE_SIZE).bit_length() - 1))

    def draw(self, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw all lights of a batch with one draw call."""
        arrays = batch.arrays
        rows = np.concatenate([arrays["lights"], arrays["reach"]], axis=1)
        self._upload(rows)
        self._upload_maps(arrays["maps"])
        uniforms = aim(pass_, target.size, batch.origin)
        features = self._features(arrays["lights"], target)
        if uniforms["back"][1] == uniforms["back"][2] == 0:
            features.add("STRAIGHT")
        program = self.programs.program("lights.vert", "lights.frag", features)
        put(program, **uniforms, map_shift=self._width.bit_length() - 1, maps=0, rows=3)
        self._maps.use(0)
        if has(program, "normals"):
            (normals,) = target.inputs.values()
            normals.use(1)
            pixel = 1 / target.size[0], 1 / target.size[1]
            put(program, normals=1, normal_scale=pixel)
        if has(program, "cookies"):
            self._upload_cookies(arrays["cookies"])
            self._cookies.use(2)
            put(program, cookies=2)
        self._geometry.render(program, vertices=3 * WEDGES, instances=len(rows))

    def _features(self, lights: Array, target: DrawTarget) -> set[str]:
        """Return the `#define`s that the shader needs for these lights."""
        kinds = lights[:, f.KIND]
        names = {name for kind, name in _KINDS if (kinds == kind).any()} | {f"WEDGES {WEDGES}.0"}
        shine = lights[(kinds != f.GRADIENT) & (kinds != f.SUN)]
        if ((shine[:, f.POWER] != 1) | (shine[:, f.FALLOFF] != f.INVERSE) | (shine[:, f.WINDOW] == 0)).any():
            names.add("FALLOFF")
        if (lights[:, f.BINS] > self._width).any():
            names.add("LONG")
        if (shine[:, f.SHADOW] == f.SOFT).any():
            names |= {"SOFT", f"SEARCH {f.SEARCH}", f"TAPS {f.TAPS}"}
        if target.inputs:
            names.add("NORMALS")
        return names

    def _upload(self, rows: Array) -> None:
        """Upload the lights to the graphics card, each as a row of a texture."""
        if self._rows is None or self._rows.height < len(rows):
            tall = 1 << max(len(rows) - 1, 63).bit_length()
            nearest = (self.ctx.NEAREST, self.ctx.NEAREST)
            self._rows = self.ctx.texture((_TEXELS_PER_LIGHT, tall), components=4, dtype="f4", filter=nearest)
        self._rows.write(np.ascontiguousarray(rows, np.float32), viewport=(0, 0, _TEXELS_PER_LIGHT, len(rows)))
        self._rows.use(3)

    def _upload_maps(self, texels: Array) -> None:
        """Upload the shadow maps to the graphics card, unless this array was uploaded before."""
        if self._maps_seen is texels:
            return
        self._maps_seen = texels
        height = max(1, -(-len(texels) // self._width))
        if self._maps is None or self._maps.height < height:
            tall = 1 << (height - 1).bit_length()
            self._maps = self.ctx.texture(
                (self._width, tall), components=1, dtype="f4", filter=(self.ctx.NEAREST, self.ctx.NEAREST)
            )
        padded = np.zeros(height * self._width, np.float32)
        padded[: len(texels)] = texels
        self._maps.write(padded, viewport=(0, 0, self._width, height))

    def _upload_cookies(self, cookies: Array) -> None:
        if self._cookies_seen is cookies:
            return
        self._cookies_seen = cookies
        self._cookies = self.ctx.texture_array(
            (COOKIE, COOKIE, len(cookies)), components=4, data=np.ascontiguousarray(cookies).tobytes()
        )
        self._cookies.wrap_x = self._cookies.wrap_y = self.ctx.CLAMP_TO_EDGE


def aim(pass_: Pass, size: tuple[int, int], origin: tuple[float, float]) -> dict[str, Any]:
    """Return the uniforms for the matrices from units to clip space, and from pixels, y up, back to units.

    Units are relative to `origin`. `margin` is 1.5 pixels in units.
    """
    to_clip, clip_offset = matrices(pass_, size, origin)
    back, back_offset = backwards(to_clip, clip_offset, size)
    margin = 1.5 * max(float(np.hypot(*back[:, 0])), float(np.hypot(*back[:, 1])))
    return {
        "linear": tuple(to_clip.T.ravel()), "offset": tuple(clip_offset), "back": tuple(back.T.ravel()),
        "back_offset": tuple(back_offset), "margin": margin,
    }  # fmt: skip
