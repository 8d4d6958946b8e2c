"""The output to a sound card. The device is opened in a thread, because some systems take seconds for it.

Until the first device is open, the first blocks wait in the queue of the mixer, as many as `LiveMixer.push` takes,
about a tenth of a second, so that sounds that begin with the game are heard from their beginning. If there is no
device, that is logged once, and the game continues without sound. If a device is lost, for example unplugged, blocks
are dropped, and a device is opened again as soon as one is available.
"""

from __future__ import annotations

import logging
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import RishError
from rish_jit import IN_BACKGROUND, Listed, compile_ahead, function_pointer, missing

from ..mixer.live import LiveMixer
from ..mixer.mixing import deliver
from .device import TYPES, Deliver, Device
from .output import Output
from .stderr_filter import quiet_libraries

if TYPE_CHECKING:
    from ..components.block import Block

_log = logging.getLogger("rish.plugins.audio")
PERIOD_SECONDS = 0.01
"""The duration of sound that the device requests at a time, in seconds."""
PERIODS = 2
RETRY_SECONDS = 2.0
"""The time between two attempts to open a device again, in seconds."""
CLOSE_SECONDS = 2.0
"""The longest time that `close` waits for a device that is being opened, in seconds."""


def warm_up() -> None:
    """Compile or load the kernel that a device calls."""
    function_pointer(deliver, TYPES)


class CardOutput(Output):
    """Plays blocks on a sound card.

    live: the mixer that mixes the blocks. deliver: the kernel that the device calls with the mixer's address. device:
    part of the name of a device, otherwise the default one. backend: see `Device`. period: seconds of sound that the
    device requests at a time; periods: the number of periods that it keeps ready.
    """

    def __init__(
        self,
        live: LiveMixer,
        *,
        rate: int,
        channels: int,
        deliver: Deliver = deliver,
        device: str = "",
        backend: str = "",
        period: float = PERIOD_SECONDS,
        periods: int = PERIODS,
    ) -> None:
        self.name = "card"
        self._live, self._rate = live, rate
        self._dropped = self._lost = 0
        self._next = 0.0
        options: dict[str, Any] = {"rate": rate, "channels": channels, "name": device, "backend": backend}
        options |= {"period": max(1, round(period * rate)), "periods": periods}
        self._opener = _Opener(partial(_open, deliver, live, **options))
        self._end = weakref.finalize(self, self._opener.close)  # also at the end of the process
        self._opener.start()

    @property
    def is_open(self) -> bool:
        """Whether a device is open."""
        return self._opener.device is not None

    @property
    def device(self) -> str:
        """The name of the open device; "" while there is none."""
        device = self._opener.device
        return "" if device is None else device.name

    @property
    def problem(self) -> str:
        """The reason why no device could be opened, in one line; "" while a device is open or being opened."""
        return "" if self.is_open else self._opener.problem

    @property
    def listens(self) -> bool:
        """False if no device could be opened. True for a device that was lost, because it may come back."""
        return not self.problem or self._lost > 0

    @property
    def latency(self) -> float:
        """The time from `push` until a sample is heard, in seconds: that of the device's periods and of the blocks in
        the queue.
        """
        device = self._opener.device
        return 0.0 if device is None else device.latency + self._live.pending / self._rate

    @property
    def counters(self) -> dict[str, int]:
        """What happened so far.

        frames: the number of mixed frames. late, held, skipped, refused: see `LiveMixer`. lost: the number of times
        that a device was lost. dropped: blocks after that, or without any device.
        """
        live = self._live
        return {"frames": live.frames, **live.counters, "dropped": self._dropped, "lost": self._lost}

    def push(self, block: Block, clips: npt.NDArray[np.int64]) -> None:
        """Append a block to the queue of the mixer; drop it if there is no device. clips: the clip table."""
        device = self._opener.device
        if device is not None and not device.running:
            _log.warning("%s plays no more, so the game is silent until there is a sound device again", device.name)
            self._lost += 1
            self._opener.forget()
            device = None
        if device is not None or not (self._lost or self.problem):
            self._live.push(block, clips)
            return
        self._dropped += 1
        now = time.monotonic()
        if self._lost and now >= self._next:
            self._next = now + RETRY_SECONDS
            self._opener.start()

    def close(self) -> None:
        """Stop the device, and wait until it no longer uses the mixer."""
        self._end()

    def wait(self, seconds: float = 10.0) -> bool:
        """Wait until a device is open or can't be opened; return whether one is open."""
        self._opener.wait(seconds)
        return self.is_open


def _open(deliver: Deliver, live: LiveMixer, **options: Any) -> Device:
    """Open a device; kernels that are not compiled yet are compiled in another process, so that the game does not
    wait.
    """
    listed = [Listed(deliver.name, TYPES)]
    if missing(listed):
        compile_ahead(listed, loads=IN_BACKGROUND, count=1)
    with quiet_libraries():
        return Device(deliver, int(live.control.ctypes.data), live, **options)


class _Opener:
    """Opens a device in a thread and closes it. An output can be closed while the thread still opens its device."""

    def __init__(self, make: Callable[[], Device]) -> None:
        self.device: Device | None = None
        self.problem = ""
        self._make = make
        self._closed = self._reported = False
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start a thread that opens a device, unless one is running."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._open, name="rish-sound", daemon=True)
            self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait until the thread has ended."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def forget(self) -> None:
        """Close the device, so that another one can be opened."""
        with self._lock:
            device, self.device = self.device, None
        if device is not None:
            device.close()

    def close(self) -> None:
        """Close the device, or if it is still being opened, as soon as it is open."""
        self._closed = True
        self.wait(CLOSE_SECONDS)
        self.forget()

    def _open(self) -> None:
        try:
            device = self._make()
        except RishError as error:
            self.problem = str(error).splitlines()[0]
            if not self._reported:
                _log.warning("there is no sound, because no sound card can be opened: %s", error)
            self._reported = True
            return
        self._reported, self.problem = True, ""
        _log.info("sound on %s by %s, latency %.0f ms", device.name, device.backend, device.latency * 1000)
        with self._lock:
            if not self._closed:
                self.device = device
                return
        device.close()
