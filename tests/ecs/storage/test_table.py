"""Tables: packed rows, the index that finds them, and columns that stay in step."""

from __future__ import annotations

import tracemalloc
from enum import Enum
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_ecs.declarations.columns import Array, Asset, Chars, Entity, Mat4, Str, Vec2
from rish_ecs.declarations.component import Each, component, field, kind_of
from rish_ecs.declarations.component import table as table_class
from rish_ecs.storage.table import Columns, Table
from rish_jit.errors import DeclarationError, UnknownName, UsageError


class Mode(Enum):
    """The kind of movement."""

    WALK = 1
    RUN = 2


@component
class Letter:
    """A component with one number."""

    code: int = 0


@component
class Everything:
    """A component with a field of each type."""

    x: float = field(1.5, low=-100, high=100)
    position: Vec2 = field((1, 2))
    pose: Mat4 = field()
    mode: Mode = Mode.RUN
    name: Str = "nobody"
    image: Asset = "none.png"
    label: Chars = "plain"
    path: list[Vec2] = field(((1, 2),))
    words: list[Str] = field(("a", "b"))
    one: Array[float, 1] = field((7,))
    target: Entity = 0
    push: Vec2 = field((0, 0), transient=True)


def _handle(index: int, generation: int = 1) -> int:
    return generation << 32 | index


def _handles(*indexes: int) -> Any:
    return np.array([_handle(index) for index in indexes], np.int64)


def _agrees(table: Table, expected: list[tuple[int, int]]) -> None:
    """Assert that the table holds exactly these (index, code) rows, and that rows and entities map to each other."""
    assert len(table) == len(expected)
    assert table.entities.tolist() == [_handle(index) for index, _ in expected]
    assert table.code.tolist() == [code for _, code in expected]
    for row, (index, _) in enumerate(expected):
        assert table.row_of(_handle(index)) == table.row_index[index] == row
    present = {index for index, _ in expected}
    assert all(table.row_of(_handle(index)) == -1 for index in range(10) if index not in present)


@pytest.mark.parametrize("many", [False, True])
def test_walk_through(many: bool) -> None:
    """A removed row is filled by the last row, and new rows are added at the end: A B C D → A D C → A C → A C E."""
    a, b, c, d, e = range(5)
    table = Table(kind_of(Letter), capacity=5)

    def insert(index: int) -> None:
        row = table.insert_rows(_handles(index)).start if many else table.insert_row(_handle(index))
        table.code[row] = ord("A") + index

    def remove(index: int) -> None:
        if many:
            table.remove_rows(_handles(index))
        else:
            table.remove_row(_handle(index))

    for index in (a, b, c, d):
        insert(index)
    _agrees(table, [(a, 65), (b, 66), (c, 67), (d, 68)])
    remove(b)
    _agrees(table, [(a, 65), (d, 68), (c, 67)])
    remove(d)
    _agrees(table, [(a, 65), (c, 67)])
    insert(e)
    _agrees(table, [(a, 65), (c, 67), (e, 69)])
    assert table.room == 5


def test_caches_are_emptied_when_rows_come_go_or_move() -> None:
    """Caches are emptied when rows are added, removed or moved, or the table grows, but not by writes."""
    table, mine = Table(kind_of(Letter), capacity=2), {"code": "kept"}
    table.caches.append(mine)

    def emptied() -> bool:
        gone = not mine
        mine["code"] = "kept"
        return gone

    steps = {
        "insert": lambda: table.insert_row(_handle(0)),
        "insert many": lambda: table.insert_rows(_handles(1, 2, 3)),
        "remove": lambda: table.remove_row(_handle(1)),
        "remove many": lambda: table.remove_rows(_handles(0, 2)),
        "reset": lambda: table.reset_rows(_handles(5), np.zeros(1, np.int64)),
        "clear": table.clear,
    }
    for name, step in steps.items():
        step()
        assert emptied(), name
    table.insert_row(_handle(1))
    assert emptied()
    table.code = 4
    table.write_row("code", 0, 9)
    assert not emptied()


