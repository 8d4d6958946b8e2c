"""Memory: what a process has freed and its allocator keeps."""

from __future__ import annotations


def release_memory() -> None:
    """Return freed memory to the system, after work that has used much of it once.

    The allocator of Linux (glibc) keeps freed blocks below others in use; other allocators return them by themselves.
    """
    import ctypes

    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another library, or Windows, which has no such handle
        return
    trim(0)
