"""Stamps: a hash of everything that a compiled kernel was made from.

A kernel is made from its own bytecode, from the kernels and helper functions that it names, directly or through
others, and from the values of the global constants that these name. `stamp_of` hashes all of it, and which function
names which. So an edit of a helper or of a constant in another module gives another stamp, and an edit of a comment or
of a docstring does not.

Bytecode does not show everything that decides about machine code: a function with hand-written LLVM code
(`rish_jit.compiler.code`) runs Python when a kernel is compiled. Of such functions, and of classes, the source file is
hashed, and of the modules of `rish_jit` that direct the compiler as well.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import opcode
import operator
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, cast

import numpy as np

_FORMS: dict[Callable[..., Any], Callable[..., Any]] = {}
_COMPILER = (
    "compiler/code.py", "compiler/pipeline.py",
    "machine/layout.py", "native/elf.py", "native/emit.py", "native/entry.py", "native/reading.py",
)  # fmt: skip
"""The modules that decide about machine code."""
_FOREIGN = frozenset({*sys.stdlib_module_names, "numpy", "numba", "llvmlite"})
"""Packages of which only names count: the versions of the compilers are part of the key of an entry, see `cache`."""
_PLAIN = (int, float, complex, str, bytes, type(None))
_MUTABLE = (list, set, dict, np.ndarray)
_STARTED = time.time()
_LOADS = frozenset(opcode.hasconst)
"""Instructions that read a constant."""


def compiles_as(public: Callable[..., Any], form: Callable[..., Any]) -> None:
    """Note that kernels which call the plain function `public` are made of `form`."""
    _FORMS[public] = form


def stamp_of(fn: Callable[..., Any], options: Mapping[str, Any] | None = None) -> str:
    """Return a hash of the code and the constants of a function and of all that it reaches.

    options: with which the function is compiled.
    """
    functions = reached(fn)
    numbers = {id(each): number for number, each in enumerate(functions)}
    parts = [_compiler_digest(), repr(sorted((options or {}).items()))]
    for each in functions:
        described = _description_of(each)
        parts += [described.text, repr([numbers[id(inner)] for inner in described.functions])]
    return _hash(*parts)


def reached(fn: Callable[..., Any]) -> list[Any]:
    """Return the function and all functions that its code names, directly or through others, in a fixed order."""
    waiting: list[Any] = [fn]
    functions: dict[int, Any] = {}
    while waiting:
        each = waiting.pop()
        if id(each) not in functions:
            functions[id(each)] = each
            waiting += _description_of(each).functions
    return list(functions.values())


def forget() -> None:
    """Describe all functions again at the next call, because sources may have changed."""
    _DESCRIPTIONS.clear()
    _file_digest.cache_clear()


class _Description(NamedTuple):
    """A function: the values that it names, its text, and the functions among the values in the order of the text."""

    values: tuple[Any, ...]
    text: str
    functions: list[Any]


_DESCRIPTIONS: dict[Any, _Description] = {}


def _description_of(fn: Any) -> _Description:
    """Describe a function; the last description is used again while the function names the same values."""
    named = list(_named(fn))
    values = tuple([value for _, value in named])
    stored = _DESCRIPTIONS.get(fn)
    if stored is not None and _are_same(stored.values, values):
        return stored
    functions: list[Any] = []
    parts = [f"{fn.__module__}.{fn.__qualname__}", _code_text(fn.__code__)]
    parts += [_value_text(value, functions) for value in (fn.__defaults__ or ())]
    parts += [f"{name}={_value_text(value, functions)}" for name, value in named]
    description = _DESCRIPTIONS[fn] = _Description(values, _hash(*parts), functions)
    return description


def _are_same(stored: tuple[Any, ...], values: tuple[Any, ...]) -> bool:
    """Return True if these are the same objects, and none of them can change its content."""
    same = len(stored) == len(values) and all(map(operator.is_, stored, values))
    return same and not any(isinstance(value, _MUTABLE) for value in values)


def _code_text(code: CodeType) -> str:
    """Return what decides about machine code in a code object: no file names, no line numbers, no docstring."""
    constants = code.co_consts
    if constants and isinstance(constants[0], str) and not _uses_first_constant(code):
        constants = (None, *constants[1:])  # a docstring
    texts = [_code_text(each) if isinstance(each, CodeType) else _value_text(each, []) for each in constants]
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return f"{code.co_code.hex()} {texts} {counts} {names}"


def _uses_first_constant(code: CodeType) -> bool:
    """Return True if an instruction reads constant 0."""
    instructions, arguments = code.co_code[::2], code.co_code[1::2]
    at = arguments.find(0)
    while at >= 0 and instructions[at] not in _LOADS:
        at = arguments.find(0, at + 1)
    return at >= 0


def _named(fn: Any) -> Iterator[tuple[str, Any]]:
    """Yield the values that a function's code may reach by a name: globals, members of modules, and closure cells."""
    for code in _codes(fn.__code__):
        for name in code.co_names:
            if name in fn.__globals__:
                yield from _members(name, fn.__globals__[name], code.co_names, ())
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:
            continue


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _members(name: str, value: Any, names: tuple[str, ...], above: tuple[ModuleType, ...]) -> Iterator[tuple[str, Any]]:
    """Yield a value; for a module outside `_FOREIGN` its members that the code names. above: the modules on the way."""
    if not isinstance(value, ModuleType) or _is_foreign(value.__name__):
        yield name, value
    elif value not in above:
        for inner in names:
            if inner in value.__dict__:
                yield from _members(f"{name}.{inner}", value.__dict__[inner], names, (*above, value))


