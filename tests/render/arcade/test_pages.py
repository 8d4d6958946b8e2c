"""Pages of any number and size are stored in one texture array, and keep their texels when they move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_frame import BackendError
from rish_frame.frame import ADDITIVE
from rish_render.backends.arcade.pages import FRAMES_A_ROW, Pages

pytestmark = pytest.mark.gl


def page(seed: int, width: int, height: int) -> np.ndarray:
    """Return random texels."""
    return np.random.default_rng(seed).integers(0, 256, (height, width, 4)).astype(np.uint8)


@pytest.fixture
def pages(arcade: Any) -> Pages:
    """Return an empty page store on the device of an open backend."""
    arcade._opened()
    return Pages(arcade._device)


def texels(pages: Pages, number: int) -> np.ndarray:
    """Return the texels of a page as stored on the graphics card."""
    place = pages.places[number]
    layers = pages._device.read_layers(pages.texture, pages._size)
    return layers[place.layer, place.y : place.y + place.height, place.x : place.x + place.width]


def test_pages_of_any_size_share_an_array_and_keep_their_texels(pages: Pages):
    """Pages of small, wide, high and large sizes keep their texels, and no two overlap."""
    sizes = [(64, 64)] * 5 + [(300, 20), (10, 700), (600, 500), (1, 1), (256, 256)]
    given = {k: page(k, *size) for k, size in enumerate(sizes)}
    for number, pixels in given.items():
        assert pages.put(number, pixels) == pixels.nbytes
        for known in range(number + 1):
            assert (texels(pages, known) == given[known]).all(), (number, known)
    width, height, layers = pages._size
    taken = np.zeros((layers, height, width), int)
    for place in pages.places.values():
        taken[place.layer, place.y : place.y + place.height, place.x : place.x + place.width] += 1
    assert taken.max() == 1


def test_a_large_page_does_not_make_room_for_as_many_more(pages: Pages):
    """Sixteen pages of 256 beside one of 1024 take two layers, not seventeen."""
    for number in range(16):
        pages.put(number, page(number, 256, 256))
    pages.put(16, page(16, 1024, 1024))
    assert pages._size == (1024, 1024, 2)


def test_reserved_pages_are_stored_without_another_enlargement(pages: Pages):
    """Pages for which room was reserved together keep the array and the layout, and all texels are right."""
    pages.put(0, page(0, 300, 300))
    given = {number: page(number, 1000, 200 + 100 * number) for number in range(1, 8)}
    pages.reserve({number: (pixels.shape[1], pixels.shape[0]) for number, pixels in given.items()})
    texture, layout = pages.texture, pages.layout
    for number, pixels in given.items():
        assert pages.put(number, pixels) == pixels.nbytes
    assert (pages.texture, pages.layout) == (texture, layout)
    for number, pixels in {0: page(0, 300, 300), **given}.items():
        assert (texels(pages, number) == pixels).all()


def test_only_the_part_that_changed_is_uploaded(pages: Pages):
    """Only the changed rectangle is uploaded, and the rest of the page is ignored."""
    first, second = page(1, 40, 30), page(2, 40, 30)
    pages.put(1, first)
    layout = pages.layout
    assert pages.put(1, second, (8, 4, 10, 6)) == 10 * 6 * 4
    expected = first.copy()
    expected[4:10, 8:18] = second[4:10, 8:18]
    assert (texels(pages, 1) == expected).all()
    assert pages.layout == layout


def test_a_page_of_another_size_takes_the_number(pages: Pages):
    """A page can be replaced by one of another size; the old place is reused when the layers are laid out again."""
    pages.put(1, page(1, 40, 30))
    pages.put(1, page(2, 50, 60))
    assert (texels(pages, 1) == page(2, 50, 60)).all()
    for k in range(200):
        pages.put(1, page(k, 200 + k % 2, 200))
    assert pages._size[2] <= 4


def test_a_page_that_is_no_picture_or_too_large_is_refused(pages: Pages):
    """An invalid or too large page raises BackendError with its number."""
    with pytest.raises(BackendError, match=r"page 4 must be uint8"):
        pages.put(4, np.zeros((4, 4, 3), np.uint8))
    too_wide = pages._device.limit + 1
    with pytest.raises(BackendError, match=r"page 4 of .* is too large"):
        pages.put(4, np.zeros((1, too_wide, 4), np.uint8))


def test_the_table_holds_rectangles_layer_and_what_is_left_of_alpha(pages: Pages):
    """The table holds clipped rectangles, layer and alpha factor; rows without a page or an area are flagged."""
    pages.put(3, page(1, 40, 30))
    pages.put(5, page(2, 64, 20))
    rows = np.array(
        [
            [3, 1, 2, 11, 12, 0],
            [5, 64, 0, 0, 20, ADDITIVE],
            [3, -5, 10, 100, 20, 0],
            [9, 0, 0, 4, 4, 0],
            [3, 4, 4, 4, 8, 0],
        ],
        np.float32,
    )
    cut = pages._cut(rows, None).reshape(-1, 2, 4)
    assert cut.shape == (FRAMES_A_ROW, 2, 4)
    three, five = pages.places[3], pages.places[5]
    moved = [three.x, three.y, three.x, three.y]
    assert cut[0, 0].tolist() == (np.array([1, 2, 11, 12]) + moved).tolist()
    assert cut[1, 0].tolist() == [five.x + 64, five.y, five.x, five.y + 20]
    assert cut[2, 0].tolist() == (np.array([0, 10, 40, 20]) + moved).tolist()
    assert cut[:6, 1, 0].tolist() == [three.layer, five.layer, three.layer, -1, -1, -1]
    assert cut[:2, 1, 1].tolist() == [1, 0]


def test_a_table_is_made_once_until_something_changes(pages: Pages):
    """The table is made again only when its version or the layout of the pages changes."""
    pages.put(3, page(1, 40, 30))
    rows = np.array([[3, 0, 0, 4, 4, 0]], np.float32)
    made: list[int] = []
    real = pages._cut
    pages._cut = lambda *given: made.append(1) or real(*given)  # pyright: ignore[reportAttributeAccessIssue]
    for version in (1, 1, 2, 2):
        pages.table(rows, version)
    assert len(made) == 2
    pages.put(4, page(1, 8, 8))
    pages.table(rows, 2)
    assert len(made) == 3
    many = np.zeros((FRAMES_A_ROW * 3, 6), np.float32)
    assert pages.table(many, 3).size == (2 * FRAMES_A_ROW, 4)
