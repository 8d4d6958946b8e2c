"""Editing a manifest's text."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from counted_calls import calls_of
from long_runs import long
from rish_authoring import ManifestText
from rish_authoring.text.nodes import Node, parse
from rish_authoring.text.writing import same
from rish_core import UsageError

sys.path.insert(0, str(Path(__file__).parent))
from scripts import at, lines_of, random_edit

GAMES = sorted((Path(__file__).parents[3] / "games").glob("*/game.yaml"))
ODD = """\
# top

a: 1 # one
b:   # list
  - {x: [1, 2], y: "q"}  # two
  # about z
  - z: 'it''s'   # three
    w: plain text
      over lines   # four
    # deeper
    v: |
      lines

      of text

    u: >-
      folded
      # no comment
  - - nested
    - - deep
      - er # c
  -
    q: 1
    # end of q
  -
  - "multi
    line"
e: |+
  keep


"quoted key": {a: 1,
   b: 2, # in flow
   c: [1,
     2, 3]}
f:
g: []
h:
- one
- two: 2
  three: 3

# detached

- four
i: [
  {a: 1},   # first
  {b: 2},
]
"日本": [ä, "ö"]
"""
FORMS = {
    "odd": ODD,
    "flow": "{a: 1, b: [1, 2, {c: 3}], d: {}}\n",
    **{path.parent.name: path.read_text(encoding="utf-8") for path in GAMES},
}
FEW = ["odd", "flow", "sprites"]
"""The forms of the sample: two with all styles, and a small game."""
NEWLINES = ["\n", "\r\n", ""]
SCRIPTS = long(10_000, 40)
SCENE = """\
scenes:
  main:
    # the first
    - prefab: crate  # here
      Transform: {position: [1, 2]}   # place

    # the second
    - {prefab: crate}
    # the third
    - name: third
      children:
        - {name: inner}
