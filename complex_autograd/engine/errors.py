"""The errors of the engine.  Each message says what happened, the likely causes, and what to call instead."""

from __future__ import annotations


class DifferentiationError(Exception):
    """Base class of what can go wrong while differentiating."""

    __module__ = "wirtinger"

    happened = ""
    """What happened to a traced value; who did it is found by `array/conversion_hints.py`."""
    explained = False
    """Whether that has been found."""


class NotDifferentiableError(DifferentiationError):
    """A derivative was asked for that does not exist, or is not implemented.

    Parameters
    ----------
    function : str
        The function whose derivative was asked for.
    reason : str
        Why there is none.
    argument : str or None
        The argument concerned; None means all of them.
    """

    __module__ = "wirtinger"

    is_at_special_value = False
    """Whether the code of a copy treats a value apart: `special_values`."""

    def __init__(self, function: str, reason: str, argument: str | None = None) -> None:
        self.function, self.reason, self.argument = function, reason, argument
        where = f" with respect to {argument}" if argument else ""
        super().__init__(f"{function} has no derivative{where}: {reason}")


class GaugeError(DifferentiationError):
    """The requested derivative depends on an arbitrary choice: a phase, or a basis."""

    __module__ = "wirtinger"


class PrecisionLossError(DifferentiationError):
    """A derivative exists, but its computed value would be dominated by rounding errors."""

    __module__ = "wirtinger"


NO_DERIVATIVE = (GaugeError, NotDifferentiableError, PrecisionLossError)
"""What a cotangent raises on its way back where there is nothing to give it."""


class Inaccurate(Exception):
    """A cotangent showed that rounding errors spoil what was recorded: with series in place of numbers they do not."""


class LinearityError(DifferentiationError):
    """A differential used a tangent in an operation that is not linear in it."""

    __module__ = "wirtinger"


class TraceError(DifferentiationError):
    """A traced value was used where it would lose its derivative, or after its trace had ended."""

    __module__ = "wirtinger"


class AliasError(DifferentiationError):
    """A view was used after the array it shows was written to through another name."""

    __module__ = "wirtinger"


def unexplained(error: DifferentiationError, happened: str) -> DifferentiationError:
    """An error that is given its text when it leaves the differentiated function.

    Parameters
    ----------
    error : DifferentiationError
        With a text for who catches it before.
    happened : str
        What happened to a traced value; `{by}` stands for who did it.
    """
    error.happened = happened
    return error
