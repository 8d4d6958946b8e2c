"""Chooses the font for a cluster: first the text's own font, then the packaged fonts, then those of the system.

The default is Noto Sans from the package `manimgx-fonts`, which also has Noto fonts for other scripts and for symbols.
Chinese, Japanese and Korean need a far larger font, which the extra `rish-render[cjk]` installs (`noto-cjk-sans-otc`).
Without it, a small font inside this package has the characters of menus in Traditional Chinese (`shipped/words.txt`).
It comes before the system's fonts if the language is Traditional Chinese; otherwise it comes last, because its
characters have the forms of that language. The files are found without importing their packages, and opened when a
character first needs them. If no font has a character, a box is drawn.
"""

from __future__ import annotations

import importlib.util
import itertools
import logging
import os
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

from rish_frame.paint.writing import is_ideographic, is_invisible, is_word
from rish_system import font_folders

from .coverage import Coverage, read_coverage
from .fonts import FontFile
from .scripts import is_cjk

_log = logging.getLogger("rish.render")

DEFAULT = ("manimgx_fonts", "NotoSans[wght].ttf")
CJK = ("noto_cjk_sans_otc", "NotoSansCJK-Regular.ttc")
"""The packages of the default font and of the font for Chinese, Japanese and Korean, and their files."""
SHIPPED = Path(__file__).parent / "shipped" / "NotoSansTC-subset.otf"
"""The font inside this package; `docs/make_font.py` makes it."""
_LANGUAGES = {"ja": 0, "ko": 1, "zh-hans": 2, "zh-cn": 2, "zh": 2, "zh-hant": 3, "zh-tw": 3, "zh-hk": 4}
_TRADITIONAL = (3, 4)
_KNOWN = (
    "NotoSansCJK-Regular", "NotoSansCJK", "SourceHanSans", "NotoSansTC", "NotoSansSC", "NotoSansJP", "PingFang",
    "Hiragino", "msyh", "msjh", "YuGoth", "meiryo", "msgothic", "malgun", "AppleSDGothic", "wqy", "DroidSansFallback",
    "Arial Unicode", "DejaVuSans.ttf", "seguisym", "Symbola", "Apple Symbols", "FreeSans.ttf", "unifont",
)  # fmt: skip
_MADE_FOR = (
    ("SansCJK-", "SansCJK.", "SansJP", "CJKjp", "Hiragino", "YuGoth", "meiryo", "msgothic"),
    ("SansCJK-", "SansCJK.", "SansKR", "CJKkr", "malgun", "AppleSDGothic", "Nanum"),
    ("SansCJK-", "SansCJK.", "SansSC", "CJKsc", "msyh", "wqy", "PingFang"),
    ("SansCJK-", "SansCJK.", "SansTC", "CJKtc", "msjh", "PingFang"),
    ("SansCJK-", "SansCJK.", "SansHK", "CJKhk", "msjh", "PingFang"),
)
"""Parts of the names of the system's fonts with the forms of each language, by the numbers of `_LANGUAGES`."""
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
    path = packaged(*DEFAULT)
    if path is None:
        _log.warning("manimgx-fonts is not installed; texts use the font in Pillow, which has only a few characters")
        return FontFile()
    return packaged_font(path)


@cache
def packaged_font(path: Path, index: int = 0) -> FontFile:
    """Return a font of an installed package; all games of this process share it with what is drawn of it."""
    return FontFile(path, path.name, index)


class Faces:
    """All fonts of a game, in the order of preference. language: selects the forms of Han characters, as in `zh-Hant`.

    search: whether the system's fonts are searched too.
    """

    def __init__(self, language: str = "", search: bool = True) -> None:
        self.language, self.search = language, search
        self._read: dict[Path, Coverage] = {}
        self._open: dict[Path, FontFile | None] = {}
        self._chosen: dict[tuple[int, str], FontFile | None] = {}

    @cached_property
    def default(self) -> FontFile:
        """The default font."""
        return default_font()

    @cached_property
    def _siblings(self) -> list[FontFile]:
        """The upright fonts in the default font's package: those of scripts first, then those of symbols."""
        folder = packaged(*DEFAULT)
        if folder is None:
            return []
        paths = [p for p in sorted(folder.parent.glob("Noto*.ttf")) if "Italic" not in p.name and p.name != DEFAULT[1]]
        paths.sort(key=lambda path: ("Symbols" in path.name, "Emoji" in path.name))
        return [packaged_font(path) for path in paths]

    @cached_property
    def _cjk(self) -> list[FontFile]:
        path = packaged(*CJK)
        return [packaged_font(path, self._index(path))] if path is not None else []

    @cached_property
    def _shipped(self) -> FontFile:
        """The font inside this package."""
        return packaged_font(SHIPPED)

    @property
    def _forms(self) -> int:
        """The number of the language's forms of Han characters; Japanese for languages without any.

        Further parts of a tag, as in `ko-KR` and `zh-Hant-TW`, do not matter.
        """
        tag = self.language.lower()
        while tag and tag not in _LANGUAGES:
            tag = tag.rpartition("-")[0]
        return _LANGUAGES.get(tag, 0)

    @property
    def traditional(self) -> bool:
        """Whether the language is written with the forms of Traditional Chinese."""
        return self._forms in _TRADITIONAL

    def _index(self, path: Path) -> int:
        """Return which font of a collection has the forms of Han characters for the language."""
        pan = path.suffix.lower() == ".ttc" and "CJK" in path.name
        return self._forms if pan else 0

    @cached_property
    def _system(self) -> list[Path]:
        """The font files of the system: those made for the language first, then those with many characters."""
        paths = [path for folder in font_folders() for path in _fonts_in(folder)]
        rank = {name.lower(): k for k, name in enumerate(_KNOWN)}
        preferred = [name.lower() for name in _MADE_FOR[self._forms]]

        def order(path: Path) -> tuple[bool, int, str]:
            name = path.name.lower()
            position = min((k for key, k in rank.items() if key in name), default=len(rank))
            return not any(key in name for key in preferred), position, str(path)

        return sorted(paths, key=order)[:_MAX_LOOKED_AT]

    def pick(self, cluster: str, first: FontFile) -> FontFile | None:
        """Return the font for a cluster of a text in the font `first`; None if no font has it."""
        key = (id(first), cluster if is_word(cluster) or len(cluster) > 1 else cluster[0])
        if key in self._chosen:
            return self._chosen[key]
        wanted = [character for character in cluster if not is_invisible(character)]
        face = first if not wanted or not first.coverage else self._search(wanted, first)
        self._chosen[key] = face
        return face

    def _search(self, wanted: list[str], first: FontFile) -> FontFile | None:
        """Return the first font with all the characters, otherwise the first with the leading one, otherwise None."""
        for characters in (wanted, wanted[:1]) if len(wanted) > 1 else (wanted,):
            for face in self._chain(characters[0], first):
                if all(character in face.coverage for character in characters):
                    return face
        face = self._of_system(wanted[0]) if self.search else None
        if face is None and is_cjk(wanted[0]) and wanted[0] in self._shipped.coverage:
            return self._shipped
        return face

    def _chain(self, character: str, first: FontFile) -> Iterator[FontFile]:
        yield first
        if self.default is not first:
            yield self.default
        if not is_ideographic(character):
            yield from itertools.chain(self._siblings, self._cjk)
            return
        yield from self._cjk
        if self.traditional and is_cjk(character):
            yield self._shipped
        yield from self._siblings

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
