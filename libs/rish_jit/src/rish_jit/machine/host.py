"""What this machine can run: the level of the processor, the layout of objects, the addresses of external names."""

from __future__ import annotations

import ctypes
import functools
import importlib
import importlib.machinery
import importlib.util
import logging
import os
import pickle
import platform
import sys
from pathlib import Path
from typing import Any

import numpy as np

from . import exceptions, layout

_log = logging.getLogger("rish.jit")
_V2 = "+cx16,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3"
LEVELS: dict[str, str] = {
    "x86-64": "",
    "x86-64-v2": _V2,
    "x86-64-v3": f"{_V2},+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave",
    "arm64": "+neon",
}
"""Levels of processors, each with the features that LLVM may use; named as in the psABI of x86-64."""
_FLAGS = {
    "x86-64-v2": "cx16 popcnt lahf_lm pni sse4_1 sse4_2 ssse3",
    "x86-64-v3": "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave",
}
"""The names of the features in `/proc/cpuinfo`, which each level adds."""
LEVEL_VARIABLE = "RISH_CPU_LEVEL"
"""The environment variable that chooses a level."""
COMPILER_SETTINGS = ("NUMBA_OPT", "NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES",
    "NUMBA_LOOP_VECTORIZE", "NUMBA_SLP_VECTORIZE")  # fmt: skip
"""Environment variables that ask for other machine code than ours; with them numba runs the kernels."""
NUMBA_VERSIONS = frozenset({"0.68.1"})
"""The versions of numba with which tests/jit/native has passed; with others numba runs the kernels."""
RUNTIME = Path(__file__).parent.parent / "numba_runtime"
"""The folder with numba's extension modules, in wheels."""


@functools.cache
def python_tag() -> str:
    """Return the version of Python, which decides about bytecode and objects: `cp311`."""
    return f"cp{sys.version_info.major}{sys.version_info.minor}{getattr(sys, 'abiflags', '')}"


@functools.cache
def level() -> str:
    """Return the highest level that this processor has, or the one that `RISH_CPU_LEVEL` names, if it has it."""
    best = _best_level()
    wanted = os.environ.get(LEVEL_VARIABLE)
    if not wanted or wanted == best:
        return best
    if not has_level(wanted):
        _log.warning("%s=%s is not used: this processor has the level %s", LEVEL_VARIABLE, wanted, best)
        return best
    return wanted


def has_level(name: str) -> bool:
    """Return whether this processor has a level."""
    best = _best_level()
    return name in LEVELS and (name == best or ("arm64" not in (name, best) and name <= best))


def processor() -> str:
    """Return LLVM's name of the processors of this level."""
    return "generic" if level() == "arm64" else level()


@functools.cache
def usable() -> bool:
    """Return whether machine code can be loaded here: on Linux with x86-64, if objects have the layout of entries."""
    if sys.platform != "linux" or platform.machine() != "x86_64" or sys.implementation.name != "cpython":
        return False
    if getattr(sys, "abiflags", "") or any(os.environ.get(name) for name in COMPILER_SETTINGS):
        return False
    if not _is_numba_tested():
        return False
    difference = check_layout()
    if difference is not None:
        _log.warning("compiled kernels can't be loaded, because %s of this numpy or Python differs", difference)
    return difference is None and _best_level() in _FLAGS


def _is_numba_tested() -> bool:
    """Return whether this version of numba can write machine code with entries, or numba is not installed."""
    version = installed_version("numba")
    return version is None or version in NUMBA_VERSIONS


