"""The ground: a target in high range below the layers of the world, on both backends."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import Stage, system
from rish_ecs import UsageError
from rish_frame import Frame, Pass, Target

BACKENDS = ["software", pytest.param("arcade", marks=pytest.mark.gl)]
BOX = "- {Transform: {position: [120, 48]}, Shape: {size: [40, 40], color: '#ff0000'}}"
HALF = "- {Transform: {position: [120, 48]}, Shape: {size: [40, 40], color: '#ff000080'}}"
LAMP = "- {Ambient: {color: '#000000'}}"


def sky(level: float, form: str = "rgba16f", alpha: float = 1.0) -> Any:
    """Return a plugin whose ground is a cleared target of this linear light, premultiplied."""
    left: list[str] = []

    @system(Stage.EXTRACT, writes=Frame, before="render.extract", name="draw")
    def draw(world: Any, dt: float) -> None:
        frame = world[Frame]
        color = (level, level / 2, 0.0, alpha)
        frame.add_target(Target("sky.view", frame.canvas_size, (form,), clear=(color,)), replace=True)
        if "sky.view" not in frame.passes:
            frame.add_pass(Pass("sky.view", ("sky.view",)))
        frame.ground = "sky.view"

    @system(Stage.EXTRACT, reads=Frame, after="lighting.post", name="look")
    def look(world: Any, dt: float) -> None:
        left.append(world[Frame].ground)

    module = SimpleNamespace(rish_systems=lambda: [draw, look], left=left)
    return {"sky": module}


def shown(hall: Any, backend: str, level: float, scene: str = BOX, post: str = "") -> Any:
    """Return the game and its picture."""
    effects = f"{{lighting: {{post: [{post}]}}}}" if post else "{}"
    extra = sky(level)
    game = hall(scene, backend, effects, plugins="render, lighting, sky", extra=extra)
    return game, game.pixels(), extra["sky"].left


@pytest.mark.parametrize("backend", BACKENDS)
def test_layers_are_drawn_over_the_ground(hall: Any, backend: str):
    """The ground replaces the background; opaque layers hide it, translucent ones are blended encoded."""
    _, picture, left = shown(hall, backend, 0.2140)  # encoded: 0.5
    assert picture[48, 20, :3].tolist() == pytest.approx([127, 92, 0], abs=2)
    assert picture[48, 120, :3].tolist() == [255, 0, 0]
    assert set(left) == {""}
    _, picture, _ = shown(hall, backend, 0.2140, HALF)
    assert picture[48, 120, :3].tolist() == pytest.approx([191, 46, 0], abs=2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_effects_see_the_high_range_of_the_ground(hall: Any, backend: str):
    """Light of the ground above 1 is not clipped before the tone curve."""
    _, plain, _ = shown(hall, backend, 8.0)
    _, darker, _ = shown(hall, backend, 8.0, post="{grading: {exposure: -4}}")
    assert plain[48, 20, :2].tolist() == [255, 255]
    assert darker[48, 20, :2].tolist() == pytest.approx([192, 137], abs=5)  # about 8 / 16 and 4 / 16, encoded
    assert darker[48, 120, 0] < 80


@pytest.mark.parametrize("backend", BACKENDS)
def test_lamps_light_layers_and_not_the_ground(hall: Any, backend: str):
    """In a game with light, the layers are lit, and the ground keeps its own light."""
    _, picture, _ = shown(hall, backend, 0.2140, f"{BOX}\n{LAMP}")
    assert picture[48, 20, :3].tolist() == pytest.approx([127, 92, 0], abs=2)
    assert picture[48, 120, :3].tolist() == [0, 0, 0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_background_is_seen_through_the_ground(hall: Any, backend: str):
    """The ground lies over the background in linear light, as far as it is opaque."""
    extra = sky(0.2140, alpha=0.5)
    settings = '{render: {background: "#0000ff"}}'
    game = hall("- {Transform: {}}", backend, settings, plugins="render, lighting, sky", extra=extra)
    assert game.pixels()[48, 20, :3].tolist() == pytest.approx([127, 92, 188], abs=2)


def test_nobody_takes_the_ground_of_a_plain_frame(hall: Any):
    """If a tool wants the World without effects, the ground stays set, so that its plugin shows it."""
    game, _, left = shown(hall, "software", 1.0)
    game.frame.plain = True
    left.clear()
    game.app.run(frames=1)
    assert left == ["sky.view"]


def test_a_ground_needs_the_format_and_size_of_the_picture():
    """A ground of another format or size is refused with the right size; without one, nothing is taken."""
    frame = Frame((64, 48))
    assert frame.take_ground() == ""
    for target in (Target("low"), Target("small", 0.5, ("rgba16f",))):
        frame.add_target(target)
        frame.ground = target.name
        with pytest.raises(UsageError, match="rgba16f, 64x48"):
            frame.take_ground()
    assert frame.ground == ""
    frame.ground = "small"
    frame.reset()
    assert frame.ground == ""
