"""The contract of a backend: ten methods, called verbs, that turn a frame into an image.

A backend opens a surface, reports the events of its window, uploads images, draws frames, and shows or returns the
result. It has no access to entities or the World, and it can make everything that it keeps (buffers, textures)
again. Any class with these members is a backend; no base class is needed. `rish_frame.testing.BackendContract`
tests the contract:

    class TestMine(BackendContract):
        make = MyBackend

A backend draws a frame as follows: with the capability `compute` it first does `frame.dispatches` in order, see
`rish_frame.frame.compute`; then, for each of `frame.steps()`, clear the named targets (colors and depth), then
draw the batches in order inside `pass_.clip(size, batch)`, with `pass_.camera` mapped onto the viewport. A
kind is drawn by the backend, or by the drawer that was added for it; a kind that neither can draw is skipped and
named in the statistics. A shape covers a pixel if it covers the pixel's center.

A backend that is built on another one may have an attribute `draws_like` with the other's name: drawers that
plugins declare for that one are then added to it as well.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np
import numpy.typing as npt

from rish_core import message_of
from rish_ecs import UnknownName, how_to_get, how_to_get_module

from .errors import BackendError

if TYPE_CHECKING:
    from rish_core import WindowEvent

    from .frame.batches import Batch
    from .frame.frame import Frame
    from .frame.passes import Pass

PixelArray: TypeAlias = npt.NDArray[np.uint8]
Band: TypeAlias = tuple[int, int]
"""The first row of a part of a target, and the row after its last."""
RunBands: TypeAlias = Callable[[Sequence[Band], Callable[[int, int], object]], None]

CAPABILITIES: dict[str, str] = {
    "pixels": "pixels() returns what was drawn",
    "window": "shows a window that a person can use",
    "targets": "draws onto targets other than the screen, and reads them as inputs",
    "mesh": "draws the kind `mesh` with any camera",
    "depth": "targets may have depth, and passes may test it",
    "mrt": "targets may have several attachments, and batches write their channels, see `Target`",
    "float": "targets may be rgba16f and r32f, at least for drawers",
    "copy": "a pass may read a target that it draws onto, as a copy taken before",
    "materials": "runs the GLSL of `Frame.shaders`",
    "compute": "runs the GLSL of `Frame.dispatches`; for other backends the host has run the fallbacks",
    "fallbacks": "runs the fallbacks of `Frame.shaders` on sprites",
    "cells": "has the property `cell` and shows `Frame.labels` as characters, see `OptionalVerbs`",
    "reserve": "has the verb `reserve`",
    "rumble": "has the verb `rumble`",
    "write_clipboard": "has the verb `write_clipboard`",
    "read_clipboard": "has the verb `read_clipboard`",
    "fullscreen": "has the verb `fullscreen`",
    "splash": "has the verb `splash`",
}
"""Features of backends beyond the verbs. The names of a plugin's own features begin with its name and a dot."""

OPTIONS: dict[str, str] = {
    "title": "text in the window's bar",
    "size": "width and height of the screen, pixels",
    "fullscreen": "true or false",
    "cursor": "true: visible, false: hidden",
    "lock": "true: the pointer is hidden and held, and poll() reports `mouse_motion` instead of `mouse_move`",
    "icon": "uint8 (h, w, 4) pixels",
    "vsync": "true: present() waits for the display",
    "quality": "auto, exact or fast, for backends that have both; auto is exact if there is no window",
    "threads": "number of drawing threads, for backends that draw on the processor; 0: one for each core",
}
"""The options of `configure`. A backend ignores those that do not apply to it."""


