"""Python: whole literals follow, byte for byte; imports of a renamed module follow; the rest is listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_authoring import Formats, Tree, plan_move
from rish_core import App

OLD, NEW = "images/hero.png", "art/h 2.png"


def renamed(root: Path, app: App, code: bytes, old: str = OLD, new: str = NEW, name: str = "code.py"):
    """Write a module, rename a file, and return the module's new bytes and the plan."""
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(code)
    plan = plan_move(Tree(root, Formats(app.registry), frozenset({"game.yaml"})), old, new)
    plan.change.apply()
    return (root / plan.moves.now(name)).read_bytes(), plan


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"x = 'images/hero.png'", b"x = 'art/h 2.png'"),
        (b'x = R"images/hero.png"\r\n# images/hero.png\r\n', b'x = R"art/h 2.png"\r\n# images/hero.png\r\n'),
        (b"x = '''images/hero.png'''\n\ty = 1".replace(b"\n\t", b"\n"), b"x = '''art/h 2.png'''\ny = 1"),
        (b"x = 'images\\x2fhero.png'", b"x = 'art/h 2.png'"),
        (b"\xef\xbb\xbfx = 'images/hero.png'", b"\xef\xbb\xbfx = 'art/h 2.png'"),
        (b"# coding: latin-1\nx = '\xe9', 'images/hero.png'", b"# coding: latin-1\nx = '\xe9', 'art/h 2.png'"),
        ("x = 'é😀', 'images/hero.png'".encode(), "x = 'é😀', 'art/h 2.png'".encode()),
        (b"x = '\x0c\x1c'; y = 'images/hero.png'", b"x = '\x0c\x1c'; y = 'art/h 2.png'"),
        (b"x = './images/hero.png', 'images//hero.png'", b"x = './art/h 2.png', 'art/h 2.png'"),
        (b"x = 'the images/hero.png', b'images/hero.png'", b"x = 'the images/hero.png', b'images/hero.png'"),
        (b"def f(image='images/hero.png'): pass\r", b"def f(image='art/h 2.png'): pass\r"),
        (b"x = {'images/hero.png': 1}['images/hero.png']", b"x = {'art/h 2.png': 1}['art/h 2.png']"),
    ],
)  # fmt: skip
def test_only_whole_literals_change(root: Path, app: App, before: bytes, after: bytes) -> None:
    """Quotes, prefixes, comments, encodings and newlines stay; escapes are written anew."""
    assert renamed(root, app, before)[0] == after


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("x = f'images/{n}.png'", "an f-string"), ("x = 'images/' + n", "a computed name"),
        ("x = 'images/%s.png' % n", "a computed name"), ("x = 'images/{}.png'.format(n)", "a computed name"),
        ("x = Path('images') / 'hero.png'", "a joined path"), ("x = HERE / 'images' / n", "a joined path"),
        ("x = os.path.join(HERE, 'images', 'hero.png')", "a joined path"),
        ("x = f'{load(\"images/hero.png\")}'", "an f-string"),
        ("x = ('images/'\n 'hero.png')", "adjacent literals give this name"),
    ],
)  # fmt: skip
def test_computed_names_are_listed(root: Path, app: App, code: str, why: str) -> None:
    """What may give the name when the game runs is listed, and stays."""
    data, plan = renamed(root, app, code.encode())
    assert data == code.encode()
    assert why in [use.why for use in plan.unchanged if use.file == "code.py"]


@pytest.mark.parametrize(
    "code", ["log(f'loaded {x}')", "x = f'{a}/{b}'", "x = 'a' + n", "x = '%s.wav' % n", "x = 5 / 2"]
)
def test_texts_that_can_not_give_the_name_are_not_listed(root: Path, app: App, code: str) -> None:
    """A message or the name of another kind of file is no use."""
    assert not [use for use in renamed(root, app, code.encode())[1].unchanged if use.file == "code.py"]


def test_a_file_with_mistakes_that_names_the_picture_is_listed(root: Path, app: App) -> None:
    """Code that can't be parsed, and text in another encoding, stay as they are."""
    data, plan = renamed(root, app, b"x = ('images/hero.png'")
    assert data == b"x = ('images/hero.png'"
    assert any("no valid Python" in use.why for use in plan.unchanged)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from . import x\nfrom .scripts import hero", "from . import x\nfrom .scripts import enemy as hero"),
        ("from .scripts.hero import (\n  A, B)", "from .scripts.enemy import (\n  A, B)"),
        ("from scripts.hero import A as B  # hero", "from scripts.enemy import A as B  # hero"),
        ("import scripts.hero as h", "import scripts.enemy as h"),
        ("from scripts.heroes import hero", "from scripts.heroes import hero"),
        ("x = 'scripts/hero.py'", "x = 'scripts/enemy.py'"),
    ],
)  # fmt: skip
def test_simple_imports_follow_a_renamed_module(root: Path, app: App, before: str, after: str) -> None:
    """The names that the code uses stay the same."""
    (root / "scripts").mkdir()
    (root / "scripts/hero.py").write_text("class A: pass\n")
    data, _ = renamed(root, app, before.encode(), "scripts/hero.py", "scripts/enemy.py")
    assert data.decode() == after


@pytest.mark.parametrize(
    "code", ["import scripts.hero", "import os, scripts.hero as h", "from .scripts import (hero, b)"]
)
def test_other_imports_of_a_renamed_module_are_listed(root: Path, app: App, code: str) -> None:
    """Imports that bind other names too are left to the person."""
    (root / "scripts").mkdir()
    (root / "scripts/hero.py").write_text("class A: pass\n")
    data, plan = renamed(root, app, code.encode(), "scripts/hero.py", "scripts/enemy.py")
    assert data == code.encode()
    assert [(use.place, use.why) for use in plan.unchanged] == [("code.py:1", "an import that is not simple")]


def test_a_folder_of_modules_is_followed_in_imports(root: Path, app: App) -> None:
    """The package is imported under its new name, and the name that the code uses stays."""
    (root / "scripts").mkdir()
    (root / "scripts/hero.py").write_text("class A: pass\n")
    code = b"from . import scripts\nfrom .scripts.hero import A\nrish_scripts(scripts)\n"
    data, plan = renamed(root, app, code, "scripts", "code")
    assert data == b"from . import code as scripts\nfrom .code.hero import A\nrish_scripts(scripts)\n"
    back = plan_move(Tree(root, Formats(app.registry), frozenset({"game.yaml"})), "code", "scripts")
    assert [after for path, _, after in back.change.contents if path.name == "code.py"] == [code]
    assert plan.unsure == []  # the plugin `scripts` of the manifest is no folder


def test_relative_imports_in_a_module_that_moves_are_listed(root: Path, app: App) -> None:
    """They would name other modules from the new folder."""
    code = b"from .base import A\nfrom os import path\n"
    data, plan = renamed(root, app, code, "scripts/hero.py", "other/hero.py", "scripts/hero.py")
    assert data == code
    assert [use.why for use in plan.unchanged] == ["a relative import in a file that moves"]
