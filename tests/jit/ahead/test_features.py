"""Features: their kernels are compiled by worker processes before they are called, and each is called once."""

from __future__ import annotations

import gc
import importlib
import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rish_jit
from rish_jit import Features, Listed
from rish_jit.ahead import workers
from rish_jit.ahead.features import FEW
from rish_jit.native.specializations import compiled_calls

from ..conftest import ADD, Workshop, needs_numba, run, write
from .recorder import Recorder, Records, define, name_of

Employ = Callable[[Records], None]
CHAIN = ADD.format(1) + "".join(
    f"@njit\ndef step_{i}(x):\n    return {f'step_{i - 1}' if i else 'add'}(x) * 2\n" for i in range(4)
)
"""A kernel, and four that each call the one before."""
MANY = FEW + 2


def go_on(_done: int, _total: int) -> bool:
    """Watch, and let everything go on."""
    return True


def never(*_arguments: object, **_options: object) -> None:
    """Stand for something that must not happen."""
    pytest.fail("this must not be called")


@pytest.fixture
def employ(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Employ:
    """Return a function that replaces worker processes by recorders; nothing is in the cache."""
    if not rish_jit.available():
        pytest.skip("needs numba")
    monkeypatch.setenv("RISH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("rish_jit.ahead.features.missing", list)
    return lambda records: monkeypatch.setattr(workers.subprocess, "Popen", lambda *_, **__: Recorder(records))


def listed(folder: Path, count: int, feature: str = "play") -> list[Listed]:
    """Define kernels and write a list of them into a folder."""
    entries = [Listed(each.kernel, each.types, (feature,)) for each in define([set()] * count)]
    folder.mkdir(exist_ok=True)
    rish_jit.write_list(folder / rish_jit.LIST_FILE, entries)
    return entries


def test_each_feature_is_called_once() -> None:
    """Each feature is called once, in the order given, and the names of those called are returned."""
    calls: list[str] = []
    features = Features({})
    one, two = ("own", "one"), ("own", "two")
    assert list(features.prepare({one: lambda: calls.append("one")}, go_on)) == [one]
    both: dict[tuple[str, str], Callable[[], object]] = {two: lambda: calls.append("two"), one: lambda: never()}
    assert list(features.prepare(both, go_on)) == [two]
    assert list(features.prepare(both, go_on)) == []
    assert calls == ["one", "two"]


def test_watch_receives_the_progress(employ: Employ, tmp_path: Path) -> None:
    """`watch` gets rising numbers up to that of all kernels, and each feature is called after that."""
    entries = listed(tmp_path / "own", MANY)
    records = Records(pause=lambda: 0.05)
    employ(records)
    seen: list[tuple[int, int]] = []
    calls: list[int] = []
    features = Features({"own": tmp_path / "own"})
    watch: Callable[[int, int], bool] = lambda done, total: seen.append((done, total)) is None  # noqa: E731
    play = ("own", "play")
    assert list(features.prepare({play: lambda: calls.append(len(seen))}, watch)) == [play]
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == ((0, MANY), (MANY, MANY))
    assert len({*seen}) > 2
    assert calls == [len(seen)]
    assert features.compiled == MANY
    assert records.begun() == {name_of(each.kernel): 1 for each in entries}


@pytest.mark.parametrize("limit", [0, 2, MANY])
def test_watch_can_stop_it(limit: int, employ: Employ, tmp_path: Path) -> None:
    """After `watch` has returned False no feature is called; the next time all of them are."""
    listed(tmp_path / "own", MANY)
    employ(Records(pause=lambda: 0.02))
    calls: list[str] = []
    features = Features({"own": tmp_path / "own"})
    wanted = {("own", name): lambda name=name: calls.append(name) for name in ("play", "more")}
    assert list(features.prepare(wanted, lambda done, _: done < limit)) == []
    assert calls == []
    assert list(features.prepare(wanted, go_on)) == list(wanted)
    assert calls == ["play", "more"]


@pytest.mark.parametrize("text", ["not a list", "\0 | (i8,)", b"pack.one | (i8,) | \xff"])
def test_a_malformed_list_is_reported_once(text: str | bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """If a list can't be read, one warning names its file, and the feature is called all the same."""
    file = tmp_path / rish_jit.LIST_FILE
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    calls: list[str] = []
    names = [("own", "one"), ("own", "two"), ("other", "three")]
    with caplog.at_level(logging.WARNING, "rish.jit"):
        wanted = {name: lambda name=name: calls.append(name[1]) for name in names}
        assert list(Features({"own": tmp_path}).prepare(wanted, never)) == names  # pyright: ignore[reportArgumentType]
    assert calls == ["one", "two", "three"]
    (warning,) = caplog.messages
    assert str(file) in warning or isinstance(text, bytes)


def test_without_a_list_features_are_called(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An owner without a list is nothing to warn of: its features are called."""
    features = Features({"own": tmp_path})
    name = ("own", "play")
    assert features.ready([name])
    assert features.listed([name]) == []
    with caplog.at_level(logging.INFO, "rish.jit"):
        assert list(features.prepare({name: lambda: None}, never)) == [name]  # pyright: ignore[reportArgumentType]
    assert caplog.messages == []


def test_the_lists_say_what_features_need(tmp_path: Path) -> None:
    """The kernels of features are those that their owners' lists name for them, each once, in the order of the list."""
    for owner, lines in {"one": ["a", "b", "a, b"], "two": ["a", "b"]}.items():
        (tmp_path / owner).mkdir()
        text = "".join(f"{owner}.k{number} | (i8,) | {line}\n" for number, line in enumerate(lines))
        (tmp_path / owner / rish_jit.LIST_FILE).write_text(text + "shared.k | (i8,) | a\n")
    features = Features({owner: tmp_path / owner for owner in ("one", "two")})
    wanted = [("one", "a"), ("two", "b"), ("one", "none"), ("nobody", "a"), ("two", "a")]
    found = [each.kernel for each in features.listed(wanted)]
    assert found == ["one.k0", "one.k2", "shared.k", "two.k0", "two.k1"]
    assert [each.kernel for each in features.listed([("one", "b")])] == ["one.k1", "one.k2"]


def test_everything_in_the_lists_is_compiled_without_calls(employ: Employ, tmp_path: Path) -> None:
    """`compile_all` compiles what the lists of all owners name, whatever features need it."""
    entries = listed(tmp_path / "own", 3)
    records = Records()
    employ(records)
    features = Features({"own": tmp_path / "own", "same": tmp_path / "own", "none": tmp_path})
    features.compile_all(go_on)
    assert records.begun() == {name_of(each.kernel): 1 for each in entries}
    assert features.compiled == 3


FUNCTION = "def play():\n    add(1), add(1.5)\n"
PLAY = ("own", "play")


def small(workshop: Workshop, source: str = ADD.format(1)) -> tuple[Features, Any]:
    """Write a module with one kernel and a list that names it for two types; return new features, and the module."""
    module = workshop.start(source + FUNCTION)
    rish_jit.write_list(
        workshop.folder / rish_jit.LIST_FILE, [Listed("parts.add", types, ("play",)) for types in ("(i8,)", "(f8,)")]
    )
    return Features({"own": workshop.folder}), module


def test_few_kernels_compile_here(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """If numba is imported, fewer than `FEW` kernels are compiled by this process, unwatched, without another one."""
    importlib.import_module("numba")
    monkeypatch.setattr(workers.subprocess, "Popen", never)
    features, module = small(workshop)
    assert list(features.prepare({PLAY: module.play}, never)) == [PLAY]  # pyright: ignore[reportArgumentType]
    assert workshop.compiled == ["parts.add"] * 2
    assert features.compiled == 0
    features, module = small(workshop)
    assert list(features.prepare({PLAY: module.play}, never)) == [PLAY]  # pyright: ignore[reportArgumentType]
    assert workshop.compiled == []


def test_features_are_ready_when_everything_was_compiled(workshop: Workshop) -> None:
    """Features are ready after their preparation, for the next process too, until a kernel or the list changes."""
    features, module = small(workshop)
    assert not features.ready([PLAY])
    list(features.prepare({PLAY: module.play}, go_on))
    assert features.ready([PLAY])
    assert small(workshop)[0].ready([PLAY])
    assert not small(workshop, ADD.format(2))[0].ready([PLAY])
    later = small(workshop)[0]
    assert later.ready([PLAY])
    with (workshop.folder / rish_jit.LIST_FILE).open("a") as file:
        file.write("parts.add | (f4,) | play\n")
    assert not later.ready([PLAY])


def test_a_stopped_preparation_is_not_ready(employ: Employ, tmp_path: Path) -> None:
    """If `watch` stopped the preparation, or workers left kernels out, the features are not ready."""
    listed(tmp_path / "own", MANY)
    employ(Records())
    folders = {"own": tmp_path / "own"}
    assert list(Features(folders).prepare({PLAY: never}, lambda *_: False)) == []
    assert not Features(folders).ready([PLAY])
    assert list(Features(folders).prepare({PLAY: lambda: None}, go_on)) == [PLAY]
    assert not Features(folders).ready([PLAY])


def test_what_was_not_compiled_is_not_ready(workshop: Workshop) -> None:
    """If a feature fails before its kernels were compiled, it is not ready the next time."""
    features, _ = small(workshop)

    def fail() -> None:
        raise KeyError("lost")

    with pytest.raises(KeyError):
        list(features.prepare({PLAY: fail}, go_on))
    assert not Features({"own": workshop.folder}).ready([PLAY])


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission")
def test_links_to_nothing_beside_the_sources_do_no_harm(workshop: Workshop) -> None:
    """A source folder may hold links to files that do not exist, such as the lock files of an editor."""
    features, module = small(workshop)
    (workshop.folder / ".#parts.py").symlink_to("user@machine.1234")
    assert list(features.prepare({PLAY: module.play}, go_on)) == [PLAY]
    assert features.ready([PLAY])


# Beside the game


def wait_for(true: Callable[[], bool]) -> bool:
    """Wait up to a minute until something is true; return whether it is."""
    end = time.monotonic() + 60
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


def test_the_rest_of_the_lists_compiles_in_the_background(employ: Employ, tmp_path: Path) -> None:
    """`compile_others` looks up few kernels in a step; what the lists name for used features is compiled, each once."""
    entries = listed(tmp_path / "own", 3)
    rish_jit.write_list(
        tmp_path / "own" / rish_jit.LIST_FILE, [*entries[:2], Listed(entries[2].kernel, entries[2].types, ("other",))]
    )
    records = Records(pause=lambda: 0.01)
    employ(records)
    features = Features({"own": tmp_path / "own"})
    for _ in range(2):
        assert len(list(features.compile_others(lambda name: name == "play"))) <= 1
    assert wait_for(lambda: sum(records.begun().values()) == 3)
    features.close()
    assert records.begun() == {"load": 1, **{name_of(each.kernel): 1 for each in entries[:2]}}


def test_a_scene_that_needs_kernels_ends_the_background(employ: Employ, tmp_path: Path) -> None:
    """If a scene lacks kernels, the processes in the background end before those of the scene begin."""
    listed(tmp_path / "own", MANY)
    records = Records(pause=lambda: 0.01)
    employ(records)
    features = Features({"own": tmp_path / "own"})
    list(features.compile_others(lambda _: True))
    assert list(features.prepare({PLAY: lambda: None}, go_on)) == [PLAY]
    first = [name for what, name in records.events if what == "begin"]
    last = len(first) - 1 - first[::-1].index("load") if "load" in first[1:] else 0
    assert features.compiled == MANY
    assert len(first) - last >= MANY


@pytest.mark.slow
def test_an_unforeseen_kernel_compiles_in_another_process(workshop: Workshop, caplog: pytest.LogCaptureFixture) -> None:
    """A kernel that is called and not in the cache is compiled elsewhere: a small call runs as plain Python meanwhile.

    For a large one this process waits and stays awake. Then the machine code is loaded.
    """
    module = workshop.start(ADD.format(1))
    awake: list[str] = []
    features = Features({})
    features.compile_elsewhere(lambda: awake.append(threading.current_thread().name))
    gc.disable()  # a call during which garbage is collected may count as slow, and slow calls wait
    try:
        with caplog.at_level(logging.INFO, "rish.jit"):
            assert [module.add(1.5), module.add(1.5)] == [2.5, 2.5]
            assert (module.add.compiled, awake) == (False, [])
            assert module.add(10_000) == 10_001
        assert set(awake) == {threading.current_thread().name}
        assert wait_for(lambda: module.add(1.5) == 2.5 and len(module.add.loaded_types) == 2)
        assert workshop.compiled == []
        assert [caplog.text.count(f"parts.add({kind},) compiles in the middle") for kind in ("i8", "f8")] == [1, 1]
        assert "record-kernels" in caplog.text
        assert len(features._called._workers._threads) <= max(1, rish_jit.cores() - 1)  # pyright: ignore
    finally:
        gc.enable()
        features.close()
    assert workshop.start(ADD.format(2)).add(1) == 3
    assert workshop.compiled == ["parts.add"]


def test_an_unforeseen_kernel_compiles_together_with_its_feature(
    employ: Employ, workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If lists name a kernel that is called, it compiles before all other kernels of its smallest feature.

    `on_wait` tells how many of these are done, until the called kernel is.
    """
    module = workshop.start(CHAIN)
    names = ["add", "step_0", "step_1", "step_2", "step_3"]
    entries = [Listed(f"parts.{name}", "(i8,)", ("all", *(["few"] if name in names[:3] else []))) for name in names]
    monkeypatch.setattr(workers, "PATIENCE", 0.001)
    (tmp_path / "own").mkdir()
    rish_jit.write_list(tmp_path / "own" / rish_jit.LIST_FILE, entries)
    records, told = Records(pause=lambda: 0.01), list[tuple[str, int, int]]()
    employ(records)
    features, stop = Features({"own": tmp_path / "own"}), rish_jit.on_wait(lambda *given: told.append(given))
    features.compile_elsewhere(lambda: None)
    try:
        with compiled_calls():
            assert module.add(1) == 2
        assert wait_for(lambda: {name for what, name in records.events if what == "end"} >= set(names[:3]))
    finally:
        stop()
        features.close()
    assert next(name for name in records.begun() if name != "load") == "add"
    assert set(records.begun()) - {"load"} == set(names[:3])
    assert {(name, total) for name, _, total in told} == {("parts.add", 3)}


def test_what_another_process_cannot_compile_compiles_here(workshop: Workshop) -> None:
    """If the other process dies, or can't import the kernel, this process compiles it."""
    module = workshop.start(f"import os\nif os.getpid() != {os.getpid()}:\n    os._exit(1)\n" + ADD.format(1))
    features = Features({})
    features.compile_elsewhere(lambda: None)
    try:
        with compiled_calls():
            assert module.add(1) == 2
        module = workshop.start(ADD.format(1), "lost")
        (workshop.folder / "lost.py").unlink()
        with compiled_calls():
            assert module.add(1.5) == 2.5
        assert workshop.compiled == ["lost.add"]
    finally:
        features.close()


# In new processes

MODULE = "from rish_jit import njit\n" + "".join(f"@njit\ndef k{i}(x):\n    return x + {i}\n" for i in range(MANY))
PREPARE = """
import json, pathlib, sys
import rish_jit
import plays
features = rish_jit.Features({"own": pathlib.Path(plays.__file__).parent})
seen, results = [], []
before = features.ready([("own", "play")])
loaded = "numba" in sys.modules
def play():
    results.append((plays.k2(1), rish_jit.compilations, len(seen)))
def watch(done, total):
    seen.append((done, total))
    return True
names = list(features.prepare({("own", "play"): play}, watch))
after = rish_jit.Features(features.folders).ready([("own", "play")])
print(json.dumps([results, seen, features.compiled, before, loaded, after]))
"""


def prepare(folder: Path, **environment: str) -> list[Any]:
    """Prepare the feature of the module in a new process; return what it printed."""
    return json.loads(run(PREPARE, folder, imports=True, RISH_CACHE_DIR=str(folder / "cache"), **environment))


@pytest.fixture
def plays(tmp_path: Path) -> Path:
    """Write a module with kernels and its list into a folder."""
    write(tmp_path / "plays.py", MODULE)
    rish_jit.write_list(tmp_path / rish_jit.LIST_FILE, [Listed(f"plays.k{i}", "(i8,)", ("play",)) for i in range(MANY)])
    return tmp_path


@pytest.mark.slow
@needs_numba
def test_missing_kernels_are_compiled_by_other_processes(plays: Path) -> None:
    """Worker processes compile all missing kernels before the calls; the next process asks without numba, and loads."""
    results, seen, compiled, before, loaded, after = prepare(plays)
    assert results == [[3, 0, len(seen)]]
    assert seen == sorted(seen)
    assert (seen[0], seen[-1], compiled) == ([0, MANY], [MANY, MANY], MANY)
    assert (before, loaded, after) == (False, False, True)
    assert prepare(plays) == [[[3, 0, 0]], [], 0, True, False, True]


def test_without_jit_features_are_called_as_plain_python(plays: Path) -> None:
    """With RISH_NO_JIT nothing is compiled or waited for: features are ready, and are called."""
    assert prepare(plays, RISH_NO_JIT="1") == [[[3, 0, 0]], [], 0, True, False, True]


@needs_numba
def test_a_run_without_jit_says_nothing_about_the_next(plays: Path) -> None:
    """After a run with RISH_NO_JIT a process that compiles knows that its kernels are not ready."""
    prepare(plays, RISH_NO_JIT="1")
    ready = """
    import plays, pathlib
    import rish_jit
    print(rish_jit.Features({"own": pathlib.Path(plays.__file__).parent}).ready([("own", "play")]))
    """
    assert run(ready, plays, RISH_CACHE_DIR=str(plays / "cache")) == "False"


NO_NUMBA = """
import importlib.metadata, sys
sys.modules["numba"] = None
found = importlib.metadata.version
def version(name):
    if name in ("numba", "llvmlite"):
        raise importlib.metadata.PackageNotFoundError(name)
    return found(name)
importlib.metadata.version = version
"""


def test_without_numba_features_are_called_as_plain_python(plays: Path) -> None:
    """On a machine without numba features are called, as plain Python."""
    results = run(NO_NUMBA + PREPARE, plays, imports=True, RISH_CACHE_DIR=str(plays / "cache"))
    assert json.loads(results)[0] == [[3, 0, 0]]
