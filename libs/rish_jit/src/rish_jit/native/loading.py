"""Machine code as a function of Python: mapped into memory, with all addresses filled in."""

from __future__ import annotations

import ctypes
import functools
import mmap
from collections.abc import Callable
from typing import Any

from ..machine.host import address_of, environment
from .code import MachineCode

_FASTCALL, _KEYWORDS = 0x80, 0x02
"""Flags of methods, see CPython's `methodobject.h`."""
_READ, _EXECUTE = 1, 4
"""Rights of pages."""
_functions: list[object] = []
"""Everything that loaded functions refer to. It stays until the process ends: another thread may run the code."""


class _Method(ctypes.Structure):
    """CPython's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class LoadedCode:
    """Machine code in memory. function: what Python calls. callback: the address that C code calls, or None."""

    def __init__(self, code: MachineCode, name: str, fallback: Callable[..., Any]) -> None:
        """Map the code. name: of the kernel. fallback: gets the calls that it does not take, if `following` is not set.

        Raises LookupError if this machine lacks a function that it calls, and OSError without memory for code.
        """
        memory = mmap.mmap(-1, len(code.image))
        memory.write(code.image)
        base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        self._words = (ctypes.c_uint64 * (len(code.image) // 8)).from_buffer(memory)
        self._symbols = code.symbols
        for place in code.relative:
            self._words[place // 8] += base
        for external, places in code.externals.items():
            address = address_of(external)
            for place in places:
                self._words[place // 8] = address
        self._objects: list[object] = [memory, fallback]
        self._set("fallback", id(fallback))
        if "environment" in code.symbols:
            self._objects.append(environment(code.constants))
            self._set("environment", id(self._objects[-1]))
        if _protect()(base, code.writable, _READ | _EXECUTE):
            error = ctypes.get_errno()
            raise OSError(error, "memory can't be made executable")
        self._entry = base + code.symbols["entry"]
        self.callback = base + code.symbols["callback"] if "callback" in code.symbols else None
        self.function = self._python_function(name)
        _functions.append(self)

    def follow(self, following: LoadedCode) -> None:
        """Give the calls that this code does not take to other code of the same kernel."""
        self._set("next", following._entry)

    def _set(self, symbol: str, value: int) -> None:
        if symbol in self._symbols:  # an entry that takes every call has none
            self._words[self._symbols[symbol] // 8] = value

    def _python_function(self, name: str) -> Callable[..., Any]:
        module, _, short = name.rpartition(".")
        method = _Method(short.encode(), self._entry, _FASTCALL | _KEYWORDS, None)
        self._objects.append(method)
        return _new_function()(ctypes.byref(method), None, module)


@functools.cache
def _protect() -> Any:
    function = ctypes.CDLL(None, use_errno=True).mprotect
    function.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return function


@functools.cache
def _new_function() -> Any:
    function = ctypes.pythonapi.PyCFunction_NewEx
    function.restype, function.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_void_p, ctypes.py_object)
    return function
