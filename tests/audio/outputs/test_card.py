"""The output to a sound card, tested on miniaudio's device that plays nothing in real time."""

from __future__ import annotations

import gc
import logging
import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rish_jit
from long_runs import LONG, only_long
from rish_audio.components import block
from rish_audio.components.block import Block
from rish_audio.mixer.live import LiveMixer
from rish_audio.mixer.mixing import Mixer
from rish_audio.outputs.card import CardOutput
from rish_audio.outputs.device import TYPES
from rish_audio.outputs.stderr_filter import quiet_libraries

from .standin import CALLS, FRAMES, Recorder, StandIn, deliver, deliver_and_record

RATE = 44_100
BLOCK = Block.empty(1, 2, 1)
BLOCK.head[block.FRAMES] = 735
TABLE = np.zeros((0, block.CLIP_COLUMNS), np.int64)
SAMPLES = np.sin(np.arange(16_000) / 9).astype(np.float32)
CLIPS = np.zeros((1, block.CLIP_COLUMNS), np.int64)
CLIPS[0, : block.LENGTH + 1] = SAMPLES.ctypes.data, 1, len(SAMPLES), 0, len(SAMPLES), len(SAMPLES)
PATIENCE = 60
"""Seconds after which a device that does nothing counts as broken, on the slowest machine."""
COUNTED = ("late", "held", "skipped", "refused", "dropped", "lost")
needs_numba = pytest.mark.skipif(not rish_jit.available(), reason="needs numba")
by_fork = hasattr(os, "fork") and not LONG
"""Whether one process stands for all that end while a device plays: its copies end in each way."""


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    """Compile what devices call, because a process that does so in the background may get no time for it."""
    for kernel in (deliver, deliver_and_record):
        rish_jit.function_pointer(kernel, TYPES)


def started(live: Any, **options: Any) -> CardOutput:
    """Begin to open a device that plays nothing."""
    return CardOutput(live, rate=RATE, **{"deliver": deliver, "channels": 2, "backend": "null"} | options)


def opened(live: Any, **options: Any) -> CardOutput:
    """Open the device that plays nothing, and wait until it has asked for samples."""
    output = started(live, **options)
    assert output.wait(PATIENCE)
    end = time.monotonic() + PATIENCE
    while not live.control[CALLS] and time.monotonic() < end:
        time.sleep(0.001)
    assert live.control[CALLS] > 0
    return output


def calls_while_the_lock_is_held(live: StandIn, wanted: int) -> int:
    """Hold Python's lock and never release it until the device has called often enough; return how often it has."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(2 * PATIENCE)  # no other thread may have the lock within this time
    try:
        begin, end = int(live.control[CALLS]), time.perf_counter() + PATIENCE
        while live.control[CALLS] < begin + wanted and time.perf_counter() < end:
            pass
        return int(live.control[CALLS]) - begin
    finally:
        sys.setswitchinterval(before)


def tone() -> list[Block]:
    """Return twenty blocks that play the clip of row 0 and its end, a little faster in each block."""
    found: list[Block] = []
    at = 0.0
    for k in range(20):
        made = Block.empty(2, 2, 1)
        made.head[[block.FRAMES, block.SEQUENCE]] = 735, k
        made.whole[0, [block.SERIAL, block.CLIP, block.SEND]] = 7, 0, -1
        made.real[0, [block.POSITION, block.RATE_BEGIN, block.RATE_END, block.CUTOFF]] = at, 1 + k / 50, 1 + k / 50, 0.5
        made.gains[0, 0] = 0.5, 0.25
        made.buses[0, [block.PARENT, block.GAIN, block.DUCK_BY]] = -1, 1, -1
        at += 735 * (1 + k / 50)
        found.append(made)
    return found


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize("mixes", [False, True])
def test_a_device_never_waits_for_python(mixes: bool) -> None:
    """While a thread holds Python's lock and never releases it, the device goes on getting samples, two times."""
    live = Recorder(LiveMixer(RATE, 2, 2, 1)) if mixes else StandIn()
    output = opened(live, deliver=deliver_and_record if mixes else deliver)
    for _ in range(2):
        for each in tone():
            output.push(each, CLIPS)
        assert calls_while_the_lock_is_held(live, 20) >= 20
    output.close()
    assert live.frames == int(live.control[CALLS]) * 441


