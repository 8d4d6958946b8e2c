"""Compares the code of two loaded versions of a module.

A reloaded module has new function and class objects even if its text did not change. So two versions are compared by
the code objects of their functions and classes, without line numbers, and by the module's constants.
"""

from __future__ import annotations

import sys
from types import CodeType, FunctionType
from typing import Any

_CONSTANTS = (bool, int, float, str, bytes, tuple)


def module_code(thing: Any) -> Any:
    """Return the code of the module that defines a function or class; equal for equal code."""
    name = getattr(thing, "__module__", "")
    module = sys.modules.get(name)
    if module is None:
        return code_of(thing)
    items: list[tuple[str, Any]] = [pair for pair in vars(module).items() if not pair[0].startswith("__")]
    codes = {key: code_of(value) for key, value in items if getattr(value, "__module__", None) == name}
    return codes, {key: repr(value) for key, value in items if type(value) in _CONSTANTS}


def code_of(thing: Any) -> Any:
    """Return a value that is equal for equal code of a function or class; for other objects the name of their type."""
    thing = getattr(thing, "py_func", thing)  # the Python function of a compiled kernel
    if isinstance(thing, FunctionType):
        return _contents(thing.__code__), repr(thing.__defaults__)
    if isinstance(thing, type):
        return {name: code_of(getattr(value, "__func__", value)) for name, value in vars(thing).items()}
    return type(thing).__name__


def _contents(code: CodeType) -> Any:
    """Return the contents of a code object without file and line numbers."""
    inner = [_contents(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, inner
