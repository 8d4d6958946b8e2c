"""`AssetLibrary`: objects are made once, errors are logged once, edits are noticed, whatever the files contain."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from rish_assets import AssetLibrary, AssetReader, report_changes
from rish_core import Assets, World, resource
from rish_ecs import derived

from .conftest import NOTHING, Shelf

Log = pytest.LogCaptureFixture


def test_an_object_is_made_once(shelf: Shelf) -> None:
    """An object is made at its first use, and is then found by the path, or by the path's number in the World."""
    poem = shelf.get()
    assert poem == ["frog"]
    assert shelf.get() is poem
    assert shelf.get(shelf.world.intern("a.txt")) is poem
    assert shelf.calls == ["a.txt"]
    assert (list(shelf.library), len(shelf.library), "a.txt" in shelf.library) == (["a.txt"], 1, True)
    assert shelf.library.version == 0


def test_an_edited_file_is_used(shelf: Shelf) -> None:
    """After an edit the object is made again at its next use; the version rises at once and names the object."""
    shelf.write("b.txt", "crow")
    assert (shelf.get(), shelf.get("b.txt")) == (["frog"], ["crow"])
    before = shelf.library.version
    shelf.write("a.txt", "pond")
    assert shelf.library.version > before
    assert shelf.library.changed(before) == shelf.changed == ["a.txt"]
    assert shelf.library.changed(shelf.library.version) == []
    assert shelf.calls == ["a.txt", "b.txt"]
    assert (shelf.get(), shelf.get("b.txt")) == (["pond"], ["crow"])
    assert shelf.calls == ["a.txt", "b.txt", "a.txt"]


def test_a_missing_file_is_a_placeholder_until_it_appears(shelf: Shelf, caplog: Log) -> None:
    """A missing file is reported once with its name, and used when it is there."""
    for _ in range(3):
        assert shelf.get("b.txt") is NOTHING
    assert len(caplog.records) == 1
    assert "b.txt" in caplog.text
    assert list(shelf.library.problems) == list(shelf.world[Assets].failed) == ["b.txt"]
    shelf.write("b.txt", "crow")
    assert shelf.get("b.txt") == ["crow"]
    assert not shelf.library.problems
    assert not shelf.world[Assets].failed
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    "path", ["", "../a.txt", "/etc/passwd", "a\0.txt", "C:a.txt", "folder", "a.unknown", "x" * 300]
)
def test_impossible_paths_are_placeholders(shelf: Shelf, caplog: Log, path: str) -> None:
    """A path that no file can have is one error, and nothing is read."""
    (shelf.root / "folder").mkdir()
    assert [shelf.get(path), shelf.get(path)] == [NOTHING, NOTHING]
    assert len(caplog.records) == 1


def test_a_huge_file_is_not_read(shelf: Shelf, caplog: Log) -> None:
    """The loader looks at the size first; the error says it."""
    with (shelf.root / "b.txt").open("wb") as file:
        os.truncate(file.fileno(), 3 * 2**30)
    assert shelf.get("b.txt") is NOTHING
    assert "3,221,225,472 bytes" in caplog.text
    assert len(caplog.records) == 1


def test_a_broken_edit_leaves_the_former_object(shelf: Shelf, caplog: Log) -> None:
    """An edit with a mistake is reported once, and the former object stays; a mended file is used."""
    assert shelf.get() == ["frog"]
    for text in ("bad", "frog\nbad"):
        shelf.write("a.txt", text)
        assert [shelf.get(), shelf.get()] == [["frog"], ["frog"]]
    assert [record.getMessage() for record in caplog.records] == ["a.txt: it has a bad line"]
    assert shelf.library.failed("a.txt")
    shelf.write("a.txt", "toad")
    assert shelf.get() == ["toad"]
    assert not shelf.library.failed("a.txt")
    shelf.write("a.txt", "bad")
    assert shelf.get() == ["toad"]
    assert len(caplog.records) == 2


def test_a_file_that_can_not_be_decoded_leaves_the_former_object(shelf: Shelf, caplog: Log) -> None:
    """If the kernel's loader refuses an edited file, the object stays, and one error is logged."""
    assert shelf.get() == ["frog"]
    (shelf.root / "a.txt").write_bytes(b"\xff\xfe")
    report_changes(shelf.world[Assets], [shelf.root / "a.txt"])
    assert [shelf.get(), shelf.get()] == [["frog"], ["frog"]]
    assert len(caplog.records) == 1


def test_a_removed_file_is_a_placeholder(shelf: Shelf, caplog: Log) -> None:
    """After a file was deleted its object is the placeholder, with one error; a new file is used."""
    assert shelf.get() == ["frog"]
    shelf.write("a.txt", None)
    assert [shelf.get(), shelf.get()] == [NOTHING, NOTHING]
    assert len(caplog.records) == 1
    shelf.write("a.txt", "toad")
    assert shelf.get() == ["toad"]


