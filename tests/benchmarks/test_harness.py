"""The benchmarks' harness: its form, its fairness, and that nothing is left out without a report."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import __main__ as command
from benchmarks import _clocks, _report, _task, _worker, harness

from fresh_python import run_python
from long_runs import LONG

ROOT = Path(__file__).resolve().parents[2]
FAST = harness.Plan(rounds=4, round_seconds=0.001, min_rounds=3)
FAST_QUICK = harness.Plan(quick=True, rounds=3, round_seconds=0.001, min_rounds=3)

TOY = """
import time
from benchmarks._task import Task
from benchmarks.harness import Case

def spin(seconds):
    def run():
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
    return lambda: Task(run)

one, two, four = spin(0.001), spin(0.002), spin(0.004)

def missing():
    import no_such_peer_anywhere

def broken():
    raise ValueError("it broke")

def dying():
    import os
    return Task(lambda: os._exit(7))

def noisy():
    print("a peer's greeting")
    return Task(lambda: print("chatter"))

def case(name, unit="ms", limits={}, limit=None, work=0.0, **engines):
    places = {engine: "toy_benchmark:" + function for engine, function in engines.items()}
    return Case(name, unit, places, limits, limit, work)

CASES = [
    case("race", rish="one", twin="two", absent="missing", idle="four", limits={"twin": 1.5, "absent": 1.0}),
    case("capped", rish="two", limit=10),
    case("speed", "×", rish="two", limit=100, work=1.0),
    case("ours_broken", rish="broken", twin="one", limits={"twin": 1}),
    case("theirs_dies", rish="one", dying="dying"),
    case("noisy", "µs", rish="noisy"),
]
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory):
    """A benchmark of six small cases that this process and the workers can import."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "toy_benchmark.py").write_text(TOY, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
        patch.syspath_prepend(str(folder))
        yield "toy_benchmark"


@pytest.fixture(scope="module")
def results(toy: str) -> harness.Results:
    """A full run of the toy benchmark."""
    return harness.run_benchmark(toy, FAST)


@pytest.mark.slow
def test_a_ratio_is_ours_divided_by_theirs(results: harness.Results):
    """A task with half the time of a peer has a ratio of about one half, whatever the load of the machine."""
    assert results.ratios["race:twin"] == pytest.approx(0.5, rel=0.3)
    assert results.met("race:twin") is True


def test_an_absolute_limit_is_a_ratio_as_well(results: harness.Results):
    """The ratio to a limit is below 1 if the limit is kept, for times and for speeds."""
    assert results.ratios["capped:limit"] == pytest.approx(0.2, rel=0.3)
    assert results.ratios["speed:limit"] == pytest.approx(0.2, rel=0.3)
    speed = next(row for row in results.rows if row.case == "speed")
    assert speed.value == pytest.approx(500, rel=0.3)
    assert speed.low <= speed.value <= speed.high


def test_an_absent_peer_is_reported_and_keeps_its_keys(results: harness.Results):
    """A peer that can't be imported has null ratios and a reason."""
    assert results.absent == {"absent": "no_such_peer_anywhere is not installed"}
    assert results.ratios["race:absent"] is None
    assert results.met("race:absent") is None


def test_a_failing_engine_is_named_and_the_others_go_on(results: harness.Results):
    """An exception or a dying process fails one engine and not the benchmark."""
    assert results.failed["ours_broken:rish"] == "ValueError: it broke"
    assert "ended with code 7" in results.failed["theirs_dies:dying"]
    assert results.ratios["ours_broken:twin"] is None
    measured = {(row.case, row.engine) for row in results.rows}
    assert {("ours_broken", "twin"), ("theirs_dies", "rish"), ("noisy", "rish")} <= measured


def test_quick_keys_are_a_fixed_subset(toy: str, results: harness.Results):
    """A quick run has the keys that have a limit, and no others."""
    quick = harness.run_benchmark(toy, FAST_QUICK)
    limited = {key for key, limit in results.limits.items() if limit is not None}
    assert set(quick.ratios) == limited
    assert set(quick.ratios) < set(results.ratios)


def test_engines_take_turns_in_an_order_that_turns_round(monkeypatch: pytest.MonkeyPatch, toy: str):
    """The engines run in the order A B, B A, A B, so that none always runs first."""
    asked: list[str] = []
    ask = _worker.Worker.ask

    def listen(self: _worker.Worker, **order: object) -> dict[str, object]:
        if order["do"] == "round":
            asked.append(self.engine)
        return ask(self, **order)

    monkeypatch.setattr(_worker.Worker, "ask", listen)
    harness.run_benchmark(toy, FAST_QUICK, only=["race"])
    assert asked == ["rish", "twin", "twin", "rish", "rish", "twin"]


def test_json_has_the_form_and_no_traces_of_the_machine(results: harness.Results):
    """The JSON has the keys that readers rely on, and no host name and no paths."""
    form = _report.as_json(results)
    text = json.dumps(form)
    assert {"machine", "rows", "ratios", "limits", "absent", "failed"} <= set(form)
    assert {"cpu", "cores", "python", "numpy", "numba", "load"} <= set(form["machine"])
    assert {"case", "engine", "value", "unit"} <= set(form["rows"][0])
    assert str(ROOT) not in text
    assert os.uname().nodename not in text


