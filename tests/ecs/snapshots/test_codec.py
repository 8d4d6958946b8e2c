"""Snapshots as bytes: everything is restored, and invalid bytes are refused."""

from __future__ import annotations

import dataclasses
import hashlib
import random
import struct
import tracemalloc
from enum import Enum, IntEnum, StrEnum
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_ecs.declarations.columns import Chars, Entity, Str, Vec2
from rish_ecs.declarations.component import component, event, field
from rish_ecs.declarations.resource import resource
from rish_ecs.snapshots.codec import MAGIC, decode_snapshot, plain_classes
from rish_ecs.snapshots.snapshot import Snapshot
from rish_ecs.world import World
from rish_jit.errors import SnapshotError

_HEAD = struct.Struct("<8sIQ16s")


class Tint(Enum):
    """Two colors."""

    RED = "r"
    BLUE = "b"


class Rank(IntEnum):
    """An enum of numbers."""

    LOW = 1
    HIGH = 2


class Word(StrEnum):
    """An enum of texts."""

    YES = "yes"


class Pair(NamedTuple):
    """A pair with names."""

    a: int
    b: Tint


@dataclasses.dataclass(frozen=True)
class TableState:
    """A dataclass that has the name of one of the kernel's own."""

    tint: Tint
    inner: list[TableState] = dataclasses.field(default_factory=list)


@resource
class Holder:
    """A resource that holds any plain value."""

    value: Any = None
    states: list[TableState] = dataclasses.field(default_factory=list)
    tints: dict[Tint, Rank] = dataclasses.field(default_factory=dict)
    pair: Pair | None = None
    word: Word = Word.YES


@component
class Body:
    """A component with many types of fields."""

    mass: float = 1.0
    at: Vec2 = field((0, 0))
    tint: Tint = Tint.RED
    name: Str = "x"
    note: Chars = "é"
    words: list[Str] = field(("a",))
    target: Entity = 0


@event
class Hit:
    """Two entities collided."""

    name: Str = ""
    label: Chars = ""


def _world(value: Any = None) -> World:
    world = World([Body, Hit], seed=4)
    world.put(Holder(value=value))
    return world


def _full() -> World:
    world = _world({"a": [1, 2.5, None, b"\0\1", (1, "x")], "b": np.arange(5)})
    world[Holder].states.append(TableState(Tint.BLUE))
    world.spawn_many(20, Body(mass=np.arange(20)))
    world.despawn(world.query(Body).entities[3:9])
    world.spawn(Body(name="héllo", words=["p", "q"], note="日本"))
    world.running = "reader"
    world.emit(Hit, name="n", label="l")
    world.events(Hit)
    world.added(Body)
    world.removed(Body)
    world.despawn(world.query(Body).entities[:2])
    world.running = ""
    world.random("dice").uniform(size=3)
    return world


_VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(10**40), 10**40), st.floats(), st.text(), st.binary(),
        st.sampled_from([Tint.RED, Rank.HIGH, Word.YES]),
        st.builds(lambda n, dtype: np.arange(n).astype(dtype), st.integers(0, 5), st.sampled_from(["b1", "i2", "f4"])),
        st.builds(np.zeros, st.tuples(st.integers(0, 3), st.integers(0, 3))),
        st.builds(np.bool_, st.booleans()), st.builds(np.int16, st.integers(-9, 9)),
        st.builds(np.float32, st.floats(0, 1)),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(st.text(), st.integers(), st.sampled_from(["$array", Word.YES, Tint.BLUE])), inner),
    ),
    max_leaves=10,
)  # fmt: skip


@settings(deadline=None)
@given(_VALUES)
def test_plain_values_come_back(value: Any) -> None:
    """Every plain value of a resource is restored from bytes with the same hash and the same types."""
    world = _world(value)
    world[Holder].states = [TableState(Tint.BLUE, [TableState(Tint.RED)])]
    world[Holder].tints = {Tint.BLUE: Rank.HIGH}
    world[Holder].pair = Pair(1, Tint.RED)
    data = world.snapshot().to_bytes()
    other = _world()
    other.restore(Snapshot.from_bytes(data))
    assert other.hash() == world.hash()
    found = other[Holder]
    assert found.states == world[Holder].states
    assert (found.tints, found.pair, found.word) == ({Tint.BLUE: Rank.HIGH}, Pair(1, Tint.RED), Word.YES)
    assert isinstance(found.pair, Pair)
    assert isinstance(next(iter(found.tints)), Tint)
    assert _form(found.value) == _form(value)


def _form(value: Any) -> Any:
    """Return a value's types, recursively; numpy's scalars count as Python's."""
    if isinstance(value, (list, tuple)):
        return type(value), [_form(item) for item in value]
    if isinstance(value, dict):
        return [(_form(key), _form(item)) for key, item in value.items()]
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape
    if isinstance(value, (np.bool_, bool)):
        return bool
    return int if isinstance(value, np.integer) else float if isinstance(value, np.floating) else type(value)