@needs_numba
@pytest.mark.slow
def test_a_device_gets_the_samples_of_the_offline_mixer() -> None:
    """What a device gets from the live mixer is equal to the bit to what is mixed in memory."""
    blocks, live = tone(), LiveMixer(RATE, 2, 2, 1)
    for each in blocks:
        assert live.push(each, CLIPS)
    recorder = Recorder(live)
    output = opened(recorder, deliver=deliver_and_record)
    end = time.monotonic() + PATIENCE
    while recorder.control[FRAMES] < 20 * 735 and time.monotonic() < end:
        time.sleep(0.01)
    output.close()
    mixer = Mixer(RATE, 2, 2, 1)
    expected = np.concatenate([mixer.mix(each, CLIPS) for each in blocks])
    assert np.abs(expected).max() > 0.2
    assert recorder.samples[: len(expected)].tobytes() == expected.tobytes()
    assert live.frames >= len(expected)


@pytest.mark.slow
@needs_numba
def test_a_device_calls_until_it_is_closed() -> None:
    """A device asks for samples in periods, and after `close` no more; it can be closed twice."""
    live = StandIn()
    output = opened(live)
    assert output.is_open
    output.push(BLOCK, TABLE)
    assert output.latency == pytest.approx(0.02 + 735 / RATE)
    assert live.pushed == [BLOCK]
    time.sleep(0.05)
    output.close()
    calls = int(live.control[CALLS])
    assert output.counters == {"frames": calls * 441, **dict.fromkeys(COUNTED, 0)}
    time.sleep(0.05)
    output.close()
    assert live.control[CALLS] == calls
    assert output.latency == 0


@pytest.mark.slow
@pytest.mark.parametrize("channels", [1, 2, 6, 8])
def test_every_number_of_channels(channels: int) -> None:
    """A device opens with one to eight channels."""
    opened(StandIn(channels), channels=channels).close()


@pytest.mark.slow
@needs_numba
def test_an_output_that_is_dropped_stops_its_device() -> None:
    """An output without references stops its device before its arrays are freed."""
    live = StandIn()
    output = opened(live)
    del output
    gc.collect()
    calls = int(live.control[CALLS])
    time.sleep(0.03)
    assert live.control[CALLS] == calls


def test_what_begins_before_the_device_is_open_is_heard_from_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first blocks wait until the device is open, about a tenth of a second; then later ones are refused."""
    may_open = threading.Event()
    device = SimpleNamespace(name="late", backend="test", latency=0.02, running=True, close=lambda: None)

    def open_late(*_: Any, **__: Any) -> Any:
        may_open.wait(PATIENCE)
        return device

    monkeypatch.setattr("rish_audio.outputs.card._open", open_late)
    blocks, live = tone(), LiveMixer(RATE, 2, 2, 1, latency=2)
    output = CardOutput(live, rate=RATE, channels=2)
    for each in blocks[:3]:
        output.push(each, TABLE)
    assert not output.is_open
    assert (live.pending, output.counters["dropped"], output.counters["refused"]) == (3 * 735, 0, 0)
    for each in blocks[3:]:
        output.push(each, TABLE)
    waiting = live.pending
    assert 4 * 735 <= waiting <= RATE / 5
    assert output.counters["refused"] > 0
    may_open.set()
    assert output.wait(PATIENCE)
    assert live.pending == waiting
    output.close()


@pytest.mark.slow
def test_a_lost_device_is_reported_once_and_opened_again(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device that stops is reported by one warning; blocks are dropped until another device is open."""
    monkeypatch.setattr("rish_audio.outputs.card.RETRY_SECONDS", 0.01)
    live = StandIn()
    output = opened(live)
    device: Any = output._opener.device
    with caplog.at_level(logging.WARNING, "rish.plugins.audio"):
        device._library.lib.ma_device_stop(device._device)
        for _ in range(3):
            output.push(BLOCK, TABLE)
        assert output.wait(PATIENCE)
        output.push(BLOCK, TABLE)
    assert [record.message for record in caplog.records] == [
        "the default device plays no more, so the game is silent until there is a sound device again"
    ]
    assert output.counters["lost"] == 1
    assert output.counters["dropped"] + len(live.pushed) == 4
    assert live.pushed
    output.close()