def _value_text(value: Any, functions: list[Any]) -> str:
    """Return a text that differs for values from which other machine code is made; add functions to the list."""
    kind = type(value).__qualname__
    if isinstance(value, enum.Enum):
        return f"{kind}.{value.name}={value.value!r}"
    if isinstance(value, enum.EnumMeta):
        members = cast("Mapping[str, Any]", value.__members__)
        return f"{value.__qualname__}:{[(name, each.value) for name, each in members.items()]!r}"
    if isinstance(value, _PLAIN):
        return f"{kind}:{value!r}"
    if isinstance(value, (tuple, list)):
        texts = [_value_text(each, functions) for each in cast("Sequence[Any]", value)]
        return f"{kind}{getattr(cast('Any', value), '_fields', '')}:{texts}"
    if isinstance(value, (frozenset, set)):
        return f"{kind}:{sorted(_value_text(each, functions) for each in cast('Set[Any]', value))}"
    if isinstance(value, (np.ndarray, np.generic)):
        array = cast("Any", value)
        return f"{array.dtype.descr}{array.shape}:{_hash(array.tobytes())}"
    if isinstance(value, np.dtype):
        return f"dtype:{cast('Any', value).descr}"
    if isinstance(value, ModuleType):
        return f"module:{value.__name__}"
    if isinstance(value, BuiltinFunctionType | np.ufunc):
        return f"{getattr(value, '__module__', '')}.{value.__name__}"
    return _object_text(value, functions)


def _object_text(value: Any, functions: list[Any]) -> str:
    """Return a text for functions, classes and other objects; for those without bytecode the source file counts."""
    name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"
    function = _function_in(value)
    if function is not None:
        functions.append(function)
        name += f" {sorted(getattr(value, 'targetoptions', {}).items())}"
    if function is None or _writes_code(value):
        modules = {getattr(value, "__module__", None), type(value).__module__}
        digests = {_file_digest(module) for module in modules if isinstance(module, str) and not _is_foreign(module)}
        shown = repr(value)
        name += f" {sorted(digests)} {'' if ' at 0x' in shown else shown}"
    return name


def _function_in(value: Any) -> Any:
    """Return the plain function of a kernel, a form or a helper; None for other values."""
    inner = getattr(value, "py_func", value)
    inner = _FORMS.get(inner, inner) if isinstance(inner, FunctionType) else inner
    if not isinstance(inner, FunctionType) or _is_foreign(inner.__module__):
        return None
    return inner


def _writes_code(value: Any) -> bool:
    """Return True if the value's class has Python code that writes LLVM code when a kernel is compiled."""
    return hasattr(cast("Any", type(value)), "_numba_type_") and not hasattr(value, "targetoptions")


def _is_foreign(module: str | None) -> bool:
    return module is None or module.partition(".")[0] in _FOREIGN


@functools.cache
def _file_digest(module: str) -> str:
    """Return a hash of a module's source file; empty if there is none.

    A file that was edited after this process had started may differ from the code that runs, so it gets a digest that
    no other process has.
    """
    path = getattr(sys.modules.get(module), "__file__", None)
    try:
        edited = Path(path).stat().st_mtime_ns if path else 0
        if edited > _STARTED * 1e9:
            return f"edited {os.getpid()} {_STARTED} {edited}"
        return _hash(Path(path).read_bytes()) if path else ""
    except OSError:
        return ""


@functools.cache
def _compiler_digest() -> str:
    """Return a hash of the modules that direct the compiler."""
    here = Path(__file__).parent
    return _hash(*(here.joinpath(name).read_bytes() for name in _COMPILER))


def _hash(*parts: str | bytes) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()
