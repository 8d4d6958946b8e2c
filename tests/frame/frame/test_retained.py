"""Recorders: what equals the last recording stays the same object, and what is not recorded again is gone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from rish_ecs import UnknownName, World
from rish_frame import Batch, Frame, Pass, Target
from rish_frame.frame.retained import MAX_COMPARED


def stars(*places: float, **options) -> Batch:
    """Return a batch with one array, made anew."""
    return Batch("stars", {"places": np.array(places, np.float32)}, **options)


def shown(frame: Frame, *batches: Batch) -> list[Batch]:
    """Begin a frame, record batches, and return those in the frame."""
    frame.reset()
    recorder = frame.record("sky")
    return [recorder.add(batch) for batch in batches]


class Book:
    """Something that a batch refers to. version: rises with each change."""

    version = 1


@dataclass(eq=False)
class Bound(Batch):
    """A batch with a field of its own."""

    book: Book = field(kw_only=True)


def test_an_equal_batch_is_the_same_object_with_the_same_version() -> None:
    """A batch with equal arrays keeps the object, its arrays, and the version."""
    frame = Frame()
    (first,) = shown(frame, stars(1, 2))
    version, places = first.version, first.arrays["places"]
    (second,) = shown(frame, stars(1, 2))
    assert second is first
    assert (second.version, second.arrays["places"]) == (version, places)
    assert frame.passes["main"].batches == [first]


@pytest.mark.parametrize(
    "other", [stars(1, 3), stars(1, 2, 3), Batch("stars", {"places": np.array([1, 2], np.int32)}), Batch("stars", {})]
)
def test_a_batch_that_differs_gets_a_new_version(other) -> None:
    """Other values, another length, another dtype and other names of arrays give a new version of the same object."""
    frame = Frame()
    (first,) = shown(frame, stars(1, 2))
    version = first.version
    (second,) = shown(frame, other)
    assert second is first
    assert second.version != version
    assert second.arrays.keys() == other.arrays.keys()
    assert second.count == other.count
    for name, array in other.arrays.items():
        np.testing.assert_array_equal(second.arrays[name], array)


def test_the_state_of_a_batch_is_taken_over_without_a_new_version() -> None:
    """Blend mode, origin and clip may change while the arrays stay."""
    frame = Frame()
    (first,) = shown(frame, stars(1))
    version = first.version
    (second,) = shown(frame, stars(1, blend="add", origin=(3, 4), clip=(0, 0, 0.5, 1)))
    assert second is first
    assert (second.version, second.blend, second.origin, second.clip) == (version, "add", (3, 4), (0, 0, 0.5, 1))


def test_large_arrays_are_compared_by_identity() -> None:
    """A large array is equal only to itself."""
    frame, large = Frame(), np.zeros(MAX_COMPARED + 1, np.uint8)
    (first,) = shown(frame, Batch("stars", {"sky": large}))
    version = first.version
    assert shown(frame, Batch("stars", {"sky": large}))[0].version == version
    assert shown(frame, Batch("stars", {"sky": large.copy()}))[0].version != version


def test_another_view_of_the_same_memory_is_a_change() -> None:
    """A buffer that is written again in each frame is not mistaken for an unchanged one."""
    frame, buffer = Frame(), np.zeros(4, np.float32)
    (first,) = shown(frame, Batch("stars", {"places": buffer[:2]}))
    version = first.version
    buffer[0] = 1
    assert shown(frame, Batch("stars", {"places": buffer[:2]}))[0].version != version


def test_the_fields_of_a_subclass_count_with_their_version() -> None:
    """A batch of a subclass changes if another object is in its own field, or the object has a new version."""
    frame, book = Frame(), Book()
    arrays = {"places": np.zeros(2, np.float32)}
    (first,) = shown(frame, Bound("stars", arrays, book=book))
    version = first.version
    assert shown(frame, Bound("stars", arrays, book=book))[0].version == version
    book.version = 2
    (second,) = shown(frame, Bound("stars", arrays, book=book))
    assert second is first
    assert second.version != version
    version = second.version
    other = Book()
    other.version = 2
    (third,) = shown(frame, Bound("stars", arrays, book=other))
    assert third.version != version
    assert third.book is other
    assert shown(frame, Batch("stars", arrays))[0] is not first


def test_batches_of_one_pass_are_told_apart_by_kind_place_and_order() -> None:
    """Batches of equal kind, layer and z are matched in order, and the batch of the caller is left as it is."""
    frame = Frame()
    given = [stars(1), stars(2), stars(1, z=1), Batch("moons", {})]
    first = shown(frame, *given)
    versions = [batch.version for batch in first]
    assert len({id(batch) for batch in first}) == len(set(versions)) == 4
    assert [batch.version for batch in given] == [None] * 4
    second = shown(frame, stars(1), stars(5), stars(1, z=1), Batch("moons", {}))
    assert all(a is b for a, b in zip(first, second, strict=True))
    assert [a == b.version for a, b in zip(versions, second, strict=True)] == [True, False, True, True]


def test_passes_and_targets_stay_the_same_objects() -> None:
    """A pass takes the new values of all fields, an equal target stays, and another one replaces it."""
    frame = Frame()

    def record(after: str, side: int) -> tuple[Pass, Target]:
        frame.reset()
        recorder = frame.record("glass")
        target = recorder.add_target(Target("glass", (side, side)))
        pass_ = recorder.add_pass(Pass("glass", ("glass",), after=after))
        recorder.add(stars(1), "glass")
        return pass_, target

    pass_, target = record("main", 8)
    pass_.scissor = (0, 0, 1, 0.5)
    again, same = record("", 8)
    assert again is pass_
    assert same is target
    assert (again.after, again.scissor, len(again.batches)) == ("", None, 1)
    assert record("", 9)[1] == Target("glass", (9, 9))
    assert list(frame.passes) == ["main", "glass"]


def test_what_is_not_recorded_again_is_gone() -> None:
    """Passes and targets go when a frame begins; what another plugin has put in their place stays."""
    frame = Frame()
    recorder = frame.record("glass")
    for name in ("one", "two"):
        recorder.add_target(Target(name))
        recorder.add_pass(Pass(name, (name,)))
    other = frame.add_pass(Pass("two"), replace=True)
    frame.reset()
    assert frame.passes == {"main": frame.passes["main"], "two": other}
    assert list(frame.targets) == ["screen"]


def test_a_recording_can_begin_again_in_the_same_frame() -> None:
    """Only the last recording of a frame is shown."""
    frame = Frame()
    frame.record("glass").add_pass(Pass("one"))
    frame.record("glass").add_pass(Pass("two"))
    assert list(frame.passes) == ["main", "two"]


def test_equal_targets_of_others_stay() -> None:
    """A target that another plugin has declared is used if it is equal, and stays when the frame ends."""
    frame = Frame()
    declared = frame.add_target(Target("glass"))
    assert frame.record("glass").add_target(Target("glass")) is declared
    frame.reset()
    assert frame.targets["glass"] is declared


def test_changes_of_other_passes_are_undone() -> None:
    """Fields of another plugin's pass have their former values when the next frame begins."""
    frame = Frame()
    recorder, main = frame.record("glass"), frame.passes["main"]
    recorder.change(main, targets=("glass",), layer_mask=1)
    recorder.change(main, targets=("ice",))
    assert (main.targets, main.layer_mask) == (("ice",), 1)
    frame.reset()
    assert (main.targets, main.layer_mask) == (("screen",), -1)