def test_the_key_of_a_row_tells_equal_bits() -> None:
    """Rows have the same key if the named fields have the same bits, also after the table has grown."""
    table, names = Table(kind_of(Everything), capacity=1), ("x", "position", "mode", "name", "pose", "one")
    for index in range(3):
        table.put_row(table.insert_row(_handle(index)), {})
    keys = [table.row_key(row, names) for row in range(3)]
    assert keys[0] == keys[1] == keys[2]
    for name, value in (("x", -1.5), ("position", (1, 3)), ("mode", Mode.WALK), ("name", "somebody"), ("one", (8,))):
        table.write_row(name, 1, value)
        assert table.row_key(1, names) != keys[0]
        assert table.row_key(1, [each for each in names if each != name]) == table.row_key(
            0, [each for each in names if each != name]
        )
        table.write_row(name, 1, table.read_value(name, 0))
    table.x[1] = np.float32(0)
    table.x[2] = np.float32(-0.0)
    assert table.row_key(1, names) != table.row_key(2, names)


def test_growth() -> None:
    """A full table doubles its capacity, keeps its rows and calls `on_grow`; old columns stay unchanged."""
    table = Table(kind_of(Letter), capacity=2)
    told: list[tuple[Columns, dict[str, Any]]] = []
    table.on_grow.append(lambda grown, old: told.append((grown, old)))
    table.insert_rows(_handles(0, 1))
    table.code = np.array([5, 6])
    old = table.code
    table.insert_row(_handle(2))
    table.code[2] = 7
    assert table.room == 4
    assert table.code.tolist() == [5, 6, 7]
    assert old.tolist() == [5, 6]
    assert told[0][0] is table
    assert told[0][1]["code"].tolist() == [5, 6]


def test_columns_are_live_views() -> None:
    """`table.x` is a view of all rows, and its flat form shares the memory."""
    table = Table(kind_of(Everything))
    table.put_all(table.insert_rows(_handles(0, 1, 2)), {})
    table.position[1] = (5, 6)
    assert table.flat("position").tolist() == [1, 2, 5, 6, 1, 2]
    assert table.position.shape == (3, 2)
    assert table.pose.shape == (3, 4, 4)
    assert table.position is table.position
    table.flat("x")[:] = 4
    assert table.x.tolist() == [4, 4, 4]


def test_a_column_asked_for_anew_is_that_of_now() -> None:
    """Columns, flat or not, always have the current size, and outgrown ones are not kept."""
    table = Table(kind_of(Everything), capacity=2)
    for count in (1, 2, 9, 3):
        table.resize(count)
        assert len(table.flat("position")) == 2 * count
        assert table.column("position").shape == (count, 2)
        table.column("position")[count - 1] = count
        assert table.flat("position")[-2:].tolist() == [count, count] == table.position[-1].tolist()
        assert table.column("position") is table.column("position")


def test_assignment() -> None:
    """`table.x = value` sets all rows to one value or one per row, and raises the version."""
    table = Table(kind_of(Everything))
    table.put_all(table.insert_rows(_handles(0, 1)), {})
    version = table.version
    table.x = 3
    table.position = np.array([[1, 2], [3, 4]])
    table.name = "bob"
    table.label = Each(["one", "three"])
    table.mode = np.array([0, 1])
    table.x += 1
    assert table.version == version + 6
    assert table.x.tolist() == [4, 4]
    assert table.position.tolist() == [[1, 2], [3, 4]]
    assert [table.read_row("name", row) for row in (0, 1)] == ["bob", "bob"]
    assert list(table.label) == ["one", "three"]
    assert [table.read_row("mode", row) for row in (0, 1)] == [Mode.WALK, Mode.RUN]