def test_classes_are_found_in_the_annotations() -> None:
    """Only a resource and classes that are reachable from its annotations can be decoded."""
    assert set(plain_classes(Holder)) == {"Holder", "TableState", "Tint", "Rank", "Pair", "Word"}


def test_local_classes() -> None:
    """Classes that were declared in a function can be decoded."""

    class Mood(Enum):
        GLAD = 1

    @resource
    class Feeling:
        mood: dict[str, Mood] = dataclasses.field(default_factory=dict)

    one, two = World(), World()
    one.put(Feeling({"a": Mood.GLAD}))
    two.put(Feeling())
    two.restore(Snapshot.from_bytes(one.snapshot().to_bytes()))
    assert two[Feeling].mood == {"a": Mood.GLAD}


def test_bytes_depend_on_the_state_alone() -> None:
    """The same state gives the same bytes."""
    assert _full().snapshot().to_bytes() == _full().snapshot().to_bytes()


def _loads(data: bytes) -> None:
    """Assert that decoding and restoring `data` works or raises SnapshotError; a refused restore changes nothing."""
    world = _full()
    before = world.hash()
    refused = False
    try:
        world.restore(Snapshot.from_bytes(data))
    except SnapshotError:
        refused = True
    if refused:
        assert world.hash() == before
    else:
        world.hash()
        world.snapshot().to_bytes()
        for handle in world.query(Body).entities.tolist():
            repr(world.get(handle, Body))
        world.spawn_many(3, Body)
        world.running = "reader"
        world.added(Body)
        world.removed(Body)
        list(world.events(Hit))
        world.end_tick()


def test_every_97th_byte() -> None:
    """A changed bit anywhere in the bytes is detected."""
    data = _full().snapshot().to_bytes()
    for start in range(7):
        for position in range(start, len(data), 97):
            damaged = bytearray(data)
            damaged[position] ^= 1 << (position % 8)
            with pytest.raises(SnapshotError):
                Snapshot.from_bytes(bytes(damaged))


def test_cut_at_any_length() -> None:
    """Bytes that are too short or too long are refused."""
    data = _full().snapshot().to_bytes()
    for length in [*range(60), *range(60, len(data), 41), len(data) - 1]:
        with pytest.raises(SnapshotError):
            Snapshot.from_bytes(data[:length])
    with pytest.raises(SnapshotError, match="cut or damaged"):
        Snapshot.from_bytes(data + b"\0")


@pytest.mark.parametrize("data", [b"", b"RISHSNAP", b"\x89PNG" + bytes(100), b"RISHSNAP" + bytes(28), bytes(1000)])
def test_foreign_bytes(data: bytes) -> None:
    """Bytes that are no snapshot are refused."""
    with pytest.raises(SnapshotError):
        decode_snapshot(data)


def test_newer_formats_are_refused() -> None:
    """A snapshot of a newer format is refused with the solution."""
    data = _full().snapshot().to_bytes()
    with pytest.raises(SnapshotError, match=r"has format 9, this Rish reads up to 1. Update rish-core"):
        Snapshot.from_bytes(data[:8] + struct.pack("<I", 9) + data[12:])


def _signed(body: bytes) -> bytes:
    return _HEAD.pack(MAGIC, 1, len(body), hashlib.blake2b(body, digest_size=16).digest()) + body


def _with_header(header: bytes) -> bytes:
    return _signed(struct.pack("<Q", len(header)) + header)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_forged_bytes(seed: int) -> None:
    """Changed bytes with a valid digest are loaded or refused, without any other error."""
    data = _full().snapshot().to_bytes()
    body, chance = data[_HEAD.size :], random.Random(seed)
    (size,) = struct.unpack_from("<Q", body)
    for _ in range(60):
        forged = bytearray(body)
        for _ in range(chance.choice([1, 1, 2, 5])):
            inside = 8 + (chance.randrange(size) if chance.random() < 0.7 else chance.randrange(len(body) - 8))
            forged[inside] = chance.choice([forged[inside] ^ 1, chance.choice(b'0123456789[]{}",:-$ent'), 0, 255])
        _loads(_signed(bytes(forged)))


