"""Promises of the language of notes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_audio.synth.notation import WrongNotes, hertz_of, read_notes


def _played(text: str, step: str = "1", **more: object) -> list[tuple[float, float, int | str]]:
    """Return begin, length and pitch of each note."""
    notes, _ = read_notes(text, Fraction(step), **more)  # pyright: ignore[reportArgumentType]
    return [(float(note.begin), float(note.length), note.pitch) for note in notes]


def test_letters_have_the_frequencies_of_equal_temperament() -> None:
    """a4 has 440 Hz, an octave doubles it, and c#5 equals db5."""
    assert hertz_of("a4") == 440
    assert hertz_of("A5") == pytest.approx(880)
    assert hertz_of("c4") == pytest.approx(261.6256, abs=1e-3)
    assert hertz_of("c#5") == hertz_of("db5")
    with pytest.raises(ValueError, match="'h4' is no note"):
        hertz_of("h4")


def test_notes_follow_each_other_by_their_lengths() -> None:
    """A note without a length has the step of the track; rests take time; an octave stays until another is written."""
    assert _played("c4 e:2 r:1/2 g3 a:0.25") == [(0, 1, 60), (1, 2, 64), (3.5, 1, 55), (4.5, 0.25, 57)]
    assert _played("c4 d", "1/2") == [(0, 0.5, 60), (0.5, 0.5, 62)]


def test_a_tie_makes_the_note_or_chord_before_longer() -> None:
    """`-` adds a step, or its own length, to each note of the last chord."""
    assert _played("c4 - -:1/2 d4") == [(0, 2.5, 60), (2.5, 1, 62)]
    assert _played("(c4 e4):2 - d4") == [(0, 3, 60), (0, 3, 64), (3, 1, 62)]


def test_groups_repeat_also_inside_each_other() -> None:
    """`[a b]x2` plays a b a b, and groups may be inside groups; without `x` a group is played once."""
    assert [note[2] for note in _played("[c4 [d4 e4]x2]x2 [f4]")] == [60, 62, 64, 62, 64, 60, 62, 64, 62, 64, 65]


def test_accents_change_the_level() -> None:
    """`!` is louder and `?` softer than no sign; one behind a chord is for all its notes."""
    notes, _ = read_notes("c4! d4 e4? (c4 e4)?:2", Fraction(1))
    levels = [note.level for note in notes]
    assert levels[0] > levels[1] > levels[2] == levels[3] == levels[4]


def test_words_of_drums_are_the_given_names() -> None:
    """With a table of drums, words stand for drums."""
    assert _played("k (k h) r", drums={"k": "kick", "h": "hat"}) == [(0, 1, "kick"), (1, 1, "kick"), (1, 1, "hat")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("c4 h4", "note 2: 'h4' is no note: write a note such as c4"),
        ("c4 d4:x", "note 2: 'd4:x' is no note"),
        ("c4:0", "note 1: the length 0 must be above 0"),
        ("c4 [d4", "note 1: the group is not closed"),
        ("c4] d4", "note 1: `]` closes no group"),
        ("(c4 e4", "note 1: the chord is not closed"),
        ("c4 ) d4", "note 1: `)` closes no chord"),
        ("((c4))", "note 1: a chord is inside a chord"),
        ("- c4", "note 1: `-` makes a note longer, and there is none before it"),
        ("r - c4", "note 2: `-` makes a note longer"),
        ("c4 d4 e4 | f4", "note 3: bar 1 has 3 beats before `|`, not 4"),
        ("c4:4 | d4:4 | e4:5 |", "note 3: bar 4 has 1 beats before `|`, not 4"),
        ("[c4]x99", "note 1: a group is played 1 to 64 times"),
        ("[[[[c4]x64]x64]x64]x64", "note 1: a track has at most 20000 notes"),
        ("c4 :2", "note 2: ':' is not expected here"),
    ],
)
def test_a_mistake_has_the_number_of_the_note_and_what_is_expected(text: str, said: str) -> None:
    """Each kind of mistake is an error with the number of the note at fault."""
    with pytest.raises(WrongNotes) as caught:
        read_notes(text, Fraction(1), meter=4)
    assert str(caught.value).startswith(said)
    assert 0 <= caught.value.column <= len(text)


def test_an_unknown_drum_is_reported_with_the_nearest_one() -> None:
    """The error about a drum names the drums there are."""
    with pytest.raises(WrongNotes, match=r"note 1: no drum is called 'snar' \(did you mean 'snare'\?\): snare, hat"):
        read_notes("snar", Fraction(1), drums={"snare": "snare", "hat": "hat"})


@given(st.text("ab4cr#-()[]x2:/|!? .", max_size=40))
def test_any_text_gives_notes_or_an_error_of_the_language(text: str) -> None:
    """No text leads to another error, and notes never end behind the track."""
    try:
        notes, length = read_notes(text, Fraction(1, 2))
    except WrongNotes:
        return
    assert all(note.begin >= 0 and note.begin + note.length <= length for note in notes)
