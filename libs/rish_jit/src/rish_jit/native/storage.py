"""Where machine code is stored: looked up in images and in the cache, compiled by numba and written into the cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from .. import cache
from ..cache import Entry, Key
from ..machine.host import level, python_tag
from ..signatures import types_of
from ..stamps import stamp_of
from .code import FORMAT
from .emit import is_native, packed_code
from .images import find_in_image

Form = Literal["inner", "entry", "numba"]
"""What numba compiles a kernel for: calls by kernels, machine code with an entry, or numba's own dispatcher."""


class Kernel(Protocol):
    """What this package needs of a kernel, see `rish_jit.LazyKernel`."""

    name: str
    py_func: Callable[..., Any]
    targetoptions: dict[str, Any]

    @property
    def dispatcher(self) -> Any:
        """numba's dispatcher that runs the kernel by itself; None without numba."""

    def form(self, name: Form) -> Any:
        """Return numba's dispatcher of a form; None without numba."""

    def run_as(self, function: Callable[..., Any]) -> None:
        """Call this function from now on."""

    def plain(self, *args: Any, **kwargs: Any) -> Any:
        """Run the function as plain Python."""


def key_of(kernel: Kernel, types: str) -> Key:
    """Return the key of a kernel's machine code for some types, with the present sources and constants."""
    stamp = stamp_of(kernel.py_func, kernel.targetoptions)
    return Key(kernel.name, types, stamp, machine_text(level()))


def machine_text(target_level: str) -> str:
    """Return what machine code for a level of processors depends on beside the sources."""
    return f"code-{FORMAT} {python_tag()} {target_level}"


def stored_entry(kernel: Kernel, types: str) -> Entry | None:
    """Return a kernel's machine code for some types: from the image of its package, or from the cache; None without."""
    key, source = key_of(kernel, types), kernel.py_func.__code__.co_filename
    return find_in_image(source, key) or cache.find_entry(cache.folders_for(source), key)


def compile_entry(kernel: Kernel, types: str) -> Entry | None:
    """Compile a kernel for some types in this process and write it into the cache; None without numba.

    The entry has no code if only numba itself can run this form. Raises numba's errors.
    """
    dispatcher = kernel.form("entry")
    if dispatcher is None:
        return None
    key, kinds = key_of(kernel, types), types_of(types)
    calls, code = (), b""
    if is_native(kinds):
        dispatcher.compile(kinds)
        result = dispatcher.overloads[kinds]
        calls, code = cache.calls_in(result.fndesc), packed_code(result)
    entry = Entry(key, calls, code)
    cache.store(kernel.py_func, entry)
    return entry
