"""Key names are a fixed catalog, and a wrong name is answered with the nearest."""

from __future__ import annotations

import pytest

from rish_core.loop.keys import ALIASES, AXIS_KEYS, AXIS_NAMES, KEY_INDEX, KEY_NAMES, check_key, key_index
from rish_ecs import UnknownName


def test_names_are_unique_and_numbered() -> None:
    """Every name is unique and has its number as its index."""
    assert len(set(KEY_NAMES)) == len(KEY_NAMES)
    assert all(KEY_NAMES[KEY_INDEX[name]] == name for name in KEY_NAMES)
    assert all(name.strip() == name != "" for name in KEY_NAMES)


@pytest.mark.parametrize(
    "name",
    ["A", "Z", "SPACE", "LEFT", "ENTER", "LSHIFT", "ESCAPE", "F1", "F12", "NUM_0", "NUM_ENTER", "KEY_1",
     "COMMA", "mouse.left", "mouse.middle", "gamepad.a", "gamepad.dpad_up", "gamepad.lb", "gamepad.lt",
     "gamepad.left_x-"],
)  # fmt: skip
def test_the_usual_names_are_known(name: str) -> None:
    """The names that manifests use are known."""
    assert check_key(name)


def test_numbers_stay_what_they_are() -> None:
    """Key numbers never change, because saved states contain them; new names are added at the end."""
    assert [KEY_INDEX[name] for name in ("A", "KEY_0", "F1", "SPACE", "LSHIFT")] == [0, 26, 36, 60, 94]
    assert KEY_INDEX["mouse.left"] == 176
    assert KEY_NAMES[-1] == "gamepad.right_y+"


def test_second_names_lead_to_the_first() -> None:
    """Digits and RETURN are aliases of the catalog's names."""
    assert key_index("1") == KEY_INDEX["KEY_1"]
    assert key_index("RETURN") == KEY_INDEX["ENTER"]
    assert not set(ALIASES) & set(KEY_NAMES)


@pytest.mark.parametrize(
    ("wrong", "right"), [("SPCE", "SPACE"), ("left", "LEFT"), ("gamepad.A", "gamepad.a"), ("F99", "F9")]
)
def test_a_wrong_name_is_answered_with_the_nearest(wrong: str, right: str) -> None:
    """The error offers the nearest name and shows examples of names."""
    assert not check_key(wrong)
    with pytest.raises(UnknownName, match=rf"no key is called '{wrong}' \(did you mean '{right}'\?\).*NUM_0"):
        key_index(wrong)


def test_every_axis_presses_keys() -> None:
    """Each axis has the keys that it presses, and these are in the catalog."""
    assert set(AXIS_KEYS) == set(AXIS_NAMES)
    assert all(key == "" or key in KEY_INDEX for pair in AXIS_KEYS.values() for key in pair)
