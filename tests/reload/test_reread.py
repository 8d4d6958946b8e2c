"""Reading again: parts that are reused from the last reading never change the result."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import Registry, builtin
from rish_core.manifest.check import compile_manifest
from rish_core.manifest.manifest import read_manifest
from rish_core.manifest.nodes import Document, YamlList, YamlMap
from rish_core.manifest.yaml import read_yaml
from rish_core.plugin.loading import load_plugins
from rish_core.plugin.registry import build_registry
from rish_ecs import Chars, component
from rish_reload.reread import reread_manifest, reread_yaml

HEAD = ["rish: 1", "plugins: [render]", "scenes:", "  main:"]


def _lines(count: int, dice: random.Random) -> list[str]:
    lines = [*HEAD]
    for k in range(count):
        form = dice.randrange(4)
        if form == 0:
            lines += [f"    - name: e{k}", "      Transform:", f"        position: [{k}, 2]"]
        elif form == 1:
            lines += [f"    - {{name: e{k}, Transform: {{scale: [1, {k}]}}}}", "", "    # a remark"]
        elif form == 2:
            lines += [f"    - {{name: e{k},", f"       Text: {{text: 'it''s {k}: # no remark'}}}}"]
        else:
            lines += ["    - name: &n x" if dice.random() < 0.001 else f"    - name: f{k}", "      children:",
                      "        - {Transform: {}}"]  # fmt: skip
    return lines


def _marks(node: Any) -> Any:
    """Return all marks of a tree, in order."""
    if isinstance(node, YamlMap):
        spots = [*node.keys_at.values(), *node.values_at.values(), node.mark]
        return [(m.line, m.column) for m in spots] + [_marks(value) for value in node.values()]
    if isinstance(node, YamlList):
        return [(m.line, m.column) for m in [*node.items_at, node.mark]] + [_marks(item) for item in node]
    return []


def _edited(lines: list[str], dice: random.Random) -> list[str]:
    """Return the lines with a random change, valid or not."""
    made, at = [*lines], dice.randrange(len(lines))
    what = dice.randrange(9)
    if what == 0:
        made[at] = made[at].replace("1", "17")
    elif what == 1:
        del made[at : at + dice.randrange(1, 5)]
    elif what == 2:
        made.insert(at, "    - {name: new, Transform: {}}")
    elif what == 3:
        made.insert(
            at, dice.choice(['"', "  more:", "    - |", "}", "[", "      'open", "    - [", "  main: |", "---"])
        )
    elif what == 4:
        made[at] = made[at][: len(made[at]) // 2]
    elif what == 5:
        made[at] = " " + made[at]
    elif what == 6:
        made[at] += dice.choice([" # remark", " |", " >", ' "', " {", ":", " &a 1", " *a"])
    elif what == 7:
        made[at : at + 1] = [made[at]] * 3
    else:
        made += ["  other:", "    - {Transform: {}}"]
    return made


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_it_makes_no_difference(seed: int) -> None:
    """After each of 40 random edits, data, marks and mistakes equal those of a new reading."""
    dice = random.Random(seed)
    lines = _lines(90, dice)
    last = read_yaml("\n".join(lines), "game.yaml")
    kept = 0
    for _ in range(40):
        text = "\n".join(edited := _edited(lines, dice))
        again, fresh = reread_yaml(text, last, "game.yaml"), read_yaml(text, "game.yaml")
        assert again.data == fresh.data
        assert again.problems == fresh.problems
        if again.problems:
            continue
        kept += again.reused
        if again.settle is not None:
            again.settle()
        assert _marks(again.data) == _marks(fresh.data)
        lines, last = edited, again
    assert kept > 5


def test_what_is_kept_are_the_very_objects() -> None:
    """Unchanged entries are the same objects, so that results made from them can be reused."""
    lines = [*HEAD, *(f"    - {{name: e{k}, Transform: {{}}}}" for k in range(100))]
    last = read_yaml("\n".join(lines), "game.yaml")
    before = [*last.data["scenes"]["main"]]
    lines.insert(50, "    - {name: new, Transform: {}}")
    again: Document = reread_yaml("\n".join(lines), last, "game.yaml")
    now = again.data["scenes"]["main"]
    assert again.reused
    assert all(one is other for one, other in zip(now[:45] + now[48:-1], before[:45] + before[47:-1], strict=True))
    assert place_of(before[60]) == 65
    assert again.settle is not None
    again.settle()
    assert place_of(before[60]) == 66


def place_of(entry: YamlMap) -> int:
    """Return the line of an entry, from 1."""
    return entry.mark.line + 1


def test_anchors_reach_everywhere() -> None:
    """A text with anchors is read completely, before and after an edit."""
    lines = [*HEAD, *(f"    - {{name: e{k}, Transform: {{}}}}" for k in range(100))]
    plain = read_yaml("\n".join(lines), "game.yaml")
    lines[40] = "    - &a {name: x, Transform: {}}"
    first = reread_yaml("\n".join(lines), plain, "game.yaml")
    lines[80] = "    - {name: y, Transform: {}}"
    second = reread_yaml("\n".join(lines), first, "game.yaml")
    assert (plain.linked, first.linked, first.reused, second.reused) == (False, True, False, False)


def test_overrides_of_settings_keep_the_entries(tmp_path: Path) -> None:
    """Overrides of settings do not prevent entries from being reused."""
    text = "\n".join([*HEAD, *(f"    - {{name: e{k}, Transform: {{}}}}" for k in range(100))])
    (tmp_path / "game.yaml").write_text(text)
    first = read_manifest(tmp_path, ["settings.render.vsync=false"])
    again = reread_manifest(tmp_path, ["settings.render.vsync=false"], first)
    assert again.scenes["main"][3] is first.scenes["main"][3]
    assert again.section("settings")["render"]["vsync"] is False


@component
class Body:
    """A thing with mass."""

    mass: float = 1.0
    hits: int = 1


@component
class Sprite:
    """A thing with a text."""

    text: Chars = ""


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Return the registry of the kernel, with two more components."""
    own = SimpleNamespace(rish_components=lambda: [Body, Sprite])
    return build_registry(load_plugins([], extra={"own": own}, installed=[], core=builtin))


