"""The host gives the frame the declared work, and does it by the fallbacks where the backend can't."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_assets import report_changes
from rish_core import App, Assets, Stage, system
from rish_frame import ArraySpec, Compute, DeviceArray, Frame, NullBackend

MakeApp = Callable[..., App]
SCENES = {"scenes": {"main": [{"Transform": {}}]}}
PLACE = ArraySpec(np.dtype(np.float32), ("n",), "places")


class Snow:
    """A plugin that moves an array by one in each frame."""

    def __init__(self, file: str = "fall.comp") -> None:
        self.place = DeviceArray(np.zeros(3, np.float32))
        self.compute = Compute("snow.fall", file, {"place": PLACE}, self.fall, {"speed": "float"})
        self.fails = False

    def fall(self, arrays: Any, uniforms: Any) -> None:
        """Do the work, or fail."""
        if self.fails:
            raise ArithmeticError("too cold")
        arrays["place"] += uniforms["speed"]

    def plugin(self) -> SimpleNamespace:
        """Return the plugin."""

        @system(Stage.EXTRACT, writes=Frame)
        def order(world: Any, dt: float) -> None:
            """Order the work."""
            world[Frame].compute("snow.fall", 3, {"place": self.place}, {"speed": 1})

        return SimpleNamespace(
            rish_compute=lambda: [self.compute],
            rish_systems=lambda: [order],
            rish_backends=lambda: {"paper": Paper},
        )


class Paper(NullBackend):
    """A backend that can't do the work."""

    name = "paper"


class Able(NullBackend):
    """A backend that says it could do the work."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.capabilities = NullBackend.capabilities


def game(rish_app: MakeApp, snow: Snow, backend: Any = None, source: str | None = "void main() {}", **more: Any) -> App:
    """Return a game with the plugin, and its file unless `source` is None."""
    app = rish_app(SCENES, plugins={"snow": snow.plugin()}, backend=backend or NullBackend(), **more)
    if source is not None:
        file(app).write_text(source, encoding="utf-8")
        app.world[Assets].reload("fall.comp")
    return app


def file(app: App) -> Path:
    """Return the GLSL file of the game."""
    return Path(app.manifest.root) / "fall.comp"


def test_a_backend_without_compute_gets_finished_arrays(rish_app: MakeApp) -> None:
    """The fallback runs once for each frame, before the backend draws."""
    snow = Snow()
    app = game(rish_app, snow)
    app.run(frames=3)
    assert snow.place.array.tolist() == [3, 3, 3]


def test_where_nobody_looks_nothing_is_done(rish_app: MakeApp) -> None:
    """A null backend that neither keeps nor checks batches skips the work, so a server does not pay for it."""
    snow = Snow()
    app = game(rish_app, snow, NullBackend(keep=0, check=False))
    app.run(frames=3)
    assert snow.place.array.tolist() == [0, 0, 0]


def test_a_backend_with_compute_gets_the_source_and_the_orders(rish_app: MakeApp) -> None:
    """The frame has the text of the file and the orders, and no fallback runs."""
    snow = Snow()
    app = game(rish_app, snow, Able())
    app.run(frames=2)
    frame = app.world[Frame]
    assert frame.computes["snow.fall"].source == "void main() {}"
    assert [order.done for order in frame.dispatches] == [False]
    assert snow.place.array.tolist() == [0, 0, 0]


def test_a_missing_file_is_reported_and_the_fallback_runs(rish_app: MakeApp, caplog: pytest.LogCaptureFixture) -> None:
    """A file that does not exist costs one line; the work is done in Python."""
    snow = Snow("flal.comp")
    with caplog.at_level(logging.ERROR):
        app = game(rish_app, snow, source=None)
        app.run(frames=2)
    assert caplog.text.count("compute 'snow.fall'") == 1
    assert "flal.comp" in caplog.text
    assert app.world[Frame].computes["snow.fall"].source == ""
    assert snow.place.array.tolist() == [2, 2, 2]


def test_a_fallback_that_raises_is_disabled(rish_app: MakeApp, caplog: pytest.LogCaptureFixture) -> None:
    """The first exception is reported with its place; the fallback does not run again, and the game goes on."""
    snow = Snow()
    app = game(rish_app, snow, policy="disable")
    app.run(frames=1)
    snow.fails = True
    with caplog.at_level(logging.ERROR):
        app.run(frames=2)
    snow.fails = False
    app.run(frames=1)
    assert snow.place.array.tolist() == [1, 1, 1]
    assert caplog.text.count("the fallback of compute 'snow.fall' of plugin 'snow' failed: ArithmeticError") == 1
    assert "test_computing.py" in caplog.text
    assert "snow" not in app.plugins.aside


def test_a_saved_file_is_seen_in_the_running_game(rish_app: MakeApp) -> None:
    """A changed file is used in the next frame with a higher version; a missing one changes nothing."""
    app = game(rish_app, Snow(), Able())
    app.run(frames=2)
    first = app.world[Frame].computes["snow.fall"]
    file(app).unlink()
    report_changes(app.world[Assets], [file(app)])
    app.run(frames=1)
    assert app.world[Frame].computes["snow.fall"] is first
    file(app).write_text("void main() { return; }", encoding="utf-8")
    report_changes(app.world[Assets], [file(app)])
    app.run(frames=1)
    second = app.world[Frame].computes["snow.fall"]
    assert second.source == "void main() { return; }"
    assert second.version > first.version


def test_a_swapped_backend_goes_on_from_the_arrays_of_the_device(rish_app: MakeApp) -> None:
    """Before another backend draws the frame, the newest contents are copied from the device."""
    snow = Snow()
    app = game(rish_app, snow, Able())
    app.run(frames=1)
    snow.place.changed(lambda into: into.fill(5))
    (order,) = app.world[Frame].dispatches
    order.done = True
    app.host.swap("paper")
    assert snow.place.array.tolist() == [5, 5, 5]
    app.run(frames=1)
    assert snow.place.array.tolist() == [6, 6, 6]
