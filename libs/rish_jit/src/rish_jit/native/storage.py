"""Where machine code is stored: looked up in images and in the cache, compiled by numba and written into the cache."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .. import cache
from ..cache import Entry, Key
from ..signatures import types_of
from ..stamps import stamp_of
from .code import FORMAT
from .host import level, python_tag
from .images import find_in_image

if TYPE_CHECKING:
    from ..compiler.kernel import LazyKernel


def key_of(kernel: LazyKernel[..., Any], types: str) -> Key:
    """Return the key of a kernel's machine code for some types, with the present sources and constants."""
    stamp = stamp_of(kernel.py_func, kernel.targetoptions)
    return Key(kernel.name, types, stamp, machine_text(level()))


def machine_text(target_level: str) -> str:
    """Return what machine code for a level of processors depends on beside the sources."""
    return f"code-{FORMAT} {python_tag()} {target_level}"


def stored_entry(kernel: LazyKernel[..., Any], types: str) -> Entry | None:
    """Return a kernel's machine code for some types: from the image of its package, or from the cache; None without."""
    key, source = key_of(kernel, types), kernel.py_func.__code__.co_filename
    return find_in_image(source, key) or cache.find_entry(cache.folders_for(source), key)


def compile_entry(kernel: LazyKernel[..., Any], types: str) -> Entry | None:
    """Compile a kernel for some types in this process and write it into the cache; None without numba.

    The entry has no code if only numba itself can run this form. Raises numba's errors.
    """
    dispatcher = kernel.form("entry")
    if dispatcher is None:
        return None
    emit: Any = importlib.import_module("rish_jit.native.emit")
    key, kinds = key_of(kernel, types), types_of(types)
    calls, code = (), b""
    if emit.is_native(kinds):
        dispatcher.compile(kinds)
        result = dispatcher.overloads[kinds]
        calls, code = cache.calls_in(result.fndesc), emit.packed_code(result)
    entry = Entry(key, calls, code)
    cache.store(kernel.py_func, entry)
    return entry
