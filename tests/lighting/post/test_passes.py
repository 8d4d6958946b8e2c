"""The chain as passes: few, in the right order, the same from frame to frame, and none without effects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from post_desk import FloatPicture, picture

from rish_frame import Batch, Pass, Target
from rish_frame.frame import Fit, identity
from rish_lighting.post.chain import set_post, transition
from rish_lighting.post.formulas import encode
from rish_lighting.post.fused_passes import run_of
from rish_lighting.post.passes import Source, post


def ours(desk: Any) -> list[str]:
    """Return the passes of the chain, in the order of drawing."""
    return [p.name for p in desk.frame.ordered() if p.name.startswith("light.")]


def test_without_effects_the_frame_is_left_alone(desk: Any):
    """Without effects there are no passes and targets, also after effects were removed."""
    desk.show()
    assert list(desk.frame.passes) == ["main"]
    desk.show(["bloom"])
    desk.show()
    assert list(desk.frame.passes) == ["main"]
    assert list(desk.frame.targets) == ["screen"]


def test_effects_that_change_each_pixel_by_itself_are_one_pass(desk: Any):
    """Effects that only use their own pixel are one pass from the canvas to the canvas."""
    desk.show(["tone_map", "vignette", "grading", "grain"])
    assert ours(desk) == ["light.post.0"]
    assert len(run_of(desk.frame.passes["light.post.0"].batches[0]).calls) == 4


def test_what_samples_begins_a_pass_of_its_own(desk: Any):
    """An effect that samples begins a new pass after the decoding; the following effects join it."""
    desk.show(["vignette", "aberration", "grading"])
    assert len(ours(desk)) == 2


def test_passes_and_batches_stay_the_same_objects(desk: Any):
    """Passes and batches stay the same objects, so a backend does not prepare them again."""
    desk.show(["bloom", "vignette"])
    before = dict(desk.frame.passes), [desk.frame.passes[name].batches[0] for name in ours(desk)]
    desk.draw(0.1)
    assert dict(desk.frame.passes) == before[0]
    assert all(a is b for a, b in zip(before[1], [desk.frame.passes[n].batches[0] for n in ours(desk)], strict=True))


def lay_flat(desk: Any, rank: str = "screen", name: str = "flat") -> None:
    """Add a pass that fills a corner with green."""
    pass_ = desk.frame.passes.get(name) or desk.frame.add_pass(Pass(name, rank=rank, after=("main",)))
    pass_.view, pass_.projection = identity(), identity()
    pass_.targets = (desk.frame.canvas,)
    arrays = {
        "matrix": np.array([[0.5, 0, 0, 0.5, -0.75, -0.75]], np.float32),
        "frame": np.full(1, 1, np.uint16),
        "rgba": np.full((1, 4), [0, 255, 0, 255], np.uint8),
    }
    pass_.batches = [Batch("sprites_wide", arrays)]


@pytest.mark.parametrize("rank", ["screen", "overlay"])
def test_layers_in_screen_space_and_overlays_stay_as_they_are(desk: Any, rank: str):
    """Layers in screen space and overlays are drawn after the effects."""
    lay_flat(desk, rank)
    order = [p.name for p in desk.frame.ordered()]
    desk.show([{"fade": {"amount": 1}}])
    order = [p.name for p in desk.frame.ordered()]
    assert order.index("main") < order.index("light.post.0") < order.index("flat")


def test_a_screen_layer_below_the_world_is_changed_with_it(desk: Any):
    """A screen layer that is drawn before a pass of the world is below the effects."""
    lay_flat(desk)
    desk.frame.add_pass(Pass("main.2", rank="unlit", after=("main", "flat")))
    desk.show([{"fade": {"amount": 1}}])
    order = [p.name for p in desk.frame.ordered()]
    assert order.index("flat") < order.index("main.2") < order.index("light.post.0")


def test_a_crossing_lies_over_screen_layers_and_below_overlays(desk: Any):
    """A transition is above screen layers and below overlays; the old image is stored before anything is drawn."""
    lay_flat(desk)
    lay_flat(desk, "overlay", "console")
    desk.show(["vignette"])
    transition(desk.world, seconds=1.0)
    desk.draw(0.1)
    order = [p.name for p in desk.frame.ordered()]
    assert order[0] == "light.keep"
    assert order.index("light.post.0") < order.index("flat") < order.index("light.crossing.0") < order.index("console")


def test_an_effect_may_lie_over_the_whole_game(desk: Any):
    """An effect with `over: game` is above screen layers and below overlays; each part of the chain is separate."""
    lay_flat(desk)
    lay_flat(desk, "overlay", "console")
    desk.show(["bloom", {"crt": {"over": "game"}}, "vignette"])
    order = [p.name for p in desk.frame.ordered()]
    assert order.index("main") < order.index("light.post.0") < order.index("flat") < order.index("light.over.0")
    assert order[-1] == "console"
    transition(desk.world, seconds=1.0)
    desk.draw(0.1)
    order = [p.name for p in desk.frame.ordered()]
    assert order.index("flat") < order.index("light.over.0") < order.index("light.crossing.0") < order.index("console")


def test_bars_are_cleared_where_no_other_pass_draws_onto_the_canvas(desk: Any):
    """The bars are cleared if no other pass draws onto the canvas, as when the world has a target of its own."""
    desk.frame.add_target(Target("light.picture", desk.size, formats=("rgba16f",)))
    desk.frame.passes["main"].targets = ("light.picture",)
    desk.frame.fit = Fit((128, 108), (32, 0, 128, 108))
    desk.frame.set_clear((0.0, 0.0, 1.0, 1.0))
    desk.world[Source].target = "light.picture"
    set_post(desk.world, [{"fade": {"amount": 1, "color": "red"}}])
    desk.frame.reset()
    post(desk.world, 0.0)
    assert not desk.backend.draw(desk.frame).skipped
    shown = desk.backend.pixels()
    assert (shown[:, :32, :3] == [0, 0, 255]).all()
    assert (shown[:, 40:150, :3] == [255, 0, 0]).all()


def test_only_the_part_that_the_game_fills_is_changed(desk: Any):
    """The bars beside the game stay unchanged, and the effects fit the game's part."""
    desk.frame.fit = Fit((128, 108), (32, 0, 128, 108))
    shown = desk.show([{"fade": {"amount": 1, "color": "red"}}])
    plain = picture(desk.size)
    assert np.array_equal(shown[:, :32], plain[:, :32])
    assert np.array_equal(shown[:, 160:], plain[:, 160:])
    assert (shown[:, 32:160, :3] == [255, 0, 0]).all()
    for chain in (["crt"], ["bloom", "aberration"], [{"blur": {"radius": 9}}]):
        shown = desk.show(chain)
        assert np.array_equal(shown[:, :32], plain[:, :32])
        assert not np.array_equal(shown[:, 32:160], plain[:, 32:160])


