"""The pages of the manual: all of the documentation, with links that work in a bundle, and lists to find them by."""

from __future__ import annotations

import os
import posixpath
import shutil
from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote

from rish_core import UsageError

from .rendering import Rendered, colors, render

FOLDER = "docs"
"""The folder of the manual in a bundle; the editor looks for its `index.html`."""
_HOME = PurePosixPath("index.html")
_TITLE = "Manual of Rish"
_STYLE = "style.css"
_LIST = "README.md"
"""The page of a folder that lists the others."""
_FIRST = ("tutorial.md", "how-to/edit-a-game.md", "how-to/compose-a-game.md", "how-to/scripts.md", "glossary.md")
"""The pages that the first page names before all others, if they exist."""
_SECTIONS = {
    "how-to": "How to", "reference": "Reference", "theory": "Theory of 3D scenes", "contracts": "Contracts",
    "decisions": "Decisions",
}  # fmt: skip
"""The titles of folders in the order of the first page; others follow under their own names."""


def write_manual(docs: Path, bundle: Path) -> list[str]:
    """Write the pages of a folder as HTML into the folder of a bundle; return the names of all files.

    Links to other pages, and to files of the games in the bundle, are kept; what else they lead to is not in a bundle,
    so they become text. Raises UsageError for a folder without pages, and OSError.
    """
    manual = _Manual(docs, bundle)
    if not manual.sources:
        raise UsageError(
            f"there are no pages of the manual in {docs}", hint="Name their folder with --docs, or use --no-docs"
        )
    return sorted(manual.write())


class _Manual:
    """The manual while it is written. sources: the paths of the pages below the folder of the documentation."""

    def __init__(self, docs: Path, bundle: Path) -> None:
        self._docs, self._bundle = docs.resolve(), bundle
        self.sources = sorted(
            PurePosixPath(path.relative_to(self._docs).as_posix()) for path in self._docs.rglob("*.md")
        )
        self._others: set[PurePosixPath] = set()

    def write(self) -> Iterator[str]:
        """Write everything, and yield the names of the files in the bundle."""
        pages = {source: self._render(source) for source in self.sources}
        titles = {source: page.title or source.stem for source, page in pages.items()}
        template = (files("rish_bundle") / "manual" / "page.html").read_text(encoding="utf-8")
        for source, page in pages.items():
            yield self._save(_place(source), _filled(template, source, page, titles))
        home = Rendered(_TITLE, _home(titles))
        yield self._save(_HOME, _filled(template, PurePosixPath(_LIST), home, titles))
        style = (files("rish_bundle") / "manual" / _STYLE).read_text(encoding="utf-8")
        dark = f"@media (prefers-color-scheme: dark) {{\n{colors('github-dark')}\n}}\n"
        yield self._save(PurePosixPath(_STYLE), f"{style}\n{colors('friendly')}\n{dark}")
        for path in sorted(self._others):
            target = self._bundle / FOLDER / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self._docs / path, target)
            yield f"{FOLDER}/{path}"

    def _render(self, source: PurePosixPath) -> Rendered:
        text = (self._docs / source).read_text(encoding="utf-8")
        return render(text, lambda target: self._link(source, target))

    def _save(self, path: PurePosixPath, text: str) -> str:
        target = self._bundle / FOLDER / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
        return f"{FOLDER}/{path}"

    def _link(self, source: PurePosixPath, target: str) -> str | None:
        """Return where a link of a page leads in the bundle, None if that is not in it."""
        name, _, anchor = target.partition("#")
        path = PurePosixPath(os.path.normpath(f"{FOLDER}/{source.parent}/{unquote(name)}"))
        place = path.relative_to(FOLDER) if path.is_relative_to(FOLDER) else None
        here = PurePosixPath(FOLDER) / source.parent
        if place is None:
            return _relative(path, here) if (self._bundle / path).exists() and path.parts[0] == "games" else None
        if place in self.sources or place / _LIST in self.sources:
            page = place if place in self.sources else place / _LIST
            return _relative(FOLDER / _place(page), here) + (f"#{anchor}" if anchor else "")
        if not (self._docs / place).is_file() or place.suffix == ".py":  # programs that make pictures
            return None
        self._others.add(place)
        return _relative(path, here)


def _place(source: PurePosixPath) -> PurePosixPath:
    """Return the path of the page that is made of a source."""
    return source.with_name("index.html") if source.name == _LIST else source.with_suffix(".html")


def _relative(path: PurePosixPath, folder: PurePosixPath) -> str:
    return quote(posixpath.relpath(path, folder))


def _filled(template: str, source: PurePosixPath, page: Rendered, titles: dict[PurePosixPath, str]) -> str:
    """Return a page of HTML with the list of the pages in the same folder."""
    up = "../" * (len(source.parts) - 1)
    beside = {other: title for other, title in titles.items() if other.parent == source.parent and other.name != _LIST}
    section = _SECTIONS.get(str(source.parent), str(source.parent)) if source.parent.name else ""
    words = {
        "title": escape(page.title), "up": up, "section": escape(section),
        "pages": _list(beside, source) if section else "", "kind": "home" if page.title == _TITLE else "page",
    }  # fmt: skip
    for word, value in words.items():
        template = template.replace(f"{{{{{word}}}}}", value)
    return template.replace("{{body}}", page.body)  # last, since pages may contain such words


def _home(titles: dict[PurePosixPath, str]) -> str:
    """Return the first page: where to begin, then all pages by folder."""
    first = {path: titles[path] for path in map(PurePosixPath, _FIRST) if path in titles}
    folders = dict.fromkeys([*_SECTIONS, *(path.parent.as_posix() for path in titles)])
    parts = [f"<h1>{_TITLE}</h1>", "<h2>Begin here</h2>", _listed(first.items())]
    for folder in (name for name in folders if name != "."):
        pages = {path: title for path, title in titles.items() if path.parent.as_posix() == folder}
        if pages:
            whole = PurePosixPath(folder) / _LIST
            name = escape(_SECTIONS.get(folder, folder))
            name = f'<a href="{_place(whole)}">{name}</a>' if whole in titles else name
            parts += [f"<h2>{name}</h2>", _list({path: title for path, title in pages.items() if path.name != _LIST})]
    more = {path: title for path, title in titles.items() if len(path.parts) == 1 and path not in first}
    return "\n".join([*parts, "<h2>More</h2>", _list(more)])


def _list(pages: dict[PurePosixPath, str], current: PurePosixPath | None = None) -> str:
    """Return links to pages in the order of their titles. current: the page that has the list, None for the first."""
    return _listed(sorted(pages.items(), key=lambda pair: pair[1].casefold()), current)


def _listed(pages: Iterable[tuple[PurePosixPath, str]], current: PurePosixPath | None = None) -> str:
    folder = PurePosixPath() if current is None else current.parent
    lines = ["<ul>"]
    for path, title in pages:
        here = ' aria-current="page"' if path == current else ""
        lines.append(f'<li><a href="{_relative(_place(path), folder)}"{here}>{escape(title)}</a></li>')
    return "\n".join([*lines, "</ul>"])
