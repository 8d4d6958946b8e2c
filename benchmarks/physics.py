"""Physics: complete ticks of Rish compared with Box2D (v3.1 and 2.3) and Chipmunk, in processor time.

Rish runs with a real World and App: columns are read and written, filters are on, and the solver has one thread and
four sub-steps, as Box2D v3 has. A run is ten steps, and every engine runs the same ten. Nobody reads events, in any
engine. Nothing sleeps except in `asleep5k`, `asleep_bouncing` and `coming`. The last cases measure no ticks: the
stability of stacks compared with Box2D's, the cost of growth and invalid input relative to the same heap left alone,
and the cost of compiling and loading the kernels.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from .harness import Case

_ENGINES = {"pyb2d3": "_physics_pyb2d3", "pybox2d": "_physics_box2d", "pymunk": "_physics_pymunk"}


def _case(
    name: str, limits: dict[str, float] | None = None, *, limit: float | None = None, unit: str = "ms",
    peers: Collection[str] = _ENGINES, full: bool = False,
) -> Case:  # fmt: skip
    engines = {"rish": f"_physics_rish:{name}"} | {peer: f"{_ENGINES[peer]}:{name}" for peer in peers}
    return Case(name, unit, engines, limits=limits or {}, limit=limit, full=full)


def _new(name: str, limit: float) -> Case:
    """Return the case of a scene from Box2D's own benchmarks; its only peer is Box2D v3."""
    return _case(name, {"pyb2d3": limit}, peers=("pyb2d3",), full=True)


def _busy(name: str, limit: float = 0.6) -> Case:
    """Return the case of a scene of `_physics_busy`. limit: the ratio to Box2D v3.2 with AVX2, up to 1.4 times as fast
    as pyb2d3.
    """
    return _case(name, {"pyb2d3": limit / 1.4}, peers=("pyb2d3",), full=True)


_QUALITY = "_physics_quality:{}_{}"


def _quality(name: str, *, full: bool = False) -> Case:
    """Return the case of the stability of a stack: no worse than Box2D's."""
    engines = {engine: _QUALITY.format(engine, name) for engine in ("rish", "pyb2d3")}
    return Case(name, "mm", engines, limits={"pyb2d3": 1.0}, full=full)


def _alone(name: str, unit: str, place: str, limit: float, *, full: bool = True) -> Case:
    return Case(name, unit, {"rish": place}, limit=limit, full=full)


CASES = [
    _case("pyramid100", {"pyb2d3": 0.5, "pymunk": 1 / 8}),
    _case("pyramids", {"pyb2d3": 0.5, "pymunk": 1 / 6}),
    _case("circles", {"pyb2d3": 0.65, "pymunk": 1 / 4}),
    _case("mixed", {"pyb2d3": 0.55, "pymunk": 1 / 4}),
    _case("grid", {"pyb2d3": 0.25, "pymunk": 1 / 5}),
    _case("boxes22k", {"pyb2d3": 0.5}),
    _case("asleep5k", limit=20, unit="µs"),
    _case("onebody", limit=20, unit="µs"),
    _case("raycasts", {"pymunk": 0.1}),
    _case("spinner"),
    _case("compounds"),
    _case("joints"),
    _case("bounce"),
    _new("rain", 0.6 / 1.4),
    _new("tumbler", 0.6),
    _new("washer", 0.6 / 1.4),
    _new("smash", 0.6),
    _busy("hulls"),
    _busy("junkyard"),
    _busy("sensors400"),
    _busy("shaker"),
    _busy("bullets"),
    _busy("asleep_bouncing", 4),
    _busy("coming", 1.5),
    _quality("stack10_sag"),
    _alone("stack10_moved", "mm", _QUALITY.format("rish", "stack10_moved"), 1, full=False),
    _quality("pyramid100_overlap", full=True),
    _quality("pyramid100_drift", full=True),
    _alone("growth", "times", "_physics_limits:growth", 20 * math.log(20_000) / math.log(1_000)),
    _alone("abuse", "times", "_physics_limits:abuse", 5),
    _alone("far", "times", "_physics_limits:far", 1.2),
    _alone("compile_few", "s", "_physics_start:compile_few", 15),
    _alone("compile_every", "s", "_physics_start:compile_every", 40),
    _alone("load_few", "s", "_physics_start:load_few", 0.5),
]