def test_a_canvas_of_its_own_size_is_changed_before_it_is_scaled(desk: Any):
    """A canvas with its own size, as with `stretch: viewport`, gets the effects before it is scaled."""
    desk.frame.add_target(Target("picture", (96, 54), clear=((0.0, 0.0, 0.0, 1.0),)))
    desk.frame.canvas = "picture"
    desk.frame.passes["main"].targets = ("picture",)
    desk.frame.add_pass(Pass("picture", inputs=("picture",), rank="screen"))
    shown = desk.show(["bloom", {"fade": {"amount": 1, "color": "lime"}}])
    assert shown.shape == (54, 96, 4)
    assert (shown[..., :3] == [0, 255, 0]).all()
    order = [p.name for p in desk.frame.ordered()]
    assert order[-1] == "picture"


def test_lengths_follow_the_window(desk: Any):
    """A square of three logical pixels has six pixels if the game is shown at twice its size."""
    desk.frame.fit = Fit((96, 54), (0, 0, 192, 108))
    squares = desk.show([{"pixelate": {"size": 3}}]).reshape(18, 6, 32, 6, 4)
    assert (squares == squares[:, :1, :, :1]).all()


def test_a_window_that_changes_its_size_is_followed(desk: Any):
    """Effects follow a change of the window's size; a running transition ends."""
    desk.show(["bloom", "crt"])
    transition(desk.world, seconds=5)
    desk.draw(0.1)
    desk.backend.configure(size=(100, 70))
    desk.frame.size = (100, 70)
    assert desk.draw(0.1).shape == (70, 100, 4)
    assert not any(name.startswith("light.crossing") for name in desk.frame.passes)
    desk.backend.configure(size=(1, 1))
    desk.frame.size = (1, 1)
    assert desk.draw(0.1).shape == (1, 1, 4)


@pytest.mark.gl
def test_a_picture_of_light_is_developed_on_both(desks: Any):
    """Light above 1 is clipped, or bent by a curve; without effects it is only encoded."""
    y, x = np.mgrid[0:108, 0:192]
    light = np.ones((108, 192, 4), np.float32)
    light[..., 0], light[..., 1], light[..., 2] = x / 96, y / 54, 0.25
    for desk in desks:
        drawer = FloatPicture()
        drawer.light = light
        desk.backend.add_drawer("test.floats", drawer)
        desk.frame.add_target(Target("light.picture", desk.size, formats=("rgba16f",)))
        desk.world[Source].target = "light.picture"

        def show(chain: list[Any], desk: Any = desk) -> np.ndarray:
            lit = desk.frame.passes.get("lit") or desk.frame.add_pass(Pass("lit", ("light.picture",), rank="combine"))
            original = desk.frame.reset

            def reset() -> None:
                original()
                lit.batches.append(Batch("test.floats", {}, count=1))

            desk.frame.reset = reset
            shown = desk.show(chain)
            desk.frame.reset = original
            return shown

        shown = show([])
        assert np.abs(shown[..., :3] - encode(light[..., :3]) * 255).max() <= 1.01
        soft = show([{"tone_map": {"curve": "soft"}}])
        assert soft[..., 0].max() < 255
        assert np.abs(soft[light[..., 0] < 0.7][..., 0].astype(int) - shown[light[..., 0] < 0.7][..., 0]).max() <= 1


def test_light_that_is_no_number_harms_no_other_pixel(desk: Any):
    """NaN and infinite light affects no other pixel, with any effect."""
    drawer = FloatPicture()
    drawer.light = np.full((108, 192, 4), 0.2, np.float32)
    drawer.light[20, 30], drawer.light[60, 150], drawer.light[80, 20] = np.nan, np.inf, -np.inf
    desk.backend.add_drawer("test.floats", drawer)
    desk.frame.add_target(Target("light.picture", desk.size, formats=("rgba16f",)))
    desk.world[Source].target = "light.picture"
    lit = desk.frame.add_pass(Pass("lit", ("light.picture",), rank="combine"))
    original = desk.frame.reset

    def reset() -> None:
        original()
        lit.batches.append(Batch("test.floats", {}, count=1))

    desk.frame.reset = reset
    for chain in ([], ["grading"], ["tone_map"], ["vignette"], ["grain"], [{"fade": {"amount": 0.5}}], ["bloom"]):
        shown = desk.show(chain)
        assert 40 < shown[100, 100, 0] < 255, chain
