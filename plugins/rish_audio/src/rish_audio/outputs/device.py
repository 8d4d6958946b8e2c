"""A playback device of the library miniaudio that takes its samples from a compiled kernel, without Python.

miniaudio calls the function `deliver(device, out, unused, frames)` in a thread of its own: `device` is the address of
its structure, whose field `pUserData` holds the address that the device was opened with, and `out` that of float32
samples (frames, channels) to fill. The kernel reads that address from the structure. So the kernel is called in time,
even while Python is busy.

Without compiled kernels, miniaudio calls the same function as plain Python, and waits for Python's lock.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np

from rish_core import RishError
from rish_jit import LazyKernel, function_pointer

from ..mixer.state import SELF

USER_DATA = SELF
"""The offset of the field `pUserData` in miniaudio's structure of a device, in words of 64 bits."""
TYPES = "(i8, i8, i8, u4)"
"""The types of `deliver`: device, out, unused, frames."""
_NULL = "null"
_BACKEND = "ma_backend_"
"""The begin of the names of miniaudio's numbers for backends."""

Deliver = LazyKernel[[int, int, int, int], Any]


class Device:
    """An open device, which calls the kernel until it is closed.

    deliver: a kernel with the option `callback`, see the module. address: that it gets, of memory that `owner` holds;
    this object keeps a reference to it until the device is closed. period: the frames that are requested at a time;
    periods: the number of periods that the device keeps ready. name: part of the name of a device, otherwise the
    default one. backend: of miniaudio, such as "alsa"; "null" plays nothing in real time; any by default. Raises
    RishError if no device can be opened.
    """

    def __init__(
        self,
        deliver: Deliver,
        address: int,
        owner: object,
        *,
        rate: int,
        channels: int,
        period: int,
        periods: int,
        name: str = "",
        backend: str = "",
    ) -> None:
        # the module of miniaudio's functions alone; `miniaudio` itself also imports clients of the web
        self._library: Any = importlib.import_module("_miniaudio")
        self._process = os.getpid()
        self._context: Any = None
        self._device: Any = None
        ffi, lib = self._library.ffi, self._library.lib
        self._context = self._open_context(backend)
        config = lib.ma_device_config_init(lib.ma_device_type_playback)
        config.sampleRate, config.playback.channels, config.playback.format = rate, channels, lib.ma_format_f32
        config.periodSizeInFrames, config.periods = period, periods
        config.dataCallback, self._kept = self._callback(deliver, address, config)
        config.pUserData, self._owner = ffi.cast("void *", address), owner
        config.playback.pDeviceID, self.name, ids = self._find(name)
        device = ffi.new("ma_device *")
        try:
            self._check(lib.ma_device_init(self._context, ffi.addressof(config), device))
            self._device = device
            self._check(lib.ma_device_start(device))
        except RishError:
            self.close()
            raise
        del ids  # `pDeviceID` pointed into it
        self.backend: str = ffi.string(lib.ma_get_backend_name(self._context.backend)).decode()
        self.latency = period * periods / rate

    @property
    def running(self) -> bool:
        """Whether the device plays; False after it was unplugged or closed."""
        return self._device is not None and bool(self._library.lib.ma_device_is_started(self._device))

    def close(self) -> None:
        """Stop the device, and wait until it no longer calls the kernel; may be called twice."""
        if self._process != os.getpid():  # a copy of the process has no threads of the device
            return
        device, context = self._device, self._context
        self._device = self._context = None
        if device is not None:
            self._library.lib.ma_device_uninit(device)
        if context is not None:
            self._library.lib.ma_context_uninit(context)
        self._kept = self._owner = None

    def _open_context(self, backend: str) -> Any:
        """Return an open context of a backend; by default of the first one that works and plays."""
        ffi, lib = self._library.ffi, self._library.lib
        names = [name for name in dir(lib) if name.startswith(_BACKEND)]
        backends = {name.removeprefix(_BACKEND): getattr(lib, name) for name in names}
        if backend and backend not in backends:
            raise RishError(f"no backend for sound is called {backend!r}", given=backend, choices=backends)
        chosen = [backends[backend]] if backend else []
        config, context = lib.ma_context_config_init(), ffi.new("ma_context *")
        config.threadPriority = lib.ma_thread_priority_realtime
        self._check(lib.ma_context_init(chosen or ffi.NULL, len(chosen), ffi.addressof(config), context))
        if context.backend == backends[_NULL] and backend != _NULL:
            lib.ma_context_uninit(context)
            raise RishError("no sound system was found")
        return context

    def _callback(self, deliver: Deliver, address: int, config: Any) -> tuple[Any, object]:
        """Return the function for miniaudio, and the objects that must be kept as long as the device."""
        ffi = self._library.ffi
        kind = ffi.typeof(config.dataCallback)
        place = dict(ffi.typeof("ma_device").fields)["pUserData"].offset
        pointer = function_pointer(deliver, TYPES) if place == USER_DATA * 8 else None
        if pointer is not None:
            return ffi.cast(kind, pointer), None
        structure = np.zeros(USER_DATA + 1, np.int64)  # in place of miniaudio's, whose fields are elsewhere
        structure[USER_DATA] = address

        def call(_device: Any, out: Any, _unused: Any, frames: int) -> None:
            deliver(structure.ctypes.data, int(ffi.cast("intptr_t", out)), 0, frames)

        callback = ffi.callback(kind, call)
        return callback, callback

    def _find(self, name: str) -> tuple[Any, str, Any]:
        """Return the id and the name of the first device whose name contains `name`, and the object that owns the
        memory of the id.
        """
        ffi = self._library.ffi
        if not name:
            return ffi.NULL, "the default device", None
        miniaudio: Any = importlib.import_module("miniaudio")
        devices = miniaudio.Devices([miniaudio.Backend(self._context.backend)]).get_playbacks()
        for each in devices:
            if name.casefold() in each["name"].casefold():
                return each["id"], each["name"], each
        self.close()
        raise RishError(f"no sound device is called {name!r}", given=name, choices=[each["name"] for each in devices])

    def _check(self, result: int) -> None:
        """Raise RishError for an error of the library."""
        if result != self._library.lib.MA_SUCCESS:
            raise RishError(f"the sound system refuses, with error {result} of miniaudio")
