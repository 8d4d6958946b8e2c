"""Input keeps its two laws for any events in any ticks, and is state like all other state."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core.loop.events import InputRecord, WindowEvent
from rish_core.loop.input import Input
from rish_ecs import UnknownName, UsageError, World
from rish_ecs.declarations import fields_of
from rish_ecs.declarations.resource import copy_plain


def key(name: str, down: bool = True) -> WindowEvent:
    """Return the event of a key that goes down or up."""
    return WindowEvent("key", name, down=down)


def tick(inputs: Input, *events: WindowEvent) -> Input:
    """Begin the next tick with these events."""
    inputs.begin_tick(InputRecord(events))
    return inputs


class Shown(NamedTuple):
    """The state of a key in one tick, as a game reads it."""

    down: bool
    pressed: bool
    released: bool


def shown(inputs: Input, name: str = "A") -> Shown:
    """Return the state of a key, as a game reads it."""
    return Shown(inputs.down(name), inputs.pressed(name), inputs.released(name))


UP, DOWN = Shown(False, False, False), Shown(True, False, False)
PRESSED, RELEASED = Shown(True, True, False), Shown(False, False, True)
AGAIN = Shown(True, True, True)


def test_edges_last_one_tick() -> None:
    """A held key is pressed in its first tick only, and released only in the tick after its last."""
    inputs = Input()
    seen = [shown(tick(inputs, *events)) for events in ([key("A")], [], [], [key("A", False)], [], [])]
    assert seen == [PRESSED, DOWN, DOWN, RELEASED, UP, UP]


def test_a_press_and_release_between_two_ticks_is_one_press() -> None:
    """A press and release between two ticks is down for one tick and released in the next."""
    inputs = Input()
    assert shown(tick(inputs, key("A"), key("A", False))) == PRESSED
    assert shown(tick(inputs)) == RELEASED
    assert shown(tick(inputs)) == UP


def test_many_taps_between_two_ticks_are_one_press() -> None:
    """Many taps between two ticks are one press; if the key is held at the end it stays down."""
    inputs = Input()
    assert shown(tick(inputs, *[key("A"), key("A", False)] * 5)) == PRESSED
    assert shown(tick(inputs)) == RELEASED
    assert shown(tick(inputs, *[key("A"), key("A", False)] * 5, key("A"))) == PRESSED
    assert shown(tick(inputs)) == DOWN


def test_a_held_key_that_is_pressed_anew_shows_both_edges() -> None:
    """A held key that goes up and down within a tick shows both edges, so that a second jump is not lost."""
    inputs = Input()
    tick(inputs, key("A"))
    assert shown(tick(inputs, key("A", False), key("A"))) == AGAIN
    assert shown(tick(inputs)) == DOWN


def test_key_repeat_is_no_press() -> None:
    """Repeated key events of a held key change nothing, and neither does a second release."""
    inputs = Input()
    tick(inputs, key("A"))
    assert shown(tick(inputs, key("A"), key("A"))) == DOWN
    tick(inputs, key("A", False))
    assert shown(tick(inputs, key("A", False))) == UP


steps = st.lists(st.tuples(st.sampled_from(["hand", "code"]), st.booleans(), st.integers(0, 3)), max_size=30)
"""Changes of a key: by the player's hand or by code, pressed or released, and the number of ticks that follow."""


def play(moves: list[tuple[str, bool, int]]) -> tuple[list[Shown], list[int], bool]:
    """Return the state in each tick, the ticks in which a press happened, and whether the key is held at the end."""
    inputs, held = Input(), {"hand": False, "code": False}
    seen: list[Shown] = []
    presses: list[int] = []
    waiting: list[WindowEvent] = []
    later: list[bool] = []

    def run() -> None:
        inputs.begin_tick(InputRecord(tuple(waiting)))
        for down in later:
            (inputs.press if down else inputs.release)("A")
        seen.append(shown(inputs))
        inputs.end_tick()
        waiting.clear()
        later.clear()

    for who, down, ticks in moves:
        if who == "hand" and later:
            run()
        if down and not any(held.values()):
            presses.append(len(seen))
        held[who] = down
        if who == "hand":
            waiting.append(key("A", down))
        else:
            later.append(down)
        for _ in range(ticks):
            run()
    for _ in range(3):
        run()
    return seen, presses, any(held.values())


