"""The passes of light: each lit run is drawn onto a sheet, its light is drawn, and both are combined in the frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np

from rish_frame import Batch, Frame, Pass, Recorder, Target
from rish_jit import Array

from .. import formulas as f
from ..lamps.lamps import Haze, Lamps
from ..shadows.cache import Maps
from ..shadows.diamond import WEDGES
from .kinds import COOKIE, GROUND, LAY, LIGHTS
from .layer_splits import part
from .sheets import Run, Stage, is_view, sheet_of
from .views import LightView, view_of

PICTURE = "light.picture"
_CHANNELS = ("normal", "emission")
_NOTHING = (0.0, 0.0, 0.0, 0.0)


@dataclass
class Scenery:
    """All light of a frame, and the settings for drawing it. resolution: the size of the light target as a fraction of
    the target's size.

    cuts: layers at which lit runs are split, see `layer_splits`.
    """

    lamps: Lamps
    hazes: list[Haze]
    maps: Maps
    cookies: Array
    resolution: float
    emission: float
    cuts: list[int]


@dataclass
class Composer:
    """Adds the passes of light to a frame.

    ground: the target between runs that are behind and others on the canvas, "" for none. moved: the former targets of
    other plugins' passes that are drawn onto sheets.
    """

    frame: Frame
    recorder: Recorder
    ground: str = ""
    moved: dict[str, tuple[str, ...]] = dataclass_field(default_factory=dict[str, tuple[str, ...]])
    _added: list[str] = dataclass_field(default_factory=list[str])
    _sheets: int = 0
    _lights: dict[Any, str] = dataclass_field(default_factory=dict[Any, str])

    def compose(self, stage: Stage, scenery: Scenery, *, linear: bool) -> None:
        """Add the passes that light a stage.

        linear: draw everything onto the target `light.picture` in linear light instead of onto the stage's target.
        """
        channels = tuple(name for name in _CHANNELS if name in self.frame.channels)
        clear = self.frame.target(stage.target).clear_color()
        clear = (*clear[:3], 1.0) if stage.target == "screen" else clear
        if linear:
            self.recorder.add_target(Target(PICTURE, stage.size, ("rgba16f",), clear=(_linear(clear),)))
        ground = self.ground if linear else ""
        behind, start = sum(run.behind for run in stage.runs), len(self._added)
        for number, run in enumerate(stage.runs):
            if ground and number == behind:
                self._lay_ground(stage, behind, tuple(self._added[start:]))
            empty = bool(ground) and not any(pass_.batches for pass_ in run.passes)
            if empty or not (run.lit or linear):
                continue
            later = [pass_.name for other in stage.runs[number + 1 :] for pass_ in other.passes]
            for piece in part(run, scenery.cuts) if run.lit and scenery.cuts else [run]:
                first = len(self._added) == start and (linear or number == 0)
                self._lay(
                    stage, piece, scenery, clear if first else _NOTHING, channels if run.lit else (),
                    (*later, *stage.above), linear, reads=linear and not first,
                )  # fmt: skip
        if ground and behind == len(stage.runs):
            self._lay_ground(stage, behind, tuple(self._added[start:]))

    def _lay_ground(self, stage: Stage, behind: int, below: tuple[str, ...]) -> None:
        """Draw the ground over the runs that are behind it. below: the names of the passes that were added for these
        runs.
        """
        upper = tuple(pass_.name for run in stage.runs[behind:] for pass_ in run.passes)
        batch = Batch(GROUND, {}, count=1, source="lighting")
        pass_ = self._pass("light.ground", PICTURE, (self.ground,), "combine", batch)
        lower = tuple(pass_.name for run in stage.runs[:behind] for pass_ in run.passes)
        pass_.after, pass_.before = (*lower, *below), (*upper, *stage.above)

    def _lay(
        self, stage: Stage, run: Run, scenery: Scenery, clear: Any, channels: tuple[str, ...], before: tuple[str, ...],
        linear: bool, *, reads: bool,
    ) -> None:  # fmt: skip
        self._sheets += 1
        name = f"light.sheet.{self._sheets}"
        self.recorder.add_target(sheet_of(name, stage.size, clear, channels))
        self._move(run, name)
        after = tuple(pass_.name for pass_ in run.passes)
        attachments = {channel: f"{name}:{k}" for k, channel in enumerate(channels, 1)}
        inputs = [name]
        if run.lit:
            light, light_passes = self._light(stage, run, scenery, attachments.get("normal"), after)
            inputs.append(light)
            after = (*after, *light_passes)
        glows = run.lit and "emission" in attachments
        if glows:
            inputs.append(attachments["emission"])
        if reads:
            inputs.append(PICTURE)
        flags = np.array([run.lit, glows, reads, not linear], np.int32)
        glow = np.full(1, scenery.emission, np.float32)
        batch = Batch(LAY, {"flags": flags, "glow": glow}, count=1, source="lighting")
        target = PICTURE if linear else stage.target
        pass_ = self._pass(f"light.lay.{self._sheets}", target, tuple(inputs), "combine", batch)
        pass_.after, pass_.before, pass_.scissor = after, before, stage.scissor

    def _move(self, run: Run, sheet_name: str) -> None:
        """Change the targets of a run's passes to its sheet; add passes that are parts of a split run to the frame."""
        for pass_, original in zip(run.passes, run.originals or run.passes, strict=True):
            if pass_.name == original.name:
                self.moved[pass_.name] = original.targets
                self.recorder.change(original, targets=(sheet_name,), layer_mask=pass_.layer_mask)
            else:
                self.recorder.add_pass(pass_, showing=original).targets = (sheet_name,)
                self._added.append(pass_.name)

    def _light(
        self, stage: Stage, run: Run, scenery: Scenery, normal: str | None, after: tuple[str, ...]
    ) -> tuple[str, tuple[str, ...]]:
        """Return the target with the light of a run, and the new passes that draw it.

        Runs with the same lights and cameras share one target.
        """
        share = scenery.resolution
        size = (max(1, math.ceil(stage.size[0] * share)), max(1, math.ceil(stage.size[1] * share)))
        reached = np.array([bits & run.bits != 0 for bits in scenery.lamps.bits], np.bool_)
        hazes = [haze for haze in scenery.hazes if haze.bits & run.bits]
        views = [view for view in (view_of(pass_, size) for pass_ in run.passes if is_view(pass_)) if view is not None]
        key = (stage.target, reached.tobytes(), tuple(id(haze) for haze in hazes), normal, tuple(map(_aim, views)))
        if key in self._lights:
            return self._lights[key], ()
        name = f"light.light.{len(self._lights) + 1}"
        self._lights[key] = name
        red, green, blue = sum((haze.color for haze in hazes if haze.below is None), np.zeros(3)).tolist()
        self.recorder.add_target(Target(name, size, ("rgba16f",), clear=((red, green, blue, 1.0),)))
        light_passes: list[str] = []
        for number, view in enumerate(views):
            pass_name = f"light.lights.{len(self._lights)}.{number}"
            batch = _batch(scenery, view, reached, [haze for haze in hazes if haze.below is not None])
            pass_ = self._pass(pass_name, name, (normal,) if normal else (), "lights", batch)
            pass_.view, pass_.projection, pass_.viewport = view.pass_.view, view.pass_.projection, view.pass_.viewport
            pass_.after = (*after, *light_passes)
            light_passes.append(pass_name)
        if not views:
            self._pass(f"light.lights.{len(self._lights)}", name, (), "lights").after = after
            light_passes.append(f"light.lights.{len(self._lights)}")
        return name, tuple(light_passes)

    def _pass(self, name: str, target: str, inputs: tuple[str, ...], rank: str, batch: Batch | None = None) -> Pass:
        self._added.append(name)
        pass_ = self.recorder.add_pass(Pass(name, (target,), inputs, rank=rank))
        if batch is not None:
            self.recorder.add(batch, name)
        return pass_


