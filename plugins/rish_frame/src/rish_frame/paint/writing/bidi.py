"""The display order of mixed text: Hebrew and Arabic run from right to left, numbers and Latin between them do not.

Implements the Unicode Bidirectional Algorithm (Unicode Standard Annex 9, revision 48). Every character gets an
embedding level, even for left to right, odd for right to left; then the runs of each level are reversed, the highest
level first. The character classes come from Python's `unicodedata`, so the result is the same on every machine, with or
without Raqm. The names of rules (X1, W4, N0) are those of the annex.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import bidirectional, normalize

MAX_DEPTH = 125
_STRONG = frozenset({"L", "R", "AL"})
_NEUTRAL = frozenset({"B", "S", "WS", "ON", "LRI", "RLI", "FSI", "PDI"})
_INITIATORS = frozenset({"LRI", "RLI", "FSI"})
_EMBEDDINGS = {"LRE": ("L", ""), "RLE": ("R", ""), "LRO": ("L", "L"), "RLO": ("R", "R")}
_REMOVED = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "BN"})
_TURNING = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI"})
_PAIRS = (
    "()[]{}༺༻༼༽᚛᚜⁅⁆⁽⁾₍₎⌈⌉⌊⌋〈〉❨❩❪❫❬❭❮❯❰❱❲❳❴❵⟅⟆⟦⟧⟨⟩"
    "⟪⟫⟬⟭⟮⟯⦃⦄⦅⦆⦇⦈⦉⦊⦋⦌〈〉《》「」『』【】〔〕〖〗〘〙〚〛（）［］｛｝｟｠｢｣"
)
_CLOSING = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
_MAX_BRACKETS = 63
_TURNED_SIGNS = _PAIRS + "<>«»‹›≤≥≪≫≺≻⊂⊃⊆⊇"
MIRRORED = dict(zip(_TURNED_SIGNS, (_TURNED_SIGNS[k ^ 1] for k in range(len(_TURNED_SIGNS))), strict=True))
"""The mirrored form of a sign in right-to-left text, for fonts that do not mirror it themselves."""


def needs_order(text: str) -> bool:
    """Return True if the text contains a character that is written from right to left or changes the direction."""
    return not text.isascii() and any(bidirectional(character) in _TURNING for character in text)


def paragraph_level(text: str) -> int:
    """Return 0 if the first strong letter is written from left to right, 1 if from right to left (P2, P3)."""
    kinds = [_kind(character) for character in text]
    return _first_strong(kinds, _isolates(kinds), 0, len(kinds))


def embedding_levels(text: str, base: int) -> list[int]:
    """Return the embedding level of each character of a paragraph with level `base`, before it is broken into lines."""
    kinds = [_kind(character) for character in text]
    partner = _isolates(kinds)
    levels, forced = _explicit(kinds, partner, base)
    indices = [k for k, kind in enumerate(kinds) if kind not in _REMOVED]
    explicit = list(levels)
    for run in _sequences(indices, explicit, kinds, partner):
        before = _level_beside(run[0] - 1, -1, explicit, kinds, base)
        open_end = kinds[run[-1]] in _INITIATORS
        after = base if open_end else _level_beside(run[-1] + 1, 1, explicit, kinds, base)
        _resolve(run, text, forced, levels, before, after)
    last = base
    for k, kind in enumerate(kinds):
        if kind in _REMOVED:
            levels[k] = last
        last = levels[k]
    return levels


def visual_order(levels: Sequence[int]) -> list[int]:
    """Return the positions of a line's characters in the order in which they appear from left to right (L2)."""
    order = list(range(len(levels)))
    odd = [level for level in levels if level & 1]
    for level in range(max(levels), min(odd) - 1, -1) if odd else ():
        for start, end in _runs([levels[k] >= level for k in order]):
            order[start:end] = order[start:end][::-1]
    return order


