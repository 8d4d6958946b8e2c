"""Unsteady lights depend only on the time and their number."""

from __future__ import annotations

import numpy as np

from rish_lighting.lamps.flicker import brightness


def at(time, flicker=0.0, pulse=0.0, seeds=(1, 2, 3)):
    """Return the factors of three lights."""
    one = np.ones(len(seeds))
    return brightness(time, np.array(seeds), one * flicker, one * 8, one * pulse, one * 2)


def test_a_steady_light_is_as_bright_as_it_is():
    """A steady light has the factor 1."""
    assert at(1.3).tolist() == [1, 1, 1]


def test_flicker_takes_no_more_than_it_may_and_is_smooth():
    """The factor is between 1 - flicker and 1, smooth in time, and different for each light."""
    times = np.arange(0, 20, 1 / 60)
    found = np.array([at(time, flicker=0.4) for time in times])
    assert 0.6 <= found.min() < 0.7
    assert 0.95 < found.max() <= 1
    assert np.abs(np.diff(found, axis=0)).max() < 0.15
    assert abs(np.corrcoef(found[:, 0], found[:, 1])[0, 1]) < 0.3


def test_a_pulse_comes_again_after_its_time():
    """A pulse of two seconds is the same two seconds later."""
    np.testing.assert_allclose(at(0.4, pulse=0.5), at(2.4, pulse=0.5), atol=1e-9)
    found = np.array([at(time, pulse=0.5) for time in np.arange(0, 2, 0.01)])
    np.testing.assert_allclose([found.min(), found.max()], [0.5, 1], atol=1e-3)


def test_the_same_time_gives_the_same_light():
    """The same time gives the same factor, so a rewound game flickers equally."""
    assert np.array_equal(at(5.25, flicker=1), at(5.25, flicker=1))
