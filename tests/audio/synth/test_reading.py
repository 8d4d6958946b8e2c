"""Promises of reading sounds and tunes: what YAML may say, and mistakes with their places."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rish_audio import PRESETS, Wave
from rish_audio.synth.reading import load_tune, read_synth, read_tune, shipped_tunes, tune_mapping
from rish_audio.synth.tune import render_tune
from rish_core import AssetError
from rish_core.manifest import Report, Spot, read_yaml
from rish_core.manifest.nodes import marked


def _read(read: Any, text: str) -> tuple[Any, list[str]]:
    document = read_yaml(text, "game.yaml")
    report = Report(document.problems)
    found = read(document.data, Spot("game.yaml", 0, 0), ("sounds", "it"), report)
    return found, [str(problem) for problem in report.problems]


def test_a_sound_is_a_preset_or_fields_or_both() -> None:
    """The name of a preset is its sound; fields replace those of the preset; a pitch may be a note."""
    assert _read(read_synth, "coin")[0].frequency == PRESETS["coin"].frequency
    made, wrong = _read(read_synth, "{preset: coin, frequency: 900, wave: saw}")
    assert wrong == []
    assert (made.frequency, made.wave, made.decay) == (900, Wave.SAW, PRESETS["coin"].decay)
    assert PRESETS["coin"].frequency != 900
    assert _read(read_synth, "{frequency: a5, hold: 0.1}")[0].frequency == pytest.approx(880)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("coins", "game.yaml:1:1: sounds.it: no sound is called 'coins' (did you mean 'coin'?). Sounds: coin, laser"),
        ("{preset: coyn}", "game.yaml:1:10: sounds.it.preset: no sound is called 'coyn' (did you mean 'coin'?)"),
        ("{frequenzy: 3}", "game.yaml:1:2: sounds.it.frequenzy: a sound has no field 'frequenzy' (did you mean 'freq"),
        ("{frequency: 99999}", "game.yaml:1:13: sounds.it.frequency: 99999 is out of range: 1 to 20000 Hz"),
        ("{frequency: h4}", "game.yaml:1:13: sounds.it.frequency: 'h4' is no note"),
        (
            "{wave: sinus}",
            "game.yaml:1:8: sounds.it.wave: must be one of square, saw, triangle, sine, noise, pink, crackle, not",
        ),
        ("3", "game.yaml:1:1: sounds.it: must be a mapping of fields"),
    ],
)
def test_a_mistake_in_a_sound_has_a_place_and_the_choices(text: str, said: str) -> None:
    """Each mistake has its line and column and says what is expected; reading goes on with defaults."""
    _, wrong = _read(read_synth, text)
    assert len(wrong) == 1
    assert wrong[0].startswith(said)


def test_a_tune_is_read_with_its_tracks() -> None:
    """Tracks have the fields of a track and those of a sound, with or without a preset."""
    tune, wrong = _read(
        read_tune, '{tempo: 90, tracks: {a: {preset: bass, step: 0.5, notes: "c2 g2"}, b: {drums: "k h", volume: 0.2}}}'
    )
    assert wrong == []
    assert (tune.tempo, list(tune.tracks), tune.tracks["b"].volume) == (90, ["a", "b"], 0.2)
    assert tune.tracks["a"].synth.wave is Wave.SAW
    assert render_tune(tune, 8000).samples().any()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{tempo: 90}", "game.yaml:1:1: sounds.it.tracks: must be a mapping of tracks"),
        (
            "{tempi: 90, tracks: {a: {notes: c4}}}",
            "game.yaml:1:2: sounds.it.tempi: a tune has no field 'tempi' (did you",
        ),
        ("{track: {a: {notes: c4}}, tracks: {a: {notes: c4}}}", "game.yaml:1:2: sounds.it.track: a tune has no field"),
        ("{tracks: {a: {preset: bass}}}", "game.yaml:1:14: sounds.it.tracks.a: needs `notes` or `drums`, and not both"),
        ("{tracks: {a: {notes: c4, drums: k}}}", "game.yaml:1:14: sounds.it.tracks.a: needs `notes` or `drums`"),
        ('{tracks: {a: {notes: "c4 x4"}}}', "game.yaml:1:22: sounds.it.tracks.a.notes: note 2: 'x4' is no note"),
        (
            "{tracks: {a: {notes: c4, step: 0}}}",
            "game.yaml:1:32: sounds.it.tracks.a.step: must be beats such as 1, 1/2",
        ),
        ("{tracks: {a: {notes: c4, gain: 1}}}", "game.yaml:1:26: sounds.it.tracks.a.gain: a track has no field 'gain'"),
        ("{tracks: {a: {notes: [c4]}}}", "game.yaml:1:22: sounds.it.tracks.a.notes: must be text"),
        ("{tracks: {a: 3}}", "game.yaml:1:14: sounds.it.tracks.a: must be a mapping of fields"),
        ("[]", "game.yaml:1:1: sounds.it: must be a mapping such as {tempo: 120"),
    ],
)
def test_a_mistake_in_a_tune_has_a_place_and_the_note(text: str, said: str) -> None:
    """Each mistake in a tune is reported once, with its track and, in notes, the number of the note."""
    tune, wrong = _read(read_tune, text)
    assert len(wrong) == 1
    assert wrong[0].startswith(said)
    assert render_tune(tune, 8000).frames >= 2


@pytest.mark.parametrize("name", shipped_tunes())
def test_the_mapping_of_a_tune_reads_back(name: str) -> None:
    """`tune_mapping` gives JSON that `read_tune` turns into the same tune."""
    tune = load_tune(name)
    report = Report()
    spot = Spot("editor")
    again = read_tune(marked(json.loads(json.dumps(tune_mapping(tune))), spot), spot, (), report)
    assert not report.problems
    assert tune_mapping(again) == tune_mapping(tune)


def test_a_tune_that_is_missing_or_wrong_is_an_error(tmp_path: Any) -> None:
    """`load_tune` names the tunes there are, and every mistake in a file."""
    with pytest.raises(AssetError, match=r"no tune is called 'clam'.*did you mean 'calm'"):
        load_tune("clam")
    path = tmp_path / "mine.yaml"
    path.write_text("tempo: 1\ntracks: {a: {notes: 'x'}}\n", encoding="utf-8")
    with pytest.raises(AssetError, match=r"(?s)2 mistakes in the tune.*mine.yaml:1:8.*mine.yaml:2:21"):
        load_tune(path)
