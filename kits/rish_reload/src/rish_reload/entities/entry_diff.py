"""Pairs the entries of an old and a new manifest.

Entities store the number of the step that they came from (`Origin.entry`), and an edit of the text changes these
numbers. So the two texts are compared: entries with equal text are the same entry. The entries between them are paired
by name, then by prefab and components, then by components, then by prefab, each in order. Children are paired within
their parents, by name, or by position among the children without a name.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import Any

from rish_core.manifest import SpawnPlan, Step, YamlMap

Pairs = dict[int, int]
"""The index of the new item by the index of the old item."""
_MAX_COMPARED = 2000
"""The maximum number of entries between the first and the last change that are compared by text. With more of them
only the keys count."""


def pair_steps(old: SpawnPlan, new: SpawnPlan, old_texts: Sequence[Any], new_texts: Sequence[Any]) -> Pairs:
    """Return the pairs of steps of two plans that belong to the same entry.

    old_texts, new_texts: the YAML node of each root of the plans.
    """
    trees = _children(old.steps), _children(new.steps)
    roots = trees[0][-1], trees[1][-1]
    keys = [_EntryText(text) for text in old_texts], [_EntryText(text) for text in new_texts]
    pairs: Pairs = {}
    for a, b in pair_items(keys[0], keys[1], _Rankings(old_texts), _Rankings(new_texts)).items():
        _pair_trees(old.steps, new.steps, trees, roots[0][a], roots[1][b], pairs)
    return pairs


def pair_items(
    old: Sequence[Hashable],
    new: Sequence[Hashable],
    old_ranks: Sequence[Sequence[Hashable]],
    new_ranks: Sequence[Sequence[Hashable]],
) -> Pairs:
    """Return the pairs of items of two sequences: equal items in order, then items between them with an equal key.

    old_ranks, new_ranks: the keys by which an item is matched if it changed, the best key first; None for a missing
    key.
    """
    first = _common(old, new)
    last = _common(old[first:][::-1], new[first:][::-1])
    pairs = {i: i for i in range(first)}
    pairs.update({len(old) - 1 - i: len(new) - 1 - i for i in range(last)})
    a, b = range(first, len(old) - last), range(first, len(new) - last)
    blocks = [("replace", 0, len(a), 0, len(b))]
    if 0 < max(len(a), len(b)) <= _MAX_COMPARED:
        matcher = SequenceMatcher(None, old[a.start : a.stop], new[b.start : b.stop], autojunk=False)
        blocks = matcher.get_opcodes()
    unpaired: tuple[list[int], list[int]] = ([], [])
    for tag, i, j, k, end in blocks:
        if tag == "equal":
            pairs.update(zip(a[i:j], b[k:end], strict=True))
        else:
            unpaired[0].extend(a[i:j])
            unpaired[1].extend(b[k:end])
    _pair_by_keys(unpaired[0], unpaired[1], old_ranks, new_ranks, pairs)
    return pairs


def _pair_by_keys(
    old: list[int], new: list[int], old_ranks: Sequence[Sequence[Hashable]],
    new_ranks: Sequence[Sequence[Hashable]], pairs: Pairs,
) -> None:  # fmt: skip
    """Pair the remaining items with an equal key, in order; first by the best key, then by the next one, and so on."""
    for rank in range(len(next(iter(old_ranks), ()))):
        waiting: dict[Hashable, list[int]] = {}
        for item in reversed(new):
            if new_ranks[item][rank] is not None:
                waiting.setdefault(new_ranks[item][rank], []).append(item)
        for item in list(old):
            mates = waiting.get(old_ranks[item][rank]) if old_ranks[item][rank] is not None else None
            if mates:
                pairs[item] = mates.pop()
                old.remove(item)
                new.remove(pairs[item])


class _Rankings(Sequence[tuple[Hashable, ...]]):
    """The keys by which an entry is recognized: its name, its prefab and components, its components, its prefab."""

    def __init__(self, texts: Sequence[Any]) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, index: Any) -> Any:
        """Return the keys of an entry; computed on demand, because most entries are unchanged."""
        text = self.texts[index]
        entry: dict[str, Any] = text if isinstance(text, YamlMap) else {}
        name, prefab = _word(entry.get("name")), _word(entry.get("prefab"))
        components = tuple(sorted(key for key in entry if key.rpartition(".")[2][:1].isupper()))
        by_name = ("named", name) if name else None
        by_content = None if name else (prefab, components)
        return by_name, by_content, None if name else components or None, None if name else prefab or None


def _word(value: Any) -> str:
    """Return a value if it is a text, otherwise an empty text."""
    return value if isinstance(value, str) else ""


def _common(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Return the number of equal items at the beginning."""
    pairs = zip(a, b, strict=False)
    return next((count for count, (left, right) in enumerate(pairs) if left != right), min(len(a), len(b)))


class _EntryText:
    """The text of an entry; equal for entries with the same content."""

    __slots__ = ("_key", "text")

    def __init__(self, text: Any) -> None:
        self.text = text
        self._key = ""

    @property
    def key(self) -> str:
        """A text that is equal for equal entries."""
        if not self._key:
            self._key = json.dumps(self.text, sort_keys=True, ensure_ascii=False, default=str)
        return self._key

    def __eq__(self, other: object) -> bool:
        """Compare identity first: mostly both are the same object, because unchanged entries are not parsed again."""
        return isinstance(other, _EntryText) and (self.text is other.text or self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)


def _children(steps: Sequence[Step]) -> dict[int, list[int]]:
    """Return the numbers of the children of each step. The roots are under the key -1."""
    children: dict[int, list[int]] = {-1: []}
    for number, step in enumerate(steps):
        children.setdefault(step.parent, []).append(number)
    return children


def _pair_trees(
    old: Sequence[Step], new: Sequence[Step], trees: tuple[dict[int, list[int]], dict[int, list[int]]],
    a: int, b: int, pairs: Pairs,
) -> None:  # fmt: skip
    """Pair two steps and their descendants."""
    pairs[a] = b
    new_children = _labels(new, trees[1].get(b, ()))
    for label, number in _labels(old, trees[0].get(a, ())).items():
        if label in new_children:
            _pair_trees(old, new, trees, number, new_children[label], pairs)


def _labels(steps: Sequence[Step], numbers: Sequence[int]) -> dict[tuple[str, int], int]:
    """Return the numbers of children by two keys: the name, and the position among the children of that name."""
    counts: Counter[str] = Counter()
    children: dict[tuple[str, int], int] = {}
    for number in numbers:
        name = steps[number].node.name
        children[name, counts[name]] = number
        counts[name] += 1
    return children
