"""Players read the devices that belong to them, and `Input` reads all devices as one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core.loop.events import KINDS, InputRecord, WindowEvent
from rish_core.loop.input import Input
from rish_ecs import Snapshot, UnknownName, World

SHARED = {"pause": ["P", "gamepad.start"]}
PLAYERS = [{"left": ["A"], "jump": ["W", "gamepad.a"]}, {"left": ["LEFT"], "jump": ["UP", "gamepad.a"]}]


def made(players: Any = PLAYERS, shared: Any = SHARED) -> Input:
    """Return an input with these players."""
    inputs = Input()
    inputs.set_actions(shared, players)
    return inputs


def tick(inputs: Input, *events: WindowEvent) -> Input:
    """Run a tick with these events up to its end."""
    inputs.begin_tick(InputRecord(events))
    return inputs


def key(name: str, down: bool = True, device: int = 0) -> WindowEvent:
    """Return the event of a key."""
    return WindowEvent("key", name, down, device=device)


def button(device: int, name: str = "a", down: bool = True) -> WindowEvent:
    """Return the event of a gamepad's button."""
    return WindowEvent("gamepad_button", f"gamepad.{name}", down, device=device)


def stick(device: int, value: float) -> WindowEvent:
    """Return the event of a gamepad's left stick."""
    return WindowEvent("gamepad_axis", "gamepad.left_x", value=value, device=device)


def plug(device: int, here: bool = True) -> WindowEvent:
    """Return the event of a gamepad that was connected or disconnected."""
    return WindowEvent("gamepad_connected" if here else "gamepad_disconnected", "pad", device=device)


def downs(inputs: Input, name: str = "jump") -> list[bool]:
    """Return for each player whether an action is down."""
    return [player.down(name) for player in inputs.players]


def test_the_keyboard_belongs_to_all_players() -> None:
    """Each player has actions of the own keys; shared actions and keys by name are read by everybody."""
    inputs = tick(made(), key("W"), key("P"))
    assert downs(inputs) == [True, False]
    assert downs(inputs, "pause") == [True, True]
    assert downs(inputs, "W") == [True, True]
    assert inputs.pressed("pause")
    assert inputs.player(1).pressed("jump")
    tick(inputs, key("W", False), key("UP"))
    assert inputs.player(1).released("jump")
    assert inputs.player(2).pressed("jump")


def test_without_players_there_is_one() -> None:
    """Player 1 is the common input, there is no player 2, and gamepads are one."""
    inputs = Input()
    assert inputs.player(1) is inputs
    assert list(inputs.players) == [inputs]
    with pytest.raises(UnknownName, match=r"no player 2\. .*`input: \{players:"):
        inputs.player(2)
    tick(inputs, button(1), button(2))
    assert tick(inputs, button(1, down=False)).down("gamepad.a")
    assert tick(inputs, button(2, down=False)).released("gamepad.a")


@pytest.mark.parametrize("number", [0, 3, -1, "1", None])
def test_players_have_the_numbers_from_one(number: Any) -> None:
    """Other numbers raise an error that names the players."""
    with pytest.raises(UnknownName, match="Choices: 1, 2"):
        made().player(number)


def test_pads_go_to_players_by_their_first_sign() -> None:
    """The first button or pushed stick takes the first free place and counts; a trembling stick does not."""
    inputs = tick(made(), plug(1), plug(2), stick(1, 0.3))
    assert downs(inputs) == [False, False]
    tick(inputs, button(2))
    assert downs(inputs) == [True, False]
    tick(inputs, stick(1, 0.9))
    assert [player.value("gamepad.left_x") for player in inputs.players] == pytest.approx([0.0, 0.9])
    tick(inputs, button(3))
    assert downs(inputs) == [True, False]
    assert inputs.down("gamepad.a")


def test_two_pads_in_the_same_tick() -> None:
    """Two pads that press in the same tick take places in the order of their events, and both presses count."""
    inputs = tick(made(), button(5), button(3))
    assert [player.pressed("jump") for player in inputs.players] == [True, True]
    tick(inputs, button(5, down=False))
    assert [player.released("jump") for player in inputs.players] == [True, False]


def test_a_player_without_gamepad_keys_gets_no_pad() -> None:
    """A pad goes to a player whose own actions name a gamepad; with only shared ones, to anybody."""
    inputs = tick(made([{"left": ["A"]}, {"left": ["gamepad.left_x-"]}]), button(1))
    assert downs(inputs, "gamepad.a") == [False, True]
    inputs = tick(made([{}, {}]), button(1), button(2, "start"))
    assert downs(inputs, "pause") == [False, True]
    assert downs(tick(made([{}, {}], {"go": ["A"]}), button(1)), "gamepad.a") == [False, False]


