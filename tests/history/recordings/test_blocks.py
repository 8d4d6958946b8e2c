"""Blocks of a recording: complete blocks are read from any file, and damaged ones are never trusted."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from rish_history.recordings.blocks import BlockWriter, RecordingError, read_blocks

CONTENT = [(b"H", b"head"), (b"T", bytes(1000)), (b"T", bytes(range(256)) * 4), (b"E", b"")]


def written(path: Path) -> Path:
    """Write a finished file; return its path."""
    writer = BlockWriter(path)
    for kind, payload in CONTENT:
        writer.write(kind, payload)
    writer.finish()
    return path


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Written blocks are read back, compressed or not."""
    found = read_blocks(written(tmp_path / "run.rish"))
    assert [(block.kind, block.payload) for block in found.blocks] == CONTENT
    assert found.cut == ""
    assert (tmp_path / "run.rish").stat().st_size < 700


def test_cut_anywhere_it_reads_up_to_the_last_whole_block(tmp_path: Path) -> None:
    """A file cut at any length is read up to its last complete block."""
    data = written(tmp_path / "run.rish").read_bytes()
    path = tmp_path / "cut.rish"
    counts = []
    for length in range(12, len(data)):
        path.write_bytes(data[:length])
        found = read_blocks(path)
        assert [(b.kind, b.payload) for b in found.blocks] == CONTENT[: len(found.blocks)]
        counts.append(len(found.blocks))
    assert counts == sorted(counts)
    assert set(counts) == {0, 1, 2, 3}


def test_any_damaged_byte_ends_it_before_that_block(tmp_path: Path) -> None:
    """Reading ends before the block of a damaged byte; the checksum covers kind, packing, length and content."""
    data = written(tmp_path / "run.rish").read_bytes()
    path = tmp_path / "bad.rish"
    for place in range(12, len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x41]) + data[place + 1 :])
        found = read_blocks(path)
        assert found.cut
        assert [(b.kind, b.payload) for b in found.blocks] == CONTENT[: len(found.blocks)]


def test_a_packed_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block that unpacks to more than the allowed size is rejected, so it cannot fill the memory."""
    monkeypatch.setattr("rish_history.recordings.blocks.MAX_SIZE", 500)
    assert "can't be unpacked" in read_blocks(written(tmp_path / "run.rish")).cut


def test_until_it_is_finished_it_has_another_name(tmp_path: Path) -> None:
    """An unfinished recording has another name, which the error shows; the given name is always complete."""
    path = tmp_path / "run.rish"
    writer = BlockWriter(path)
    writer.write(b"H", b"x")
    writer.close()
    assert not path.exists()
    assert len(read_blocks(writer.part).blocks) == 1
    with pytest.raises(RecordingError, match=r"no finished recording .*, but an unfinished one. .*run.rish.part"):
        read_blocks(path)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is no recording"),
        (b"GIF89a" * 9, "is no recording"),
        (b"RISHREC\n\x09\0\0\0", "has the recording format 9"),
    ],
)
def test_what_is_no_recording_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    """A file that is not a recording of this format is rejected with the reason."""
    path = tmp_path / "x.rish"
    path.write_bytes(data)
    with pytest.raises(RecordingError, match=said):
        read_blocks(path)
    with pytest.raises(RecordingError, match="can't be read"):
        read_blocks(tmp_path / "nothing.rish")


def test_all_blocks_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many blocks that unpack to much each can't fill the memory: reading ends before the limit is passed."""
    monkeypatch.setattr("rish_history.recordings.blocks.MAX_SIZE", 2**20)
    writer = BlockWriter(tmp_path / "run.rish")
    for _ in range(3):
        writer.write(b"H", bytes(600_000))
    writer.finish()
    found = read_blocks(writer.path)
    assert len(found.blocks) == 1
    assert "can't be unpacked" in found.cut


def test_a_recording_in_an_archive_is_read_as_well(tmp_path: Path) -> None:
    """The report of a crash is a .zip with a recording; an archive without one is no recording."""
    path = written(tmp_path / "run.rish")
    for name in ("replay.rish", "other.rish"):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            archive.write(path, name)
    assert read_blocks(tmp_path / "replay.rish.zip") == read_blocks(path)
    with pytest.raises(RecordingError, match="is no recording of Rish"):
        read_blocks(tmp_path / "other.rish.zip")
