"""The passes that draw the layers through each camera, and their backgrounds."""

from __future__ import annotations

import pytest

from rish_frame import Frame
from rish_render import Camera, Shape, Sprite, plugin

SCREEN = {"space": "screen"}
RED, GREEN, BLUE = (1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)


def names(stage):
    """Return the names of the last frame's passes in drawing order."""
    return [step.pass_.name for step in stage.world[Frame].steps()]


def box(fill, **options):
    """Return a box that fills every view."""
    return Shape(size=(2000, 2000), color=fill, **options)


def test_two_cameras_share_the_screen(studio):
    """Two cameras show different parts of the world in their halves of the screen, with an exact border."""
    stage = studio((100, 40))
    stage.put(0, 0, Shape(size=(500, 500), color=RED))
    stage.put(1000, 0, Shape(size=(500, 500), color=GREEN))
    stage.put(0, 0, Camera(viewport=(0, 0, 0.5, 1)))
    stage.put(1000, 0, Camera(viewport=(0.5, 0, 0.5, 1)))
    stage.shoot()
    assert [stage.pixel(x, 20) for x in (0, 49, 50, 99)] == [[255, 0, 0]] * 2 + [[0, 255, 0]] * 2


def test_a_camera_of_a_higher_order_lies_above(studio):
    """A camera of higher order is drawn above the others; its background fills only its viewport."""
    stage = studio((100, 40), settings={"render": {"background": "#0000ff"}})
    stage.put(5000, 0, Camera(viewport=(0.5, 0.5, 0.5, 0.5), order=1, primary=False, background=RED))
    stage.put(0, 0, Camera())
    stage.shoot()
    assert [stage.pixel(x, y) for x, y in ((10, 10), (90, 10), (49, 30), (50, 30), (90, 20), (90, 19))] == [
        [0, 0, 255], [0, 0, 255], [0, 0, 255], [255, 0, 0], [255, 0, 0], [0, 0, 255],
    ]  # fmt: skip


def test_a_background_may_let_what_is_below_shine_through(studio):
    """A half transparent background blends with the view below; without a background nothing is covered."""
    stage = studio((100, 40), settings={"render": {"background": "#0000ff"}})
    stage.put(0, 0, Camera())
    stage.put(5000, 0, Camera(viewport=(0, 0, 0.3, 1), order=1, background=(1, 0, 0, 0.5)))
    stage.put(5000, 0, Camera(viewport=(0.7, 0, 0.3, 1), order=1))
    stage.shoot()
    assert stage.pixel(5, 5) == pytest.approx([128, 0, 127], abs=1)
    assert stage.pixel(95, 5) == [0, 0, 255]


def test_a_camera_sees_the_layers_that_it_names(studio, caplog):
    """A camera draws only the layers that it names; an unknown layer is reported once, with the nearest name."""
    stage = studio((100, 40), layers=["ground", "fog", {"hud": SCREEN}])
    stage.put(0, 0, box(GREEN, layer="ground"))
    stage.put(0, 0, box(BLUE, layer="fog"))
    stage.put(0, 0, Camera(viewport=(0, 0, 0.5, 1)))
    stage.put(0, 0, Camera(viewport=(0.5, 0, 0.5, 1), layers=["ground", "grund"]))
    stage.shoot()
    stage.shoot()
    assert (stage.pixel(10, 10), stage.pixel(90, 10)) == ([0, 0, 255], [0, 255, 0])
    lines = [record.getMessage() for record in caplog.records if "grund" in record.getMessage()]
    assert len(lines) == 1
    assert "did you mean 'ground'?" in lines[0]


def test_screen_layers_are_drawn_once_over_all_cameras(studio):
    """A screen layer is drawn once over all cameras, and a world layer above it is drawn over it."""
    stage = studio((100, 40), layers=["world", {"hud": SCREEN}, "top"])
    stage.put(0, 0, Camera(viewport=(0, 0, 0.5, 1)))
    stage.put(0, 0, Camera(viewport=(0.5, 0, 0.5, 1)))
    stage.put(50, 20, Shape(size=(60, 10), color=GREEN, layer="hud"))
    stage.shoot()
    assert [stage.pixel(x, 20) for x in (25, 49, 50, 75)] == [[0, 255, 0]] * 4
    first, second = (name for name in names(stage) if name.startswith("view."))
    assert names(stage) == ["main", first, "flat", "main.2", second]
    assert second == f"{first}.2"


