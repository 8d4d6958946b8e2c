"""Kernels as plain Python: for little work that is not worth a compilation, and where machine code is missing."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import numpy as np

if TYPE_CHECKING:
    from .kernel import LazyKernel

_P = ParamSpec("_P")
_R = TypeVar("_R")
_NUMBER: Any = np.generic


def plain_form(kernel: LazyKernel[_P, _R]) -> Callable[_P, _R]:
    """Return the function of a kernel so that it and all kernels that it calls run as plain Python.

    Constants of numpy in their modules become numbers of Python. Give it flat lists instead of arrays: an item of a
    list is read ten times faster. A kernel that runs like this must not divide by zero, which raises an error here.
    """
    return cast("Any", _Plain(type(kernel), numbers=True).function(kernel.py_func))


def plain_function(kernel: LazyKernel[_P, _R]) -> Callable[_P, _R]:
    """Return the same with the constants as they are, for arrays. Kernels that are called never run as machine code.

    Machine code returns a float32 as a float of Python, with which plain Python would compute on in another way.
    """
    return cast("Any", _Plain(type(kernel), numbers=False).function(kernel.py_func))


class _Plain:
    """Makes plain functions of kernels. numbers: whether constants of numpy become numbers of Python."""

    def __init__(self, kernel_type: type[Any], *, numbers: bool) -> None:
        self._kernel_type, self._numbers = kernel_type, numbers
        self._functions: dict[int, FunctionType] = {}
        self._modules: dict[int, dict[str, Any]] = {}

    def function(self, fn: Any) -> FunctionType:
        """Return a function whose globals and closure have plain functions in place of kernels."""
        plain = self._functions.get(id(fn))
        if plain is None:
            cells = tuple(CellType() for _ in fn.__closure__ or ())
            names = self._names(fn.__globals__)
            plain = FunctionType(fn.__code__, names, fn.__name__, fn.__defaults__, cells or None)
            self._functions[id(fn)] = plain
            for cell, old in zip(cells, fn.__closure__ or (), strict=True):
                cell.cell_contents = self.value(old.cell_contents)
        return plain

    def value(self, value: Any) -> Any:
        """Return what a name refers to in plain functions."""
        if isinstance(value, self._kernel_type):
            return self.function(value.py_func)
        if isinstance(value, ModuleType):
            return _PlainModule(value, self)
        is_number = self._numbers and isinstance(value, _NUMBER)
        return value.item() if is_number else value

    def _names(self, module: dict[str, Any]) -> dict[str, Any]:
        names = self._modules.get(id(module))
        if names is None:
            names = self._modules[id(module)] = dict(module)
            names |= {name: self.value(value) for name, value in module.items() if name != "__builtins__"}
        return names


class _PlainModule:
    """A module as plain functions see it."""

    def __init__(self, module: ModuleType, plain: _Plain) -> None:
        self._module, self._plain = module, plain

    def __getattr__(self, name: str) -> Any:
        value = self._plain.value(getattr(self._module, name))
        setattr(self, name, value)
        return value