def test_defaults() -> None:
    """New rows contain the defaults of their fields."""
    for count in (1, 3):
        table = Table(kind_of(Everything))
        table.put_all(table.insert_rows(_handles(*range(count))), {})
        for row in range(count):
            read = {name: table.read_row(name, row) for name in table.schema.fields}
            assert (read["x"], read["mode"], read["name"], read["image"]) == (1.5, Mode.RUN, "nobody", "none.png")
            assert (read["label"], read["words"], read["target"]) == ("plain", ("a", "b"), 0)
            assert (read["position"].tolist(), read["path"].tolist()) == ([1, 2], [[1, 2]])
            assert read["one"].tolist() == [7]
            assert np.array_equal(read["pose"], np.eye(4))


@pytest.mark.parametrize(
    ("name", "value", "other"),
    [
        ("x", 0.1, 0.2), ("x", 0.0, -0.0), ("position", (0.1, 2.0), (0.1, 3.0)), ("mode", Mode.RUN, Mode.WALK),
        ("name", "eve", "adam"), ("label", "größer", "größe"), ("words", ("b",), ("b", "b")), ("one", (0.1,), (0.2,)),
        ("path", ((1, 2), (3, 4)), ((1, 2), (3, 5))), ("target", 1 << 40, 1 << 41), ("pose", np.eye(4), 2 * np.eye(4)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("of", [Table, Columns])
def test_a_row_is_marked_only_if_its_bits_change(of: type, name: str, value: Any, other: Any) -> None:
    """`write_row` marks a row that gets another value, and no row if the value is the same after rounding."""
    table = of(kind_of(Everything))
    table.put_all(table.resize(2), {})
    table.write_row(name, 1, value)
    before = table.version
    table.write_row(name, 1, value)
    assert table.version == before
    table.write_row(name, 1, other)
    assert table.changes(before).rows.tolist() == [1]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("x", np.ones(3), r"Everything.x: 3 values for 2 rows"),
        ("x", 1000, r"Everything.x: 1000 is above the greatest value, 100"),
        ("x", np.array([1.0, np.nan]), r"Everything.x: expected finite numbers, got nan"),
        ("position", np.ones((3, 2)), r"Everything.position: 3 values for 2 rows"),
        ("position", np.ones((1, 2)), r"Everything.position: 1 values for 2 rows"),
        ("position", np.ones((2, 3)), r"Everything.position: expected rows of 2 numbers"),
        ("label", Each(["a"]), r"Everything.label: 1 values for 2 rows"),
        ("label", Each(["a", 5]), r"Everything.label: expected text, got 5"),
        ("path", Each([[(1, 2)], [(1,)]]), r"Everything.path: expected 2 numbers"),
        ("name", np.array([0, 10_000]), r"10000 is not the number of a text"),
        ("mode", np.array([0, 9]), r"9 is no member of Mode"),
        ("nmae", 1, r"Everything has no field 'nmae' \(did you mean 'name'\?\)"),
    ],
)
def test_wrong_assignments_change_nothing(name: str, value: Any, message: str) -> None:
    """An assignment that does not fit is refused before any row is written."""
    table = Table(kind_of(Everything))
    table.put_all(table.insert_rows(_handles(0, 1)), {})
    with pytest.raises((DeclarationError, UsageError, UnknownName), match=message):
        setattr(table, name, value)
    assert table.x.tolist() == [1.5, 1.5]
    assert list(table.label) == ["plain", "plain"]


def test_single_rows() -> None:
    """`write_row` converts and checks a value, and `read_row` returns it."""
    table = Table(kind_of(Everything))
    table.put_all(table.insert_rows(_handles(0, 1)), {})
    for name, value in {"label": "größer", "words": ("b",), "name": "eve", "mode": Mode.WALK, "image": "a.png"}.items():
        table.write_row(name, 1, value)
        assert table.read_row(name, 1) == value
    table.write_row("path", 1, [(1, 2), (3, 4), (5, 6)])
    assert table.read_row("path", 1).tolist() == [[1, 2], [3, 4], [5, 6]]
    assert table.read_row("label", 0) == "plain"
    with pytest.raises(IndexError, match="has 2 rows, there is no row 2"):
        table.write_row("x", 2, 1)
    with pytest.raises(DeclarationError, match="expected text"):
        table.write_row("label", 0, 5)


def test_unknown_fields() -> None:
    """An unknown field is refused with the nearest name."""
    table = Table(kind_of(Everything))
    with pytest.raises(UnknownName, match=r"no field 'positon' \(did you mean 'position'\?\)"):
        _ = table.positon
    with pytest.raises(UnknownName, match="did you mean"):
        table.column("labell")
    assert not hasattr(table, "__array_interface__")
    assert repr(table).startswith("<Table Everything: 0 rows of x, position")


def test_stale_handles_have_no_row() -> None:
    """A stale, zero or huge handle never finds the row of another entity."""
    table = Table(kind_of(Letter))
    table.insert_row(_handle(3, 2))
    for stale in (_handle(3, 1), _handle(3, 3), 0, 3, _handle(2**31), -1):
        assert table.row_of(stale) == -1
        assert table.rows_of(np.array([stale, _handle(3, 2)], np.int64)).tolist() == [-1, 0]
    assert table.rows_of(np.zeros(0, np.int64)).tolist() == []


def test_looking_up_garbage_takes_no_memory() -> None:
    """Looking up a handle with a huge index does not enlarge the index."""
    table = Table(kind_of(Letter))
    table.insert_row(_handle(0))
    tracemalloc.start()
    table.rows_of(np.array([_handle(2**32 - 1)], np.int64))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000


def test_removal_of_what_is_not_there() -> None:
    """`remove_row` raises for a missing row; `remove_rows` ignores missing rows and duplicates."""
    table = Table(kind_of(Letter))
    table.insert_rows(_handles(0, 1, 2))
    with pytest.raises(UnknownName, match="entity 7v1 has no Letter"):
        table.remove_row(_handle(7))
    table.remove_rows(np.array([_handle(7), _handle(1), _handle(1), _handle(2, 5)]))
    assert table.entities.tolist() == [_handle(0), _handle(2)]


@given(st.integers(1, 40), st.data())
def test_removal_depends_on_the_set_of_rows(count: int, data: Any) -> None:
    """The result of `remove_rows` does not depend on the order of the handles."""
    gone = data.draw(st.lists(st.integers(0, count - 1), unique=True))
    order = data.draw(st.permutations(gone))
    one, two = (Table(kind_of(Letter), capacity=4) for _ in range(2))
    for table in (one, two):
        table.insert_rows(_handles(*range(count)))
        table.code = np.arange(count)
    one.remove_rows(_handles(*gone))
    two.remove_rows(_handles(*order))
    assert one.entities.tolist() == two.entities.tolist()
    assert one.code.tolist() == two.code.tolist() == [handle & 0xFFFF for handle in one.entities.tolist()]
    assert sorted(one.code.tolist()) == sorted(set(range(count)) - set(gone))
    for row, handle in enumerate(one.entities.tolist()):
        assert one.row_of(handle) == row


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.sets(st.integers(0, 30), max_size=12)), max_size=12))
def test_tables_filled_and_emptied_together_stay_aligned(steps: list[tuple[bool, set[int]]]) -> None:
    """Two tables with the same insertions and removals have the same entities in the same rows."""
    one, two = Table(kind_of(Letter), capacity=2), Table(kind_of(Everything), capacity=50)
    present: set[int] = set()
    for insert, indexes in steps:
        chosen = sorted(indexes - present if insert else indexes & present)
        for table in (one, two):
            handles = _handles(*chosen)
            if insert:
                table.put_all(table.insert_rows(handles), {})
            elif len(chosen) == 1 and table is one:
                table.remove_row(int(handles[0]))
            else:
                table.remove_rows(handles)
        present = present | indexes if insert else present - indexes
        assert np.array_equal(one.entities, two.entities)
        assert sorted(one.entities.tolist()) == sorted(_handle(index) for index in present)


