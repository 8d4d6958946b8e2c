"""Shaders: the per-pixel code of a material, as GLSL text and as a function on arrays.

The author writes only one GLSL function; the backend adds the declarations and `main`:

    vec4 shade(Pixel p) { return vec4(1.0 - p.color.rgb, 1.0) * p.color.a; }

with

    struct Pixel {
        vec4 color;    // premultiplied, the color without the material
        vec2 uv;       // 0..1 across the thing's own image, from its bottom left corner
        vec2 at;       // 0..1 across the target, from its bottom left corner
    };
    vec4 picture(vec2 uv);     // the thing's own image, premultiplied; transparent outside 0..1
    vec4 screen(vec2 at);      // the target before this pass; outside 0..1 the color of the edge
    uniform float time;        // seconds of the game
    uniform vec2 resolution;   // of the target, pixels

and the shader's own uniforms. It returns a premultiplied color, which is blended with the batch's blend mode.

The fallback does the same on arrays, for backends without GL: `fallback(pixels, uniforms)` with a `Pixels`; it changes
`pixels.color` in place, by numpy or by a compiled kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import UnknownName, UsageError

UNIFORMS: dict[str, int] = {"float": 1, "int": 1, "bool": 1, "vec2": 2, "vec3": 3, "vec4": 4}
"""The types of uniforms, and the number of values of each."""

F32 = npt.NDArray[np.float32]


@dataclass
class Pixels:
    """The input of a fallback: n pixels of one thing.

    color: float32 (n, 4), premultiplied 0..1; the fallback changes it. uv, at: float32 (n, 2), see the module.
    picture: the thing's own image, uint8 (h, w, 4), premultiplied, top row first. screen: the target before this
    pass, of the same form, or None. time: seconds. resolution: width and height of the target, pixels.
    """

    color: F32
    uv: F32
    at: F32
    picture: npt.NDArray[np.uint8]
    screen: npt.NDArray[np.uint8] | None
    time: float
    resolution: tuple[int, int]


def sample(picture: npt.NDArray[np.uint8] | None, at: F32, *, smooth: bool = True, rim: bool = False) -> F32:
    """Sample an image as `picture` and `screen` of a shader do; return float32 (n, 4), premultiplied, 0..1.

    picture: uint8 (h, w, 4), top row first, or None, which is transparent. at: (n, 2), 0..1 from the bottom left
    corner; transparent outside. smooth: interpolate between texels, otherwise take the nearest one. rim: outside,
    take the color of the edge, as `screen` does.
    """
    if picture is None or not picture.size:
        return np.zeros((len(at), 4), np.float32)
    height, width = picture.shape[:2]
    if rim:
        at = np.clip(at, 0, 1)
    inside = ((at >= 0) & (at <= 1)).all(axis=1)
    x = np.where(inside, at[:, 0], 0) * np.float32(width)
    y = np.where(inside, 1 - at[:, 1], 0) * np.float32(height)
    if smooth:
        x, y = x - np.float32(0.5), y - np.float32(0.5)
    column, row = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    left, right = (np.clip(column + k, 0, width - 1) for k in (0, 1))
    top, bottom = (np.clip(row + k, 0, height - 1) for k in (0, 1))
    colors = picture[top, left].astype(np.float32)
    if smooth:
        fraction_x, fraction_y = (x - column)[:, None].astype(np.float32), (y - row)[:, None].astype(np.float32)
        upper_row = colors + (picture[top, right] - colors) * fraction_x
        lower_row = picture[bottom, left].astype(np.float32)
        lower_row += (picture[bottom, right] - lower_row) * fraction_x
        colors = upper_row + (lower_row - upper_row) * fraction_y
    colors[~inside] = 0
    return colors / np.float32(255)


Fallback = Callable[[Pixels, Mapping[str, Any]], None]
"""The replacement of a shader on backends without GL: a function of pixels and uniforms that changes the pixels."""


@dataclass(frozen=True, eq=False)
class Shader:
    """A shader of `Frame.shaders`.

    source: GLSL, see the module. uniforms: the type of each, see UNIFORMS. defaults: their values if a material
    gives none. place: the file, for messages. fallback: the same on arrays, or None. version: rises when the source
    changes; a source that does not compile is reported, and the last one that compiled is kept.
    """

    name: str
    source: str
    uniforms: Mapping[str, str] = field(default_factory=dict[str, str])
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])
    place: str = ""
    fallback: Fallback | None = None
    version: int = 0

    def __post_init__(self) -> None:
        for name, kind in self.uniforms.items():
            if kind not in UNIFORMS:
                where = f"shader '{self.name}', uniform '{name}'"
                raise UnknownName(f"no type of uniforms is called '{kind}'", where=where, given=kind, choices=UNIFORMS)

    def values(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of every uniform: a number, or a tuple of numbers.

        parameters: of the material. Raises UnknownName for one that the shader does not have, UsageError for a wrong
        length.
        """
        where = f"shader '{self.name}'"
        for name in parameters:
            if name not in self.uniforms:
                raise UnknownName(f"no uniform is called '{name}'", where=where, given=name, choices=self.uniforms)
        return {
            name: uniform_value(parameters.get(name, self.defaults.get(name, 0)), kind, f"{where}, uniform '{name}'")
            for name, kind in self.uniforms.items()
        }


def uniform_value(value: Any, kind: str, where: str) -> Any:
    """Return a uniform's value in the form of its type; one number is used for all components."""
    numbers = np.atleast_1d(np.asarray(value, np.float64))
    size = UNIFORMS[kind]
    if numbers.ndim != 1 or len(numbers) not in (1, size):
        raise UsageError(f"a {kind} takes {size} numbers, not {value!r}", where=where)
    if size == 1:
        return {"float": float, "int": int, "bool": bool}[kind](numbers[0])
    return tuple(np.broadcast_to(numbers, size).tolist())
