"""Flicker and pulse: changes of a light's brightness over time.

Both depend only on the time and the light's number, so they are not state: a rewound game flickers the same again.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array, maths

U64 = np.uint64


def brightness(time: float, seed: Array, flicker: Array, speed: Array, pulse: Array, period: Array) -> Array:
    """Return the factors of the lights' intensities, float64 n, at most 1.

    time: seconds. seed: int64 n, of each light. flicker, pulse: the amplitudes, 0..1. speed: flickers per second.
    period: of the pulse, seconds.
    """
    shared = np.ones(len(seed))
    unsteady = np.flatnonzero(flicker > 0)
    if len(unsteady):
        at = time * speed[unsteady].astype(np.float64)
        noise = 0.65 * _noise(seed[unsteady], at) + 0.35 * _noise(seed[unsteady] + 1, at * 2.7)
        shared[unsteady] *= 1 - flicker[unsteady] * noise
    swelling = np.flatnonzero(pulse > 0)
    if len(swelling):
        turn = time / period[swelling].astype(np.float64) + _hash(seed[swelling], np.zeros(len(swelling)))
        shared[swelling] *= 1 - pulse[swelling] * (0.5 - 0.5 * maths.cos(2 * np.pi * (turn % 1)))
    return shared


def _noise(seed: Array, at: Array) -> Array:
    """Return smooth value noise in one dimension, 0..1: random values at integers, interpolated by smoothstep."""
    index = np.floor(at)
    t = at - index
    t = t * t * (3 - 2 * t)
    return _hash(seed, index) * (1 - t) + _hash(seed, index + 1) * t


def _hash(seed: Array, step: Array) -> Array:
    """Return a number from 0 to 1 for each seed and step (the finaliser of SplitMix64)."""
    z = seed.astype(np.int64).view(U64) * U64(0x9E3779B97F4A7C15) + step.astype(np.int64).view(U64)
    z = z * U64(0xD1342543DE82EF95) + U64(0x2545F4914F6CDD1D)
    z = (z ^ (z >> U64(30))) * U64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U64(27))) * U64(0x94D049BB133111EB)
    return ((z ^ (z >> U64(31))) >> U64(11)).astype(np.float64) * 2.0**-53
