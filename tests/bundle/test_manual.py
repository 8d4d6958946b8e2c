"""The manual as HTML: links, pictures, lists of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from long_runs import only_long
from rish_bundle import write_manual
from rish_core import UsageError

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "tutorial.md": """# Tutorial & more

[To a page](how-to/yard.md#a-swing-for-two), [a list](how-to/README.md), [a folder](how-to), [the web](https://example.org),
[a game](../games/pond/game.yaml), [a source](../plugins/rish_physics/README.md) and [an absent one](lost.md).
![The yard](pictures/the%20yard.png) ![Lost](pictures/lost.png)
""",
    "how-to/README.md": "# How to\n\n[back](../tutorial.md)\n",
    "how-to/yard.md": """# The `yard`

## A swing for two
## A swing for two

```yaml file=yard/game.yaml
rish: 1
```

| a | b |
|---|---|
| x | {{title}} |

<img src="../pictures/the%20yard.png" width="3">
""",
}


@pytest.fixture
def bundle(tmp_path: Path, pond: Path) -> Path:
    """Return a bundle with a game and the manual."""
    docs = tmp_path / "docs"
    for name, text in PAGES.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8")
    (docs / "pictures").mkdir()
    (docs / "pictures" / "the yard.png").write_bytes(b"a picture")
    written = write_manual(docs, pond.parents[1] / "bundle")
    files = [path for path in (pond.parents[1] / "bundle").rglob("*") if path.is_file()]
    assert sorted(path.relative_to(pond.parents[1] / "bundle").as_posix() for path in files) == written
    return pond.parents[1] / "bundle"


def dead_links(folder: Path) -> Iterator[str]:
    """Yield the links and pictures of all pages that lead to no file and no anchor."""
    pages = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    for page, text in pages.items():
        for target in re.findall(r'(?:href|src)="([^"]*)"', text):
            name, _, anchor = unquote(target).partition("#")
            path = (page.parent / name).resolve() if name else page
            if re.match(r"https?:", target):
                continue
            if not target or not path.exists() or (anchor and f'id="{anchor}"' not in pages[path]):
                yield f"{page}: {target}"


def test_links_lead_to_what_is_in_the_bundle(bundle: Path) -> None:
    """Pages and their anchors, lists of folders, pictures and the web; everything else becomes text."""
    text = (bundle / "docs" / "tutorial.html").read_text(encoding="utf-8")
    for href in ("how-to/yard.html#a-swing-for-two", "how-to/index.html", "https://example.org"):
        assert f'<a href="{href}">' in text
    assert text.count('href="how-to/index.html"') == 2
    assert "<span>a source</span>" in text
    assert "<span>an absent one</span>" in text
    assert '<img src="pictures/the%20yard.png" alt="The yard" />' in text
    assert list(dead_links(bundle / "docs")) == [f"{bundle / 'docs' / 'tutorial.html'}: "]  # the lost picture


def test_a_link_to_a_game_of_the_bundle_is_kept(bundle: Path, tmp_path: Path) -> None:
    """It leads from the manual to the folder of games beside it."""
    (bundle / "games" / "pond").mkdir(parents=True)
    (bundle / "games" / "pond" / "game.yaml").write_text("")
    write_manual(tmp_path / "docs", bundle)
    assert '<a href="../games/pond/game.yaml">' in (bundle / "docs" / "tutorial.html").read_text(encoding="utf-8")


def test_a_page_has_anchors_colors_and_the_list_of_its_folder(bundle: Path) -> None:
    """Equal headings get numbers as on GitHub; the text of a page is never taken for a word of the template."""
    text = (bundle / "docs" / "how-to" / "yard.html").read_text(encoding="utf-8")
    assert 'id="a-swing-for-two"' in text
    assert 'id="a-swing-for-two-1"' in text
    assert '<div class="file">yard/game.yaml</div>' in text
    assert '<span class="nt">rish</span>' in text
    assert "<td>{{title}}</td>" in text
    assert '<li><a href="yard.html" aria-current="page">The yard</a></li>' in text
    assert '<img src="../pictures/the%20yard.png" width="3">' in text
    assert "<title>The yard – Rish</title>" in text


def test_the_first_page_names_all_pages(bundle: Path) -> None:
    """It begins with the tutorial, and its titles are escaped."""
    text = (bundle / "docs" / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<a href="([^"]*)">([^<]*)', text) == [
        ("tutorial.html", "Tutorial &amp; more"),
        ("how-to/index.html", "How to"),
        ("how-to/yard.html", "The yard"),
    ]


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    """The message says how to leave the manual out."""
    with pytest.raises(UsageError, match="no pages of the manual"):
        write_manual(tmp_path / "nowhere", tmp_path)


@only_long
@pytest.mark.slow
def test_every_link_of_the_documentation_leads_somewhere(tmp_path: Path) -> None:
    """The whole documentation of this repository is rendered without a dead link, picture or anchor."""
    write_manual(DOCS, tmp_path)
    assert not list(dead_links(tmp_path))
