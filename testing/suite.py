"""A test of the derivatives of many functions, for another project's tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .gradients import check_gradient


def gradient_suite(*cases: tuple[Any, ...], examples: int = 5, **options: Any) -> Callable[..., None]:
    """Make a test for pytest that checks the derivatives of functions: `test_gradients = gradient_suite(...)`.

    Parameters
    ----------
    *cases : tuple
        A function and its arguments: arrays, or strategies of Hypothesis that draw some
        (`wirtinger.testing.strategies`).  Each case is a test of its own, named after the function.
    examples : int
        How many points Hypothesis draws for a case with strategies.
    **options
        Of `check_gradient`.

    Returns
    -------
    callable
        The test.

    Raises
    ------
    ImportError
        Without pytest and Hypothesis.
    TypeError
        If there is no case, or one is not a tuple that begins with a function.

    Examples
    --------
    A whole file of tests:

    >>> import wirtinger as np
    >>> from wirtinger.testing import gradient_suite
    >>> from wirtinger.testing.strategies import arrays, hermitian_matrices
    >>> test_gradients = gradient_suite(
    ...     (np.tanh, arrays(dtype=complex)),
    ...     (np.linalg.eigvalsh, hermitian_matrices(3, gaps=(0.1, 1.0))),
    ... )
    """
    import hypothesis
    import pytest
    from hypothesis import strategies as st

    if not cases:
        raise TypeError("gradient_suite needs at least one case, (function, *arguments): else nothing is tested")
    for i, case in enumerate(cases):
        if not isinstance(case, tuple) or not case or not callable(case[0]):
            raise TypeError(f"case {i} of gradient_suite is {case!r}, and not a tuple (function, *arguments)")

    def name_of(case: tuple[Any, ...]) -> str:
        function = getattr(case[0], "func", case[0])  # of a partial; a text with an address differs from run to run
        return str(getattr(function, "__name__", type(function).__name__))

    @pytest.mark.parametrize("case", cases, ids=name_of)
    @hypothesis.settings(max_examples=examples, deadline=None)
    @hypothesis.given(data=st.data())
    def test(case: tuple[Any, ...], data: Any) -> None:
        function, *arguments = case
        args = [data.draw(a) if isinstance(a, st.SearchStrategy) else a for a in arguments]
        check_gradient(function, *args, **options)

    test.__doc__ = "The derivatives of a function against differences, exact identities, and with many digits."
    return test  # type: ignore[no-any-return]
