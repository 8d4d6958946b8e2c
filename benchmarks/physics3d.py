"""Physics in space: complete ticks of Rish compared with Box3D and Bullet, in processor time.

Rish runs with a real World and App: columns are read and written, filters are on, events are emitted. All engines have
one thread, four sub-steps and no sleep, except in `asleep`. A run is ten steps, and every engine runs the same ten. The
peers are installed by hand, with `pip install robox3d pybullet`; without them they are absent. Not compared: Jolt,
whose package needs a newer Python; meshes of Box3D, which its package does not offer; joints of Bullet, which has other
ones.
"""

from __future__ import annotations

from .harness import Case

_PLACES = {"rish": "_physics3d_rish", "robox3d": "_physics3d_robox3d", "pybullet": "_physics3d_pybullet"}


def _ticks(name: str, limits: dict[str, float]) -> Case:
    engines = {engine: f"{_PLACES[engine]}:{name}_ticks" for engine in ("rish", *limits)}
    return Case(name, "ms", engines, limits=limits)


def _quality(name: str) -> Case:
    """Return the case of what must not be bought with speed: no more than a tenth worse than Box3D."""
    engines = {engine: f"{_PLACES[engine]}:{name}" for engine in ("rish", "robox3d")}
    return Case(name, "mm", engines, limits={"robox3d": 1.1})


def _alone(name: str, unit: str, limit: float) -> Case:
    return Case(name, unit, {"rish": f"_physics3d_rish:{name}"}, limit=limit)


CASES = [
    _ticks("wall", {"robox3d": 0.5, "pybullet": 0.08}),
    _ticks("heap", {"robox3d": 0.6, "pybullet": 0.08}),
    _ticks("ragdolls", {"robox3d": 0.8}),
    _ticks("terrain", {"pybullet": 0.8}),
    _quality("wall_sag"),
    _quality("wall_drift"),
    _alone("asleep", "µs", 30),
    _alone("coming", "ms", 10),
    _alone("rays", "ms", 12),
]
