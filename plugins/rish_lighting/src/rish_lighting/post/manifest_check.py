"""Finds mistakes of the chain in a manifest, each with its file, line and column, before any effect is made.

It checks the effects' names, their parameters, ranges and assets under `settings: lighting: post:`, and the effect of
`transition:`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rish_core.manifest import FieldsReader, Mark, Report, Scope, YamlList, YamlMap, show
from rish_ecs import did_you_mean

from .effect import ENABLED, GAME, OVER, WORLD, Effect

if TYPE_CHECKING:
    from rish_core import Manifest

_EXAMPLES = "such as `bloom` or {bloom: {strength: 1}}"
SECONDS = "seconds"


def check_post(manifest: Manifest, effects: Mapping[str, Effect]) -> None:
    """Add the mistakes of the effects to the manifest's problems."""
    section = manifest.settings.get("lighting")
    if not isinstance(section, YamlMap):
        return
    report = Report()
    scope = Scope(asset=manifest.asset_problem)
    chain = section.get("post")
    if chain is not None and not isinstance(chain, YamlList):
        what = f"must be a list of effects, {_EXAMPLES}, not {show(chain)}"
        report.add(section.values_at["post"], ("settings", "lighting", "post"), what)
    for index, item in enumerate(chain if isinstance(chain, YamlList) else ()):
        assert isinstance(chain, YamlList)
        path = ("settings", "lighting", "post", index)
        _check_item(item, chain.items_at[index], path, effects, scope, report, extra=(ENABLED, OVER))
    crossing = section.get("transition")
    if crossing is not None and crossing != "":
        path = ("settings", "lighting", "transition")
        crossings = {name: effect for name, effect in effects.items() if effect.transition}
        _check_item(crossing, section.values_at["transition"], path, crossings, scope, report, extra=(SECONDS,))
    manifest.problems.extend(report.problems)


def _check_item(
    item: Any, mark: Mark, path: tuple[str | int, ...], effects: Mapping[str, Effect], scope: Scope, report: Report,
    extra: tuple[str, ...],
) -> None:  # fmt: skip
    """Check one effect. extra: the keys that it may have in addition to its parameters."""
    if isinstance(item, str):
        _named(item, mark, path, effects, report)
        return
    if not isinstance(item, YamlMap) or len(item) != 1:
        report.add(mark, path, f"must be an effect, {_EXAMPLES}, not {_shown(item)}")
        return
    name = next(iter(item))
    effect = _named(name, item.keys_at[name], path, effects, report)
    if effect is None:
        return
    values, within = item[name], (*path, name)
    if isinstance(values, YamlMap):
        values = _without(values, extra, within, report)
    FieldsReader(f"the effect '{name}'", effect.fields).read(values, item.values_at[name], within, scope, report)


def _named(
    name: Any, mark: Mark, path: tuple[str | int, ...], effects: Mapping[str, Effect], report: Report
) -> Effect | None:
    effect = effects.get(name)
    if effect is None:
        choices = f". Effects: {', '.join(effects)}" if effects else ""
        report.add(mark, path, f"no effect is called {name!r}{did_you_mean(name, effects)}{choices}")
    return effect


def _without(values: YamlMap, extra: tuple[str, ...], path: tuple[str | int, ...], report: Report) -> YamlMap:
    """Check the extra keys, and return the parameters without them."""
    remaining = YamlMap(values.mark)
    for key in values:
        if key not in extra:
            remaining.put(key, values[key], values.keys_at[key], values.values_at[key])
            continue
        requirement = _EXTRA_KEYS[key](values[key])
        if requirement:
            report.add(values.values_at[key], (*path, key), f"must be {requirement}, not {show(values[key])}")
    return remaining


def _wrong_seconds(value: Any) -> str:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "" if number and 0 < value <= 60 else "above 0 and at most 60 s"


_EXTRA_KEYS: dict[str, Callable[[Any], str]] = {
    ENABLED: lambda given: "" if isinstance(given, bool) else "true or false",
    OVER: lambda given: "" if given in (WORLD, GAME) else f"{WORLD} or {GAME}",
    SECONDS: _wrong_seconds,
}
"""The keys besides parameters, with functions that return the valid values as text, or "" if the value is valid."""


def _shown(item: Any) -> str:
    return f"a mapping of {len(item)} keys" if isinstance(item, YamlMap) else show(item)
