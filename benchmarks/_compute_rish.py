"""Rish's side of the benchmark `compute`: the shaders on `arcade`, and their fallbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_frame import Batch, DeviceArray, Frame
from rish_frame.frame import Dispatch
from rish_frame.testing import picture_frame, sample_page
from rish_render import make_arcade

from . import _compute_scene as scene
from ._task import Task


def _device() -> tuple[Any, Callable[[], object]]:
    """Return an open backend with compute shaders, and a function that waits for its device."""
    backend = make_arcade()
    backend.open("compute", scene.SIZE, False)
    if "compute" not in backend.capabilities:
        raise ImportError("no OpenGL 4.3 here")
    backend.image(5, sample_page())
    return backend, backend.device.finish


def _flock_orders() -> tuple[Frame, list[Dispatch]]:
    computes, orders, _ = scene.settled()
    frame = Frame(scene.SIZE)
    frame.computes = {compute.name: compute for compute in computes}
    return frame, orders


def flock() -> Task:
    """A step of the settled flock on the device; its result goes to the other array, so each run is the same."""
    backend, finish = _device()
    frame, orders = _flock_orders()

    def run() -> None:
        for order in orders:
            order.done = False
        frame.dispatches = orders
        assert not backend.draw(frame).skipped
        finish()

    return Task(run, clock="wall")


def flock_numpy() -> Task:
    """The same step in numpy."""
    _, orders = _flock_orders()

    def run() -> None:
        for order in orders:
            order.done = False
            order.run_fallback()

    return Task(run, clock="wall")


def _dust() -> tuple[Frame, Callable[[], Dispatch], Batch]:
    frame = picture_frame(scene.SIZE)
    frame.computes[scene.DUST.name] = scene.DUST
    arrays = {name: DeviceArray(array) for name, array in scene.dust().items()}
    batch = Batch("sprites", {"instances": arrays["motes"].array}, unit=0.25, blend="add")
    batch.origin = (scene.SIZE[0] / 2, scene.SIZE[1] / 2)

    def order() -> Dispatch:
        frame.dispatches.clear()
        return frame.compute(scene.DUST.name, scene.MOTES, arrays, {"dt": 0.001, "area": scene.SIZE})

    return frame, order, batch


def _on_device(*, drawn: bool) -> Task:
    backend, finish = _device()
    frame, order, batch = _dust()
    if drawn:
        frame.add(batch)

    def run() -> None:
        order()
        backend.draw(frame)
        finish()

    return Task(run, clock="wall")


def dust() -> Task:
    """A step of the dust on the device."""
    return _on_device(drawn=False)


def dust_drawn() -> Task:
    """A step of the dust on the device, drawn from there."""
    return _on_device(drawn=True)


def dust_numpy() -> Task:
    """A step of the dust in numpy."""
    _, order, _ = _dust()
    return Task(lambda: order().run_fallback(), clock="wall")


def dust_uploaded() -> Task:
    """A step of the dust in numpy, uploaded and drawn by OpenGL."""
    backend, finish = _device()
    frame, order, batch = _dust()
    frame.add(batch)

    def run() -> None:
        order().run_fallback()
        backend.draw(frame)
        finish()

    return Task(run, clock="wall")
