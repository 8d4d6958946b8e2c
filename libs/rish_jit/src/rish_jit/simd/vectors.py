"""Vectors of eight float32 inside kernels, so that eight things are computed together.

LLVM does not vectorize every loop automatically: in a solver of contacts, for example, bodies are gathered from
arbitrary rows, and the compiler cannot prove that eight contacts share no body. Such kernels are written with explicit
vectors::

    a = gather(state, 8, 0, bodies, at)          # eight rows of eight numbers, transposed: a[0] is eight bodies' vx
    x = load(block, at) * a[0] + splat(half)
    y = select(x > zero, x, minimum(x, limit))
    store(block, at, y)

A vector is a register of 256 bits, or two of 128 on processors without 256-bit registers. The only operations are
addition, subtraction, multiplication, division, square root, comparison and moves. Each is rounded as IEEE 754
requires; none is fused or approximate, so the bits are the same on every processor. Addresses are not checked: the
caller must pass valid ones.

If kernels run as plain Python, a vector is a numpy array of eight float32 and a mask is one of eight bools. Every
function here then runs its plain form, with bit-identical results.
"""

# llvmlite, with which the code is built, has no types.
# pyright: basic

from __future__ import annotations

import functools
import importlib
import inspect
import operator
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..compiler.code import intrinsic

LANES = 8
"""The number of values in a vector."""
Vector = Any
"""Eight float32 values."""
Mask = Any
"""Eight booleans."""


class Lane8:
    """A function on vectors with two forms: `plain` in numpy, and `emit(builder, kit, kinds, *values)`, which builds
    LLVM IR.

    result: the result of `emit`: `vector`, `vectors` (a tuple of eight), `four` (a tuple of four), `number` (an int64)
    or `nothing`.
    """

    def __init__(self, plain: Callable[..., Any], emit: Callable[..., Any], result: str) -> None:
        self.plain = self.py_func = plain
        self.emit, self.result = emit, result
        functools.update_wrapper(self, plain)

    def __call__(self, *args: Any) -> Any:
        """Run the plain form."""
        return self.plain(*args)

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """The numba type of this function in a kernel; only used if numba is loaded."""
        return _compiled_form(self)


