"""Dialogues: reading and checking files, and holding a dialogue by keys and code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from rish_core import InputRecord, ManifestError, UnknownName, UsageError, WindowEvent, open_game
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
from rish_dialogue.box.markup import revealed, veiled, visible_length
from rish_expressions import Variables
from rish_frame import NullBackend, Paintings
from rish_ui import UiState

DEMO = Path(__file__).parents[1] / "demo"
INN = """\
speakers: {mara: {name: Mara}, you: You}
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


def test_a_dialogue_is_held_by_code(make: Any) -> None:
    """Lines follow one another, choices come with the line before them, and the last line ends the dialogue."""
    world = make().world
    start(world, "inn")
    state = world[DialogueState]
    assert (state.speaker, state.text, state.phase) == ("mara", "Welcome, number 0.", "line")
    advance(world)
    assert (state.phase, state.text) == ("choice", "You have [gold]7[/] gold.")
    assert state.options == ["A room", "Why?", "Bye"]
    advance(world)
    assert state.phase == "choice"
    choose(world, 0)
    assert state.text == "Good night."
    assert world[Variables].values == {"gold": 2, "room": True, "guest": "you"}
    advance(world)
    assert not state.phase


def test_lines_and_choices_with_once_are_shown_once(make: Any) -> None:
    """What has `once` is left out the next time; a choice whose condition does not hold is not offered."""
    app = make()
    start(app.world, "inn")
    advance(app.world)
    choose(app.world, 1)
    assert app.world[DialogueState].text in "abc"
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
    """The action `talk` begins a dialogue at a node."""
    app = make(input={"go": ["SPACE"]}, on={"pressed go": {"talk": "inn", "node": "room"}})
    app.tick(InputRecord((WindowEvent("key", "SPACE", down=True),)))
    assert app.world[DialogueState].text == "Good night."


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
        ("speakers: {m: {color: red}}\nnodes: {a: [say: x]}", "a speaker has no key 'color'"),
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
    assert world[DialogueState].text == "two"
    path.write_text("nodes:\n  other: [say: three]\n", encoding="utf-8")
    world[Assets].reload("inn.dialogue.yaml")
    advance(world)
    assert not talking(world)
    path.write_text("nodes: {a: [{sya: x}]}", encoding="utf-8")
    world[Assets].reload("inn.dialogue.yaml")
    assert "sya" in caplog.text
    assert list(world[Dialogues]["inn"].nodes) == ["other"]


def test_texts_are_revealed_without_cutting_their_colors() -> None:
    """Marks of colors have no length; what is revealed is a beginning with all marks before its end."""
    text = "A [gold]fish[/] [[x]"
    assert visible_length(text) == len("A fish [x]")
    assert revealed(text, 0) == ""
    assert revealed(text, 3) == "A [gold]f"
    assert revealed(text, 99) == text
    assert [visible_length(revealed(text, n)) for n in range(11)] == list(range(11))


def test_letters_are_revealed_with_their_marks() -> None:
    """A letter with its marks, a flag and an emoji of several people appear at once."""
    text = "น้ำ[gold]🇩🇪[/]👨\u200d👩[[e\u0301"
    assert visible_length(text) == 5
    assert [revealed(text, n) for n in (1, 2, 3, 5)] == [
        "น้ำ[gold]",
        "น้ำ[gold]🇩🇪[/]",
        "น้ำ[gold]🇩🇪[/]👨\u200d👩",
        text,
    ]


def test_a_veiled_text_has_all_its_letters() -> None:
    """What is not yet seen has no color, so that lines break at the same places; marks stay balanced."""
    clear = "[#00000000]"
    assert veiled("A fish", 2) == f"A {clear}fish[/]"
    assert veiled("[gold]fish[/] x", 2) == f"[gold]fi{clear}sh[/][/]{clear} x[/]"
    assert veiled("a [size=2]b[/] [red]c[/]", 1) == f"a{clear} [size=2]b[/] {clear}c[/][/]"


