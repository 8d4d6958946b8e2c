"""The language of notes: reads music from text that is easy to write by hand.

    c4 e4 g4:2 | - r (c4 e4 g4):1/2 [a4 b4]x2 c5!

`c4`: a letter from a to g, then `#` or `b`, then the octave; without one, the octave of the previous note. `:2` is the
length in beats, also `:1/2` or `:0.5`; without one, a note has the step of its track. `r` is a rest. `-` makes the
previous note longer. `(c4 e4 g4)` sounds together. `[...]x4` is repeated. `!` makes a note louder and `?` softer. `|`
is a bar line: it changes nothing, but it must be where a bar ends. In a track of drums, the words are names of drums.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rish_ecs import UsageError, did_you_mean
from rish_jit import maths

_TOKEN = re.compile(r"\s*(?:(?P<close>\]x(?P<times>\d+)|\])|(?P<word>[^\s()\[\]|:!?]+)|(?P<sign>[()\[|]))")
_NOTE = re.compile(r"(?P<letter>[a-gA-G])(?P<sign>#|b)?(?P<octave>-?\d)?\Z")
_TAIL = re.compile(r"(?P<accent>[!?])?(?::(?P<length>\d+(?:\.\d+)?(?:/\d+)?))?(?=[\s|\])\[(]|\Z)")
_LETTERS = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}
_SIGNS = {"#": 1, "b": -1, None: 0}
_ACCENTS = {"!": 1.0, None: 0.8, "?": 0.5}
_MAX_TIMES = 64
_MAX_NOTES = 20_000
_MAX_BEATS = 64
"""The longest duration of one note, in beats."""
A4 = 69
"""The number of the note with 440 Hz; one more is a semitone higher, as in MIDI."""
_EXAMPLES = "a note such as c4 or f#3:2, a rest r, - or (c4 e4)"


class WrongNotes(UsageError):
    """Raised for a text that is not in the language.

    number: the number of the wrong note, from 1. column: its column in the text, from 0.
    """

    def __init__(self, what: str, number: int, column: int) -> None:
        super().__init__(f"note {number}: {what}")
        self.number, self.column = number, column


@dataclass(frozen=True)
class Note:
    """One sound of a track. begin, length: in beats. pitch: the number of the note, or the name of a drum."""

    begin: Fraction
    length: Fraction
    pitch: int | str
    level: float


def hertz_of(note: str) -> float:
    """Return the frequency of a note such as `a4` or `c#5` in Hz; the octave is 4 if it is not given. Raises
    ValueError for other texts.
    """
    match = _NOTE.match(note)
    if match is None:
        raise ValueError(f"{note!r} is no note: write a letter from a to g, # or b, and an octave, such as c#5")
    return pitch_hertz(_number(match, int(match["octave"] or 4)))


def pitch_hertz(pitch: float) -> float:
    """Return the frequency of the number of a note, in equal temperament."""
    return 440.0 * maths.exp((pitch - A4) / 12.0 * maths.log(2.0))


def _number(match: re.Match[str], octave: int) -> int:
    return 12 * (octave + 1) + _LETTERS[match["letter"].lower()] + _SIGNS[match["sign"]]


@dataclass
class _Token:
    """text: a word, or one of `( ) [ ] |`. number: of the word, from 1."""

    text: str
    number: int
    column: int
    accent: str | None = None
    length: Fraction | None = None
    times: int = 1


def read_notes(
    text: str, step: Fraction, meter: int = 0, drums: Mapping[str, str] | None = None
) -> tuple[list[Note], Fraction]:
    """Return the notes of a track, sorted by time, and the length of the track in beats.

    step: beats of a note without a length. meter: beats of a bar, for bar lines; 0: they may be anywhere. drums: names
    of drums by the words that stand for them; None: the words are notes. Raises WrongNotes.
    """
    player = _Player(step, meter, drums)
    for token in _expanded(_tokens(text)):
        player.take(token)
    if player.opened is not None:
        raise WrongNotes("the chord is not closed: write (c4 e4 g4)", player.opened.number, player.opened.column)
    return player.notes, player.beat


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    place, number = 0, 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        column = place + len(text[place:]) - len(text[place:].lstrip())
        if match is None:
            raise WrongNotes(f"{text[column]!r} is not expected here: write {_EXAMPLES}", number + 1, column)
        word = match["word"] or match["sign"] or "]"
        number += match["word"] is not None
        token = _Token(word, max(number, 1), column, times=int(match["times"] or 1))
        place = match.end()
        if word not in "([|]":  # what may have an accent and a length: words and the end of a chord
            place = _end(text, place, token)
        tokens.append(token)
    return tokens


def _end(text: str, place: int, token: _Token) -> int:
    """Read the accent and the length after a word into the token; return the index in the text after them."""
    tail = _TAIL.match(text, place)
    if tail is None:
        remaining = re.split(r"[\s|]", text[place:], maxsplit=1)[0]
        raise WrongNotes(f"{token.text + remaining!r} is no note: write {_EXAMPLES}", token.number, token.column)
    token.accent = tail["accent"]
    if tail["length"] is not None:
        above, _, below = tail["length"].partition("/")
        token.length = Fraction(above) / int(below or 1) if int(below or 1) else Fraction(0)
        if not 0 < token.length <= _MAX_BEATS:
            what = f"the length {tail['length']} must be above 0 and at most {_MAX_BEATS} beats"
            raise WrongNotes(what, token.number, token.column)
    return tail.end()


def _expanded(tokens: list[_Token]) -> Iterator[_Token]:
    """Return the tokens with groups repeated."""
    open_groups: list[tuple[_Token, list[_Token]]] = []
    tokens_so_far: list[_Token] = []
    for token in tokens:
        if token.text == "[":
            open_groups.append((token, tokens_so_far))
            tokens_so_far = []
        elif token.text == "]":
            if not open_groups:
                raise WrongNotes("`]` closes no group: write [c4 e4]x2", token.number, token.column)
            if not 1 <= token.times <= _MAX_TIMES:
                raise WrongNotes(f"a group is played 1 to {_MAX_TIMES} times", token.number, token.column)
            if len(tokens_so_far) * token.times > _MAX_NOTES:
                raise WrongNotes(f"a track has at most {_MAX_NOTES} notes", token.number, token.column)
            tokens_so_far = open_groups.pop()[1] + tokens_so_far * token.times
        else:
            tokens_so_far.append(token)
    if open_groups:
        first = open_groups[-1][0]
        raise WrongNotes("the group is not closed: write [c4 e4]x2", first.number, first.column)
    return iter(tokens_so_far)


class _Player:
    """Converts tokens to notes with begin and length in beats."""

    def __init__(self, step: Fraction, meter: int, drums: Mapping[str, str] | None) -> None:
        self.step, self.meter, self.drums = step, meter, drums
        self.beat, self.octave = Fraction(0), 4
        self.notes: list[Note] = []
        self.last: list[int] = []
        self.chord: list[_Token] | None = None
        self.opened: _Token | None = None

    def take(self, token: _Token) -> None:
        """Process one token that is not a bracket of a group."""
        if token.text == "(":
            if self.chord is not None:
                raise WrongNotes("a chord is inside a chord", token.number, token.column)
            self.chord, self.opened = [], token
        elif token.text == ")":
            if not self.chord:
                raise WrongNotes("`)` closes no chord: write (c4 e4 g4)", token.number, token.column)
            self._sound(self.chord, token)
            self.chord = self.opened = None
        elif token.text == "|":
            self._bar(token)
        elif self.chord is not None:
            self.chord.append(token)
        elif token.text == "-":
            self._longer(token)
        elif token.text == "r":
            self.last = []
            self.beat += token.length or self.step
        else:
            self._sound([token], token)

    def _sound(self, tokens: list[_Token], timed: _Token) -> None:
        length = timed.length or self.step
        self.last = []
        for token in tokens:
            accent = token.accent or timed.accent
            self.last.append(len(self.notes))
            self.notes.append(Note(self.beat, length, self._pitch(token), _ACCENTS[accent]))
        self.beat += length

    def _pitch(self, token: _Token) -> int | str:
        if self.drums is not None:
            if token.text not in self.drums:
                listed = ", ".join(self.drums)
                what = f"no drum is called {token.text!r}{did_you_mean(token.text, self.drums)}: {listed}"
                raise WrongNotes(what, token.number, token.column)
            return self.drums[token.text]
        match = _NOTE.match(token.text)
        if match is None:
            raise WrongNotes(f"{token.text!r} is no note: write {_EXAMPLES}", token.number, token.column)
        self.octave = int(match["octave"]) if match["octave"] is not None else self.octave
        return _number(match, self.octave)

    def _longer(self, token: _Token) -> None:
        if not self.last:
            raise WrongNotes("`-` makes a note longer, and there is none before it", token.number, token.column)
        added = token.length or self.step
        for index in self.last:
            note = self.notes[index]
            self.notes[index] = Note(note.begin, note.length + added, note.pitch, note.level)
        self.beat += added

    def _bar(self, token: _Token) -> None:
        over = self.beat % self.meter if self.meter else Fraction(0)
        if over:
            bar = self.beat // self.meter + 1
            what = f"bar {bar} has {float(over):g} beats before `|`, not {self.meter}"
            raise WrongNotes(what, token.number, token.column)
