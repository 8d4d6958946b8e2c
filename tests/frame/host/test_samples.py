"""The warm-up: samples of the batches that a scene may show are drawn off screen before it is played."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from rish_core import App, Scenes
from rish_frame import DrawStats, Frame, NullBackend
from rish_frame.frame.batches import Batch
from rish_frame.host.samples import TARGET
from rish_frame.testing import sample_batches

MakeApp = Callable[..., App]
#: The seconds that a slow warm-up takes: many ticks, so that a busy machine cannot be the cause of the same delay.
WARM_UP = 0.5
SCENES = {"scenes": {"main": [{"Transform": {}}], "other": []}}


def test_samples_are_drawn_off_screen_before_the_first_tick(rish_app: MakeApp) -> None:
    """Each kind is drawn once, onto a target that is not the screen; the game's own frame stays empty."""
    seen: list[tuple[int, str]] = []

    def samples(world: Any, backend: Any, frame: Any) -> list[Batch]:
        seen.append((world.tick, backend.name))
        return list(sample_batches().values())

    backend = Watched(keep=9)
    app = rish_app(SCENES, plugins={"mine": SimpleNamespace(rish_samples=samples)}, backend=backend)
    assert seen == [(0, "null")]
    assert backend.kinds_drawn == [[kind] for kind in sorted(sample_batches())]
    (drawn,) = backend.last.passes
    assert drawn.targets == (TARGET,)
    app.frame()
    assert all(TARGET not in p.targets for p in backend.last.passes)
    assert not backend.drawn()


class Watched(NullBackend):
    """A backend that notes the kinds of batches in each frame."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.kinds_drawn: list[list[str]] = []

    def draw(self, frame: Frame) -> DrawStats:
        """Note the kinds and draw."""
        self.kinds_drawn.append([batch.kind for pass_ in frame.passes.values() for batch in pass_.batches])
        return super().draw(frame)


def test_every_scene_has_its_warm_up(rish_app: MakeApp) -> None:
    """After a change of scene the samples are requested again."""
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
    """When a scene changes in a window, its first frame comes before the warm-up, whose time is no game time."""
    scenes: list[int] = []

    def warm_up(backend: NullBackend) -> list[Batch]:
        scenes.append(backend.drawn_frames)
        time.sleep(WARM_UP)
        return []

    mine = SimpleNamespace(rish_samples=warm_up)
    app = rish_app(SCENES, plugins={"mine": mine}, backend=Windowed())
    app.headless = False
    app.frame(seconds=0)
    scenes.clear()
    app.world[Scenes].go("other")
    for _ in range(4):  # the scene is spawned, prepared, advanced and drawn
        app.frame(seconds=1 / 60)
    drawn, ticks = app.host.backend.drawn_frames, app.world.tick
    assert scenes == []
    app.frame()
    assert scenes == [drawn]
    assert app.world.tick < ticks + WARM_UP * 60
    app.world[Scenes].go("main")
    for _ in range(6):
        app.frame(seconds=1 / 60)
    assert len(scenes) == 2


def test_in_a_window_a_scene_is_prepared_in_parts(rish_app: MakeApp) -> None:
    """In a window whose kernels are compiled, a frame waits for one long feature only, in the order of features."""
    called: list[str] = []

    def prepare(name: str) -> None:
        called.append(name)
        time.sleep(0.02)

    def features(world: Any) -> dict[str, Callable[[], None]]:
        return {name: partial(prepare, name) for name in "abc"} if world[Scenes].current == "other" else {}

    app = rish_app(SCENES, plugins={"mine": SimpleNamespace(rish_warm_up=features)}, backend=Windowed())
    app.headless = False
    app.world[Scenes].go("other")
    seen: list[str] = []
    for _ in range(5):
        app.frame(seconds=1 / 60)
        seen.append("".join(called))
    assert seen == ["", "a", "ab", "abc", "abc"]


def test_without_samples_nothing_is_drawn(rish_app: MakeApp) -> None:
    """A game without samples loads without drawing."""

    def none() -> list[Batch]:
        return []

    backend = NullBackend()
    rish_app(SCENES, plugins={"mine": SimpleNamespace(rish_samples=none)}, backend=backend)
    assert backend.drawn_frames == 0


def test_a_kind_that_the_backend_cannot_draw_is_not_warmed_up(rish_app: MakeApp) -> None:
    """A sample of a kind that the backend can't draw is left out without a report."""

    class Boxes(NullBackend):
        kinds = frozenset({"shapes"})  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]

    def samples() -> list[Batch]:
        return list(sample_batches().values())

    backend = Boxes(keep=9)
    app = rish_app(SCENES, plugins={"mine": SimpleNamespace(rish_samples=samples)}, backend=backend)
    assert {batch.kind for drawn in backend.last.passes for batch in drawn.batches} == {"shapes"}
    assert not app.host.skipped


def test_a_sample_with_wrong_arrays_sets_its_plugin_aside(rish_app: MakeApp) -> None:
    """A sample with wrong arrays disables its plugin, with kind and array in the reason; the game continues."""
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
