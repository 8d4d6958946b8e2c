"""Runs compute work of a plugin on a device and by its fallback, to compare the results in a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rish_jit import Array

from ..backend import Backend
from ..frame.compute import Compute, DeviceArray
from ..frame.frame import Frame


def compute_both(
    backend: Backend,
    compute: Compute,
    threads: int | tuple[int, ...],
    arrays: Mapping[str, Array],
    uniforms: Mapping[str, Any],
) -> tuple[dict[str, Array], dict[str, Array]]:
    """Return the arrays after the work on the device, and after the fallback; the given arrays stay unchanged.

    backend: open; the test is skipped if it lacks the capability `compute`. compute: with its `source`. The test fails
    if the shader does not compile.
    """
    if "compute" not in backend.capabilities:
        pytest.skip(f"'{backend.name}' has no compute shaders here")
    results: list[dict[str, Array]] = []
    for on_device in (True, False):
        frame = Frame(backend.size)
        frame.computes[compute.name] = compute
        device_arrays = {name: DeviceArray(array.copy()) for name, array in arrays.items()}
        frame.compute(compute.name, threads, device_arrays, uniforms)
        if on_device:
            skipped = backend.draw(frame).skipped
            assert not skipped, skipped
        else:
            frame.run_fallbacks()
        results.append({name: array.fetch() for name, array in device_arrays.items()})
    device, fallback = results
    return device, fallback
