"""Interrupts a piece of work at every instruction, as Ctrl-C does at any moment."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType, ModuleType
from typing import Any

from long_runs import long


def interrupted_everywhere(work: Callable[[], object], *modules: ModuleType) -> Iterator[int]:
    """Run `work` again and again, each time with a KeyboardInterrupt before the next instruction of these modules.

    Yields the number of the instruction after each run that was interrupted, and ends when a run is not. Only a long
    run interrupts at each instruction, others at every eleventh.
    """
    files = {module.__file__ for module in modules}
    number = 0
    if sys.version_info >= (3, 12):  # there a function reports its instructions from the second call on
        _interrupted_at(sys.maxsize, work, files)
    while _interrupted_at(number, work, files):
        yield number
        number += long(1, 11)
    assert number


def _interrupted_at(number: int, work: Callable[[], object], files: set[str | None]) -> bool:
    left = number

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename not in files:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return step

    def step(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        if event == "opcode":
            left -= 1
            if left < 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return step

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False