def _runs(flags: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the begin and the end (exclusive) of each run of true flags."""
    begin = 0
    for flag, run in itertools.groupby(flags):
        end = begin + len(list(run))
        if flag:
            yield begin, end
        begin = end


def _kind(character: str) -> str:
    return bidirectional(character) or "L"


def _first_strong(kinds: Sequence[str], partner: dict[int, int], begin: int, end: int) -> int:
    """Return 1 if the first strong kind in `begin`..`end`, outside of isolates, is R or AL, otherwise 0."""
    k = begin
    while k < end:
        kind = kinds[k]
        if kind in _STRONG:
            return int(kind != "L")
        if kind in _INITIATORS:
            k = partner.get(k, end)
        k += 1
    return 0


def _isolates(kinds: Sequence[str]) -> dict[int, int]:
    """Map the position of each isolate initiator to that of its PDI (BD9), and the PDI's to the initiator's."""
    partner: dict[int, int] = {}
    open_isolates: list[int] = []
    for k, kind in enumerate(kinds):
        if kind in _INITIATORS:
            open_isolates.append(k)
        elif kind == "PDI" and open_isolates:
            first = open_isolates.pop()
            partner[first], partner[k] = k, first
    return partner


def _next_level(level: int, direction: str) -> int:
    """Return the next greater level of a direction."""
    return level + 1 + ((level + 1) & 1 != (direction == "R"))


class _Status:
    """The stack of embeddings and isolates (X1). Entries: level, override, whether the entry is an isolate."""

    def __init__(self, base: int) -> None:
        self.stack: list[tuple[int, str, bool]] = [(base, "", False)]
        self.lost_isolates = self.lost_embeddings = self.isolates = 0

    def enter(self, direction: str, override: str, isolate: bool) -> bool:
        """Begin an embedding or an isolate (X2 to X5c). Returns False if the nesting is too deep."""
        level = _next_level(self.stack[-1][0], direction)
        if level <= MAX_DEPTH and not self.lost_isolates and not self.lost_embeddings:
            self.stack.append((level, override, isolate))
            self.isolates += isolate
            return True
        if isolate:
            self.lost_isolates += 1
        elif not self.lost_isolates:
            self.lost_embeddings += 1
        return False

    def leave_isolate(self) -> None:
        """End the innermost isolate at a PDI (X6a)."""
        if self.lost_isolates:
            self.lost_isolates -= 1
        elif self.isolates:
            self.lost_embeddings = 0
            while not self.stack[-1][2]:
                self.stack.pop()
            self.stack.pop()
            self.isolates -= 1

    def leave_embedding(self) -> None:
        """End the innermost embedding at a PDF (X7)."""
        if self.lost_isolates:
            return
        if self.lost_embeddings:
            self.lost_embeddings -= 1
        elif not self.stack[-1][2] and len(self.stack) > 1:
            self.stack.pop()


def _explicit(kinds: list[str], partner: dict[int, int], base: int) -> tuple[list[int], list[str]]:
    """Return the level and the kind after overrides of each character, from the control characters (X1 to X8)."""
    status = _Status(base)
    levels, forced = [base] * len(kinds), list(kinds)
    for k, kind in enumerate(kinds):
        level, override, _ = status.stack[-1]
        levels[k] = level
        if kind in _EMBEDDINGS:
            status.enter(*_EMBEDDINGS[kind], isolate=False)
        elif kind in _INITIATORS:
            forced[k] = override or kind
            end = partner.get(k, len(kinds))
            right = kind == "RLI" or (kind == "FSI" and _first_strong(kinds, partner, k + 1, end) == 1)
            status.enter("R" if right else "L", "", isolate=True)
        elif kind == "PDI":
            status.leave_isolate()
            level, override, _ = status.stack[-1]
            levels[k], forced[k] = level, override or kind
        elif kind == "PDF":
            status.leave_embedding()
        elif kind == "B":
            levels[k] = base
        elif kind != "BN" and override:
            forced[k] = override
    return levels, forced


def _sequences(indices: list[int], levels: list[int], kinds: list[str], partner: dict[int, int]) -> Iterator[list[int]]:
    """Yield the isolating run sequences (X10, BD13): runs of one level, joined across the isolates between them."""
    runs: list[list[int]] = []
    for k in indices:
        if runs and levels[runs[-1][-1]] == levels[k]:
            runs[-1].append(k)
        else:
            runs.append([k])
    begins = {run[0]: number for number, run in enumerate(runs)}
    continued = {partner[run[-1]] for run in runs if kinds[run[-1]] in _INITIATORS and run[-1] in partner}
    for run in runs:
        if kinds[run[0]] == "PDI" and run[0] in continued:
            continue
        sequence = list(run)
        while kinds[sequence[-1]] in _INITIATORS and partner.get(sequence[-1]) in begins:
            sequence += runs[begins[partner[sequence[-1]]]]
        yield sequence


@dataclass
class _Run:
    """One isolating run sequence: the kinds of its characters, updated as they are resolved, and the end directions."""

    kinds: list[str]
    characters: list[str]
    start: str
    end: str
    embedding: str


def _resolve(run: list[int], text: str, forced: list[str], levels: list[int], before: int, after: int) -> None:
    """Set the levels of one sequence in place (W1 to I2). before, after: the levels next to the sequence's two ends."""
    level = levels[run[0]]
    start, end = _direction(max(level, before)), _direction(max(level, after))
    work = _Run([forced[k] for k in run], [text[k] for k in run], start, end, _direction(level))
    _weak(work)
    _brackets(work, [forced[k] for k in run])
    _neutral(work)
    for k, kind in zip(run, work.kinds, strict=True):
        if level & 1:
            levels[k] = level + (kind != "R")
        else:
            levels[k] = level + {"R": 1, "AN": 2, "EN": 2}.get(kind, 0)


def _direction(level: int) -> str:
    return "R" if level & 1 else "L"


def _level_beside(k: int, step: int, levels: list[int], kinds: list[str], base: int) -> int:
    while 0 <= k < len(kinds) and kinds[k] in _REMOVED:
        k += step
    return levels[k] if 0 <= k < len(kinds) else base


def _weak(run: _Run) -> None:
    """Resolve nonspacing marks, numbers, separators and terminators in place (W1 to W7)."""
    kinds = run.kinds
    before = run.start
    strong = run.start
    for k, kind in enumerate(kinds):
        if kind == "NSM":  # W1
            kind = "ON" if before in _INITIATORS or before == "PDI" else before
        if kind in _STRONG:
            strong = kind
        elif kind == "EN" and strong == "AL":  # W2
            kind = "AN"
        before = kinds[k] = kind
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]  # W3
    for k in range(1, len(kinds) - 1):  # W4
        around = kinds[k - 1]
        if around == kinds[k + 1] and (
            (kinds[k] == "CS" and around in ("EN", "AN")) or (kinds[k], around) == ("ES", "EN")
        ):
            kinds[k] = around
    _terminators(kinds)
    strong = run.start
    for k, kind in enumerate(kinds):  # W7
        if kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[k] = "L"


