"""The library: every effect by name, as declared by the plugins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

from rish_core import resource
from rish_ecs import DeclarationError, UnknownName

from .effect import Effect, effect_of

if TYPE_CHECKING:
    from rish_core import Plugins

HOOK = "rish_effects"


@resource(derived=True)
class EffectLibrary:
    """All effects by name; derived from the declarations of the plugins."""

    effects: dict[str, Effect] = dataclass_field(default_factory=dict[str, Effect])

    def effect(self, name: str) -> Effect:
        """Return the effect of a name. Raises UnknownName with the most similar name."""
        effect = self.effects.get(name)
        if effect is None:
            raise UnknownName(f"no effect is called '{name}'", given=name, choices=self.effects)
        return effect


def gather_effects(plugins: Plugins) -> dict[str, Effect]:
    """Return every effect by name; a plugin that returns anything except a list of effects is disabled."""
    effects: dict[str, Effect] = {}
    owners: dict[str, str] = {}
    for plugin, answer in plugins.gather(HOOK):
        try:
            for effect in _effects(answer):
                if effect.name in effects:
                    raise DeclarationError(
                        f"the effect '{effect.name}' is declared by '{owners[effect.name]}' and by '{plugin}'",
                        hint="Give one of them another name: @effect(name=...)",
                    )
                effects[effect.name], owners[effect.name] = effect, plugin
        except DeclarationError as error:
            plugins.fail(plugin, HOOK, error)
    return effects


def _effects(answer: Any) -> Iterable[Effect]:
    if not isinstance(answer, (list, tuple)):
        raise DeclarationError(f"{HOOK} returned {answer!r}, expected a list of classes marked @effect")
    for item in answer:  # pyright: ignore[reportUnknownVariableType]
        effect = effect_of(item)
        if effect is None:
            raise DeclarationError(
                f"{HOOK} returned {item!r}, expected a class marked @effect", hint="Write @effect(glsl=...) above it"
            )
        yield effect
