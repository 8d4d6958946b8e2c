"""Machine code of a kernel that numba has compiled: what `code` describes. Needs numba.

The module of the kernel is copied; all but the entry and the function for C becomes internal, so LLVM removes what is
not used, such as the paths of exceptions that the kernel never raises. The rest is written as an object file for a
level of processors (`machine.host`) and linked into a flat image.
"""

from __future__ import annotations

import functools
import importlib
import logging
import pickle
from typing import Any

from ..machine.host import LEVELS, address_of, level
from .code import MachineCode
from .elf import link
from .reading import is_argument

_log = logging.getLogger("rish.jit")
_ENVIRONMENT = "_ZN08NumbaEnv"
"""The beginning of the names of environments, which hold constants that are Python objects."""


def is_native(kinds: tuple[Any, ...]) -> bool:
    """Return whether an entry can take arguments of these types of numba's."""
    return all(map(is_argument, kinds))


def packed_code(result: Any) -> bytes:
    """Return the bytes of a compiled kernel's machine code; none if it needs numba when it runs."""
    try:
        code = machine_code(result)
        for name in code.externals:
            address_of(name)
    except (LookupError, ValueError) as error:
        _log.info("%s is run by numba itself: %s", result.fndesc.qualname, error)
        return b""
    return code.pack()


def machine_code(result: Any, target_level: str | None = None) -> MachineCode:
    """Return the machine code of a compiled kernel. result: numba's, compiled with an entry. Raises ValueError.

    target_level: one of `LEVELS`, by default that of this machine.
    """
    llvm: Any = importlib.import_module("llvmlite.binding")
    described = result.fndesc
    module = llvm.parse_bitcode(result.library.optimized_module().as_bitcode())
    names = make_internal(module, described)
    machine = _target_machine(target_level or level())
    reduce_module(module, machine)
    environments = {each.name for each in module.global_variables if each.name.startswith(_ENVIRONMENT)}
    if environments - {described.env_name}:
        raise ValueError("a kernel that it calls has constants that are Python objects")
    code = link(machine.emit_object(module), names)
    constants = list(result.environment.consts)
    return MachineCode(
        code.image, code.writable, code.relative, code.externals, code.symbols,
        pickle.dumps(constants) if constants and "environment" in code.symbols else b"",
    )  # fmt: skip


def make_internal(module: Any, described: Any) -> dict[str, str]:
    """Make everything in a kernel's module internal but what a loader looks up; return its names there and here.

    described: numba's description of the kernel.
    """
    entry = described.llvm_cpython_wrapper_name
    names = {entry: "entry", f"{entry}.next": "next", f"{entry}.fallback": "fallback"}
    names |= {described.llvm_cfunc_wrapper_name: "callback", described.env_name: "environment"}
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name not in names:
            each.linkage = "internal"
    return names


def reduce_module(module: Any, machine: Any) -> None:
    """Remove what can't be reached in a module, such as the paths of exceptions that are never raised."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    passes = llvm.create_new_module_pass_manager()
    for add in (passes.add_ipsccp_pass, passes.add_simplify_cfg_pass, passes.add_global_dead_code_eliminate_pass):
        add()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0)))


@functools.cache
def _target_machine(name: str) -> Any:
    llvm: Any = importlib.import_module("llvmlite.binding")
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=name, features=LEVELS[name], opt=3, reloc="pic", codemodel="small")
