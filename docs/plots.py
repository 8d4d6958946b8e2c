"""Plots for the documentation, drawn by Rish itself: a plot is a scene of lines and texts.

    plot = Plot("How errors shrink", "step, s", "error", log_x=True, log_y=True)
    plot.line("Euler", steps, errors)
    plot.save(path)

The colors are those of Okabe and Ito, which people with any kind of color vision can tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from rish_core import App, Transform, World, parse_manifest
from rish_render import Line, Shape, Text

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_INK, _FAINT, _PAPER = "#222222", "#dddddd", "#ffffff"
_MARGIN = (74.0, 20.0, 54.0, 44.0)
"""The margins of the plot area on the left, right, bottom and top, in pixels."""


@dataclass
class _Series:
    name: str
    x: np.ndarray
    y: np.ndarray
    color: str
    dashed: bool
    dots: bool


@dataclass
class Plot:
    """One field with axes, lines in it, and a legend in a corner (`top left` to `bottom right`).

    The axes end with the data, or at `x_range`, `y_range`.
    """

    title: str
    x_name: str
    y_name: str
    log_x: bool = False
    log_y: bool = False
    size: tuple[int, int] = (720, 420)
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    legend: str = "top right"
    series: list[_Series] = field(default_factory=list[_Series])

    def line(self, name: str, x: Any, y: Any, *, dashed: bool = False, dots: bool = False) -> None:
        """Add a line through points; on a logarithmic axis, points that are not positive are left out."""
        xs, ys = np.asarray(x, float), np.asarray(y, float)
        keep = np.isfinite(xs) & np.isfinite(ys)
        keep &= (xs > 0) | (not self.log_x)
        keep &= (ys > 0) | (not self.log_y)
        color = COLORS[len(self.series) % len(COLORS)]
        self.series.append(_Series(name, xs[keep], ys[keep], color, dashed, dots))

    def save(self, path: Path) -> None:
        """Draw the plot and write it as a PNG."""
        manifest = parse_manifest(
            f"rish: 1\ngame: {{title: plot, size: [{self.size[0]}, {self.size[1]}]}}\nplugins: [render]\n"
            f'settings: {{render: {{background: "{_PAPER}"}}}}\nlayers: [field, ink]\nscenes: {{main: []}}\n'
        )
        with App(manifest, headless=True, backend="software") as app:
            self._fill(app.world)
            app.frame(seconds=0.0)
            Image.fromarray(app.pixels()[..., :3]).save(path, optimize=True)

    def _fill(self, world: World) -> None:
        left, right, bottom, top = _MARGIN
        width, height = self.size[0] - left - right, self.size[1] - bottom - top
        across, up = self._axis("x"), self._axis("y")
        for value, label in across.ticks():
            x = left + across.place(value) * width
            _line(world, [(x, bottom), (x, bottom + height)], _FAINT, 1)
            _text(world, label, (x, bottom - 8), (0.5, 1), 12)
        for value, label in up.ticks():
            y = bottom + up.place(value) * height
            _line(world, [(left, y), (left + width, y)], _FAINT, 1)
            _text(world, label, (left - 8, y), (1, 0.5), 12)
        _line(world, [(left, bottom + height), (left, bottom), (left + width, bottom)], _INK, 1.5)
        _text(world, self.title, (self.size[0] / 2, self.size[1] - 12), (0.5, 1), 17)
        _text(world, self.x_name, (left + width / 2, 8), (0.5, 0), 13)
        _text(world, self.y_name, (16, bottom + height / 2), (0.5, 0.5), 13, turn=np.pi / 2)
        for number, series in enumerate(self.series):
            x, y = left + across.place(series.x) * width, bottom + up.place(series.y) * height
            y = np.clip(y, bottom - 2, bottom + height + 2)
            _line(world, list(zip(x.tolist(), y.tolist(), strict=True)), series.color, 2.5, series.dashed)
            if series.dots:
                for place in zip(x.tolist(), y.tolist(), strict=True):
                    world.spawn(
                        Transform(position=place),
                        Shape(shape="circle", radius=4, color=_rgba(series.color), layer="ink"),
                    )
            self._entry(world, number, series)

    def _entry(self, world: World, number: int, series: _Series) -> None:
        x = self.size[0] - _MARGIN[1] - 190 if self.legend.endswith("right") else _MARGIN[0] + 16
        y = self.size[1] - _MARGIN[3] - 16 - 20 * number
        if self.legend.startswith("bottom"):
            y = _MARGIN[2] + 16 + 20 * (len(self.series) - 1 - number)
        _line(world, [(x, y), (x + 26, y)], series.color, 3, series.dashed)
        _text(world, series.name, (x + 34, y), (0, 0.5), 13)

    def _axis(self, which: str) -> _Axis:
        values = np.concatenate([getattr(series, which) for series in self.series])
        log = self.log_x if which == "x" else self.log_y
        low, high = (self.x_range if which == "x" else self.y_range) or (float(values.min()), float(values.max()))
        if not high > low:
            low, high = low - 1, high + 1
        return _Axis(low, high, log)


@dataclass
class _Axis:
    """A linear or logarithmic mapping from values to 0..1 along an axis."""

    low: float
    high: float
    log: bool

    def place(self, value: Any) -> Any:
        """Return the place of a value, 0 at the low end, 1 at the high end."""
        if self.log:
            return (np.log10(value) - np.log10(self.low)) / (np.log10(self.high) - np.log10(self.low))
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Return round values along the axis, and their labels."""
        if self.log:
            first, last = int(np.ceil(np.log10(self.low) - 1e-9)), int(np.floor(np.log10(self.high) + 1e-9))
            stride = max(1, (last - first) // 6)
            return [(10.0**k, _power(k)) for k in range(first, last + 1, stride)]
        rough = (self.high - self.low) / 6
        base = 10.0 ** np.floor(np.log10(rough))
        step = next(base * k for k in (1, 2, 5, 10) if base * k >= rough)
        first = int(np.ceil(self.low / step - 1e-9))
        count = int(np.floor(self.high / step + 1e-9)) - first + 1
        return [((first + k) * step, f"{(first + k) * step:.6g}") for k in range(count)]


def _power(k: int) -> str:
    return f"{10.0**k:g}" if -3 <= k <= 4 else f"1e{k}"


def _line(world: World, points: Sequence[tuple[float, float]], color: str, width: float, dashed: bool = False) -> None:
    dashes = (8.0, 5.0) if dashed else ()
    world.spawn(
        Transform(), Line(points=points, width=width, color=_rgba(color), dashes=dashes, cap="butt", layer="field")
    )


def _text(
    world: World, text: str, at: tuple[float, float], anchor: tuple[float, float], size: float, turn: float = 0.0
) -> None:
    world.spawn(
        Transform(position=at, rotation=turn),
        Text(text=text, size=size, anchor=anchor, color=_rgba(_INK), layer="ink"),
    )


def _rgba(color: str) -> tuple[float, float, float, float]:
    red, green, blue = (int(color[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue, 1.0