def lanes(result: str, emit: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a function on vectors of its plain form; see `Lane8`."""
    return lambda plain: Lane8(plain, emit, result)


# The registration with numba, made when the first kernel is compiled


@functools.cache
def _kit() -> Any:
    """Return numba's types for vectors and masks, with their operators, and the parts of llvmlite that are
    used here.
    """
    ir: Any = importlib.import_module("llvmlite.ir")
    types: Any = importlib.import_module("numba.core.types")
    vector_ir, mask_ir = ir.VectorType(ir.FloatType(), LANES), ir.VectorType(ir.IntType(1), LANES)
    vector, mask = _new_kind("float32x8", vector_ir), _new_kind("boolx8", mask_ir)
    for symbol, name in _ARITHMETIC.items():
        _teach(symbol, vector, (vector, vector), operator.methodcaller, name)
    for symbol, sign in _ORDER.items():
        _teach(symbol, mask, (vector, vector), functools.partial(operator.methodcaller, "fcmp_ordered"), sign)
    for symbol, name in {operator.and_: "and_", operator.or_: "or_"}.items():
        _teach(symbol, mask, (mask, mask), operator.methodcaller, name)
    _teach(operator.neg, vector, (vector,), operator.methodcaller, "fneg")
    half_ir = ir.VectorType(ir.FloatType(), LANES // 2)
    return SimpleNamespace(ir=ir, types=types, vector=vector, mask=mask, vector_ir=vector_ir, half_ir=half_ir)


_ARITHMETIC = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"}
_ORDER = {operator.gt: ">", operator.lt: "<", operator.ge: ">=", operator.le: "<="}


def _new_kind(name: str, form: Any) -> Any:
    """Return a new numba type that is an LLVM vector."""
    types: Any = importlib.import_module("numba.core.types")
    extending: Any = importlib.import_module("numba.extending")

    class Kind(types.Type):
        def __init__(self) -> None:
            super().__init__(name=name)

        def __reduce__(self) -> Any:
            return _known_kind, (name,)  # otherwise each kernel from the cache would have its own type

    class Model(extending.models.PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, form)

    extending.register_model(Kind)(Model)
    return Kind()


def _known_kind(name: str) -> Any:
    """Return the type of that name."""
    kit = _kit()
    return kit.vector if name == kit.vector.name else kit.mask


def _teach(symbol: Any, result: Any, kinds: tuple[Any, ...], call: Any, name: str) -> None:
    """Register an operator on vectors for kernels: it becomes the builder's instruction of that name."""
    templates: Any = importlib.import_module("numba.core.typing.templates")
    imputils: Any = importlib.import_module("numba.core.imputils")

    class Typed(templates.ConcreteTemplate):
        cases = [templates.signature(result, *kinds)]

    def lower(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return call(name, *values)(builder)

    templates.infer_global(symbol)(Typed)
    imputils.lower_builtin(symbol, *kinds)(lower)


def _compiled_form(function: Lane8) -> Any:
    """Return numba's intrinsic for a function of this file."""
    kit = _kit()
    types = kit.types
    arrays: Any = importlib.import_module("numba.np.arrayobj")
    results = {
        "vector": kit.vector,
        "vectors": types.UniTuple(kit.vector, LANES),
        "four": types.UniTuple(kit.vector, 4),
        "number": types.int64,
        "nothing": types.void,
    }
    result = results[function.result]

    def resolve(_context: Any, *kinds: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            operands = []
            for kind, value in zip(signature.args, values, strict=True):
                if isinstance(kind, types.Array):
                    value = arrays.make_array(kind)(context, builder, value).data
                elif isinstance(kind, types.Integer):
                    value = context.cast(builder, value, kind, types.int64)
                operands.append(value)
            emitted = function.emit(_Emitter(builder, kit), *operands)
            if isinstance(result, types.UniTuple):
                return context.make_tuple(builder, signature.return_type, emitted)
            return context.get_dummy_value() if function.result == "nothing" else emitted

        return result(*kinds), lower

    return intrinsic(resolve, *inspect.signature(function.plain).parameters)


class _Emitter:
    """Helpers with which the functions below build LLVM IR."""

    def __init__(self, builder: Any, kit: Any) -> None:
        self.builder, self.kit, self.ir = builder, kit, kit.ir

    def word(self, value: int) -> Any:
        """Return a 64-bit constant."""
        return self.ir.Constant(self.ir.IntType(64), value)

    def where(self, first: Any, at: Any, form: Any) -> Any:
        """Return the address of the number `at`, as the address of a value of type `form`."""
        return self.builder.bitcast(self.builder.gep(first, [at], inbounds=True), form.as_pointer())

    def read(self, first: Any, at: Any, form: Any) -> Any:
        """Load the value at that address; the address is a multiple of 4 bytes."""
        return self.builder.load(self.where(first, at, form), align=4)

    def write(self, value: Any, first: Any, at: Any, form: Any) -> None:
        """Store a value at that address."""
        self.builder.store(value, self.where(first, at, form), align=4)

    def shuffle(self, x: Any, y: Any, order: tuple[int, ...]) -> Any:
        """Return the lanes of x (0 to 7) and y (8 to 15) in a new order."""
        places = self.ir.Constant(self.ir.VectorType(self.ir.IntType(32), len(order)), list(order))
        return self.builder.shuffle_vector(x, y, places)

    def lane(self, index: Any, at: Any, lane: int, stride: Any, first: Any) -> Any:
        """Return index[at + lane] * stride + first, where the index is an int32 array and never negative."""
        b = self.builder
        number = b.load(b.gep(index, [b.add(at, self.word(lane))], inbounds=True))
        return b.add(b.mul(b.zext(number, self.ir.IntType(64)), stride), first)


# Reading and writing


@lanes("vector", lambda e, array, at: e.read(array, at, e.kit.vector_ir))
def load(array: Any, at: Any) -> Vector:
    """Return eight numbers of a flat float32 array, starting at `at`."""
    return array[at : at + LANES].copy()


@lanes("nothing", lambda e, array, at, x: e.write(x, array, at, e.kit.vector_ir))
def store(array: Any, at: Any, x: Vector) -> None:
    """Write eight numbers into a flat float32 array, starting at `at`."""
    array[at : at + LANES] = x


def _emit_splat(e: Any, value: Any) -> Any:
    undefined = e.ir.Constant(e.kit.vector_ir, e.ir.Undefined)
    single = e.builder.insert_element(undefined, value, e.ir.Constant(e.ir.IntType(32), 0))
    return e.shuffle(single, undefined, (0,) * LANES)


@lanes("vector", _emit_splat)
def splat(value: Any) -> Vector:
    """Return a vector with a float32 in each lane."""
    return np.full(LANES, value, np.float32)


# Eight rows are transposed in quarters: rows k and k + 4 share a register, so that no lane crosses its 128-bit half.
WEAVE_LOW, WEAVE_HIGH = (0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15)
PAIRS_LOW, PAIRS_HIGH = (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)


def _emit_gather4(e: Any, array: Any, stride: Any, first: Any, index: Any, at: Any) -> list[Any]:
    parts = [e.read(array, e.lane(index, at, k, stride, first), e.kit.half_ir) for k in range(LANES)]
    rows = [e.shuffle(parts[k], parts[k + 4], tuple(range(LANES))) for k in range(4)]
    woven = [e.shuffle(rows[k], rows[k + 1], order) for k in (0, 2) for order in (WEAVE_LOW, WEAVE_HIGH)]
    return [e.shuffle(woven[k], woven[k + 2], order) for k in (0, 1) for order in (PAIRS_LOW, PAIRS_HIGH)]


def _emit_gather(e: Any, array: Any, stride: Any, first: Any, index: Any, at: Any) -> list[Any]:
    second = e.builder.add(first, e.word(4))
    return [part for half in (first, second) for part in _emit_gather4(e, array, stride, half, index, at)]


@lanes("vectors", _emit_gather)
def gather(array: Any, stride: Any, first: Any, index: Any, at: Any) -> tuple[Vector, ...]:
    """Return eight rows of eight float32, transposed: lane l of vector k is array[index[at + l] * stride + first + k].

    index: int32, none negative.
    """
    starts = index[at : at + LANES].astype(np.int64) * stride + first
    rows = np.stack([array[start : start + LANES] for start in starts])
    return tuple(np.ascontiguousarray(column) for column in rows.T)


@lanes("four", _emit_gather4)
def gather4(array: Any, stride: Any, first: Any, index: Any, at: Any) -> tuple[Vector, ...]:
    """Return eight rows of four float32, transposed; otherwise like `gather`."""
    starts = index[at : at + LANES].astype(np.int64) * stride + first
    rows = np.stack([array[start : start + 4] for start in starts])
    return tuple(np.ascontiguousarray(column) for column in rows.T)


def _emit_scatter(e: Any, array: Any, index: Any, at: Any, x: Any, y: Any, z: Any, w: Any) -> None:
    xy, zw = ((e.shuffle(a, b, WEAVE_LOW), e.shuffle(a, b, WEAVE_HIGH)) for a, b in ((x, y), (z, w)))
    quads = [e.shuffle(xy[part], zw[part], order) for part in (0, 1) for order in (PAIRS_LOW, PAIRS_HIGH)]
    low, high = (0, 1, 2, 3), (4, 5, 6, 7)
    rows = [e.shuffle(quad, quad, half) for half in (low, high) for quad in quads]
    utils: Any = importlib.import_module("numba.core.cgutils")
    unused = utils.alloca_once(e.builder, e.kit.half_ir)  # for rows that are not written
    for k, row in enumerate(rows):
        start = e.lane(index, at, k, e.word(LANES), e.word(0))
        place = e.where(array, start, e.kit.half_ir)
        absent = e.builder.icmp_unsigned("==", start, e.word(0))
        e.builder.store(row, e.builder.select(absent, unused, place), align=4)


@lanes("nothing", _emit_scatter)
def scatter(array: Any, index: Any, at: Any, x: Vector, y: Vector, z: Vector, w: Vector) -> None:
    """Write the first half of eight rows of eight float32: x, y, z, w of lane l to array[index[at + l] * 8 ...].

    Row 0 is never written. It represents bodies that do not move and unused lanes, and all lanes that refer to it must
    read zeros, even after another lane has overflowed. Lanes are written in order, so if two refer to the same row, the
    later one remains. index: int32, none negative.
    """
    for k in range(LANES):
        start = int(index[at + k]) * LANES
        if start:
            array[start : start + 4] = (x[k], y[k], z[k], w[k])


def _emit_pick(e: Any, array: Any, stride: Any, first: Any, index: Any, at: Any) -> Any:
    b, mask = e.builder, e.ir.Constant(e.kit.vector_ir, e.ir.Undefined)
    for k in range(LANES):
        number = b.load(b.gep(array, [e.lane(index, at, k, stride, first)], inbounds=True))
        mask = b.insert_element(mask, number, e.ir.Constant(e.ir.IntType(32), k))
    return mask


@lanes("vector", _emit_pick)
def pick(array: Any, stride: Any, first: Any, index: Any, at: Any) -> Vector:
    """Return eight single numbers of a float32 array: lane l is array[index[at + l] * stride + first]."""
    return array[index[at : at + LANES].astype(np.int64) * stride + first]


# Arithmetic beyond the operators


@lanes("vector", lambda e, mask, x, y: e.builder.select(mask, x, y))
def select(mask: Mask, x: Vector, y: Vector) -> Vector:
    """Return, lane by lane, x if the mask is true and otherwise y."""
    return np.where(mask, x, y)


@lanes("vector", lambda e, x, y: e.builder.select(e.builder.fcmp_ordered(">", x, y), x, y))
def maximum(x: Vector, y: Vector) -> Vector:
    """Return the greater of two lane by lane; y if x is NaN or they are equal."""
    return np.where(x > y, x, y)


@lanes("vector", lambda e, x, y: e.builder.select(e.builder.fcmp_ordered("<", x, y), x, y))
def minimum(x: Vector, y: Vector) -> Vector:
    """Return the lesser of two lane by lane; y if x is NaN or they are equal."""
    return np.where(x < y, x, y)


def _emit_one(name: str, e: Any, x: Any) -> Any:
    """Call LLVM's function of that name, which takes and returns a vector."""
    kind = e.ir.FunctionType(e.kit.vector_ir, [e.kit.vector_ir])
    declared = e.builder.module.globals.get(name)
    function = declared if declared is not None else e.ir.Function(e.builder.module, kind, name)
    return e.builder.call(function, [x])


@lanes("vector", functools.partial(_emit_one, "llvm.sqrt.v8f32"))
def sqrt(x: Vector) -> Vector:
    """Return the square root lane by lane; NaN for negative numbers."""
    return np.sqrt(x)


@lanes("vector", lambda e, x: e.shuffle(x, e.ir.Constant(e.kit.vector_ir, None), (8, 8, 8, 8, 0, 1, 2, 8)))
def onward(x: Vector) -> Vector:
    """Return the velocity of one body (lanes 0 to 2), shifted to lanes 4 to 6; all other lanes are 0."""
    shifted = np.zeros(LANES, np.float32)
    shifted[4:7] = x[:3]
    return shifted


@lanes("vector", functools.partial(_emit_one, "llvm.floor.v8f32"))
def floor(x: Vector) -> Vector:
    """Return the largest whole number that is not above each lane."""
    return np.floor(x)


def _emit_store_whole(e: Any, array: Any, at: Any, x: Any) -> None:
    form = e.ir.VectorType(e.ir.IntType(32), LANES)
    e.write(e.builder.fptosi(x, form), array, at, form)


@lanes("nothing", _emit_store_whole)
def store_whole(array: Any, at: Any, x: Vector) -> None:
    """Write eight numbers into a flat int32 array, starting at `at`, without the digits behind the point.

    They must be within the range of int32.
    """
    array[at : at + LANES] = x.astype(np.int32)


# Bits


@lanes("number", lambda e, word: e.builder.cttz(word, e.ir.Constant(e.ir.IntType(1), 0)))
def lowest(word: Any) -> int:
    """Return the index of the lowest set bit of a uint64, 64 if none is set."""
    value = int(word)
    return (value & -value).bit_length() - 1 if value else 64


@lanes("number", lambda e, mask: e.builder.zext(e.builder.bitcast(mask, e.ir.IntType(LANES)), e.ir.IntType(64)))
def bits(mask: Mask) -> int:
    """Return the lanes where a mask is true, as bits of a number: lane 0 is the lowest."""
    return int(np.packbits(mask, bitorder="little")[0])