def test_an_object_of_several_files_follows_all_of_them(shelf: Shelf, caplog: Log) -> None:
    """If a file changes that was read for an object, the object is made again, also if that file was missing."""
    shelf.write("b.txt", "pond\n+c.txt")
    assert shelf.get("b.txt") is NOTHING
    assert "c.txt" in caplog.text
    shelf.write("c.txt", "crow")
    assert shelf.get("b.txt") == ["pond", "crow"]
    shelf.write("c.txt", "toad")
    assert shelf.get("b.txt") == ["pond", "toad"]
    shelf.write("b.txt", "lake")
    assert shelf.get("b.txt") == ["lake"]
    calls = len(shelf.calls)
    shelf.write("c.txt", "newt")
    assert shelf.get("b.txt") == ["lake"]
    assert len(shelf.calls) == calls
    assert len(caplog.records) == 1


def test_a_sibling_is_edited(shelf: Shelf) -> None:
    """If a file changes that the kernel's loader read beside its own, the object is made again."""
    (shelf.root / "one.song").write_text("la\n")
    (shelf.root / "refrain.txt").write_text("di")
    assert shelf.get("one.song") == ["la", "di"]
    shelf.write("refrain.txt", "da")
    assert shelf.get("one.song") == ["la", "da"]


@pytest.mark.parametrize("error", [ValueError("no"), RecursionError(), MemoryError(), SystemExit(3), StopIteration()])
def test_any_error_of_a_load_function_is_reported_once(shelf: Shelf, caplog: Log, error: BaseException) -> None:
    """Whatever a load function raises is one error with the file and the kind, and ends neither game nor program."""

    def load(path: str, read: AssetReader) -> int:
        raise error

    library = AssetLibrary("poem", load, lambda: 7, log="rish.poems")
    assert [library.get(shelf.world, "a.txt") for _ in range(3)] == [7, 7, 7]
    (record,) = caplog.records
    assert record.name == "rish.poems"
    assert record.getMessage().startswith("a.txt: can't be used as a poem: ")


def test_an_interrupt_is_no_error_of_a_file(shelf: Shelf) -> None:
    """Ctrl-C ends the loading; the object is made at the next use."""
    errors: list[BaseException] = [KeyboardInterrupt()]

    def load(path: str, read: AssetReader) -> int:
        if errors:
            raise errors.pop()
        return 1

    library = AssetLibrary("poem", load, lambda: 7, log="rish.poems")
    with pytest.raises(KeyboardInterrupt):
        library.get(shelf.world, "a.txt")
    assert library.get(shelf.world, "a.txt") == 1


def test_a_restore_changes_nothing(shelf: Shelf) -> None:
    """After a restore the objects are the same; edits are still noticed."""
    saved = shelf.world.snapshot()
    poem = shelf.get()
    shelf.world.restore(saved)
    assert shelf.get() is poem
    assert shelf.library.version == 0
    shelf.write("a.txt", "toad")
    assert shelf.get() == ["toad"]


def test_replaced_assets_are_followed(shelf: Shelf, tmp_path_factory: pytest.TempPathFactory) -> None:
    """If the World gets other assets, all objects are made of their files, and only their edits count."""
    other = tmp_path_factory.mktemp("other")
    (other / "a.txt").write_text("crow")
    assert shelf.get() == ["frog"]
    shelf.library.put("made", ["toad"])
    old, before = shelf.world[Assets], shelf.library.version
    shelf.replace_assets(other)
    assert (shelf.get(), shelf.get("made")) == (["crow"], ["toad"])
    assert shelf.library.changed(before) == ["a.txt"]
    before = shelf.library.version
    old.reload("a.txt")
    assert shelf.library.version == before
    (other / "a.txt").write_text("newt")
    shelf.world[Assets].reload("a.txt")
    assert shelf.get() == ["newt"]


def test_a_world_without_assets_has_placeholders(caplog: Log) -> None:
    """In a World without files every object is a placeholder, and the reason is logged once for each."""
    library = AssetLibrary("poem", lambda path, read: 1, lambda: 7, log="rish.poems")
    world = World()
    assert [library.get(world, name) for name in ("a", "a", "b")] == [7, 7, 7]
    assert [record.getMessage() for record in caplog.records] == [
        "a can't be read: this world has no assets", "b can't be read: this world has no assets",
    ]  # fmt: skip
    world.put(Assets())
    assert library.get(world, "a") == 1


def test_an_object_can_be_put_in_place_of_another(shelf: Shelf) -> None:
    """An object from code replaces that of a file, which is a change; an edit of the file is used again."""
    assert shelf.get() == ["frog"]
    shelf.library.put("a.txt", ["made"])
    shelf.library.put("b.txt", ["too"])
    assert (shelf.get(), shelf.get("b.txt")) == (["made"], ["too"])
    assert shelf.changed == ["a.txt", "b.txt"]
    shelf.write("a.txt", "toad")
    shelf.write("c.txt", "crow")
    assert (shelf.get(), shelf.get("b.txt")) == (["toad"], ["too"])
    shelf.library.put("a.txt", ["made"])
    shelf.library.forget("a.txt")
    assert shelf.get() == ["toad"]
    before = shelf.library.version
    shelf.library.clear()
    assert shelf.library.changed(before) == ["a.txt", "b.txt"]
    assert len(shelf.library) == 0


