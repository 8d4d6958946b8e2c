"""The cost of loading physics: processor time until a scene has run for a second, with and without compiled kernels.

The scene is opened in a process of its own, whose kernel cache is an empty folder first, and full afterwards. Only the
main thread is counted: numba's import and all kernels that the scene may need, without those of the core that compile
in parallel in every game.
"""

from __future__ import annotations

import functools
import gc
import itertools
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from ._task import Task, figure
from ._worker import ROOT

_TICKS = 60
_TIMEOUT = 600
_MANIFEST = """
rish: 1
plugins: [physics]
settings: {physics: {units_per_meter: 1}}
scenes: {main: []}
"""


def _few(world: Any, physics: Any, place: Any) -> None:
    """Spawn circles, boxes and revolute joints."""
    world.spawn(place(0, -1), physics.Collider(size=(100, 2)))
    for k in range(4):
        world.spawn(place(k, 3), physics.Body(), physics.Collider(size=(0.5, 0.5)))
    ends = [world.spawn(place(k, 6), physics.Body(), physics.Collider(shape="circle", radius=0.4)) for k in range(4)]
    for a, b in itertools.pairwise(ends):
        world.spawn(place(0, 0), physics.RevoluteJoint(a=a, b=b, anchor_a=(0.5, 0), anchor_b=(-0.5, 0)))


def _every(world: Any, physics: Any, place: Any) -> None:
    """Spawn every shape, every kind of joint, and every property of a surface."""
    _few(world, physics, place)
    body, collider = physics.Body, physics.Collider
    corners = [(-0.5, -0.5), (0.5, -0.5), (0, 0.7)]
    corner = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    world.spawn(place(20, 3), body(), collider(shape="capsule", size=(1, 2)))
    world.spawn(place(22, 3), body(), collider(shape="polygon", points=corners))
    world.spawn(place(24, 6), body(), collider(shape="outline", points=corner))
    world.spawn(place(24, 1), collider(shape="chain", points=[(6, 0), (3, 0.3), (0, 0), (-6, 0)]))
    world.spawn(place(0, 9), collider(size=(9, 1), sensor=True))
    world.spawn(place(9, 9), collider(size=(9, 1), one_way=(0, 1)))
    world.spawn(place(0, 8), body(), collider(restitution=0.5, rolling_resistance=0.1, hit_events=True))
    ends = [world.spawn(place(2 * k, 20), body(), collider(size=(1, 1))) for k in range(16)]
    kinds = (
        physics.DistanceJoint, physics.PrismaticJoint, physics.WeldJoint, physics.WheelJoint, physics.MotorJoint,
        physics.GearJoint, physics.RatchetJoint,
    )  # fmt: skip
    for k, kind in enumerate(kinds):
        world.spawn(place(0, 0), kind(a=ends[2 * k], b=ends[2 * k + 1]))
    world.spawn(place(0, 0), physics.MouseJoint(b=ends[14], target=(28, 21)))
    world.spawn(
        place(0, 0),
        physics.RevoluteJoint(a=ends[14], b=ends[15], limited=True, motor=True, max_torque=1.0, spring=True),
    )


_SCENES = {"few": _few, "every": _every}


def _load(kind: str) -> float:
    """Open a scene in this process and run it for a second; return the processor time of this thread."""
    gc.disable()  # as the command `rish` does until the first frame
    start = time.thread_time()
    import rish_physics as physics
    from rish_core import App, Transform, parse_manifest

    if kind == "every":
        vars(physics).update({name: getattr(physics, name) for name in ("ray_cast", "shape_cast", "overlap_box")})
    app = App(parse_manifest(_MANIFEST), headless=True, policy="raise")
    _SCENES[kind](app.world, physics, lambda x, y: Transform(position=(x, y)))
    for _, calls in app.plugins.gather("rish_warm_up", world=app.world):
        for call in calls.values():
            call()
    for _ in range(_TICKS):
        app.tick()
    return time.thread_time() - start


@functools.cache
def _cache() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


def _timed(kind: str, folder: str) -> float:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks._physics_start", kind],
        cwd=ROOT,
        env={**os.environ, "RISH_CACHE_DIR": folder},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return float(done.stdout.split()[-1])


@functools.cache
def _first(kind: str) -> float:
    return _timed(kind, f"{_cache().name}/{kind}")


def _cold(kind: str) -> Task:
    found = _first(kind)
    return figure(lambda: found)


def compile_few() -> Task:
    """Circles, boxes and revolute joints, without compiled kernels."""
    return _cold("few")


def compile_every() -> Task:
    """All shapes and joints, without compiled kernels."""
    return _cold("every")


def load_few() -> Task:
    """Circles, boxes and revolute joints with compiled kernels, each round in a new process."""
    _first("few")
    return figure(lambda: _timed("few", f"{_cache().name}/few"))


if __name__ == "__main__":
    print(_load(sys.argv[1]))
