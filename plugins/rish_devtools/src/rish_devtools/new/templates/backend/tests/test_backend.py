"""The tests of the backend: the contract of all backends, and what this one writes."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from rish_frame.testing import BackendContract, picture_frame, sample_batches

from PACKAGE import CLASS

SVG = "{http://www.w3.org/2000/svg}"
RED = (255, 0, 0, 255)


class TestContract(BackendContract):
    """The rules that every backend must keep; tests of what it does not have are skipped."""

    make = CLASS
    # Public methods of NullBackend that are outside the contract, or no capability of this one.
    extras = frozenset(
        {"drawn", "send", "reserve", "rumble", "write_clipboard", "read_clipboard", "fullscreen"}
    )


@pytest.fixture
def draw():
    """A function that draws batches and returns the elements of the picture."""

    def make(*batches, path=None):
        backend = CLASS(path)
        backend.open("test", (64, 48), visible=False)
        frame = picture_frame((64, 48))
        for batch in batches:
            frame.add(batch)
        backend.draw(frame)
        backend.close()
        return ElementTree.fromstring(backend.document)

    return make


@pytest.mark.parametrize(
    ("kind", "element"),
    [("shapes", "rect"), ("lines", "path"), ("polygons", "polygon"), ("sprites", "rect")],
)
def test_each_kind_is_an_element_of_its_color(draw, kind, element):
    """A batch of one thing becomes one element with the thing's color."""
    (found,) = draw(sample_batches(rgba=RED)[kind]).iterfind(f"{SVG}g/{SVG}{element}")
    assert "#ff0000" in (found.get("fill"), found.get("stroke"))


def test_the_camera_turns_the_y_axis_down(draw):
    """One unit up in the game is one unit up in the picture, whose y axis points down."""
    (group,) = draw(sample_batches()["shapes"]).iterfind(f"{SVG}g")
    assert group.get("transform") == "matrix(1 0 0 -1 0 48)"


def test_the_last_picture_is_written(draw, tmp_path: Path):
    """`close` writes the picture to the file."""
    draw(sample_batches()["lines"], path=tmp_path / "picture.svg")
    assert ElementTree.parse(tmp_path / "picture.svg").getroot().tag == f"{SVG}svg"


def test_a_game_is_drawn(rish_app):
    """A game runs with the backend, which gets a frame each time."""
    backend = CLASS()
    rish_app({"game": {"title": "Test", "size": [64, 48]}}, backend=backend).run(frames=2)
    assert backend.drawn_frames == 2
    assert backend.document.startswith("<svg")