def test_an_unplugged_pad_lets_go_and_keeps_its_place() -> None:
    """Everything that it held is released; the same pad comes back to its player, another one takes a lost place."""
    inputs = tick(made(), button(1), stick(1, -1.0), button(2))
    tick(inputs, plug(1, False))
    assert inputs.player(1).released("jump")
    assert inputs.player(1).value("gamepad.left_x") == 0
    assert inputs.down("gamepad.a")
    tick(inputs, plug(1), button(1))
    assert downs(inputs) == [True, True]
    tick(inputs, plug(2, False), button(9))
    assert downs(inputs) == [True, True]
    tick(inputs, plug(2), button(2))
    assert downs(tick(inputs, button(9, down=False))) == [True, False]


def test_devices_can_be_assigned() -> None:
    """From the next tick a device belongs to the given player: what it holds moves with it, with both edges."""
    inputs = tick(made(), button(1), key("UP"))
    inputs.end_tick()
    inputs.assign(1, 2)
    inputs.assign(0, 1)
    tick(inputs)
    assert inputs.player(1).released("jump")
    assert not inputs.player(2).pressed("jump")
    assert inputs.player(2).down("gamepad.a")
    assert not inputs.player(2).down("UP")
    inputs.assign(1, None)
    assert tick(inputs).player(2).released("jump")
    with pytest.raises(UnknownName):
        inputs.assign(1, 3)


def test_code_plays_for_a_player() -> None:
    """A player can be driven by code, as an autopilot does, without the others."""
    inputs = tick(made())
    inputs.player(2).press("jump")
    assert downs(inputs) == [False, True]
    inputs.end_tick()
    inputs.player(2).tap("left")
    assert downs(tick(inputs), "left") == [False, True]


def test_focus_loss_lets_go_of_every_device() -> None:
    """Players, fingers and composed text are released; gamepads stay connected."""
    inputs = tick(
        made(),
        button(1),
        key("UP"),
        WindowEvent("touch", down=True, touch=4),
        WindowEvent("compose", text="k", start=1),
    )
    assert (downs(inputs), dict(inputs.touches), inputs.composition) == ([True, True], {4: (0, 0)}, ("k", 1, 0))
    tick(inputs, WindowEvent("focus"))
    assert (downs(inputs), dict(inputs.touches), inputs.composition) == ([False, False], {}, ("", 0, 0))
    assert inputs.devices is not None
    assert 1 in inputs.devices.held


def test_fingers_and_pasted_text() -> None:
    """Fingers have positions until they are lifted; moves of unknown fingers are ignored; a paste lasts one tick."""
    inputs = Input()
    assert (dict(inputs.touches), inputs.pasted, inputs.composition) == ({}, "", ("", 0, 0))
    tick(inputs, WindowEvent("touch", down=True, x=1, y=2, touch=7), WindowEvent("touch_move", x=9, touch=8))
    tick(inputs, WindowEvent("touch_move", x=3, y=2, touch=7), WindowEvent("paste", text="a"))
    assert (dict(inputs.touches), inputs.pasted) == ({7: (3, 2)}, "a")
    tick(inputs, WindowEvent("touch", touch=7))
    assert (dict(inputs.touches), inputs.pasted) == ({}, "")


def test_actions_can_be_replaced() -> None:
    """New shared actions reach all players and leave their own; fewer players lose their places."""
    inputs = tick(made(), button(1), button(2))
    inputs.set_actions({"stop": ["Q"]})
    assert sorted(inputs.player(2).actions) == ["jump", "left", "stop"]
    inputs.set_actions({}, PLAYERS[:1])
    assert len(inputs.players) == 1
    assert inputs.devices is not None
    assert inputs.devices.seats == {1: 1}
    inputs.set_actions({}, [])
    assert inputs.player(1) is inputs


def test_players_are_state() -> None:
    """A snapshot as bytes restores players and devices, and the hash changes with the place of a pad."""
    world = World()
    world.put(Input())
    plain = world.hash()
    world[Input].set_actions(SHARED, PLAYERS)
    assert world.hash() != plain
    tick(world[Input], button(1), key("W"), WindowEvent("touch", down=True, x=1, touch=2))
    saved, before = world.snapshot().to_bytes(), world.hash()
    tick(world[Input], button(2), button(1, down=False))
    after = world.hash()
    assert after != before
    world.restore(Snapshot.from_bytes(saved))
    assert world.hash() == before
    tick(world[Input], button(2), button(1, down=False))
    assert world.hash() == after
    assert downs(world[Input]) == [True, True]


