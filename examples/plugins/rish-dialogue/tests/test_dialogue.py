"""Dialogues: reading and checking files, and holding a dialogue by keys and code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_core import InputRecord, ManifestError, UnknownName, UsageError, WindowEvent
from rish_dialogue import (
    ChoiceMade,
    DialogueEnded,
    Dialogues,
    DialogueStarted,
    DialogueState,
    LineShown,
    advance,
    choose,
    start,
    stop,
    talking,
)
from rish_dialogue.markup import revealed, visible_length
from rish_expressions import Variables

DEMO = Path(__file__).parents[1] / "demo"
INN = """\
speakers: {mara: {name: Mara, color: gold}, you: You}
nodes:
  hello:
    - {mara: "Welcome, number {visits}.", once: true}
    - {say: "It is late.", if: gold > 100}
    - mara: "You have [gold]{gold}[/] gold."
    - goto: ask
  ask:
    - choices:
        - {say: "A room", if: gold >= 5, add: {gold: -5}, set: {room: true, guest: "you"}, goto: room}
        - {say: "Why?", once: true, goto: why}
        - {say: "Bye", goto: end}
    - say: Nobody can choose.
  why:
    - random: [{say: a}, {say: b}, {say: c}]
    - {set: {gold: 1 + 1}}
    - {goto: ask}
  room:
    - {you: "Good night.", speed: 0}
