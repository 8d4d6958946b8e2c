"""The texts of paintings become letters in the cells of the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Layers, Transform
from rish_frame import BoxItem, Frame, ImageItem, NullBackend, Painting, Paintings, Part, TextItem, TextLook
from rish_frame import plugin as frame_plugin
from rish_frame.frame import Fit
from rish_frame.frame.camera_math import orthographic, view_2d
from rish_frame.paint.cells import CellTypesetter
from rish_frame.paint.labels import Label, labels_of

WHITE, RED = (255, 255, 255, 255), (255, 0, 0, 255)
LAYERS = ["world", {"hud": {"space": "screen"}}, {"top": {"space": "screen"}}]


@pytest.fixture
def app(rish_app: Callable[..., Any]) -> Any:
    """A game on a display of 20 by 6 cells, each 10 by 20 pixels."""
    manifest = {"game": {"size": [200, 120]}, "layers": LAYERS}
    made = rish_app(manifest, plugins={"frame": frame_plugin}, backend=NullBackend(cell=(10.0, 20.0)))
    made.frame(seconds=0.1)
    made.world[Frame].passes["main"].projection = orthographic(0, 200, 0, 120)
    return made


def text(app: Any, source: str, x: float = 0, y: float = 120, color: Any = WHITE, **look: Any) -> TextItem:
    """Return a text with its top left corner at a place."""
    return TextItem(app.world[Frame].typesetter.typeset(app.world, source, TextLook(**look)), x, y, color)


def paint(app: Any, *parts: Part, name: str = "menu", **options: Any) -> Painting:
    """Add a painting, on the layer `hud` unless another one is given."""
    made = Painting(**{"layer": "hud", **options}, parts=list(parts))
    app.world[Paintings].items[name] = made
    return made


def rows(app: Any) -> list[str]:
    """Return the rows of the screen with the letters of the next frame."""
    grid = [[" "] * 20 for _ in range(6)]
    for label in labels_of(app.world, app.world[Frame]):
        grid[label.row][label.column] = label.text
        if label.cells == 2:
            grid[label.row][label.column + 1] = ""
    return ["".join(row).rstrip() for row in grid]


def test_the_frame_has_letters_and_a_typesetter_for_cells(app: Any) -> None:
    """With a backend of cells the frame sets texts in cells, and gets the letters of all paintings before drawing."""
    assert app.world[Frame].typesetter.cell == (10.0, 20.0)
    paint(app, Part(texts=[text(app, "A中", 30, 80)]))
    app.draw()
    assert list(app.world[Frame].labels) == [Label(3, 2, "A", 1, WHITE), Label(4, 2, "中", 2, WHITE)]


def test_without_cells_the_typesetter_is_that_of_the_plugin() -> None:
    """A plugin's typesetter is used again when the backend has no cells; the size of cells follows the fit."""
    frame, own = Frame((300, 120)), CellTypesetter((1.0, 1.0))
    frame.typesetter = own
    assert frame.typesetter is own
    frame.cell = 3.0, 6.0
    cells = frame.typesetter
    assert cells is not own
    assert cells.cell == (3.0, 6.0)
    version = cells.version
    frame.fit = Fit((600, 120), (50, 30, 200, 60))
    assert frame.typesetter.cell == (9.0, 12.0)
    assert cells.version > version
    frame.cell = None
    assert frame.typesetter is own


def test_letters_go_to_the_nearest_cells(app: Any) -> None:
    """A text is moved to the nearest cells, and its lines are one cell apart."""
    paint(app, Part(texts=[text(app, "one\ntwo", 14, 87)]))
    assert rows(app) == ["", "", " one", " two", "", ""]


def test_letters_outside_a_clip_rectangle_are_left_out(app: Any) -> None:
    """Only letters whose cells have their middle inside the clip rectangle and the screen are shown."""
    paint(app, Part(clip=(20, 90, 40, 30), texts=[text(app, "abcdefgh\nabcdefgh")]))
    assert rows(app)[:2] == ["  cdef", "  cdef"]
    paint(app, Part(clip=(20, 105, 40, 15), texts=[text(app, "abcdefgh\nabcdefgh")]))
    assert rows(app)[:2] == ["  cdef", ""]
    paint(app, Part(texts=[text(app, "x" * 30, -50, 130), text(app, "中", 195, 60)]))
    assert rows(app) == ["x" * 20, "", "", "", "", ""]


