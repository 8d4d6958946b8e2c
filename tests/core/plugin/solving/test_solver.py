"""The solver's order depends only on requirements and the manifest, and refusals are explained."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core.plugin.solving.about import About
from rish_core.plugin.solving.solver import Member, Solution, solve
from rish_ecs import Place, how_to_get, how_to_update


def member(name: str, version: str | None = "1.0", place: Place | None = None, **about: object) -> Member:
    """Return a plugin with an About of these lists."""
    return Member(name, About(**about), version, None, place)  # pyright: ignore[reportArgumentType]


def only(solution: Solution) -> str:
    """Return the only sentence of a refusal."""
    assert len(solution.refusals) == 1, solution.refusals
    return solution.refusals[0].what


def test_requirements_come_first_and_ties_keep_the_named_order() -> None:
    """Plugins keep the order in which they are named, except that a required one is moved before its dependants."""
    members = [member("wind", requires=["physics"]), member("render"), member("physics"), member("audio")]
    assert solve(members).order == ("render", "physics", "wind", "audio")


def test_installed_but_not_named() -> None:
    """A requirement that is installed but not named is refused with the line to add."""
    said = only(solve([member("wind", "0.3", requires=["physics"])], installed=["physics", "wind"]))
    assert said == (
        "plugin 'wind' 0.3 requires 'physics', which is installed but not named: add 'physics' to plugins in game.yaml"
    )


def test_not_installed() -> None:
    """A requirement that is not installed is refused, with the command to install it if its package is known."""
    said = only(solve([member("wind", requires=["physics>=0.2,<1"])]))
    assert f"'physics', which is not installed. {how_to_get('rish-physics', '>=0.2,<1')}. Then add" in said
    said = only(solve([member("wind", requires=["sails"])]))
    assert "pip" not in said
    assert "Its documentation says which package to install; `rish plugins` lists" in said


def test_a_misspelt_requirement_gets_the_nearest_name() -> None:
    """A misspelt requirement is refused with the nearest name."""
    solution = solve([member("wind", requires=["phisics"]), member("physics")])
    assert "(did you mean 'physics'?)" in only(solution)


def test_too_old() -> None:
    """A version outside the required range is refused with both versions and the command to upgrade."""
    said = only(solve([member("wind", "0.3", requires=["physics>=0.2"]), member("physics", "0.1")]))
    how = how_to_update("rish-physics", ">=0.2")
    assert said == f"plugin 'wind' 0.3 requires physics>=0.2, but 'physics' is version 0.1. {how}"


def test_a_plugin_without_version_fits_no_range() -> None:
    """A plugin without a version satisfies only requirements without a range."""
    assert "has no version" in only(solve([member("wind", requires=["box>=1"]), member("box", None)]))
    assert not solve([member("wind", requires=["box"]), member("box", None)]).refusals


@pytest.mark.parametrize(("api", "upgrade"), [(">=2", "rish-core"), ("<1", "rish-wind"), ("~=1.7", "rish-core")])
def test_the_plugin_api(api: str, upgrade: str) -> None:
    """A plugin for another API is refused, and the older side is named for an upgrade."""
    solution = solve([Member("wind", About(api=api), "1.0", "rish-wind")], api="1.0")
    assert only(solution).endswith(how_to_update(upgrade))
    assert solution.refusals[0].other == "rish-core"


def test_conflicts() -> None:
    """Two conflicting plugins are refused, both named; a conflict can be limited to a range."""
    said = only(solve([member("wind", conflicts=["oldwind"]), member("oldwind")]))
    assert said == (
        "plugin 'wind' 1.0 conflicts with 'oldwind' 1.0. Take 'wind' or 'oldwind' out of plugins in game.yaml"
    )
    assert not solve([member("wind", conflicts=["box<1"]), member("box", "1.2")]).refusals
    said = only(solve([member("wind", conflicts=["box<2"]), member("box", "1.2")]))
    assert "Get another version of 'box', or take 'wind' or 'box' out of plugins" in said


def test_a_provided_name_satisfies_a_requirement() -> None:
    """A provided name satisfies requirements; without a version only those without a range."""
    fast = member("fast", provides=["physics==0.3"])
    solution = solve([member("wind", requires=["physics>=0.2"]), fast])
    assert (solution.order, solution.refusals) == (("fast", "wind"), ())
    assert solution.needs["wind"] == (("fast",),)
    refused = solve([member("wind", requires=["physics>=0.2"]), member("fast", provides=["physics"])])
    assert "'physics' is provided by 'fast' without a version" in only(refused)


def test_only_one_of_a_kind() -> None:
    """A plugin that provides a name and conflicts with it excludes other providers, not itself."""
    one = member("one", provides=["solver"], conflicts=["solver"])
    other = member("other", provides=["solver"])
    assert not solve([one]).refusals
    assert "conflicts with 'other' 1.0 (which provides 'solver')" in only(solve([one, other]))


def test_a_cycle_is_named_whole() -> None:
    """A cycle of requirements is refused with each of its steps, without plugins that only depend on it."""
    members = [
        member("hanger", requires=["a"]),
        member("b", requires=["c"]),
        member("a", requires=["b"]),
        member("c", requires=["a"]),
    ]
    said = only(solve(members))
    assert "'b' requires 'c', 'c' requires 'a', 'a' requires 'b'" in said
    assert "Get other versions of them, or take one of them out" in said
    assert "hanger" not in said


def test_a_plugin_can_not_require_itself() -> None:
    """A plugin that requires itself is refused."""
    assert "requires itself" in only(solve([member("a", requires=["a"])]))


def test_all_problems_are_collected() -> None:
    """The problems of all plugins are collected, each at the place where its plugin is named."""
    members = [
        member("a", place=Place("game.yaml", 4, 12), requires=["x", "b>=2"], api=">=9"),
        member("b", place=Place("game.yaml", 4, 15), conflicts=["a"], requires=["c"]),
        member("c", requires=["b"]),
    ]
    solution = solve(members)
    pairs = {(refusal.plugin, refusal.other) for refusal in solution.refusals}
    assert pairs == {("a", "x"), ("a", "b"), ("a", "rish-core"), ("b", "a"), ("b", "c")}
    assert str(solution.refusals[0].problem).startswith("game.yaml:4:12: plugins: plugin 'a' 1.0 is for")


def test_what_requires_a_failed_plugin_is_set_aside() -> None:
    """Plugins that depend on a failed plugin are disabled, not refused."""
    members = [member("a", requires=["b"]), member("b", requires=["broken"]), member("c")]
    solution = solve(members, failed=["broken"])
    assert solution.refusals == ()
    assert solution.order == ("c",)
    assert dict(solution.aside) == {
        "b": "it requires 'broken', which can't be loaded",
        "a": "it requires 'b', which is disabled",
    }


def test_a_failed_plugin_might_have_provided_a_name() -> None:
    """A missing name may have been provided by a failed plugin, so its dependants are disabled."""
    solution = solve([member("a", requires=["virtual"])], failed=["broken"])
    assert solution.aside == {"a": "it requires 'virtual', and 'broken' failed to load"}


@st.composite
def graphs(draw: st.DrawFn, acyclic: bool = True) -> dict[str, list[str]]:
    """Draw plugins with their requirements."""
    names = draw(st.permutations([f"p{i}" for i in range(draw(st.integers(1, 8)))]))
    edges: dict[str, list[str]] = {}
    for index, name in enumerate(names):
        pool = names[:index] if acyclic else [other for other in names if other != name]
        edges[name] = draw(st.lists(st.sampled_from(pool), max_size=3, unique=True)) if pool else []
    return edges


@given(graphs(), st.randoms(use_true_random=False))
@pytest.mark.slow
def test_any_graph_without_cycles_is_ordered(edges: dict[str, list[str]], chance: random.Random) -> None:
    """For any graph without cycles the order is topological, complete and independent of the order of listing."""
    named = sorted(edges)
    chance.shuffle(named)
    members = {name: member(name, requires=edges[name]) for name in named}
    solution = solve(list(members.values()), installed=named)
    assert solution.refusals == ()
    assert sorted(solution.order) == sorted(edges)
    for name, required in edges.items():
        for other in required:
            assert solution.order.index(other) < solution.order.index(name)
    shuffled = {name: member(name, requires=chance.sample(edges[name], len(edges[name]))) for name in named}
    assert solve(list(shuffled.values()), installed=chance.sample(named, len(named))).order == solution.order
    for at, name in enumerate(solution.order):  # of the plugins that are ready, the first named is next
        ready = [n for n in solution.order[at:] if set(edges[n]) <= set(solution.order[:at])]
        assert name == min(ready, key=named.index)


@given(graphs(acyclic=False), st.sets(st.sampled_from([f"p{i}" for i in range(8)]), max_size=2))
def test_any_graph_is_ordered_or_a_pair_is_named(edges: dict[str, list[str]], absent: set[str]) -> None:
    """For any graph the result is an order, or refusals that name a plugin and one of its requirements."""
    members = [member(name, requires=required) for name, required in edges.items() if name not in absent]
    solution = solve(members)
    present = {one.name for one in members}
    if not solution.refusals:
        assert sorted(solution.order) == sorted(present)
    for refusal in solution.refusals:
        assert refusal.plugin in present
        assert refusal.other in edges[refusal.plugin]
        assert f"'{refusal.plugin}'" in refusal.what
        assert f"'{refusal.other}'" in refusal.what
    missing = any(other not in present for one in members for other in edges[one.name])
    assert bool(solution.refusals) == (missing or _has_cycle({n: edges[n] for n in present}))


def _has_cycle(edges: dict[str, list[str]]) -> bool:
    left = dict(edges)
    while free := [name for name, required in left.items() if not set(required) & set(left)]:
        for name in free:
            del left[name]
    return bool(left)
