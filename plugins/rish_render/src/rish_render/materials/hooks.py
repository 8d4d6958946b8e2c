"""The hook that `rish_render` adds: functions that stand in for shaders where there is no GL."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rish_core import hookspec


@hookspec(provisional=True)
def rish_fallbacks() -> Mapping[str, Callable[..., None]]:  # pyright: ignore[reportReturnType]
    """Fallbacks of materials: what a shader does, written for arrays.

    When: once everything is put together, before the first scene.
    How often: once.
    Arguments: none.
    Returns: {material name: fallback}; see `rish_frame.frame.shaders` for what a fallback is given.
    Failures: anything else sets the plugin aside. A name that no material has is no mistake.
    Example::

        def invert(pixels, uniforms):
            pixels.color[:, :3] = pixels.color[:, 3:] - pixels.color[:, :3]

        def rish_fallbacks():
            return {"invert": invert}
    """