"""
VARIABLES = {"gold": 7, "room": False, "guest": "nobody"}


@pytest.fixture
def make(rish_app: Any) -> Callable[..., Any]:
    """A function that makes a game with the dialogue `inn`."""

    def make(text: str = INN, *, strict: bool = True, **game: Any) -> Any:
        settings = {"dialogue": {"files": ["inn.dialogue.yaml"], "speed": 600}}
        manifest = {"settings": settings, "variables": VARIABLES, **game}
        return rish_app(manifest, installed=["dialogue"], files={"inn.dialogue.yaml": text}, strict=strict)

    return make


def press(app: Any, key: str, ticks: int = 8) -> DialogueState:
    """Press a key for a tick, and run some ticks."""
    app.tick(InputRecord((WindowEvent("key", key, down=True),)))
    app.tick(InputRecord((WindowEvent("key", key, down=False),)))
    for _ in range(ticks):
        app.tick()
    return app.world[DialogueState]


def test_a_dialogue_is_held_by_keys(make: Any) -> None:
    """Lines follow one another, variables are changed by choices, and the last line ends the dialogue."""
    app = make()
    start(app.world, "inn")
    state = app.world[DialogueState]
    assert (state.speaker, state.text) == ("mara", "Welcome, number 0.")
    state = press(app, "SPACE")
    assert state.shown == visible_length(state.text)
    state = press(app, "SPACE")
    assert (state.phase, state.text) == ("choice", "You have [gold]7[/] gold.")
    assert state.options == ["A room", "Why?", "Bye"]
    assert press(app, "UP").selected == 2
    assert press(app, "DOWN").selected == 0
    assert press(app, "ENTER").text == "Good night."
    assert app.world[Variables].values == {"gold": 2, "room": True, "guest": "you"}
    assert not press(app, "SPACE").phase


def test_lines_and_choices_with_once_are_shown_once(make: Any) -> None:
    """What has `once` is left out the next time; a choice whose condition does not hold is not offered."""
    app = make()
    start(app.world, "inn")
    advance(app.world)
    advance(app.world)
    advance(app.world)
    choose(app.world, 1)
    assert app.world[DialogueState].text in "abc"
    advance(app.world)
    advance(app.world)
    assert app.world[DialogueState].options == ["Bye"]
    start(app.world, "inn")
    assert app.world[DialogueState].text == "You have [gold]2[/] gold."


def test_events_tell_what_happens(make: Any) -> None:
    """Start, line, choice and end are events with the names of dialogue and node."""
    app = make()
    world = app.world
    start(world, "inn", "ask")
    choose(world, 2)
    assert [len(world.events(each)) for each in (DialogueStarted, LineShown, DialogueEnded)] == [1, 0, 1]
    made = world.events(ChoiceMade)
    assert (world.text(made.node[0]), made.choice.tolist(), world.text(made.text[0])) == ("ask", [2], "Bye")


def test_a_line_is_revealed_by_time(make: Any) -> None:
    """At 60 characters a second a tick reveals one character; the rest appears at a key."""
    app = make(settings={"dialogue": {"files": ["inn.dialogue.yaml"], "speed": 60}})
    start(app.world, "inn")
    for _ in range(6):
        app.tick()
    assert app.world[DialogueState].shown == pytest.approx(6)
    assert press(app, "SPACE", 0).shown == len("Welcome, number 0.")


def test_the_state_is_saved_and_random_lines_follow_the_seed(make: Any) -> None:
    """A snapshot restores the dialogue with its place, and the same run gives the same line and hash."""
    app = make(strict=False)
    start(app.world, "inn", "ask")
    kept = app.world.snapshot()
    found = []
    for _ in range(2):
        app.world.restore(kept)
        choose(app.world, 1)
        found.append((app.world[DialogueState].text, app.world.hash()))
        stop(app.world)
    assert found[0] == found[1]
    app.world.restore(kept)
    assert app.world[DialogueState].options == ["A room", "Why?", "Bye"]


def test_rules_begin_dialogues(make: Any) -> None:
    """The action `talk` begins a dialogue; the key that ends one does not begin another."""
    game = {"input": {"go": ["SPACE"]}, "on": {"pressed go": {"talk": "inn", "node": "room"}}}
    app = make(**game)
    assert press(app, "SPACE", 0).text == "Good night."
    app.run(frames=2)
    press(app, "SPACE", 2)
    assert not talking(app.world)


def test_what_can_not_be_is_refused(make: Any) -> None:
    """Unknown dialogues, nodes and choices are refused; nothing has changed then."""
    world = make().world
    with pytest.raises(UnknownName, match="did you mean 'inn'"):
        start(world, "in")
    with pytest.raises(UsageError, match="no node 'rom'"):
        start(world, "inn", "rom")
    with pytest.raises(UsageError, match="nothing is to be chosen"):
        choose(world, 0)
    start(world, "inn", "ask")
    with pytest.raises(UsageError, match="there are 3 choices"):
        choose(world, 3)
    advance(world)
    assert world[DialogueState].phase == "choice"


def test_a_circle_without_a_line_ends_with_an_error(make: Any) -> None:
    """A circle that no check can find, because conditions hold in it, ends the dialogue and names the node."""
    text = "nodes:\n  a: [{if: gold > 0, goto: b}, {say: x}]\n  b: [{if: gold > 0, goto: a}, {say: y}]\n"
    world = make(text).world
    with pytest.raises(UsageError, match=r"inn: nodes\.[ab]: 1000 steps without a line"):
        start(world, "inn")
    assert not talking(world)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nodes: {a: [{mira: Hello}]}", "1:14: nodes.a[0].mira: no speaker and no step is called 'mira'"),
        ("speakers: {mara: M}\nnodes: {a: [{mira: Hello}]}", "did you mean 'mara'"),
        ("nodes: {a: [{say: x}, {goto: bb}], b: [say: y]}", "no node is called 'bb' (did you mean 'b'?)"),
        ("nodes: {a: [{choices: [{say: x, goto: q}]}]}", "nodes.a[0].choices[0].goto: no node is called 'q'"),
        ("nodes: {a: [{say: x}], b: [say: y]}", "nodes.b: nothing leads to the node 'b'"),
        ("nodes: {a: [{goto: b}], b: [{goto: a}]}", "goes around in a circle"),
        ("nodes: {a: [{say: x, if: gold >}]}", "nodes.a[0].if:"),
        ("nodes: {a: [{say: x, if: god > 1}]}", "did you mean 'gold'"),
        ("nodes: {a: [{say: 'You have {gld}'}]}", "did you mean 'gold'"),
        ("nodes: {a: [{set: {gld: 1}}]}", "no variable is called 'gld' (did you mean 'gold'?)"),
        ("nodes: {a: [{set: {gold: room}}]}", "gold is a number, and room is a truth"),
        ("nodes: {a: [{add: {room: 1}}]}", "room is no number"),
        ("nodes: {a: [{say: x, goto: end}]}", "must have exactly one of"),
        ("nodes: {a: [{once: true}]}", "must have exactly one of"),
        ("nodes: {a: [{say: x, once: 3}]}", "once: must be true or false"),
        ("nodes: {a: [{say: x, speed: -1}]}", "speed: must be a number from 0"),
        ("nodes: {a: [{say: [1]}]}", "must be a text"),
        ("nodes: {a: [{random: [{goto: a}]}]}", "may have lines only"),
        ("nodes: {a: [{choices: []}]}", "must be a list"),
        ("nodes: {a: [{choices: [{sya: x}]}]}", "must be a choice such as"),
        ("nodes: {a: [{choices: [{say: x, gotu: a}]}]}", "did you mean 'goto'"),
        ("nodes: {a: hello}", "must be a list of steps"),
        ("nodes: {a: [hello]}", "must be a step such as"),
        ("nodes: {end: [say: x]}", "is the end of every dialogue"),
        ("nodes: {}", "at least one node"),
        ("nodes: [1]", "at least one node"),
        ("start: b\nnodes: {a: [say: x]}", "start: no node is called 'b'"),
        ("start: []\nnodes: {a: [say: x]}", "must name at least one node"),
        ("speakers: {say: x}\nnodes: {a: [say: x]}", "is a word of dialogues"),
        ("speakers: {m: {color: purpel}}\nnodes: {a: [say: x]}", "is no colour"),
        ("speakers: {m: {portrait: m.png}}\nnodes: {a: [say: x]}", "there is no file 'm.png'"),
        ("speakers: 3\nnodes: {a: [say: x]}", "speakers: must be a mapping"),
        ("npdes: {}", "a dialogue has no key 'npdes'"),
        ("[1, 2]", "a dialogue is a mapping with `nodes:`"),
        ("nodes: {a: [", "1:"),
        ("", "is empty"),
        (f"nodes: {{a: [{{say: {'x' * 2001}}}]}}", "2001 characters"),
    ],
)
def test_mistakes_are_found_before_the_game_runs(make: Any, text: str, says: str) -> None:
    """Every mistake is reported with the file of the dialogue, its line, and the nearest name."""
    with pytest.raises(ManifestError) as caught:
        make(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (["inn.yaml"], "its file must end in .dialogue.yaml"),
        (["in.dialogue.yaml"], "there is no file 'in.dialogue.yaml'"),
        (["../inn.dialogue.yaml"], "../inn.dialogue.yaml"),
        (["inn.dialogue.yaml", "b/inn.dialogue.yaml"], "are both called 'inn'"),
    ],
)
def test_wrong_files_are_reported_at_the_settings(make: Any, files: list[str], says: str) -> None:
    """A file that is missing, outside the game or of a name that exists already is reported in the manifest."""
    with pytest.raises(ManifestError) as caught:
        make(settings={"dialogue": {"files": files}})
    assert says in str(caught.value)


def test_an_edited_file_is_read_again_and_a_wrong_one_is_not(make: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A reload replaces the dialogue while it is held; a file with mistakes keeps the former version."""
    from rish_core import Assets

    app = make(strict=False)
    world, path = app.world, app.world[Assets].resolve("inn.dialogue.yaml")
    start(world, "inn")
    path.write_text("nodes:\n  hello:\n    - say: one\n    - say: two\n", encoding="utf-8")
    world[Assets].reload("inn.dialogue.yaml")
    advance(world)
    advance(world)
    assert world[DialogueState].text == "two"
    path.write_text("nodes:\n  other: [say: three]\n", encoding="utf-8")
    world[Assets].reload("inn.dialogue.yaml")
    advance(world)
    advance(world)
    assert not talking(world)
    path.write_text("nodes: {a: [{sya: x}]}", encoding="utf-8")
    world[Assets].reload("inn.dialogue.yaml")
    assert "sya" in caplog.text
    assert list(world[Dialogues]["inn"].nodes) == ["other"]


