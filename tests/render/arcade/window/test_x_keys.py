"""The name of a key of X, for layouts written as tables: it depends on neither Shift nor AltGr nor the layout."""

from __future__ import annotations

import pytest

from rish_render.backends.arcade.window.events import key_table
from rish_render.backends.arcade.window.x_keys import symbol_of

SHIFT, LEVEL3, NUMLOCK, SECOND = 1, 0x80, 0x10, 0x2000
NAMES = key_table()
SIGNS = {name: sign for sign, name in NAMES.items()}
LETTERS = {24: "qwertyuiop", 38: "asdfghjkl", 52: "zxcvbnm"}
US = {first + n: (ord(s), ord(s.upper())) for first, row in LETTERS.items() for n, s in enumerate(row)}
US |= {10 + n: (ord(s), ord(t)) for n, (s, t) in enumerate(zip("1234567890", "!@#$%^&*()", strict=True))}
US |= {
    23: (SIGNS["TAB"], 0xFE20),
    64: (SIGNS["LALT"], 0xFFE7),
    79: (SIGNS["NUM_HOME"], SIGNS["NUM_7"]),
    60: (ord("."), ord(">")),
}
US |= {108: (0xFE03, 0xFE03)}
CYRILLIC = {code: (0x06C0 + code, 0x06E0 + code) for code in US if code in range(24, 61)}
FRENCH = {10 + n: (ord(s), ord(t)) for n, (s, t) in enumerate(zip("&é\"'(-è_çà", "1234567890", strict=True))}
FRENCH |= {24: (ord("a"), ord("A")), 38: (ord("q"), ord("Q")), 25: (ord("z"), ord("Z")), 34: (0xFE52, 0xFE57)}


def name(code: int, state: int, *groups: dict[int, tuple[int, int]]) -> str:
    """Return the name of a key in a state, for a person's layouts: by keycode, the signs without and with Shift."""

    def lookup(code: int, state: int) -> int:
        group = groups[(state >> 13 & 3) % len(groups)]
        shifted = bool(state & SHIFT) != (code == 79 and bool(state & NUMLOCK))
        return 0 if state & LEVEL3 and code in LETTERS else (US | group).get(code, (0, 0))[shifted]

    found = symbol_of(code, state, lookup, NAMES)
    return NAMES[found] if found else ""


@pytest.mark.parametrize("groups", [(US,), (US | CYRILLIC,), (US, CYRILLIC), (CYRILLIC, US)], ids=repr)
def test_modifiers_and_layouts_without_latin_letters_change_no_name(groups: tuple[dict[int, tuple[int, int]], ...]):
    """In a US and in a Cyrillic layout, or both, each key has one name for all states of Shift, AltGr and NumLock."""
    wanted = {code: chr(signs[0]).upper() for code, signs in US.items() if chr(signs[0]).isalpha() and code < 61}
    wanted |= {10 + n: f"KEY_{digit}" for n, digit in enumerate("1234567890")}
    wanted |= {23: "TAB", 64: "LALT", 60: "PERIOD", 108: "RALT"}
    for state in (0, SHIFT, LEVEL3, NUMLOCK, SHIFT | NUMLOCK, SECOND, SECOND | SHIFT):
        assert {code: name(code, state, *groups) for code in wanted} == wanted


def test_a_row_of_digits_that_need_shift_is_the_row_of_digits():
    """Where digits are written with Shift, the keys are KEY_1 to KEY_0; letters have the names of what they write."""
    for state in (0, SHIFT):
        assert [name(10 + n, state, FRENCH) for n in range(10)] == [f"KEY_{digit}" for digit in "1234567890"]
        assert [name(code, state, FRENCH) for code in (24, 25, 38)] == ["A", "Z", "Q"]


def test_a_key_of_a_dead_accent_is_named_by_its_place():
    """A key whose sign has no name has that of the US layout."""
    assert name(34, 0, FRENCH) == name(34, SHIFT, FRENCH) == "BRACKETLEFT"
    assert name(200, 0, FRENCH) == ""


def test_the_number_pad_moves_without_numlock():
    """The number pad alone is what NumLock makes of it, because that says whether it writes."""
    assert name(79, 0, US) == name(79, NUMLOCK | SHIFT, US) == "NUM_HOME"
    assert name(79, NUMLOCK, US) == "NUM_7"