"""


def spans(node: Node, base: int = 0) -> tuple[object, ...]:
    """Return the tree with absolute positions."""
    start = base + node.start
    below = [spans(inner, start) for inner in (*node.keys, *node.items)]
    return node.kind, start, node.size, node.flow, node.value, tuple(below)


def changed_lines(before: str, after: str) -> list[int]:
    """Return the numbers of the earlier lines between the first and the last difference of two texts."""
    old, new = before.replace("\r", "").split("\n"), after.replace("\r", "").split("\n")
    first = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    last = next((k for k, (a, b) in enumerate(zip(old[::-1], new[::-1], strict=False)) if a != b), len(old))
    return list(range(first, max(len(old) - last, first)))


@pytest.mark.slow
@pytest.mark.parametrize("newline", NEWLINES)
@pytest.mark.parametrize("form", long(list(FORMS), FEW))
def test_random_edits_give_the_data_that_they_promise(form, newline):
    """After any edits the text has exactly the edited data, and each edit changes only the lines of its own item.

    That is so in every style, with all kinds of newlines, and whether the last line ends or not.
    """
    begin = FORMS[form].replace("\n", newline) if newline else FORMS[form].rstrip("\n")
    done = 0
    for seed in range(SCRIPTS // (3 * len(long(FORMS, FEW)))):
        rng, text = random.Random(f"{form} {seed}"), ManifestText(begin)
        for _ in range(8):
            before = text.text
            wanted, path = random_edit(rng, text)
            assert same(text.get(), wanted)
            assert spans(text.root) == spans(parse(text.raw, "a text"))
            done += path is not None
            if path:
                assert set(changed_lines(before, text.text)) <= set(lines_of(before, path)), path
        assert ("\r" in text.text) <= (newline == "\r\n")
    assert done


@pytest.mark.parametrize("form", long(list(FORMS), FEW))
def test_copies_are_edited_on_their_own(form):
    """An edit of a text changes none of the texts that were copied from it or that it was copied from."""
    rng = random.Random(form)
    texts = [ManifestText(FORMS[form])]
    for _ in range(20):
        texts.append(rng.choice(texts).copy())
        before = [(each.text, spans(each.root)) for each in texts]
        number = rng.randrange(len(texts))
        edited = texts[number]
        random_edit(rng, edited)
        before[number] = edited.text, spans(parse(edited.raw, "game.yaml"))
        assert [(each.text, spans(each.root)) for each in texts] == before


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_a_new_value_changes_only_its_own_lines(form):
    """Setting a single value by another one leaves all lines but its own as they are, byte for byte."""
    rng = random.Random(form)
    before = FORMS[form].splitlines()
    for _ in range(long(30, 12)):
        text = ManifestText(FORMS[form])
        data, path = text.get(), ()
        while isinstance(data, (dict, list)) and data:
            step = rng.choice(list(data) if isinstance(data, dict) else range(len(data)))
            data, path = data[step], (*path, step)
        if isinstance(data, str) and ("\n" in data or "text over" in data or "line" in data):
            continue
        text.set(path, 12345)
        assert at(text.get(), path) == 12345
        after = text.text.splitlines()
        assert len(after) == len(before)
        assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


def test_an_entry_moves_with_its_comments():
    """A moved entry takes the comments before it and in it along; all other lines stay."""
    text = ManifestText(SCENE)
    text.move(("scenes", "main", 0), ("scenes", "main", 2))
    assert (
        text.text
        == SCENE.replace(
            "    # the first\n    - prefab: crate  # here\n      Transform: {position: [1, 2]}   # place\n", ""
        )
        + "    # the first\n    - prefab: crate  # here\n      Transform: {position: [1, 2]}   # place\n"
    )


def test_an_entry_moved_into_children_is_indented():
    """An entry that becomes a child is moved to the right, with its comments."""
    text = ManifestText(SCENE)
    text.move(("scenes", "main", 0), ("scenes", "main", 1, "children", 0))
    assert text.text.endswith(
        "      children:\n"
        "        # the first\n"
        "        - prefab: crate  # here\n"
        "          Transform: {position: [1, 2]}   # place\n"
        "        - {name: inner}\n"
    )


def test_new_entries_take_the_style_of_their_neighbors():
    """An entry next to one in brackets is written in brackets, one next to a block as a block."""
    text = ManifestText(SCENE)
    text.insert(("scenes", "main", 1), {"prefab": "crate", "at": [3, 4]})
    text.insert(("scenes", "main", 0), {"prefab": "crate", "at": [3, 4]})
    assert "    - {prefab: crate, at: [3, 4]}\n\n    # the second" in text.text
    assert "  main:\n    - prefab: crate\n      at: [3, 4]\n    # the first" in text.text


def test_the_last_item_leaves_an_empty_collection():
    """Deleting all items leaves `[]`, into which a new item can be put."""
    text = ManifestText("a:\n  # why\n  - 1\nb: 2\n")
    text.delete(("a", 0))
    assert text.text == "a: []\nb: 2\n"
    text.insert(("a", 0), {"x": 1})
    assert text.get() == {"a": [{"x": 1}], "b": 2}


def test_put_makes_what_is_missing():
    """`put` sets an existing value, and inserts missing mappings on the way to a new one."""
    text = ManifestText("a: {b: 1}\nc:\n")
    text.put(("a", "b"), 2)
    text.put(("a", "x", "y"), 3)
    text.put(("c", "d", "e"), 4)
    assert text.get() == {"a": {"b": 2, "x": {"y": 3}}, "c": {"d": {"e": 4}}}


@pytest.mark.parametrize(
    ("do", "message"),
    [
        (lambda t: t.set(("q",), 1), "does not exist"),
        (lambda t: t.insert(("a",), 1), "exists already"),
        (lambda t: t.insert(("l", 9), 1), "no place for a new value"),
        (lambda t: t.rename_key(("a",), "l"), "there is a key 'l'"),
        (lambda t: t.rename_key(("l", 0), "x"), "ends in no key"),
        (lambda t: t.set(("a",), float("nan")), "finite"),
        (lambda t: t.set(("a",), object()), "can't be written"),
        (lambda t: t.delete(("k",)), "anchor or an alias"),
        (lambda t: t.set(("r",), 1), "anchor or an alias"),
        (lambda t: t.set(("r", "x"), 1), "does not exist"),
    ],
)
def test_impossible_edits_change_nothing(do, message):
    """An edit that is not possible says why, and the text stays as it was."""
    begin = "a: 1\nl: [1, 2]\nk: &k {x: 1}\nr: *k\n"
    text = ManifestText(begin)
    with pytest.raises(UsageError, match=message):
        do(text)
    assert text.text == begin


def test_values_with_anchors_can_be_edited_around():
    """In a text with anchors other values can be edited, and the value at an anchor keeps it."""
    text = ManifestText("a: &k 5\nb: *k\nc: [1]\n")
    text.set(("a",), 6)
    text.insert(("c", 1), 2)
    assert text.text == "a: &k 6\nb: *k\nc: [1, 2]\n"
    assert text.get() == {"a": 6, "b": 6, "c": [1, 2]}


def test_a_block_that_keeps_blank_lines_never_takes_those_of_others():
    """A block `|+` is not moved to a place where more blank lines follow, because its text would grow."""
    before = "a: |+\n  x\n\nb: 1\n\nc: 2\n"
    text = ManifestText(before)
    with pytest.raises(UsageError, match="can't be edited here"):
        text.delete(("b",))
    assert text.text == before
    text.move(("a",), ("a",))
    assert text.get() == {"b": 1, "c": 2, "a": "x\n\n"}


def test_edits_of_a_long_text_do_not_parse_it_again():
    """Edits of a manifest of 4,000 lines make less than a tenth of the calls that reading it makes."""
    entries = "".join(f"    # {k}\n    - prefab: crate\n      name: e{k}\n      at: [{k}, 2]\n" for k in range(1000))
    texts: list[ManifestText] = []
    reading = calls_of(lambda: texts.append(ManifestText(f"scenes:\n  main:\n{entries}")))
    (text,) = texts
    for k in range(0, 900, 300):
        for edit in (
            lambda k=k: text.set(("scenes", "main", k, "at"), [k, k]),
            lambda k=k: text.insert(("scenes", "main", k), {"prefab": "crate"}),
            lambda k=k: text.delete(("scenes", "main", k + 5)),
        ):
            assert calls_of(edit) < reading / 10


@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_new_section_has_its_usual_place_and_the_blank_lines_of_the_others(gap: str) -> None:
    """Sections of the kernel are in their order, those of plugins the last ones; deep mappings are blocks."""
    text = ManifestText(f"# A game.\nrish: 1\nplugins: [render]\n{gap}# all of it\nscenes:\n  main: []   # none\n")
    text.put(("on", "every 1"), [{"add": {"seconds": 1}}])
    text.put(("settings", "audio", "sounds", "gust"), {"synth": {"preset": "coin"}})
    text.put(("settings", "audio", "sounds", "bang"), {"synth": {"preset": "hit"}})
    text.put(("layers",), ["back", "front"])
    text.put(("prefabs", "crate"), {"Transform": {}, "Body": {"mass": 2}})
    said = f"""# A game.
rish: 1
plugins: [render]
{gap}settings:
  audio:
    sounds:
      gust: {{synth: {{preset: coin}}}}
      bang: {{synth: {{preset: hit}}}}
{gap}layers: [back, front]
{gap}prefabs:
  crate: {{Transform: {{}}, Body: {{mass: 2}}}}
{gap}# all of it
scenes:
  main: []   # none
{gap}on:
  every 1:
    - {{add: {{seconds: 1}}}}
"""
    assert text.text == said
    assert ManifestText(said).get(("settings", "audio", "sounds", "bang")) == {"synth": {"preset": "hit"}}


def test_a_new_section_keeps_the_newlines_of_the_text() -> None:
    """A text of Windows gets lines of Windows; one without a newline at its end gets none."""
    text = ManifestText("rish: 1\r\n\r\nscenes: {main: []}")
    text.put(("settings", "physics", "gravity"), [0, 0])
    assert text.text == "rish: 1\r\n\r\nsettings: {physics: {gravity: [0, 0]}}\r\n\r\nscenes: {main: []}"
    text.put(("variables", "score"), 0)
    assert text.text.endswith("scenes: {main: []}\r\n\r\nvariables: {score: 0}")