def test_objects_that_are_too_large_together_are_made_again(shelf: Shelf) -> None:
    """Beyond the limit, the objects that were not used for longest are dropped; that is no change."""
    library = shelf.new_library(size=len, limit=3)
    for name in "bcd":
        (shelf.root / f"{name}.txt").write_text("x")
    for name in "abcad":
        library.get(shelf.world, f"{name}.txt")
    assert list(library) == ["c.txt", "a.txt", "d.txt"]
    (shelf.root / "e.txt").write_text("1\n2\n3\n4")
    assert len(library.get(shelf.world, "e.txt")) == 4
    assert list(library) == ["e.txt"]
    assert library.version == 0


def test_two_libraries_of_one_file_report_it_once(shelf: Shelf, caplog: Log) -> None:
    """If the kernel's loader has a placeholder, the kernel reports the file, once for all libraries."""

    def load(path: Path) -> Any:
        raise ValueError("broken")

    load.placeholder = str  # pyright: ignore[reportFunctionMemberAccess]
    shelf.world[Assets].loaders[".txt"] = load
    assert [shelf.get(), shelf.new_library().get(shelf.world, "a.txt")] == [NOTHING, NOTHING]
    assert len(caplog.records) == 1


def test_a_resource_may_be_a_library(shelf: Shelf) -> None:
    """A derived resource class can be derived from the library, and holds its objects over a restore."""

    @resource(derived=True)
    class Poems(AssetLibrary[str]):
        def __init__(self) -> None:
            super().__init__("poem", lambda path, read: read(), str, log="rish.poems")

    shelf.world.put(Poems())
    saved = shelf.world.snapshot()
    assert shelf.world[Poems].get(shelf.world, "a.txt") == "frog"
    shelf.world.restore(saved)
    shelf.write("a.txt", "toad")
    assert shelf.world[Poems].get(shelf.world, "a.txt") == "toad"
    assert shelf.world[Poems].version == 1


def test_a_library_without_users_is_freed(shelf: Shelf) -> None:
    """Assets do not keep the libraries alive that follow them."""
    library = shelf.new_library()
    library.get(shelf.world, "a.txt")
    weak = ref(library)
    del library
    gc.collect()
    assert weak() is None
    shelf.write("a.txt", "toad")
    assert shelf.changed == []


def test_a_changed_object_can_be_made_at_once(shelf: Shelf, caplog: Log) -> None:
    """`renew` makes an object again without a World; one whose file is gone waits until it is needed."""
    library = shelf.new_library()
    library.get(shelf.world, "a.txt")
    shelf.write("a.txt", "toad")
    library.renew("a.txt")
    library.renew("never asked for.txt")
    assert shelf.calls == ["a.txt", "a.txt"]
    shelf.write("a.txt", None)
    library.renew("a.txt")
    assert not caplog.records
    assert library.get(shelf.world, "a.txt") is NOTHING


def test_a_later_error_is_reported_once(shelf: Shelf, caplog: Log) -> None:
    """An error that is found when an object is used is reported like others, and the object stays until an edit."""
    for _ in range(2):
        assert shelf.get() == ["frog"]
        shelf.library.fail("a.txt", ValueError("no rhyme"))
    assert caplog.messages == ["a.txt: can't be used as a poem: ValueError: no rhyme"]
    assert shelf.library.failed("a.txt")
    assert shelf.world[Assets].failed == {"a.txt"}
    shelf.write("a.txt", "toad")
    assert shelf.get() == ["toad"]
    assert not shelf.library.failed("a.txt")
    assert not shelf.world[Assets].failed


def test_derived_values_follow_a_library(shelf: Shelf) -> None:
    """A library that is a resource is a source of derived values: they are computed again after an edit of a file."""

    @resource(derived=True)
    class Poems(AssetLibrary[str]):
        def __init__(self) -> None:
            super().__init__("poem", lambda path, read: read(), str, log="rish.poems")

    counts: list[int] = []

    @derived(reads=Poems)
    class Length:
        letters: int = 0

        def compute(self, world: World) -> None:
            self.letters = len(world[Poems].get(world, "a.txt"))
            counts.append(self.letters)

    shelf.world.put(Poems())
    assert [shelf.world[Length].letters for _ in range(3)] == [4, 4, 4]
    shelf.write("a.txt", "a crow")
    assert [shelf.world[Length].letters for _ in range(3)] == [6, 6, 6]
    assert counts == [4, 6]
