"""The strings of a game are read without running it."""

from __future__ import annotations

from pathlib import Path

from rish_render import strings_of


def test_strings_are_values_and_constants(tmp_path: Path) -> None:
    """Values of YAML files and constants of Python files count, in all folders; keys, comments, docstrings do not."""
    (tmp_path / "deep").mkdir()
    (tmp_path / ".venv").mkdir()
    (tmp_path / "game.yaml").write_text("a: {key: [one, {b: two}], n: 3}  # three\n")
    (tmp_path / "deep" / "code.py").write_text('"""Doc."""\n\n\ndef f(x="four"):\n    "Doc."\n    return f"five {x}"\n')
    (tmp_path / ".venv" / "other.py").write_text('X = "six"\n')
    assert sorted(strings_of(tmp_path)) == ["five ", "four", "one", "two"]
    assert sorted(strings_of(tmp_path, without=[tmp_path / "deep"])) == ["one", "two"]


def test_files_that_cannot_be_read_are_skipped(tmp_path: Path) -> None:
    """Files with mistakes or of other encodings raise nothing."""
    (tmp_path / "a.py").write_text("def (:\n")
    (tmp_path / "b.py").write_bytes(b"x = '\xff'\n")
    (tmp_path / "c.yaml").write_text("a: [1\n")
    (tmp_path / "d.py").write_text('X = "fine"\n')
    assert list(strings_of(tmp_path)) == ["fine"]