def _terminators(kinds: list[str]) -> None:
    """Make currency and similar signs part of an adjacent number, and otherwise neutral, in place (W5, W6)."""
    for begin, end in _runs([kind == "ET" for kind in kinds]):
        if "EN" in (*kinds[begin - 1 : begin], *kinds[end : end + 1]):
            kinds[begin:end] = ["EN"] * (end - begin)
    kinds[:] = ["ON" if kind in ("ES", "ET", "CS") else kind for kind in kinds]


def _bracket_pairs(run: _Run) -> list[tuple[int, int]]:
    """Return the bracket pairs of a sequence, sorted by the position of the opening bracket (BD16)."""
    pairs: list[tuple[int, int]] = []
    open_brackets: list[tuple[str, int]] = []
    for k, character in enumerate(run.characters):
        if run.kinds[k] != "ON":
            continue
        composed = normalize("NFC", character)
        if composed in _CLOSING:
            if len(open_brackets) == _MAX_BRACKETS:
                return []
            open_brackets.append((_CLOSING[composed], k))
            continue
        for depth in range(len(open_brackets) - 1, -1, -1):
            if open_brackets[depth][0] == composed:
                pairs.append((open_brackets[depth][1], k))
                del open_brackets[depth:]
                break
    return sorted(pairs)


def _brackets(run: _Run, original: list[str]) -> None:
    """Give each pair of brackets the direction of the text inside it, in place (N0)."""
    kinds = run.kinds
    for opening, closing in _bracket_pairs(run):
        inside = {_as_strong(kind) for kind in kinds[opening + 1 : closing]} - {""}
        if not inside:
            continue
        direction = run.embedding
        if run.embedding not in inside:
            earlier = (_as_strong(kind) for kind in reversed(kinds[:opening]))
            before = next((strong for strong in earlier if strong), run.start)
            direction = before if before in inside else run.embedding
        for index in (opening, closing):
            kinds[index] = direction
            mark = index + 1
            while mark < len(kinds) and original[mark] == "NSM":
                kinds[mark] = direction
                mark += 1


def _as_strong(kind: str) -> str:
    """Return the direction of a kind for the rules on neutrals, "" for none; numbers count as right to left there."""
    return {"L": "L", "R": "R", "EN": "R", "AN": "R"}.get(kind, "")


def _neutral(run: _Run) -> None:
    """Give neutral characters the direction that is the same on both sides, otherwise the embedding's (N1, N2)."""
    kinds = run.kinds
    for begin, end in _runs([kind in _NEUTRAL for kind in kinds]):
        before = _as_strong(kinds[begin - 1]) if begin else run.start
        after = _as_strong(kinds[end]) if end < len(kinds) else run.end
        kinds[begin:end] = [before if before == after else run.embedding] * (end - begin)