BRICKS = """rish: 1
prefabs:
  brick: {Body: {mass: 2}}
  hard: {prefab: brick, Body: {hits: 3}}
  crate: {Transform: {}}
scenes:
  main:
    - {prefab: brick}
    - {prefab: hard, Sprite: {text: a}}
    - {Transform: {}, children: [{prefab: hard}]}
    - {prefab: crate, name: box}
"""


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("mass: 2", "mass: 4", [True, True, True, False]),
        ("hits: 3", "hits: 4", [False, True, True, False]),
        ("crate: {Transform: {}}", "crate: {Transform: {scale: [2, 2]}}", [False, False, False, True]),
        ("  crate:", "  post: {Body: {}}\n  crate:", [False] * 4),
    ],
)
def test_entries_of_another_prefab_are_read_anew(
    tmp_path: Path, registry: Any, old: str, new: str, again: list[bool]
) -> None:
    """Entries are compiled again only if a prefab that they use, directly or by inheritance or children, changed."""
    path = tmp_path / "game.yaml"
    path.write_text(BRICKS + "".join(f"    - {{name: e{k}, Transform: {{}}}}\n" for k in range(80)))
    first = read_manifest(path)
    known = compile_manifest(first, registry)
    path.write_text(path.read_text().replace(old, new))
    second = reread_manifest(path, (), first)
    made = compile_manifest(second, registry, known)
    fresh = compile_manifest(read_manifest(path), registry)
    items = second.scenes["main"]
    assert [made.roots[id(item)] is not known.roots.get(id(item)) for item in items[:4]] == again
    assert all(made.roots[id(item)] is known.roots[id(item)] for item in items[4:-1])
    for one, other in zip(made.scenes["main"].steps, fresh.scenes["main"].steps, strict=True):
        assert str(one.parts) == str(other.parts)


def test_overrides_are_applied_to_a_fresh_reading(tmp_path: Path) -> None:
    """Overrides of entries are applied to a complete reading, and no entry is reused."""
    text = "\n".join([*HEAD, *(f"    - {{name: e{k}, Transform: {{}}}}" for k in range(100))])
    (tmp_path / "game.yaml").write_text(text)
    first = read_manifest(tmp_path, ["scenes.main[3].name=z"])
    again = reread_manifest(tmp_path, ["scenes.main[3].name=z"], first)
    assert again.scenes["main"][3]["name"] == "z"
    assert again.main is not None
    assert not again.main.reused
