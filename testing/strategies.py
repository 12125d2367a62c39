"""Strategies of Hypothesis for arrays: `arrays`, matrices of a given condition or spectrum, points on branch cuts.

Elements come from a random generator of NumPy whose seed is drawn: an example that fails shrinks in its shape, its
memory layout and its spectrum, and is found again by its seed.  Hypothesis has to be installed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

__all__ = ["arrays", "branch_points", "hermitian_matrices", "layouts", "matrices", "seeds", "shapes", "stacks"]

KINDS = (np.float64, np.complex128)
"""The dtypes that are drawn where none is asked for."""


def seeds() -> st.SearchStrategy[int]:
    """Seeds of random generators.

    Examples
    --------
    >>> from wirtinger.testing.strategies import seeds
    >>> seeds()
    integers(min_value=0, max_value=65535)
    """
    return st.integers(0, 2**16 - 1)


def shapes(*, min_ndim: int = 0, max_ndim: int = 3, min_side: int = 1, max_side: int = 4) -> st.SearchStrategy[Any]:
    """Shapes of arrays.

    Examples
    --------
    >>> from hypothesis import given
    >>> from wirtinger.testing.strategies import shapes
    >>> given(shapes(max_ndim=2))(lambda shape: len(shape) <= 2)  # doctest: +ELLIPSIS
    <function ...>
    """
    side = st.integers(min_side, max_side)
    return st.lists(side, min_size=min_ndim, max_size=max_ndim).map(tuple)


def stacks(*, max_ndim: int = 2, max_side: int = 3) -> st.SearchStrategy[Any]:
    """Leading shapes of stacks: mostly none, and stacks of none too.

    Examples
    --------
    >>> from hypothesis import find
    >>> from wirtinger.testing.strategies import stacks
    >>> find(stacks(), lambda stack: True)
    ()
    """
    return st.just(()) | shapes(max_ndim=max_ndim, min_side=0, max_side=max_side)


def _reversed(a: Any) -> Any:
    return a[..., ::-1].copy()[..., ::-1] if a.ndim else a


def _strided(a: Any) -> Any:
    wide = np.repeat(a, 2, axis=-1) if a.ndim else a
    return wide[..., ::2] if a.ndim else a


def _misplaced(a: Any) -> Any:
    memory = np.zeros(a.nbytes + 1, np.uint8)
    shifted = memory[1:].view(np.dtype(a.dtype).newbyteorder("=")).reshape(a.shape)
    shifted[...] = a
    return shifted


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "reversed": _reversed,
    "strided": _strided,
    "unaligned": _misplaced,
    "read-only": lambda a: np.broadcast_to(a, a.shape),
}
"""By name: the same numbers in other memory."""


def layouts(*names: str) -> st.SearchStrategy[Callable[[Any], Any]]:
    """Functions that lay an array out in other memory; of all of `LAYOUTS`, or of those named.

    Examples
    --------
    >>> import numpy as np
    >>> from hypothesis import find
    >>> from wirtinger.testing.strategies import layouts
    >>> find(layouts("F"), lambda lay_out: True)(np.ones((2, 3))).flags.f_contiguous
    True
    """
    return st.sampled_from(names or tuple(LAYOUTS)).map(LAYOUTS.__getitem__)


def _dtypes(dtype: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(KINDS) if dtype is None else st.just(np.dtype(dtype).type)


def _normal(seed: int, shape: Sequence[int], dtype: Any) -> Any:
    random = np.random.default_rng(seed)
    a = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * random.standard_normal(shape)
    return np.asarray(a, dtype)


@st.composite
def arrays(
    draw: Any,
    shape: Any = None,
    dtype: Any = None,
    *,
    scale: float = 1.0,
    center: complex = 0.0,
    layout: str | None = "C",
) -> Any:
    """Arrays of normal random numbers.

    Parameters
    ----------
    shape : tuple of int or strategy, optional
        By default any of up to three axes.
    dtype : dtype, optional
        By default float64 or complex128.
    scale, center : float, complex
        Their standard deviation, and their mean.
    layout : str, optional
        A name of `LAYOUTS`; None for any of these.

    Returns
    -------
    strategy

    Examples
    --------
    >>> from hypothesis import find
    >>> from wirtinger.testing.strategies import arrays
    >>> find(arrays((2, 3), complex), lambda a: True).dtype
    dtype('complex128')
    """
    shape = draw(shapes() if shape is None else shape if isinstance(shape, st.SearchStrategy) else st.just(shape))
    a = np.asarray(center + scale * _normal(draw(seeds()), shape, chosen := draw(_dtypes(dtype))), chosen)
    return draw(layouts() if layout is None else layouts(layout))(a)


def _unitary(seed: int, n: int, dtype: Any) -> Any:
    return np.linalg.qr(_normal(seed, (n, n), np.complex128 if np.dtype(dtype).kind == "c" else np.float64))[0]


@st.composite
def matrices(
    draw: Any,
    rows: int = 3,
    columns: int | None = None,
    dtype: Any = None,
    *,
    condition: float = 100.0,
    stack: Any = (),
) -> Any:
    """Matrices whose largest singular value is 1 and whose smallest is 1 over the condition; infinite: singular ones.

    Parameters
    ----------
    rows, columns : int
        Square by default.
    dtype : dtype, optional
        By default float64 or complex128.
    condition : float
        The condition number.
    stack : tuple of int or strategy
        The axes before the matrices.

    Returns
    -------
    strategy

    Examples
    --------
    >>> import numpy as np
    >>> from hypothesis import find
    >>> from wirtinger.testing.strategies import matrices
    >>> print(f"{np.linalg.cond(find(matrices(4, condition=1e6), lambda a: True)):.3g}")
    1e+06
    """
    columns = rows if columns is None else columns
    chosen, seed = draw(_dtypes(dtype)), draw(seeds())
    leading = draw(stack) if isinstance(stack, st.SearchStrategy) else stack
    few = min(rows, columns)
    values = np.ones(1) if few == 1 else condition ** -np.linspace(0.0, 1.0, few)
    if few > 1 and condition == np.inf:
        values = np.append(np.ones(few - 1), 0.0)
    out = np.empty((*leading, rows, columns), chosen)
    for i, at in enumerate(np.ndindex(*leading)):
        u, v = _unitary(seed + 2 * i, rows, chosen), _unitary(seed + 2 * i + 1, columns, chosen)
        out[at] = (u[:, :few] * values) @ v[:few]
    return out


@st.composite
def hermitian_matrices(
    draw: Any, rows: int = 3, dtype: Any = None, *, gaps: Sequence[float] = (1e-2, 0.1, 1.0), stack: Any = ()
) -> Any:
    """Hermitian matrices whose eigenvalues, in order, are apart by gaps drawn from those given: 0 for equal ones.

    At equal and nearly equal values each eigenvalue has a kink, and no test of it can pass; a function that treats them
    alike, as ``sum(f(eigvalsh(a)))``, is smooth there, and is best tested with ``gaps=(0.0, 1e-10, 1.0)``.

    Parameters
    ----------
    rows : int
    dtype : dtype, optional
        By default float64 or complex128.
    gaps : sequence of float
    stack : tuple of int or strategy
        The axes before the matrices.

    Returns
    -------
    strategy

    Examples
    --------
    >>> import numpy as np
    >>> from hypothesis import find
    >>> from wirtinger.testing.strategies import hermitian_matrices
    >>> a = find(hermitian_matrices(3, gaps=(0.5,)), lambda a: True)
    >>> np.diff(np.linalg.eigvalsh(a)).round(12)
    array([0.5, 0.5])
    """
    chosen, seed = draw(_dtypes(dtype)), draw(seeds())
    leading = draw(stack) if isinstance(stack, st.SearchStrategy) else stack
    out = np.empty((*leading, rows, rows), chosen)
    for i, at in enumerate(np.ndindex(*leading)):
        steps = draw(st.lists(st.sampled_from(tuple(gaps)), min_size=rows - 1, max_size=rows - 1))
        values = np.cumsum([np.random.default_rng(seed + i).standard_normal(), *steps])
        q = _unitary(seed + i, rows, chosen)
        a = (q * values) @ np.conj(q.T)
        out[at] = (a + np.conj(a.T)) / 2
        if not any(steps):  # a multiple of the identity, exactly
            out[at] = values[0] * np.eye(rows)
    return out


@st.composite
def branch_points(draw: Any, shape: Any = (4,), *, on: str = "negative") -> Any:
    """Complex numbers on a branch cut, from both sides: imaginary (or real) parts that are 0.0 and -0.0.

    Parameters
    ----------
    shape : tuple of int
    on : {"negative", "beyond one", "imaginary"}
        The negative real axis (`log`, `sqrt`, powers), the real axis outside of [-1, 1] (`arcsin`, `arctanh`), or the
        imaginary axis beyond i and -i (`arctan`, `arcsinh`).

    Returns
    -------
    strategy

    Examples
    --------
    >>> from hypothesis import find
    >>> from wirtinger.testing.strategies import branch_points
    >>> z = find(branch_points(), lambda z: True)
    >>> bool((z.real < 0).all() and (z.imag == 0).all())
    True
    """
    random = np.random.default_rng(draw(seeds()))
    size = np.exp(random.standard_normal(shape))
    sign = np.where(random.random(shape) < 0.5, 1.0, -1.0)
    zero = np.copysign(0.0, random.random(shape) - 0.5)
    along = {"negative": -size, "beyond one": sign * (1 + size), "imaginary": sign * (1 + size)}
    if on not in along:
        raise ValueError(f"on={on!r} is not one of {', '.join(map(repr, along))}")
    z = np.empty(shape, complex)
    z.real, z.imag = (zero, along[on]) if on == "imaginary" else (along[on], zero)
    return z
