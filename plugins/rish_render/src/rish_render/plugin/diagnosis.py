"""The lines of `rish doctor` about backends, and about fonts: which writing has one, and which characters have none."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rish_ecs import RishError
from rish_frame import BackendError
from rish_frame.paint.writing import is_invisible

from ..backends.arcade import gl
from ..kinds.text.faces import CJK, DEFAULT, SHIPPED, Faces, packaged
from ..kinds.text.fonts import FontFile, load_font
from ..kinds.text.scripts import WRITINGS, missing_line, way_to_get
from ..kinds.text.strings import strings_of

Line = tuple[str, str, str]

_SUFFIXES = (".ttf", ".otf", ".ttc")


def diagnose_backends() -> Iterator[Line]:
    """Yield a line if the backend `arcade` is missing, because arcade is not installed."""
    try:
        gl.find_library()
    except BackendError as error:
        yield "--", "arcade", str(error)


def diagnose_fonts(manifest: Any) -> Iterator[Line]:
    """Yield the lines of the doctor. manifest: of a game whose strings are looked at too, or None."""
    sources: dict[str, list[str]] = {}
    missing: dict[str, list[str]] = {}
    for name, (language, sample) in WRITINGS.items():
        source = _source_of(Faces(language), sample)
        if source is None:
            missing.setdefault(way_to_get(sample), []).append(name)
        else:
            sources.setdefault(source, []).append(name)
    for source, names in sources.items():
        yield "ok", "fonts", f"{', '.join(names)}: {source}"
    count = len(FontFile(SHIPPED, SHIPPED.name).coverage)
    yield "ok", "fonts", f"words of menus and editors in Traditional Chinese: inside rish-render, {count} characters"
    for way, names in missing.items():
        yield "--", "fonts", f"{', '.join(names)}: no font has all of it. To get one: {way}"
    if manifest is not None and manifest.root is not None:
        yield _of_game(manifest)


def _source_of(faces: Faces, sample: str) -> str | None:
    """Return where the font for the first of some characters comes from, or None if one of them has no font."""
    faces_found = [faces.pick(character, faces.default) for character in sample]
    face = faces_found[0]
    if face is None or None in faces_found:
        return None
    if not isinstance(face.source, Path):
        return "the font inside Pillow"
    for (package, name), distribution in ((DEFAULT, "manimgx-fonts"), (CJK, "noto-cjk-sans-otc")):
        installed = packaged(package, name)
        if installed is not None and face.source.parent == installed.parent:
            return f"installed with {distribution}"
    return f"the system's font {face.source}"


def _of_game(manifest: Any) -> Line:
    """Return the line about a game's strings: which of their characters neither its fonts nor this machine's have."""
    settings = manifest.section("settings").get("render")
    language = str(settings.get("language", "")) if isinstance(settings, dict) else ""
    strings = list(strings_of(manifest.root))
    characters = sorted({character for text in strings for character in text if not _blank(character)})
    faces, own = Faces(language), list(_own_fonts(manifest.root, strings))
    missing = [
        character
        for character in characters
        if not any(character in font.coverage for font in own) and faces.pick(character, faces.default) is None
    ]
    if not missing:
        return "ok", "fonts", f"{manifest.file}: every character of the game's strings has a font"
    return "--", "fonts", f"{manifest.file}: {missing_line(missing, language)}. To get one: {way_to_get(missing)}"


def _blank(character: str) -> bool:
    return is_invisible(character) or unicodedata.category(character) in ("Zs", "Zl", "Zp", "Cs")


def _own_fonts(root: Path, strings: Iterable[str]) -> Iterator[FontFile]:
    """Yield the fonts in a game's folder, and those of packages that its strings name, as `package:path`."""
    named = (
        text.partition(":") for text in strings if text.endswith(_SUFFIXES) and text.partition(":")[0].isidentifier()
    )
    of_packages = (path for package, _, name in named if name and (path := packaged(package, name)))
    inside = (path for path in sorted(root.rglob("*")) if path.suffix.lower() in _SUFFIXES)
    for path in itertools.chain(inside, of_packages):
        try:
            yield load_font(path)
        except (OSError, RishError):
            continue
