"""The folder of a page: its files, its links, and equal bytes for equal games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest
from PIL import Image

from rish_core import ManifestError
from rish_page import Download, PageWish, is_page, write_page
from tools import needs

from .test_document import Tree

needs("av", "films")
pytestmark = pytest.mark.slow
Make = Callable[..., Path]


def test_all_links_lead_to_files_of_the_folder(make: Make, tmp_path: Path) -> None:
    """Nothing is missing, nothing is left over, and nothing leads out of the folder; pictures have their sizes."""
    program = tmp_path / "夜 pond.zip"
    program.write_bytes(b"x")
    folder = make(downloads=lambda: [Download(program, program.name, "Linux", "archive")])
    tree = Tree((folder / "index.html").read_text(encoding="utf-8"))
    links = {value.partition("#")[0] for _, names in tree.elements for key in ("src", "href", "poster")
             if (value := names.get(key))}  # fmt: skip
    linked = {unquote(link) for link in links if link}
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert linked | {"index.html", "picture.jpg", "glow.jpg"} == files
    assert 'url("glow.jpg")' in (folder / "style.css").read_text(encoding="utf-8")
    assert (folder / "downloads" / program.name).read_bytes() == b"x"
    with Image.open(folder / "icon.png") as icon:
        assert icon.size == (90, 90)  # of a game without one: the middle of a picture
    for names in (names for tag, names in tree.elements if tag == "img" and "src" in names):
        with Image.open(folder / str(names["src"])) as picture:
            assert (str(picture.width), str(picture.height)) == (names["width"], names["height"])
    assert is_page(folder)


def test_two_pages_of_one_game_have_equal_bytes(make: Make) -> None:
    """No date, no name of a folder and no order of a set is in them."""
    first, second = ({path.name: path.read_bytes() for path in make().iterdir()} for _ in range(2))
    assert first == second


def test_the_icon_is_that_of_the_game(make: Make, pond: Path, tmp_path: Path) -> None:
    """`icon.*` of the game's folder, or the one of the option."""
    for name, color in (("icon.png", (9, 200, 9)), ("other.png", (200, 9, 9))):
        Image.new("RGB", (400, 400), color).save(pond / name)
    for wishes, color in (({}, (9, 200, 9)), ({"icon": pond / "other.png"}, (200, 9, 9))):
        with Image.open(make(**wishes) / "icon.png") as icon:
            assert (icon.size, icon.convert("RGB").getpixel((9, 9))) == ((192, 192), color)


def test_mistakes_are_found_before_the_game_is_played(pond: Path, tmp_path: Path) -> None:
    """A page needs a game that can be played, and a description that can be read."""
    wish = PageWish(pond, "pond")
    (pond / "page.yaml").write_text("page: 1\ncontrols: {jmup: Hop}\n", encoding="utf-8")
    with pytest.raises(ManifestError, match=r"page.yaml:2:12: controls.jmup.*'jump'"):
        write_page(tmp_path, wish, tmp_path / "scratch", lambda step: None)
    (pond / "game.yaml").write_text("rish: 1\nscenes: {\n", encoding="utf-8")
    with pytest.raises(ManifestError, match=r"game.yaml:\d"):
        write_page(tmp_path, wish, tmp_path / "scratch", lambda step: None)


def test_only_a_folder_with_a_page_and_nothing_else_is_a_page(make: Make, tmp_path: Path) -> None:
    """What somebody has put into the folder is not lost."""
    folder = make()
    (folder / "letter.txt").write_bytes(b"")
    assert not is_page(folder)
    assert not is_page(tmp_path)
    (tmp_path / "index.html").write_text("<!DOCTYPE html>", encoding="utf-8")
    assert not is_page(tmp_path)