GIVEN: dict[str, Any] = {
    "x": 2.5, "position": (3, 4), "mode": Mode.WALK, "name": "ann", "label": "", "path": [(5, 6), (7, 8)], "words": [],
    "one": (9,), "target": 12, "push": (1, 1),
}  # fmt: skip


@given(st.lists(st.tuples(st.booleans(), st.sets(st.sampled_from(sorted(GIVEN)))), max_size=30))
def test_one_row_is_written_like_many(steps: list[tuple[bool, set[str]]]) -> None:
    """A row that is written alone has the values of one that is written with others, for fields of each type, also
    where another row was before, and rows that are removed alone leave the same table.
    """
    one, many = Table(kind_of(Everything), capacity=1), Table(kind_of(Everything), capacity=1)
    for index, (adds, names) in enumerate(steps):
        if adds or not len(one):
            given = Everything(**{name: GIVEN[name] for name in names}).__dict__
            one.put_row(one.insert_row(_handle(index)), one.encode_all(given, 1))
            many.put_all(many.insert_rows(_handles(index, index + 100)), many.encode_all(given, 2))
            many.remove_rows(_handles(index + 100))
        else:
            gone = one.entities[[0]].copy()
            one.remove_row(gone.item())
            many.remove_rows(gone)
        assert one.entities.tolist() == many.entities.tolist()
        for name in Everything.__kind__.fields:
            ours, theirs = ([_plain(table.read_row(name, row)) for row in range(len(table))] for table in (one, many))
            assert ours == theirs


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