class Glass:
    """Retains a pass, a target, batches and a change, and counts how often they are built."""

    def __init__(self, frame: Frame, *depends) -> None:
        self.frame, self.world, self.depends, self.built = frame, World(), depends, 0

    def show(self, *others: Batch) -> None:
        """Begin a frame with other batches, and retain."""
        self.frame.reset()
        for batch in others:
            self.frame.add(batch)
        self.frame.retain("glass", self.world, self.depends, self.build)

    def build(self, recorder) -> None:
        """Record something of everything."""
        self.built += 1
        main = self.frame.passes["main"]
        self.target = recorder.add_target(Target("glass"))
        self.pass_ = recorder.add_pass(Pass("glass", ("glass",)), showing=main)
        self.own, self.over = recorder.add(stars(2), "glass"), recorder.add(stars(3))
        recorder.change(main, layer_mask=1)


def test_what_is_retained_is_repeated_until_a_source_changes() -> None:
    """As long as no source changes, all of the last recording is put onto the frame again, without a call."""
    frame, book = Frame(), Book()
    glass, main = Glass(frame, book), frame.passes["main"]
    for _ in range(3):
        glass.show(other := stars(4))
        assert glass.built == 1
        assert frame.targets["glass"] is glass.target
        assert frame.passes["glass"] is glass.pass_
        assert glass.pass_.batches == [other, glass.own]
        assert main.batches == [other, glass.over]
        assert main.layer_mask == 1
    book.version = 2
    glass.show()
    assert glass.built == 2
    frame.reset()
    assert main.layer_mask == -1
    assert list(frame.passes) == ["main"]


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: setattr(frame, "size", (9, 9)),
        lambda frame: setattr(frame, "plain", True),
        lambda frame: frame.add_target(Target("ice")),
        lambda frame: frame.add_pass(Pass("ice")),
        lambda frame: setattr(frame.passes["main"], "view", np.zeros((4, 4), np.float32)),
        lambda frame: setattr(frame.passes["main"], "behind", True),
    ],
)
def test_the_frame_is_a_source(change) -> None:
    """With `Frame` among the sources, sizes, targets, passes, cameras and the layers of batches count."""
    frame = Frame()
    glass = Glass(frame, Frame)
    glass.show(stars(1))
    glass.show(stars(2))
    assert glass.built == 1
    glass.show(stars(2, layer=1))
    assert glass.built == 2
    frame.reset()
    change(frame)
    glass.show(stars(2, layer=1))
    assert glass.built == 3
    glass.show(stars(2, layer=1))
    assert glass.built == 3


