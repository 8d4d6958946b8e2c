"""Outputs without a device."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_audio.components import block
from rish_audio.components.block import Block
from rish_audio.outputs.output import MemoryOutput, MixedOutput, Output

CLIPS = np.zeros((0, block.CLIP_COLUMNS), np.int64)


class Numbers:
    """A mixer whose samples are the sequence of the block."""

    def mix(self, given: Block, clips: Any) -> np.ndarray:
        """Return the samples of a block."""
        return np.full((int(given.head[block.FRAMES]), 2), given.head[block.SEQUENCE], np.float32)


def blocks() -> list[Block]:
    """Return three blocks of different lengths."""
    found = [Block.empty(1, 2, 1) for _ in range(3)]
    for k, each in enumerate(found):
        each.head[[block.FRAMES, block.SEQUENCE]] = k, k
    return found


def test_memory_keeps_the_samples_of_all_blocks() -> None:
    """The samples are those of all blocks in their order, in one array; none before the first block."""
    output = MemoryOutput(Numbers(), 2)
    assert output.samples.shape == (0, 2)
    for each in blocks():
        output.push(each, CLIPS)
    assert output.samples.tolist() == [[1, 1], [2, 2], [2, 2]]
    assert output.samples.dtype == np.float32
    assert output.counters == {"frames": 3}
    output.close()


def test_an_end_is_called_once() -> None:
    """A writer gets the samples of each block, and is closed once, however often the output is."""
    taken: list[Any] = []
    output = MixedOutput("wav", Numbers(), taken.append, lambda: taken.append("end"))
    output.push(blocks()[1], CLIPS)
    output.close()
    output.close()
    assert [taken[0].tolist(), *taken[1:]] == [[[1, 1]], "end"]
    assert output.name == "wav"


def test_no_output_takes_every_block() -> None:
    """The output that drops all blocks has no latency and counts nothing."""
    output = Output()
    output.push(blocks()[0], CLIPS)
    output.close()
    assert (output.name, output.latency, output.counters) == ("none", 0.0, {})
