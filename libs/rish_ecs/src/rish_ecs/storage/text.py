"""Text and lists in columns: interned strings by number, and pools for rows of variable length.

Names and tags repeat, so a `Str` column holds indices into the World's `TextTable`. Hashes and saves use the text, not
the number, which depends on history. `Chars` and `list[T]` values vary in length, so their columns hold (offset,
length) pairs into a `Pool`, which is compacted between ticks and hashed by content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from rish_jit.errors import UsageError

from ..declarations.columns import Column


class TextTable:
    """A table of interned strings with their numbers; number 0 is the empty text."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts: list[str] = [""]
        self._numbers: dict[str, int] = {"": 0}
        self._digests = np.zeros(64, np.uint64)
        self._digested = 0
        for text in texts:
            self.intern(text)

    def __len__(self) -> int:
        return len(self.texts)

    def intern(self, text: str) -> int:
        """Return the number of a text; a new text is added."""
        number = self._numbers.get(text)
        if number is None:
            text = str(text)
            try:
                text.encode()
            except UnicodeEncodeError:
                raise UsageError(f"{text!r} contains half of a surrogate pair and is not valid text") from None
            number = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return number

    def encode(self, value: Any) -> Any:
        """Return texts, or numbers of known texts, as numbers: an int for one, an int32 array for many.

        Raises UsageError for a number without a text.
        """
        if isinstance(value, str):
            return self.intern(value)
        if not isinstance(value, (tuple, np.ndarray)):
            return int(self._known(np.array([value]))[0])
        items = cast("tuple[Any, ...] | Column", value)
        if isinstance(items, np.ndarray) and items.dtype.kind != "O":
            return self._known(items)
        numbers = [self.intern(item) if isinstance(item, str) else int(item) for item in items]
        return self._known(np.array(numbers, np.int32))

    def _known(self, numbers: Column) -> Column:
        if len(numbers) and not (numbers.min() >= 0 and numbers.max() < len(self.texts)):
            unknown = numbers[(numbers < 0) | (numbers >= len(self.texts))][0]
            raise UsageError(
                f"{unknown} is not the number of a text", hint="Give the text itself, or world.intern(...)"
            )
        return numbers

    def find(self, text: str) -> int:
        """Return the number of a text, or -1 if it is unknown; nothing is added."""
        return self._numbers.get(text, -1)

    def digests(self, numbers: Column) -> Column:
        """Return a 64-bit digest of each text, which depends only on the text; uint64 in the shape of `numbers`."""
        return self.all_digests()[numbers]

    def all_digests(self) -> Column:
        """Return uint64: the digests of all texts by number; the array may be longer than the number of texts."""
        if self._digested < len(self.texts):
            if len(self.texts) > len(self._digests):
                self._digests = np.resize(self._digests, 2 * len(self.texts))
            for number in range(self._digested, len(self.texts)):
                digest = hashlib.blake2b(self.texts[number].encode(), digest_size=8).digest()
                self._digests[number] = int.from_bytes(digest, "little")
            self._digested = len(self.texts)
        return self._digests


def gathered(items: Column, starts: Column, lengths: Column) -> Column:
    """Return the items of rows in their order, without gaps. starts, lengths: of each row, in `items`."""
    lengths = lengths.astype(np.int64)
    index = np.arange(int(lengths.sum())) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    return items[index]


class Pool:
    """The items of rows of variable length, one after another; rows refer to them by (offset, length)."""

    def __init__(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
        self.items: Column = np.zeros((16, *shape), dtype)
        self.used = 0
        self.garbage = 0

    def append(self, items: Column) -> int:
        """Add items at the end; return their offset."""
        offset, end = self.used, self.used + len(items)
        if end > len(self.items):
            grown = np.zeros((max(end, 2 * len(self.items)), *self.items.shape[1:]), self.items.dtype)
            grown[: self.used] = self.items[: self.used]
            self.items = grown
        self.items[offset:end] = items
        self.used = end
        return offset

    def put(self, spans: Column, rows: Any, items: Any) -> None:
        """Set the items of some rows: one array per row (a list), or a copy of the same items for each row.

        spans: int32 (n, 2) of offset and length, written in place. rows: a slice or an index array.
        """
        old = spans[rows]
        each = cast("list[Column]", items) if isinstance(items, list) else [cast("Column", items)]
        if len(old) == 1 and len(each[0]) <= old[0, 1]:
            start, length = int(old[0, 0]), len(each[0])
            self.items[start : start + length] = each[0]
            self.garbage += int(old[0, 1]) - length
            spans[rows, 1] = length
            return
        if not isinstance(items, list):
            joined = np.concatenate(each * len(old)) if len(each[0]) and len(old) else self.items[:0]
            self.put_joined(spans, rows, joined, np.full(len(old), len(each[0]), np.int64))
            return
        lengths = np.array([len(one) for one in each], np.int64)
        self.put_joined(spans, rows, np.concatenate(each) if each else self.items[:0], lengths)

    def put_joined(self, spans: Column, rows: Any, items: Column, lengths: Column) -> None:
        """Set the items of some rows. items: those of all rows in order. lengths: how many of them each row has."""
        old = spans[rows]
        self.garbage += int(old[:, 1].sum())
        moved = np.empty_like(old)
        moved[:, 1] = lengths
        moved[:, 0] = self.append(items) + np.cumsum(lengths, dtype=np.int64) - lengths
        spans[rows] = moved

    def gather(self, spans: Column) -> Column:
        """Return the items of all rows in their order, without gaps. spans: int32 (n, 2) of offset and length."""
        if not len(spans):
            return self.items[:0].copy()
        return gathered(self.items, spans[:, 0], spans[:, 1])

    def fill(self, spans: Column, content: Column) -> None:
        """Replace all items by `content`, the rows' items in order, and write the offsets into `spans`."""
        lengths = spans[:, 1].astype(np.int64)
        spans[:, 0] = np.cumsum(lengths) - lengths
        self.used = self.garbage = 0
        self.append(content)

    def compact(self, spans: Column) -> None:
        """Remove unreferenced items if there are many; `spans` are rewritten in place."""
        if self.garbage > 1024 and 2 * self.garbage > self.used:
            self.fill(spans, self.gather(spans))


class RaggedView:
    """A view of a `Chars` or `list[T]` column: `view[k]` reads and writes one row.

    For kernels: `spans` is int32 (n, 2) of offset and length, `items` the pool's items. rows: an index array of the
    rows of the table; None: all rows.
    """

    def __init__(self, owner: Any, name: str, rows: Column | None = None) -> None:
        self._owner = owner
        self._name = name
        self._rows = rows

    @property
    def spans(self) -> Column:
        """int32 (n, 2): offset and length of each row."""
        spans = self._owner.column(self._name)
        return spans if self._rows is None else spans[self._rows]

    @property
    def items(self) -> Column:
        """The pool's items; get it again after writing, because growth replaces it."""
        return self._owner.pool_of(self._name).items

    def __len__(self) -> int:
        return len(self._owner) if self._rows is None else len(self._rows)

    def __getitem__(self, row: int) -> Any:
        return self._owner.read_row(self._name, row if self._rows is None else int(self._rows[row]))

    def __setitem__(self, row: int, value: Any) -> None:
        self._owner.write_row(self._name, row if self._rows is None else int(self._rows[row]), value)
