"""OpenAL-soft's side of the benchmark `audio`: moving sources with a low-pass, rendered by its loopback device.

The library is the one that the package cyal brings. Its loopback renders as many frames as asked for, without a card
and without waiting.
"""

from __future__ import annotations

import ctypes
import importlib.util
from ctypes import POINTER, byref, c_char_p, c_float, c_int, c_uint, c_void_p
from pathlib import Path
from typing import Any

import numpy as np

from ._task import Task

RATE, FRAMES = 44_100, 735
_FORMAT_CHANNELS, _STEREO, _FORMAT_TYPE, _FLOAT, _FREQUENCY = 0x1990, 0x1501, 0x1991, 0x1406, 0x1007
_MONO_SOURCES, _STEREO_SOURCES = 0x1010, 0x1011
_MONO16, _BUFFER, _LOOPING, _POSITION, _VELOCITY, _PITCH = 0x1101, 0x1009, 0x1007, 0x1004, 0x1006, 0x1003
_DIRECT_FILTER, _FILTER_TYPE, _FILTER_LOWPASS, _LOWPASS_GAINHF = 0x20005, 0x8001, 0x0001, 0x0002


def _library() -> Any:
    spec = importlib.util.find_spec("cyal")
    if spec is None or spec.origin is None:
        raise ImportError("cyal is not installed")
    found = sorted(Path(spec.origin).parent.glob("*openal*"))
    if not found:
        raise ImportError("cyal brings no OpenAL")
    lib = ctypes.CDLL(str(found[0]))
    for name in ("alcGetProcAddress", "alGetProcAddress", "alcCreateContext"):
        getattr(lib, name).restype = c_void_p
    lib.alcGetProcAddress.argtypes = [c_void_p, c_char_p]
    lib.alGetProcAddress.argtypes = [c_char_p]
    lib.alcCreateContext.argtypes = [c_void_p, POINTER(c_int)]
    lib.alcMakeContextCurrent.argtypes = [c_void_p]
    return lib


def _mixing(count: int, *, moving: bool) -> Task:
    lib = _library()
    open_loopback = ctypes.CFUNCTYPE(c_void_p, c_char_p)(lib.alcGetProcAddress(None, b"alcLoopbackOpenDeviceSOFT"))
    render = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_int)(lib.alcGetProcAddress(None, b"alcRenderSamplesSOFT"))
    device = open_loopback(None)
    wanted = (
        _FORMAT_CHANNELS, _STEREO, _FORMAT_TYPE, _FLOAT, _FREQUENCY, RATE, _MONO_SOURCES, 256, _STEREO_SOURCES, 8, 0,
    )  # fmt: skip
    context = lib.alcCreateContext(device, (c_int * len(wanted))(*wanted))
    lib.alcMakeContextCurrent(context)
    samples = (np.sin(np.arange(RATE) * (2 * np.pi * 440 / RATE)) * 8000).astype(np.int16)
    buffer = c_uint()
    lib.alGenBuffers(1, byref(buffer))
    lib.alBufferData(buffer, _MONO16, samples.ctypes.data_as(c_void_p), samples.nbytes, RATE)
    sources = (c_uint * count)()
    lib.alGenSources(count, sources)
    filters = _filters(lib, count) if moving else None
    for k, source in enumerate(sources):
        lib.alSourcei(source, _BUFFER, buffer.value)
        lib.alSourcei(source, _LOOPING, 1)
        lib.alSource3f(source, _POSITION, c_float(k % 16 - 8.0), c_float(0), c_float(1.0 + k // 16))
        lib.alSourcef(source, _PITCH, c_float(1.0))
        if filters is not None:
            lib.alSourcei(source, _DIRECT_FILTER, filters[k])
    lib.alSourcePlayv(count, sources)
    out = np.zeros((FRAMES, 2), np.float32)
    step = 0

    def run() -> None:
        nonlocal step
        step += 1
        if moving:
            for k, source in enumerate(sources):
                x = (k * 7 + step) % 64 - 32.0
                lib.alSource3f(source, _POSITION, c_float(x), c_float(0), c_float(1.0 + k // 16))
                lib.alSource3f(source, _VELOCITY, c_float(40), c_float(0), c_float(0))
        render(device, out.ctypes.data, FRAMES)

    run()
    assert np.abs(out).max() > 0.001
    return Task(run)


def _filters(lib: Any, count: int) -> Any:
    make = ctypes.CFUNCTYPE(None, c_int, POINTER(c_uint))(lib.alGetProcAddress(b"alGenFilters"))
    set_kind = ctypes.CFUNCTYPE(None, c_uint, c_int, c_int)(lib.alGetProcAddress(b"alFilteri"))
    set_number = ctypes.CFUNCTYPE(None, c_uint, c_int, c_float)(lib.alGetProcAddress(b"alFilterf"))
    filters = (c_uint * count)()
    make(count, filters)
    for each in filters:
        set_kind(each, _FILTER_TYPE, _FILTER_LOWPASS)
        set_number(each, _LOWPASS_GAINHF, 0.3)
    return filters


def moving_64() -> Task:
    """64 moving sources with Doppler, pan and low-pass."""
    return _mixing(64, moving=True)


def moving_256() -> Task:
    """256 of them."""
    return _mixing(256, moving=True)


def plain_64() -> Task:
    """64 sources that stand still, without a filter."""
    return _mixing(64, moving=False)
