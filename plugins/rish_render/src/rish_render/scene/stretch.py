"""Stretch: how the game is scaled to a window whose size differs from the game's.

The game uses logical pixels; their number is set in its manifest. `canvas` draws everything at the window's resolution
and scales only positions. `viewport` draws at the game's own size onto a target and scales that image; `integer` does
the same with integer factors. `none` gives the game as many logical pixels as the window has. If the aspect ratios
differ, `keep` leaves bars, `expand` adds logical pixels on two sides, and `ignore` distorts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import Batch, Frame, Pass, Target
from rish_frame.frame import Fit, identity
from rish_jit import Array

from ..components.visible import Aspect, RenderSettings, Sampling, Stretch
from .tool_view import tool_view
from .view import DrawArea

if TYPE_CHECKING:
    from rish_ecs import World

    from ..materials.material_images import Pictures

Size = tuple[int, int]
PICTURE = "picture"
"""The name of the target of the game's own size, and of the pass that scales it to the screen."""
_LARGEST = 8192
"""The greatest number of logical pixels along a side, a limit for extremely narrow windows."""
_WHOLE = np.array([[2, 0, 0, 2, 0, 0]], np.float32)


def fit_of(screen: Size, design: Size, stretch: Stretch, aspect: Aspect) -> Fit | None:
    """Return how a game of size `design` is scaled to a screen; None if a logical pixel is a screen pixel."""
    if stretch is Stretch.NONE or screen == design:
        return None
    factors = _factors(screen, design, stretch, aspect)
    if aspect is Aspect.EXPAND:
        sides = (_side(s, f, stretch) for s, f in zip(screen, factors, strict=True))
        logical = tuple(
            min(max(side, 1), max(_LARGEST, designed)) for side, designed in zip(sides, design, strict=True)
        )
    else:
        logical = design
    if stretch is not Stretch.INTEGER and aspect is not Aspect.KEEP:
        return Fit((logical[0], logical[1]), (0, 0, *screen))
    width, height = (max(1, round(side * factor)) for side, factor in zip(logical, factors, strict=True))
    return Fit((logical[0], logical[1]), ((screen[0] - width) // 2, (screen[1] - height) // 2, width, height))


def _factors(screen: Size, design: Size, stretch: Stretch, aspect: Aspect) -> tuple[float, float]:
    """Return the number of screen pixels per logical pixel along x and y."""
    x, y = screen[0] / design[0], screen[1] / design[1]
    if aspect is not Aspect.IGNORE:
        x = y = min(x, y)
    if stretch is Stretch.INTEGER:
        x, y = (float(int(factor)) if factor >= 1 else factor for factor in (x, y))
    return x, y


def _side(screen: int, factor: float, stretch: Stretch) -> int:
    """Return the logical pixels along a side of the screen; with integer factors, only those that are fully visible."""
    return int(screen / factor + 1e-9) if stretch is Stretch.INTEGER else round(screen / factor)


def _fit(world: World) -> Fit | None:
    """Return how the game is scaled to the screen now; the view of a tool is not scaled."""
    frame, settings = world[Frame], world[RenderSettings]
    if tool_view(world) is not None:
        return None
    return fit_of(frame.size, frame.design, settings.stretch, settings.aspect)


def surface_of(world: World) -> DrawArea:
    """Return the area that the cameras of the screen draw onto now."""
    frame, settings = world[Frame], world[RenderSettings]
    fit = _fit(world)
    if fit is None:
        return DrawArea.plain("screen", frame.size)
    if settings.stretch is Stretch.CANVAS:
        return DrawArea("screen", frame.size, fit.logical, fit.place)
    return DrawArea.plain(PICTURE, fit.logical)


def stretch_frame(world: World) -> None:
    """Set the frame's fit and canvas: how the game's image is scaled to the screen."""
    frame, settings = world[Frame], world[RenderSettings]
    frame.fit = _fit(world)
    scaled = frame.fit is not None and settings.stretch in (Stretch.VIEWPORT, Stretch.INTEGER)
    frame.canvas = PICTURE if scaled else "screen"
    if not scaled:
        frame.remove_pass(PICTURE)
        if PICTURE in frame.targets:
            frame.remove_target(PICTURE)
        return
    assert frame.fit is not None
    target = frame.targets.get(PICTURE)
    if target is None or target.size != frame.fit.logical:
        frame.add_target(Target(PICTURE, frame.fit.logical, clear=((0.0, 0.0, 0.0, 1.0),)), replace=True)
    if PICTURE not in frame.passes:
        frame.add_pass(Pass(PICTURE, inputs=(PICTURE,), view=identity(), projection=identity(), rank="screen"))


def show_picture(world: World, pictures: Pictures) -> None:
    """Add the batch that scales the game's image onto the screen, if it is drawn onto a target of its own."""
    frame, settings = world[Frame], world[RenderSettings]
    if frame.canvas != PICTURE or frame.fit is None:
        return
    x, y, width, height = frame.fit.place
    screen = frame.size
    pass_ = frame.passes[PICTURE]
    pass_.viewport = x / screen[0], y / screen[1], width / screen[0], height / screen[1]
    smaller = width < frame.fit.logical[0]
    smooth = smaller or (settings.stretch_sampling is Sampling.LINEAR and settings.stretch is not Stretch.INTEGER)
    whole, sampling = pictures.whole(frame.fit.logical), "linear" if smooth else "nearest"
    scaled = target_picture(PICTURE, _WHOLE, whole, source="render.stretch", blend="replace", filter=sampling)
    pass_.batches.append(scaled)


def target_picture(target: str, matrix: Array, frame: int, opacity: float = 1.0, **options: Any) -> Batch:
    """Return the batch that draws the image of a target. matrix: float32 (1, 6), from the unit square around 0."""
    arrays = {
        "matrix": matrix,
        "frame": np.array([frame], np.uint16),
        "rgba": np.array([[255, 255, 255, int(255 * opacity + 0.5)]], np.uint8),
    }
    return Batch("sprites_wide", arrays, texture=target, **options)
