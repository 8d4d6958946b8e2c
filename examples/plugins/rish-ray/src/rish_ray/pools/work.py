"""What every pool does with a job, in the process of a worker."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Self

from rish_core import RishError, message_of

Make = Callable[[], Callable[[Any], Any]]
"""Called once in each worker; returns the function that does a job. It is pickled, as jobs and results are."""
TRIES = 3
"""How often a job is begun whose worker dies."""


class WorkFailed(RishError):
    """Raised when a job can't be done: its function raised. The message is that of the worker."""


@dataclass(frozen=True)
class Died:
    """The result of a job whose worker died each time. tries: how often."""

    tries: int


class Pool(Protocol):
    """Does jobs in several processes. name, workers: for messages. Close it, or use it in a `with` statement."""

    name: str
    workers: int

    def results(self, jobs: list[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the number of each job in the list and its result, in the order in which they are done.

        A job whose worker dies is begun again by another worker; after `TRIES` times its result is `Died`. Raises
        WorkFailed.
        """
        ...

    def close(self) -> None:
        """End the processes."""

    def __enter__(self) -> Self:
        """Return the pool."""
        ...

    def __exit__(self, *_: object) -> None:
        """Close the pool."""


class Worker:
    """Does jobs, and returns errors as texts, because not every exception can be pickled."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self._do: Callable[[Any], Any] | None = None

    def answer(self, job: Any) -> tuple[bool, Any]:
        """Return True and the result, or False and the message of the error."""
        try:
            if self._do is None:
                self._do = self._make()
            return True, self._do(job)
        except RishError as error:
            return False, message_of(error)
        except Exception:
            return False, traceback.format_exc()


def result_of(answer: tuple[bool, Any]) -> Any:
    """Return the result of an answer. Raises WorkFailed."""
    succeeded, result = answer
    if not succeeded:
        raise WorkFailed(result)
    return result
