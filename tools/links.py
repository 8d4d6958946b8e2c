"""Links and pictures of a README as they work outside of the repository."""

from __future__ import annotations

import os
import re
from pathlib import Path

_FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_IMAGE = re.compile(r"<img\b[^>]*?\bsrc=\"([^\"]+)\"[^>]*>")
_OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|#")


class Links:
    """Makes the relative links of a text absolute.

    root: the repository's folder. page: the file of the text. repository: the address of the repository, to which
    `/blob/TAG/PATH` for files, `/tree/` for folders and `/raw/` for pictures are added; without one, a link becomes its
    text, and a picture is left out.
    """

    def __init__(self, root: Path, page: Path, repository: str | None, tag: str) -> None:
        self._root, self._page, self._repository, self._tag = root, page, repository, tag

    def absolute(self, text: str) -> str:
        """Return the text with absolute links; blocks of code stay as they are. Raises ValueError for a dead link."""
        parts: list[str] = []
        end = 0
        for fence in _FENCE.finditer(text):
            parts += [self._convert(text[end : fence.start()]), fence.group()]
            end = fence.end()
        return "".join([*parts, self._convert(text[end:])])

    def _convert(self, text: str) -> str:
        return _LINK.sub(self._link, _IMAGE.sub(self._image, text))

    def _link(self, match: re.Match[str]) -> str:
        picture, words, target = match.groups()
        words = self._convert(words)  # a picture can be a link
        if _OUTSIDE.match(target):
            return f"{picture}[{words}]({target})"
        address = self._address(target, "raw" if picture else None)
        if address is None:
            return "" if picture else words
        return f"{picture}[{words}]({address})"

    def _image(self, match: re.Match[str]) -> str:
        target = match.group(1)
        if _OUTSIDE.match(target):
            return match.group()
        address = self._address(target, "raw")
        return "" if address is None else match.group().replace(f'"{target}"', f'"{address}"')

    def _address(self, target: str, view: str | None) -> str | None:
        """Return the address of a file or folder of the repository; None without a repository."""
        name, _, anchor = target.partition("#")
        path = Path(os.path.normpath(self._page.parent / name))
        if not path.exists() or not path.is_relative_to(self._root):
            raise ValueError(f"{self._page}: the link {target} leads to nothing in the repository")
        if self._repository is None:
            return None
        view = view or ("tree" if path.is_dir() else "blob")
        inside = path.relative_to(self._root).as_posix()
        return f"{self._repository.rstrip('/')}/{view}/{self._tag}/{inside}" + (f"#{anchor}" if anchor else "")