def test_an_empty_recording_is_retained_too() -> None:
    """A function that records nothing is not called again either, unless the recording was not shown."""
    frame, world, calls = Frame(), World(), []
    for skipped in (0, 0, 2):
        for _ in range(1 + skipped):
            frame.reset()
        frame.retain("glass", world, (), calls.append)
        assert len(calls) == 1 + skipped // 2


def test_what_raises_is_built_again() -> None:
    """After an exception in `build` the recording is not repeated."""
    frame, book, world = Frame(), Book(), World()

    def fail(recorder) -> None:
        raise KeyError

    for _ in range(2):
        frame.reset()
        with pytest.raises(KeyError):
            frame.retain("glass", world, (book,), fail)


def test_a_recording_that_was_not_shown_is_dropped() -> None:
    """After a frame without it an equal batch is another object."""
    frame = Frame()
    (first,) = shown(frame, stars(1))
    frame.reset()
    frame.reset()
    assert shown(frame, stars(1))[0] is not first


def test_a_restore_leaves_recordings() -> None:
    """After a restore equal batches are still the same objects."""
    frame = Frame()
    (first,) = shown(frame, stars(1))
    frame.rebuild(None)
    assert frame.passes["main"].batches == []
    assert shown(frame, stars(1))[0] is first


def test_an_unknown_pass_is_an_error() -> None:
    """A batch for a pass that does not exist raises an error with the choices."""
    with pytest.raises(UnknownName, match="no pass is called 'mian'"):
        Frame().record("sky").add(stars(1), "mian")


def test_the_last_recording_is_recorded_again_with_another_batch() -> None:
    """`again` puts the last recording onto the frame; `renew` gives one batch other contents and a new version."""
    frame = Frame()
    recorder = frame.record("sky")
    recorder.add_pass(Pass("stars", ("screen",)))
    first, second = (recorder.add(stars(k), "stars") for k in (1, 2))
    versions = first.version, second.version
    frame.reset()
    assert "stars" not in frame.passes
    recorder = frame.record("sky")
    assert recorder.again()
    recorder.renew(second, stars(3, 4))
    assert frame.passes["stars"].batches == [first, second]
    assert (first.version, second.version != versions[1], second.count) == (versions[0], True, 2)
    frame.reset()
    recorder = frame.record("sky")
    recorder.add_pass(Pass("stars", ("screen",)))
    assert (recorder.add(stars(1), "stars"), recorder.add(stars(3, 4), "stars")) == (first, second)


def test_nothing_is_recorded_again_after_a_frame_without_a_recording() -> None:
    """If nothing was recorded in the last frame, `again` returns False and puts nothing onto the frame."""
    frame = Frame()
    frame.record("sky").add_pass(Pass("stars", ("screen",)))
    for _ in range(2):
        frame.reset()
    assert not frame.record("sky").again()
    assert "stars" not in frame.passes


def test_a_recorder_tells_which_sources_changed() -> None:
    """`changed` has all sources at the first call of `retain`, and then those that changed."""
    world, frame, books = World([]), Frame(), (Book(), Book())
    seen: list[list[Any]] = []
    for changed in ((), (1,), (0, 1)):
        for number in changed:
            books[number].version += 1
        frame.reset()
        frame.retain("sky", world, books, lambda recorder: seen.append(recorder.changed))
    assert seen == [[*books], [books[1]], [*books]]


def test_a_pass_that_is_recorded_twice_has_the_batches_of_the_second_time() -> None:
    """The batches of a pass that is added again under the same name leave with it, also when the frame is repeated."""
    frame, world = Frame(), World([])

    def build(recorder: Any) -> None:
        for k in (1, 2):
            recorder.add_pass(Pass("stars", ("screen",)))
            recorder.add(stars(k), "stars")

    for _ in range(2):
        frame.reset()
        frame.retain("sky", world, (), build)
        assert [batch.arrays["places"].tolist() for batch in frame.passes["stars"].batches] == [[2]]
