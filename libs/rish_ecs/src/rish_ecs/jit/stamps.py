"""What a compiled kernel was made from, as a hash: the bytecode of everything that it reaches, and the constants in it.

A kernel is made from its own bytecode, from the kernels and helper functions that it names, directly or through
others, and from the values of the global constants that these name. `stamp_of` hashes all of it. So an edit of a
helper or of a constant in another module gives another stamp, and an edit of a comment or of a docstring does not.

Bytecode does not show everything that decides about machine code: a function with hand-written LLVM code
(`rish_ecs.jit.code`) runs Python when a kernel is compiled. Of such functions, and of classes, the whole source file is
hashed, and of the modules of `rish_ecs.jit` that direct the compiler as well.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

_FORMS: dict[Callable[..., Any], Callable[..., Any]] = {}
_COMPILER = ("kernel.py", "pipeline.py", "code.py")
_FOREIGN = frozenset({*sys.stdlib_module_names, "numpy", "numba", "llvmlite"})
"""Packages of which only the names count: the version of numba is part of the key of an entry, see `cache`."""
_PLAIN = (int, float, complex, str, bytes, type(None))


def compiles_as(public: Callable[..., Any], form: Callable[..., Any]) -> None:
    """Note that kernels which call the plain function `public` are made of `form`."""
    _FORMS[public] = form


def stamp_of(fn: Callable[..., Any]) -> str:
    """A hash of the code and the constants of a function and of all that it reaches."""
    stamp = _STAMPS.get(fn)
    if stamp is None:
        parts = sorted({_digest_of_function(each) for each in reached(fn)})
        stamp = _STAMPS[fn] = _hash(_compiler_digest(), *parts)
    return stamp


def reached(fn: Callable[..., Any]) -> list[Any]:
    """The function and all functions that its code names, directly or through others, each once."""
    waiting: list[Any] = [fn]
    found: dict[int, Any] = {}
    while waiting:
        each = waiting.pop()
        if id(each) in found:
            continue
        found[id(each)] = each
        for _, value in _named(each):
            inner = _function_in(value)
            if inner is not None:
                waiting.append(inner)
    return list(found.values())


def forget() -> None:
    """Read sources and constants again at the next question, as some may have changed."""
    _STAMPS.clear()
    _DIGESTS.clear()
    _file_digest.cache_clear()


_STAMPS: dict[Callable[..., Any], str] = {}
_DIGESTS: dict[Callable[..., Any], str] = {}


def _function_in(value: Any) -> Any:
    """The plain function that a named value stands for: of a kernel, of a form, of a helper; None for other values."""
    inner = getattr(value, "py_func", value)
    inner = _FORMS.get(inner, inner) if isinstance(inner, FunctionType) else inner
    if not isinstance(inner, FunctionType) or _is_foreign(inner.__module__):
        return None
    return inner


def _digest_of_function(fn: Any) -> str:
    """A hash of one function: its bytecode, its defaults, and the values that it names."""
    digest = _DIGESTS.get(fn)
    if digest is None:
        parts = [f"{fn.__module__}.{fn.__qualname__}", _code_text(fn.__code__, fn.__doc__)]
        parts += [_value_text(value) for value in (fn.__defaults__ or ())]
        parts += [f"{name}={_value_text(value)}" for name, value in _named(fn)]
        digest = _DIGESTS[fn] = _hash(*parts)
    return digest


def _code_text(code: CodeType, doc: str | None = None) -> str:
    """What decides about machine code in a code object: no names of files, no line numbers, no docstring."""
    constants = [
        _code_text(each) if isinstance(each, CodeType) else _value_text(each)
        for each in code.co_consts
        if each is None or each is not doc
    ]
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return f"{code.co_code.hex()} {constants} {counts} {names}"


def _named(fn: Any) -> Iterator[tuple[str, Any]]:
    """The values that a function's code may reach by a name: globals, members of modules, and closure cells."""
    for code in _codes(fn.__code__):
        for name in code.co_names:
            if name in fn.__globals__:
                yield from _members(name, fn.__globals__[name], code.co_names)
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


def _members(name: str, value: Any, names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """A value; of a module of ours its members that the code names."""
    if not isinstance(value, ModuleType) or _is_foreign(value.__name__):
        yield name, value
        return
    for inner in names:
        if inner in value.__dict__ and inner != name:
            others = tuple(each for each in names if each != inner)
            yield from _members(f"{name}.{inner}", value.__dict__[inner], others)


def _value_text(value: Any) -> str:
    """A text that differs for values from which other machine code is made."""
    kind = type(value).__qualname__
    if isinstance(value, enum.Enum):
        return f"{kind}.{value.name}={value.value!r}"
    if isinstance(value, _PLAIN):
        return f"{kind}:{value!r}"
    if isinstance(value, (tuple, list)):
        return f"{kind}:{[_value_text(each) for each in cast('Sequence[Any]', value)]}"
    if isinstance(value, (frozenset, set)):
        return f"{kind}:{sorted(_value_text(each) for each in cast('Set[Any]', value))}"
    if isinstance(value, (np.ndarray, np.generic)):
        held = cast("Any", value)
        return f"{held.dtype.str}{held.shape}:{_hash(held.tobytes())}"
    if isinstance(value, np.dtype):
        return f"dtype:{value!r}"
    if isinstance(value, ModuleType):
        return f"module:{value.__name__}"
    if isinstance(value, BuiltinFunctionType | np.ufunc):
        return f"{getattr(value, '__module__', '')}.{value.__name__}"
    return _object_text(value)


def _object_text(value: Any) -> str:
    """A text for functions, classes and other objects; of what has no bytecode of its own the source file counts."""
    name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"
    if _function_in(value) is not None and not _writes_code(value):  # its code counts by itself, see `reached`
        return f"{name} {sorted(getattr(value, 'targetoptions', {}).items())}"
    modules = {getattr(value, "__module__", None), type(value).__module__}
    files = {_file_digest(module) for module in modules if isinstance(module, str) and not _is_foreign(module)}
    return f"{name} {sorted(files)}"


def _writes_code(value: Any) -> bool:
    """Whether Python of the value's own writes LLVM code when a kernel that names it is compiled."""
    return hasattr(cast("Any", type(value)), "_numba_type_") and not hasattr(value, "targetoptions")


def _is_foreign(module: str | None) -> bool:
    return module is None or module.partition(".")[0] in _FOREIGN


@functools.cache
def _file_digest(module: str) -> str:
    """A hash of a module's source file; empty if it has none or it can't be read."""
    path = getattr(sys.modules.get(module), "__file__", None)
    try:
        return _hash(Path(path).read_bytes()) if path else ""
    except OSError:
        return ""


@functools.cache
def _compiler_digest() -> str:
    """A hash of the modules that direct the compiler."""
    here = Path(__file__).parent
    return _hash(*(here.joinpath(name).read_bytes() for name in _COMPILER))


def _hash(*parts: str | bytes) -> str:
    made = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        made.update(len(data).to_bytes(8, "little") + data)
    return made.hexdigest()