@given(steps)
def test_the_edge_laws_hold_for_any_events_in_any_ticks(moves: list[tuple[str, bool, int]]) -> None:
    """Edges are where the state changes, alternate, last one tick, and no press is ever lost."""
    seen, presses, held = play(moves)
    before, edges = UP, ""
    for now in seen:
        assert not now.pressed or now.down
        assert not (now.down and not before.down) or now.pressed
        assert not (before.down and not now.down) or now.released
        assert not now.pressed or not before.down or now.released
        assert not now.released or before.down
        edges += "R" * now.released + "P" * now.pressed
        before = now
    assert edges == ("PR" * len(edges))[: len(edges)]
    assert all(seen[at].pressed for at in presses)
    assert seen[-1] == (DOWN if held else UP)


@given(st.lists(st.booleans(), max_size=12), st.data())
def test_how_events_fall_into_ticks_does_not_change_the_end(moves: list[bool], data: st.DataObject) -> None:
    """Events divided into ticks in two ways end, two quiet ticks later, in the same state, bit for bit."""
    ends: list[bytes] = []
    for _ in range(2):
        inputs = Input()
        cuts = {0, len(moves), *data.draw(st.lists(st.integers(0, len(moves)), max_size=6))}
        edges = sorted(cuts)
        for a, b in pairwise(edges):
            tick(inputs, *(key("A", down) for down in moves[a:b]))
        tick(inputs)
        tick(inputs)
        ends.append(inputs.state.tobytes())
    assert ends[0] == ends[1]


def test_focus_loss_lets_go_of_everything_in_hand() -> None:
    """When the window loses the focus all keys, buttons and axes are released; those held by code stay."""
    inputs = Input()
    stick = WindowEvent("gamepad_axis", "gamepad.left_x", value=1.0)
    tick(inputs, key("A"), WindowEvent("mouse_button", "mouse.left", down=True), stick)
    inputs.press("SPACE")
    tick(inputs, WindowEvent("focus", down=False))
    for name in ("A", "mouse.left", "gamepad.left_x+"):
        assert shown(inputs, name) == RELEASED
    assert inputs.value("gamepad.left_x") == 0
    assert inputs.down("SPACE")
    assert shown(tick(inputs, WindowEvent("focus", down=True)), "A") == UP


def test_unknown_keys_are_passed_over() -> None:
    """Unknown keys and axes are ignored."""
    inputs = tick(Input(), key("HYPER_42"), WindowEvent("gamepad_axis", "gamepad.rudder", value=1.0))
    assert not inputs.state.any()


def test_pointer_wheel_and_text_belong_to_a_tick() -> None:
    """The pointer's position stays; its movement, the wheel and typed text last one tick."""
    inputs = Input()
    moves = [WindowEvent("mouse_move", x=10, y=20), WindowEvent("mouse_move", x=13, y=24)]
    wheel = [WindowEvent("scroll", y=1), WindowEvent("scroll", x=2, y=1)]
    tick(inputs, *moves, *wheel, WindowEvent("text", text="hé"), WindowEvent("text", text="!"))
    assert (inputs.pointer, inputs.moved_x, inputs.moved_y) == ((13, 24), 13, 24)
    assert (inputs.scroll, inputs.text) == ((2, 2), "hé!")
    tick(inputs, WindowEvent("mouse_move", x=12, y=24))
    assert (inputs.pointer, inputs.moved_x, inputs.moved_y) == ((12, 24), -1, 0)
    assert (inputs.scroll, inputs.text) == ((0, 0), "")


