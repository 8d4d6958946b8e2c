"""Instructions that check the types of Python objects and read their values, for entries (`entry`)."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from ..machine.layout import (
    ALIGNED,
    ARRAY_DATA,
    ARRAY_DTYPE,
    ARRAY_FLAGS,
    ARRAY_NDIM,
    ARRAY_SHAPE,
    ARRAY_STRIDES,
    C_ORDER,
    DTYPE_NUMBER,
    DTYPE_NUMBERS,
    DTYPE_ORDER,
    F_ORDER,
    OBJECT_TYPE,
    TYPE_OBJECT,
    VALUE,
    WRITABLE,
)  # fmt: skip
from ..signatures import text_of

NUMBER_TYPES: dict[str, tuple[str, ...]] = {
    "b1": ("PyBool_Type",), "i8": ("PyLong_Type",), "f8": ("PyFloat_Type",), "c16": ("PyComplex_Type",)
}  # fmt: skip
"""The types of Python's own numbers; numpy's are accepted as well."""


def is_argument(kind: Any) -> bool:
    """Return whether entries can take a type of numba's: numbers, None, arrays of numbers, and tuples of these."""
    types = _types()
    if isinstance(kind, types.Array):
        return is_number(kind.dtype) and kind.aligned and kind.ndim > 0
    if type(kind) in (types.Tuple, types.UniTuple):
        return all(map(is_argument, kind.types))
    return isinstance(kind, types.NoneType) or is_number(kind)


def is_number(kind: Any) -> bool:
    """Return whether a type of numba's is one of the numbers that arrays may have."""
    types = _types()
    literal = isinstance(kind, types.Literal)
    return not literal and isinstance(kind, (types.Number, types.Boolean)) and _number_name(kind) in DTYPE_NUMBERS


