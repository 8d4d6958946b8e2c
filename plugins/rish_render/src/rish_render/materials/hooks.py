"""The hook that `rish_render` adds: functions that replace shaders if there is no GL."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rish_core import hookspec


@hookspec(provisional=True)
def rish_fallbacks() -> Mapping[str, Callable[..., None]]:  # pyright: ignore[reportReturnType]
    """Return the fallbacks of materials: functions on arrays that do the same as a shader.

    When: once after startup is complete, before the first scene.
    How often: once.
    Arguments: none.
    Returns: {material name: fallback}; see `rish_frame.frame.shaders` for the arguments of a fallback.
    Failures: any other return value disables the plugin. A name that no material has is no mistake.
    Example::

        def invert(pixels, uniforms):
            pixels.color[:, :3] = pixels.color[:, 3:] - pixels.color[:, :3]

        def rish_fallbacks():
            return {"invert": invert}
    """
