"""Hand-written instructions: functions for kernels that compile to given LLVM code.

LLVM vectorizes many loops, but not short ones of unknown length, nor code that needs halves of a register. For these, a
few lines of LLVM code can be written:

    @instructions
    def double8(builder, ir, x, i):                    # at compile time, on LLVM values
        ...

    @double8.plain
    def _double8(x, i):                                # the same for kernels that run as plain Python
        x[i : i + 8] *= 2

An array argument is passed as the pointer to its first element. Nothing is returned or checked: the author is
responsible for all addresses. Both forms must give bit-identical results, and a test must show this.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any, cast

from .kernel import can_compile


class Instructions:
    """A function with a compiled and a plain form; `emit(builder, ir, *values)` writes the compiled one."""

    def __init__(self, emit: Callable[..., None]) -> None:
        self.emit = emit
        self._plain: Callable[..., None] | None = None
        functools.update_wrapper(self, emit)

    def plain(self, form: Callable[..., None]) -> Callable[..., None]:
        """Set the form in plain Python; a decorator."""
        self._plain = form
        return form

    def __call__(self, *args: Any) -> None:
        """Run the plain form."""
        if self._plain is None:
            raise NotImplementedError(f"{self.emit.__qualname__} has no plain form")
        self._plain(*args)

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """The numba type of this function; only used if numba is loaded."""
        return _compiled_form(self.emit)


def instructions(emit: Callable[..., None]) -> Instructions:
    """Declare a function of LLVM instructions; a decorator, see the module."""
    return Instructions(emit)


def intrinsic(resolve: Callable[..., Any], *names: str) -> Any:
    """Return the numba type of a function whose code is written in LLVM.

    resolve: `resolve(context, *types)` returns the signature and the function that lowers it; see numba's
    `extending.intrinsic`. names: of the operands, if `resolve` takes `*types`. Only call it if numba is loaded; for an
    attribute `_numba_type_`, see `Instructions`.
    """
    assert can_compile()
    extending: Any = importlib.import_module("numba.extending")
    registry: Any = importlib.import_module("numba.core.registry")
    if names:  # numba reads the names from the signature, whose first parameter is its context
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter(name, kind) for name in ("context", *names)]
        cast("Any", resolve).__signature__ = inspect.Signature(parameters)
    function = extending.intrinsic(resolve)
    context = registry.cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(function)


def array_of(context: Any, builder: Any, kind: Any, address: Any, *shape: Any) -> Any:
    """Write the code of an array in C order that begins at an address, and return it. For functions that lower others.

    kind: numba's type of the array. address, shape: LLVM values of 64 bits.
    """
    arrays: Any = importlib.import_module("numba.np.arrayobj")
    array = arrays.make_array(kind)(context, builder)
    data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    width = shape[0].type(arrays.get_itemsize(context, kind))
    strides = [width]
    for side in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], side))
    arrays.populate_array(array, data=data, shape=list(shape), strides=strides, itemsize=width, meminfo=None)
    return array._getvalue()


def _compiled_form(emit: Callable[..., None]) -> Any:
    ir: Any = importlib.import_module("llvmlite.ir")
    types: Any = importlib.import_module("numba.core.types")
    arrays: Any = importlib.import_module("numba.np.arrayobj")

    def resolve(_context: Any, *kinds: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            operands = [
                arrays.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
                for kind, value in zip(signature.args, values, strict=True)
            ]
            emit(builder, ir, *operands)
            return context.get_dummy_value()

        return types.void(*kinds), lower

    return intrinsic(resolve, *[name for name in inspect.signature(emit).parameters if name not in ("builder", "ir")])
