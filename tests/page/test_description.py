"""The file `page.yaml`: what it says, and mistakes with their places."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_core import ManifestError
from rish_page import Demo, Description, read_description


def read(folder: Path, text: str) -> Description:
    """Return the description of a text."""
    (folder / "page.yaml").write_text(text, encoding="utf-8")
    return read_description(folder, ["jump", "run"], ["main", "night"], ["download"])


def test_a_game_without_the_file_has_the_usual_page(tmp_path: Path) -> None:
    """No text is needed for a page."""
    assert read_description(tmp_path, [], [], []) == Description()


def test_everything_that_is_written_is_read(tmp_path: Path) -> None:
    """Each key has its place in the description; lines of a summary are joined."""
    text = """
page: 1
language: zh-Hant
summary: |
  One
  sentence.
text: "a\\n\\nb"
author: Ada
license: MIT
url: https://example.org/pond/
links: {Source: "https://example.org", Mail: "mailto:ada@example.org"}
color: "#FFB454"
controls: {jump: Hop, run: null}
words: {download: Get it}
play: {random: false, keys: TAB . A, seed: 5, seconds: 7, rate: 30, scenes: [night, main],
  set: {scene: night, a.b: [1, "x"]}}
"""
    assert read(tmp_path, text) == Description(
        language="zh-Hant",
        summary="One sentence.",
        text="a\n\nb",
        author="Ada",
        license="MIT",
        url="https://example.org/pond/",
        links={"Source": "https://example.org", "Mail": "mailto:ada@example.org"},
        color="#FFB454",
        controls={"jump": "Hop", "run": None},
        words={"download": "Get it"},
        demo=Demo(None, ("TAB", ".", "A"), 5, 7, 30, ("night", "main"), ('scene="night"', 'a.b=[1, "x"]')),
    )


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("[]", "page.yaml:1:1: the file must be a mapping"),
        ("page: 2", "page.yaml:1:7: page: the format must be 1"),
        ("page: 1\nsumary: x", "page.yaml:2:1: sumary: nothing is called 'sumary' here (did you mean 'summary'?)"),
        ("page: 1\nsummary: [x]", "page.yaml:2:10: summary: must be a text"),
        ("page: 1\nlanguage: 'en\"><script>'", "must be the tag of a language"),
        ("page: 1\ncolor: red", "page.yaml:2:8: color: must be a color in quotes"),
        ("page: 1\nurl: 'javascript:alert(1)'", "must be an address"),
        ("page: 1\nlinks: {x: 'javascript:alert(1)'}", "page.yaml:2:12: links.x: must be an address"),
        ("page: 1\ncontrols: {jmup: x}", "did you mean 'jump'?"),
        ("page: 1\ncontrols: {jump: 3}", "or null to hide it, not the number 3"),
        ("page: 1\nwords: {downlaod: x}", "did you mean 'download'?"),
        ("page: 1\nplay: {seconds: 0}", "play.seconds: must be a number from 0.1 to 600"),
        ("page: 1\nplay: {random: -1}", "must be a whole number from 0 up"),
        (
            "page: 1\nplay: {keys: RIGHT . RIHGT}",
            "page.yaml:2:14: play.keys: no key is called 'RIHGT'",
        ),
        ("page: 1\nplay: {scenes: [nigth]}", "page.yaml:2:17: play.scenes: nothing is called 'nigth' here"),
        ("page: 1\nplay: {scenes: night}", "must be a list of names"),
        ("page: 1\nplay: 3", "page.yaml:2:7: play: must be a mapping"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, mistake: str) -> None:
    """Values of other types, unknown keys and addresses that run code are refused."""
    with pytest.raises(ManifestError) as caught:
        read(tmp_path, text)
    assert mistake in str(caught.value).replace(str(tmp_path), "").replace(": /page", ": page")


def test_all_mistakes_are_named_together(tmp_path: Path) -> None:
    """One reading finds them all."""
    with pytest.raises(ManifestError) as caught:
        read(tmp_path, "page: 1\ncolor: red\nplay: {seed: x, rate: 0}")
    assert len(caught.value.problems) == 3
