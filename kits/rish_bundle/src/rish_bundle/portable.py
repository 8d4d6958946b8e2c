"""What the file systems of USB sticks can't hold: links, some names, and names that differ in upper and lower case."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]|[ .]$')
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
_LONGEST = 180
"""The most characters of a path in a bundle; Windows allows 260 with the folders above."""


def problems(names: Iterable[str]) -> list[str]:
    """Return a sentence for each name that FAT, exFAT or Windows can't hold. names: paths of files, with `/`."""
    found, seen = list[str](), dict[str, str]()
    for name in names:
        if any(_FORBIDDEN.search(part) or _DEVICES.match(part) for part in PurePosixPath(name).parts):
            found.append(f"{name}: Windows and USB sticks have no such names")
        if len(name) > _LONGEST:
            found.append(f"{name}: longer than {_LONGEST} characters")
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            found.append(f"{name}: the same name as {other} where upper and lower case are equal")
    return found