def test_a_later_box_hides_the_texts_below_it(app: Any) -> None:
    """Boxes and backs of later parts, paintings and layers hide letters; earlier ones and those of the part do not."""
    box = BoxItem(20, 100, 30, 20, fill=(9, 9, 9, 255))
    paint(app, Part(boxes=[box], texts=[text(app, "abcdefg")]))
    assert rows(app)[0] == "abcdefg"
    paint(app, Part(texts=[text(app, "abcdefg")]), Part(boxes=[box]))
    assert rows(app)[0] == "ab   fg"
    paint(app, Part(texts=[text(app, "abcdefg")]), Part(backs=[ImageItem("panel.png", 0, 100, 20, 20)]))
    assert rows(app)[0] == "  cdefg"
    paint(app, Part(texts=[text(app, "abcdefg")]))
    paint(app, Part(boxes=[box]), name="shade", layer="world")
    assert rows(app)[0] == "abcdefg"
    paint(app, Part(boxes=[box], texts=[text(app, "X", 30)]), name="shade", layer="top")
    assert rows(app)[0] == "ab X fg"


def test_order_is_by_layer_then_z_then_name(app: Any) -> None:
    """Of two texts in the same cells the later one is shown; half covered wide letters disappear."""
    paint(app, Part(texts=[text(app, "中中中")]), name="first", z=2.0)
    paint(app, Part(texts=[text(app, "ab", 10)]), name="second", z=1.0)
    assert rows(app)[0] == "中中中"
    app.world[Paintings].items["first"].z = 1.0
    assert rows(app)[0] == " ab 中"


def test_a_translucent_box_tints_the_texts_below_it(app: Any) -> None:
    """Letters below a translucent box get its color in part, with the mean of a gradient."""
    shade = BoxItem(0, 0, 200, 120, fill=(0, 0, 0, 128), fill_end=(100, 0, 0, 126))
    paint(app, Part(texts=[text(app, "a", color=(200, 200, 200, 255))]), Part(boxes=[shade]))
    assert labels_of(app.world, app.world[Frame])[0].color == (125, 100, 100, 255)


def test_opacities_multiply(app: Any) -> None:
    """The opacities of the painting, the text and its color are multiplied; what is not visible is left out."""
    item = text(app, "a[#00ff0080]b[/]", markup=True)._replace(opacity=0.5)
    painting = paint(app, Part(texts=[item]), opacity=0.5)
    assert [one.color for one in labels_of(app.world, app.world[Frame])] == [(255, 255, 255, 64), (0, 255, 0, 32)]
    painting.opacity = 0.0
    assert rows(app)[0] == ""
    painting.opacity, painting.visible = 1.0, False
    assert rows(app)[0] == ""


def test_offset_scale_entity_and_fit_place_a_painting(app: Any) -> None:
    """Lengths are scaled around the offset, the entity's position is added, and the fit places the game's view."""
    entity = app.world.spawn(Transform(position=(20, 0)))
    app.frame(seconds=0.1)
    painting = paint(app, Part(texts=[text(app, "a", 10, 20)]), offset=(10, 20), scale=2.0, entity=entity)
    assert rows(app) == ["", "", "", "     a", "", ""]
    app.world.despawn(entity)
    assert rows(app) == [""] * 6
    painting.entity, painting.scale, painting.offset = 0, 1.0, (0.0, 0.0)
    app.world[Frame].fit = Fit((100, 40), (0, 20, 200, 80))
    assert rows(app) == ["", "", "", "  a", "", ""]


def test_hidden_layers_have_no_letters(app: Any) -> None:
    """Paintings on a hidden layer are not shown; an unknown layer counts as the first one."""
    paint(app, Part(texts=[text(app, "a")]))
    app.world[Layers].show("hud", False)
    assert rows(app)[0] == ""
    paint(app, Part(texts=[text(app, "b")]), layer="no such layer", name="other")
    assert rows(app)[0] == "b"


def test_texts_in_the_world_follow_the_camera(app: Any) -> None:
    """On a layer in the world a text is placed by the camera of the main pass, and not beyond its viewport."""
    main = app.world[Frame].passes["main"]
    main.view, main.projection = view_2d(50, 50, 0.0, 1.0), orthographic(-50, 50, -60, 60)
    main.viewport = 0.5, 0.0, 0.5, 1.0
    paint(app, Part(texts=[text(app, "abc", 50, 50), text(app, "abcde", -20, 110)]), layer="world")
    assert rows(app) == ["          cde", "", "", "               abc", "", ""]


def test_texts_that_another_typesetter_set_are_set_again(app: Any) -> None:
    """A text that was set before the backend was swapped is shown in cells as well."""

    class Other:
        source, look = "[gold]old[/]", TextLook(markup=True)

    paint(app, Part(texts=[TextItem(Other(), 0, 120, WHITE)]))
    assert rows(app)[0] == "old"


def test_a_game_without_paintings_or_cells_has_no_labels(rish_app: Callable[..., Any]) -> None:
    """A backend without cells gets no labels."""
    made = rish_app({}, plugins={"frame": frame_plugin}, backend=NullBackend())
    made.frame(seconds=0.0)
    made.world[Paintings].items["a"] = Painting()
    assert made.world[Frame].cell is None
    assert labels_of(made.world, made.world[Frame]) == []
