"""The typefaces of the editor, and the few sizes that text has.

Noto Sans, regular and semi-bold, is for all text, and Inconsolata for code and columns of numbers. Icons and Chinese
are merged into each face, so any text may contain them. ImGui draws a glyph when it is first needed, so a font costs
little more than the reading of its file. Sizes are pixels at a scale of 1; ImGui multiplies them by
`style.font_scale_dpi`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import imgui_bundle
from imgui_bundle import imgui

from rish_system import east_asian_fonts

SMALL, BODY, TITLE, DISPLAY = 13.0, 15.0, 18.0, 24.0
"""The sizes of text, pixels."""
SHIPPED = Path(__file__).parent / "shipped"
_BUNDLED = Path(imgui_bundle.__file__).parent / "assets" / "fonts"
_ICONS = _BUNDLED / "Font_Awesome_6_Free-Solid-900.otf"
_CHINESE = SHIPPED / "NotoSansTC-common.otf"
_LIGHT_HINTING, _BOLD = 1 << 3, 1 << 5
"""Flags of ImGui's FreeType loader: hints only along the vertical axis; thicker outlines."""
_ICON_SIZE, _ICON_WIDTH = 0.84, 1.2
"""The em and the advance of an icon, as parts of the size of text."""
_MAX_BYTES = 40 * 2**20
"""System fonts of more bytes are not used: ImGui keeps the whole file in memory."""

_STYLES = {
    "small": ("regular", SMALL),
    "body": ("regular", BODY),
    "strong": ("bold", BODY),
    "section": ("bold", SMALL),
    "title": ("bold", TITLE),
    "display": ("bold", DISPLAY),
    "code": ("mono", BODY),
}


class _Style(AbstractContextManager[None]):
    """A context manager. A class, because it is entered often in a frame, and a generator is slower."""

    __slots__ = ("_face", "_size")

    def __init__(self, face: imgui.ImFont, size: float) -> None:
        self._face, self._size = face, size

    def __enter__(self) -> None:
        imgui.push_font(self._face, self._size)

    def __exit__(self, *error: object) -> None:
        imgui.pop_font()


@dataclass(frozen=True)
class Fonts:
    """The faces of the editor in ImGui's atlas."""

    regular: imgui.ImFont
    bold: imgui.ImFont
    mono: imgui.ImFont

    def style(self, name: str) -> AbstractContextManager[None]:
        """Draw text in a style: `small`, `body`, `strong`, `section`, `title`, `display` or `code`."""
        face, size = _STYLES[name]
        return _Style(getattr(self, face), size)


def load_fonts(system: bool = True) -> Fonts:
    """Add the editor's fonts to the atlas of the current ImGui context, and make the regular face the default.

    system: whether a font of the operating system supplies the characters that the shipped fonts lack.
    """
    fonts = Fonts(
        _face(SHIPPED / "NotoSans-Regular.ttf"),
        _face(SHIPPED / "NotoSans-SemiBold.ttf", bold=True),
        _face(_BUNDLED / "Inconsolata-Medium.ttf"),
    )
    path = system_font() if system else None
    if path is not None:
        _add(path, fonts.regular)
    imgui.get_io().font_default = fonts.regular
    imgui.get_style().font_size_base = BODY
    return fonts


def _face(path: Path, bold: bool = False) -> imgui.ImFont:
    """Return a font with the icons and Chinese merged into it."""
    face = _add(path)
    icons = imgui.ImFontConfig()
    icons.glyph_min_advance_x = icons.glyph_max_advance_x = BODY * _ICON_WIDTH
    icons.extra_size_scale = _ICON_SIZE
    _add(_ICONS, face, icons, flags=0)
    _add(_CHINESE, face, flags=_LIGHT_HINTING | (_BOLD if bold else 0))
    return face


def _add(
    path: Path,
    into: imgui.ImFont | None = None,
    settings: imgui.ImFontConfig | None = None,
    flags: int = _LIGHT_HINTING,
) -> imgui.ImFont:
    """Add a file to the atlas, as a font of its own or merged into another."""
    settings = settings or imgui.ImFontConfig()
    settings.font_loader_flags = flags
    if into is not None:
        settings.merge_mode = True
        settings.dst_font = into
    return imgui.get_io().fonts.add_font_from_file_ttf(str(path), BODY, settings)


def system_font() -> Path | None:
    """Return a font of the operating system with many characters of East Asia, or None."""
    there = (path for path in east_asian_fonts() if path.is_file())
    return next((path for path in there if path.stat().st_size <= _MAX_BYTES), None)
