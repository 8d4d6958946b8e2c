"""Is listed for a contract that it does not provide."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


METADATA = {
    "entry_points": "[rish.plugins]\nunprovided_contract = unprovided_contract\n"
    "[rish.contracts.weather]\nunprovided_contract = unprovided_contract\n"
}


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]
