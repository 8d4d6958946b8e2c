"""Outputs: the receivers of blocks. This module has the outputs without a device."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ..components.block import Block

Samples = npt.NDArray[np.float32]


class Mixes(Protocol):
    """The interface of an object that mixes blocks one after the other, such as `Mixer`."""

    def mix(self, block: Block, clips: npt.NDArray[np.int64], /) -> Samples:
        """Return the samples of a block: float32 (frames, channels)."""
        ...


class Output:
    """Receives a block in each tick. This base class drops it.

    name: for messages. latency: seconds from `push` until a sample is heard; 0 where nothing is heard.
    """

    name = "none"

    @property
    def latency(self) -> float:
        """Seconds from `push` until a sample is heard; 0 where nothing is heard."""
        return 0.0

    @property
    def counters(self) -> dict[str, int]:
        """Counters by name, for tools."""
        return {}

    @property
    def listens(self) -> bool:
        """False if blocks would be dropped, so that they need not be packed."""
        return True

    def push(self, block: Block, clips: npt.NDArray[np.int64]) -> None:
        """Receive the block of a tick. Its arrays may change after the call. clips: the clip table."""

    def close(self) -> None:
        """Close the output; may be called twice. No other method is called afterwards."""


class MixedOutput(Output):
    """Mixes each block immediately and passes its samples to a function.

    mixer: mixes the blocks. take: the function that is called with the samples of each block, float32 (frames,
    channels), which it may keep. end: the function that is called once by `close`.
    """

    def __init__(
        self, name: str, mixer: Mixes, take: Callable[[Samples], object], end: Callable[[], object] | None = None
    ) -> None:
        self.name = name
        self._mixer, self._take, self._end = mixer, take, end
        self._frames = 0

    @property
    def counters(self) -> dict[str, int]:
        """The frames that were mixed."""
        return {"frames": self._frames}

    def push(self, block: Block, clips: npt.NDArray[np.int64]) -> None:
        """Mix a block and call `take` with its samples."""
        samples = self._mixer.mix(block, clips)
        self._frames += len(samples)
        self._take(samples)

    def close(self) -> None:
        """Call `end`."""
        end, self._end = self._end, None
        if end is not None:
            end()


class MemoryOutput(MixedOutput):
    """Keeps all samples, for tests and for tools."""

    def __init__(self, mixer: Mixes, channels: int) -> None:
        self._kept: list[Samples] = []
        self._nothing = np.zeros((0, channels), np.float32)
        super().__init__("memory", mixer, self._kept.append)

    @property
    def samples(self) -> npt.NDArray[Any]:
        """All samples so far, float32 (n, channels)."""
        return np.concatenate([self._nothing, *self._kept])
