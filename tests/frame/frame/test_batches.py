"""Batches and their kinds: the checks, and the messages about mistakes."""

from __future__ import annotations

import numpy as np
import pytest

from rish_frame.errors import BackendError
from rish_frame.frame.batches import Batch, Material
from rish_frame.frame.instances import pack_sprites
from rish_frame.frame.kinds import STANDARD_KINDS, ArraySpec, BatchKind
from rish_frame.testing import sample_batches

F32 = np.dtype("float32")


def sprites(**options) -> Batch:
    """Return a batch of two sprites."""
    return Batch("sprites", {"instances": pack_sprites([1, 2], 3, 4, 5)}, **options)


def test_every_standard_kind_has_a_sample_that_passes_its_own_check() -> None:
    """Each standard kind has a sample batch that agrees with the table of its arrays."""
    samples = sample_batches()
    assert set(samples) == set(STANDARD_KINDS)
    for batch in samples.values():
        batch.check()
        assert batch.count > 0


def test_every_array_of_every_kind_is_documented() -> None:
    """Every array of every kind has a description, for authors of backends."""
    for kind in STANDARD_KINDS.values():
        assert kind.doc.endswith(".")
        assert all(spec.doc for spec in kind.arrays.values())


def test_a_wrong_dtype_is_reported_with_place_culprit_and_rule() -> None:
    """The message about a wrong dtype has pass, source, kind, array, the dtype found and the one required."""
    batch = sprites(source="wind.streaks")
    batch.arrays["instances"] = np.zeros(3, np.float32)
    with pytest.raises(BackendError) as caught:
        batch.check("pass 'main'")
    text = str(caught.value)
    assert text.startswith("pass 'main': a batch of 'sprites' of wind.streaks: the array 'instances' is float32 (3,)")
    assert "it must be INSTANCE (n,)" in text


@pytest.mark.parametrize("kind", sorted(STANDARD_KINDS))
def test_each_array_is_missed_when_it_is_missing(kind: str) -> None:
    """A missing array is reported, except for optional ones."""
    for name in list(sample_batches()[kind].arrays):
        batch = sample_batches()[kind]
        del batch.arrays[name]
        with pytest.raises(BackendError, match=f"the array '{name}' is missing"):
            batch.check()


@pytest.mark.parametrize("kind", sorted(STANDARD_KINDS.keys() - {"sprites"}))
def test_arrays_must_agree_in_length(kind: str) -> None:
    """Arrays with the same letter in the table must have the same length."""
    batch = sample_batches()[kind]
    batch.arrays.update({name: np.concatenate([array, array]) for name, array in list(batch.arrays.items())[-1:]})
    if kind == "mesh":
        batch.arrays["colors"] = batch.arrays["colors"][:-1].copy()
    with pytest.raises(BackendError, match="it must be"):
        batch.check()


def test_views_with_gaps_and_unknown_arrays_are_refused() -> None:
    """Unknown arrays and arrays that are not contiguous are rejected, since a backend may copy the bytes."""
    batch = sprites()
    batch.arrays["instances"] = pack_sprites(np.arange(6), 0, 1, 1)[::2]
    with pytest.raises(BackendError, match="not contiguous"):
        batch.check()
    batch = sprites()
    batch.arrays["color"] = np.zeros(2)
    with pytest.raises(BackendError, match="'color' is unknown; this kind has instances"):
        batch.check()


def test_indices_outside_the_points_are_found_by_a_thorough_check() -> None:
    """A thorough check finds indices out of range, which would crash a graphics driver."""
    batch = sample_batches()["mesh"]
    batch.arrays["indices"][0, 0] = 999
    batch.check(thorough=False)
    with pytest.raises(BackendError, match="'indices' points outside"):
        batch.check()
    polygons = sample_batches()["polygons"]
    polygons.arrays["starts"][-1] += 1
    with pytest.raises(BackendError, match="'starts' must rise"):
        polygons.check()


def test_wrong_state_is_refused() -> None:
    """Wrong values of blend, filter and z are rejected."""
    for options, words in (
        ({"blend": "adde"}, "blend"),
        ({"filter": "cubic"}, "filter"),
        ({"z": np.nan}, "z is NaN"),
    ):
        with pytest.raises(BackendError, match=words):
            sprites(**options).check()


def test_a_kind_that_is_not_declared_is_not_checked() -> None:
    """A kind that is not declared is not checked, so a plugin may draw one that the kernel does not know."""
    batch = Batch("stranger.stars", {"stars": np.zeros((3, 7))})
    batch.check()
    assert batch.count == 3


def test_a_batch_of_a_plugins_kind_is_checked() -> None:
    """The arrays of a plugin's kind are checked; drawers and messages use the name of the kind."""
    kind = BatchKind("test.streaks", "Streaks.", {"points": ArraySpec(F32, ("n", 2), "x y")})
    with pytest.raises(BackendError, match=r"'test\.streaks'.*float64") as caught:
        Batch(kind, {"points": np.zeros((3, 2))}).check()
    assert caught.value.hint == "test.streaks: Streaks."
    batch = Batch(kind, {"points": np.zeros((3, 2), np.float32)})
    batch.check()
    assert (batch.kind, batch.count) == ("test.streaks", 3)


def test_count_is_worked_out_unless_it_is_given() -> None:
    """The count is computed unless it is given; for a mesh it is the number of triangles."""
    assert sprites().count == 2
    assert sprites(count=1).count == 1
    mesh = sample_batches()["mesh"]
    assert mesh.count == len(mesh.arrays["indices"])
    assert Batch("nothing", {}).count == 0


def test_equal_state_means_that_batches_can_be_merged() -> None:
    """For merging, blend, material and origin have to be equal; layer, z and contents do not."""
    glow = Material("glow", {"strength": 2.0})
    assert sprites(layer=1).state == sprites(layer=2, z=5).state
    assert sprites(material=glow).state == sprites(material=Material("glow", {"strength": 2.0})).state
    assert sprites(material=glow).state != sprites(material=Material("glow", {"strength": 3.0})).state
    assert sprites().state != sprites(blend="add").state
    assert sprites().state != sprites(origin=(1, 0)).state
    assert hash(sprites(material=Material("a", {"table": np.zeros(3)})).state)