def _aim(view: LightView) -> tuple[bytes, bytes, Any]:
    return view.pass_.view.tobytes(), view.pass_.projection.tobytes(), view.pass_.viewport


def _linear(color: Any) -> tuple[float, float, float, float]:
    """Convert a premultiplied encoded color to linear light."""
    alpha = color[3]
    red, green, blue = (f.decode(np.array(color[:3]) / alpha) * alpha).tolist() if alpha > 0 else (0.0, 0.0, 0.0)
    return red, green, blue, alpha


# The lights of a view


def _batch(scenery: Scenery, view: LightView, reached: Array, hazes: list[Haze]) -> Batch:
    """Return one batch with the lamps that reach the view, and the gradients of ambient light.

    reached: bool n, the lamps that light the run's layers.
    """
    table = scenery.lamps.table
    x0, y0, x1, y1 = view.box
    far = table[:, f.RADIUS] + np.where(table[:, f.KIND] == f.AREA, table[:, f.OUTER], 0)
    x, y = table[:, f.X], table[:, f.Y]
    visible = (x + far >= x0) & (x - far <= x1) & (y + far >= y0) & (y - far <= y1)
    indices = np.flatnonzero(reached & (visible | (table[:, f.KIND] == f.SUN)))
    count = len(indices) + len(hazes)
    rows = np.zeros((count, f.COLUMNS), np.float32)
    reach = np.zeros((count, WEDGES), np.float32)
    relative = table[indices]
    relative[:, [f.X, f.Y]] -= view.center
    rows[: len(indices)], reach[: len(indices)] = relative, scenery.maps.reach[indices]
    for k, haze in enumerate(hazes, len(indices)):
        rows[k], reach[k] = _gradient(haze, view), 2 * float(np.abs(view.corners - view.center).sum(axis=1).max())
    maps = scenery.maps
    arrays = {
        "lights": rows,
        "reach": reach,
        "maps": maps.texels,
        "cookies": scenery.cookies,
    }
    return Batch(LIGHTS, arrays, origin=view.center, blend="add", count=count, source="lighting")


def _gradient(haze: Haze, view: LightView) -> Array:
    """Return a row of the light table for ambient light with a gradient."""
    row = np.zeros(f.COLUMNS, np.float32)
    row[f.KIND] = f.GRADIENT
    row[f.RED : f.BLUE + 1] = haze.color
    assert haze.below is not None
    row[f.HALF : f.FALLOFF + 1] = haze.below
    if haze.ends is not None:
        row[f.OUTER - 1], row[f.INNER] = haze.ends[0] - view.center[1], haze.ends[1] - view.center[1]
        return row
    corners = view.corners - view.center
    row[f.AXIS_X : f.AXIS_Y + 1] = corners[:2].mean(axis=0)
    row[f.OUTER : f.INNER + 1] = corners[2:].mean(axis=0)
    return row


NO_COOKIES = np.zeros((0, COOKIE, COOKIE, 4), np.uint8)
"""The images of textured lights if there are none."""