@given(
    st.lists(st.tuples(st.integers(0, 9), st.text(max_size=8), st.lists(st.integers(0, 99), max_size=5)), max_size=40)
)
def test_pooled_rows_follow_their_entities(steps: list[tuple[int, str, list[int]]]) -> None:
    """Pooled texts and lists stay with their entity through writes, removals and compaction."""

    @component
    class Pooled:
        label: Chars = "new"
        items: list[int] = field((1,))

    table = Table(kind_of(Pooled), capacity=2)
    model: dict[int, tuple[str, list[int]]] = {}
    for index, text, items in steps:
        row = table.row_of(_handle(index))
        if row < 0:
            start = table.insert_row(_handle(index))
            if len(model) % 2:
                table.put_row(start, {})
            else:
                table.put_all(slice(start, start + 1), {})
            model[index] = ("new", [1])
        elif len(text) == 8:
            table.remove_row(_handle(index))
            del model[index]
        else:
            table.write_row("label", row, text)
            table.write_row("items", row, items)
            model[index] = (text, items)
        for pool, name in ((table.pool_of("label"), "label"), (table.pool_of("items"), "items")):
            spans = table.column(name)
            assert pool.used == pool.garbage + int(spans[:, 1].sum())
            pool.fill(spans, pool.gather(spans))
        for other, (text_, items_) in model.items():
            at = table.row_of(_handle(other))
            assert (table.label[at], table.items[at].tolist()) == (text_, items_)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=40), st.integers(1, 3))
def test_rows_of_a_table_are_removed_by_a_mask(rows: list[tuple[bool, int]], rounds: int) -> None:
    """Rows that are kept by a mask stay in order with all their fields, also after pools are compacted."""

    @table_class
    class Line:
        number: int = 0
        words: list[Str] = field()
        note: Chars = ""

    lines = Columns(kind_of(Line))
    model: list[tuple[int, list[str], str]] = []
    for turn in range(rounds):
        for number, (_, length) in enumerate(rows):
            words, note = [f"w{k}" for k in range(length)], "n" * length
            lines.append(1, number=number, words=words, note=note)
            model.append((number, words, note))
        kept = np.array([bool((number + turn) % 2) or keeps for number, (keeps, _) in enumerate(rows)] * 9, np.bool_)
        kept = np.resize(kept, len(model)) if len(model) else np.zeros(0, np.bool_)
        lines.keep_rows(kept)
        model = [row for row, stays in zip(model, kept.tolist(), strict=True) if stays]
        lines.compact_pools()
    found = [(int(lines.number[k]), lines.read_row("words", k), lines.note[k]) for k in range(len(lines))]
    assert [(number, list(words), note) for number, words, note in found] == model


