"""Physics: whole ticks of Rish beside Box2D (v3.1 and 2.3) and Chipmunk, in processor time.

Rish runs with a real World and App: columns are read and written, filters and events are on, and the solver has one
thread and four sub-steps, as Box2D v3 has. A run is ten steps, and every engine is at the same ten. Nothing sleeps but
in `asleep5k`.
"""

from __future__ import annotations

from .harness import Case

_ENGINES = {"pyb2d3": "_physics_pyb2d3", "pybox2d": "_physics_box2d", "pymunk": "_physics_pymunk"}


def _case(name: str, limits: dict[str, float] | None = None, *, limit: float | None = None, unit: str = "ms") -> Case:
    engines = {"rish": f"_physics_rish:{name}"} | {peer: f"{module}:{name}" for peer, module in _ENGINES.items()}
    return Case(name, unit, engines, limits=limits or {}, limit=limit)


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
]
