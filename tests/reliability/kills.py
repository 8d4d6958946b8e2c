"""Killed processes: what is on the disk is the old state or the new one."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rish_system import write_whole

from .registry import Try, check

_WRITE = """import sys
from pathlib import Path
from rish_ecs.snapshots import write_whole
path, number = Path(sys.argv[1]), 0
print("begins", flush=True)
while True:
    number += 1
    write_whole(path, str(number).encode() * 20_000)
"""


@check("killed-writers", quick=20, whole=2_000)
def killed_writers() -> Iterator[Try]:
    """A file that a killed process was writing is whole: one of the states that the process has written."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state"

        def attempt(chance: random.Random) -> None:
            write_whole(path, b"0" * 20_000)
            process = subprocess.Popen([sys.executable, "-c", _WRITE, str(path)], stdout=subprocess.PIPE)
            assert process.stdout is not None
            with process.stdout as lines:
                lines.readline()
                time.sleep(chance.random() * 0.05)
                process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
                process.wait()
            content = path.read_bytes()
            number = content[: len(content) // 20_000]
            assert content == number * 20_000
            assert number.isdigit()

        yield attempt
