"""A separable Gaussian blur for bloom, blur and crt.

Each direction uses nine texels. In GLSL two neighbors are read together, at a position between the texels at which the
hardware's interpolation gives the right weights, so that five reads are enough.
"""

from __future__ import annotations

import math

import numpy as np

from ..effect import Array, Block, Size, Stage

REACH = 4
GLSL = """
vec4 shade(vec2 at) {
    vec2 near = way * offsets.x, far = way * offsets.y;
    return picture(at) * weights.x + (picture(at + near) + picture(at - near)) * weights.y
        + (picture(at + far) + picture(at - far)) * weights.z;
}
"""


def weights_of(sigma: float) -> Array:
    """Return the weights of a texel and its neighbors on one side, float32 (REACH + 1); all nine sum to 1.

    sigma: texels.
    """
    weights = [math.exp(-0.5 * (k / max(sigma, 1e-3)) ** 2) for k in range(REACH + 1)]
    return (np.array(weights) / (weights[0] + 2 * sum(weights[1:]))).astype(np.float32)


def _fallback(block: Block) -> None:
    from ..kernels import soften_across, soften_upright

    soften = soften_across if block.values["way"][0] else soften_upright
    soften(block.pictures["picture"], block.row, weights_of(block.values["sigma"]), block.out)


def gauss(source: str, between: str, writes: str, size: Size, sigma: float) -> list[Stage]:
    """Return two stages: a blur in x from `source` to `between`, and in y from there to `writes`, all of one size."""
    w = weights_of(sigma).astype(np.float64).tolist()
    near, far = w[1] + w[2], w[3] + w[4]
    values = {
        "weights": (w[0], near, far),
        "offsets": ((w[1] + 2 * w[2]) / max(near, 1e-9), (3 * w[3] + 4 * w[4]) / max(far, 1e-9)),
        "sigma": float(sigma),
    }
    across, upright = {**values, "way": (1 / size[0], 0.0)}, {**values, "way": (0.0, 1 / size[1])}
    return [
        Stage(GLSL, _fallback, True, source=source, writes=between, size=size, values=across),
        Stage(GLSL, _fallback, True, source=between, writes=writes, size=size, values=upright),
    ]


HALVE = "vec4 shade(vec2 at) { return picture(at); }"


def resampled(block: Block) -> None:
    """Resize the input to the size of the output; the fallback of HALVE."""
    block.resized("picture", block.out)


def half(size: Size) -> Size:
    """Return half a size, rounded up, at least one pixel."""
    return max((size[0] + 1) // 2, 1), max((size[1] + 1) // 2, 1)
