"""The archive of a pack: a zip file in one fixed form, so that equal games give equal bytes.

The first entry is `pack.json`, then come the files in the order of their names. Entries follow each other without gaps,
have one fixed date and no further data, and are stored or deflated. Reading refuses every other form: what the two
lists of a zip file say about an entry then can't differ, entries can't overlap, and nothing is hidden between them.
"""

from __future__ import annotations

import hashlib
import struct
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rish_system import MAX_PATH

from ..errors import PackError
from .contents import GAME, LIST, MAX_BYTES, MAX_FILES, MAX_LIST, Contents

RATIO = 100
"""The most bytes that one byte of the archive may stand for."""
_DATE = (1980, 1, 1, 0, 0, 0)
_UNIX, _MODE = 3, 0o100644 << 16
_HEAD = 30
"""The bytes of an entry before its name."""
_END = struct.Struct("<4s4H2LH")
"""The end of a zip file: signature, numbers of disks and entries, size and place of the list, length of a comment."""
_LONGEST = 46 + 4 * MAX_PATH + 64
"""The most bytes of an entry in the list at the end."""
_PIECE = 2**20
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, NotImplementedError,
               struct.error, UnicodeError, OverflowError, KeyError, IndexError, MemoryError)  # fmt: skip
"""What zipfile raises for damaged files."""


class Archive:
    """A pack that is open for reading. contents: its list, which was checked. identity: the SHA-256 of the list.

    The list has the hashes of all files, so its hash stands for the whole pack.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        with _located(path):
            size = _size_of(file)
            self._zip = zipfile.ZipFile(file)
            self._entries = self._zip.infolist()
        self._check_entries(size)
        text = b"".join(self._pieces(self._entries[0]))
        try:
            self.contents = Contents.from_bytes(text)
        except ValueError as error:
            raise PackError.at(path, str(error), entry=LIST) from None
        self.identity = hashlib.sha256(text).hexdigest()
        self._check_names()

    def read(self, name: str) -> Iterator[bytes]:
        """Yield the content of a file in pieces. Raises PackError unless its hash is the one in the list."""
        entry, expected = self._by_name[name], self.contents.files[name]
        digest = hashlib.sha256()
        for piece in self._pieces(entry):
            digest.update(piece)
            yield piece
        if digest.hexdigest() != expected.sha256:
            raise PackError.at(self.path, "its content is not the one that was packed", entry=name)

    def _pieces(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        with _located(self.path, entry.filename), self._zip.open(entry) as file:
            while piece := file.read(_PIECE):
                yield piece

    def _check_entries(self, size: int) -> None:
        """Raise PackError unless the archive has the fixed form and is within the limits. size: of the archive."""
        entries = self._entries
        if not entries or entries[0].filename != LIST:
            raise PackError.at(self.path, f"it is no pack: its first entry is not {LIST}")
        position = 0
        for entry in entries:
            if mistake := _wrong_entry(entry, position):
                raise PackError.at(self.path, mistake, entry=repr(entry.filename)[:120])
            position += _HEAD + len(entry.filename.encode()) + entry.compress_size
        if self._zip.start_dir != position or self._zip.comment:
            raise PackError.at(self.path, "there is something between or behind its entries")
        if entries[0].file_size > MAX_LIST:
            raise PackError.at(self.path, f"it has {entries[0].file_size:,} bytes, too many", entry=LIST)
        total = sum(entry.file_size for entry in entries[1:])
        if total > min(MAX_BYTES, RATIO * size):
            what = f"its files have {total:,} bytes; at most {MAX_BYTES:,}, and {RATIO} times the archive, are unpacked"
            raise PackError.at(self.path, what)

    def _check_names(self) -> None:
        """Raise PackError unless the entries are the files of the list."""
        self._by_name = {entry.filename.removeprefix(GAME): entry for entry in self._entries[1:]}
        files = self.contents.files
        names = [entry.filename for entry in self._entries[1:]]
        if names != [f"{GAME}{name}" for name in files]:
            odd = next(iter({*names} ^ {f"{GAME}{name}" for name in files}), "its files have another order")
            raise PackError.at(self.path, f"its entries are not the files in {LIST}: {odd!r:.120}")
        for name, entry in self._by_name.items():
            if entry.file_size != files[name].size:
                raise PackError.at(self.path, f"it does not have the size in {LIST}", entry=name)


def _size_of(file: BinaryIO) -> int:
    """Return the size of an archive. Raises ValueError before a list of entries is read that is too long.

    The last 22 bytes of a zip file have the number of its entries, and size and place of their list.
    """
    size = file.seek(0, 2)
    if size > MAX_BYTES + MAX_LIST:
        raise ValueError(f"it has {size:,} bytes, too many")
    file.seek(max(size - _END.size, 0))
    end = file.read(_END.size)
    if len(end) < _END.size:
        raise ValueError("it is too short")
    signature, disk, first_disk, of_disk, count, length, begin, comment = _END.unpack(end)
    if signature != b"PK\5\6" or disk or first_disk or of_disk != count or comment:
        raise ValueError("it does not end like a zip file without a comment")
    if begin + length + _END.size != size or length > count * _LONGEST:
        raise ValueError("its list of entries has a wrong size")
    if count > MAX_FILES + 1:
        raise ValueError(f"it has {count:,} entries, and {MAX_FILES + 1:,} are the most")
    return size


def _wrong_entry(entry: zipfile.ZipInfo, position: int) -> str | None:
    """Return what is wrong with an entry that should begin at a position, or None."""
    if entry.flag_bits & 0x1:
        return "it is encrypted"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "it is compressed in a way that packs don't use"
    if entry.external_attr >> 28 != _MODE >> 28:
        return "it is a link, a folder or a device, not a file"
    if entry.orig_filename != entry.filename:
        return "its name has a character that no file name should have"
    if entry.flag_bits & ~0x800 or entry.extra or entry.comment or entry.volume:
        return "it has data that packs don't have"
    if entry.file_size > RATIO * max(entry.compress_size, 1):
        return f"it is more than {RATIO} times as large as in the archive"
    if entry.header_offset != position:
        return "it overlaps another entry, or there is something before it"
    return None


@contextmanager
def _located(path: Path, entry: str = "") -> Generator[None]:
    """Turn the errors of a damaged archive in the block into PackErrors with its path."""
    try:
        yield
    except _ZIP_ERRORS as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise PackError.at(path, f"it is damaged, or no pack: {reason:.200}", entry=entry) from error


@contextmanager
def open_archive(path: Path) -> Generator[Archive]:
    """Open a pack for reading. Raises PackError for a file that is damaged or no pack."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise PackError.at(path, f"it can't be read: {error.strerror}") from error
    with file:
        yield Archive(path, file)


def write_archive(file: BinaryIO, contents: Contents, read: Iterable[tuple[str, bytes]]) -> None:
    """Write a pack. read: the name and the content of each file, in the order of the list."""
    with zipfile.ZipFile(file, "w") as archive:
        _add(archive, LIST, contents.to_bytes())
        for name, content in read:
            _add(archive, f"{GAME}{name}", content)


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add an entry; it is stored if compression gains nothing, or more than reading allows."""
    packed = len(_deflated(content))
    small = packed < len(content) <= RATIO * packed
    entry = zipfile.ZipInfo(name, _DATE)
    entry.create_system, entry.external_attr = _UNIX, _MODE
    archive.writestr(entry, content, zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED, 9)


def _deflated(content: bytes) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    return compressor.compress(content) + compressor.flush()
