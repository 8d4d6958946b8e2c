"""pygame-ce's side of the benchmark `audio`: sounds that loop on mixer channels, with a volume for each side.

Its mixer has no Doppler, no filters, and renders only in real time, in a thread of SDL. So its figure is the processor
time of the process while it plays, for each 735 frames.
"""

from __future__ import annotations

import os
import time

import numpy as np

from ._task import Task, figure

RATE, FRAMES = 44_100, 735
_SECONDS = 0.5


def plain_64() -> Task:
    """64 sounds without a filter, played to SDL's dummy device."""
    os.environ["SDL_AUDIODRIVER"] = "dummy"
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    import pygame

    pygame.mixer.init(RATE, -16, 2, 512)
    pygame.mixer.set_num_channels(64)
    wave = (np.sin(np.arange(RATE) * (2 * np.pi * 440 / RATE)) * 300).astype(np.int16)
    sound = pygame.sndarray.make_sound(np.ascontiguousarray(np.column_stack([wave, wave])))
    for k in range(64):
        pygame.mixer.Channel(k).play(sound, loops=-1)
        pygame.mixer.Channel(k).set_volume(0.5 + k / 256, 0.5)

    def measure() -> float:
        begin, wall = time.process_time(), time.perf_counter()
        time.sleep(_SECONDS)
        blocks = (time.perf_counter() - wall) * RATE / FRAMES
        return (time.process_time() - begin) / blocks

    return figure(measure, pygame.mixer.quit)
