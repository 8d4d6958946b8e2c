"""Kernels: functions that numba compiles at their first call, and listeners for compilations."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import logging
import operator
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np

from .. import cache, maths, stamps
from ..cache import INNER
from ..machine import host
from ..native.images import has_image
from ..native.specializations import Specializations
from ..native.storage import Form
from . import pipeline
from .interpreted import plain_function

_P = ParamSpec("_P")
_R = TypeVar("_R")
_log = logging.getLogger("rish.jit")
_lock = threading.RLock()
_kernels: dict[str, LazyKernel[..., Any]] = {}
_listeners: list[Callable[[str, int], object]] = []
_forms: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    *maths.KERNEL_FORMS,
    *((step, step) for step in maths.KERNEL_STEPS),
]
for _public, _form in _forms:
    stamps.compiles_as(_public, _form)

compilations: int = 0
"""How many specializations of kernels this process has compiled; one loaded from the cache does not count."""


@dataclass
class _State:
    """The numba module after its import, and whether it can't be used."""

    numba: Any = None
    failed: bool = False


_state = _State()


class LazyKernel(Generic[_P, _R]):
    """A function that is compiled when it is first called.

    It is called like the function that it wraps. Each combination of argument types is a separate specialization,
    compiled or loaded from the cache at its first use. `py_func` is the plain function, `name` is `module.function`.

    Where this system can load it, Python calls machine code that needs no numba (`rish_jit.native`). numba compiles:
    one of its dispatchers is for that machine code, one for the form that only kernels call. The second has no wrapper
    that converts Python objects, which takes a sixth of the time to compile (docs/decisions/0021). Where machine code
    can't be loaded, a third one compiles and runs the kernel.
    """

    def __init__(self, fn: Callable[_P, _R], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, fn)
        self.py_func = fn
        self.name = f"{fn.__module__}.{fn.__qualname__}"
        self.targetoptions = options
        self._dispatchers: dict[Form, Any] = {}
        self._specializations: Specializations | None = None
        self._plain: Callable[_P, _R] | None = None
        self._call: Callable[_P, _R] = self._first_call

    if TYPE_CHECKING:

        def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
            """Run the kernel."""
            ...

    else:
        # A property returns numba's own callable: 0.06 µs, while forwarding the arguments takes 0.2 µs.
        __call__ = property(operator.attrgetter("_call"))

    def __reduce__(self) -> tuple[Any, ...]:
        return _kernel_called, (self.name,)

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    @property
    def compiled(self) -> bool:
        """Whether at least one specialization for Python was compiled or loaded from the cache."""
        return bool(self.loaded_types)

    @property
    def loaded_types(self) -> list[str]:
        """The types of the specializations for Python that this process has loaded; see `rish_jit.signatures`."""
        if self._specializations is not None and self._specializations.types:
            return self._specializations.types
        dispatcher = self._dispatchers.get("numba")
        return [] if dispatcher is None else [str(signature) for signature in dispatcher.signatures]

    @property
    def specializations(self) -> Specializations | None:
        """The machine code of this kernel; None where only numba or plain Python can run it."""
        can_load = not self.targetoptions.get("parallel") and switched_off() is None and host.usable()
        if self._specializations is None and can_load:
            with _lock:
                self._specializations = self._specializations or Specializations(self)
        return self._specializations

    @property
    def dispatcher(self) -> Any:
        """numba's dispatcher that runs the kernel by itself; None if kernels run as plain Python."""
        return self.form("numba")

    def form(self, name: Form) -> Any:
        """Return numba's dispatcher of a form, created at the first call; None without numba.

        name: `inner` for the form that only kernels call, `entry` for machine code that needs no numba, `numba` for
        code that numba's dispatcher calls.
        """
        if name not in self._dispatchers:
            numba = load_numba()
            with _lock:
                if name not in self._dispatchers and numba is not None:
                    self._dispatchers[name] = _make_dispatcher(numba, self, name)
        return self._dispatchers.get(name)

    def run_as(self, function: Callable[..., Any]) -> None:
        """Call this function from now on."""
        self._call = function

    def plain(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Run the function, and all kernels that it calls, as plain Python, with the arithmetic of kernels."""
        if self._plain is None:
            self._plain = _plain(plain_function(self))
        return self._plain(*args, **kwargs)

    @property
    def _numba_type_(self) -> Any:
        """The numba type of this kernel, for kernels that call it."""
        return self.form("inner")._numba_type_

    def _first_call(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        specializations = self.specializations
        if specializations is not None:
            self._call = specializations.call
        else:
            dispatcher = self.dispatcher
            self._call = _plain(self.py_func) if dispatcher is None else dispatcher
        return self._call(*args, **kwargs)


@overload
def njit(fn: Callable[_P, _R], /) -> LazyKernel[_P, _R]: ...
@overload
def njit(
    *,
    parallel: bool = ...,
    inline: str | None = ...,
    forceinline: bool = ...,
    borrows: bool = ...,
    callback: bool = ...,
    nogil: bool = ...,
) -> Callable[[Callable[_P, _R]], LazyKernel[_P, _R]]: ...
def njit(
    fn: Callable[..., Any] | None = None,
    /,
    *,
    parallel: bool = False,
    inline: str | None = None,
    forceinline: bool = False,
    borrows: bool = False,
    callback: bool = False,
    nogil: bool = True,
) -> Any:
    """Turn a function into a kernel; used as `@njit` or `@njit(parallel=True)`.

    parallel: numba distributes `prange` loops over threads. inline: "always" copies the body into each kernel that
    calls it, where it is typed again; for small helpers with many arguments. forceinline: the same, done by LLVM on the
    compiled helper, which is typed once; for longer helpers. borrows: the kernel uses only arrays from its arguments
    and creates none, so numba need not count references, which is an atomic operation for each array that is passed on;
    a kernel that passes many arrays to helpers runs up to twice as fast, if the helpers have the option as well.
    callback: C code can call the kernel too, see `function_pointer`. nogil: other Python threads can run meanwhile.
    """
    options: dict[str, Any] = {"nogil": nogil, "error_model": "numpy", "no_cfunc_wrapper": not callback}
    if forceinline:
        options["forceinline"] = True
    if borrows:
        options["_nrt"] = False
    if parallel:
        options["parallel"] = True
    if inline is not None:
        options["inline"] = inline

    def wrap(function: Callable[..., Any]) -> LazyKernel[..., Any]:
        kernel = LazyKernel(function, options)
        if kernel.name in _kernels:  # redefined by a reload, so sources have changed
            stamps.forget()
        _kernels[kernel.name] = kernel
        return kernel

    return wrap if fn is None else wrap(fn)


def kernels() -> list[LazyKernel[..., Any]]:
    """Return all kernels in the order of definition; one that was redefined (after a reload) only once."""
    return list(_kernels.values())


def on_compile(callback: Callable[[str, int], object]) -> Callable[[], None]:
    """Call `callback(name, n)` when the n-th compilation of this process begins; return a function that removes it."""
    _listeners.append(callback)
    return functools.partial(_listeners.remove, callback)


def can_compile() -> bool:
    """Whether kernels can be compiled here: numba is installed and not switched off. Does not import numba."""
    if _state.numba is not None:
        return True
    return not _state.failed and switched_off() is None and _has_numba()


@functools.cache
def _has_numba() -> bool:
    """Whether numba is installed; the search takes .1 ms."""
    return importlib.util.find_spec("numba") is not None


def available() -> bool:
    """Whether kernels run as machine code: they can be compiled, or came with their packages. Does not import numba."""
    return can_compile() or (switched_off() is None and _has_images())


def _has_images() -> bool:
    """Whether the package of a kernel has an image for this machine."""
    sources = {kernel.py_func.__code__.co_filename for kernel in _kernels.values()}
    return host.usable() and any(map(has_image, sources))


def kernel_form(public: Callable[..., Any], form: Callable[..., Any]) -> None:
    """Compile `form` for calls of the plain function `public` in kernels; both may be the same."""
    _forms.append((public, form))
    stamps.compiles_as(public, form)
    if _state.numba is not None:
        _register_form(public, form)


def cache_folder(fn: Callable[..., Any] | None = None) -> str | None:
    """Return the cache folder of the kernel `fn`, or of the engine's kernels; None if none is writable."""
    target = fn.py_func if isinstance(fn, LazyKernel) else (fn or available)
    folder = cache.folder_for(cast("Any", target).__code__.co_filename)
    return None if folder is None else str(folder)


def _kernel_called(name: str) -> LazyKernel[..., Any]:
    return _kernels[name]


def _plain(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with the arithmetic of kernels: numpy numbers divide by zero without a warning."""

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Any:
        with np.errstate(all="ignore"):
            return fn(*args, **kwargs)

    return run


def switched_off() -> str | None:
    """Return the environment variable that disables compiling, `RISH_NO_JIT` or `NUMBA_DISABLE_JIT`, or None."""
    names = ("RISH_NO_JIT", "NUMBA_DISABLE_JIT")
    return next((name for name in names if os.environ.get(name, "0") not in ("", "0")), None)


def load_numba() -> Any:
    """Return numba, prepared for the engine's kernels; None if it is switched off, missing or broken."""
    if _state.numba is None and not _state.failed:
        with _lock:
            _prepare_numba()
    return _state.numba


def _prepare_numba() -> None:
    if _state.numba is not None or _state.failed:
        return
    if not can_compile():
        if switched_off() is None:
            _state.failed = True
            from ..errors.packages import how_to_get_numba

            what = "numba is not installed, so kernels that are not compiled yet run as plain Python, slowly"
            _log.warning("%s. %s", what, how_to_get_numba())
        return
    try:
        numba: Any = importlib.import_module("numba")
        event: Any = importlib.import_module("numba.core.event")
        importlib.import_module("numba.extending")
    except Exception as error:
        _log.warning("numba can't be used, so kernels run as plain Python, slowly: %s", error)
        _state.failed = True
        return
    if numba.config.DISABLE_JIT:
        _state.failed = True
        return
    numba.config.CPU_NAME = numba.config.CPU_NAME or host.processor()
    numba.config.CPU_FEATURES = numba.config.CPU_FEATURES or host.LEVELS[host.level()]
    _state.numba = numba
    event.register("numba:compile", _listener_class(event.Listener)())
    for public, form in _forms:
        _register_form(public, form)


def _register_form(public: Callable[..., Any], form: Callable[..., Any]) -> None:
    extending: Any = importlib.import_module("numba.extending")

    def choose(*_types: Any) -> Any:
        return form

    options = {"pipeline_class": pipeline.helper_pipeline()}
    for each in dict.fromkeys((public, form)):
        extending.overload(each, jit_options=options, strict=False)(choose)


def _make_dispatcher(numba: Any, kernel: LazyKernel[..., Any], form: Form) -> Any:
    options, inner = kernel.targetoptions, form == "inner"
    if not options.get("parallel"):
        options = {**options, "pipeline_class": pipeline.pipeline(form)}
    if inner:
        options = {**options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher: Any = numba.njit(**options)(kernel.py_func)
    dispatcher.kernel_name = kernel.name + INNER * inner
    if form == "entry":  # there is nothing that numba could call
        dispatcher.add_overload = functools.partial(_add_overload, dispatcher)
        return dispatcher
    stored = cache.cache_of(kernel.py_func, dispatcher.kernel_name, kernel.targetoptions)
    if stored is not None:
        dispatcher._cache = stored
    return dispatcher


def _add_overload(dispatcher: Any, result: Any) -> None:
    dispatcher.overloads[tuple(result.signature.args)] = result


def _listener_class(base: Any) -> Any:
    """Return a class of listeners for numba's compile events that counts those of kernels."""

    class Listener(base):
        def on_start(self, event: Any) -> None:
            _count(event.data["dispatcher"])

        def on_end(self, event: Any) -> None:
            pass

    return Listener


def _count(dispatcher: Any) -> None:
    global compilations
    name = getattr(dispatcher, "kernel_name", None)
    if name is not None:
        compilations += 1
        for callback in tuple(_listeners):
            callback(name.removesuffix(INNER), compilations)
