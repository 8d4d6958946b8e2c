"""Maliciously built save games: they are rejected in little memory, and never run code."""

from __future__ import annotations

import hashlib
import json
import os
import random
import struct
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest
from history_flock import play

from rish_history import SaveError
from rish_history.saves.saves import FORMAT, MAGIC, parse_save, restore_save, save_bytes

INNER = struct.Struct("<8sIQ16s")


def sealed(snapshot: bytes, head: Any = None) -> bytes:
    """Return a save game of these bytes, with valid digests."""
    listed = json.dumps(head or {"title": "Birds"}).encode()
    body = listed + zlib.compress(snapshot, 6)
    digest = hashlib.blake2b(body, digest_size=16).digest()
    return struct.pack("<8sII16s", MAGIC, FORMAT, len(listed), digest) + body


def resealed(body: bytes, length: int | None = None) -> bytes:
    """Return a snapshot of this body, with a valid digest."""
    digest = hashlib.blake2b(body, digest_size=16).digest()
    return INNER.pack(b"RISHSNAP", 1, len(body) if length is None else length, digest) + body


@pytest.mark.slow
@pytest.mark.parametrize(
    "snapshot",
    [
        bytes(200 << 20),
        resealed(bytes(200 << 20), length=1000),
        resealed(bytes(1000), length=1 << 40),
    ],
    ids=["no snapshot", "more than it says", "says too much"],
)
def test_what_unpacks_to_a_lot_is_refused_before_it_is_unpacked(snapshot: bytes) -> None:
    """A save that unpacks to more than it should is rejected in about the memory of the packed file."""
    data = sealed(snapshot)
    del snapshot
    tracemalloc.start()
    try:
        with pytest.raises(SaveError):
            parse_save(data)
        assert tracemalloc.get_traced_memory()[1] < len(data) + (4 << 20)
    finally:
        tracemalloc.stop()


def test_changed_bytes_under_new_seals_are_refused_or_play(birds: Any) -> None:
    """Of 400 damaged snapshots with valid digests, each is loaded, or rejected with a short message and no change."""
    app = birds()
    play(app, 30)
    inner = zlib.decompress(save_bytes(app)[INNER.size - 4 + struct.unpack_from("<I", save_bytes(app), 12)[0] :])
    body = inner[INNER.size :]
    header = 8 + struct.unpack_from("<Q", body)[0]
    taken, refused = 0, []
    for seed in range(400):
        chance = random.Random(seed)
        changed = bytearray(body)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(8, header) if chance.random() < 0.7 else chance.randrange(len(changed))
            kind = chance.randrange(4)
            if kind == 0:
                changed[at] ^= 1 << chance.randrange(8)
            elif kind == 1:
                del changed[at : at + chance.randint(1, 9)]
            elif kind == 2:
                changed[at:at] = chance.choice(
                    [b"null", b"[]", b"{}", b"-1", b"1e999", b'"x"', b"99999999999999999999"]
                )
            else:
                changed[at : at + 1] = chance.choice([b"0", b"9", b"-", b",", b":", b"]", b"}", b'"'])
        before = app.world.hash()
        try:
            restore_save(app, parse_save(sealed(resealed(bytes(changed)))))
            taken += 1
            app.tick()
        except SaveError as error:
            refused.append((len(str(error)) < 2000, app.world.hash() == before))
    assert taken > 5
    assert len(refused) > 100
    assert all(short and unchanged for short, unchanged in refused)


LOAD = """
import sys
from pathlib import Path
from rish_core import App, read_manifest
from rish_history import Saves
app = App(read_manifest(Path(sys.argv[1])), headless=True, more=["history"])
save = Path(sys.argv[2])
app.frame()
app.world[Saves].save(save)
app.world[Saves].load(save)
seen = []
watched = ("compile", "exec", "import", "marshal.loads", "pickle.find_class", "os.system", "subprocess.Popen",
           "socket.connect", "ctypes.dlopen", "open")
sys.addaudithook(lambda event, given: seen.append((event, str(given[0]))) if event in watched else None)
app.world[Saves].load(save)
print(seen)
"""


@pytest.mark.slow
def test_loading_a_save_runs_no_code_and_opens_no_other_file(tmp_path: Path) -> None:
    """Loading a save only opens its file: an audit hook reports nothing compiled, executed, imported or started."""
    game = Path(__file__).parents[3] / "games" / "breakout"
    save = tmp_path / "a.save"
    command = [sys.executable, "-c", LOAD, str(game), str(save)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "RISH_NO_JIT": "1"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str([("open", str(save))])
