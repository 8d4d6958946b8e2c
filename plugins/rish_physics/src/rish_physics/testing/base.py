"""The base class of the contract's tests: it has the provider, and makes games with it."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from .yard import ContractYard


class ContractTests:
    """Set `plugin` to the module of the provider, the one that its entry point names."""

    plugin: ClassVar[Any]

    def yard(self, scene: str = "[]", **settings: Any) -> ContractYard:
        """Return a new yard with the provider."""
        return ContractYard(self.plugin, scene, **settings)

    def needs(self, capability: str) -> None:
        """Skip the test if the provider does not have a capability."""
        if capability not in self.capabilities:
            pytest.skip(f"the provider does not have the capability {capability!r}")

    @property
    def capabilities(self) -> tuple[str, ...]:
        """The capabilities that the provider names in its About."""
        return next(
            contract.capabilities for contract in self.plugin.rish_about().provides if contract.name == "physics2d"
        )
