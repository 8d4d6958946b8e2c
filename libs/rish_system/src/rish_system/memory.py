"""Memory: how much a process uses, and what it has freed and its allocator keeps."""

from __future__ import annotations

from .system import current


def peak_memory() -> int | None:
    """Return the most physical memory that this process has used so far, in bytes; None where it is unknown.

    Memory that it shares with other processes, such as libraries, is counted.
    """
    if current() == "linux":  # getrusage also counts the process that started this one
        with open("/proc/self/status", encoding="utf-8") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:")), None)
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


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