@pytest.mark.slow
def test_a_device_is_found_by_a_part_of_its_name(caplog: pytest.LogCaptureFixture) -> None:
    """A part of the name chooses a device, in any case; a wrong name is reported with those that there are."""
    opened(StandIn(), device="null play").close()
    with caplog.at_level(logging.WARNING, "rish.plugins.audio"):
        output = started(StandIn(), device="nonesuch")
        assert not output.wait(PATIENCE)
    assert not output.listens
    assert "no sound device is called 'nonesuch'" in caplog.text
    assert "NULL Playback Device" in caplog.text
    output.close()


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new process that has the log of the command line, and this folder as the package `outputs`."""
    head = """
    import logging, time
    import numpy as np
    from rish_cli.log import set_up_log
    from outputs.standin import StandIn
    from outputs.test_card import BLOCK, TABLE, opened, started
    set_up_log()
    """
    tests = Path(__file__).parents[2]
    path = os.pathsep.join([str(tests / "audio"), str(tests / "helpers")])
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=10 * PATIENCE,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="needs a machine that has no sound card")
def test_without_a_card_there_is_one_line_and_silence(tmp_path: Path) -> None:
    """Without a sound card one line is logged, the libraries print nothing, and blocks cost nothing."""
    configuration = tmp_path / "asound.conf"
    configuration.write_text("pcm.!default { type hw card 99 }\n")
    code = """
    output = started(StandIn(), backend="alsa")
    assert not output.wait(60)
    output.push(BLOCK, TABLE)
    print(output.counters["frames"], output.counters["dropped"], output.latency)
    """
    done = run(code, ALSA_CONFIG_PATH=str(configuration), RISH_NO_JIT="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0 1 0.0\n"
    assert done.stderr.startswith("WARNING rish.plugins.audio: there is no sound, because no sound card can be opened")
    assert done.stderr.count("\n") == 1


ENDS = {
    "normal": "",
    "an exception": "raise ValueError('on purpose')",
    "exit in a thread's lifetime": "import sys; sys.exit(3)",
    "while the device opens": "output.close = None; started(StandIn())",
    "killed": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "a copy of the process": """
import os, sys, warnings
warnings.simplefilter("ignore")
if (child := os.fork()) == 0:
    output.close()
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
time.sleep(0.02)
assert output.is_open and output._opener.device.running
""",
}


STATUS = {"an exception": 1, "exit in a thread's lifetime": 3, "killed": -9}
"""The exit status of the ends that is not 0."""
FORKS = """
import os, sys
from outputs.test_card import ENDS, compiled
compiled.__wrapped__()
for number, (name, end) in enumerate(ENDS.items()):
    if (child := os.fork()) == 0:
        os.dup2(os.open(f"{number}.txt", os.O_WRONLY | os.O_CREAT), 2)
        break
    print(f"{name}: {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}", flush=True)
else:
    os._exit(0)
output = opened(StandIn())
exec(end)
"""


@pytest.mark.slow
@pytest.mark.skipif(not by_fork, reason="needs fork; a long run ends a new process in each way")
@only_long
def test_a_copy_of_a_process_ends_while_the_device_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process with an open device ends at once and without a crash, whatever ends it."""
    monkeypatch.chdir(tmp_path)
    done = run(FORKS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name}: {STATUS.get(name, 0)}" for name in ENDS]
    for number, name in enumerate(ENDS):
        said = Path(f"{number}.txt").read_text().splitlines()[-1:]
        assert said == (["ValueError: on purpose"] if name == "an exception" else []), name


@pytest.mark.slow
@pytest.mark.skipif(by_fork, reason="one process that is copied stands for it")
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("plain", ["", pytest.param("1", id="plain")])
def test_a_process_ends_while_the_device_plays(end: str, plain: str) -> None:
    """A process with an open device ends at once and without a crash, whatever ends it, with and without numba."""
    if sys.platform == "win32" and end in ("killed", "a copy of the process"):
        pytest.skip("needs signals and fork")
    done = run("output = opened(StandIn())\n" + ENDS[end], RISH_NO_JIT=plain)
    assert done.returncode == STATUS.get(end, 0), done.stderr
    assert done.stderr.splitlines()[-1:] == (["ValueError: on purpose"] if end == "an exception" else [])


@pytest.mark.skipif(sys.platform != "linux", reason="sound libraries print on Linux")
def test_what_libraries_print_is_logged_and_what_others_print_is_not_lost(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Lines of sound libraries go into the log at DEBUG; other lines of that time stay on the terminal."""
    with caplog.at_level(logging.DEBUG, "rish.plugins.audio"), quiet_libraries():
        os.write(2, b"ALSA lib conf.c:1:(f) no card\nWARNING rish.assets: ours\n")
    said = capfd.readouterr().err.splitlines()  # a command that ran before in this process prints the log there too
    assert [line for line in said if not line.startswith("DEBUG rish.plugins.audio:")] == ["WARNING rish.assets: ours"]
    assert caplog.messages == ["ALSA lib conf.c:1:(f) no card"]
