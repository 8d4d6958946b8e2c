"""Which modules of Python a program gets."""

from __future__ import annotations

from pathlib import Path

from rish_export.building.freezing import left_out, python_modules
from rish_export.contents import File, bytecode


def test_modules_of_python_that_files_import_are_found(tmp_path: Path) -> None:
    """Names that are no modules, other packages and relative imports count nothing; sources are not read."""
    texts = {
        "a.pyc": "import json.decoder, numpy\nfrom xml.etree import ElementTree\nfrom .. import x\nfrom .code import y",
        "b.pyc": "import wave as w\nclass A:\n    def f():\n        from functools import cache; lambda: csv.reader",
        "c.py": "import html",
    }
    modules = python_modules(File(name, bytecode(text.encode(), name, tmp_path), "") for name, text in texts.items())
    assert modules == {"json.decoder", "xml.etree", "xml.etree.ElementTree", "functools", "wave"}


def test_modules_for_networks_are_packed_for_games_that_use_them() -> None:
    """OpenSSL is left out, unless the game imports what may need it; so are modules that it does not import."""
    assert {"ssl", "sqlite3", "tkinter"} <= left_out(frozenset())
    assert not {"ssl", "sqlite3"} & left_out(frozenset({"urllib", "sqlite3"}))
