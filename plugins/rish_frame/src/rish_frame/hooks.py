"""The hooks of drawing: what plugins declare to be shown, and when they are asked.

They follow the rules of the kernel's hooks (`rish_core.plugin.hooks`). A plugin that draws requires `frame`, and
implements them as any others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rish_core import hookspec

from .readers import READERS


@hookspec(reads=READERS["rish_passes"], provisional=True)
def rish_passes() -> list[Any]:  # pyright: ignore[reportReturnType]
    """Passes and targets of the frame graph that stay the same from frame to frame.

    When: while the registry is built; each frame begins with them.
    How often: once.
    Arguments: none.
    Returns: a list of `Pass` and `Target`.
    Failures: anything else in the list sets the plugin aside; a name used by two plugins refuses the game.
    Example::

        def rish_passes():
            return [
                Target("glow", size=0.5, formats=("rgba16f",)),
                Pass("glow", targets=("glow",), before="main"),
            ]
    """


@hookspec(reads=READERS["rish_backends"])
def rish_backends() -> Mapping[str, Callable[..., Any]]:  # pyright: ignore[reportReturnType]
    """Ways to show a frame.

    When: while the registry is built; only the chosen backend is made.
    How often: once.
    Arguments: none.
    Returns: {name: factory}; the factory is called without arguments and imports its libraries then, not
        before.
    Failures: anything else sets the plugin aside; a name used by two plugins refuses the game.
    Example::

        def make_terminal():
            from .terminal import TerminalBackend
            return TerminalBackend()

        def rish_backends():
            return {"terminal": make_terminal}
    """


@hookspec(reads=READERS["rish_drawers"])
def rish_drawers() -> Mapping[str, Mapping[str, Callable[..., Any]]]:  # pyright: ignore[reportReturnType]
    """Drawers for the plugin's own kinds of batches, on backends that others wrote.

    When: while the registry is built; a drawer is made when its backend opens.
    How often: once.
    Arguments: none.
    Returns: {backend name: {kind: drawer factory}}; a backend that is not loaded is no mistake.
    Failures: anything else sets the plugin aside; one kind on one backend from two plugins refuses the game.
    Example::

        def rish_drawers():
            return {"software": {"lights": make_light_drawer}}
    """


@hookspec(provisional=True)
def rish_device_ready(backend: Any, world: Any) -> None:
    """The backend is open: shaders, targets and atlases can be made.

    When: after the window or off-screen device was opened, and again after one was lost and replaced.
    How often: once a device; never with a backend that has none.
    Arguments: backend: the open backend. world: the World; what is kept there must be derived.
    Returns: nothing.
    Failures: the plugin is set aside, its systems with it; the game goes on without its pictures.
    Example::

        def rish_device_ready(backend, world):
            backend.image(77, checkerboard(32))
    """


@hookspec
def rish_samples(world: Any, backend: Any, frame: Any) -> list[Any]:  # pyright: ignore[reportReturnType]
    """Draw what the scene may show, so that no kernel and no shader compiles once it is played.

    When: after `rish_warm_up`, before the scene's first tick; in a window after its first picture, which then
        need not wait for what it does not show.
    How often: once a scene change.
    Arguments: world: the World with the scene's entities. backend: the open backend. frame: an empty `Frame` that
        is drawn onto a small hidden target; it may be given shaders and a frame table.
    Returns: a list of `Batch`, a sample of each kind and state that the plugin may draw. Kinds that the
        backend can't draw are left out.
    Failures: the plugin is set aside, its systems with it.
    Example::

        def rish_samples(world, backend, frame):
            return [Batch("wind.streaks", {"points": np.zeros((1, 4), np.float32)})]
    """
