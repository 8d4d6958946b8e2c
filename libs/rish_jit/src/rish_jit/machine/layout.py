"""Where the values of objects are in memory: the layout of Python's and numpy's structs that entries read."""

from __future__ import annotations

TYPE_OBJECT = "rish.type."
"""The beginning of external names of numpy's types: `rish.type.f4`, `rish.type.ndarray`."""
OBJECT_TYPE = 8
"""The offset of the type in an object of Python; see `PyObject`. The value of a number follows at `VALUE`."""
VALUE = 16
ARRAY_DATA, ARRAY_NDIM, ARRAY_SHAPE, ARRAY_STRIDES, ARRAY_DTYPE, ARRAY_FLAGS = 16, 24, 32, 40, 56, 64
"""Offsets in `PyArrayObject`."""
DTYPE_ORDER, DTYPE_NUMBER = 26, 28
"""Offsets of the byte order, a letter, and of the number of the type in `PyArray_Descr`."""
C_ORDER, F_ORDER, ALIGNED, WRITABLE = 0x1, 0x2, 0x100, 0x400
"""Flags of arrays."""
DTYPE_NUMBERS: dict[str, tuple[int, ...]] = {
    "b1": (0,), "i1": (1,), "u1": (2,), "i2": (3,), "u2": (4,), "i4": (5,), "u4": (6,), "i8": (7, 9), "u8": (8, 10),
    "f4": (11,), "f8": (12,), "c8": (14,), "c16": (15,),
}  # fmt: skip
"""numpy's numbers of types, as on systems where a C `long` has 64 bits."""