class Box:
    """The demo, operated through the events of a window."""

    def __init__(self, app: Any, backend: NullBackend) -> None:
        self.app, self.world, self.backend = app, app.world, backend
        self.frames(3)

    def frames(self, count: int = 2) -> None:
        """Run frames, each with one tick."""
        for _ in range(count):
            self.app.frame()

    def send(self, *events: WindowEvent) -> None:
        """Send events in one frame, and run another one."""
        self.backend.send(*events)
        self.frames()

    def key(self, name: str) -> None:
        """Press and release a key or button."""
        kind = "gamepad_button" if name.startswith("gamepad") else "key"
        self.send(WindowEvent(kind, name, True))
        self.send(WindowEvent(kind, name, False))

    def click(self, name: str) -> None:
        """Click on a widget."""
        node = next(n for root in self.world[UiState].tree.roots for n in root.nodes if n.name == name)
        x, y = node.x + node.w / 2, node.root.height - node.y - node.h / 2
        self.send(WindowEvent("mouse_move", x=x, y=y), WindowEvent("mouse_button", "mouse.left", True, x, y))
        self.send(WindowEvent("mouse_button", "mouse.left", False, x, y))

    @property
    def texts(self) -> list[str]:
        """All texts that are painted."""
        return [t.text.text for painting in self.world[Paintings] for part in painting.parts for t in part.texts]

    @property
    def state(self) -> DialogueState:
        """The state of the dialogue."""
        return self.world[DialogueState]


@pytest.fixture
def box() -> Iterator[Callable[..., Box]]:
    """A function that opens the demo. view: settings of what is seen."""
    with ExitStack() as opened:

        def make(**view: str) -> Box:
            backend, given = NullBackend(keep=0), [f"settings.ui.{name}={value}" for name, value in view.items()]
            return Box(opened.enter_context(open_game(DEMO, headless=True, backend=backend, overrides=given)), backend)

        yield make


@pytest.mark.slow
@pytest.mark.parametrize("keys", [("SPACE", "DOWN"), ("gamepad.a", "gamepad.dpad_down")])
def test_the_box_is_operated_by_keys_and_gamepads(box: Any, keys: tuple[str, str]) -> None:
    """A press completes the line, the next one goes on; directions move among choices, and a press takes one."""
    accept, down = keys
    made = box(language="en")
    assert made.state.text == "$inn.arrival"
    made.key(accept)
    assert made.state.text == "$inn.arrival"
    assert "▾" in made.texts
    made.key(accept)
    assert made.state.text == "$inn.alone"
    start(made.world, "inn", "ask")
    made.frames()
    assert "A fish, please. (1 gold)" in made.texts
    made.key(down)
    made.key(accept)
    assert made.world[Variables]["fish"] == 1
    stop(made.world)
    made.frames()
    assert not any("herring" in text for text in made.texts)


@pytest.mark.slow
def test_the_box_is_operated_by_the_pointer(box: Any) -> None:
    """A click on the line completes it, and choices are buttons, which appear when the line is complete."""
    made = box(language="en")
    start(made.world, "inn", "hello")
    made.frames(3)
    made.click("line")
    made.click("line")
    made.frames()
    assert made.state.phase == "choice"
    assert "Nothing, thanks." not in made.texts
    made.click("line")
    assert "Nothing, thanks." in made.texts
    made.click("choice1")
    assert made.world[Variables]["room"]
    assert made.state.text == "$inn.room"


@pytest.mark.slow
def test_the_language_is_no_state(box: Any) -> None:
    """The same keys give the same hash in both languages, and the texts are those of the language."""
    found = []
    for language, name in (("en", "Mara"), ("zh-Hant", "瑪拉")):
        made = box(language=language, reduced_motion="true", theme="light")
        start(made.world, "inn", "poor")
        made.frames(3)
        assert name in made.texts
        assert any("貓" in text or "cat" in text for text in made.texts)
        made.key("DOWN")
        made.key("ENTER")
        found.append(made.world.hash())
    assert found[0] == found[1]
