"""Has a command without a word of help."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


METADATA = {"entry_points": "[rish.plugins]\nmute_command = mute_command\n[rish.commands]\nmute = mute_command\n"}


def add_arguments(parser):
    parser.add_argument("place")


def run(arguments):
    return 0


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]
