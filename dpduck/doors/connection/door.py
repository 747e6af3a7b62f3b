"""What users call: an error leaves it with its own text, and without the frames of dpduck behind it.

A refusal says what is wrong with the statement; where in dpduck that was found helps nobody who asks. An
error that is no `DpduckError` is a fault of dpduck, and keeps its frames.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from dpduck.kernel.errors import UNSAID, DpduckError, is_charged

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")


def door(function: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
    """The same function, whose refusals have short tracebacks.

    >>> @door
    ... def refuse():
    ...     raise DpduckError("no")
    >>> try:
    ...     refuse()
    ... except DpduckError as error:
    ...     trace, depth = error.__traceback__, 0
    ...     while trace := trace.tb_next:
    ...         depth += 1
    >>> depth
    1
    """

    @wraps(function)
    def enter(*args: Arguments.args, **options: Arguments.kwargs) -> Returned:
        try:
            return function(*args, **options)
        except DpduckError as error:
            refusal = error
        refusal.__context__ = None  # what led to it may quote more than it does
        raise refusal.with_traceback(None) from None

    return enter


def showing(function: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
    """A door that shows an answer which is there: its errors say nothing of charges, which were made before.

    >>> @showing
    ... def draw():
    ...     raise DpduckError("no", hint="Write y.")
    >>> try:
    ...     draw()
    ... except DpduckError as error:
    ...     print(error)
    no
    HINT: Write y.
    """

    @door
    @wraps(function)
    def enter(*args: Arguments.args, **options: Arguments.kwargs) -> Returned:
        try:
            return function(*args, **options)
        except DpduckError as error:
            error.charged = error.charged if is_charged(error.charged) else UNSAID
            raise

    return enter
