"""The positions of an entry's copies: the forms of `at`.

    at: [100, 40]                                      one place, for every copy
    at: [[0, 0], [10, 0], [20, 0]]                     one place a copy
    at: {grid: [20, 10], step: [40, 40], origin: [0, 0]}   row by row, x first; y points up
    at: {random: [0, 0, 960, 540]}                     anywhere in the rectangle x0, y0, x1, y1

Random places come from a stream of the world, so the same seed gives the same scene.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs.declarations import Column, show

from .nodes import Mark, YamlList, YamlMap
from .schema import FLOAT32_MAX
from .validate import Report, Steps

if TYPE_CHECKING:
    from rish_ecs.random import Stream

MAX_COPIES = 1_000_000


class Placing:
    """The positions that a form of `at` gives. random: whether they are drawn from a random stream."""

    random = False

    @property
    def copies(self) -> int | None:
        """The number of places, one for each copy; None for any number."""
        return None

    def positions(self, copies: int, rows: int, stream: Stream | None) -> Column:
        """Return float32 (rows, 2): the places of `copies` copies for each parent."""
        raise NotImplementedError


@dataclass(frozen=True)
class Point(Placing):
    """The form `[x, y]`: one place for all copies."""

    x: float
    y: float

    def positions(self, copies: int, rows: int, stream: Stream | None) -> Column:
        """Return float32 (rows, 2), all equal."""
        places: Column = np.empty((rows, 2), np.float32)
        places[:] = self.x, self.y
        return places


@dataclass(frozen=True)
class Points(Placing):
    """The form `[[x, y], ...]`: one place for each copy."""

    places: tuple[tuple[float, float], ...]

    @property
    def copies(self) -> int:
        """The number of places, one for each copy."""
        return len(self.places)

    def positions(self, copies: int, rows: int, stream: Stream | None) -> Column:
        """Return float32 (rows, 2): the places, repeated for each parent."""
        return np.tile(np.array(self.places[:copies], np.float32), (rows // copies, 1))


@dataclass(frozen=True)
class Grid(Placing):
    """The form `{grid: ...}`: rows of `nx` places, from `origin` to the right and upwards."""

    nx: int
    ny: int
    step: tuple[float, float]
    origin: tuple[float, float] = (0.0, 0.0)

    @property
    def copies(self) -> int:
        """The number of places, one for each copy."""
        return self.nx * self.ny

    def positions(self, copies: int, rows: int, stream: Stream | None) -> Column:
        """Return float32 (rows, 2): the places of the grid, repeated for each parent."""
        cell = np.arange(copies)
        places = np.stack([cell % self.nx, cell // self.nx], axis=1) * np.array(self.step) + np.array(self.origin)
        return np.tile(places.astype(np.float32), (rows // copies, 1))


@dataclass(frozen=True)
class Area(Placing):
    """The form `{random: ...}`: a random place in a rectangle for each copy."""

    x0: float
    y0: float
    x1: float
    y1: float
    random = True

    def positions(self, copies: int, rows: int, stream: Stream | None) -> Column:
        """Return float32 (rows, 2): random places from the stream."""
        assert stream is not None
        low, high = np.array([self.x0, self.y0]), np.array([self.x1, self.y1])
        return (low + stream.uniform(size=(rows, 2)) * (high - low)).astype(np.float32)


_FORMS = "must be [x, y], a list of such places, {grid: [nx, ny], step: [dx, dy]} or {random: [x0, y0, x1, y1]}"
_GRID_KEYS = ("grid", "step", "origin")


def read_placing(node: Any, mark: Mark, path: Steps, report: Report) -> Placing | None:
    """Return the `Placing` that a value of `at` describes; report an invalid one and return None."""
    if isinstance(node, YamlList) and node and isinstance(node[0], YamlList):
        places: list[tuple[float, float]] = []
        for index, item in enumerate(node):
            numbers = _numbers(item, 2, node.items_at[index], (*path, index), report, "[x, y]")
            if numbers is None:
                return None
            places.append((numbers[0], numbers[1]))
        return Points(tuple(places))
    if isinstance(node, YamlList):
        numbers = _numbers(node, 2, mark, path, report, "[x, y]")
        return Point(numbers[0], numbers[1]) if numbers is not None else None
    if isinstance(node, YamlMap) and "grid" in node:
        return _read_grid(node, path, report)
    if isinstance(node, YamlMap) and list(node) == ["random"]:
        at = (node.values_at["random"], (*path, "random"))
        numbers = _numbers(node["random"], 4, at[0], at[1], report, "[x0, y0, x1, y1]")
        return Area(numbers[0], numbers[1], numbers[2], numbers[3]) if numbers is not None else None
    return report.add(mark, path, f"{_FORMS}, not {show(node)}")


def _read_grid(node: YamlMap, path: Steps, report: Report) -> Grid | None:
    for key in node:
        if key not in _GRID_KEYS:
            report.unknown(node, key, path, f"a grid has no key {key!r}", _GRID_KEYS)
    if "step" not in node:
        return report.add(node.mark, path, "a grid needs the step from place to place: step: [dx, dy]")
    pairs: dict[str, list[float]] = {}
    for key in _GRID_KEYS:
        if key in node:
            values = _numbers(node[key], 2, node.values_at[key], (*path, key), report, f"[{key[0]}x, {key[0]}y]")
            if values is not None:
                pairs[key] = values
    if "grid" in pairs:
        nx, ny = node["grid"]
        if not all(isinstance(n, int) and n > 0 for n in (nx, ny)) or nx * ny > MAX_COPIES:
            what = f"must be two whole numbers from 1, at most {MAX_COPIES:,} places, not [{nx}, {ny}]"
            return report.add(node.values_at["grid"], (*path, "grid"), what)
    if len(pairs) < sum(key in node for key in _GRID_KEYS):
        return None
    nx, ny = node["grid"]
    step, origin = pairs["step"], pairs.get("origin", [0.0, 0.0])
    return Grid(nx, ny, (step[0], step[1]), (origin[0], origin[1]))


def _numbers(node: Any, count: int, mark: Mark, path: Steps, report: Report, form: str) -> list[float] | None:
    """Return `count` numbers in the range of float32; otherwise report a problem and return None."""
    if not isinstance(node, YamlList) or len(node) != count:
        actual = f"a list of {len(node)}" if isinstance(node, YamlList) else show(node)
        return report.add(mark, path, f"must be {count} numbers, {form}, not {actual}")
    for index, value in enumerate(node):
        at = (node.items_at[index], (*path, index))
        if isinstance(value, bool) or not isinstance(value, int | float):
            return report.add(at[0], at[1], f"must be a number, not {show(value)}")
        if not -FLOAT32_MAX <= value <= FLOAT32_MAX:
            return report.add(at[0], at[1], f"{show(value)} is too large")
    return [float(value) for value in node]
