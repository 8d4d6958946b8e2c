"""Kernels as plain Python, for little work that is not worth a compilation."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from .kernel import LazyKernel

_P = ParamSpec("_P")
_R = TypeVar("_R")


def plain_form(kernel: LazyKernel[_P, _R]) -> Callable[_P, _R]:
    """Return the function of a kernel so that it and all kernels that it calls run as plain Python.

    Constants of numpy in their modules become numbers of Python. Give it flat lists instead of arrays: an item of a
    list is read ten times faster. A kernel that runs like this must not divide by zero, which raises an error here.
    """
    return cast("Any", _plain(kernel, {}))


def _plain(kernel: LazyKernel[..., Any], modules: dict[int, dict[str, Any]]) -> FunctionType:
    fn = cast("FunctionType", kernel.py_func)
    return FunctionType(fn.__code__, _names(fn.__globals__, modules), fn.__name__, fn.__defaults__)


def _names(module: dict[str, Any], modules: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """Return the names of a module, with plain functions instead of its kernels. modules: those of other modules."""
    names = modules.get(id(module))
    if names is None:
        names = modules[id(module)] = dict(module)
        for name, value in module.items():
            if isinstance(value, LazyKernel):
                names[name] = _plain(cast("LazyKernel[..., Any]", value), modules)
            elif isinstance(value, np.generic):
                names[name] = value.item()
    return names