def test_actions_stand_for_their_keys() -> None:
    """An action is down while any of its keys is; changing from one of its keys to another is no new press."""
    inputs = Input()
    inputs.set_actions({"jump": ["SPACE", "gamepad.a", "1"]})
    assert shown(tick(inputs, key("SPACE")), "jump") == PRESSED
    assert shown(tick(inputs, WindowEvent("gamepad_button", "gamepad.a", down=True)), "jump") == DOWN
    assert shown(tick(inputs, key("SPACE", False)), "jump") == DOWN
    assert shown(tick(inputs, WindowEvent("gamepad_button", "gamepad.a")), "jump") == RELEASED
    assert shown(tick(inputs, key("KEY_1"), key("KEY_1", False)), "jump") == PRESSED
    assert shown(tick(inputs), "jump") == RELEASED


def test_an_action_of_one_key_is_that_key() -> None:
    """An action with one key shows the same as the key, also when it is released and pressed within a tick."""
    inputs = Input()
    inputs.set_actions({"fire": ["A"]})
    tick(inputs, key("A"))
    assert shown(tick(inputs, key("A", False), key("A")), "fire") == shown(inputs) == AGAIN


def test_a_value_in_place_of_a_name_is_reported() -> None:
    """A value that is no text, such as a variable of a rule, is reported like a wrong name."""
    for value in (12.0, None, True):
        name: Any = value
        with pytest.raises(UnknownName, match=rf"no action or key is called {value}"):
            Input().strength(name)


def test_wrong_names_are_reported_with_the_nearest() -> None:
    """A name that is neither key nor action raises an error with the nearest action or key."""
    inputs = Input()
    inputs.set_actions({"jump": ["SPACE"]})
    with pytest.raises(UnknownName, match=r"no action or key is called 'jmp'.*did you mean 'jump'"):
        inputs.pressed("jmp")
    with pytest.raises(UnknownName, match="did you mean 'SPACE'"):
        inputs.down("SPCE")
    with pytest.raises(UnknownName, match=r"is called 'jump'\. Actions are declared .* `input: {jump: \[SPACE\]}`"):
        Input().pressed("jump")
    with pytest.raises(UnknownName, match=r"did you mean 'gamepad\.left_x'"):
        inputs.value("gamepad.leftx")
    with pytest.raises(UnknownName, match="did you mean 'SPACE'"):
        inputs.set_actions({"jump": ["SPCE"]})
    with pytest.raises(UsageError, match="has the name of a key"):
        inputs.set_actions({"A": ["SPACE"]})
    assert inputs.knows("jump")
    assert inputs.knows("SPACE")
    assert not inputs.knows("walk")


def test_an_axis_of_two_actions() -> None:
    """Keys count as 1, a stick as its value, and opposite directions cancel."""
    inputs = Input()
    inputs.set_actions({"left": ["LEFT", "gamepad.left_x-"], "right": ["RIGHT", "gamepad.left_x+"]})
    assert tick(inputs, key("RIGHT")).axis("left", "right") == 1
    assert tick(inputs, key("LEFT")).axis("left", "right") == 0
    tick(inputs, key("LEFT", False), key("RIGHT", False))
    tick(inputs, WindowEvent("gamepad_axis", "gamepad.left_x", value=-0.75))
    assert inputs.axis("left", "right") == -0.75
    assert inputs.pressed("left")
    tick(inputs, WindowEvent("gamepad_axis", "gamepad.left_x", value=0.1))
    assert inputs.axis("left", "right") == 0
    assert inputs.released("left")


def test_a_trembling_stick_presses_once() -> None:
    """A stick presses its key above 0.5 and releases it only below 0.4, so that jitter gives one press."""
    inputs, seen = Input(), []
    for value in (0.45, 0.51, 0.45, 0.52, 0.39, 0.45):
        tick(inputs, WindowEvent("gamepad_axis", "gamepad.left_y", value=value))
        seen.append(inputs.pressed("gamepad.left_y+"))
    assert seen == [False, True, False, False, False, False]


def test_triggers_are_keys_as_well() -> None:
    """A trigger that is pulled far enough presses `gamepad.lt`, and values are limited to -1 and 1."""
    inputs = tick(Input(), WindowEvent("gamepad_axis", "gamepad.left_trigger", value=7.0))
    assert inputs.pressed("gamepad.lt")
    assert inputs.value("gamepad.left_trigger") == inputs.strength("gamepad.lt") == 1


