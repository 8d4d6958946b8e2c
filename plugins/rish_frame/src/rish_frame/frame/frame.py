"""The frame: all data that is needed to draw one image of the game.

A *page* is an image (an atlas) that sprites are cut from. The *frame table* gives the page and the rectangle of each
frame number. Systems fill the frame in EXTRACT, the backend draws it in DRAW, and no data flows back.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from rish_ecs import UnknownName, UsageError, resource

from ..paint.typesetting import Typesetter
from .batches import Batch
from .camera_math import pixels
from .compute import Compute, DeviceArray, Dispatch
from .fit import Fit
from .graph import base_name, sort_passes
from .passes import DEPTH, Color4, Pass, PixelRect, Target
from .retained import Recorder
from .shaders import Shader

if TYPE_CHECKING:
    from rish_ecs import World

    from ..paint.cells import CellTypesetter
    from ..paint.labels import Label
    from .picking import AreaSource, RegionSource, SurfaceSource

ADDITIVE = 1
"""A flag of the frame table: alpha is set to 0 after premultiplication, so that alpha blending adds the color."""
FRAME_COLUMNS = ("page", "u0", "v0", "u1", "v1", "flags")
_versions = itertools.count(1)
_RELATIONS = attrgetter("name", "targets", "inputs", "before", "after", "rank")


@dataclass(eq=False)
class Page:
    """An image that frames are cut from.

    id: its number in the frame table. pixels: uint8 (h, w, 4), premultiplied, top row first. version: rises
    whenever the pixels change. dirty: the rectangle x y w h (texels, from the top left) of the last change, or None
    if any pixel may have changed.
    """

    id: int
    pixels: npt.NDArray[np.uint8]
    version: int = 0
    dirty: PixelRect | None = None


class PictureSource(Protocol):
    """The owner of the frame table: it gives plugins that draw the frame of an image."""

    def frame_of(
        self, world: Any, path: str, region: tuple[int, int, int, int] = (0, 0, 0, 0), /
    ) -> tuple[int, int, int]:
        """Return the row of the frame table that shows an image asset, and its width and height in texels.

        region: a part x y w h of the image, texels from its top left; w 0 is the complete image. An empty path gives
        one white texel.
        """
        ...


class Step(NamedTuple):
    """The drawing of one pass: the targets to clear first, and the batches in order."""

    pass_: Pass
    clears: tuple[str, ...]
    batches: list[Batch]


@resource(derived=True)
class Frame:
    """Everything to draw: targets, passes with their batches, pages, and the frame table.

    size: size of the screen in pixels. design: the size that the game is made for, logical pixels. fit: the placement
    of the game's view on the screen; None if a logical pixel is a pixel of the screen. canvas: the target that the
    game is drawn onto; effects read it and draw onto it as well. frames: float32 (n, 6), one row for each frame:
    page, then the rectangle u0 v0 u1 v1 in texels from its top left (u0 > u1 or v0 > v1 mirrors), then flags
    (ADDITIVE). A frame whose row or page is missing is not drawn. frames_version: a number that is unique to this
    table among all frames; `set_frames` changes it. channels: tables of the same form and the same rows for other
    attachments, such as `normal` or `emission`, see `Target`; a tint does not change their colors, its opacity only
    fades them. shaders: the shaders that materials name. computes: the declared work on arrays, by name. dispatches:
    the orders of this frame to do such work, see `compute`. time: seconds of the game, for shaders. pictures: the
    owner of the frame table, None if no plugin draws images. region_at, area_of: what cameras show, None if no plugin
    has cameras. surface_at: which pictures of cameras surfaces in space show, None if no plugin has such
    surfaces. cell: width and height of a character cell, pixels of the screen, if the backend shows `labels` as
    characters, otherwise None. labels: the texts of paintings as characters. language: of the texts, such as
    `zh-Hant`, for the forms of their letters; the plugin with the translations sets it, empty if there is none.
    plain: whether a tool wants the World without light, fog and effects; plugins that draw these leave them out.
    culled: the number of things that extraction left out of this frame because they are outside every camera, for the
    statistics. ground: the name of a target that lies below the layers or between them, empty for none; see
    `take_ground`. cameras: width and height in pixels of the pictures that plugins draw for the image `camera:NAME`,
    by name, onto the target `camera.NAME`; the renderer's own cameras are not among them.
    """

    def __init__(self, size: tuple[int, int] = (960, 540)) -> None:
        self.size = size
        self.design = size
        self.fit: Fit | None = None
        self.canvas = "screen"
        self.targets: dict[str, Target] = {"screen": Target("screen", clear=((0.0, 0.0, 0.0, 1.0),))}
        self.passes: dict[str, Pass] = {"main": Pass("main", projection=pixels(size), rank="lit")}
        self.pages: list[Page] = []
        self.frames: npt.NDArray[np.float32] = np.zeros((0, len(FRAME_COLUMNS)), np.float32)
        self.frames_version = 0
        self.channels: dict[str, npt.NDArray[np.float32]] = {}
        self.shaders: dict[str, Shader] = {}
        self.computes: dict[str, Compute] = {}
        self.dispatches: list[Dispatch] = []
        self.time = 0.0
        self.pictures: PictureSource | None = None
        self.region_at: RegionSource | None = None
        self.area_of: AreaSource | None = None
        self.surface_at: SurfaceSource | None = None
        self.cell: tuple[float, float] | None = None
        self.labels: Sequence[Label] = ()
        self.language = ""
        self.plain = False
        self.culled = 0
        self.ground = ""
        self.cameras: dict[str, tuple[int, int]] = {}
        self._typesetter: Typesetter | None = None
        self._cells: CellTypesetter | None = None
        self._declared: tuple[Pass | Target, ...] = ()
        self._order_key: tuple[Any, ...] = ()
        self._order: list[str] = []
        self._recorders: dict[str, Recorder] = {}

    @property
    def typesetter(self) -> Typesetter | None:
        """The code that sets texts for paintings; None if no plugin draws texts.

        The plugin that draws texts sets it. While the backend shows characters in cells, it is one for these cells, and
        texts of paintings must not be drawn otherwise.
        """
        if self.cell is None:
            return self._typesetter
        if self._cells is None:
            from ..paint.cells import CellTypesetter

            self._cells = CellTypesetter(self.cell)
        wide, high = self.cell
        if self.fit is not None:
            (across, up), (_, _, width, height) = self.fit.logical, self.fit.place
            wide, high = wide * across / width, high * up / height
        self._cells.resize((wide, high))
        return self._cells

    @typesetter.setter
    def typesetter(self, typesetter: Typesetter | None) -> None:
        self._typesetter = typesetter

    @property
    def logical(self) -> tuple[int, int]:
        """Width and height of the game's view in logical pixels."""
        return self.size if self.fit is None else self.fit.logical

    @property
    def canvas_size(self) -> tuple[int, int]:
        """Width and height of the canvas in its own pixels."""
        return self.target(self.canvas).pixel_size(self.size)

    def to_logical(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point of the screen (pixels, y up) to the game's logical pixels."""
        return (x, y) if self.fit is None else self.fit.to_logical(x, y)

    def rebuild(self, world: object) -> None:
        """Remove the batches after a restore; the next EXTRACT makes them again."""
        self._empty()

    def reset(self) -> None:
        """Begin a frame: remove what was recorded, all batches, the dispatches, the labels and the ground.

        All else stays.
        """
        for recorder in self._recorders.values():
            recorder.take_off()
        self._empty()

    def _empty(self) -> None:
        self.culled, self.ground = 0, ""
        self.labels = ()
        self.dispatches.clear()
        for p in self.passes.values():
            p.batches.clear()

    def add(self, batch: Batch, to: str = "main") -> Batch:
        """Add a batch to a pass and return it. Raises UnknownName if there is no such pass."""
        target_pass = self.passes.get(to)
        if target_pass is None:
            raise UnknownName(f"no pass is called '{to}'", given=to, choices=self.passes)
        target_pass.batches.append(batch)
        return batch

    def record(self, name: str) -> Recorder:
        """Return a recorder for targets, passes and batches that stay the same objects while they are equal.

        name: the plugin's, and what it draws. Call it once in each frame: what is recorded is removed when the next
        frame begins. See `rish_frame.frame.retained` for what counts as equal.
        """
        return self._recorder(name).begin()

    def retain(self, name: str, world: World, depends: Sequence[Any], build: Callable[[Recorder], object]) -> None:
        """Record what is computed from sources; as long as none of them changes, repeat the last recording instead.

        name: as for `record`. depends: what `build` reads, see `rish_ecs.Inputs`; the class `Frame` stands for the
        sizes, targets and passes that are on the frame when this is called. build: called with a recorder if a source
        changed.
        """
        self._recorder(name).retain(world, depends, build)

    def _recorder(self, name: str) -> Recorder:
        recorder = self._recorders.get(name)
        if recorder is None:
            recorder = self._recorders[name] = Recorder(self)
        return recorder

    def compute(
        self,
        name: str,
        threads: int | tuple[int, ...],
        arrays: Mapping[str, DeviceArray],
        uniforms: Mapping[str, Any] | None = None,
    ) -> Dispatch:
        """Do the work of a declared `Compute` before this frame is drawn, after the work that was ordered before it.

        threads: how many, or up to three lengths. Raises UnknownName, and UsageError for arrays or uniforms that do
        not fit the declaration.
        """
        declaration = self.computes.get(name)
        if declaration is None:
            message, hint = f"no compute is called '{name}'", "Declare it with the hook rish_compute"
            raise UnknownName(message, given=name, choices=self.computes, hint=hint)
        order = declaration.dispatch(threads, arrays, uniforms or {})
        self.dispatches.append(order)
        return order

    def run_fallbacks(self) -> None:
        """Do the ordered work that is not done yet with the fallbacks: for a backend without `compute`."""
        for order in self.dispatches:
            order.run_fallback()

    def add_pass(self, new: Pass, *, replace: bool = False) -> Pass:
        """Add a pass and return it; a name that is taken raises UsageError unless replace is true."""
        if new.name in self.passes and not replace:
            raise UsageError(f"there is a pass '{new.name}' already; give it another name or replace it")
        self.passes[new.name] = new
        return new

    def remove_pass(self, name: str) -> None:
        """Remove a pass, if it exists."""
        self.passes.pop(name, None)

    def add_target(self, new: Target, *, replace: bool = False) -> Target:
        """Add a target and return it; a name that is taken raises UsageError unless replace is true."""
        if new.name in self.targets and not replace:
            raise UsageError(f"there is a target '{new.name}' already; give it another name or replace it")
        self.targets[new.name] = new
        return new

    def remove_target(self, name: str) -> None:
        """Remove a target, if it exists. Raises UsageError for the screen."""
        if name == "screen":
            raise UsageError("the screen can't be removed")
        self.targets.pop(name, None)

    def declare(self, items: Sequence[Pass | Target]) -> None:
        """Replace the passes and targets of the last call by those that plugins declare now.

        Passes are copied, so that two frames share no data.
        """
        for item in self._declared:
            (self.targets if isinstance(item, Target) else self.passes).pop(item.name, None)
        self._declared = tuple(items)
        for item in items:
            if isinstance(item, Target):
                self.add_target(item)
            else:
                view, projection = item.view.copy(), item.projection.copy()
                self.add_pass(dataclasses.replace(item, view=view, projection=projection, batches=[]))

    def take_ground(self) -> str:
        """Return the ground and set it to "", because the caller draws it; "" for none.

        A plugin that draws a scene in high range sets `ground` in each frame before the system `lighting.light`: to a
        target in `rgba16f` of the size of the canvas, with linear light, premultiplied. It lies over the passes onto
        the canvas that are `behind` (the background, and layers with this option), and below all others. A plugin that
        joins layers in linear light takes it, and effects such as bloom and tone mapping then see the high range. If
        the ground is still set after `lighting.post`, no plugin took it, and the one that set it shows it in a pass of
        its own. Raises UnknownName, and UsageError for a target of another format or size.
        """
        name, self.ground = self.ground, ""
        if name:
            target = self.target(name, "the ground of the frame")
            if target.formats[0] != "rgba16f" or target.pixel_size(self.size) != self.canvas_size:
                width, height = self.canvas_size
                message = f"the target '{name}' can't be the ground: it must be rgba16f, {width}x{height} pixels"
                raise UsageError(message, hint="Give it the size `Frame.canvas_size`")
        return name

    def set_clear(self, *colors: Color4, target: str = "screen") -> None:
        """Change the clear colors of a target; each is red, green, blue, alpha from 0 to 1."""
        self.targets[target] = dataclasses.replace(self.target(target), clear=colors)

    def set_frames(self, table: npt.ArrayLike) -> None:
        """Replace the frame table, (n, 6), see FRAME_COLUMNS. Must also be called when `channels` changed."""
        self.frames = np.ascontiguousarray(np.asarray(table, np.float32).reshape(-1, len(FRAME_COLUMNS)))
        self.frames_version = next(_versions)

    def target(self, name: str, where: str | None = None) -> Target:
        """Return the target by its name, `gbuffer` or `gbuffer:1`. Raises UnknownName if it does not exist."""
        base = base_name(name)
        if base not in self.targets:
            raise UnknownName(f"no target is called '{base}'", where=where, given=base, choices=self.targets)
        return self.targets[base]

    def ordered(self) -> list[Pass]:
        """Return the passes in drawing order; they are sorted again only when their relations changed.

        Raises UnknownName for a target that does not exist, and ScheduleError for a cycle.
        """
        key = (tuple(map(_RELATIONS, self.passes.values())), tuple(self.targets.items()), self.size)
        if key != self._order_key:
            for p in self.passes.values():
                self._check_pass(p)
            self._order = [p.name for p in sort_passes(list(self.passes.values()))]
            self._order_key = key
        return [self.passes[name] for name in self._order]

    def _check_pass(self, p: Pass) -> None:
        where = f"pass '{p.name}'"
        if not p.targets:
            raise UsageError("a pass needs a target to draw onto", where=where)
        if any(":" in name for name in p.targets):
            message = "a pass draws onto complete targets, so names of targets must not contain ':'"
            raise UsageError(message, where=where)
        sizes = {self.target(name, where).pixel_size(self.size) for name in p.targets}
        if len(sizes) > 1:
            raise UsageError(f"its targets {', '.join(p.targets)} must be of one size", where=where)
        for name in p.inputs:
            base, _, attachment = name.partition(":")
            target = self.target(base, where)
            formats = len(target.formats)
            if attachment == DEPTH:
                if not target.depth:
                    message = f"input '{name}': the target has no depth; declare it with depth=True"
                    raise UsageError(message, where=where)
            elif attachment and not (attachment.isdecimal() and int(attachment) < formats):
                raise UsageError(f"input '{name}': the target has the attachments 0 to {formats - 1}", where=where)

    def steps(self) -> list[Step]:
        """Return the steps of drawing in order: for each pass the targets to clear and the batches to draw."""
        touched: set[str] = set()
        steps: list[Step] = []
        for p in self.ordered():
            cleared = tuple(name for name in p.targets if name not in touched) if p.clear else ()
            touched.update(p.targets)
            steps.append(Step(p, cleared, p.ordered()))
        return steps

    def check(self, *, thorough: bool = True) -> None:
        """Check passes and batches; raise an error that names the pass, the batch and the mistake."""
        for p in self.ordered():
            for batch in p.batches:
                batch.check(f"pass '{p.name}'", thorough=thorough)
                if isinstance(batch.texture, str) and batch.texture not in p.inputs:
                    message = f"a batch of '{batch.kind}' uses the texture '{batch.texture}'"
                    message += ", which is not an input of the pass"
                    raise UnknownName(message, where=f"pass '{p.name}'", given=batch.texture, choices=p.inputs)
