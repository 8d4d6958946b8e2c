"""Its hook fails at the second call."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


calls = []


def rish_prefabs():
    calls.append(1)
    if len(calls) > 1:
        raise ValueError("once is enough")
    return {"second_call_thing": {"Transform": {}}}


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]
