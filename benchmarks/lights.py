"""Lights: 100 of them among 1,000 edges, compared with the seed's shadow quads, and the cost of more lights.

Lights have a radius of 160 pixels and wander over 1280x720; the target of light has half of that size, in half floats.
`quads` is the seed's method: for each light an alpha mask, shadow quads, and the light times that mask. Both do the
same work into the same kind of target, and their images agree; Rish needs one draw call. `shadow_maps` is the kernel
that computes 100 maps of 1,024 bins. `lights1000` is the same scene with 1,000 lights, as a tick and a complete frame
with the passes that apply the light; its ratio to 100 lights matters. `still` is a scene in which nothing moves, so
that no shadow is computed and nothing is drawn.

`gi256` is global illumination on 256x256 texels: the passes that draw it, for a room with a lamp and 40 walls;
`gi_emitters200` compares 200 glowing things with a single one, `gi_kernels` is the same work without OpenGL.

`post_` and the name of an effect: the cost of that effect on its own at 1280x720, with OpenGL and without; see
`_lights_post`.
"""

from __future__ import annotations

from .harness import Case

_RISH, _GI, _POST = "_lights_rish", "_lights_gi", "_lights_post"
EFFECTS = (
    "bloom", "tone_map", "grading", "lut", "vignette", "aberration", "crt", "pixelate", "blur", "grain", "fade",
    "dissolve", "crossfade", "wipe", "iris",
)  # fmt: skip
CASES = [
    Case(
        "lights100_edges1000",
        "ms",
        {"rish": f"{_RISH}:hundred", "quads": "_lights_seed:hundred"},
        limits={"quads": 0.5},
    ),
    Case(
        "lights1000",
        "ms",
        {"rish": f"{_RISH}:thousand_whole", "lights100": f"{_RISH}:hundred_whole"},
        limits={"lights100": 9},
    ),
    Case("shadow_maps", "ms", {"rish": f"{_RISH}:kernel"}, limit=3),
    Case("gi256", "ms", {"rish": f"{_GI}:rooms"}, limit=400),
    Case("gi_emitters200", "ms", {"rish": f"{_GI}:many", "one": f"{_GI}:one"}, limits={"one": 1.15}),
    Case("gi_kernels", "ms", {"rish": f"{_GI}:kernels"}, full=True),
    Case("still", "ms", {"rish": f"{_RISH}:still", "moving": f"{_RISH}:hundred_whole"}, full=True),
    Case("software100", "ms", {"rish": f"{_RISH}:software"}, full=True),
    Case("software_still", "ms", {"rish": f"{_RISH}:software_still", "moving": f"{_RISH}:software_whole"}, full=True),
    *(
        Case(f"post_{name}", "ms", {"rish": f"{_POST}:{name}", "software": f"{_POST}:{name}_software"}, full=True)
        for name in EFFECTS
    ),
]