def test_inactive_cameras_show_nothing(studio):
    """A disabled camera has no pass, and the main pass is that of the first enabled primary camera."""
    stage = studio((100, 40), layers=["world"])
    first = stage.put(0, 0, Camera())
    stage.put(0, 0, Camera(viewport=(0.5, 0, 0.5, 1)))
    stage.shoot()
    assert len(names(stage)) == 2
    stage.world.get(first, Camera).enabled = False
    stage.shoot()
    assert names(stage) == ["main"]
    assert stage.world[Frame].passes["main"].viewport == (0.5, 0, 0.5, 1)


def test_what_other_plugins_draw_is_seen_by_every_camera(rish_app, streaks):
    """A batch that was added to `main` before extraction appears in each view that draws its layer."""

    layers = ["back", "front"]
    app = rish_app({"layers": layers}, plugins={"render": plugin, "streaks": streaks(layer=1)})
    for seen in ([], ["front"], ["back"]):
        app.world.spawn(*_somewhere(), Camera(layers=seen))
    app.frame()
    app.frame()
    assert [len(step.batches) for step in app.world[Frame].steps()] == [1, 1, 0]


def _somewhere():
    from rish_core import Transform

    return [Transform(position=(10, 10))]


def test_a_camera_draws_a_picture_of_its_own(studio):
    """A camera's target has the size and background of the camera, and is removed with it."""
    stage = studio((100, 40))
    stage.put(0, 0, Shape(size=(10, 10), color=GREEN))
    camera = stage.put(0, 0, Camera(target="tv", target_size=(32, 16), background=(1, 0, 0, 0.5)))
    stage.shoot()
    assert names(stage)[:2] == ["camera.tv", "main"]
    picture = stage.app.host.backend.pixels("camera.tv")
    assert picture.shape == (16, 32, 4)
    assert picture[8, 16].tolist() == [0, 255, 0, 255]
    assert picture[0, 0].tolist() == [128, 0, 0, 128]
    stage.world.despawn(camera)
    stage.shoot()
    stage.shoot()
    assert "camera.tv" not in stage.world[Frame].targets
    assert "camera.tv" not in names(stage)


def test_pictures_that_show_one_another_are_no_circle(studio):
    """Passes whose inputs form a cycle keep their order, so that a camera which shows itself shows the last frame."""
    stage = studio((100, 40))
    for target in ("a", "b:c"):
        stage.put(0, 0, Camera(target=target))
    stage.shoot()
    frame = stage.world[Frame]
    frame.passes["camera.a"].inputs = ("camera.b_c", "camera.a")
    frame.passes["camera.b_c"].inputs = ("camera.a",)
    assert [p.name for p in frame.ordered()][:2] == ["camera.a", "camera.b_c"]


def test_a_sprite_shows_a_cameras_picture(studio):
    """A sprite can show the image of a camera, and raises no error after the camera is gone."""
    stage = studio((100, 40), layers=["world"], settings={"render": {"background": "#000000"}})
    stage.put(1000, 0, Shape(size=(500, 500), color=GREEN))
    camera = stage.put(1000, 0, Camera(target="tv", target_size=(20, 10)))
    stage.put(50, 20, Sprite(image="camera:tv"))
    stage.shoot()
    assert [stage.pixel(x, 20) for x in (39, 40, 59, 60)] == [[0, 0, 0], [0, 255, 0], [0, 255, 0], [0, 0, 0]]
    stage.world.despawn(camera)
    for _ in range(3):
        stage.shoot()


def test_the_picture_of_an_inactive_camera(studio):
    """The image of a disabled camera is empty if it was never drawn, and keeps its last frame otherwise."""
    stage = studio((100, 40), layers=["world"], settings={"render": {"background": "#000000"}})
    stage.put(1000, 0, Shape(size=(500, 500), color=GREEN))
    camera = stage.put(1000, 0, Camera(target="tv", target_size=(20, 10), enabled=False))
    stage.put(50, 20, Sprite(image="camera:tv"))
    stage.shoot()
    assert stage.pixel(50, 20) == [0, 0, 0]
    for active in (True, False):
        stage.world.get(camera, Camera).enabled = active
        stage.shoot()
        stage.shoot()
        assert stage.pixel(50, 20) == [0, 255, 0]


