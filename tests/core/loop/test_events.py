"""Window events and records are plain data that survive writing and reading; invalid data is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core.loop.events import KINDS, InputRecord, WindowEvent
from rish_ecs import UsageError

finite = st.floats(allow_nan=False, allow_infinity=False)
events = st.builds(
    WindowEvent, kind=st.sampled_from(KINDS), name=st.text(max_size=8), down=st.booleans(),
    x=finite, y=finite, value=finite, text=st.text(max_size=8), device=st.integers(0, 2**31 - 1),
    touch=st.integers(0, 9), start=st.integers(0, 9), length=st.integers(0, 9),
)  # fmt: skip


@given(st.lists(events, max_size=8).map(tuple))
def test_a_record_comes_back_from_plain_data(given_events: tuple[WindowEvent, ...]) -> None:
    """A written and read record has the same events with the same bits."""
    record = InputRecord(given_events)
    back = InputRecord.from_plain(json.loads(json.dumps(record.to_plain())))
    assert back == record
    assert repr(back) == repr(record)


def test_defaults_are_left_out() -> None:
    """Default values are left out of a written record."""
    record = InputRecord((WindowEvent("key", "SPACE", down=True),))
    assert record.to_plain() == [{"kind": "key", "name": "SPACE", "down": True}]
    assert InputRecord().to_plain() == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "a list of events"),
        ("[1]", "a mapping"),
        ('[{"name":"A"}]', "no 'kind'"),
        ('[{"kind":"kex"}]', "did you mean 'key'"),
        ('[{"kind":"key","nam":"A"}]', "did you mean 'name'"),
        ('[{"kind":"key","down":1}]', "'down'"),
        ('[{"kind":"scroll","x":"3"}]', "'x'"),
        ('[{"kind":"scroll","x":true}]', "'x'"),
        ('[{"kind":"scroll","x":NaN}]', "not finite"),
        ('[{"kind":"scroll","y":1e999}]', "not finite"),
        ('[{"kind":"key","device":-1}]', "from 0 to 2147483647"),
        ('[{"kind":"touch","touch":1' + "0" * 400 + "}]", "from 0 to 2147483647"),
        ('[{"kind":"touch","touch":1.0}]', "'touch'"),
        ('[{"kind":"key","device":true}]', "'device'"),
        ('[{"kind":"scroll","y":1' + "0" * 400 + "}]", "not finite"),
    ],
)
def test_what_is_no_record_is_refused(text: str, says: str) -> None:
    """An invalid record raises UsageError with a clear sentence."""
    with pytest.raises(UsageError, match=says):
        InputRecord.from_plain(json.loads(text))


def test_unknown_kinds_and_wrong_numbers_are_refused() -> None:
    """An event of an unknown kind or with a non-finite number is refused."""
    with pytest.raises(UsageError, match="did you mean 'mouse_move'"):
        WindowEvent("mousemove")
    with pytest.raises(UsageError, match="not finite"):
        WindowEvent("mouse_move", x=float("nan"))


def test_releases_are_recognized() -> None:
    """`releases` is true for a released key, button or focus, and false for a move."""
    assert WindowEvent("key", "A").releases
    assert WindowEvent("focus").releases
    assert WindowEvent("touch").releases
    assert WindowEvent("gamepad_disconnected").releases
    assert not WindowEvent("touch_move").releases
    assert not WindowEvent("key", "A", down=True).releases
    assert not WindowEvent("mouse_move", x=1).releases
