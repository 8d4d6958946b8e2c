"""Has a prefab with a field that does not exist."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_prefabs():
    return {"wrong_prefab_thing": {"Mark": {"size": 3}}}


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]
