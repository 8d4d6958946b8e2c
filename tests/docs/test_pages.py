"""The pages agree with the code and with one another: links, tables, reference, pictures."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from rish_core import launcher

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "rish_core" / "README.md"]
CODE = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
TABLE = re.compile(r"^(\|[^\n]*\|)\n\|[-|]+\|\n((?:\|[^\n]*\n)*)", re.M)
sys.path.insert(0, str(ROOT / "docs"))  # the scripts there share modules
LINK = re.compile(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")


def script(name: str) -> ModuleType:
    """Import a script of docs/ and return its module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link leads to an existing file, every anchor to a heading of it."""
    for target, picture in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = (target or picture).partition("#")
        if "://" in path:
            continue
        found = page.parent / path if path else page
        assert found.exists(), f"{page.name}: {path} does not exist"
        if anchor:
            assert anchor in anchors(found), f"{page.name}: {path} has no heading '{anchor}'"


Reference = tuple[ModuleType, dict[str, str]]


@pytest.fixture(scope="module")
def reference() -> Reference:
    """The script of the reference and the pages that it makes now."""
    make = script("make_reference")
    return make, make.pages()


@pytest.mark.slow
def test_the_reference_is_up_to_date(reference: Reference) -> None:
    """The pages of docs/reference are exactly those that their script makes now."""
    _, made = reference
    folder = ROOT / "docs" / "reference"
    assert sorted(path.name for path in folder.iterdir()) == sorted(made)
    stale = [name for name, text in made.items() if (folder / name).read_text(encoding="utf-8") != text]
    assert not stale, f"run: python docs/make_reference.py (out of date: {', '.join(stale)})"


@pytest.mark.slow
def test_nothing_in_the_reference_lacks_its_description(reference: Reference) -> None:
    """Every field, key, option, argument and name in a generated table says what it is, and no table is empty.

    A column without any text would be left out, so classes whose fields all lack one are looked at themselves.
    """
    make, pages = reference
    bare = [
        f"{name}: {line}"
        for name, text in pages.items()
        for head, rows in TABLE.findall(text)
        for line in rows.splitlines()
        if re.search(r"\| (what|meaning) \|$", head) and re.search(r"\|\s*\|$", line)
    ]
    assert bare == []
    known = make.registry()
    kinds = [*known.components.values(), *known.events.values(), *known.tables.values(), *known.resources.values()]
    for thing in [*kinds, *known.settings.values(), *known.layer_options.values()]:
        said = {name: spec.doc or make.field_texts(thing.cls).get(name) for name, spec in thing.fields.items()}
        bare += [
            f"{thing.cls.__name__}.{name}" for name, text in said.items() if not text and not thing.fields[name].hidden
        ]
    assert bare == []


def test_the_readme_is_short_and_shows_a_game_before_the_packages() -> None:
    """The README has fewer than 200 lines, and a newcomer plays and makes a game before reading about packages."""
    text = README.read_text(encoding="utf-8")
    assert text.count("\n") < 200
    steps = ["uv run rish run games/breakout", "file=hello/game.yaml", "file=rish-gust/rish_gust.py", "| package |"]
    places = [text.index(step) for step in steps]
    assert places == sorted(places)


def test_the_readme_names_every_package() -> None:
    """The README has a row for each package, and one for the examples."""
    rows = re.findall(r"^\| \[`(rish-\w+)`\]\(([^)]*)\) \|", README.read_text(encoding="utf-8"), re.M)
    folders = [ROOT / "rish_core", *ROOT.glob("libs/*"), *ROOT.glob("kits/*"), *ROOT.glob("plugins/*")]
    assert sorted(rows) == sorted(
        (folder.name.replace("_", "-"), folder.relative_to(ROOT).as_posix())
        for folder in folders
        if (folder / "pyproject.toml").is_file()
    )


def test_the_readme_shows_the_hello_of_the_games() -> None:
    """The README shows games/hello exactly."""
    shown = re.search(r"^```yaml file=hello/game.yaml\n(.*?)^```$", README.read_text(encoding="utf-8"), re.M | re.S)
    assert shown is not None
    assert shown[1] == (ROOT / "games" / "hello" / "game.yaml").read_text(encoding="utf-8")


def test_the_readme_begins_with_the_two_commands() -> None:
    """The first block of the README has the commands for a first start."""
    first = CODE.search(README.read_text(encoding="utf-8"))
    assert first is not None
    assert "pip install uv && uv run rish run games/breakout\n" in first[0]
    assert "uv run pytest\n" in first[0]


@pytest.mark.parametrize("scene", sorted((ROOT / "docs" / "scenes").iterdir()), ids=lambda scene: scene.name)
def test_the_scenes_of_the_pictures_are_fine(scene: Path) -> None:
    """The scenes from which pictures were made pass `rish check`."""
    assert launcher.main(["check", str(scene)]) == 0


def test_the_pictures_are_small_and_whole() -> None:
    """Every picture exists and can be opened, and a film is below 1.5 MB."""
    image = pytest.importorskip("PIL.Image")
    pictures = script("make_pictures")
    for name in pictures.TAKES:
        path = pictures.PICTURES / name
        assert path.stat().st_size < 1_500_000
        with image.open(path) as picture:
            assert min(picture.size) >= 200
