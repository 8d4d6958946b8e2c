"""A block: the input of the mixer for one tick, as plain arrays.

The World decides which voices play; `rish_audio.voices` writes them into a block, and `rish_audio.mixer` turns the
block into samples. A block is complete: it depends on no earlier block. Positions and rates are those of the World, so
the mixer never decides where a sound is.

Voices are in *slots*. A voice keeps its slot while it is audible, and its `SERIAL` differs from that of every other
voice. When the serial of a slot changes, or when a position does not continue that of the block before, the mixer
fades the old sound out and the new one in within a few milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rish_jit import Array

MAX_FRAMES = 4096
"""The greatest number of frames of a block; at 44,100 Hz a tick of 1/60 s has 735."""
MIN_CHANNELS, MAX_CHANNELS = 1, 8

# Columns of Block.head, float64.
FRAMES, FLAGS, SEQUENCE, HEAD = 0, 1, 2, 4
"""frames: of the block. flags: the sum of SILENT ...; sequence: the number of the block, which increases by one."""
SILENT = 1
"""A flag: all voices fade out and keep their positions, because the game is paused."""

# Columns of Block.whole, int64, one row a slot.
SERIAL, CLIP, LOOPS, LOOP_BEGIN, LOOP_END, BUS, SEND, WHOLES = 0, 1, 2, 3, 4, 5, 6, 8
"""serial: of the voice, 0 for an empty slot. clip: the row of the clip table. loops: 1 if it repeats from LOOP_BEGIN
after LOOP_END (frames of the clip). bus: the row of Block.buses that it is mixed into; send: a second one, -1 none."""

# Columns of Block.real, float64, one row a slot.
POSITION, RATE_BEGIN, RATE_END, CUTOFF, SEND_GAIN, REALS = 0, 1, 2, 3, 4, 6
"""position: at the beginning of the block, in frames of the clip since it was started, so it grows over loops. rates:
frames of the clip for each frame of the output at the beginning and the end, linear between; negative plays backwards.
The position after n of N frames is POSITION + n RATE_BEGIN + n² (RATE_END - RATE_BEGIN) / 2N. cutoff: of a low-pass, at
the end of the block, as a share of the sample rate (Hz / rate); 0.5 and more: none. send_gain: factor, at the end."""

# Columns of Block.buses, float64, one row a bus; row 0 is the master, and a parent comes before its children.
PARENT, GAIN, LOW_PASS, HIGH_PASS, DELAY, DELAY_FEEDBACK, DELAY_MIX = 0, 1, 2, 3, 4, 5, 6
REVERB_MIX, REVERB_ROOM, REVERB_DAMP, LIMIT = 7, 8, 9, 10
DUCK_BY, DUCK_GAIN, DUCK_THRESHOLD, DUCK_ATTACK, DUCK_RELEASE, BUS_COLUMNS = 11, 12, 13, 14, 15, 16
"""All values are those at the end of the block; the mixer interpolates from the values of the previous block. parent:
a row, -1 for the master. gain: factor (0 if muted). low_pass, high_pass: Hz / rate; 0: none. delay: frames; delay_mix
0: none. reverb_mix 0..1, 0: none; room, damp 0..1. limit: the greatest absolute sample, 0: none. duck_by: a row whose
level lowers this bus, -1 none; duck_gain: factor while that is above duck_threshold; attack, release: frames.
"""

# Columns of the clip table, int64, one row a clip.
ADDRESS, CHANNELS, CAPACITY, FIRST, END, LENGTH, CLIP_COLUMNS = 0, 1, 2, 3, 4, 5, 8
"""address: of float32 samples (CAPACITY, CHANNELS), 0: silence; channels 1 or 2. The samples of frame i, for FIRST <= i
< END, are in row i % CAPACITY. A whole clip has FIRST 0 and END = CAPACITY = LENGTH. A stream has a window that moves,
and its frames are counted over loops, like POSITION; frames outside the window are silent."""


@dataclass(frozen=True)
class Block:
    """The arrays of one block; see the constants of this module for their columns.

    head: float64 (HEAD,). whole: int64 (slots, WHOLES). real: float64 (slots, REALS). gains: float32 (slots, 2,
    channels), from the channels of the clip to those of the output, at the end of the block; for a clip with one
    channel the second row is not used. buses: float64 (buses, BUS_COLUMNS).
    """

    head: Array
    whole: Array
    real: Array
    gains: Array
    buses: Array

    @classmethod
    def empty(cls, slots: int, channels: int, buses: int) -> Block:
        """Return a block of zeros, with empty slots."""
        return cls(
            np.zeros(HEAD),
            np.zeros((slots, WHOLES), np.int64),
            np.zeros((slots, REALS)),
            np.zeros((slots, 2, channels), np.float32),
            np.zeros((buses, BUS_COLUMNS)),
        )