class Reader:
    """Writes instructions that check objects and read their values. otherwise: the block for other types."""

    def __init__(self, context: Any, builder: Any, otherwise: Any) -> None:
        self.context, self.builder, self.otherwise = context, builder, otherwise
        self._ir: Any = importlib.import_module("llvmlite.ir")

    def require(self, condition: Any) -> None:
        """Go on only if a condition is true."""
        block = self.builder.append_basic_block("checked")
        branch = self.builder.cbranch(condition, block, self.otherwise)
        branch.set_weights([99, 1])
        self.builder.position_at_end(block)

    def read(self, item: Any, kind: Any) -> Any:
        """Check that an object has a type; return its value as numba's functions take it."""
        types = _types()
        if isinstance(kind, types.Array):
            return self._array(item, kind)
        if isinstance(kind, types.BaseTuple):
            return self._tuple(item, kind)
        if isinstance(kind, types.NoneType):
            self.require(self.builder.icmp_unsigned("==", item, self._external("_Py_NoneStruct")))
            return self.context.get_dummy_value()
        return self._number(item, kind)

    def _load(self, base: Any, offset: int, kind: Any) -> Any:
        address = self.builder.gep(base, [self._ir.IntType(64)(offset)])
        return self.builder.load(self.builder.bitcast(address, kind.as_pointer()))

    def _external(self, name: str, kind: Any = None) -> Any:
        """Return the address of a name outside."""
        module = self.builder.module
        if name in module.globals:
            return module.globals[name]
        if kind is not None:
            return self._ir.Function(module, kind, name)
        return self._ir.GlobalVariable(module, self._ir.IntType(8), name)

    def _require_type(self, item: Any, *names: str) -> None:
        found = self._load(item, OBJECT_TYPE, self._ir.IntType(8).as_pointer())
        equal = [self.builder.icmp_unsigned("==", found, self._external(name)) for name in names]
        self.require(functools.reduce(self.builder.or_, equal))

    def _number(self, item: Any, kind: Any) -> Any:
        name = _number_name(kind)
        self._require_type(item, *NUMBER_TYPES.get(name, ()), f"{TYPE_OBJECT}{name}", *_second_types(name))
        value_type = self.context.get_value_type(kind)
        if name == "b1":
            return self._boolean(item)
        if name == "i8":
            return self._integer(item)
        if isinstance(kind, _types().Complex):
            part = self.context.get_value_type(kind.underlying_float)
            value = self.context.make_complex(self.builder, kind)
            value.real = self._load(item, VALUE, part)
            value.imag = self._load(item, VALUE + part.get_abi_size(self.context.target_data), part)
            return value._getvalue()
        return self._load(item, VALUE, value_type)

    def _boolean(self, item: Any) -> Any:
        """True, or numpy's, whose value is a byte."""
        builder, api = self.builder, self.context.get_python_api(self.builder)
        truth = builder.call(
            self._external("PyObject_IsTrue", self._ir.FunctionType(self._ir.IntType(32), [api.pyobj])), [item]
        )
        return builder.icmp_signed("==", truth, self._ir.IntType(32)(1))

    def _integer(self, item: Any) -> Any:
        """An int of Python, of another type if it does not fit into 64 bits with a sign, or numpy's."""
        builder, pointer, word = self.builder, self._ir.IntType(8).as_pointer(), self._ir.IntType(64)
        found = self._load(item, OBJECT_TYPE, pointer)
        is_python = builder.icmp_unsigned("==", found, self._external("PyLong_Type"))
        python, numpy, done = (builder.append_basic_block(name) for name in ("python", "numpy", "integer"))
        builder.cbranch(is_python, python, numpy)
        builder.position_at_end(numpy)
        other = self._load(item, VALUE, word)
        builder.branch(done)
        builder.position_at_end(python)
        value = builder.call(self._external("PyLong_AsLongLong", self._ir.FunctionType(word, [pointer])), [item])
        with builder.if_then(builder.icmp_signed("==", value, word(-1)), likely=False):
            raised = builder.call(self._external("PyErr_Occurred", self._ir.FunctionType(pointer, [])), [])
            with builder.if_then(builder.icmp_unsigned("!=", raised, pointer(None)), likely=False):
                builder.call(self._external("PyErr_Clear", self._ir.FunctionType(self._ir.VoidType(), [])), [])
                builder.branch(self.otherwise)
        last = builder.block
        builder.branch(done)
        builder.position_at_end(done)
        phi = builder.phi(word)
        phi.add_incoming(value, last)
        phi.add_incoming(other, numpy)
        return phi

    def _tuple(self, item: Any, kind: Any) -> Any:
        builder, pointer, word = self.builder, self._ir.IntType(8).as_pointer(), self._ir.IntType(64)
        self._require_type(item, "PyTuple_Type")
        size = builder.call(self._external("PyTuple_Size", self._ir.FunctionType(word, [pointer])), [item])
        self.require(builder.icmp_signed("==", size, word(len(kind.types))))
        get = self._external("PyTuple_GetItem", self._ir.FunctionType(pointer, [pointer, word]))
        items = [self.read(builder.call(get, [item, word(i)]), inner) for i, inner in enumerate(kind.types)]
        return self.context.make_tuple(builder, kind, items)

    def _array(self, item: Any, kind: Any) -> Any:
        builder, word, pointer = self.builder, self._ir.IntType(64), self._ir.IntType(8).as_pointer()
        self._require_type(item, f"{TYPE_OBJECT}ndarray")
        dtype = self._load(item, ARRAY_DTYPE, pointer)
        flags = ALIGNED | {"C": C_ORDER, "F": F_ORDER, "A": 0}[kind.layout] | (WRITABLE if kind.mutable else 0)
        found = builder.and_(self._load(item, ARRAY_FLAGS, self._ir.IntType(32)), self._ir.IntType(32)(flags))
        number = self._load(dtype, DTYPE_NUMBER, self._ir.IntType(32))
        numbers = [self._ir.IntType(32)(each) for each in DTYPE_NUMBERS[_number_name(kind.dtype)]]
        conditions = [
            builder.icmp_signed(
                "==", self._load(item, ARRAY_NDIM, self._ir.IntType(32)), self._ir.IntType(32)(kind.ndim)
            ),
            builder.icmp_signed("==", found, self._ir.IntType(32)(flags)),
            functools.reduce(builder.or_, [builder.icmp_signed("==", number, each) for each in numbers]),
            builder.icmp_unsigned(
                "!=", self._load(dtype, DTYPE_ORDER, self._ir.IntType(8)), self._ir.IntType(8)(ord(">"))
            ),
        ]
        self.require(functools.reduce(builder.and_, conditions))
        arrays: Any = importlib.import_module("numba.np.arrayobj")
        array = arrays.make_array(kind)(self.context, builder)
        data = builder.bitcast(self._load(item, ARRAY_DATA, pointer), array.data.type)
        sides = [self._load(item, offset, word.as_pointer()) for offset in (ARRAY_SHAPE, ARRAY_STRIDES)]
        shape, strides = (
            [builder.load(builder.gep(side, [word(axis)])) for axis in range(kind.ndim)] for side in sides
        )
        width = word(arrays.get_itemsize(self.context, kind))
        arrays.populate_array(array, data=data, shape=shape, strides=strides, itemsize=width, meminfo=None)
        return array._getvalue()


def _second_types(name: str) -> tuple[str, ...]:
    """Return the external names of numpy's other types with the same name: two of C's types have 64 bits."""
    return {"i8": (f"{TYPE_OBJECT}longlong",), "u8": (f"{TYPE_OBJECT}ulonglong",)}.get(name, ())


def _number_name(kind: Any) -> str:
    """Return the name of a number's type as in `rish_jit.signatures`."""
    return text_of(kind) or ""


def _types() -> Any:
    return importlib.import_module("numba.core.types")
