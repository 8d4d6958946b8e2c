"""The hooks of drawing: passes, backends, drawers and samples that plugins declare, and when they are called.

They follow the rules of the kernel's hooks (`rish_core.plugin.hooks`). A plugin that draws requires `frame` and
implements them like any other hook.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rish_core import hookspec

from .readers import READERS


@hookspec(reads=READERS["rish_passes"], provisional=True)
def rish_passes() -> list[Any]:  # pyright: ignore[reportReturnType]
    """Declare passes and targets of the frame graph that stay the same from frame to frame.

    When: while the registry is built; each frame begins with them.
    How often: once.
    Arguments: none.
    Returns: a list of `Pass` and `Target`.
    Failures: anything else in the list disables the plugin; if two plugins use a name, the game does not start.
    Example::

        def rish_passes():
            return [
                Target("glow", size=0.5, formats=("rgba16f",)),
                Pass("glow", targets=("glow",), before="main"),
            ]
    """


@hookspec(reads=READERS["rish_backends"])
def rish_backends() -> Mapping[str, Callable[..., Any]]:  # pyright: ignore[reportReturnType]
    """Declare backends, which draw frames.

    When: while the registry is built; only the factory of the chosen backend is called.
    How often: once.
    Arguments: none.
    Returns: {name: factory}; the factory is called without arguments and must import its libraries only then.
    Failures: anything else disables the plugin; if two plugins use a name, the game does not start.
    Example::

        def make_terminal():
            from .terminal import TerminalBackend
            return TerminalBackend()

        def rish_backends():
            return {"terminal": make_terminal}
    """


@hookspec(reads=READERS["rish_drawers"])
def rish_drawers() -> Mapping[str, Mapping[str, Callable[..., Any]]]:  # pyright: ignore[reportReturnType]
    """Declare drawers for the plugin's own kinds of batches, on backends of other plugins.

    When: while the registry is built; the factory of a drawer is called when its backend opens.
    How often: once.
    Arguments: none.
    Returns: {backend name: {kind: drawer factory}}; names of backends that are not loaded are ignored.
    Failures: anything else disables the plugin; if two plugins draw the same kind on the same backend, the game does
        not start.
    Example::

        def rish_drawers():
            return {"software": {"lights": make_light_drawer}}
    """


@hookspec(reads=READERS["rish_compute"], provisional=True)
def rish_compute() -> list[Any]:  # pyright: ignore[reportReturnType]
    """Declare work on arrays that a graphics card does where it can: a GLSL file, its arrays, and a fallback in Python.

    When: while the registry is built; the files are read before the first scene, and again when they change on disk.
    How often: once.
    Arguments: none.
    Returns: a list of `Compute`; `Frame.compute` orders the work by name.
    Failures: anything else in the list disables the plugin; if two plugins use a name, the game does not start. A file
        that can't be read or does not compile is reported once, and the fallback runs; a fallback that raises is
        disabled.
    Example::

        def fall(arrays, uniforms):
            arrays["place"][:, 1] -= uniforms["speed"]

        def rish_compute():
            place = ArraySpec(np.dtype("float32"), ("n", 4), "x y z w")
            return [Compute("snow.fall", "fall.comp", {"place": place}, fall, {"speed": "float"})]
    """


@hookspec(reads=READERS["rish_pickers"], provisional=True)
def rish_pickers() -> Mapping[str, Callable[..., Any]]:  # pyright: ignore[reportReturnType]
    """Declare pickers, which tell a tool what the plugin drew under a point of the screen or in a box.

    When: while the registry is built; a picker is called each time a tool calls `rish_frame.pick`.
    How often: once.
    Arguments: none.
    Returns: {name: picker}; a picker is a function `(world, region)` that returns a list of `Hits`, in the order in
        which the plugin draws things of equal layer and z. It must not change the World. One with the attribute
        `in_space = True` is asked too when a tool looks at space: `region.space` is then the matrix to its pixels.
    Failures: anything else disables the plugin; if two plugins use a name, the game does not start.
    Example::

        def pick_vanes(world, region):
            query = world.query(Vane, Transform)
            touched = region.near(query[Transform.position], query[Vane.radius])
            return [Hits.marks(Vane, query.entities[touched])]

        def rish_pickers():
            return {"vanes": pick_vanes}
    """


@hookspec(provisional=True)
def rish_device_ready(backend: Any, world: Any) -> None:
    """Follow a backend that was opened: note its capabilities, make shaders and targets on its device.

    When: after all `rish_ready`, and again after another backend has taken its place, while the former one is open; for
        a plugin that begins in a running game or whose code was loaded again, after that.
    How often: once for each opened backend, and once for each time that the plugin's code begins.
    Arguments: backend: the open backend; its `device` is None if it has none. world: the World; objects that are kept
        there must be derived.
    Returns: nothing.
    Failures: the plugin and its systems are disabled; the game continues without its graphics.
    Example::

        def rish_device_ready(backend, world):
            backend.image(77, checkerboard(32))
    """


@hookspec
def rish_samples(world: Any, backend: Any, frame: Any) -> list[Any]:  # pyright: ignore[reportReturnType]
    """Return samples of everything that the scene may show, so that no kernel or shader compiles during the game.

    When: after `rish_warm_up`, before the scene's first tick; with a window, after the scene's first frame is shown,
        so that this frame does not wait for the samples.
    How often: once for each change of scene.
    Arguments: world: the World with the scene's entities. backend: the open backend. frame: an empty `Frame` that
        is drawn onto a small hidden target; the plugin may add shaders and a frame table to it.
    Returns: a list of `Batch`, a sample of each kind and state that the plugin may draw. Kinds that the
        backend can't draw are ignored.
    Failures: the plugin and its systems are disabled.
    Example::

        def rish_samples(world, backend, frame):
            return [Batch("wind.streaks", {"points": np.zeros((1, 4), np.float32)})]
    """


@hookspec(firstresult=True, provisional=True)
def rish_loading(world: Any, title: str, size: tuple[int, int], done: int, total: int, what: str) -> Any:
    """Paint the loading screen: the image that a window shows before the first picture of a scene.

    When: as soon as the window is open, even before `rish_ready`; when a scene is loaded, and while kernels that the
        cache lacks are compiled. No kernel may be called, and `world` may be without entities.
    How often: up to twenty times a second, until a plugin returns an image.
    Arguments: world: the World with the scene's entities. title: the game's. size: of the window, width and height in
        pixels. done: how much of the work is done; for kernels, how many are compiled. total: all the work. what: what
        is loaded now, such as the path of a file; "" while kernels are compiled.
    Returns: uint8 (height, width, 4) pixels, premultiplied, top row first; or None.
    Failures: the plugin and its systems are disabled.
    Example::

        def rish_loading(world, size, done, total):
            image = np.zeros((size[1], size[0], 4), np.uint8)
            image[-8:, : size[0] * done // max(total, 1)] = 255
            return image
    """