@dataclass
class DrawStats:
    """Statistics of drawing one frame.

    draw_calls: commands given to the device. instances: things drawn. bytes_uploaded: size of the arrays copied to
    the device. static_batches: batches whose earlier upload was used again. passes: passes drawn. skipped: kinds and
    materials that could not be drawn, with the reason, such as {"lights": "its drawer needs channels",
    "material:glow": "no such shader"}.
    """

    draw_calls: int = 0
    instances: int = 0
    bytes_uploaded: int = 0
    static_batches: int = 0
    passes: int = 0
    skipped: dict[str, str] = field(default_factory=dict[str, str])

    def skip(self, item: str, reason: str) -> None:
        """Record a kind or material that was not drawn; the first reason is kept."""
        self.skipped.setdefault(item, reason)

    def add(self, other: DrawStats) -> None:
        """Add the statistics of a part of the frame."""
        for name in ("draw_calls", "instances", "bytes_uploaded", "static_batches", "passes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for item, reason in other.skipped.items():
            self.skip(item, reason)

    def standing(self, batches: int) -> DrawStats:
        """Return the statistics of a frame that reuses the result of these draws. batches: how many are reused."""
        return DrawStats(0, self.instances, 0, batches, self.passes, dict(self.skipped))

    @property
    def sentences(self) -> list[str]:
        """A sentence for each skipped item, for the log."""
        return [f"'{item}' is not drawn: {reason}" for item, reason in self.skipped.items()]


def _in_order(bands: Sequence[Band], work: Callable[[int, int], object]) -> None:
    """Call `work` for each band on the thread of the caller."""
    for band in bands:
        work(*band)


@dataclass
class DrawTarget:
    """The surface that a drawer draws onto, as objects of the backend.

    colors: one for each attachment: numpy arrays (h, w, channels) with the top row first on `software`,
    textures on GL (where the framebuffer, `native`, is already bound). depth: the depth buffer or None.
    inputs: the input targets by the names in `pass_.inputs`; a depth is float32 (h, w) with values of clip space, -1
    near to 1 far, on `software`, and a texture with values 0 to 1 on GL. size: width and height in pixels. frame: the
    frame being drawn, for its frame table. buffers: of the batch's arrays those whose newest contents are on the
    device, by name, as arcade.gl's Buffers on GL; draw these instead of the numpy arrays. cleared: False if the
    target still has what was drawn in the last frame, see `Drawer`.

    run: `run(bands, work)` calls `work(first, last)` for each pair of rows in `bands`, in any order and on all drawing
    threads of the backend, and returns when all calls have returned. An exception of a call is raised again. A kernel
    compiled by `rish_jit.njit` runs on several threads at once; plain Python code does not.
    """

    size: tuple[int, int]
    colors: list[Any]
    depth: Any = None
    inputs: dict[str, Any] = field(default_factory=dict[str, Any])
    frame: Frame | None = None
    native: Any = None
    buffers: dict[str, Any] = field(default_factory=dict[str, Any])
    run: RunBands = _in_order
    cleared: bool = True


@runtime_checkable
class Drawer(Protocol):
    """Draws one kind of batch on one backend; a plugin declares it with the hook `rish_drawers`.

    A drawer with `steady = True` promises that it draws the same for the same batch with the same version, camera,
    inputs and target, and that with the blend mode `replace` it fills the target. It is then called again only when
    one of them changes; any other drawer is called in each frame.

    A drawer with `clears = True` can draw onto what it drew in the last frame. If all passes of a target are single
    batches of such drawers in parts of the target that do not overlap, a backend need not clear the target in each
    frame: `DrawTarget.cleared` is then False, and the drawer itself clears what it draws again.
    """

    @property
    def needs(self) -> frozenset[str]:
        """The capabilities that the backend must have; otherwise the kind is skipped and reported."""
        ...

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw a batch. device: arcade.gl's Context on `arcade`, None on `software`. Blend premultiplied."""
        ...


@runtime_checkable
class Backend(Protocol):
    """The members of every backend; see the module. Sizes are width, height; images have the top row first."""

    @property
    def name(self) -> str:
        """The name that selects it on the command line and in a manifest."""
        ...

    @property
    def capabilities(self) -> frozenset[str]:
        """Its abilities beyond the verbs, see CAPABILITIES. Complete once it is open."""
        ...

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of batches that it draws by itself or has a drawer for."""
        ...

    @property
    def size(self) -> tuple[int, int]:
        """The screen's size in pixels, as drawn; (0, 0) while closed."""
        ...

    @property
    def device(self) -> Any:
        """The device for drawers and for `rish_device_ready`, or None."""
        ...

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Create the surface; do nothing on an open backend. A closed backend can be opened again.

        visible: show a window, if it has windows. Raises if this machine can't open it.
        """
        ...

    def poll(self) -> list[WindowEvent]:
        """Return the window events since the last call, oldest first. Pointers are in screen pixels, y up."""
        ...

    def image(self, page: int, pixels: PixelArray, dirty: tuple[int, int, int, int] | None = None) -> None:
        """Store a page: uint8 (h, w, 4), premultiplied. A page of this number is replaced, whatever its size.

        dirty: x y w h in texels from the top left, if only that part changed; pixels is always the complete
        page.
        """
        ...

    def free(self, page: int) -> None:
        """Remove a page; its frames are no longer drawn. An unknown page is ignored."""
        ...

    def add_drawer(self, kind: str, drawer: Drawer) -> None:
        """Draw this kind with the drawer from now on, also a standard kind. May be called before `open`."""
        ...

    def draw(self, frame: Frame) -> DrawStats:
        """Draw a complete frame without changing it. A batch that can't be drawn is skipped and is not an error.

        Raises BackendError while closed, UnknownName for a target that does not exist.
        """
        ...

    def pixels(self, target: str = "screen") -> npt.NDArray[Any]:
        """Return a copy of a target's image: uint8 (h, w, 4) premultiplied, float32 for float formats.

        The screen's alpha is 255. `name:1` is its second attachment. Raises UnknownName for a target that no
        frame drawn so far had.
        """
        ...

    def present(self) -> None:
        """Show the drawn frame if there is a window; may wait for the display."""
        ...

    def configure(self, **options: Any) -> None:
        """Change options of the open surface, see OPTIONS. Raises UnknownName for any other."""
        ...

    def close(self) -> None:
        """Release everything; may be called twice, and before open."""
        ...


class OptionalVerbs(Protocol):
    """Verbs that a backend may have: each is called only if its name is one of the backend's capabilities.

    A backend with the capability `cells` shows characters in cells, as a terminal does. Its property `cell` is the
    width and the height of a cell in pixels of the screen; the first cell is in the screen's top left corner. It shows
    the letters of `Frame.labels` over the image of a frame, until another frame clears the screen.

    The verbs for devices never raise: a device that was disconnected, and a clipboard that another program holds, are
    ignored.
    """

    def reserve(self, sizes: Mapping[int, tuple[int, int]]) -> None:
        """Make room for several new pages at once, before `image` stores them. sizes: width and height by number."""
        ...

    def rumble(self, device: int, low: float, high: float, seconds: float) -> None:
        """Shake a gamepad; this replaces its last rumble. device: its number in events; 0: all gamepads.

        low, high: strengths of the slow and the fast motor, 0..1; both 0 end a rumble.
        """
        ...

    def write_clipboard(self, text: str) -> None:
        """Put a text into the clipboard."""
        ...

    def read_clipboard(self) -> str | None:
        """Return the clipboard's text; None if it has none."""
        ...

    def fullscreen(self, wanted: bool | None = None) -> bool:
        """Let the window fill the screen, or return to its former size; return whether it fills the screen now.

        wanted: None changes nothing. The size of the screen follows when the window system has answered.
        """
        ...

    def splash(self, pixels: PixelArray) -> None:
        """Show an image of the size of the screen in the window at once, without the kernels that draw frames."""
        ...


def _verbs(protocol: type) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(inspect.signature(member).parameters)[1:]
        for name, member in vars(protocol).items()
        if inspect.isfunction(member) and not name.startswith("_")
    }


