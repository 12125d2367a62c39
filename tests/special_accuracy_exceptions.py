"""Where the accuracy of a special function misses its bar: the error that is allowed instead, and the reason.

A bound is about twice the error measured, so that another processor's rounding does not exceed it.
"""

EXCEPTIONS: dict[tuple[str, str, str], tuple[float, str]] = {}
