"""Plugins make objects of files by the library of `rish_assets`, and do not follow files or log once by themselves."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "kits/rish_assets"
SOURCES = [
    path
    for folder in ("kits", "plugins", "examples/plugins")
    for path in sorted((ROOT / folder).glob("*/src/**/*.py"))
    if not path.is_relative_to(LIBRARY)
]


def lines_with(pattern: str) -> list[str]:
    """Return the lines of the sources that match a pattern, with their files."""
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in SOURCES
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(pattern, line)
    ]
    assert len(SOURCES) > 1000
    return found


def test_reloads_of_assets_are_heard_in_one_place() -> None:
    """No package subscribes to the reloads of `Assets`, or remembers which assets it watches."""
    assert lines_with(r"\.on_reload\(|id\(world\[Assets\]\)") == []


def test_one_class_watches_files() -> None:
    """No package uses the library for watching files, or looks at the files of assets at intervals."""
    assert lines_with(r"(import|from) watchfiles\b|CHECK_INTERVAL") == []


def test_one_class_logs_a_message_once() -> None:
    """No package has a set of the messages that it has logged.

    Scripts log a message again, but more quietly; the watchdog reports leaks again when they have ended.
    """
    found = lines_with(r"\b_?(logged|warned|told|reported): set\[")
    assert [line for line in found if not line.startswith(("plugins/rish_scripts", "plugins/rish_devtools"))] == []
