"""Packs of a small game, which are written without loading it."""

from __future__ import annotations

import copy
import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rish_packs import Contents, FileHash
from rish_packs.files.archive import write_archive

MANIFEST = b"rish: 1\ngame: {title: Dots, seed: 3}\nscenes:\n  main:\n    - {Transform: {}, count: 5}\n"
FILES = {"game.yaml": MANIFEST, "pictures/dot.txt": b"a dot" * 50, "words.json": b'{"hello": "world"}'}
"""A game without Python code."""
CODE = {**FILES, "plugin.py": b'raise SystemExit("the code ran")\n'}
"""A game whose code must not run."""


def packed(files: Mapping[str, bytes] = FILES, **more: Any) -> bytes:
    """Return the bytes of a pack. more: other values of its list."""
    names = sorted(files)
    values = {"name": "dots", "title": "Dots", "plugins": {}, **more}
    contents = Contents(files={name: FileHash.of(files[name]) for name in names}, **values)
    buffer = io.BytesIO()
    write_archive(buffer, contents, [(name, files[name]) for name in names])
    return buffer.getvalue()


def changed(pack: bytes, change: Callable[[list[tuple[zipfile.ZipInfo, bytes]]], object]) -> bytes:
    """Return a pack whose entries were changed in place, written again in the usual form."""
    with zipfile.ZipFile(io.BytesIO(pack)) as archive:
        entries = [(entry, archive.read(entry)) for entry in archive.infolist()]
    change(entries)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for entry, content in entries:
            archive.writestr(copy.copy(entry), content, entry.compress_type)
    return buffer.getvalue()


def tree(folder: Path) -> dict[str, bytes]:
    """Return the content of all files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
