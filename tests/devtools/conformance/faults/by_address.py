"""Orders objects by their addresses."""

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


class Rule:
    def __init__(self, factor):
        self.factor = factor


RULES = [Rule(factor) for factor in range(2, 40)]


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    for rule in sorted(RULES, key=lambda rule: hash(rule) * 2654435761 % 997):
        world[Mark].value[:] = world[Mark].value / rule.factor + dt


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]
