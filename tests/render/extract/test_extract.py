"""EXTRACT: layers, passes, order, texts, and the data kept from frame to frame."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Layers
from rish_frame import Frame
from rish_render import Camera, Shape, ShapeForm, Sprite, Text, plugin
from rish_render.kinds.text.layout import lay_out_quickly


def pass_names(stage):
    """Return the names of the last frame's passes in drawing order."""
    return [step.pass_.name for step in stage.world[Frame].steps()]


def test_an_unknown_layer_is_reported_once_and_drawn_on_the_first(studio, caplog):
    """Things on an unknown layer are drawn on the first one, and one log line names the nearest layer."""
    stage = studio(layers=["world", "front"])
    for _ in range(3):
        stage.put(50, 50, Shape(layer="frnt"))
    stage.shoot()
    stage.shoot()
    lines = [record.getMessage() for record in caplog.records if "frnt" in record.getMessage()]
    assert len(lines) == 1
    assert "did you mean 'front'?" in lines[0]
    assert [batch.layer for batch in stage.batches] == [0]


def test_neighboring_layers_of_one_space_share_a_pass(studio):
    """Adjacent layers of one space share a pass; world and screen layers alternate in the order of the stack."""
    screen = {"space": "screen"}
    stage = studio(layers=[{"sky": screen}, "back", "front", {"hud": screen}, "top", {"menu": screen}])
    stage.put(0, 0, Camera())
    for name in ("sky", "back", "front", "hud", "top", "menu"):
        stage.put(5, 5, Shape(layer=name))
    stage.shoot()
    assert pass_names(stage) == ["flat", "main", "flat.2", "main.2", "flat.3"]
    assert [batch.layer for batch in stage.batches] == [0, 1, 3, 4, 5]
    assert [batch.count for batch in stage.batches] == [1, 2, 1, 1, 1]


def test_passes_that_are_not_needed_go(studio):
    """Hiding the only screen layer removes its pass, and showing the layer adds the pass again."""
    stage = studio(layers=["world", {"hud": {"space": "screen"}}])
    stage.shoot()
    assert pass_names(stage) == ["main", "flat"]
    stage.world[Layers].show("hud", False)
    stage.shoot()
    assert pass_names(stage) == ["main"]
    stage.world[Layers].show("hud")
    stage.shoot()
    assert pass_names(stage) == ["main", "flat"]


def test_kinds_interleave_by_z(studio):
    """Shapes, sprites and texts are cut into batches wherever another kind is between them in z."""
    stage = studio(layers=["world"])
    stage.put(50, 50, Shape(z=0))
    stage.put(50, 50, Sprite(image="face.png", z=1))
    stage.put(50, 50, Shape(z=2))
    stage.put(50, 50, Text(text="x", z=3))
    stage.put(50, 50, Sprite(image="face.png", z=4))
    stage.shoot()
    kinds = [batch.kind for batch in stage.batches]
    assert kinds == ["shapes", "sprites", "shapes", "sprites", "sprites"]
    assert [batch.z for batch in stage.batches] == [0, 1, 2, 3, 4]


def test_batches_of_others_take_their_place(rish_app, streaks):
    """A plugin's batch at z 1 is drawn between shapes at 0 and at 2, which are split for it."""

    app = rish_app({"layers": ["world"]}, plugins={"render": plugin, "streaks": streaks(z=1)})
    for z in (0, 2):
        app.world.spawn(Shape(z=z), *_somewhere())
    app.frame()
    assert [batch.kind for batch in app.host.backend.drawn()] == ["shapes", "lines", "shapes"]


def _somewhere():
    from rish_core import Transform

    return [Transform(position=(10, 10))]


def test_still_text_is_not_laid_out_again(studio, monkeypatch):
    """A text is laid out again only when its text changes, not when it moves."""
    calls = []

    def counted(*arguments):
        calls.append(arguments[0])
        return lay_out_quickly(*arguments)

    monkeypatch.setattr("rish_render.kinds.text.cache.lay_out_quickly", counted)
    stage = studio(strict=False)
    handle = stage.put(100, 100, Text(text="12", size=20))
    for k in range(5):
        stage.world.get(handle, _transform()).position = (100 + k, 100)
        stage.shoot()
    assert calls == ["12"]
    stage.world.get(handle, Text).text = "13"
    stage.shoot()
    stage.world.get(handle, Text).text = "12"
    stage.shoot()
    assert calls == ["12", "13"]


def _transform():
    from rish_core import Transform

    return Transform


def test_an_empty_text_is_nothing(studio):
    """An empty or blank text makes no batch and raises no error."""
    stage = studio()
    stage.put(100, 100, Text())
    stage.put(100, 100, Text(text="  \n "))
    stage.shoot()
    assert stage.batches == []


def test_straight_text_stands_on_whole_pixels(studio):
    """A text that is not rotated snaps to whole pixels, so moving it by a third of a pixel changes nothing."""
    stage = studio()
    handle = stage.put(100, 100, Text(text="Snap", size=20))
    first = stage.shoot()
    stage.world.get(handle, _transform()).position = (100.3, 99.8)
    stage.world[_transform()].last_position = (100.3, 99.8)
    assert np.array_equal(stage.shoot(), first)


def test_a_font_that_is_missing_is_replaced(studio, caplog):
    """A missing font is replaced by the built-in one, and one log line names the file."""
    stage = studio()
    stage.put(100, 100, Text(text="Still here", font="none.ttf"))
    assert stage.shoot()[..., :3].max() > 200
    stage.shoot()
    assert len([r for r in caplog.records if "none.ttf" in r.getMessage()]) == 1


def test_after_a_restore_the_picture_is_the_same(studio):
    """Restoring a snapshot restores the image, because caches are derived."""
    stage = studio()
    stage.put(100, 100, Sprite(image="face.png"))
    stage.put(160, 100, Text(text="before"))
    first = stage.shoot()
    saved = stage.world.snapshot()
    stage.put(200, 100, Shape(shape=ShapeForm.CIRCLE, radius=20))
    stage.world[Text].text[0] = "after"
    assert not np.array_equal(stage.shoot(), first)
    stage.world.restore(saved)
    assert np.array_equal(stage.shoot(), first)


def test_drawing_changes_no_state(studio):
    """Extraction changes nothing that is hashed."""
    stage = studio()
    stage.put(100, 100, Sprite(image="face.png"))
    stage.put(160, 100, Text(text="state"))
    stage.put(0, 0, Camera())
    stage.app.tick()
    before = stage.world.hash()
    stage.app.draw()
    assert stage.world.hash() == before


@pytest.mark.parametrize("kind", list(ShapeForm))
def test_shapes_without_size_or_points_are_nothing(studio, kind):
    """Shapes without a size or points draw nothing and raise no error."""
    stage = studio()
    stage.put(100, 100, Shape(shape=kind, size=(0, 0)))
    picture = stage.shoot()
    assert (picture == picture[0, 0]).all()


def test_settings_give_the_background(studio):
    """The background is the manifest's color, unless a camera has its own."""
    stage = studio(settings={"render": {"background": "#336699"}})
    stage.shoot()
    assert stage.pixel(5, 5) == [0x33, 0x66, 0x99]
    stage.put(0, 0, Camera(background=(1, 0, 0, 1)))
    stage.shoot()
    assert stage.pixel(5, 5) == [255, 0, 0]
