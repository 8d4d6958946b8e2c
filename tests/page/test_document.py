"""The HTML of a page: well-formed, escaped, and all of its links lead to files beside it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rish_page import Description, Download
from rish_page.controls import Control
from rish_page.document import Clip, Page, Picture, clock
from rish_page.words import Words

EMPTY = {"meta", "link", "img", "br"}
HOSTILE = "<script>alert(1)</script>\"' onload=x & {title} 夜の池 \u202eبركة"


class Tree(HTMLParser):
    """Reads HTML strictly: each element is closed in order. Collects elements, names and texts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element; each attribute is there once."""
        assert len({name for name, _ in attrs}) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Remember a text."""
        self.text += data

    def all(self, tag: str, name: str) -> list[str | None]:
        """Return the values of an attribute of all elements with a tag."""
        return [attributes[name] for each, attributes in self.elements if each == tag and name in attributes]


def build(**changes: Any) -> Page:
    """Return a page with one of everything."""
    clip = Clip("recording-1.mp4", "recording-1.jpg", (160, 90), 75.0, True)
    values: dict[str, Any] = {
        "title": "The Pond",
        "name": "pond",
        "version": "1.0",
        "description": Description(summary="A pond.", text="One.\n\nTwo\nthree.", author="Ada", license="MIT"),
        "words": Words(),
        "film": Clip("film.mp4", "film.jpg", (160, 90)),
        "recordings": [clip],
        "pictures": [Picture(f"picture-{k}.webp", (160, 90), 0, 3.5 * k) for k in (1, 2)],
        "controls": [[Control("Jump", ("Space",), ("A",))]],
        "downloads": [],
    }
    return Page(**{**values, **changes})


def test_the_whole_page_is_well_formed_and_has_all_parts() -> None:
    """Title, description, texts, keys, two pictures, the film and the recording with its length."""
    tree = Tree(build().html())
    assert tree.all("html", "lang") == ["en"]
    for part in ("The Pond", "A pond.", "Two three.", "Jump", "Space", "License: MIT", "Version 1.0", "1:15"):
        assert part in tree.text
    assert len(tree.all("img", "alt")) == 3  # two pictures, and the one in the dialog
    names = {
        attributes.get("property"): attributes.get("content") for tag, attributes in tree.elements if tag == "meta"
    }
    assert (names["og:title"], names["og:image"]) == ("The Pond", "picture.jpg")
    identifiers = [value for _, attributes in tree.elements if (value := attributes.get("id"))]
    assert len(set(identifiers)) == len(identifiers)
    assert {href[1:] for href in tree.all("a", "href") if href and href.startswith("#")} <= set(identifiers)


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    """No text of the author, and no name of a file, adds an element, an attribute or a request."""
    file = tmp_path / "a b'#?<x>.zip"
    file.write_bytes(b"x")
    told = Description(
        summary=HOSTILE, text=HOSTILE, author=HOSTILE, license=HOSTILE, links={HOSTILE: "https://a.b/?c&d"}
    )
    plain = Tree(build(description=Description(*["x"] * 5, links={"x": "https://a.b"}), downloads=[
        Download(file, "x.zip", "x", "archive")]).html())  # fmt: skip
    tree = Tree(
        build(
            title=HOSTILE,
            name=HOSTILE,
            version=HOSTILE,
            description=told,
            controls=[[Control(HOSTILE, (HOSTILE,), ())]],
            downloads=[Download(file, file.name, HOSTILE, "archive")],
        ).html()
    )
    more = {"canonical", "kbd"}
    shape = [(tag, sorted(attributes)) for tag, attributes in tree.elements if tag not in more]
    assert [tag for tag, _ in shape if tag == "script"] == ["script"]
    assert not [name for _, names in shape for name in names if name.startswith("on")]
    assert {tag for tag, _ in shape} <= {tag for tag, _ in plain.elements}
    assert tree.text.count(HOSTILE) >= 6
    assert "downloads/a%20b%27%23%3F%3Cx%3E.zip" in tree.all("a", "href")


def test_a_page_without_texts_has_only_what_there_is() -> None:
    """Neither empty sections nor a dialog without pictures."""
    page = build(description=Description(), controls=[[]], pictures=[], version="")
    tree = Tree(page.html())
    assert tree.all("section", "id") == ["film", "recording"]
    assert "dialog" not in [tag for tag, _ in tree.elements]
    assert "Version" not in tree.text


def test_an_address_makes_the_picture_of_the_page_absolute() -> None:
    """Other sites find the picture only by a whole address."""
    html = build(description=Description(url="https://example.org/pond/")).html()
    assert 'content="https://example.org/pond/picture.jpg"' in html
    assert '<link rel="canonical" href="https://example.org/pond/">' in html


def test_keys_of_players_are_listed_by_player() -> None:
    """A heading for each player, where there are several."""
    player = [Control("Left", ("A",), ())]
    assert Tree(build(controls=[[], player, player]).html()).text.count("Player ") == 2
    assert "Player" not in Tree(build(controls=[player]).html()).text


def test_one_download_is_at_the_top_and_several_are_in_a_list(tmp_path: Path) -> None:
    """The size and the system are part of each link's name."""
    files = [tmp_path / name for name in ("pond-linux.tar.gz", "pond.rishgame")]
    for file in files:
        file.write_bytes(bytes(1_200_000))
    downloads = [
        Download(files[0], files[0].name, "Linux", "archive"),
        Download(files[1], files[1].name, "Pack", "pack"),
    ]
    one, two = (Tree(build(downloads=downloads[:count]).html()) for count in (1, 2))
    assert one.all("a", "href").count("downloads/pond-linux.tar.gz") == 2
    assert "Linux · 1.2 MB" in one.text
    assert "#downloads" in two.all("a", "href")
    assert "Download: Linux, 1.2 MB" in two.all("a", "aria-label")
    assert "start pond in the folder" in two.text


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59.9, "0:59"), (75, "1:15"), (3600, "60:00")])
def test_times_are_minutes_and_seconds(seconds: float, text: str) -> None:
    """A moment has the number of the second that has begun."""
    assert clock(seconds) == text
