"""Paintings are plain data that plugins fill."""

from __future__ import annotations

from rish_frame import BoxItem, ImageItem, LineItem, Painting, Paintings, Part, TextLook


def test_a_part_is_empty_until_it_has_items() -> None:
    """A part without items is empty; one item of any kind is enough to draw something."""
    assert Part().empty
    assert Part(clip=(0, 0, 5, 5)).empty
    for part in (
        Part(boxes=[BoxItem(0, 0, 1, 1)]),
        Part(backs=[ImageItem("a.png", 0, 0, 1, 1)]),
        Part(images=[ImageItem("a.png", 0, 0, 1, 1)]),
        Part(lines=[LineItem(0, 0, 1, 1, 1, (255, 255, 255, 255))]),
    ):
        assert not part.empty


def test_visible_paintings_are_in_the_order_in_which_they_were_added() -> None:
    """Iteration gives the visible paintings in order; a restore removes all."""
    paintings = Paintings()
    first, hidden, last = Painting("b"), Painting("a", visible=False), Painting("a")
    paintings.items.update(z=first, hidden=hidden, a=last)
    assert list(paintings) == [first, last]
    paintings.rebuild(None)
    assert not list(paintings)


def test_looks_are_keys() -> None:
    """Equal looks are equal keys, so that texts can be cached by them."""
    assert {TextLook(size=12): 1}[TextLook(size=12)] == 1
    assert TextLook(size=12) != TextLook(size=12, wrap=10)
