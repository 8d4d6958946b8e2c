"""Code compared: whether two loadings of a module say the same.

A module that is loaded again has new functions and classes throughout, also where no letter was changed. What they do
is in their code objects; those of all functions and classes of a module, without the numbers of their lines, and its
constants show whether something in it was edited.
"""

from __future__ import annotations

import sys
from types import CodeType, FunctionType
from typing import Any

_CONSTANTS = (bool, int, float, str, bytes, tuple)


def module_code(thing: Any) -> Any:
    """The code of the module in which a function or class was written; equal for equal code."""
    name = getattr(thing, "__module__", "")
    module = sys.modules.get(name)
    if module is None:
        return code_of(thing)
    items: list[tuple[str, Any]] = [pair for pair in vars(module).items() if not pair[0].startswith("__")]
    said = {key: code_of(value) for key, value in items if getattr(value, "__module__", None) == name}
    return said, {key: repr(value) for key, value in items if type(value) in _CONSTANTS}


def code_of(thing: Any) -> Any:
    """A value that changes with the code of a function or class; for anything else its type alone."""
    thing = getattr(thing, "py_func", thing)  # of a kernel
    if isinstance(thing, FunctionType):
        return _plain(thing.__code__), repr(thing.__defaults__)
    if isinstance(thing, type):
        return {name: code_of(getattr(value, "__func__", value)) for name, value in vars(thing).items()}
    return type(thing).__name__


def _plain(code: CodeType) -> Any:
    """A code object without its place."""
    inner = [_plain(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, inner
