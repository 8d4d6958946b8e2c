"""Column types: a value that fits is stored as written, and any other is refused with a sentence."""

from __future__ import annotations

import contextlib
from enum import Enum, Flag, IntEnum
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_ecs.declarations import distinct, median
from rish_ecs.declarations.columns import Array, Asset, Chars, Color, Entity, Mat4, Quat, Str, Vec2, Vec3, column_type


class Mode(Enum):
    """An enum whose values are no numbers."""

    IDLE = "idle"
    RUN = "run"


class Level(IntEnum):
    """An enum that is also a number."""

    LOW = 10
    HIGH = 20


class Bits(Flag):
    """A set of flags, which cannot be a column."""

    A = 1
    B = 2


def _type(annotation: Any) -> Any:
    found = column_type(annotation)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("annotation", "name", "dtype", "shape"),
    [
        (float, "float", np.float32, ()),
        (int, "int", np.int32, ()),
        (bool, "bool", np.bool_, ()),
        (Vec2, "Vec2", np.float32, (2,)),
        (Mat4, "Mat4", np.float32, (4, 4)),
        (Entity, "Entity", np.int64, ()),
        (Asset, "Asset", np.int32, ()),
        (Str, "Str", np.int32, ()),
        (Chars, "Chars", np.uint8, ()),
        (Mode, "Mode", np.uint8, ()),
        (list[int], "list[int]", np.int32, ()),
        (list[Vec2], "list[Vec2]", np.float32, (2,)),
        (list[Str], "list[Str]", np.int32, ()),
        (Array[float, 3], "Array[float, 3]", np.float32, (3,)),
        (Array[Vec2, 5], "Array[Vec2, 5]", np.float32, (5, 2)),
        (Annotated[float, "a remark"], "float", np.float32, ()),
    ],
)
def test_annotations(annotation: Any, name: str, dtype: Any, shape: tuple[int, ...]) -> None:
    """Each annotation gives its column type, with name, dtype and shape."""
    found = _type(annotation)
    assert (found.name, found.dtype, found.shape) == (name, np.dtype(dtype), shape)
    assert found.width == int(np.prod(shape))


@pytest.mark.parametrize("annotation", [str, dict[str, int], list[Chars], list[list[int]], list[Mode], Bits, object])
def test_no_column_type(annotation: Any) -> None:
    """Types that cannot be a column have no column type."""
    assert column_type(annotation) is None


@pytest.mark.parametrize("parameters", [(Str, 3), (float, 0), (float, 5000), (list[int], 2)])
def test_fixed_arrays_are_numeric_and_small(parameters: Any) -> None:
    """A fixed array has a numeric type and 1 to 4096 items."""
    with pytest.raises(TypeError, match="numeric type"):
        Array[parameters]


@pytest.mark.parametrize(
    ("annotation", "value", "stored"),
    [
        (float, 2, 2.0),
        (float, np.float64(0.5), 0.5),
        (float, np.array(3), 3.0),
        (float, Fraction(1, 4), 0.25),
        (int, 3.0, 3),
        (int, np.int64(-5), -5),
        (bool, np.bool_(True), True),
        (Entity, 2**40, 2**40),
        (Mode, "RUN", Mode.RUN),
        (Mode, 0, Mode.IDLE),
        (Level, 1, Level.HIGH),
        (Level, Level.LOW, Level.LOW),
        (Str, "héllo", "héllo"),
        (Asset, 7, 7),
        (list[Str], ["a", "b"], ("a", "b")),
    ],
)
def test_scalars_are_coerced(annotation: Any, value: Any, stored: Any) -> None:
    """A value that fits is stored in the column's own type."""
    assert _type(annotation).coerce(value) == stored


@pytest.mark.parametrize(
    ("annotation", "value", "message"),
    [
        (float, float("nan"), "got NaN"),
        (float, float("inf"), "inf is not a finite number"),
        (float, 1e300, "not a finite number"),
        (float, 10**400, "not a finite number"),
        (float, True, "expected a number, got True"),
        (float, "3", "expected a number, got '3'"),
        (float, None, "expected a number, got None"),
        (float, [1.0], "expected a number"),
        (int, 1.5, "expected a whole number, got 1.5"),
        (int, float("nan"), "expected a whole number, got nan"),
        (int, float("inf"), "expected a whole number, got inf"),
        (int, 2**31, "outside -2147483648..2147483647"),
        (int, False, "expected a whole number, got False"),
        (bool, 1, "expected true or false, got 1"),
        (Vec2, (1, 2, 3), "expected 2 numbers"),
        (Vec2, (1,), "expected 2 numbers"),
        (Vec2, 5, "expected 2 numbers, got 5"),
        (Vec2, ("1", "2"), "expected 2 numbers"),
        (Vec2, "ab", "expected 2 numbers, got 'ab'"),
        (Vec2, (1, (2, 3)), "expected 2 numbers"),
        (Vec2, (1, float("nan")), "expected finite numbers, got nan"),
        (Vec2, (1e39, 0), "expected finite numbers"),
        (Vec2, (10**400, 0), "expected 2 numbers"),
        (Vec2, (1j, 0), "expected 2 numbers"),
        (Vec2, None, "expected 2 numbers, got None"),
        (Mat4, [[1, 2], [3, 4]], "expected 4 of 4 numbers"),
        (Array[int, 2], (1, 2.5), "expected whole numbers, got 2.5"),
        (Array[int, 2], (1, 2**40), "is not inside"),
        (Array[bool, 2], (1, 0), "expected 2 "),
        (Mode, "running", "expected one of idle, run, got 'running'"),
        (Mode, 2, "expected one of idle, run"),
        (Mode, -1, "expected one of idle, run"),
        (Mode, True, "expected one of idle, run"),
        (Str, 5, "expected text, got 5"),
        (Chars, b"bytes", "expected text"),
        (Chars, "\ud800", "half of a surrogate pair"),
        (Asset, 1.5, "expected the path of an asset"),
        (Asset, -1, "not the number of an asset"),
        (Asset, 2**40, "not the number of an asset"),
        (list[int], 5, "expected a list, got 5"),
        (list[int], "12", "expected a list"),
        (list[int], np.array(5), "expected a list"),
        (list[int], [1, "2"], "expected a whole number, got '2'"),
        (list[int], np.array([1.0, 2.5]), "expected whole numbers, got 2.5"),
        (list[float], np.array([1.0, np.inf]), "expected finite numbers, got inf"),
        (list[Vec2], [(1, 2), (3,)], "expected 2 numbers"),
        (list[Str], ["a", 1], "expected text, got 1"),
    ],
)
def test_misfits_are_refused(annotation: Any, value: Any, message: str) -> None:
    """A value that does not fit raises ValueError with the expected and the given value."""
    with pytest.raises(ValueError, match=message):
        _type(annotation).coerce(value)


