"""Sweeps: the table, its journal, and what is left after a kill."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from long_runs import only_long
from rish_core import UsageError
from rish_core.launcher import main
from rish_ray import Job, Player, Trial, product, sweep
from rish_ray.journal import Journal, head_of
from rish_ray.table import rows_of, write_table

COLUMNS = ("walker.Transform.position.x",)
SLOW = """
import os
import time

calls = 0


def play(world, player):
    global calls
    calls += 1
    while calls > 90 and not os.path.exists({0!r}):
        time.sleep(0.01)
    return []
"""
"""An autopilot that waits for a file after three worlds of thirty ticks."""


def expected(trial: Trial, jobs: list[Job], to: Path) -> bytes:
    """Return the table of one process."""
    player = Player(trial)
    write_table(to, rows_of(trial, jobs, dict(enumerate(map(player, jobs)))))
    player.close()
    return to.read_bytes()


@pytest.mark.slow
def test_a_killed_sweep_goes_on(walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After kill -9 of the command, `--resume` plays only what is left, and the table is that of one process."""
    to, trial = tmp_path / "t.csv", Trial(str(walk.resolve()), ticks=30, columns=COLUMNS)
    part, autopilot, go = tmp_path / "t.csv.part", tmp_path / "slow.py", tmp_path / "go"
    autopilot.write_text(SLOW.format(str(go)), encoding="utf-8")
    options = ["sweep", str(walk), "--seeds", "6", "--ticks", "30", "--columns", COLUMNS[0], "--to", str(to)]
    options += ["--pool", "local", "--workers", "1", "--autopilot", str(autopilot)]
    command = subprocess.Popen([sys.executable, "-m", "rish_core", *options])
    until = time.monotonic() + 60
    while time.monotonic() < until and not (part.exists() and part.read_bytes().count(b"\n") == 4):
        time.sleep(0.01)
    command.kill()
    command.wait()
    go.touch()
    assert not to.exists()
    kept = part.read_bytes()
    part.write_bytes(kept + b"[39, 1")  # a line that was cut off
    assert main(options) == 2  # an interrupted run is not overwritten
    assert main([*options, "--resume"]) == 0
    assert "6 worlds, 3 of them played now" in capsys.readouterr().out
    assert not part.exists()
    jobs = product(range(6), {}, [str(autopilot)])
    assert to.read_bytes() == expected(trial, jobs, tmp_path / "one.csv")
    assert json.loads(kept.splitlines()[1])[2] in to.read_text(encoding="utf-8")


def test_a_journal_of_something_else_is_refused(walk: Path, tmp_path: Path) -> None:
    """Rows of other ticks are not mixed with those of this run; the difference is named."""
    jobs, to = product(range(2), {}), tmp_path / "t.csv"
    with Journal(to, head_of(Trial(str(walk), ticks=5), jobs), resume=False) as journal:
        journal.add(1, Player(Trial(str(walk), ticks=5))(jobs[1]))
    with pytest.raises(UsageError, match="ticks"):
        sweep(Trial(str(walk), ticks=6), jobs, to, resume=True)
    with Journal(to, head_of(Trial(str(walk), ticks=5), jobs), resume=True) as again:
        assert again.outcomes == journal.outcomes


def test_tables_have_the_forms_that_are_known(walk: Path, tmp_path: Path) -> None:
    """Another suffix, and a folder that does not exist, are refused before anything is played."""
    for name in ("t.xlsx", "nowhere/t.csv"):
        with pytest.raises(UsageError):
            sweep(Trial(str(walk)), product(range(2), {}), tmp_path / name)


def test_values_are_written_for_others_to_read(tmp_path: Path) -> None:
    """In CSV, None is empty, and truth values are lower case."""
    write_table(tmp_path / "t.csv", [{"seed": 1, "a": None, "b": True}, {"seed": 2, "a": 0.1, "b": "x,y"}])
    assert (tmp_path / "t.csv").read_bytes() == b'seed,a,b\n1,,true\n2,0.1,"x,y"\n'


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is not installed")
def test_parquet_has_the_same_values(tmp_path: Path) -> None:
    """Numbers and truth values stay; a column with several types has texts."""
    import pyarrow.parquet

    write_table(tmp_path / "t.parquet", [{"seed": 1, "a": None, "b": True}, {"seed": 2, "a": 0.5, "b": "x"}])
    assert pyarrow.parquet.read_table(tmp_path / "t.parquet").to_pydict() == {
        "seed": [1, 2], "a": [None, 0.5], "b": ["true", "x"],
    }  # fmt: skip


@only_long
@pytest.mark.parametrize("pool", ["local", pytest.param("ray", marks=pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed"))])  # fmt: skip
def test_every_pool_writes_the_same_bytes(walk: Path, tmp_path: Path, pool: str) -> None:
    """One, two and three workers write the table of one process; worlds that raised have their rows."""
    trial = Trial(str(walk), ticks=30, columns=COLUMNS)
    jobs = product(range(7), {"settings.game.stumble": ["20", "1000"]})
    same = expected(trial, jobs, tmp_path / "one.csv")
    assert b"stumbled" in same
    for workers in (1, 2, 3):
        report = sweep(trial, jobs, tmp_path / "t.csv", workers=workers, pool=pool)
        assert (tmp_path / "t.csv").read_bytes() == same
        assert report.failed


def test_a_mistake_leaves_no_file_that_stops_the_next_run(
    walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After an error in an expression the corrected command runs, without `--resume` and without deleting a file."""
    to = tmp_path / "t.csv"
    command = ["sweep", str(walk), "--ticks", "5", "--to", str(to), "--pool", "local", "--workers", "1"]
    assert main([*command, "--until", "nothing > 3"]) == 2
    assert list(tmp_path.glob("t.csv*")) == []
    (tmp_path / "t.csv.part").write_text("{}\n", encoding="utf-8")  # a command that was killed before its first row
    assert main(command) == 0
    assert to.exists()