VERBS = _verbs(Backend)
"""The verbs of the contract and the names of their parameters."""
OPTIONAL_VERBS = _verbs(OptionalVerbs)
"""The verbs that a backend may have."""

Factory: TypeAlias = Callable[[], Backend]


def check_options(options: Mapping[str, Any]) -> None:
    """Raise UnknownName for an option that is not in OPTIONS."""
    for name in options:
        if name not in OPTIONS:
            raise UnknownName(f"no option of a backend is called '{name}'", given=name, choices=OPTIONS)


def missing_needs(drawer: Drawer | None, backend: Backend) -> str | None:
    """Return the reason why a drawer can't draw on a backend as a sentence, or None. drawer: None if there is none."""
    if drawer is None:
        return f"the backend '{backend.name}' has no drawer for it; a plugin can add one with rish_drawers()"
    missing = sorted(drawer.needs - backend.capabilities)
    return f"its drawer needs {', '.join(missing)}, which '{backend.name}' does not support" if missing else None


def sync_pages(backend: Backend, frame: Frame, versions: dict[int, int]) -> int:
    """Upload the changed pages to the backend and free the removed ones; return the number of uploaded bytes.

    versions: the version of each page that the backend has, updated here; start with an empty dict for each opened
    backend.
    """
    new_sizes = {page.id: page.pixels.shape[1::-1] for page in frame.pages if page.id not in versions}
    if len(new_sizes) > 1 and "reserve" in backend.capabilities:
        cast("Any", backend).reserve(new_sizes)
    total = 0
    for page in frame.pages:
        version = versions.get(page.id)
        if version == page.version:
            continue
        follows = version is not None and version + 1 == page.version
        backend.image(page.id, page.pixels, page.dirty if follows else None)
        versions[page.id] = page.version
        total += page.pixels.nbytes
    present = {page.id for page in frame.pages}
    for page_id in [page for page in versions if page not in present]:
        backend.free(page_id)
        del versions[page_id]
    return total


