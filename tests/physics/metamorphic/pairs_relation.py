"""Begin and End events tell exactly what touches: the pairs that began and did not end are those that overlap.

A random world is played with random changes. In every tick the events of a pair alternate. After every tick the pairs
equal those of `contacts_of` and `overlaps_of`; and pairs that clearly overlap, or are clearly apart, by the geometry of
the columns for three ticks are in the ledger, or are not. At last the query `overlap_shape` is compared with the
geometry.
"""

from __future__ import annotations

import numpy as np
from disturbances import change_at
from gaps import Forms, Pair, ordered
from ledger import Ledger, describe
from random_worlds import JOINTS, Cast, make, tick

from long_runs import long
from rish_core import World
from rish_physics import Collider, contacts_of, overlap_shape, overlaps_of

CHANGES, EVERY, FIRST, JUDGED = long(20, 6), 7, 6, 3
"""The number of changes, the ticks between two, the ticks before the first, and those whose geometry is judged."""
TOUCHES, APART = -0.05, 6.0
"""The gaps in units below which a contact must be touching, and above which it must not: a contact begins ahead of time
(`speculative`, 1.28 units), and its points are kept while it moves little (`recycle`, 3.2 units)."""
INSIDE, OUTSIDE = -0.05, 0.05
"""The same gaps for sensors."""


