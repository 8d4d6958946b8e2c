"""The `arcade` backend: draws with OpenGL 3.3 through arcade.gl, in a window or off screen.

It draws the same images as the `software` backend, by the same formulas; they differ by a level or two. Targets are
stored with their bottom row first, as everywhere in OpenGL. The drawer of a plugin gets arcade.gl's Context, a target
whose framebuffer is bound, and blending of premultiplied colors, and may change any of this state.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from rish_ecs import UsageError
from rish_frame import (
    BackendError,
    Batch,
    Drawer,
    DrawStats,
    DrawTarget,
    Frame,
    PerVersion,
    PixelArray,
    check_options,
    missing_needs,
)
from rish_frame.frame import Key, Standing, structure_of

from ..shared import BLACK_SCREEN, Unable, find_surface, read_target
from ..window_devices import WindowDevices
from . import gl
from .device import Device
from .draw.painter import Painter
from .draw.table import KINDS
from .pages import Pages
from .plan import DrawPlan, PlannedPass, make_plan
from .scene import PassContext
from .surfaces import Surfaces
from .targets import Surface
from .window.window import Window

if TYPE_CHECKING:
    from rish_core import WindowEvent

_VERBS = {"reserve", "rumble", "write_clipboard", "read_clipboard", "fullscreen"}
CAPABILITIES = frozenset({"pixels", "targets", "mesh", "depth", "mrt", "float", "copy", "materials", *_VERBS})
_LOOKED_AT = attrgetter("kind", "blend", "filter", "unit", "z")


class ArcadeBackend(WindowDevices):
    """Draws every standard kind of batch with OpenGL.

    shared: a pyglet window of other code; draw off screen in its context, see `arcade_in`.
    """

    name = "arcade"

    def __init__(self, shared: Any = None) -> None:
        self._shared = shared
        self.drawers: dict[str, Drawer] = {}
        self._size = (0, 0)
        self._window: Window | None = None
        self._device: Device | None = None
        self._valid = PerVersion[bool]()
        self._plan: DrawPlan | None = None
        self._standing = Standing()

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities of the backend; `window` only if a window is open, `compute` only with OpenGL 4.3."""
        more = {"window"} if self._window is not None else set[str]()
        if self._device is not None and self._painter.compute.able:
            more.add("compute")
        return CAPABILITIES | more

    @property
    def kinds(self) -> frozenset[str]:
        """The standard kinds and those that have a drawer."""
        return frozenset(KINDS) | frozenset(self.drawers)

    @property
    def size(self) -> tuple[int, int]:
        """The screen's size in pixels; (0, 0) while closed."""
        return self._window.size if self._window is not None else self._size

    @property
    def device(self) -> Any:
        """arcade.gl's Context, or None while closed."""
        return self._device.ctx if self._device is not None else None

    @property
    def window(self) -> Any:
        """The pyglet window whose context draws, also a hidden one; None while closed."""
        return self._device.window if self._device is not None else None

    # Opening and closing

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Open a window or a hidden context, or use the window that is shared.

        Raises BackendError without a display or without OpenGL 3.3.
        """
        if self._device is not None:
            return
        if size[0] < 1 or size[1] < 1:
            raise UsageError(f"the size of the screen must be at least 1x1 pixels, not {size[0]}x{size[1]}")
        gl.find_library()
        self._size = (int(size[0]), int(size[1]))
        try:
            if self._shared is not None:
                self._device = device = Device(self._shared, shared=True)
            elif visible:
                self._window = Window(title, self._size)
                self._device = device = Device(self._window.native)
            else:
                self._device = device = Device(gl.open_hidden())
        except BaseException:
            self._window, self._size = None, (0, 0)
            raise
        self._pages = Pages(device)
        self._painter = Painter(device)
        self._surfaces = Surfaces(device)
        self._draws = {kind: drawing.make(device) for kind, drawing in KINDS.items()}
        device.leave()

    def close(self) -> None:
        """Release all resources and close the window, unless it is shared."""
        device, self._device, self._window, self._size = self._device, None, None, (0, 0)
        if device is None:
            return
        self._painter.compute.close(alive=device.window.context is not None)  # its owner may have closed it
        self._plan = None
        del self._pages, self._painter, self._surfaces, self._draws
        if self._shared is not None:
            self.drawers.clear()
        device.close()

    def _opened(self) -> Device:
        """Make the device current and return it. Raises BackendError if the backend is not open."""
        if self._device is None:
            raise BackendError("the backend 'arcade' is not open", hint="Call open(title, size) first")
        self._device.use()
        return self._device

    # Window

    def poll(self) -> list[WindowEvent]:
        """Return the window events; an empty list if the backend draws off screen."""
        return self._window.poll() if self._window is not None else []

    def configure(self, **options: Any) -> None:
        """Change the window. Off screen, only the size has an effect."""
        check_options(options)
        if "size" in options and self._device is not None:
            width, height = options["size"]
            self._size = (max(int(width), 1), max(int(height), 1))
        if self._window is not None:
            for option, value in options.items():
                self._window.change(option, value)

    def present(self) -> None:
        """Show the screen's current image in the window."""
        if self._window is None:
            return
        device = self._opened()
        screen = self._surfaces.by_name.get("screen")
        if screen is not None:
            device.copy(screen.framebuffer(), None, screen.size)
        device.window.flip()

    # Pages and drawers

    def image(self, page: int, pixels: PixelArray, dirty: tuple[int, int, int, int] | None = None) -> None:
        """Store the pixels of a page, or of the changed part of one."""
        self._opened()
        self._standing.forget()
        self._pages.put(page, pixels, dirty)

    def reserve(self, sizes: Mapping[int, tuple[int, int]]) -> None:
        """Make room for new pages, by number, of these widths and heights."""
        self._opened()
        self._standing.forget()
        self._pages.reserve(sizes)

    def free(self, page: int) -> None:
        """Remove a page."""
        self._standing.forget()
        if self._device is not None:
            self._pages.drop(page)

    def add_drawer(self, kind: str, drawer: Drawer) -> None:
        """Use a drawer for a kind of batch. It gets arcade.gl's Context, and textures as colors and inputs."""
        self.drawers[kind] = drawer
        self._plan = None

    # Drawing

    def pixels(self, target: str = "screen") -> npt.NDArray[Any]:
        """Return a copy of a target: uint8 (h, w, 4) premultiplied, or float32 for the float formats."""
        picture = read_target(self._with_screen(), target)
        if self._device is not None:
            self._device.leave()
        return picture

    def texture(self, target: str = "screen") -> Any:
        """Return arcade.gl's texture of a target's first attachment, to show it in the same context.

        Its bottom row comes first, and its colors are premultiplied; the alpha of the screen has no meaning. It is
        valid until the next `draw` or `configure`. Raises UnknownName.
        """
        surface = find_surface(self._with_screen(), target)
        if self._device is not None:
            self._device.leave()
        return surface.pictures[0].texture

    @contextmanager
    def over(self) -> Generator[None]:
        """Let other code draw onto the screen after `draw` and before `present`: its framebuffer is bound, whole.

        The code may change the OpenGL state. The next frame is drawn anew, even where it has not changed.
        """
        device = self._opened()
        framebuffer = self._with_screen()["screen"].framebuffer()
        device.forget()
        device.bind(framebuffer, (0, 0, *framebuffer.size))
        try:
            yield
        finally:
            device.forget()
            self._standing.forget()
            device.leave()

    def _with_screen(self) -> dict[str, Surface]:
        """Make the device current and return the surfaces by name, with a screen even before the first frame.

        Empty while the backend is closed.
        """
        if self._device is None:
            return {}
        self._opened()
        if "screen" not in self._surfaces.by_name:
            self._surfaces.of(BLACK_SCREEN, BLACK_SCREEN.pixel_size(self.size))
        return self._surfaces.by_name

    def draw(self, frame: Frame) -> DrawStats:
        """Draw all passes of a frame that changed; a pass that would look the same as when it was last drawn is
        skipped.

        Raises BackendError also if the graphics card stopped working: close the backend and open it again.
        """
        key = (*structure_of(frame), self.size)
        plan = self._plan_of(frame, key)
        if plan is None:
            self._opened()
            plan = self._make_plan(frame, key)
        due = self._standing.due(plan.order, self.drawers)
        device = self._opened()  # also frees OpenGL objects that were dropped since the last call
        stats = self._painter.compute.run(frame)
        stats.add(self._draw_due(device, plan, due))
        trouble = device.trouble()
        if trouble is not None:
            raise BackendError(
                f"the backend 'arcade' stopped: {trouble}", hint="Restart the program, or use --backend software"
            )
        device.leave()
        self._standing.drawn()
        return stats

    def _plan_of(self, frame: Frame, key: Key) -> DrawPlan | None:
        """Return the plan of the last frame; None, and all cached state is dropped, if it does not fit this one."""
        plan = self._plan
        if plan is not None and plan.frame is frame and plan.key == key and plan.tables == self._pages.written:
            return plan
        self._plan = None
        self._standing.forget()
        return None

    def _make_plan(self, frame: Frame, key: Key) -> DrawPlan:
        for target in frame.targets.values():
            self._surfaces.of(target, target.pixel_size(self.size))
        self._plan = plan = make_plan(frame, key, self._surfaces.by_name, self.drawers)
        return plan

    def _draw_due(self, device: Device, plan: DrawPlan, due: set[str]) -> DrawStats:
        stats = DrawStats()
        if due:
            device.begin()
        for step in plan.passes:
            if step.pass_.name in due:
                self._painter.stats = step.took = DrawStats()
                self._draw_pass(plan.frame, step, step.took)
                stats.add(step.took)
            else:
                stats.add(step.took.standing(sum(map(len, step.runs))))
        plan.tables = self._pages.written
        return stats

    def _draw_pass(self, frame: Frame, step: PlannedPass, stats: DrawStats) -> None:
        stats.passes += 1
        pass_, scene = step.pass_, step.scene
        inputs, before = self._surfaces.inputs(pass_) if pass_.inputs else ({}, None)
        for surface in step.clears:
            surface.clear()
        if scene is None:
            step.scene = scene = PassContext(frame, pass_, self._surfaces.canvas(pass_), self._pages, inputs, before)
        scene.aim()
        batches = pass_.batches
        for places in step.runs:
            self._draw_batches(scene, [batches[place] for place in places], stats)

    def _draw_batches(self, scene: PassContext, batches: list[Batch], stats: DrawStats) -> None:
        """Draw batches of one kind and state; batches that can't be drawn are skipped and reported."""
        first = batches[0]
        drawer = self.drawers.get(first.kind)
        why = missing_needs(drawer, self) if drawer is not None or first.kind not in KINDS else None
        if why is None:
            try:
                if drawer is not None:
                    self._hand_over(self._painter.device, drawer, scene, first)
                    stats.draw_calls += 1
                else:
                    batches = self._draw_own(scene, batches, stats)
            except Unable as reason:
                why = str(reason)
        if why is not None:
            stats.skip(first.kind, why)
            return
        stats.instances += sum(batch.count for batch in batches)

    def _draw_own(self, scene: PassContext, batches: list[Batch], stats: DrawStats) -> list[Batch]:
        """Draw the valid batches with the backend's own code and return them; report the others."""
        kind, sound = batches[0].kind, list[Batch]()
        for batch in batches:
            wrong = self._problem(batch)
            if wrong is None:
                sound.append(batch)
            else:
                stats.skip(kind, wrong)
        self._painter.compute.settle(sound)
        _, _, width, height = scene.clip(batches[0])
        if sound and width and height:
            self._draws[kind](self._painter, scene, sound)
        return sound

    def _problem(self, batch: Batch) -> str | None:
        """Return the mistake in a batch, or None. Unchanged arrays are not checked again."""
        looked_at = _LOOKED_AT(batch)
        if self._valid.get(batch, looked_at):
            return None
        wrong = batch.problem(thorough=True)
        if wrong is None:
            self._valid.put(batch, True, looked_at)
        return wrong

    def _hand_over(self, device: Device, drawer: Drawer, scene: PassContext, batch: Batch) -> None:
        """Run a drawer with all attachments bound, and restore the OpenGL state after it."""
        canvas = scene.canvas
        inputs = {name: picture.texture for name, picture in scene.inputs.items()}
        colors = [picture.texture for picture in canvas.pictures]
        buffers = self._painter.compute.buffers(batch)
        target = DrawTarget(canvas.size, colors, canvas.depth, inputs, scene.frame, canvas.everything, buffers)
        device.lend(canvas.everything, scene.clip(batch))
        try:
            drawer.draw(self.device, target, batch, scene.pass_)
        finally:
            device.take_back(canvas.everything)
