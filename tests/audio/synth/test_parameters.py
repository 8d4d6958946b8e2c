"""Promises of the parameters: variations, and mappings for files."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rish_audio import PRESETS, Synth, Wave, synthesize, vary
from rish_audio.synth.parameters import SYNTH_FIELDS, to_mapping
from rish_audio.synth.reading import read_synth
from rish_core.manifest import Report, Spot
from rish_core.manifest.nodes import marked

SPOT = Spot("test.yaml", 0, 0)


def _same(one: Synth, other: Synth) -> bool:
    return all(
        np.array_equal(spec.type.coerce(getattr(one, name)), spec.type.coerce(getattr(other, name)))
        for name, spec in SYNTH_FIELDS.items()
    )


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_preset_is_within_its_ranges_and_its_mapping_reads_back(name: str) -> None:
    """`to_mapping` gives JSON that `read_synth` turns into an equal sound, without mistakes."""
    text = json.dumps(to_mapping(PRESETS[name]))
    report = Report()
    again = read_synth(marked(json.loads(text), SPOT), SPOT, (), report)
    assert not report.problems
    assert _same(again, PRESETS[name])


def test_a_mapping_has_only_what_differs_from_the_defaults() -> None:
    """The mapping of a sound names its wave in lower case and leaves out defaults."""
    assert to_mapping(Synth()) == {}
    assert to_mapping(Synth(wave=Wave.SAW, decay=0.1, arpeggio=[0, 7])) == {
        "wave": "saw", "arpeggio": [0.0, 7.0], "decay": 0.1,
    }  # fmt: skip


def test_a_variation_is_near_its_sound_and_the_same_for_a_seed() -> None:
    """Numbers change by at most 2**amount, zeros and the gain stay, and a seed always gives the same variation."""
    coin = PRESETS["coin"]
    made = [vary(coin, seed, 0.25) for seed in range(20)]
    ratios = np.array([each.frequency / coin.frequency for each in made])
    assert len(np.unique(ratios)) == 20
    assert ratios.max() <= 2**0.25
    assert ratios.min() >= 2**-0.25
    assert all(each.slide == 0 and each.gain == coin.gain for each in made)
    assert to_mapping(made[3]) == to_mapping(vary(coin, 3, 0.25))
    assert all(np.isfinite(synthesize(vary(synth, 5, 1.0))).all() for synth in PRESETS.values())
