"""Archives that are not in the one form of packs are refused with their place; damage is never taken for content."""

from __future__ import annotations

import io
import random
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import damaged_bytes
from rish_packs import PackError, open_archive
from rish_packs.files import archive as archives
from rish_packs.files.contents import LIST
from small_packs import CODE, FILES, changed, packed

PACK = packed()


def content_of(path: Path) -> dict[str, bytes]:
    """Return all files of a pack."""
    with open_archive(path) as archive:
        return {name: b"".join(archive.read(name)) for name in archive.contents.files}


def refused(path: Path, data: bytes) -> str:
    """Return the message about a pack that is refused."""
    path.write_bytes(data)
    with pytest.raises(PackError) as failure:
        content_of(path)
    assert str(path.name) in str(failure.value)
    return str(failure.value)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a pack to write."""
    return tmp_path / "odd.rishgame"


def test_a_pack_gives_back_its_files(path: Path) -> None:
    """The files of a pack are those that were written, and the list names those with code."""
    files = {**CODE, "bilder/größe 遊戲.txt": "größe".encode(), "empty.txt": b""}
    path.write_bytes(packed(files))
    assert content_of(path) == files
    with open_archive(path) as archive:
        assert archive.contents.code == ["plugin.py"]


def test_equal_games_give_equal_bytes() -> None:
    """The same files give the same bytes, in whichever order they are listed."""
    assert packed(dict(reversed(FILES.items()))) == PACK


def test_a_file_of_zeros_is_packed_so_that_it_can_be_unpacked(path: Path) -> None:
    """A file that shrinks to less than a hundredth is stored, because reading allows no more."""
    files = {**FILES, "zeros.txt": b"\0" * 100_000}
    path.write_bytes(packed(files))
    assert content_of(path) == files


@given(st.randoms(use_true_random=False))
def test_a_damaged_pack_has_the_same_content_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random
) -> None:
    """Random damage gives the packed content or a PackError with the file's name, and no other error."""
    path = tmp_path_factory.getbasetemp() / "damaged.rishgame"
    for _ in range(4):
        data = bytearray(PACK if chance.random() < 0.8 else damaged_bytes(PACK, chance))
        for _ in range(chance.randint(1, 4) if data else 0):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(data)
        message = path.name
        try:
            assert content_of(path) == FILES
        except PackError as error:
            message = str(error)
        assert path.name in message


def test_a_pack_that_ends_early_is_refused(path: Path) -> None:
    """A pack of which the end is missing is refused, wherever it ends."""
    for length in (0, 10, len(PACK) // 2, len(PACK) - 1):
        assert "damaged, or no pack" in refused(path, PACK[:length])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../evil.txt", "outside|leads out"), ("a/../../evil.txt", "leads out"), ("/etc/evil", "absolute"),
        ("C:/evil.txt", "colon"), ("C:evil.txt", "colon"), ("a\\b.txt", "backslash"), ("nul.txt", "device"),
        ("COM1", "device"), ("a" * 300, "too long"), ("a/" * 95 + "b", "too long"), (".hidden", "hidden"),
        ("__pycache__/plugin.cpython-311.pyc", "makes again"), ("lib.so", "machine code"), ("x.pkl", "machine code"),
        ("a//b", "empty part"), ("a/", "empty part"), ("a.", "ends in a dot"), ("a\u202eb", "characters"),
        ("\uff0e\uff0e/evil", "leads out"), ("a\nb", "characters"),
    ],
)  # fmt: skip
def test_names_that_lead_elsewhere_are_refused(path: Path, name: str, why: str) -> None:
    """No file of a pack leads out of its folder, or has a name that some system does not take as one."""
    message = refused(path, packed({**FILES, name: b"x"}))
    assert any(each in message for each in why.split("|")), message


@pytest.mark.parametrize(
    ("first", "second"),
    [("a.txt", "A.TXT"), ("caf\u00e9.txt", "cafe\u0301.txt"), ("\ufb01.txt", "fi.txt"), ("a", "a/b"), ("A/b", "a"),
     ("Dir/a", "dir/b"), ("stra\u00dfe", "STRASSE")],
)  # fmt: skip
def test_names_that_are_equal_somewhere_are_refused(path: Path, first: str, second: str) -> None:
    """Two names that differ only by case or Unicode form, or a file where a folder is, are refused."""
    assert "same file on some systems" in refused(path, packed({**FILES, first: b"1", second: b"2"}))


def test_an_entry_twice_is_refused(path: Path) -> None:
    """An archive that has an entry twice is refused."""
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = changed(PACK, lambda entries: entries.append(entries[-1]))
    assert "not the files in pack.json" in refused(path, data)


def test_a_name_with_a_zero_byte_is_refused(path: Path) -> None:
    """A name that ends for some programs before it ends for others is refused."""
    assert "no file name should have" in refused(path, PACK.replace(b"game/words.json", b"game/wor\0s.json"))


def test_an_entry_that_is_not_listed_is_refused(path: Path) -> None:
    """An entry outside of the list is refused."""
    data = changed(PACK, lambda entries: entries.append((zipfile.ZipInfo("game/more.txt"), b"x")))
    assert "link, a folder or a device" in refused(path, data)

    def add(entries: list[tuple[zipfile.ZipInfo, bytes]]) -> None:
        entry = zipfile.ZipInfo("game/zzz.txt")
        entry.external_attr = 0o100644 << 16
        entries.append((entry, b"x"))

    assert "game/zzz.txt" in refused(path, changed(PACK, add))


