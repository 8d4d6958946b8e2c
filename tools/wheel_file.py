"""A wheel in memory: its files can be changed, and the same files always make the same bytes.

A wheel is a zip file with a package's modules, and a folder `NAME-VERSION.dist-info` with METADATA (who and what),
WHEEL (for which Python and system) and RECORD (the hash of each file).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_MODE = 0o100644 << 16
"""The attributes of each file: regular, read by all, written by the owner."""
_UNIX = 3
"""The system that a zip file names as its maker; the mode is read only with this one."""


class Wheel:
    """The files of a wheel by their names, without RECORD, which `write` makes.

    time: of each file, taken from the first one; hatchling gives all of them one fixed time.
    """

    def __init__(self, path: Path) -> None:
        with ZipFile(path) as archive:
            self.files = {info.filename: archive.read(info) for info in archive.infolist()}
            self._time = archive.infolist()[0].date_time
        self.stem = "-".join(path.name.split("-")[:2])
        self.folder = f"{self.stem}.dist-info"
        del self.files[f"{self.folder}/RECORD"]
        self._tags = ["py3-none-any"]

    def set_tags(self, tags: Iterable[str]) -> None:
        """Say for which Pythons and systems the wheel is: `cp311-cp311-manylinux_2_27_x86_64`, one for each system."""
        self._tags = sorted(tags)
        path = f"{self.folder}/WHEEL"
        lines = [line for line in self._lines(path) if not line.startswith(("Tag:", "Root-Is-Purelib:"))]
        self._write_lines(path, [*lines, "Root-Is-Purelib: false", *(f"Tag: {tag}" for tag in self._tags)])

    def add_license(self, expression: str, name: str, text: bytes) -> None:
        """Add the text of a license, and to the metadata its name and the SPDX expression for the whole wheel."""
        self.files[f"{self.folder}/licenses/{name}"] = text
        path = f"{self.folder}/METADATA"
        head, blank, body = self.files[path].decode().partition("\n\n")
        lines: list[str] = []
        for line in head.splitlines():
            ours = line.startswith("License-Expression:")
            lines += [f"License-Expression: {expression}", f"License-File: {name}"] if ours else [line]
        self.files[path] = ("\n".join(lines) + blank + body).encode()

    def write(self, folder: Path) -> Path:
        """Write the wheel into a folder, under the name that its tags give; return its path."""
        pythons, interfaces, systems = (
            ".".join(dict.fromkeys(parts)) for parts in zip(*(tag.split("-") for tag in self._tags), strict=True)
        )
        path = folder / f"{self.stem}-{pythons}-{interfaces}-{systems}.whl"
        names = sorted(self.files, key=lambda name: (name.startswith(self.folder), name))  # the metadata last
        record = f"{self.folder}/RECORD"
        with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
            for name in names:
                archive.writestr(self._entry(name), self.files[name])
            archive.writestr(self._entry(record), "".join(self._record(names)) + f"{record},,\n")
        return path

    def _record(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            digest = base64.urlsafe_b64encode(hashlib.sha256(self.files[name]).digest()).rstrip(b"=").decode()
            yield f"{name},sha256={digest},{len(self.files[name])}\n"

    def _entry(self, name: str) -> ZipInfo:
        entry = ZipInfo(name, self._time)
        entry.compress_type, entry.create_system, entry.external_attr = ZIP_DEFLATED, _UNIX, _MODE
        return entry

    def _lines(self, path: str) -> list[str]:
        return self.files[path].decode().splitlines()

    def _write_lines(self, path: str, lines: list[str]) -> None:
        self.files[path] = "".join(f"{line}\n" for line in lines).encode()
