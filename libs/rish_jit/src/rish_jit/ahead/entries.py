"""The entries that store the kernels of a list: looked up in images and in the cache, without numba."""

from __future__ import annotations

from ..cache import Entry, Key, find_entry, folders_for, numba_machine
from ..compiler.kernel import can_compile
from ..native.images import find_in_image
from ..native.storage import key_of
from ..stamps import stamp_of
from .lists import Listed


def stored(listed: Listed) -> Entry | None:
    """Return the entry of a kernel for some types; None if there is none."""
    place = _key_of(listed)
    if place is None:
        return None
    source, key = place
    return find_in_image(source, key) or find_entry(folders_for(source), key)


def is_stored(listed: Listed) -> bool:
    """Return whether there is an entry of a kernel for some types; a file of the cache is not read."""
    place = _key_of(listed)
    if place is None:
        return False
    source, key = place
    in_cache = any((folder / key.file).is_file() for folder in folders_for(source))
    return in_cache or find_in_image(source, key) is not None


def _key_of(listed: Listed) -> tuple[str, Key] | None:
    """Return the file of a kernel and the key of its entry; None if it does not exist or can't be stored."""
    kernel = listed.find()
    if kernel is None:
        return None
    source = kernel.py_func.__code__.co_filename
    if not listed.inner and kernel.specializations is not None:
        return source, key_of(kernel, listed.types)
    if not can_compile():
        return None
    stamp = stamp_of(kernel.py_func, kernel.targetoptions)
    return source, Key(listed.kernel, listed.types, stamp, numba_machine())