def test_code_presses_within_the_tick() -> None:
    """A key pressed by code is down in the same tick and stays down until code releases it."""
    inputs = tick(Input())
    inputs.press("A")
    assert shown(inputs) == PRESSED
    inputs.end_tick()
    assert [shown(tick(inputs)) for _ in range(3)] == [DOWN] * 3
    inputs.release("A")
    assert shown(inputs) == RELEASED


def test_a_tap_by_code_lasts_one_tick() -> None:
    """`tap` holds a key or action for this tick and releases it in the next."""
    inputs = tick(Input())
    inputs.set_actions({"jump": ["SPACE", "A"]})
    inputs.tap("jump")
    assert shown(inputs, "jump") == PRESSED
    assert shown(tick(inputs), "SPACE") == RELEASED


def test_hand_and_code_hold_independently() -> None:
    """A key held by the player and by code is released only when both have released it."""
    inputs = tick(Input(), key("A"))
    inputs.press("A")
    assert shown(tick(inputs, key("A", False))) == DOWN
    inputs.release_all()
    assert shown(inputs) == RELEASED


def test_code_between_ticks_waits_for_the_next() -> None:
    """A key pressed by code between two ticks has its edge in the next tick."""
    inputs = Input()
    inputs.press("A")
    inputs.tap("B")
    assert not inputs.down("A")
    tick(inputs)
    assert (shown(inputs, "A"), shown(inputs, "B")) == (PRESSED, PRESSED)
    inputs.end_tick()
    inputs.release("A")
    tick(inputs)
    assert (shown(inputs, "A"), shown(inputs, "B")) == (RELEASED, RELEASED)
    inputs.end_tick()
    inputs.press("A")
    inputs.release_all()
    assert shown(tick(inputs)) == PRESSED
    assert shown(tick(inputs)) == RELEASED


def test_a_person_is_distinguished_from_code() -> None:
    """`touched` is true while a person acts or holds a key, and never through code or window events."""
    inputs = tick(Input())
    inputs.press("A")
    assert not inputs.touched
    seen = [
        tick(inputs, *events).touched
        for events in (
            [key("B")],
            [],
            [key("B", False)],
            [],
            [WindowEvent("focus")],
            [WindowEvent("mouse_move", x=1)],
        )
    ]
    assert seen == [True, True, True, False, False, True]


def test_code_moves_pointer_and_sticks() -> None:
    """Code can move the pointer and push an axis, which presses the axis' keys."""
    inputs = tick(Input())
    inputs.move(3, 4)
    inputs.push("gamepad.right_x", -1)
    assert (inputs.pointer, inputs.moved_x) == ((3, 4), 3)
    assert inputs.pressed("gamepad.right_x-")
    inputs.push("gamepad.right_x", 0)
    with pytest.raises(UnknownName):
        inputs.push("gamepad.nose", 1)


def test_pressed_keys_are_listed() -> None:
    """`pressed_keys` lists all keys that went down in this tick."""
    inputs = tick(Input(), key("B"), key("A"))
    assert inputs.pressed_keys() == ["A", "B"]
    assert tick(inputs).pressed_keys() == []


def test_input_is_plain_hashed_state() -> None:
    """Input is plain state: snapshots restore it, the hash includes it, and records replay it."""
    world = World()
    world.put(Input())
    inputs: Input = world[Input]
    inputs.set_actions({"jump": ["SPACE"]})
    assert copy_plain(fields_of(inputs))
    records = [[key("SPACE"), key("SPACE", False)], [], [key("A"), WindowEvent("mouse_move", x=1.5)], []]
    snapshot, hashes = world.snapshot(), []
    for _ in range(2):
        world.restore(snapshot)
        run = []
        for events in records:
            tick(world[Input], *events)
            run.append((world.hash(), shown(world[Input], "jump")))
        hashes.append(run)
    assert hashes[0] == hashes[1]
    assert len({digest for digest, _ in hashes[0]}) == 4
    assert np.array_equal(world[Input].state, inputs.state)
