"""Maps errors of a driver's shader compiler back to the author's file.

The author's text begins at line 1 of what is compiled; the engine's own text has the numbers from `OURS` on.
"""

from __future__ import annotations

import re

OURS = 50_000
"""The number of the first line of the engine's own text."""
AFTER = 60_000
"""The number of the first line of the engine's text that follows the author's."""
_FORMS = (
    re.compile(r"^\d+:(?P<line>\d+)\(\d+\): (?:preprocessor )?error: (?P<what>.*)", re.MULTILINE),
    re.compile(r"^\d+\((?P<line>\d+)\) ?: error \w+: (?P<what>.*)", re.MULTILINE),
    re.compile(r"^ERROR: \d+:(?P<line>\d+): (?P<what>.*)", re.MULTILINE),
)
"""The forms of compiler errors of Mesa, NVIDIA and the others (Apple, Intel, AMD)."""


def explain(log: str, place: str, source: str) -> str:
    """Return the first error of a compiler's log, with the author's file and line: `glow.frag:3: 'x' undeclared`.

    place: the file. source: the author's text.
    """
    for form in _FORMS:
        match = form.search(log)
        if match is not None:
            line = int(match["line"])
            if line >= AFTER:
                line = max(len(source.rstrip().splitlines()), 1)
            where = place if line >= OURS else f"{place}:{line}"
            return f"{where}: {match['what'].strip()}"
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return f"{place}: {lines[-1] if lines else 'it does not compile'}"
