"""Compute work: arrays with a copy on a device, declarations and their mistakes, orders of a frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_ecs import UnknownName, UsageError
from rish_frame import INSTANCE, ArraySpec, Compute, DeviceArray, Frame
from rish_frame.frame import element_of

F32 = np.dtype(np.float32)
PLACE = ArraySpec(F32, ("n", 4), "places")
SIZE = ArraySpec(F32, ("n",), "sizes")


def grow(arrays: Any, uniforms: Any) -> None:
    """Add the uniform `by` to the places of as many rows as there are threads."""
    arrays["place"][: uniforms["threads"][0]] += uniforms["by"]


def declare(**changes: Any) -> Compute:
    """Return a declaration with some fields changed."""
    given: dict[str, Any] = {"arrays": {"place": PLACE}, "fallback": grow, "uniforms": {"by": "float"}, **changes}
    return Compute("test.grow", "grow.comp", **given)


def arrays_of(n: int = 3) -> dict[str, DeviceArray]:
    """Return the array of the declaration."""
    return {"place": DeviceArray(np.zeros((n, 4), np.float32))}


def test_a_device_array_is_fetched_once() -> None:
    """`fetch` copies the device's contents into the same array, and only if they are newer."""
    kept = DeviceArray(np.zeros(2, np.float32))
    pulls: list[int] = []

    def pull(into: Any) -> None:
        pulls.append(1)
        into[:] = 7

    assert kept.fetch().tolist() == [0, 0]
    kept.changed(pull)
    assert kept.on_device
    assert kept.array.tolist() == [0, 0]
    assert kept.fetch() is kept.array
    assert kept.fetch().tolist() == [7, 7]
    assert len(pulls) == 1
    assert not kept.on_device


def test_writing_makes_the_copy_on_the_device_old() -> None:
    """After `write` nothing is copied from the device, and the version has risen."""
    kept = DeviceArray(np.zeros((2, 2), np.int32))
    kept.changed(lambda into: into.fill(9))
    before = kept.version
    kept.write([[1, 2], [3, 4]])
    assert kept.version > before
    assert kept.fetch().tolist() == [[1, 2], [3, 4]]


def test_a_device_array_is_contiguous_and_writable() -> None:
    """Any other array is refused."""
    fixed = np.zeros(3)
    fixed.flags.writeable = False
    for array in (np.zeros((4, 4))[:, ::2], fixed):
        with pytest.raises(UsageError, match="contiguous, writable"):
            DeviceArray(array)