class Watch:
    """Compares the ledger of a World with its geometry, tick by tick."""

    def __init__(self, seed: int, world: World) -> None:
        self.seed, self.world, self.ledger = seed, world, Ledger()
        self.changed, self.faults = "nothing", list[str]()
        self.known = set[tuple[str, Pair]]()
        """The faults that were reported: one that lasts is reported once."""
        self.overlaps: list[tuple[set[Pair], set[Pair]]] = []
        """Of the last ticks: the contacts and visits that clearly overlap."""
        self.gaps: list[tuple[set[Pair], set[Pair]]] = []
        """Of the last ticks: the contacts and visits that may not be clearly apart."""
        self.untold = set[int]()
        """Colliders whose `contact_events` changed while they may have touched something."""
        self.told = dict[int, bool]()

    def fault(self, sentence: str, pair: Pair) -> None:
        """Add a fault of a pair with its place, unless it is known."""
        if (sentence, pair) not in self.known:
            self.known.add((sentence, pair))
            who = " and ".join(describe(self.world, entity) for entity in pair)
            self.faults.append(f"seed {self.seed}, tick {self.world.tick}, after {self.changed}: {sentence}: {who}")

    def read(self) -> None:
        """Read the events of the last tick, and compare with the queries for current contacts."""
        for sentence, pair in self.ledger.read(self.world):
            self.fault(sentence, pair)
        self._mind_told()
        contacts, visits = self._current()
        told = {p for p in self.ledger.contacts if not self.untold & {*p}}
        for pair in sorted(contacts ^ told):
            self.fault(f"contact is only in {'contacts_of' if pair in contacts else 'the ledger'}", pair)
        for pair in sorted(visits ^ self.ledger.visits):
            self.fault(f"visit is only in {'overlaps_of' if pair in visits else 'the ledger'}", pair)
        # Each fault is reported once.
        self.ledger.contacts = contacts | (self.ledger.contacts - told)
        self.ledger.visits = visits

    def _mind_told(self) -> None:
        query = self.world.query(Collider)
        now = dict(zip(query.entities.tolist(), query[Collider.contact_events].tolist(), strict=True))
        self.untold |= {entity for entity, told in now.items() if self.told.get(entity, told) != told}
        self.told |= now

    def _current(self) -> tuple[set[Pair], set[Pair]]:
        """Return the contacts with events and the visits that the engine's queries list."""
        query = self.world.query(Collider)
        entities = np.sort(query.entities)
        touches = contacts_of(self.world, entities)
        pairs = zip(touches.entity.tolist(), touches.other.tolist(), strict=True)
        contacts = {ordered(a, b) for a, b in pairs if self._tells(a, b)}
        found = overlaps_of(self.world, query.entities[query[Collider.sensor]])
        return contacts, set(zip(found.entity.tolist(), found.other.tolist(), strict=True))

    def _tells(self, a: int, b: int) -> bool:
        """Return True if a contact of two colliders emits events; 0 is an edge, which requests them."""
        return not self.untold & {a, b} and (self.told.get(a, True) or self.told.get(b, True))

    def judge(self, forms: Forms) -> None:
        """Compare with the geometry: what was clear in each of the last ticks must be in the ledger, or not."""
        contacts = forms.contacts(APART + 1, self._joined())
        visits = forms.visits(1.0)
        self.overlaps.append(
            (
                {pair for pair, (gap, must) in contacts.items() if gap < TOUCHES and must},
                {pair for pair, gap in visits.items() if gap < INSIDE},
            )
        )
        self.gaps.append(
            ({p for p, (gap, _) in contacts.items() if gap < APART}, {p for p, gap in visits.items() if gap < OUTSIDE})
        )
        self.overlaps, self.gaps = self.overlaps[-JUDGED:], self.gaps[-JUDGED:]
        if len(self.gaps) < JUDGED:
            return
        for k, (name, pairs) in enumerate((("contact", self.ledger.contacts), ("visit", self.ledger.visits))):
            pairs = {pair for pair in pairs if k or not self.untold & {*pair}}
            for pair in sorted(set.intersection(*(part[k] for part in self.overlaps)) - pairs):
                if k or not self.untold & {*pair}:
                    self.fault(f"{name} overlaps for {JUDGED} ticks, but did not begin", pair)
            for pair in sorted(pairs - set.union(*(part[k] for part in self.gaps))):
                if 0 not in pair:  # edges are not among the colliders
                    self.fault(f"{name} is apart for {JUDGED} ticks, but did not end", pair)
        self.overlaps, self.gaps = [], []

    def query(self, forms: Forms) -> None:
        """Compare `overlap_shape`, with each piece of each sensor, with the geometry."""
        gaps = forms.near_sensors(1.0)
        for piece in np.flatnonzero(forms.sensor).tolist():
            points = forms.corners[piece, : forms.count[piece]]
            middle = points.mean(axis=0)
            body = int(forms.solids.entities[forms.body[piece]])
            found = overlap_shape(
                self.world, points - middle, middle, radius=float(forms.radius[piece]), ignore=body
            )  # fmt: skip
            listed = set(found.tolist()) - {0}
            near = {other: gap for (row, other), gap in gaps.items() if row == piece}
            for other in sorted({other for other, gap in near.items() if gap < INSIDE} - listed):
                self.fault("overlap_shape does not find", (int(forms.entity[piece]), other))
            for other in sorted(listed - {other for other, gap in near.items() if gap < OUTSIDE}):
                self.fault("overlap_shape finds, although it is apart,", (int(forms.entity[piece]), other))

    def _joined(self) -> set[Pair]:
        """Return the pairs of bodies that a joint keeps from colliding."""
        joined: set[Pair] = set()
        for cls in JOINTS:
            query = self.world.query(cls)
            apart = ~query[cls.collide_connected]
            joined |= {
                ordered(int(a), int(b)) for a, b in zip(query[cls.a][apart], query[cls.b][apart], strict=True)
            }  # fmt: skip
        return joined


def faults_of(seed: int) -> list[str]:
    """Return the faults of the world of a seed, a sentence each."""
    app = make(seed)
    watch, world = Watch(seed, app.world), app.world
    for _ in range(FIRST):
        tick(app)
        watch.read()
    for number in range(CHANGES):
        change, random = change_at(seed, number, wild=0.5)
        watch.changed = change.__name__
        change(world, random, Cast(world), True)
        for _ in range(EVERY - JUDGED):
            tick(app)
            watch.read()
        forms = Forms(world)
        for _ in range(JUDGED):
            tick(app)
            watch.read()
            forms.move(world)
            watch.judge(forms)
        watch.query(forms)
    return watch.faults


def check_pairs(seed: int) -> None:
    """Check the world of a seed. Raises AssertionError with all faults."""
    faults = faults_of(seed)
    assert not faults, "\n".join(faults)
