"""Tests of objects that are valid for one version of their owner."""

import gc
import weakref

import numpy as np

from rish_frame import Batch, DeviceArray, PerVersion


class Upload:
    """Something that was prepared from a batch."""

    def __init__(self) -> None:
        self.widths: list[float] = []

    def write(self, batch: Batch) -> None:
        """Note the width of the first line of a batch."""
        self.widths.append(float(batch.arrays["width"][0]))


def lines(width: float, version: int | None = 1) -> Batch:
    """Return a batch of one line of this width."""
    arrays = {
        "points": np.zeros((1, 4), np.float32),
        "width": np.full(1, width, np.float32),
        "rgba": np.zeros((1, 4), np.uint8),
    }
    return Batch("lines", arrays, version=version)


def test_an_object_is_returned_until_the_version_of_its_owner_changes() -> None:
    """An object is valid for the version for which it was put, and each owner has its own."""
    prepared, batch, other = PerVersion[Upload](), lines(1), lines(2)
    assert prepared.get(batch) is None
    upload = prepared.put(batch, Upload())
    assert prepared.get(batch) is upload
    assert prepared.get(other) is None
    batch.version = 2
    assert prepared.get(batch) is None
    prepared.put(batch, upload)
    assert prepared.get(batch) is upload
    prepared.clear()
    assert prepared.get(batch) is None


def test_an_object_is_returned_only_for_the_key_that_it_was_made_for() -> None:
    """What an object depends on besides its owner is the key, which is compared by its value."""
    prepared, batch = PerVersion[Upload](), lines(1)
    upload = prepared.put(batch, Upload(), (320, 200))
    assert prepared.get(batch, (320, 200)) is upload
    assert prepared.get(batch, (640, 400)) is None
    assert prepared.get(batch) is None


def test_nothing_is_stored_for_an_owner_without_a_version() -> None:
    """A batch whose arrays are new in each frame is prepared each time."""
    prepared, batch = PerVersion[Upload](), lines(1, None)
    upload = Upload()
    assert prepared.put(batch, upload) is upload
    assert prepared.get(batch) is None


def test_an_object_is_written_again_when_its_owner_changed() -> None:
    """The buffers of a former version are used again, so a change allocates none; others are not touched."""
    prepared, batch, other = PerVersion[Upload](), lines(1), lines(5)
    upload = prepared.written(batch, Upload, Upload.write)
    assert prepared.written(batch, Upload, Upload.write) is upload
    assert upload.widths == [1]
    batch.arrays["width"][:], batch.version = 2, 2
    assert prepared.written(batch, Upload, Upload.write) is upload
    assert upload.widths == [1, 2]
    assert prepared.written(other, Upload, Upload.write) is not upload


def test_owners_without_a_version_share_one_object_that_is_written_each_time() -> None:
    """Batches that are new in each frame are written into one object, one after another."""
    prepared, static = PerVersion[Upload](), lines(9)
    own = prepared.written(static, Upload, Upload.write)
    shared = prepared.written(lines(1, None), Upload, Upload.write)
    assert shared is not own
    assert prepared.written(lines(2, None), Upload, Upload.write) is shared
    assert shared.widths == [1, 2]
    assert own.widths == [9]


def test_an_object_is_dropped_with_its_owner() -> None:
    """An owner is referenced weakly, so what was prepared from it goes away with it."""
    prepared, array = PerVersion[Upload](), DeviceArray(np.zeros(3, np.float32))
    upload = weakref.ref(prepared.put(array, Upload()))
    assert upload() is not None
    del array
    gc.collect()
    assert upload() is None
