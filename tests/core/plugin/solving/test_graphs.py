"""Random sets of plugins: the order keeps all relations, and each refusal has a smallest cause."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core.plugin.solving.about import About
from rish_core.plugin.solving.selection import complete, smallest
from rish_core.plugin.solving.solver import Member, solve
from rish_core.plugin.solving.versions import Requirement, parse_version

NAMES = [f"p{k}" for k in range(7)]
CONTRACTS = ["c0", "c1"]
CAPABILITIES = ["deep", "wide"]
GRAPHS = 100
"""Sets of wishes for each example of hypothesis, which draws only the seeds."""

Pool = dict[str, Member]


def some(chance: random.Random, items: Sequence[str], most: int) -> list[str]:
    """Return a few different items."""
    return chance.sample(items, chance.choice([0, 0, 0, 1, most]))


def asked(chance: random.Random, name: str) -> str:
    """Return a requirement of a plugin or contract, some with capabilities or a range."""
    needs = f"[{chance.choice(CAPABILITIES)}]" if name in CONTRACTS and chance.random() < 0.3 else ""
    return f"{name}{needs}{chance.choice(['', '', '', '>=1', '>=2', '<2'])}"


read = lru_cache(Requirement.parse)
version_of = lru_cache(parse_version)


def random_pool(chance: random.Random) -> Pool:
    """Return installed plugins with random descriptions."""
    pool: Pool = {}
    for name in NAMES:
        others = [other for other in NAMES if other != name]
        provides = [
            f"{contract}[{','.join(chance.sample(CAPABILITIES, chance.randint(1, 2)))}]=={chance.choice('12')}"
            for contract in some(chance, CONTRACTS, 1)
        ]
        about = About(
            requires=[asked(chance, one) for one in some(chance, [*others, *CONTRACTS], 2)],
            optional=[asked(chance, one) for one in some(chance, others, 1)],
            conflicts=some(chance, others, 1) if chance.random() < 0.3 else [],
            provides=provides,
            before=some(chance, others, 1) if chance.random() < 0.2 else [],
            after=some(chance, [*others, *CONTRACTS], 1) if chance.random() < 0.2 else [],
            namespace="shared" if provides and chance.random() < 0.5 else None,
        )
        pool[name] = Member(name, about, f"{chance.choice('123')}.0")
    return pool


def resolved(pool: Pool, wishes: Sequence[str]) -> tuple[list[Member], tuple[str, ...], bool]:
    """Return the loaded plugins, their order, and whether they are refused."""
    contracts: dict[str, list[str]] = {}
    for member in pool.values():
        for provided in member.about.provides:
            contracts.setdefault(provided.name, []).append(member.name)
    contracts = {contract: sorted(names) for contract, names in contracts.items()}
    members = complete([pool[name] for name in wishes], lambda name, _: pool.get(name), contracts, {})
    solution = solve(members, installed=pool, contracts=contracts)
    return members, solution.order, bool(solution.refusals)


def offered(member: Member, wanted: Requirement) -> bool | None:
    """Whether a plugin satisfies a requirement; None if it does not offer the name at all."""
    offers = [(one.name, str(one.range).removeprefix("=="), one.capabilities) for one in member.about.provides]
    offers.append((member.name, str(member.version), member.capabilities))
    found = [
        version_of(version) in wanted.range and not set(wanted.capabilities) - set(capabilities)
        for name, version, capabilities in offers
        if name == wanted.name
    ]
    return any(found) if found else None


def named(member: Member, name: str) -> bool:
    """Whether a plugin has a name, or provides it."""
    return offered(member, Requirement(name)) is not None


def edges_of(members: Sequence[Member]) -> set[tuple[str, str]]:
    """Return all pairs (earlier, later) that the descriptions ask for."""
    edges: set[tuple[str, str]] = set()
    for one in members:
        for other in members:
            if one is other:
                continue
            wants = [*one.about.requires, *(Requirement(each.name, each.range) for each in one.about.optional)]
            if any(offered(other, wanted) for wanted in wants) or any(named(other, name) for name in one.about.after):
                edges.add((other.name, one.name))
            if any(named(other, name) for name in one.about.before):
                edges.add((one.name, other.name))
    return edges


def acyclic(members: Sequence[Member], edges: set[tuple[str, str]]) -> bool:
    """Whether the pairs can all hold."""
    left = {member.name for member in members}
    while ready := {name for name in left if not any(later == name and early in left for early, later in edges)}:
        left -= ready
    return not left


def broken(members: Sequence[Member]) -> bool:
    """Whether a set of plugins breaks a rule: a plain reference for the solver's refusals."""
    for one in members:
        others = [other for other in members if other is not one]
        if any(not any(offered(other, wanted) for other in others) for wanted in one.about.requires):
            return True
        for wanted in one.about.optional:
            ranged = Requirement(wanted.name, wanted.range)
            there = [offered(other, ranged) for other in others if offered(other, ranged) is not None]
            if there and not any(there):
                return True
        if any(offered(other, conflict) for conflict in one.about.conflicts for other in others):
            return True
        if any(other.namespace == one.namespace for other in others):
            return True
    return not acyclic(members, edges_of(members))


@pytest.mark.slow
@settings(max_examples=long(100, 8), deadline=None)
@given(st.integers(0, 2**32))
def test_sets_are_ordered_or_refused_as_their_rules_say(seed: int) -> None:
    """Fitting sets get an order that keeps every relation, whatever was discovered first; others are refused."""
    chance, pool = random.Random(seed), Pool()
    for count in range(GRAPHS):
        pool = pool if count % 4 else random_pool(chance)
        wishes = chance.sample(NAMES, chance.randint(1, 4))
        members, order, refused = resolved(pool, wishes)
        assert refused == broken(members)
        shuffled = dict(chance.sample(sorted(pool.items()), len(pool)))
        assert resolved(shuffled, wishes)[1:] == (order, refused)
        if refused:
            assert_smallest(pool, wishes)
        else:
            assert sorted(order) == sorted(member.name for member in members)
            place = {name: index for index, name in enumerate(order)}
            assert all(place[early] < place[late] for early, late in edges_of(members))


def assert_smallest(pool: Pool, wishes: Sequence[str]) -> None:
    """Assert that the smallest refused part of the wishes fits as soon as any one of them is taken out."""
    found = smallest(wishes, lambda names: resolved(pool, names)[2])
    assert resolved(pool, found)[2]
    assert not any(resolved(pool, [name for name in found if name != out])[2] for out in found)
