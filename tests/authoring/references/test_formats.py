"""The formats that plugins declare: their names of files are found and changed, relative ones also when they move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from renamed_files import declared
from rish_authoring import Formats, Tree, plan_move
from rish_core import App, read_manifest

TILED = """{"tilesets": [{"firstgid": 1, "source": "sets/a.tsj"}, {"image": "..\\/art\\/p.png"}],
 "layers": [{"data": [1, 2], "image": "../art/p.png", "name": "../art/p.png"}]}"""
XML = """<?xml version="1.0"?>
<!-- <image source="../art/p.png"/> -->
<map><imagelayer><image source='../art/p.png'/><properties>
 <property name="a &gt; b" value="> x"/><property name="p" type="file" value="../art/p.png"/></properties></imagelayer>
 <objectgroup><object template="../art/p.png"/></objectgroup></map>
"""
GLTF = json.dumps(
    {"images": [{"uri": "p%20q.png"}, {"uri": "data:image/png;base64,AAAA"}], "buffers": [{"uri": "b.bin"}]}
)
LDTK = json.dumps({"defs": {"tilesets": [{"relPath": "../art/p.png"}]}, "levels": [{"externalRelPath": "a/b.ldtkl"}]})
FNT = 'info face=x\npage id=0 file=../art/p.png\npage id=1 file="../art/p.png"\n'
FNT_XML = '<font><pages><page id="0" file="../art/p.png"/></pages></font>'
CASES: dict[str, Any] = {
    "maps/a.tmj": (TILED, "art/p.png", 2), "maps/a.tmx": (XML, "art/p.png", 2), "maps/a.ldtk": (LDTK, "art/p.png", 1),
    "art/m.gltf": (GLTF, "art/p q.png", 1), "maps/f.fnt": (FNT, "art/p.png", 2),
    "maps/x.fnt": (FNT_XML, "art/p.png", 1),
    "maps/m.map.yaml": ("tilesets: {a: ../art/p.png, b: {image: '../art/p.png'}}\n", "art/p.png", 2),
    "fx/a.particles.yaml": ("picture: art/p.png\npresets: {x: {image: art/p.png}}\n", "art/p.png", 2),
    "a.theme.yaml": ("styles: {Button: {image: art/p.png}}\nextends: art/p.png\n", "art/p.png", 2),
    "a.anim.yaml": ("clips: {a: {tracks: {x.Sprite.image: [[0, art/p.png], [1, &x art/p.png]]}}}\n", "art/p.png", 2),
}  # fmt: skip


@pytest.fixture(scope="module")
def formats(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What all plugins declare."""
    root = tmp_path_factory.mktemp("all")
    plugins = "[render, particles, audio, ui, rules, scene3d, animation, ldtk, editor]"
    (root / "game.yaml").write_text(f"rish: 1\nplugins: {plugins}\n")
    with App(read_manifest(root), headless=True, warm_up=False) as app:
        yield Formats(app.registry, declared(app))


def game(root: Path, formats: Formats, name: str, text: str, picture: str) -> Tree:
    """Write a picture and a file that names it; return the files."""
    for each, data in (
        (name, text.encode()),
        (picture, b"PNG"),
        ("game.yaml", b"rish: 1\n"),
        ("maps/sets/a.tsj", b"{}"),
    ):
        (root / each).parent.mkdir(parents=True, exist_ok=True)
        (root / each).write_bytes(data)
    return Tree(root, formats, frozenset({"game.yaml"}))


@pytest.mark.parametrize("name", CASES)
def test_declared_places_follow_and_come_back(tmp_path: Path, formats: Formats, name: str) -> None:
    """Each declared place has the new name, all else is the same; renaming back gives the same text."""
    text, picture, count = CASES[name]
    tree = game(tmp_path, formats, name, text, picture)
    plan = plan_move(tree, picture, "pictures/new&x.png")
    assert len(plan.changed) == count
    plan.change.apply()
    assert (tmp_path / name).read_text() != text
    again = Tree(tmp_path, formats, tree.manifests)
    back = plan_move(again, "pictures/new&x.png", picture)
    assert len(back.changed) == count
    back.change.apply()
    assert (tmp_path / name).read_text() == text