def test_messages_lose_the_folders_of_this_machine():
    """The folders of the machine are removed from messages of failures, since these are published."""
    assert _worker.hide_paths(f"no file {ROOT}/games") == "no file ./games"


def test_the_table_shows_what_came_out(results: harness.Results, capsys: pytest.CaptureFixture[str]):
    """The table shows limits that were met and missed, absent engines and failures."""
    _report.print_results(results)
    shown = capsys.readouterr().out
    for word in ("race", "twin", "met", "absent: absent", "failed: ours_broken:rish", "limits met"):
        assert word in shown


def test_the_table_for_documents_has_a_line_a_ratio(results: harness.Results):
    """The table has every ratio, and every case without one."""
    table = _report.as_markdown(results)
    assert "| `race` |" in table
    assert "| ≤ 1.5 |" in table
    assert "| `noisy` |" in table
    assert len(table.splitlines()) == 2 + len(results.ratios) + 1


def test_a_task_that_gets_ready_is_timed_without_that():
    """`before` runs before each run and is not measured."""
    log: list[str] = []
    clock = iter(range(100))
    _worker.CLOCKS["steps"] = lambda: float(next(clock))
    task = _task.Task(lambda: log.append("run"), lambda: log.append("before"), clock="steps")
    assert _worker.measure(task, 2) == 1.0
    assert log == ["before", "run"] * 2
    del _worker.CLOCKS["steps"]


def test_a_plan_keeps_to_its_time():
    """A case ends after its time and its minimum of rounds; late in a benchmark one round is enough."""
    plan = harness.Plan(rounds=9, case_seconds=2, min_rounds=3, seconds=20)
    assert not plan.enough(5, case_seconds=1, seconds=10)
    assert not plan.enough(2, case_seconds=5, seconds=10)
    assert plan.enough(3, case_seconds=5, seconds=10)
    assert plan.enough(1, case_seconds=5, seconds=30)


def test_calibration_fills_a_round():
    """A short task is called many times per round, a long one once."""
    assert _worker.calibrate(_task.Task(lambda: None), 0.005) > 1000
    assert _worker.calibrate(_task.Task(lambda: __import__("time").sleep(0.25)), 0.005) == 1


def test_a_figure_that_is_no_time_counts_as_given():
    """A reported figure has its own unit, is averaged over the runs and compared with its limit."""
    case = harness.Case("sag", "mm", {"rish": "nowhere:none"}, limit=2)
    told = _task.Task(lambda: _clocks.tell(0.003), clock="told", once=True)
    assert _worker.measure(told, 4) == pytest.approx(0.003)
    assert case.value(0.003) == pytest.approx(3)
    assert 0.003 / case.allowed() == pytest.approx(1.5)


@pytest.mark.parametrize("name", command.names())
def test_every_benchmark_has_cases_of_the_form(name: str):
    """Case names are unique, Rish takes part in each case, and every peer with a limit exists."""
    cases = harness.load_cases(f"benchmarks.{name}")
    assert len({case.name for case in cases}) == len(cases)
    for case in cases:
        assert harness.OURS in case.engines
        assert set(case.limits) <= set(case.engines)
        assert case.unit in (*harness.PER_BASE, "×")
        assert set(case.keys(quick=True)) <= set(case.keys(quick=False))


_LOOK = """
import importlib, sys
for place in sys.argv[1:]:
    module, _, function = place.partition(":")
    try:
        assert callable(getattr(importlib.import_module(f"benchmarks.{module}"), function)), place
    except ModuleNotFoundError:
        pass
"""


@pytest.mark.slow
def test_every_engine_is_a_function_of_its_module():
    """Each engine names an existing function, if its module can be imported here.

    Each engine is checked in a process of its own, as in a benchmark: Box2D 2 and 3 can't be loaded into one process.
    Modules of peers are imported in long runs only.
    """
    places: dict[str, set[str]] = {}
    for name in command.names():
        for case in harness.load_cases(f"benchmarks.{name}"):
            for engine, place in case.engines.items():
                assert importlib.util.find_spec(f"benchmarks.{place.partition(':')[0]}") is not None, place
                places.setdefault(engine, set()).add(place)
    for engine, some in places.items() if LONG else [(harness.OURS, places[harness.OURS])]:
        done = run_python("-c", _LOOK, *sorted(some), cwd=ROOT)
        assert done.returncode == 0, f"{engine}: {done.stderr}"


def test_the_generated_manifest_has_its_lines():
    """`check_12000` checks twelve thousand lines that parse."""
    from benchmarks import _start_commands

    text = _start_commands.big_manifest(_start_commands.LINES)
    assert len(text.splitlines()) == _start_commands.LINES


def test_an_unknown_benchmark_is_refused_with_the_choices(capsys: pytest.CaptureFixture[str]):
    """An unknown benchmark gives exit code 2 and the nearest name."""
    with pytest.raises(SystemExit) as ended:
        command.main(["esc"])
    assert ended.value.code == 2
    assert "did you mean 'ecs'" in capsys.readouterr().err
    assert command.main(["ecs", "--only", "mvoe"]) == 2


def test_the_command_runs_as_a_module():
    """`python -m benchmarks` lists the names without measuring anything."""
    command_line = [sys.executable, "-m", "benchmarks", "--help"]
    done = subprocess.run(command_line, cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"one of: {', '.join(command.names())}" in " ".join(done.stdout.split())