@functools.cache
def installed_version(package: str) -> str | None:
    """Return the version of an installed package by the name of the folder with its metadata; None if there is none.

    `importlib.metadata` gives the same, but its import takes 10 ms. It is asked if there is no such folder.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    folders = Path(spec.origin).parent.parent.glob(f"{package}-*.dist-info")
    name = next((folder.name for folder in folders), None)
    if name is not None:
        return name.removesuffix(".dist-info").partition("-")[2]
    metadata: Any = importlib.import_module("importlib.metadata")
    return metadata.version(package)


def check_layout() -> str | None:
    """Compare the layout of real objects with what entries read; return what differs, or None."""
    for values in (np.arange(6, dtype="f4"), np.zeros((2, 3), "i8")[:, ::2], np.zeros((2, 3), "u1", order="F")):
        expected = {
            layout.ARRAY_DATA: (ctypes.c_uint64, values.ctypes.data),
            layout.ARRAY_NDIM: (ctypes.c_int32, values.ndim),
            layout.ARRAY_DTYPE: (ctypes.c_uint64, id(values.dtype)),
        }
        for offset, (kind, value) in expected.items():
            if kind.from_address(id(values) + offset).value != value:
                return "the layout of arrays"
        for offset, sides in ((layout.ARRAY_SHAPE, values.shape), (layout.ARRAY_STRIDES, values.strides)):
            address = ctypes.c_uint64.from_address(id(values) + offset).value
            if tuple((ctypes.c_int64 * values.ndim).from_address(address)) != sides:
                return "the layout of arrays"
        flags = ctypes.c_int32.from_address(id(values) + layout.ARRAY_FLAGS).value
        shown = values.flags.c_contiguous, values.flags.f_contiguous, values.flags.aligned, values.flags.writeable
        if (
            tuple(bool(flags & bit) for bit in (layout.C_ORDER, layout.F_ORDER, layout.ALIGNED, layout.WRITABLE))
            != shown
        ):
            return "the layout of arrays"
    return _check_numbers()


def _check_numbers() -> str | None:
    for name, numbers in layout.DTYPE_NUMBERS.items():
        dtype = np.dtype(name)
        if (
            ctypes.c_int32.from_address(id(dtype) + layout.DTYPE_NUMBER).value not in numbers
            or dtype.num not in numbers
        ):
            return "the layout of dtypes"
        swapped = dtype.newbyteorder(">")  # has to live while its memory is read
        order = ctypes.c_char.from_address(id(swapped) + layout.DTYPE_ORDER).value
        if order != (b">" if dtype.itemsize > 1 else b"|"):
            return "the layout of dtypes"
        scalar = dtype.type(1)
        if ctypes.string_at(id(scalar) + layout.VALUE, dtype.itemsize) != scalar.tobytes():
            return "the layout of numbers"
    number = 1.5
    if ctypes.c_double.from_address(id(number) + layout.VALUE).value != number:
        return "the layout of numbers"
    return (
        None
        if ctypes.c_uint64.from_address(id(number) + layout.OBJECT_TYPE).value == id(float)
        else "the layout of objects"
    )


@functools.cache
def address_of(name: str) -> int:
    """Return the address of an external name of machine code. Raises LookupError if there is none."""
    if name.startswith(layout.TYPE_OBJECT):
        return id(_type_object(name.removeprefix(layout.TYPE_OBJECT)))
    if name in exceptions.FUNCTIONS:
        return exceptions.FUNCTIONS[name]
    for library in _libraries():
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(library, name))
        except ValueError:
            continue
    helpers = numba_helpers()
    if name not in helpers:
        raise LookupError(f"this machine has no function {name}")
    return helpers[name]


def _type_object(name: str) -> type:
    others: dict[str, type] = {"ndarray": np.ndarray, "longlong": np.longlong, "ulonglong": np.ulonglong}
    return others.get(name) or np.dtype(name).type


@functools.cache
def _libraries() -> list[ctypes.CDLL]:
    """Python itself with the C library, and the library of mathematical functions."""
    return [ctypes.CDLL(None), ctypes.CDLL("libm.so.6")]


@functools.cache
def numba_helpers() -> dict[str, int]:
    """Return the addresses of the functions that numba has for compiled code, by name.

    They are in extension modules of numba that need no other part of it. Raises LookupError if they are not installed.
    """
    helpers = {f"numba_{name}": value for name, value in _extension("_helperlib").c_helpers.items()}
    for name, value in _extension("core.runtime._nrt_python").c_helpers.items():
        helpers[name if name.startswith("_") else f"NRT_{name}"] = value
    return helpers


def environment(constants: bytes) -> Any:
    """Return an environment of numba's with pickled constants. Raises LookupError without numba's extension modules."""
    value = _extension("_dynfunc").Environment({})
    if constants:
        value.consts.extend(pickle.loads(constants))
    return value


@functools.cache
def _extension(name: str) -> Any:
    """Return one of numba's extension modules without importing numba."""
    full = f"numba.{name}"
    if full in sys.modules:
        return sys.modules[full]
    path = extension_file(name)
    loader = importlib.machinery.ExtensionFileLoader(full, str(path))
    spec = importlib.util.spec_from_file_location(full, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules.pop(full, None)  # numba itself may be imported later
    return module


def extension_file(name: str) -> Path:
    """Return the file of an extension module: in this package's wheel, or of an installed numba."""
    *folders, stem = name.split(".")
    spec = importlib.util.find_spec("numba") if "numba" not in sys.modules else sys.modules["numba"].__spec__
    roots = [RUNTIME]
    if spec is not None and spec.origin is not None:
        roots.append(Path(spec.origin).parent.joinpath(*folders))
    for root in roots:
        for suffix in importlib.machinery.EXTENSION_SUFFIXES:
            if (root / f"{stem}{suffix}").is_file():
                return root / f"{stem}{suffix}"
    raise LookupError(f"numba's extension module {name} is not installed")


@functools.cache
def _best_level() -> str:
    if platform.machine().lower() in ("arm64", "aarch64"):
        return "arm64"
    here = _linux_features() if sys.platform == "linux" else _numpy_features()
    best = "x86-64"
    for name, needed in _FLAGS.items():
        if not here.issuperset(needed.split()):
            break
        best = name
    return best


def _linux_features() -> frozenset[str]:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            return frozenset(next((line for line in file if line.startswith("flags")), "").split())
    except OSError:
        return frozenset()


def _numpy_features() -> frozenset[str]:
    """The features as numpy sees them; those that it does not name came with the same processors."""
    try:
        module = importlib.import_module("numpy._core._multiarray_umath")
        here: dict[str, bool] = module.__cpu_features__
    except (ImportError, AttributeError):
        return frozenset()
    v2 = _FLAGS["x86-64-v2"] if here.get("SSE42") and here.get("POPCNT") else ""
    v3 = _FLAGS["x86-64-v3"] if here.get("AVX2") and here.get("FMA3") and here.get("F16C") else ""
    return frozenset([*v2.split(), *v3.split()])
