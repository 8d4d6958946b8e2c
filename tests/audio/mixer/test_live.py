"""The live mixer: the same samples as offline for any request, and what happens if blocks are late or too many."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_audio import Block, LiveMixer
from rish_audio.components import block as b
from rish_jit import function_pointer

from .desk import RATE, Array, Desk


def read(live: LiveMixer, frames: int, channels: int = 1) -> Array:
    """Return the next samples of a live mixer."""
    out = np.full((frames, channels), np.nan, np.float32)
    live.read(out)
    return out


def busy_blocks(desk: Desk, seed: int, count: int) -> list[Block]:
    """Return blocks in which voices start, stop, jump and change at random, with all effects on two buses."""
    random = np.random.default_rng(seed)
    slots, frames = len(desk.now.whole), int(desk.now.head[b.FRAMES])
    rows = [desk.clip(random.uniform(-0.5, 0.5, (int(random.integers(50, 3000)), k % 2 + 1))) for k in range(4)]
    blocks: list[Block] = []
    for _ in range(count):
        for slot in range(slots):
            chance = random.random()
            if chance < 0.3:
                row = int(random.choice(rows))
                desk.play(row, slot, at=float(random.choice([0.0, 10.25])), rate=random.uniform(-1, 2), gain=0.3)
                desk.loop(0, 50, slot)
                desk.now.whole[slot, [b.LOOPS, b.BUS]] = random.integers(0, 2, 2)
            elif chance < 0.4:
                desk.now.whole[slot] = 0
            elif chance < 0.6:
                desk.now.real[slot, [b.RATE_END, b.CUTOFF]] = random.uniform(0.2, 2), random.uniform(0.001, 0.6)
        desk.now.head[b.FRAMES] = frames + random.integers(-1, 2)
        effects = [b.LOW_PASS, b.HIGH_PASS, b.DELAY_MIX, b.REVERB_MIX, b.LIMIT]
        desk.now.buses[1, effects] = random.choice([0.0, 0.2], len(effects))
        desk.now.buses[1, [b.DELAY, b.DELAY_FEEDBACK, b.REVERB_ROOM, b.REVERB_DAMP]] = 200, 0.5, 0.5, 0.5
        blocks.append(desk.take())
    return blocks


@given(seed=st.integers(0, 1000), sizes=st.lists(st.integers(1, 8192), min_size=1, max_size=8))
def test_live_samples_are_those_of_the_offline_mixer(seed: int, sizes: list[int]) -> None:
    """However many frames are asked for at once, the samples are those of the offline mixer to the bit."""
    desk = Desk(channels=2, slots=3, buses=2, frames=300)
    blocks = busy_blocks(desk, seed, 20)
    expected = desk.mix_all(blocks)
    live = LiveMixer(RATE, 2, 3, 2)
    for block in blocks:
        assert live.push(block, desk.clips)
    assert live.pending == len(expected)
    parts, left = list[Array](), len(expected)
    while left:
        parts.append(read(live, min(left, sizes[len(parts) % len(sizes)]), 2))
        left -= len(parts[-1])
    assert np.array_equal(np.concatenate(parts), expected)
    assert (live.pending, live.newest, live.counters["held"]) == (0, 19, 0)


HASH = """
import hashlib, sys
sys.path.insert(0, {folder!r})
from audio.mixer.test_live import Desk, busy_blocks
desk = Desk(channels=2, slots=2, buses=2, frames=130)
print(hashlib.sha256(desk.mix_all(busy_blocks(desk, 5, 7)).tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_plain_python_in_another_process_gives_the_same_samples() -> None:
    """Kernels that run as plain Python in another process mix the same blocks to the same bits."""
    desk = Desk(channels=2, slots=2, buses=2, frames=130)
    expected = hashlib.sha256(desk.mix_all(busy_blocks(desk, 5, 7)).tobytes()).hexdigest()
    code = HASH.format(folder=str(Path(__file__).parents[2]))
    environment = {**os.environ, "RISH_NO_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected


def test_nothing_is_heard_before_enough_blocks_wait() -> None:
    """A live mixer is silent until as many blocks wait as it should start with, and then plays from the first one."""
    desk = Desk()
    desk.play(desk.clip(np.ones(9000)))
    live = LiveMixer(RATE, 1, 2, 1, start=3)
    for _ in range(2):
        live.push(desk.take(), desk.clips)
        assert not read(live, 1000).any()
    assert live.frames == 0
    live.push(desk.take(), desk.clips)
    heard = read(live, 735)
    assert heard[0, 0] == 0
    assert heard[64:].all()


def held_sine(late: int, burst: int) -> tuple[Array, LiveMixer, Desk]:
    """Return a sine of which blocks come late by some blocks, and then several at once."""
    desk = Desk()
    desk.play(desk.sine(441.0, 3.0), at=100.0)
    live, heard = LiveMixer(RATE, 1, 2, 1, start=2), list[Array]()
    pushes = [2, 1, 1, *[0] * late, burst, 1, 1, 1]
    for count in pushes:
        for _ in range(count):
            live.push(desk.take(), desk.clips)
        heard.append(read(live, 735))
    return np.concatenate(heard)[:, 0], live, desk


def test_a_game_that_catches_up_is_not_heard_to_have_been_late() -> None:
    """If the blocks that were held come at once later, they are passed over, and a steady sound goes on unbroken."""
    heard, live, _ = held_sine(late=4, burst=5)
    expected = np.sin(2 * np.pi * 441 / RATE * (100 + np.arange(len(heard))))
    assert heard[256:] == pytest.approx(expected[256:], abs=1e-3)
    assert live.counters == {"held": 3, "late": 1, "skipped": 3, "refused": 0}


def test_a_game_that_does_not_catch_up_goes_on_from_its_own_time() -> None:
    """If no more blocks come than are needed, none is passed over, and the sound goes on at the blocks' positions."""
    heard, live, desk = held_sine(late=6, burst=2)
    assert live.counters["skipped"] == 0
    first = int(desk.now.real[0, b.POSITION]) - 5 * 735
    expected = np.sin(2 * np.pi * 441 / RATE * (first + np.arange(4 * 735)))
    assert heard[-4 * 735 + 256 :] == pytest.approx(expected[256:], abs=1e-3)


def test_a_hold_ends_in_silence_after_a_second() -> None:
    """A game that stands still is heard for a second, then all voices fade out, until a block comes."""
    desk = Desk()
    desk.play(desk.clip(np.ones(200_000)), at=5.0)
    live = LiveMixer(RATE, 1, 2, 1, start=1)
    live.push(desk.take(), desk.clips)
    heard = read(live, 3 * RATE)[:, 0]
    silent = int(np.flatnonzero(heard)[-1])
    assert heard[300 : RATE + 735].all()
    assert RATE + 735 <= silent < RATE + 3 * 735
    live.push(desk.take(), desk.clips)
    read(live, 735)
    assert read(live, 735).any()


def test_a_full_queue_refuses_blocks() -> None:
    """`push` returns False while the queue is full, and what waits is untouched."""
    desk = Desk()
    desk.play(desk.clip(np.arange(90_000) / 90_000))
    blocks = [desk.take() for _ in range(7)]
    live = LiveMixer(RATE, 1, 2, 1, room=4)
    assert [live.push(block, desk.clips) for block in blocks] == [True] * 4 + [False] * 3
    assert np.array_equal(read(live, 4 * 735), desk.mix_all(blocks[:4]))
    assert live.counters["refused"] == 3


def test_blocks_that_are_never_needed_are_refused_one_by_one() -> None:
    """If for half a second more blocks waited than the latency says, one is refused, until that is no longer so."""
    desk = Desk()
    live = LiveMixer(RATE, 1, 2, 1, latency=2)
    for _ in range(5):
        live.push(desk.take(), desk.clips)
    for _ in range(200):
        live.push(desk.take(), desk.clips)
        read(live, 735)
    assert live.pending <= 3 * 735
    assert live.counters["refused"] >= 1


def test_too_much_latency_is_reduced_at_once() -> None:
    """With a latency, blocks are refused while many more wait, until the latency is reached."""
    desk = Desk()
    live = LiveMixer(RATE, 1, 2, 1, latency=3)
    accepted = [live.push(desk.take(), desk.clips) for _ in range(12)]
    assert accepted == [True] * 9 + [False] * 3
    read(live, 6 * 735)
    assert live.push(desk.take(), desk.clips)


@pytest.mark.slow
@pytest.mark.parametrize("drift", [-0.0006, 0.0006])
def test_clocks_that_differ_are_matched(drift: float) -> None:
    """If the card is faster or slower than the game, the queue neither runs empty nor full, and nothing jumps."""
    desk = Desk()
    desk.play(desk.sine(441.0, 120.0), at=100.0)
    live, owed, heard, waits = LiveMixer(RATE, 1, 2, 1, start=3, latency=3), 0.0, list[Array](), list[float]()
    for tick in range(6000):
        live.push(desk.take(), desk.clips)
        if tick >= 2:
            owed += 735 * (1 + drift)
            heard.append(read(live, int(owed)))
            owed -= int(owed)
            waits.append(live.pending / 735)
    assert live.counters == {"held": 0, "late": 0, "skipped": 0, "refused": 0}
    assert 1.0 < min(waits) <= max(waits) < 4.0
    assert np.abs(np.diff(np.concatenate(heard)[:, 0])).max() < 1.01 * 2 * np.pi * 441 / RATE


def test_a_clip_table_may_grow() -> None:
    """Blocks may come with a longer clip table, and older voices go on."""
    desk = Desk()
    desk.play(desk.clip(np.ones(9000)), 0)
    live = LiveMixer(RATE, 1, 2, 1)
    for _ in range(2):
        live.push(desk.take(), desk.clips)
    desk.play(desk.clip(np.ones(9000)), 1)
    live.push(desk.take(), desk.clips)
    assert read(live, 3 * 735)[-1, 0] == 2


@pytest.mark.skipif(function_pointer(LiveMixer.deliver, "(i8, i8, i8, u4)") is None, reason="kernels are not compiled")
def test_two_threads_share_the_queue_without_a_lock() -> None:
    """One thread gives blocks while another takes samples: they are those of the offline mixer."""
    desk = Desk(channels=2, slots=3, buses=2, frames=64)
    blocks = busy_blocks(desk, 1, 400)
    expected = desk.mix_all(blocks)
    live, ready = LiveMixer(RATE, 2, 3, 2, room=8), threading.Semaphore(0)

    def give() -> None:
        for block in blocks:
            while not live.push(block, desk.clips):
                pass
            ready.release()

    giver, parts = threading.Thread(target=give), list[Array]()
    giver.start()
    ready.acquire()
    for block in blocks:
        if block is not blocks[-1]:
            ready.acquire()
        parts.append(read(live, int(block.head[b.FRAMES]), 2))
    giver.join()
    assert live.counters["held"] == 0
    assert np.array_equal(np.concatenate(parts), expected)
