"""Images: files with the compiled kernels of a package, which its wheel carries or `rish warmup --image` writes.

A file `kernels-cp311-x86-64-v3.image` lies in the folder of a top-level package and holds machine code for one version
of Python and one level of processors. It begins with a checksum of all that follows, then comes a line of JSON with the
place of each kernel. It is read when the first kernel of the package is looked up, and nothing of it is used if the
checksum is wrong. Each kernel is used only if it was made of the sources that are installed.

Machine code can do everything that Python code can: an image must come from where the package's code comes from.
"""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from rish_system import rename

from ..cache import Entry, Key, checksum, root_of
from ..machine.host import LEVELS, level, python_tag
from .code import FORMAT

_log = logging.getLogger("rish.jit")
_MAGIC = b"rish-image 1\n"
_CHECKSUM = 16


class _Place(NamedTuple):
    """Where the code of a kernel is in a file."""

    stamp: str
    start: int
    end: int
    calls: tuple[tuple[str, str], ...]


class Image(NamedTuple):
    """A file that was read. level: of processors. python: the version. places: where kernels are, by name and types."""

    data: bytes
    level: str
    python: str
    places: dict[tuple[str, str], _Place]

    def entry(self, key: Key) -> Entry | None:
        """Return the entry of a kernel with the stamp of a key; None if there is none. The level is not compared."""
        place = self.places.get((key.kernel, key.types))
        if place is None or place.stamp != key.stamp:
            return None
        return Entry(key, place.calls, self.data[place.start : place.end])


def image_name(target_level: str) -> str:
    """Return the name of the image for this version of Python and a level of processors."""
    return f"kernels-{python_tag()}-{target_level}.image"


def find_in_image(source: str, key: Key) -> Entry | None:
    """Return an entry from the image of the package that contains the file `source`; None if it has none for the key.

    The level of the key is not compared: an image for this level is searched first, then those for lower ones.
    """
    root = root_of(source)
    entries = (image.entry(key) for image in (_images_of(root) if root is not None else ()))
    return next((entry for entry in entries if entry is not None), None)


def has_image(source: str) -> bool:
    """Return whether the package that contains the file `source` has an image for this machine."""
    root = root_of(source)
    return root is not None and bool(_images_of(root))


def write_image(path: Path, entries: Iterable[Entry], target_level: str) -> int:
    """Write entries with machine code into an image, whole or not at all; return their number. Raises OSError.

    target_level: of the processors for which they were compiled.
    """
    body, places = bytearray(), list[object]()
    for entry in sorted(entries, key=lambda entry: (entry.key.kernel, entry.key.types)):
        start = len(body)
        body += entry.code
        places.append([entry.key.kernel, entry.key.types, entry.key.stamp, start, len(body), entry.calls])
    head = {"format": FORMAT, "python": python_tag(), "level": target_level, "kernels": places}
    content = json.dumps(head, separators=(",", ":")).encode() + b"\n" + bytes(body)
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.write_bytes(_MAGIC + checksum(content) + content)
        rename(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    forget_images()
    return len(places)


def forget_images() -> None:
    """Look for images again, because files may have changed."""
    _images_of.cache_clear()


@functools.cache
def _images_of(root: Path) -> list[Image]:
    """Return the images of a package that this machine can run, the best first."""
    here = level()
    images: list[Image] = []
    for name in (each for each in reversed(LEVELS) if each <= here and (each == "arm64") == (here == "arm64")):
        path = root / image_name(name)
        try:
            images.append(read_image(path))
        except FileNotFoundError:
            continue
        except (OSError, ValueError, KeyError, TypeError) as error:
            _log.warning("%s is not used: %s", path, error)
    return images


def read_image(path: Path) -> Image:
    """Read an image. Raises OSError, and ValueError, KeyError or TypeError for damaged files and other formats."""
    data = path.read_bytes()
    start = len(_MAGIC) + _CHECKSUM
    content = memoryview(data)[start:]
    if not data.startswith(_MAGIC) or data[len(_MAGIC) : start] != checksum(content):
        raise ValueError("it is no image of compiled kernels, or it is damaged")
    end = data.index(b"\n", start)
    head = json.loads(data[start:end])
    if head["format"] != FORMAT or head["python"] != python_tag():
        mine, its = f"{FORMAT}, {python_tag()}", f"{head['format']}, {head['python']}"
        raise ValueError(f"it is for another version of this program or of Python: {its}, and this is {mine}")
    first = end + 1
    places: dict[tuple[str, str], _Place] = {}
    for kernel, types, stamp, begin, stop, calls in head["kernels"]:
        pairs = tuple((name, signature) for name, signature in calls)
        places[kernel, types] = _Place(stamp, first + begin, first + stop, pairs)
    return Image(data, head["level"], head["python"], places)
