"""The parts of a line of YAML, for colors only: each line is parsed by itself; block scalars depend on the lines
above."""

from __future__ import annotations

import re
from collections.abc import Callable

Part = tuple[int, str]
"""Where a part begins, in characters, and what it is."""
_PART = re.compile(
    r"""(?P<comment>(?:(?<=\s)|^)\#.*)
    |(?P<key>(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'\[\]{},:#&*!|>%@`-][^,\[\]{}"'#:]*|-[^\s,\[\]{}:]+)(?=\s*:(?:\s|$)))
    |(?P<string>"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)
    |(?P<keyword>(?<![^\s\[{,])(?:true|false|null|yes|no|~)(?=\s*(?:[,\]}\#]|$)))
    |(?P<number>(?<![^\s\[{,])[-+]?(?:0x[\da-fA-F_]+|\.?\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?)(?=\s*(?:[,\]}\#]|$)))
    |(?P<anchor>(?<![^\s\[{,])[&*!][^\s,\[\]{}]*|^(?:---|\.\.\.)(?=\s|$)|<<(?=\s*:))
    |(?P<punctuation>[\[\]{},]|:(?=\s|$)|-(?=\s|$)|[|>][-+\d]*(?=\s*(?:\#|$)))
    |(?P<plain>[^\s\[\]{},]+)""",
    re.VERBOSE,
)
_BLOCK = re.compile(r"(?:^|[\s:-])[|>][-+\d]*\s*(?:#.*)?$")
_FAR = 400
"""The number of lines above that are searched for the begin of a block scalar."""


def parts_of(line: str) -> list[Part]:
    """Return the parts of a line: comment, key, string, keyword, number, anchor, punctuation and plain text."""
    return [(match.start(), match.lastgroup or "plain") for match in _PART.finditer(line)]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def opens_block(line: str) -> bool:
    """Return whether a line begins a block scalar, so that more indented lines below it are its text."""
    return _BLOCK.search(line) is not None and not line.lstrip().startswith("#")


def block_above(line_at: Callable[[int], str], number: int) -> int | None:
    """Return the indentation of the line that opens the block scalar of a line; None if the line is not in a block
    scalar."""
    own = line_at(number)
    least = _indent(own) if own.strip() else 10**6
    for above in range(number - 1, max(number - _FAR, -1), -1):
        line = line_at(above)
        if line.strip() and _indent(line) < least:
            least = _indent(line)
            if opens_block(line):
                return least
            if not least:
                break
    return None
