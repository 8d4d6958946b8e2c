"""Which modules of Python a program gets."""

from __future__ import annotations

from pathlib import Path

from rish_export.freezing import left_out, python_modules


def test_modules_of_python_that_files_import_are_found(tmp_path: Path) -> None:
    """Names that are no modules, other packages, relative imports and files that can't be parsed count nothing."""
    (tmp_path / "a.py").write_text("import json.decoder, numpy\nfrom xml.etree import ElementTree\nfrom . import x\n")
    (tmp_path / "b.py").write_text("def f():\n    from functools import cache\n")
    (tmp_path / "c.py").write_text("{% template %}")
    modules = python_modules(path.read_bytes() for path in sorted(tmp_path.iterdir()))
    assert modules == {"json.decoder", "xml.etree", "xml.etree.ElementTree", "functools"}


def test_modules_for_networks_are_packed_for_games_that_use_them() -> None:
    """OpenSSL is left out, unless the game imports what may need it; so are modules that it does not import."""
    assert {"ssl", "sqlite3", "tkinter"} <= left_out(frozenset())
    assert not {"ssl", "sqlite3"} & left_out(frozenset({"urllib", "sqlite3"}))
