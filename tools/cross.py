"""Object files with the kernels of a package for other systems. Untested there: no such machine has run one.

`uv run python tools/cross.py LIST TARGET FOLDER` compiles the kernels of a list (`kernels.txt`) in this process and
writes an object file of each, as LLVM emits it: ELF for Linux, COFF for Windows, Mach-O for macOS. What numba writes is
not optimized before it is turned to the other system, because LLVM would put instructions of this processor into it. So
this needs a process of its own, whose compiled kernels are of no use to others: set `RISH_CACHE_DIR` to a new folder.

What is missing for a loader there: a linker for these formats (`elf` reads x86-64 alone), the pickled constants of
kernels that have some, the external names (`machine.host`), and on macOS a signed library instead of mapped memory.
"""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from rish_jit import LEVELS, Listed, read_list
from rish_jit.machine.layout import DTYPE_NUMBERS
from rish_jit.native.emit import make_internal, reduce_module
from rish_jit.signatures import types_of


class Target(NamedTuple):
    """A system: LLVM's name of it, the processor, its features, and whether a C `long` has 64 bits."""

    triple: str
    processor: str
    features: str
    long_64: bool = True


TARGETS = {
    "linux-arm64": Target("aarch64-unknown-linux-gnu", "generic", LEVELS["arm64"]),
    "macos-arm64": Target("arm64-apple-macosx11.0.0", "apple-m1", LEVELS["arm64"]),
    "windows-x86-64": Target("x86_64-pc-windows-msvc", "x86-64-v2", LEVELS["x86-64-v2"], long_64=False),
}
"""The systems for which objects can be emitted."""
_LONG_32 = {"i4": (5, 7), "u4": (6, 8), "i8": (9,), "u8": (10,)}
"""numpy's numbers of types where a C `long` has 32 bits."""


def prepare(name: str) -> None:
    """Let numba write instructions for a target from now on, unoptimized."""
    library: Any = importlib.import_module("numba.core.codegen").CPUCodeLibrary
    library._optimize_functions = library._optimize_final_module = _nothing
    if not TARGETS[name].long_64:
        DTYPE_NUMBERS.update(_LONG_32)


def _nothing(*_: object) -> None:
    """Stand for a step of numba's that is left out."""


def object_code(listed: Listed, name: str) -> bytes:
    """Return the object file of a kernel for a target, after `prepare`. Its public symbol is `rish_kernel`.

    Raises ValueError if the kernel has the address of an object of this process.
    """
    kernel, kinds = listed.find(), types_of(listed.types)
    assert kernel is not None
    dispatcher = kernel.form("entry")
    dispatcher.compile(kinds)
    result = dispatcher.overloads[kinds]
    llvm: Any = importlib.import_module("llvmlite.binding")
    machine = _machine(TARGETS[name])
    text = str(result.library._final_module)
    text = re.sub(r'^target datalayout = ".*"$', f'target datalayout = "{machine.target_data}"', text, flags=re.M)
    text = re.sub(r'^target triple = ".*"$', f'target triple = "{TARGETS[name].triple}"', text, flags=re.M)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    module = llvm.parse_assembly(text)
    for old, new in make_internal(module, result.fndesc).items():
        for each in (*module.functions, *module.global_variables):
            if each.name == old:
                each.name = f"rish_{new}"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization, options.slp_vectorization = True, False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    reduce_module(module, machine)
    if any(each.name.startswith("numba.dynamic.globals") for each in module.global_variables):
        raise ValueError(f"{listed.kernel} has the address of an object of this process")
    return machine.emit_object(module)


def _machine(target: Target) -> Any:
    llvm: Any = importlib.import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, features=target.features, opt=3, reloc="pic", codemodel="default"
    )


def main(arguments: list[str]) -> None:
    """Write the object files, with their numbers in the list, because a kernel may be listed for several types."""
    path, target, folder = Path(arguments[0]), arguments[1], Path(arguments[2])
    prepare(target)
    for number, each in enumerate(read_list(path)):
        if not each.inner:
            (folder / f"{number}-{each.kernel}.o").write_bytes(object_code(each, target))


if __name__ == "__main__":
    main(sys.argv[1:])
