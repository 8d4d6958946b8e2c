"""Chooses the font for a cluster: first the text's own font, then the packaged fonts, then those of the system.

The default is Noto Sans from the package `manimgx-fonts`, which also has Noto fonts for other scripts and for symbols.
Chinese, Japanese and Korean need a far larger font, which the extra `rish-render[cjk]` installs (`noto-cjk-sans-otc`).
The files are found without importing their packages, and opened when a character first needs them. If no font has a
character, a box is drawn, and one log line says what to install.
"""

from __future__ import annotations

import importlib.util
import itertools
import logging
import os
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from .breaking import is_ideographic
from .clusters import is_invisible, is_word
from .coverage import Coverage, read_coverage
from .fonts import FontFile

_log = logging.getLogger("rish.render")

_PACKAGE, _DEFAULT = "manimgx_fonts", "NotoSans[wght].ttf"
_CJK_PACKAGE, _CJK = "noto_cjk_sans_otc", "NotoSansCJK-Regular.ttc"
_LANGUAGES = {"ja": 0, "ko": 1, "zh-hans": 2, "zh-cn": 2, "zh": 2, "zh-hant": 3, "zh-tw": 3, "zh-hk": 4}
_KNOWN = (
    "NotoSansCJK-Regular", "NotoSansCJK", "SourceHanSans", "NotoSansTC", "NotoSansSC", "NotoSansJP", "PingFang",
    "Hiragino", "msyh", "msjh", "YuGoth", "meiryo", "msgothic", "malgun", "AppleSDGothic", "wqy", "DroidSansFallback",
    "Arial Unicode", "DejaVuSans.ttf", "seguisym", "Symbola", "Apple Symbols", "FreeSans.ttf", "unifont",
)  # fmt: skip
_MAX_LOOKED_AT = 200


def packaged(package: str, name: str) -> Path | None:
    """Return the path of a file inside an installed package, found without importing it, or None if it is missing."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = Path(folder) / name
        if path.is_file():
            return path
    return None


def default_font() -> FontFile:
    """Return Noto Sans. If its package is missing, logs a warning and returns the small font inside Pillow."""
    path = packaged(_PACKAGE, _DEFAULT)
    if path is None:
        _log.warning("manimgx-fonts is not installed; texts use the font in Pillow, which has only a few characters")
        return FontFile()
    return FontFile(path, path.name)


class Faces:
    """All fonts of a game, in the order of preference. language: selects the forms of Han characters, as in `zh-Hant`.

    search: whether the system's fonts are searched too.
    """

    def __init__(self, language: str = "", search: bool = True) -> None:
        self.language, self.search = language, search
        self._read: dict[Path, Coverage] = {}
        self._open: dict[Path, FontFile | None] = {}
        self._chosen: dict[tuple[int, str], FontFile | None] = {}
        self._told: set[bool] = set()

    @cached_property
    def default(self) -> FontFile:
        """The default font."""
        return default_font()

    @cached_property
    def _brothers(self) -> list[FontFile]:
        """The upright fonts in the default font's package: those of scripts first, then those of symbols."""
        folder = packaged(_PACKAGE, _DEFAULT)
        if folder is None:
            return []
        paths = [p for p in sorted(folder.parent.glob("Noto*.ttf")) if "Italic" not in p.name and p.name != _DEFAULT]
        paths.sort(key=lambda path: ("Symbols" in path.name, "Emoji" in path.name))
        return [FontFile(path, path.name) for path in paths]

    @cached_property
    def _cjk(self) -> list[FontFile]:
        path = packaged(_CJK_PACKAGE, _CJK)
        return [FontFile(path, path.name, self._index(path))] if path is not None else []

    def _index(self, path: Path) -> int:
        """Return which font of a collection has the forms of Han characters for the language."""
        pan = path.suffix.lower() == ".ttc" and "CJK" in path.name
        return _LANGUAGES.get(self.language.lower(), 0) if pan else 0

    @cached_property
    def _system(self) -> list[Path]:
        """The font files of the system, those with many characters first."""
        paths = [path for folder in _folders() for path in _fonts_in(folder)]
        rank = {name.lower(): k for k, name in enumerate(_KNOWN)}

        def order(path: Path) -> tuple[int, str]:
            name = path.name.lower()
            return min((k for key, k in rank.items() if key in name), default=len(rank)), str(path)

        return sorted(paths, key=order)[:_MAX_LOOKED_AT]

    def pick(self, cluster: str, first: FontFile) -> FontFile | None:
        """Return the font for a cluster of a text in the font `first`; None if no font has it."""
        key = (id(first), cluster if is_word(cluster) or len(cluster) > 1 else cluster[0])
        if key in self._chosen:
            return self._chosen[key]
        wanted = [character for character in cluster if not is_invisible(character)]
        face = first if not wanted or not first.coverage else self._search(wanted, first)
        if face is None:
            self._tell(wanted[0])
        self._chosen[key] = face
        return face

    def _search(self, wanted: list[str], first: FontFile) -> FontFile | None:
        """Return the first font with all the characters, otherwise the first with the leading one, otherwise None."""
        for characters in (wanted, wanted[:1]) if len(wanted) > 1 else (wanted,):
            for face in self._chain(characters[0], first):
                if all(character in face.coverage for character in characters):
                    return face
        return self._of_system(wanted[0]) if self.search else None

    def _chain(self, character: str, first: FontFile) -> Iterator[FontFile]:
        yield first
        if self.default is not first:
            yield self.default
        groups = (self._cjk, self._brothers) if is_ideographic(character) else (self._brothers, self._cjk)
        yield from itertools.chain(*groups)

    def _of_system(self, character: str) -> FontFile | None:
        """Return a system font that has the character, or None. Each file is read once, when it is first needed."""
        for path in self._system:
            coverage = self._read.get(path)
            if coverage is None:
                coverage = self._read[path] = read_coverage(path, self._index(path))
            face = self._opened(path) if character in coverage else None
            if face is not None:
                return face
        return None

    def _opened(self, path: Path) -> FontFile | None:
        """Return a font of the system, or None if FreeType can't open it."""
        if path not in self._open:
            face = FontFile(path, path.name, self._index(path))
            try:
                face.at(16)
                _log.info("some characters are drawn with the system font %s", path)
                self._open[path] = face
            except OSError:
                self._open[path] = None
        return self._open[path]

    def _tell(self, character: str) -> None:
        """Log once that no font has a character; Chinese, Japanese and Korean ones get a message of their own."""
        cjk = is_ideographic(character) and not 0x1F000 <= ord(character) < 0x20000
        if cjk in self._told:
            return
        self._told.add(cjk)
        way = "pip install 'rish-render[cjk]'" if cjk else "name a font that has it in Text.font"
        _log.warning("no font has the character %s, a box is drawn instead. To fix it: %s", _named(character), way)


def _named(character: str) -> str:
    return f"{character!r} (U+{ord(character):04X})"


def _folders() -> list[Path]:
    """Return the folders in which operating systems keep fonts."""
    home = Path.home()
    if sys.platform == "win32":
        return [Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts", home / "AppData/Local/Microsoft/Windows/Fonts"]
    if sys.platform == "darwin":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"]
    return [home / ".local/share/fonts", home / ".fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts")]


def _fonts_in(folder: Path) -> Iterator[Path]:
    """Yield the font files of a folder and its subfolders, at most a few thousand."""
    count = 0
    for where, _, names in os.walk(folder):
        for name in names:
            if name.lower().endswith((".ttf", ".otf", ".ttc", ".otc")):
                count += 1
                yield Path(where) / name
        if count > 10 * _MAX_LOOKED_AT:
            return
