"""Whatever the code of a game raises or returns, a command says so in a sentence with the place, and ends with 2."""

from __future__ import annotations

import gc
import itertools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from long_runs import long

pytestmark = pytest.mark.filterwarnings("ignore:coroutine", "ignore::pytest.PytestUnraisableExceptionWarning")

MANIFEST = "rish: 1\ngame: {title: Hostile}\nplugins: [scripts]\nscenes:\n  main:\n    - {Transform: {}}\n"
HEAD = """
import sys
from rish_core import *

from rish_scripts import Script

class Raises(Exception):
    def __str__(self): raise RuntimeError("no")
    __repr__ = __str__
class Exits(Exception):
    def __str__(self): sys.exit(3)
class Interrupts(Exception):
    def __str__(self): raise KeyboardInterrupt
class NoText(Exception):
    def __str__(self): return None
class Endless(Exception):
    def __str__(self): return str(self)
class Text(str):
    def __format__(self, how): raise RuntimeError("no")
    __str__ = __format__
class OddText(Exception):
    def __str__(self): return Text("odd \\x1b[2J")
class Nameless(type):
    @property
    def __name__(cls): raise RuntimeError("no")
class Unnamed(Exception, metaclass=Nameless): pass
class Escapes(BaseException): pass
class Sentence(RishError):
    def __str__(self): raise RuntimeError("no")
class Evil:
    def no(self, *_): raise RuntimeError("no")
    __bool__ = __eq__ = __hash__ = __len__ = __iter__ = __getattr__ = __repr__ = __call__ = no
class EvilList(list):
    def __iter__(self): raise RuntimeError("no")
    __len__ = __bool__ = __iter__
class EvilDict(dict):
    def items(self): raise RuntimeError("no")
    __iter__ = values = items
class EvilType(type):
    def __getattr__(cls, name): raise RuntimeError("no")
    __repr__ = __getattr__
class EvilClass(metaclass=EvilType): pass
async def later(*_): pass
def steps(*_): yield 1
def fail(error): raise error
"""
ERRORS = (
    "Raises()", "Exits()", "Interrupts()", "NoText()", "Endless()", "OddText()", "Unnamed()", "Escapes()",
    "Sentence('x')", "SystemExit(5)", "GeneratorExit()", "MemoryError()", "KeyError(Evil())",
    "OSError(2, Evil(), Evil())", "SyntaxError('x', ('a\\x1b', 1, 2, 't'))", "SyntaxError('x', (7, 1, 2, 't'))",
    "ExceptionGroup('g', [Raises()])", "ModuleNotFoundError(name=4)", "StopIteration()",
)  # fmt: skip
SYSTEM = "@system(Stage.UPDATE)\ndef bad(world, dt): FAIL\ndef rish_systems(): return [bad]\n"
PLACES = {
    "import": "FAIL\n",
    "a system": SYSTEM,
    "a condition": "@system(Stage.UPDATE, run_if=lambda world: FAIL)\ndef bad(world, dt): pass\n"
    "def rish_systems(): return [bad]\n",
    "a deferred call": SYSTEM.replace("FAIL", "world.defer(lambda world: FAIL)"),
    "a declaring hook": "def rish_components(): FAIL\n",
    "a hook of a frame": "def rish_frame_end(): FAIL\n",
    "the last hook": "def rish_shutdown(): FAIL\n",
    "about": "def rish_about(): FAIL\n",
    "attributes of the module": "def __getattr__(name): FAIL\n",
    "opening a host": "def rish_host(): return lambda app, options: FAIL\n",
    "a host's property": "class Bad(Host):\n    @property\n    def windowed(self): FAIL\n"
    "def rish_host(): return lambda app, options: Bad()\n",
    "a hint": f"{SYSTEM.replace('FAIL', '1 / 0')}def rish_error_hint(error): FAIL\n",
    "a resource": "@resource\nclass Bad:\n    def __init__(self): FAIL\ndef rish_resources(): return [Bad]\n",
    "a rebuild": "@resource(derived=True)\nclass Bad:\n    x: int = 0\n    def rebuild(self, world): FAIL\n"
    "def rish_resources(): return [Bad]\n",
    "a script": "class Bad(Script):\n    def on_create(self): FAIL\ndef rish_scripts(): return [Bad]\n",
}
VALUES = (
    "7", "[7]", "{7: 7}", "Evil()", "EvilList([1])", "EvilDict(x=1)", "EvilClass", "[EvilClass]",
    "[Evil()]", "later()", "steps()", "{'x': Evil()}", "Text('s')", "lambda *_: Evil()",
)  # fmt: skip
HOOKS = (
    "about", "hookspecs", "settings", "components", "systems", "layers", "host", "loaders", "names", "warm_up",
    "system_failed", "error_hint",
)  # fmt: skip