def test_vectors_are_copied() -> None:
    """A stored vector shares no memory with the array it came from."""
    source = np.zeros(2, np.float32)
    stored = _type(Vec2).coerce(source)
    source[:] = 9
    assert stored.tolist() == [0, 0]


def test_zero() -> None:
    """The zero of a type is 0, the identity, white, empty, or the first member."""
    assert _type(Quat).zero.tolist() == [0, 0, 0, 1]
    assert _type(Color).zero.tolist() == [1, 1, 1, 1]
    assert np.array_equal(_type(Mat4).zero, np.eye(4))
    assert _type(Vec3).zero.tolist() == [0, 0, 0]
    assert _type(Mode).zero is Mode.IDLE
    assert (_type(Str).zero, _type(list[Str]).zero, _type(bool).zero) == ("", (), False)
    assert _type(list[Vec2]).zero.shape == (0, 2)


@pytest.mark.parametrize(
    ("annotation", "rows", "message"),
    [
        (float, np.array([1.0, np.nan]), "expected finite numbers, got nan"),
        (float, np.array([1e300]), "expected finite numbers"),
        (float, np.array([True]), "got an array of bool"),
        (float, np.array(["1"]), "got an array of"),
        (Vec2, np.zeros((3, 3)), "expected rows of 2 numbers"),
        (int, np.array([0.5]), "expected whole numbers, got 0.5"),
        (int, np.array([2**40]), "is not inside"),
        (int, np.array([np.nan]), "is not inside"),
        (bool, np.array([1, 0]), "got an array of int64"),
        (Mode, np.array([0, 2]), "2 is no member of Mode"),
        (Mode, np.array([-1]), "is not inside"),
        (Str, np.array(["a", 5], object), "expected text, got 5"),
    ],
)
def test_rows_are_checked(annotation: Any, rows: Any, message: str) -> None:
    """An array of rows is checked by the same rules as a single value."""
    with pytest.raises(ValueError, match=message):
        _type(annotation).coerce_rows(rows)


def test_rows_are_converted_and_copied() -> None:
    """An array of rows is converted to the column's dtype, and always copied."""
    rows = np.arange(4, dtype=np.float32)
    stored = _type(float).coerce_rows(rows)
    assert stored.dtype == np.float32
    assert not np.shares_memory(stored, rows)
    assert _type(int).coerce_rows(np.array([1.0, 2.0])).tolist() == [1, 2]
    assert _type(Str).coerce_rows(np.array(["a", "b"])).tolist() == ["a", "b"]


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_every_float32_is_stored_exactly(value: float) -> None:
    """A float32 is stored bit for bit."""
    assert float(_type(float).coerce(value)) == value
    assert _type(Vec2).coerce((value, value)).tolist() == [value, value]


@given(st.one_of(st.integers(), st.floats(), st.booleans(), st.text(), st.none(), st.lists(st.floats(), max_size=3)))
def test_any_value_fits_or_is_refused(value: Any) -> None:
    """Any value is either stored or refused with ValueError."""
    for annotation in (float, int, bool, Vec2, Entity, Asset, Str, Chars, Mode, list[float], list[Str], Array[int, 2]):
        with contextlib.suppress(ValueError):
            _type(annotation).coerce(value)


@given(
    st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=9),
    st.sampled_from([np.float32, np.float64, np.int64]),
)
def test_distinct_values_and_medians_have_the_bits_of_numpy(numbers: list[float], kind: Any) -> None:
    """`distinct` and `median` give what `np.unique` and `np.median` give, also for arrays of two dimensions."""
    values = np.array(numbers).astype(kind)
    for array in (values, np.stack([values, values])):
        assert distinct(array).tolist() == np.unique(array).tolist()
        assert median(array).tobytes() == np.median(array).tobytes()
