"""The hook that rish_lighting adds: post-processing effects."""

from __future__ import annotations

from rish_core import hookspec


@hookspec
def rish_effects() -> list[type]:  # pyright: ignore[reportReturnType]
    """Declare effects that `settings: lighting: post:` may name.

    When: before the manifest is checked, and again when the manifest or the game's code is edited.
    How often: once each time the manifest is read.
    Arguments: none.
    Returns: a list of classes marked `@effect`.
    Failures: anything else in the list, or a name that another plugin uses, disables the plugin.
    Example::

        @effect(glsl="vec4 shade(vec4 pixel, vec2 at) { return vec4(pixel.a - pixel.rgb, pixel.a); }")
        class Negative:
            "Light is dark."

        def rish_effects():
            return [Negative]
    """
