"""HTML is made of elements whose texts are escaped."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from rish_page.markup import element, joined


class Reader(HTMLParser):
    """Collects what a browser would read: elements, values and texts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember an element."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Remember a text."""
        self.texts += data


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"))), st.text(st.characters(exclude_categories=("Cs", "Cc"))))
def test_any_text_is_read_as_itself(text: str, value: str) -> None:
    """Neither a text nor the value of an attribute can end its element or begin another."""
    page = Reader(element("p", text, element("a", text, href=value)))
    assert page.tags == [("p", {}), ("a", {"href": value})]
    assert page.texts == text + text


def test_attributes_and_children_may_be_left_out() -> None:
    """None and False are left out; True is a name without a value; underscores are hyphens."""
    image = element("img", src="a.png", alt="", hidden=False, data_time=None)
    assert image == '<img src="a.png" alt="">'
    assert element("div", None, image, class_="a", hidden=True) == f'<div class="a" hidden>{image}</div>'
    assert joined("<", None, image, by=" ") == f"&lt; {image}"