@pytest.mark.parametrize(
    ("dtype", "shape", "expected"),
    [
        ("float32", ("n",), "float"),
        ("float32", ("n", 2), "vec2"),
        ("float32", ("n", 3), "float"),
        ("int32", ("h", "w", 4), "ivec4"),
        ("uint32", ("h", "w"), "uint"),
        ("uint8", ("n", 4), "uint"),
        (INSTANCE, ("n",), "uvec4"),
    ],
)
def test_elements_in_glsl(dtype: Any, shape: tuple[int | str, ...], expected: str) -> None:
    """The type of an element follows from the dtype and the last length."""
    assert element_of(ArraySpec(np.dtype(dtype), shape, "")) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"arrays": {}}, "1 to 8 arrays"),
        ({"arrays": {f"a{k}": SIZE for k in range(9)}}, "not 9"),
        ({"arrays": {"place": ArraySpec(np.dtype(float), ("n",), "")}}, "float64.*compute shader.*Use float32"),
        ({"arrays": {"place": ArraySpec(np.dtype(np.uint8), ("n",), "")}}, "uint8"),
        ({"uniforms": {"by": "mat3"}}, "mat3"),
        ({"uniforms": {"place": "float"}}, "'place' is declared twice"),
        ({"uniforms": {"threads": "int"}}, "'threads' is declared twice"),
        ({"group": 2048}, "1 to 1024 threads"),
        ({"group": (8, 8, 65)}, "at most 64"),
        ({"group": (32, 64)}, "1 to 1024 threads"),
        ({"group": 0}, "above 0"),
        ({"group": (1, 1, 1, 1)}, "one to three"),
    ],
)
def test_mistakes_in_a_declaration(changes: dict[str, Any], expected: str) -> None:
    """A declaration that no device could run is refused, with its name and the rule."""
    with pytest.raises((UsageError, UnknownName)) as caught:
        declare(**changes)
    assert "test.grow" in str(caught.value)
    with pytest.raises((UsageError, UnknownName), match=f"(?s){expected}"):
        declare(**changes)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ({"arrays": {}}, "the array 'place' is missing; it is float32"),
        ({"arrays": {"place": DeviceArray(np.zeros((3, 4)))}}, "is float64.*must be float32"),
        ({"arrays": {"place": DeviceArray(np.zeros((3, 3), np.float32))}}, r"shape \(3, 3\)"),
        ({"arrays": {**arrays_of(), "more": DeviceArray(np.zeros(1))}}, "'more' is unknown"),
        ({"arrays": {"place": np.zeros((3, 4), np.float32)}}, "it must be a DeviceArray"),
        ({"uniforms": {}}, "the uniform 'by' has no value; it is a float"),
        ({"uniforms": {"by": 1, "bye": 2}}, "no uniform is called 'bye'"),
        ({"uniforms": {"by": (1, 2)}}, "a float takes 1 numbers"),
        ({"threads": 0}, "above 0"),
        ({"threads": 64 * 65536}, "65536 groups.*at most 65535"),
    ],
)
def test_mistakes_in_an_order(order: dict[str, Any], expected: str) -> None:
    """An order with other arrays, uniforms or numbers of threads is refused, with the name of the work."""
    frame = Frame()
    frame.computes["test.grow"] = declare()
    given: dict[str, Any] = {"threads": 3, "arrays": arrays_of(), "uniforms": {"by": 1}, **order}
    with pytest.raises((UsageError, UnknownName), match=f"(?s){expected}") as caught:
        frame.compute("test.grow", **given)
    assert "test.grow" in str(caught.value)
    assert not frame.dispatches


def test_lengths_with_the_same_letter_must_be_equal() -> None:
    """Arrays that share a letter have the same length there."""
    work = declare(arrays={"place": PLACE, "size": SIZE})
    with pytest.raises(UsageError, match="n = 3"):
        work.dispatch(3, {**arrays_of(), "size": DeviceArray(np.zeros(2, np.float32))}, {"by": 1})


def test_unknown_work_is_named_with_the_nearest_name() -> None:
    """The error for a name that nobody declared tells which names there are, and the hook."""
    frame = Frame()
    frame.computes["test.grow"] = declare()
    with pytest.raises(UnknownName, match=r"(?s)'test.gorw'.*test.grow.*rish_compute"):
        frame.compute("test.gorw", 3, arrays_of(), {"by": 1})


def test_threads_are_filled_up_to_groups() -> None:
    """There are as many groups as the threads need, in each dimension."""
    order = declare(group=(8, 4)).dispatch((17, 4), arrays_of(), {"by": 1})
    assert (order.threads, order.groups) == ((17, 4, 1), (3, 1, 1))


def test_fallbacks_run_once_in_order() -> None:
    """The host's fallbacks change the arrays themselves, once for each order, and the next frame has no orders."""
    frame, arrays = Frame(), arrays_of()
    frame.computes["test.grow"] = declare()
    version = arrays["place"].version
    for by in (1, 2):
        frame.compute("test.grow", 2, arrays, {"by": by})
    frame.run_fallbacks()
    frame.run_fallbacks()
    assert arrays["place"].array[:, 0].tolist() == [3, 3, 0]
    assert arrays["place"].version == version + 2
    frame.reset()
    assert not frame.dispatches
    assert frame.computes