def test_texts_are_revealed_without_cutting_their_colours() -> None:
    """Marks of colours have no length; what is revealed is a beginning with all marks before its end."""
    text = "A [gold]fish[/] [[x]"
    assert visible_length(text) == len("A fish [x]")
    assert revealed(text, 0) == ""
    assert revealed(text, 3) == "A [gold]f"
    assert revealed(text, 99) == text
    assert [visible_length(revealed(text, n)) for n in range(11)] == list(range(11))


@pytest.mark.slow
def test_the_box_shows_the_dialogue(rish_app: Any) -> None:
    """The demo's box is hidden, then shows name and line, then the choices with a pointer."""
    from rish_render import Shape, Text

    app = rish_app(DEMO, installed=["dialogue", "dialogue-box", "render"], strict=False)
    app.run(frames=5, draw=False)
    world = app.world
    texts = lambda: [world[Text].text[k] for k in range(len(world[Text])) if world[Text].visible[k]]  # noqa: E731
    assert "Ra" in "".join(texts())
    stop(world)
    app.run(frames=2, draw=False)
    panel = int(world.query(world.kind("dialogue-box.DialoguePart"), Shape).rows(Shape)[0])
    assert not world[Shape].visible[panel]
    start(world, "inn", "hello")
    for _ in range(4):
        advance(world)
    app.run(frames=2)
    assert "Mara" in texts()
    assert any("▸ A room for the night. (5 gold)" in text for text in texts())