@pytest.mark.parametrize(
    "header",
    [
        b"", b"[]", b"null", b"5", b"{}", b'{"tick":1}', b'{"nonsense":1}', b"[" * 100_000, b'{"a":' * 100_000,
        b'{"tick":' + b"9" * 5000 + b"}", b'{"tick":NaN}', b"\xff\xfe", b'{"tick":{"$array":["O",[1],0]}}',
        b'{"tick":{"$array":["f8",[99999999999],0]}}', b'{"tick":{"$array":["f8",[-1],0]}}',
        b'{"tick":{"$array":["V100000000",[1],0]}}', b'{"tick":{"$array":["f8",[1],1e300]}}',
        b'{"tick":{"$own":["Popen",{}]}}', b'{"tick":{"$own":["TableState",{}]}}', b'{"tick":{"$bytes":5}}',
        b'{"tick":{"$pairs":[[[],1]]}}', b'{"tick":{"$tuple":5}}', b'{"tick":{"$named":[]}}',
        b'{"tick":{"$named":null}}',
        b'{"tick":{"$array":["f8",[0,' + b"9" * 30 + b"],0]}}",
    ],
)  # fmt: skip
def test_forged_headers(header: bytes) -> None:
    """An invalid header raises SnapshotError without using much memory."""
    tracemalloc.start()
    with pytest.raises(SnapshotError):
        Snapshot.from_bytes(_with_header(header))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000


def test_a_header_longer_than_the_bytes() -> None:
    """A header that claims to be larger than the bytes is refused."""
    with pytest.raises(SnapshotError):
        Snapshot.from_bytes(_signed(struct.pack("<Q", 2**63) + b"{}"))


def _disagreements() -> dict[str, Any]:
    def column(name: str, value: Any) -> Any:
        return lambda s: s.tables["Body"].fields.__setitem__(name, value)

    return {
        "row of a dead entity": lambda s: s.tables["Body"].handles.__setitem__(0, 4 << 32 | 4),
        "row twice": lambda s: s.tables["Body"].handles.__setitem__(0, s.tables["Body"].handles[1]),
        "negative handle": lambda s: s.tables["Body"].handles.__setitem__(0, -1),
        "too short a column": column("mass", np.zeros(3, np.float32)),
        "no column": column("mass", 5),
        "scalar column": column("mass", np.array(3.0)),
        "lengths without items": column("note", (np.full(13, 9, np.int32), np.zeros(4, np.uint8))),
        "negative lengths": column("note", (np.array([-1] + [0] * 12, np.int32), np.zeros(0, np.uint8))),
        "no pair": column("note", (np.zeros(13, np.int32),)),
        "no generations": lambda s: s.entities.pop("generation"),
        "generation 0": lambda s: s.entities["generation"].__setitem__(0, 0),
        "a state that is none": lambda s: s.entities["state"].__setitem__(0, 7),
        "taken slot among the free": lambda s: s.entities["free"].__setitem__(0, 0 if s.entities["state"][0] else 12),
        "slot twice free": lambda s: s.entities["free"].__setitem__(0, s.entities["free"][1]),
        "tick of text": lambda s: setattr(s, "tick", "x"),
        "negative tick": lambda s: setattr(s, "tick", -1),
        "texts of numbers": lambda s: setattr(s, "texts", [1, 2]),
        "half a character": lambda s: s.texts.append("\ud800"),
        "table that is none": lambda s: s.tables.__setitem__("Body", {"a": 1}),
        "no type": lambda s: s.tables["Body"].schema.pop("mass"),
        "event before its time": lambda s: setattr(s.queues["Hit"], "base", 9),
        "queue of nothing": lambda s: s.queues.__setitem__("Hit", None),
        "reader of the future": lambda s: s.changes["cursors"].__setitem__(("removed", "r", "Body"), 99),
        "reader without a log": lambda s: s.changes["cursors"].__setitem__(("removed", "r", "Hat"), 0),
        "log of text": lambda s: s.changes["logs"].__setitem__("Body", ["x"]),
        "log without a start": lambda s: s.changes["log_start"].clear(),
        "cursor that is none": lambda s: s.changes["cursors"].__setitem__("x", 1),
        "resource without fields": lambda s: s.resources.__setitem__("Holder", [1]),
        "text that is not there": lambda s: s.tables["Body"].fields["name"].__setitem__(0, 99),
        "negative text": lambda s: s.tables["Body"].fields["name"].__setitem__(0, -1),
        "word that is not there": lambda s: s.tables["Body"].fields["words"][1].__setitem__(0, 99),
        "member that is none": lambda s: s.tables["Body"].fields["tint"].__setitem__(0, 7),
        "broken characters": lambda s: s.tables["Body"].fields["note"][1].__setitem__(0, 255),
        "split characters": lambda s: s.tables["Body"].fields["note"][0].__setitem__(slice(0, 2), [1, 3]),
    }


@pytest.mark.parametrize("what", _disagreements())
def test_parts_that_disagree(what: str) -> None:
    """A snapshot with inconsistent parts is refused, and the world stays unchanged."""
    snapshot = _full().snapshot()
    _disagreements()[what](snapshot)
    try:
        data = snapshot.to_bytes()
    except UnicodeEncodeError:
        return
    world = _full()
    before = world.hash()
    with pytest.raises(SnapshotError):
        world.restore(Snapshot.from_bytes(data))
    assert world.hash() == before
