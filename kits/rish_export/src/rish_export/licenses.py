"""The licenses of everything in a program: of distributions, of Python, and of shared libraries of the system."""

from __future__ import annotations

import re
import shutil
import sysconfig
from collections.abc import Iterable, Iterator
from email.parser import HeaderParser
from importlib.metadata import Distribution
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from rish_system import run_text

_NAMES = re.compile(r"(licen[cs]e|copying|notice|copyright|authors)", re.IGNORECASE)
FOLDER = "licenses"
"""The folder in a program with all license texts, and with `README.txt`, which lists them."""


class Licensed(NamedTuple):
    """A part of a program. license: its name, such as `MIT`; "" if nothing says it. texts: file names and contents."""

    name: str
    version: str
    license: str
    texts: dict[str, bytes]


def license_of(package: Distribution) -> Licensed:
    """Return the license of an installed distribution, as its metadata names it, with the texts that came with it."""
    fields = HeaderParser().parsestr(package.read_text("METADATA") or "", headersonly=True)
    classes = [text.rpartition(" :: ")[2] for text in fields.get_all("Classifier", []) if text.startswith("License ::")]
    text = fields.get("License", "").strip()  # some write the whole text into it
    named = fields.get("License-Expression") or ("" if "\n" in text else text) or ", ".join(classes)
    texts: dict[str, bytes] = {}
    for file in package.files or ():
        path = PurePosixPath(file.as_posix())
        inside = path.parts[0].endswith(".dist-info")
        if inside and (path.parts[1] in ("licenses", "license_files") or _NAMES.match(path.name)):
            source = Path(str(package.locate_file(file)))
            if source.is_file():
                texts["-".join(part for part in path.parts[1:] if part != "licenses")] = source.read_bytes()
    return Licensed(package.name, package.version, named[:100], texts)


def python_license() -> Licensed:
    """Return the license of Python."""
    library = Path(sysconfig.get_path("stdlib"))
    paths = [library / "LICENSE.txt", library.parent / "LICENSE.txt", library.parent.parent / "LICENSE.txt"]
    path = next((path for path in paths if path.is_file()), None)
    texts = {} if path is None else {path.name: path.read_bytes()}
    return Licensed("Python", sysconfig.get_python_version(), "PSF-2.0", texts)


def library_licenses(libraries: Iterable[Path]) -> Iterator[Licensed]:
    """Yield the licenses of shared libraries of this system, as far as its package manager has them (dpkg)."""
    for path in libraries:
        texts: dict[str, bytes] = {}
        for candidate in dict.fromkeys((str(path), str(path.resolve()), str(path).removeprefix("/usr"))):
            owner = _dpkg_owner(candidate)
            file = Path("/usr/share/doc") / owner / "copyright"
            if owner and file.is_file():
                texts["copyright"] = file.read_bytes()
                break
        yield Licensed(path.name, "", "", texts)


def _dpkg_owner(path: str) -> str:
    """Return the package of Debian that a file belongs to, or ""."""
    command = shutil.which("dpkg-query")
    if command is None:
        return ""
    done = run_text([command, "-S", path])
    return done.stdout.partition(":")[0].strip() if done.returncode == 0 else ""


def license_files(parts: Iterable[Licensed], title: str) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of files with all licenses, and an index. title: the first line of the index."""
    lines = [title, ""]
    for part in parts:
        folder = re.sub(r"[^\w.+-]", "_", part.name)
        for name, content in part.texts.items():
            yield f"{FOLDER}/{folder}/{name}", content
        what = part.license or ("see the text" if part.texts else "unknown: no text was found")
        lines.append(f"{part.name} {part.version}".strip() + f": {what}{f' ({folder}/)' if part.texts else ''}")
    yield f"{FOLDER}/README.txt", ("\n".join(lines) + "\n").encode()