@pytest.mark.parametrize(
    "hostile", [{"viewport": (0.3, 0.3, 0, 0)}, {"height": 1e-30}, {"target": "x", "target_size": (1, 1)}]
)
def test_odd_cameras_do_no_harm(studio, hostile):
    """A viewport of no size, a tiny height and a target of one pixel raise no error."""
    stage = studio((100, 40))
    stage.put(0, 0, Shape())
    stage.put(0, 0, Camera(**hostile))
    stage.put(0, 0, Camera())
    assert stage.shoot().shape == (40, 100, 4)


def test_lit_and_unlit_layers_have_passes_of_their_own(studio):
    """Lit and unlit layers are in separate passes marked by their rank; the image is the same as with one pass."""
    layers = [{"sky": {"lit": False}}, "back", "front", {"glow": {"lit": False}}, {"hud": SCREEN}]
    stage = studio((100, 40), layers=layers)
    for number, layer in enumerate(("sky", "back", "front", "glow")):
        stage.put(20 + 20 * number, 20, Shape(size=(30, 30), color=(RED, GREEN, BLUE, RED)[number], layer=layer))
    stage.put(50, 5, Shape(size=(100, 4), color=GREEN, layer="hud"))
    stage.shoot()
    steps = [step.pass_ for step in stage.world[Frame].steps()]
    ranks = [(pass_.name, pass_.rank) for pass_ in steps]
    assert ranks == [("main", "unlit"), ("main.2", "lit"), ("main.3", "unlit"), ("flat", "screen")]
    assert [stage.pixel(x, 20) for x in (10, 30, 50, 70)] == [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 0, 0]]


def test_layers_of_the_screen_are_never_lit(studio):
    """Screen layers below or above the world are never in passes of rank "lit"."""
    stage = studio((100, 40), layers=[{"sky": SCREEN}, "world", {"hud": SCREEN}])
    for layer in ("sky", "world", "hud"):
        stage.put(50, 20, box(RED, layer=layer))
    stage.shoot()
    ranks = {step.pass_.name: step.pass_.rank for step in stage.world[Frame].steps()}
    assert ranks == {"flat": "unlit", "main": "lit", "flat.2": "screen"}


@pytest.mark.parametrize("space", ["world", "screen"])
def test_layers_behind_have_passes_of_their_own(studio, space: str):
    """All layers up to the highest one with the option `behind` are in passes that are behind, the others are not."""
    stage = studio((100, 40), layers=["far", {"sky": {"behind": True, "space": space}}, "front", {"hud": SCREEN}])
    for number, layer in enumerate(("far", "sky", "front", "hud")):
        stage.put(20 + 20 * number, 20, Shape(size=(30, 30), color=(RED, GREEN, BLUE, RED)[number], layer=layer))
    stage.shoot()
    behind = [(step.pass_.name, step.pass_.behind) for step in stage.world[Frame].steps()]
    lower = [("main", True)] if space == "world" else [("main", True), ("flat", True)]
    upper = [("main.2", False), ("flat" if space == "world" else "flat.2", False)]
    assert behind == [*lower, *upper]
    assert [stage.pixel(x, 20) for x in (10, 30, 50, 70)] == [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 0, 0]]


def test_a_picture_of_its_own_is_parted_as_well(studio):
    """A camera with a target draws lit and unlit layers in separate passes as well, one after another."""
    stage = studio((100, 40), layers=["world", {"glow": {"lit": False}}])
    stage.put(0, 0, Camera(target="map", target_size=(32, 32)))
    stage.put(0, 0, box(RED, layer="world"))
    stage.put(0, 0, Shape(size=(10, 10), color=GREEN, layer="glow"))
    stage.shoot()
    steps = [step.pass_ for step in stage.world[Frame].steps() if step.pass_.targets == ("camera.map",)]
    assert [pass_.rank for pass_ in steps] == ["lit", "unlit"]
    picture = stage.app.host.backend.pixels("camera.map")
    assert [picture[16, 16, :3].tolist(), picture[2, 2, :3].tolist()] == [[0, 255, 0], [255, 0, 0]]
