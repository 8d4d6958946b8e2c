"""Instructions written by hand: functions that kernels call and that compile to the LLVM code their author gives.

LLVM finds vector code in many loops, but not in short ones of unknown length, nor where a value is wanted in halves of
a register. There a few lines of its own language do it:

    @instructions
    def double8(builder, ir, x, i):                    # at compile time, on LLVM values
        ...

    @double8.plain
    def _double8(x, i):                                # the same where kernels run as plain Python
        x[i : i + 8] *= 2

An array argument arrives as the pointer to its first element. Nothing is returned, and nothing checked: the author
answers for every address. Both forms must do the same to the bit, and a test must say so.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any, cast

from .kernel import available


class Instructions:
    """A function with two forms, see the module; `emit(builder, ir, *values)` writes the compiled one."""

    def __init__(self, emit: Callable[..., None]) -> None:
        self.emit = emit
        self._plain: Callable[..., None] | None = None
        functools.update_wrapper(self, emit)

    def plain(self, form: Callable[..., None]) -> Callable[..., None]:
        """Give the form in plain Python; a decorator."""
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
    """Make a function of LLVM instructions; see the module."""
    return Instructions(emit)


def intrinsic(resolve: Callable[..., Any], *names: str) -> Any:
    """The numba type of a function whose code is written in LLVM.

    resolve: `resolve(context, *types)` gives the signature, and the function that lowers it; see numba's
    `extending.intrinsic`. names: of the operands, where `resolve` does not spell them out. Only called where numba is
    loaded; meant for an attribute `_numba_type_`, see `Instructions`.
    """
    assert available()
    extending: Any = importlib.import_module("numba.extending")
    registry: Any = importlib.import_module("numba.core.registry")
    if names:  # numba reads them from the signature, whose first parameter is its own context
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter(name, kind) for name in ("context", *names)]
        cast("Any", resolve).__signature__ = inspect.Signature(parameters)
    made = extending.intrinsic(resolve)
    context = registry.cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(made)


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
