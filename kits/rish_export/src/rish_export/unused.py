"""The parts of libraries that a game does not need: tests, headers, samples, languages, code that is never imported."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

_SUFFIXES = (".pyi", ".pxd", ".pyx", ".h", ".hpp", ".c", ".cpp", ".a", ".lib", ".f90")
"""The endings of files that only compilers, linkers and editors read."""
_FOLDERS = frozenset({"tests", "test", "include", "__pyinstaller", "_pyinstaller"})
_LOCALE = re.compile(r"babel/locale-data/(?P<language>[a-z]+)(_\w+)?\.dat")


class Unused(NamedTuple):
    """What a distribution has that Rish does not use. module: its top-level module.

    requires: its requirements that are left out. files: a pattern of the paths that are left out.
    """

    module: str
    requires: frozenset[str]
    files: re.Pattern[str]


RULES = {
    # Of arcade only `arcade.gl` is used. Its samples are 26 MB, its libraries for macOS 60 MB.
    "arcade": Unused(
        "arcade", frozenset({"attrs", "pymunk", "pytiled-parser"}), re.compile(r"arcade/(?!__init__|gl/)")
    ),
    # Compilers of Fortran, and modules that only the tests of numpy load.
    "numpy": Unused("", frozenset(), re.compile(r"numpy/(f2py|distutils|_core/(_simd|_\w*_tests))\b")),
    # The codec of AVIF, 5 MB; color profiles and Tk.
    "pillow": Unused("", frozenset(), re.compile(r"(PIL/_|pillow\.libs/lib)(avif|imagingtk|imagingcms|lcms2)\b")),
}
"""By the plain name of a distribution. A rule counts only where no code of the game imports the module itself."""


def rules_for(imported: Collection[str]) -> dict[str, Unused]:
    """Return the rules that count. imported: the modules that code of the game and of its plugins imports."""
    return {name: rule for name, rule in RULES.items() if rule.module not in imported}


def unused_requirements(imported: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the requirements that are left out, by the plain name of the distribution. imported: see `rules_for`."""
    return {name: rule.requires for name, rule in rules_for(imported).items()}


def is_unused(name: str, rule: Unused | None, languages: Collection[str]) -> bool:
    """Return whether a program needs a library's file as little as the tests of the library.

    name: the path below `site-packages`. languages: the tags of those that the game has texts in.
    """
    locale = _LOCALE.fullmatch(name)
    if locale is not None:
        return locale["language"] not in {"root", *(tag.partition("-")[0] for tag in languages)}
    if name.endswith(_SUFFIXES) or not _FOLDERS.isdisjoint(name.split("/")):
        return True
    return rule is not None and rule.files.match(name) is not None