def wish(option: str | None, environment: str | None, manifest: str | None) -> tuple[str | None, str]:
    """Return the requested backend, or None, and the reason: the command line, then RISH_BACKEND, then the manifest."""
    for name, reason in ((option, "--backend"), (environment, "RISH_BACKEND"), (manifest, "the manifest")):
        if name:
            return name, f"{reason} selects it"
    return None, "it is the first that opens"


def open_backend(
    candidates: Mapping[str, Factory],
    wanted: str | None = None,
    reason: str = "",
    *,
    fallback: bool = True,
    title: str = "Rish",
    size: tuple[int, int] = (960, 540),
    visible: bool = True,
    needs: Mapping[str, str] | None = None,
) -> tuple[Backend, str]:
    """Open a backend; return it and a line for the log with the reason for the choice and the failures before it.

    candidates: factories by name, best first. A factory may have an attribute `install_hint`, a hint for the user
    when it fails. wanted: the backend that is tried first; reason: the source of the request (see `wish`). fallback:
    try the others when it fails. needs: the capabilities that it must have, each with the plugin that needs it. Raises
    UnknownName if `wanted` is not a candidate, and BackendError with every
    failure if none opens.
    """
    if wanted is not None and wanted not in candidates:
        raise UnknownName(f"no backend is called '{wanted}'", given=wanted, choices=candidates)
    names = [wanted] if wanted is not None else []
    if wanted is None or fallback:
        names += [name for name in candidates if name != wanted]
    failures: list[str] = []
    for name in names:
        try:
            backend = open_one(candidates[name], title, size, visible, needs or {})
        except Exception as error:
            failures.append(_failure(name, candidates[name], error))
            continue
        why = (reason or "it was requested") if name == wanted else "it is the first that opens"
        return backend, "; ".join([f"the backend is '{name}' because {why}", *failures])
    raise BackendError(
        "no backend opens: " + ("; ".join(failures) or "there is none"),
        hint=f"Other available backends: {', '.join(others)}"
        if (others := [name for name in candidates if name not in names])
        else f"For the backends 'software' and 'arcade': {how_to_get('rish-render')}. Or use --backend null",
    )


def open_one(factory: Factory, title: str, size: tuple[int, int], visible: bool, needs: Mapping[str, str]) -> Backend:
    """Make a backend and open it; close it again if opening fails, or a needed capability or kind is missing."""
    backend = factory()
    try:
        backend.open(title, size, visible)
        if "sprites" not in backend.kinds:
            kind_names = ", ".join(sorted(backend.kinds)) or "none"
            raise BackendError(f"its `kinds` lack 'sprites', which every backend must have; it has: {kind_names}")
        lacking = [
            f"{name}, which '{asking}' needs" for name, asking in needs.items() if name not in backend.capabilities
        ]
        if lacking:
            raise BackendError(f"it does not offer {', and '.join(lacking)}")
    except BaseException:
        backend.close()
        raise
    return backend


def _failure(name: str, factory: Factory, error: Exception) -> str:
    """Return a clause about a failed candidate: its error and a hint."""
    text = message_of(error)
    hint = getattr(factory, "install_hint", "")
    if not hint and isinstance(error, ImportError) and error.name:
        hint = how_to_get_module(error.name)
        hint = f"{hint[0].lower()}{hint[1:]}"
    first_line = text.splitlines()[0] if text else "no message"
    return f"'{name}' did not open ({first_line})" + (f", {hint}" if hint else "")