@pytest.mark.parametrize(
    ("attributes", "what"), [(0o120777 << 16, "link"), (0o040755 << 16, "folder"), (0o020666 << 16, "device")]
)
def test_links_folders_and_devices_are_refused(path: Path, attributes: int, what: str) -> None:
    """An entry that is no regular file is refused."""

    def change(entries: list[tuple[zipfile.ZipInfo, bytes]]) -> None:
        entries[-1][0].external_attr = attributes

    assert what in refused(path, changed(PACK, change))


def test_encrypted_entries_are_refused(path: Path) -> None:
    """An entry that is marked as encrypted is refused."""
    data = bytearray(PACK)
    at = data.index(b"PK\1\2")
    data[at + 8] |= 1
    assert "encrypted" in refused(path, bytes(data))


def test_other_compressions_are_refused(path: Path) -> None:
    """Only stored and deflated entries are read, because the limits of others are not known."""

    def change(entries: list[tuple[zipfile.ZipInfo, bytes]]) -> None:
        entries[-1][0].compress_type = zipfile.ZIP_LZMA

    assert "compressed in a way" in refused(path, changed(PACK, change))


@pytest.mark.parametrize("size", [1, 10**6])
def test_a_lying_size_is_refused(path: Path, size: int) -> None:
    """A size in the archive's list that is not the one in `pack.json` is refused before anything is unpacked."""
    data = bytearray(PACK)
    at = data.rindex(b"PK\1\2")
    data[at + 24 : at + 28] = struct.pack("<L", size)
    assert "size" in refused(path, bytes(data)) or "times as large" in refused(path, bytes(data))


def test_another_content_is_refused(path: Path) -> None:
    """A file whose content is not the one in the list is refused, though the archive is whole."""

    def change(entries: list[tuple[zipfile.ZipInfo, bytes]]) -> None:
        entry, content = entries[1]
        entries[1] = entry, content.replace(b"Dots", b"Dust")

    assert "not the one that was packed" in refused(path, changed(PACK, change))


def test_a_bomb_is_refused_before_it_is_unpacked(path: Path) -> None:
    """An entry that is more than a hundred times as large as in the archive is refused."""
    data = packed({**FILES, "bomb.txt": b"a" * 50_000})
    stored = changed(data, lambda entries: setattr(entries[1][0], "compress_type", zipfile.ZIP_DEFLATED))
    assert "100 times as large" in refused(path, stored)


def test_a_pack_of_too_many_bytes_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack whose files have more bytes than the limit is refused, by the sizes in the archive."""
    monkeypatch.setattr(archives, "MAX_BYTES", len(PACK))
    data = packed({**FILES, "large.txt": random.Random(3).randbytes(2 * len(PACK))})
    monkeypatch.setattr(archives, "MAX_LIST", len(data))
    assert "bytes" in refused(path, data)


def test_20001_files_are_refused(path: Path) -> None:
    """An archive with more entries than the limit is refused before its list of entries is read."""
    end = bytearray(PACK)
    at = end.rindex(b"PK\5\6")
    end[at + 8 : at + 12] = struct.pack("<2H", 20_002, 20_002)
    assert "20,002 entries" in refused(path, bytes(end))


def test_overlapping_entries_are_refused(path: Path) -> None:
    """Two entries that share bytes of the archive are refused."""
    data = bytearray(PACK)
    first, last = data.index(b"PK\1\2"), data.rindex(b"PK\1\2")
    data[last + 42 : last + 46] = data[first + 42 : first + 46]
    assert "overlaps" in refused(path, bytes(data))


def test_data_around_the_entries_is_refused(path: Path) -> None:
    """Nothing may stand before, between or behind the entries of a pack."""
    assert "overlaps" in refused(path, b"#!/bin/sh\n" + PACK) or "wrong size" in refused(path, b"#!/bin/sh\n" + PACK)
    assert "does not end like" in refused(path, PACK + b"more")

    def change(entries: list[tuple[zipfile.ZipInfo, bytes]]) -> None:
        entries[0][0].extra = b"\1\0\1\0x"

    assert "data that packs don't have" in refused(path, changed(PACK, change))


def test_a_pack_in_a_pack_is_only_a_file(path: Path) -> None:
    """A pack inside a pack is not opened."""
    files = {**FILES, "inner.zip": PACK}
    path.write_bytes(packed(files))
    assert content_of(path) == files


def test_a_list_that_is_wrong_is_refused(path: Path) -> None:
    """Mistakes of `pack.json` are named."""

    def put(text: bytes) -> bytes:
        def change(entries: list[tuple[zipfile.ZipInfo, bytes]]) -> None:
            entries[0] = entries[0][0], text

        return changed(PACK, change)

    whole = zipfile.ZipFile(io.BytesIO(PACK)).read(LIST)
    assert "no JSON" in refused(path, put(b"{"))
    assert "no JSON" in refused(path, put(b"".join(b"[%d," % number for number in range(9000))))
    assert "format 7" in refused(path, put(whole.replace(b'"rishgame": 1', b'"rishgame": 7')))
    assert "name is not valid" in refused(path, put(whole.replace(b'"name": "dots"', b'"name": "../x"')))
    assert "no game.yaml" in refused(path, put(whole.replace(b'"game.yaml"', b'"other.yaml"')))


def test_a_file_that_is_no_pack_is_refused(path: Path, tmp_path: Path) -> None:
    """A folder, a missing file, a text and another zip file are refused."""
    assert "damaged, or no pack" in refused(path, b"rish: 1\n" * 10)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("game.yaml", b"rish: 1")
    assert "first entry is not pack.json" in refused(path, buffer.getvalue())
    with pytest.raises(PackError, match="can't be read"), open_archive(tmp_path / "missing.rishgame"):
        pass
    with pytest.raises(PackError, match="can't be read"), open_archive(tmp_path):
        pass