@pytest.mark.parametrize("name", CASES)
def test_a_file_that_moves_still_names_the_same_files(tmp_path: Path, formats: Formats, name: str) -> None:
    """Relative names are adjusted, names from the root of the game stay; moving back gives the same text."""
    text, picture, _ = CASES[name]
    tree = game(tmp_path, formats, name, text, picture)
    new = f"deep/er/{name}"
    plan_move(tree, name, new).change.apply()
    found = plan_move(Tree(tmp_path, formats, tree.manifests), picture, "x.png")
    assert len(found.changed) == CASES[name][2]
    plan_move(Tree(tmp_path, formats, tree.manifests), new, name).change.apply()
    assert (tmp_path / name).read_text() == text


@pytest.mark.parametrize("name", ["it's.png", "a b.png", "a_b #c.png", "10", "é.png", "#1.png"])
def test_quotes_of_names_stay(tmp_path: Path, formats: Formats, name: str) -> None:
    """Names that need quotes or escapes get them in the style of the text; renaming back gives the same text."""
    yaml = """picture: 'art/p.png'\npresets: {a: {image: "art/p.png"}, b: {image: 'art/p.png'}}\n"""
    tree = game(tmp_path, formats, "fx/a.particles.yaml", yaml, "art/p.png")
    (tmp_path / "code.py").write_text("""A = 'art/p.png', "art/p.png", u'art/p.png'\n""")
    code = (tmp_path / "code.py").read_text()
    plan = plan_move(tree, "art/p.png", f"art/{name}")
    assert (len(plan.changed), plan.unchanged) == (6, [])
    plan.change.apply()
    plan_move(Tree(tmp_path, formats, tree.manifests), f"art/{name}", "art/p.png").change.apply()
    assert (tmp_path / "fx/a.particles.yaml").read_text() == yaml
    if "." in name:  # a name without a suffix may be any text
        assert (tmp_path / "code.py").read_text() == code


def test_a_picture_and_its_map_move_together(tmp_path: Path, formats: Formats) -> None:
    """If the folder of both moves, relative names stay as they are."""
    text, picture, _ = CASES["art/m.gltf"]
    tree = game(tmp_path, formats, "art/m.gltf", text, picture)
    plan = plan_move(tree, "art", "models/art")
    assert not plan.changed
    plan.change.apply()
    assert (tmp_path / "models/art/m.gltf").read_text() == text


def test_texts_in_undeclared_places_are_listed(tmp_path: Path, formats: Formats) -> None:
    """A property of Tiled and the name of a layer may be meant, and are listed for a choice."""
    for name in ("maps/a.tmj", "maps/a.tmx"):
        tree = game(tmp_path, formats, name, *CASES[name][:2])
    plan = plan_move(tree, "art/p.png", "q.png")
    assert [(use.file, use.line) for use in plan.unsure] == [("maps/a.tmj", 2), ("maps/a.tmx", 4)]


def test_binary_models_and_fonts_that_name_a_picture_are_listed(tmp_path: Path, formats: Formats) -> None:
    """They are not changed."""
    tree = game(tmp_path, formats, "art/m.glb", "glTF p.png", "art/p.png")
    (tmp_path / "f.fnt").write_bytes(b"BMF\x03\x01\xff p.png\0")
    plan = plan_move(tree, "art/p.png", "q.png")
    assert sorted((use.file, bool(use.why)) for use in plan.unchanged) == [("art/m.glb", True), ("f.fnt", True)]
    assert not plan.change.contents


def test_many_uses_and_many_files_are_planned_together(tmp_path: Path, formats: Formats) -> None:
    """Two thousand uses in one file and a hundred other files are planned together."""
    entries = "".join(f"  - {{Sprite: {{image: art/p.png}}, name: e{k}}}\n" for k in range(2_000))
    tree = game(tmp_path, formats, "game.yaml", f"rish: 1\nscenes:\n  main:\n{entries}", "art/p.png")
    (tmp_path / "game.yaml").write_text(f"rish: 1\nscenes:\n  main:\n{entries}")
    for k in range(100):
        (tmp_path / f"art/{k}.png").write_bytes(b"")
    plan = plan_move(tree, "art", "pictures")
    assert len(plan.changed) == 2_000
    assert plan.change.contents[0][2].count(b"image: pictures/p.png") == 2_000