NAMES = ("gamepad.a", "gamepad.dpad_left", "A", "W", "LEFT", "UP", "P", "mouse.left")
device_events = st.one_of(
    st.builds(
        WindowEvent,
        kind=st.just("key"),
        name=st.sampled_from(NAMES),
        down=st.booleans(),
        device=st.integers(0, 3),
    ),
    st.builds(plug, st.integers(1, 3), st.booleans()),
    st.tuples(st.integers(0, 3), st.sampled_from([1, 2, None])),
)


def model(steps: list[Any], free: dict[int, int]) -> tuple[set[str], list[set[str]]]:
    """Return the keys that are down for everybody and for each player: plain sets of what each device holds.

    free: filled with the player of each device.
    """
    held: dict[int, set[str]] = {}
    for step in steps:
        if isinstance(step, tuple):
            free.pop(step[0], None)
            if step[1]:
                free[step[0]] = step[1]
        elif step.kind == "gamepad_connected":
            held.setdefault(step.device, set())
        elif step.kind == "gamepad_disconnected":
            held.pop(step.device, None)
        else:
            mine = held.setdefault(step.device, set())
            (mine.add if step.down else mine.discard)(step.name)
            if step.down and step.device and step.name.startswith("gamepad.") and step.device not in free:
                of = {n: [d for d, owner in free.items() if d and owner == n] for n in (1, 2)}
                places = [n for n in of if not of[n]] or [n for n in of if not any(d in held for d in of[n])]
                if places:
                    for lost in of[places[0]]:
                        del free[lost]
                    free[step.device] = places[0]
    reads = [set[str](), set[str]()]
    for device, names in held.items():
        for name in names:
            everybody = not (device and name.startswith("gamepad."))
            for player in (1, 2):
                if free.get(device, player if everybody else 0) == player:
                    reads[player - 1].add(name)
    return set().union(*held.values()), reads


@given(st.lists(st.lists(device_events, max_size=5), max_size=8))
def test_players_agree_with_a_plain_model(ticks: list[list[Any]]) -> None:
    """For any presses, pads that come and go, and assignments, the keys are those of sets of what devices hold."""
    inputs, steps = made(), list[Any]()
    for events in ticks:
        moves = [event for event in events if isinstance(event, tuple)]
        told = [event for event in events if not isinstance(event, tuple)]
        for device, player in moves:
            inputs.assign(device, player)
        steps += [*moves, *told]
        tick(inputs, *told)
        inputs.end_tick()
    for _ in range(2):
        tick(inputs)
        inputs.end_tick()
    everything, reads = model(steps, {})
    for reader, wanted in zip((inputs, *inputs.players), (everything, *reads), strict=True):
        assert {name for name in NAMES if reader.down(name)} == wanted


number = st.one_of(st.integers(0, 3), st.just(2**31 - 1))
wild = st.builds(
    WindowEvent,
    kind=st.sampled_from(KINDS),
    name=st.sampled_from([*NAMES, "gamepad.left_x", "gamepad.rudder", "gamepad.lt", ""]),
    down=st.booleans(),
    value=st.floats(allow_nan=False, allow_infinity=False),
    x=st.floats(allow_nan=False, allow_infinity=False),
    text=st.text(max_size=3),
    device=number,
    touch=number,
    start=number,
)


@given(st.lists(st.lists(wild, max_size=6), max_size=6), st.booleans())
def test_any_events_replay_to_equal_hashes(ticks: list[list[WindowEvent]], players: bool) -> None:
    """Any events are accepted, axes stay within -1 and 1, and their plain form gives the same hashes again."""
    hashes: list[list[str]] = []
    for again in (False, True):
        world = World()
        world.put(Input())
        if players:
            world[Input].set_actions(SHARED, PLAYERS)
        run: list[str] = []
        for events in ticks:
            record = InputRecord(tuple(events))
            world[Input].begin_tick(InputRecord.from_plain(record.to_plain()) if again else record)
            world[Input].end_tick()
            run.append(world.hash())
            for reader in (world[Input], *world[Input].players):
                assert -1 <= reader.axes.min() <= reader.axes.max() <= 1
        hashes.append(run)
    assert hashes[0] == hashes[1]
