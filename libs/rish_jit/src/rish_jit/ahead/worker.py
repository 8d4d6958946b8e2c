"""A process that compiles kernels for another process, see `workers`: it reads tasks and writes answers, a line each.

`{"load": [module, function, argument]}` calls a function that makes modules importable, such as those of a game.
`{"kernel": name, "types": signature}` compiles a kernel into the cache. The answer is `{"error": null}`, or the reason.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
from typing import Any

from ..compiler.kernel import LazyKernel
from ..errors.texts import describe_error
from ..native.storage import compile_entry
from ..signatures import types_of
from .entries import stored
from .lists import Listed

_THRESHOLDS = 100_000, 50
"""Objects before a collection of garbage: with Python's 700 it takes a tenth of the compile time (29.4 against 25.9 s
for 66 kernels), and with these memory grows by 2 %.
"""


def main() -> None:
    """Serve until the input ends, which it also does when the parent process dies."""
    gc.set_threshold(*_THRESHOLDS)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what imported modules print must not look like answers
    for line in sys.stdin:
        try:
            _serve(json.loads(line))
            error = None
        except Exception as failure:
            error = describe_error(failure)
        try:
            print(json.dumps({"error": error}), file=answers, flush=True)
        except BrokenPipeError:  # the parent process has ended, so no answer is needed
            os._exit(0)


def _serve(task: dict[str, Any]) -> None:
    if "load" in task:
        module, function, argument = task["load"]
        getattr(importlib.import_module(module), function)(*([] if argument is None else [argument]))
        return
    listed = Listed(task["kernel"], task["types"])
    kernel = listed.find()
    if kernel is not None:
        compile_listed(kernel, listed)


def compile_listed(kernel: LazyKernel[..., Any], listed: Listed) -> None:
    """Compile an entry of a list in this process and store it, if it is not stored."""
    if not listed.inner and kernel.specializations is not None:
        if stored(listed) is None:
            compile_entry(kernel, listed.types)
        return
    dispatcher = kernel.form("inner" if listed.inner else "numba")
    if dispatcher is not None:
        dispatcher.compile(types_of(listed.types))
