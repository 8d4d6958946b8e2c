"""The downloads of a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_core import UsageError
from rish_page import program_name, read_downloads
from rish_page.downloads import size_text


def test_the_system_is_named_or_said_by_the_name_of_the_file(tmp_path: Path) -> None:
    """A file of which nothing says the system is called as it is."""
    names = ["pond-windows.zip", "pond.exe", "pond_macos.dmg", "pond-1.0-linux-x86_64.tar.gz", "pond.rishgame",
             "wind and = rain.zip"]  # fmt: skip
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    found = read_downloads([*(str(tmp_path / name) for name in names[:-1]), f"Everything={tmp_path / names[-1]}"])
    assert [each.label for each in found] == ["Windows", "Windows", "macOS", "Linux", "pond.rishgame", "Everything"]
    assert [each.kind for each in found] == ["archive", "program", "program", "archive", "pack", "archive"]
    assert read_downloads([str(tmp_path / names[-1])])[0].label == names[-1]


def test_a_missing_file_and_two_with_one_name_are_refused(tmp_path: Path) -> None:
    """The message has the option as it was written."""
    for name in ("a/x.zip", "b/X.zip"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(UsageError, match=r"--download Linux=no.zip: there is no file no.zip"):
        read_downloads(["Linux=no.zip"])
    with pytest.raises(UsageError, match=r"another download has the name X\.zip"):
        read_downloads([str(tmp_path / "a" / "x.zip"), str(tmp_path / "b" / "X.zip")])


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (43_210_000, "43 MB"), (2_500_000_000, "2.5 GB")]
)
def test_sizes_are_for_people(size: int, text: str) -> None:
    """Two or three digits and the unit."""
    assert size_text(size) == text


def test_programs_for_several_systems_have_different_names() -> None:
    """The version and the system are parts of the name."""
    assert program_name(Path("夜 pond.tar.gz"), "1.0 beta/2").startswith("夜 pond-1.0_beta_2-")
    assert program_name(Path("pond.zip"), "1").endswith(".zip")
