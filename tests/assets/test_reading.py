"""`AssetReader` notes which files and folders an object is made of."""

from __future__ import annotations

from rish_assets import AssetLibrary, AssetReader

from .conftest import Shelf


def test_a_listed_folder_is_followed(shelf: Shelf) -> None:
    """An object that lists a folder is made again when a file is added there or removed, and for no other folder."""

    def load(path: str, read: AssetReader) -> list[str]:
        return read.files(path, ".txt")

    library = AssetLibrary("folder", load, list, log="rish.poems")
    shelf.write("poems/b.txt", "x")
    shelf.write("poems/c.md", "x")
    assert library.get(shelf.world, "poems") == ["poems/b.txt"]
    assert library.get(shelf.world, "") == ["a.txt"]
    shelf.write("poems/d.txt", "x")
    assert library.changed(0) == ["poems"]
    assert library.get(shelf.world, "poems") == ["poems/b.txt", "poems/d.txt"]
    shelf.write("poems/b.txt", None)
    assert library.get(shelf.world, "poems") == ["poems/d.txt"]
    shelf.write("e.txt", "x")
    assert library.get(shelf.world, "") == ["a.txt", "e.txt"]


def test_a_noted_file_is_followed(shelf: Shelf) -> None:
    """A file that was noted, but read in another way, counts; a path that no file can have does not."""

    def load(path: str, read: AssetReader) -> str:
        assert read.note("../x") == ""
        assert not read.has_read("../x")
        assert read.note(".//a.txt") == "a.txt"
        assert read.has_read("a.txt")
        return str(read.assets.load("a.txt"))

    library = AssetLibrary("name", load, str, log="rish.poems")
    assert library.get(shelf.world, "frog") == "frog"
    shelf.write("a.txt", "toad")
    assert library.get(shelf.world, "frog") == "toad"
