"""`world[Prediction]`: how a game predicts the input of other players.

Without a function keys and axes stay as they are, which suits most games. A function can know more: that a ball is
thrown for one tick only, or that an axis goes on as it moved.
"""

from __future__ import annotations

import logging

from rish_core import InputRecord, UsageError, describe_error, place_of, place_of_error, resource
from rish_core.loop import NOTHING

from ..session.rollback import Predict
from ..session.seats import without_commands
from ..wire.inputs import rounded

_log = logging.getLogger("rish.net")


@resource(derived=True)
class Prediction:
    """The game's function for missing input; not state. A plugin sets it in `rish_ready`.

    function: `(seat, tick, last) -> InputRecord`, the input to assume in a tick for a seat; last: the input of the
    newest tick that is known. None: keys and axes stay as they are. It may read the World and is called between two
    ticks. It may differ between machines, because what is predicted wrong is run again. A function that raises is
    logged once and not called again.
    """

    def __post_init__(self) -> None:
        """Start without a function."""
        self.function: Predict | None = None

    def predict(self, seat: int, tick: int, last: InputRecord) -> InputRecord:
        """Return what the function assumes, as the seat would have sent it."""
        function = self.function
        if function is None:
            return NOTHING
        try:
            return rounded(without_commands(_checked(function(seat, tick, last))), seat)
        except Exception as error:
            self.function = None
            where = place_of(function) if isinstance(error, UsageError) else place_of_error(error)
            _log.error("the prediction of input is not used any more: %s (%s)", describe_error(error), where)
            return NOTHING


def _checked(record: object) -> InputRecord:
    """Return the result of a prediction. Raises UsageError for what is no input."""
    if not isinstance(record, InputRecord):
        raise UsageError(
            f"a prediction returns an InputRecord, not {type(record).__name__}", hint="InputRecord() is no input"
        )
    return record