@pytest.fixture
def run(rish: Any, tmp_path: Path) -> Iterator[Any]:
    """A function that writes the code of the game and runs it for a few frames."""

    folders = (tmp_path / str(number) for number in itertools.count())

    def write_and_run(code: str, *options: str) -> Any:
        # Each run has its own folder: Python takes code of the same size and second for that which it compiled before.
        folder = next(folders)
        folder.mkdir()
        scene = MANIFEST.replace("{Transform: {}}", "{Bad: {}}") if "(Script)" in code else MANIFEST
        (folder / "game.yaml").write_text(scene)
        (folder / "plugin.py").write_text(HEAD + code)
        return rish("run", folder, "--headless", "--frames", "3", *options)

    yield write_and_run
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of coroutines that nobody awaits
        gc.collect()


def check(said: Any, code: tuple[int, ...], what: str) -> None:
    """The exit code is right, and nothing is reported as a fault of Rish or reaches the terminal raw."""
    assert said.code in code, f"{what}: {said}"
    assert "a bug in Rish" not in said.err, f"{what}: {said.err}"
    assert "Traceback" not in said.err, f"{what}: {said.err}"
    assert "\x1b" not in said.err, f"{what}: {said.err!r}"


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_an_exception_of_any_kind_is_a_failure_of_the_game(run: Any, place: str) -> None:
    """Exceptions whose text can't be read, or that no `except Exception` catches, end with 2 and name the line.

    The sample has a seventh of the exceptions in each place, and each exception in two places or more.
    """
    offset = list(PLACES).index(place)
    for number in long(range(len(ERRORS)), range(offset % 7, len(ERRORS), 7)):
        error = ERRORS[number]
        said = run(PLACES[place].replace("FAIL", f"fail({error})"), *(["--on-error=raise"] if number % 3 == 0 else []))
        check(said, (2,), f"{place}, {error}")
        assert "plugin.py" in said.err or error.startswith(("SyntaxError", "Sentence")), said.err


@pytest.mark.slow
@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_may_return_anything(run: Any, hook: str) -> None:
    """A value of a wrong type is ignored, or is a failure of the game with the place.

    The sample has a sixth of the values for each hook, and each value for two hooks.
    """
    for value in long(VALUES, VALUES[HOOKS.index(hook) % 6 :: 6]):
        code = f"def rish_{hook}(): return {value}\n"
        if hook in ("system_failed", "error_hint"):
            code += SYSTEM.replace("FAIL", "1 / 0")
        said = run(code)
        check(said, (0, 2), f"{hook}, {value}")
        assert said.code == 0 or "plugin.py" in said.err, f"{hook}, {value}: {said.err}"


@pytest.mark.parametrize("value", ["7", "Evil()", "EvilClass", "later", "steps", "property(1)", "lambda a, b: 1"])
def test_a_hook_may_be_anything(run: Any, value: str) -> None:
    """Something else than a function with the name of a hook is refused, and never a fault of Rish."""
    for hook in ("about", "hookspecs", "components", "frame_end", "host"):
        check(run(f"rish_{hook} = {value}\n"), (0, 2), f"{hook}, {value}")


def test_an_interrupt_ends_the_game_from_everywhere(run: Any) -> None:
    """KeyboardInterrupt is what Ctrl-C raises, so it is never a failure: in hooks and systems it ends the game."""
    said = run("def rish_ready(app): raise KeyboardInterrupt\n")
    assert (said.code, said.err) == (130, "rish: interrupted\n")
    assert run("def rish_components(): raise KeyboardInterrupt\n").code == 130


def test_a_host_that_is_no_function_has_a_place(run: Any) -> None:
    """The error names what `rish_host` returned and the line of the hook."""
    said = run("def rish_host(): return 7\n")
    line = len(HEAD.splitlines()) + 1
    assert said.code == 2
    assert f"plugin.py:{line}: plugin 'game' failed to open its host" in said.err
    assert "rish_host returned 7, expected a function" in said.err