def test_a_mask_must_fit_and_rows_of_components_stay() -> None:
    """`keep_rows` refuses anything but a fitting boolean mask, and tables of components."""
    lines = Columns(kind_of(Letter))
    lines.append(3)
    for wrong in (np.array([0, 1]), np.array([True, False]), np.ones((3, 1), np.bool_)):
        with pytest.raises(UsageError, match=r"Give bool \(3,\)"):
            lines.keep_rows(wrong)
    assert len(lines) == 3
    with pytest.raises(UsageError, match="belong to entities"):
        Table(kind_of(Letter)).keep_rows(np.zeros(0, np.bool_))


def test_pools_are_squeezed() -> None:
    """A pool does not grow without limit while its rows are written repeatedly."""

    @component
    class Noted:
        note: Chars = ""

    table = Table(kind_of(Noted))
    table.put_all(table.insert_rows(_handles(*range(50))), {})
    for turn in range(200):
        table.note = Each([f"{turn} of {row}" * (1 + row % 3) for row in range(50)])
        table.compact_pools()
    pool = table.pool_of("note")
    assert table.note[49] == "199 of 49" * 2
    assert len(pool.items) < 20_000
    before = pool.garbage
    table.resize(10)
    assert pool.garbage > before
    table.clear()
    assert (pool.used, pool.garbage) == (0, 0)


def test_transient_fields() -> None:
    """`reset_transient` sets transient fields to their defaults and leaves the others."""
    table = Table(kind_of(Everything))
    table.put_all(table.insert_rows(_handles(0, 1)), {})
    table.push, table.position = (5, 5), (6, 6)
    table.reset_transient()
    assert table.push.tolist() == [[0, 0], [0, 0]]
    assert table.position.tolist() == [[6, 6], [6, 6]]


def test_append_is_all_or_nothing() -> None:
    """`append` adds rows with all their values or not at all."""
    columns = Columns(kind_of(Everything), capacity=1)
    assert columns.append(2, x=np.array([1, 2]), name="bob") == slice(0, 2)
    for values in ({"x": np.ones(3)}, {"y": 1}, {"x": "wide"}, {"label": Each(["a"])}):
        with pytest.raises((DeclarationError, UsageError, UnknownName)):
            columns.append(2, **values)
    assert len(columns) == 2
    assert columns.append(0) == slice(2, 2)
    columns.append(3)
    assert columns.x.tolist() == [1, 2, 1.5, 1.5, 1.5]
    assert columns.nbytes == sum(columns.flat(name).nbytes for name in columns.schema.fields)


def test_reset_rows() -> None:
    """`reset_rows` makes a table hold exactly the given entities."""
    table = Table(kind_of(Letter))
    table.insert_rows(_handles(0, 1, 2))
    before = table.membership
    table.reset_rows(_handles(5, 1), np.array([3, 4]))
    assert table.entities.tolist() == _handles(5, 1).tolist()
    assert [table.row_of(_handle(index)) for index in (0, 1, 2, 5)] == [-1, 1, -1, 0]
    assert table.added_at[:2].tolist() == [3, 4]
    assert table.membership > before


def test_versions_tell_values_from_rows() -> None:
    """Added and removed rows raise `membership`, and these and writes raise `version`."""
    table = Table(kind_of(Letter), capacity=4)
    for count, change in enumerate((lambda: table.mark(0), lambda: setattr(table, "code", 3), lambda: table.mark()), 1):
        table.insert_rows(_handles(*range(count * 10, count * 10 + 9)))
        version, membership = table.version, table.membership
        change()
        assert (table.version, table.membership) == (version + 1, membership)
        table.remove_row(_handle(count * 10))
        assert (table.version, table.membership) == (version + 2, membership + 1)
