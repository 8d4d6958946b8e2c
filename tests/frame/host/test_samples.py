"""The warm-up: samples of what a scene may show are drawn where nobody sees them, before it is played."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from rish_core import App, Scenes
from rish_frame import NullBackend
from rish_frame.frame.batches import Batch
from rish_frame.host.samples import TARGET
from rish_frame.testing import sample_batches

MakeApp = Callable[..., App]
SCENES = {"scenes": {"main": [{"Transform": {}}], "other": []}}


def test_samples_are_drawn_off_screen_before_the_first_tick(rish_app: MakeApp) -> None:
    """Every kind reaches the backend once, onto a target that is not the screen; the game's own frame is empty."""
    seen: list[tuple[int, str]] = []

    def samples(world: Any, backend: Any, frame: Any) -> list[Batch]:
        seen.append((world.tick, backend.name))
        return list(sample_batches().values())

    backend = NullBackend(keep=9)
    app = rish_app(SCENES, plugins={"mine": SimpleNamespace(rish_samples=samples)}, backend=backend)
    assert seen == [(0, "null")]
    assert backend.drawn_frames == 1
    (drawn,) = backend.last.passes
    assert drawn.targets == (TARGET,)
    assert sorted(batch.kind for batch in drawn.batches) == sorted(sample_batches())
    app.frame()
    assert all(TARGET not in p.targets for p in backend.last.passes)
    assert not backend.drawn()


def test_every_scene_has_its_warm_up(rish_app: MakeApp) -> None:
    """A change of scene asks again, for another scene shows other things."""
    scenes: list[int] = []
    mine = SimpleNamespace(rish_samples=lambda world: scenes.append(world.tick) or [])
    app = rish_app(SCENES, plugins={"mine": mine}, backend="null")
    app.frame()
    app.world[Scenes].go("other")
    app.frame()
    assert len(scenes) == 2


class Windowed(NullBackend):
    """A backend with a window."""

    capabilities = NullBackend.capabilities | {"window"}


def test_in_a_window_the_first_picture_comes_before_the_warm_up(rish_app: MakeApp) -> None:
    """It is shown as soon as it can be; the rest gets ready before the next frame, in no time of the game's."""
    scenes: list[int] = []

    def warm_up(backend: NullBackend) -> list[Batch]:
        scenes.append(backend.drawn_frames)
        time.sleep(0.2)
        return []

    mine = SimpleNamespace(rish_samples=warm_up)
    app = rish_app(SCENES, plugins={"mine": mine}, backend=Windowed())
    app.headless = False
    scenes.clear()
    app.world[Scenes].go("other")
    app.frame(seconds=1 / 60)
    drawn, ticks = app.host.backend.drawn_frames, app.world.tick
    assert scenes == []
    app.frame()
    assert scenes == [drawn]
    assert app.world.tick <= ticks + 1
    app.world[Scenes].go("main")
    for _ in range(3):
        app.frame(seconds=1 / 60)
    assert len(scenes) == 2


def test_without_samples_nothing_is_drawn(rish_app: MakeApp) -> None:
    """A game that shows nothing loads without a picture."""

    def none() -> list[Batch]:
        return []

    backend = NullBackend()
    rish_app(SCENES, plugins={"mine": SimpleNamespace(rish_samples=none)}, backend=backend)
    assert backend.drawn_frames == 0


def test_a_kind_that_the_backend_cannot_draw_is_not_warmed_up(rish_app: MakeApp) -> None:
    """Nothing of it would compile, and the game may never show any, so nobody is told."""

    class Boxes(NullBackend):
        kinds = frozenset({"shapes"})  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]

    def samples() -> list[Batch]:
        return list(sample_batches().values())

    backend = Boxes(keep=9)
    app = rish_app(SCENES, plugins={"mine": SimpleNamespace(rish_samples=samples)}, backend=backend)
    assert {batch.kind for drawn in backend.last.passes for batch in drawn.batches} == {"shapes"}
    assert not app.host.skipped


def test_a_sample_with_wrong_arrays_sets_its_plugin_aside(rish_app: MakeApp) -> None:
    """The reason names kind and array; the game goes on."""
    broken = Batch("lines", {"points": np.zeros((1, 3), np.float32)})
    app = rish_app(
        SCENES,
        plugins={"bad": SimpleNamespace(rish_samples=lambda: [broken])},
        policy="disable",
        strict=False,
        backend="null",
    )
    app.frame()
    assert "rish_samples" in app.plugins.aside["bad"]
    assert "'points'" in app.plugins.aside["bad"]
