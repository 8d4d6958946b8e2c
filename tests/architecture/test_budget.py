"""The kernel stays small: its lines are counted, and a feature that does not fit is moved to another package."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest

from source_index import parsed

KERNEL = Path(__file__).parents[2] / "rish_core" / "src"
DECISION = Path(__file__).parents[2] / "docs" / "decisions" / "0003-size-of-the-kernel.md"
"""The page with the limits: the lines of the kernel's files, and those with code."""
LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def lines_of_code(text: str) -> int:
    """Return the number of lines of a source that contain code."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            found.update(range(token.start[0], token.end[0] + 1))
    for first, last in parsed(text).docstrings:
        found.difference_update(range(first, last + 1))
    return len(found)


def test_lines_of_code_are_counted_as_people_do() -> None:
    """Docstrings, comments and blank lines don't count; a statement over three lines counts as three."""
    assert (
        lines_of_code(
            '"""Doc.\n\nMore."""\n\nx = [\n    1,\n]  # one\n\n# two\n\n\ndef f():\n    "Doc."\n    return x\n'
        )
        == 5
    )


@pytest.mark.slow
def test_the_kernel_keeps_its_budget() -> None:
    """Both counts are within the limits of the decision, which is the only place that has them."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(KERNEL.rglob("*.py"))]
    limits = re.search(r"at most\s+([\d,]+) lines, ([\d,]+) of them code", DECISION.read_text(encoding="utf-8"))
    assert limits is not None
    most, most_code = (int(number.replace(",", "")) for number in limits.groups())
    assert sum(text.count("\n") for text in texts) <= most
    assert sum(map(lines_of_code, texts)) <= most_code
