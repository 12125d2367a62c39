"""`wirtinger.scipy.linalg` of traced values: SciPy's values for each of SciPy's arguments, and derivatives of them."""

from __future__ import annotations

import numpy
import pytest
import scipy.linalg

import wirtinger as np
from wirtinger import jvp
from wirtinger.scipy import linalg as copied

RNG = numpy.random.default_rng(20)


def _numbers(kind: str, *shape: int):
    real = RNG.standard_normal(shape)
    return real + 1j * RNG.standard_normal(shape) if kind == "c" else real


def _moduli(found):
    """Without the phases of vectors."""
    return tuple(map(_moduli, found)) if isinstance(found, tuple) else None if found is None else np.abs(found)


SYSTEMS = ("pos", "her", "sym", "gen", "upper triangular", "lower triangular", "tridiagonal", "banded", "diagonal")

CALLS = {
    **{f"cholesky lower={x}": (lambda m, a, b, x=x: m.cholesky(b, x)) for x in (False, True)},
    "det": lambda m, a, b: m.det(a, False, True),
    **{f"eigh type={x}": (lambda m, a, b, x=x: _moduli(m.eigh(a, b, type=x))) for x in (1, 2, 3)},
    **{f"eigvalsh type={x}": (lambda m, a, b, x=x: m.eigvalsh(a, b, type=x, lower=False)) for x in (1, 2, 3)},
    "eigh of the upper triangle": lambda m, a, b: m.eigh(a, lower=False, eigvals_only=True),
    "eigh of some": lambda m, a, b: m.eigh(a, b, eigvals_only=True, subset_by_index=[1, 2], driver="gvx"),
    "eigvalsh of an interval": lambda m, a, b: m.eigvalsh(b, subset_by_value=[0, 20.0]),
    "eigvals": lambda m, a, b: m.eigvals(a, None, False, True),
    "logarithms of eigenvalues": lambda m, a, b: (np.log(m.eigvals(-np.real(b))), np.sqrt(m.eig(-b.real)[0])),
    "eigvals, homogeneous": lambda m, a, b: np.divide(*m.eigvals(a, b, homogeneous_eigvals=True)),
    "eig, homogeneous": lambda m, a, b: _moduli(m.eig(a, homogeneous_eigvals=True)),
    "eig, left vectors": lambda m, a, b: _moduli(m.eig(a, None, True, False)),
    **{
        f"inv {x}": (lambda m, a, b, x=x: m.inv(b if x == "pos" else a, assume_a=x))
        for x in ("pos", "upper triangular")
    },
    **{f"solve {x}": (lambda m, a, b, x=x: m.solve(b if x == "pos" else a, a[:, :2], assume_a=x)) for x in SYSTEMS},
    "solve lower": lambda m, a, b: m.solve(b, a[0], lower=True, assume_a="pos"),
    "solve transposed": lambda m, a, b: m.solve(np.real(a), np.real(b), transposed=True),
    "norm": lambda m, a, b: m.norm(a, 1, check_finite=False),
    "pinv": lambda m, a, b: m.pinv(a, atol=0.9, return_rank=True),
    **{f"qr {x}": (lambda m, a, b, x=x: _moduli(m.qr(a, mode=x))) for x in ("full", "r")},
    **{f"qr {x}, pivoting": (lambda m, a, b, x=x: _moduli(m.qr(a, mode=x, pivoting=True))) for x in ("full", "r")},
    "qr economic": lambda m, a, b: _moduli(m.qr(a[:, :2], mode="economic")),
    "qr r, of a tall matrix": lambda m, a, b: _moduli(m.qr(a[:, :2], mode="r", pivoting=True)),
    "svd": lambda m, a, b: _moduli(m.svd(a[:, :2], False, True, False, True, "gesvd")),
    "svdvals": lambda m, a, b: m.svdvals(a, False, True),
    "lstsq": lambda m, a, b: m.lstsq(a[:, :2], b, 1e-3)[:2],
    "lstsq by gelsy": lambda m, a, b: m.lstsq(a[:, :2], b, lapack_driver="gelsy"),
    "lstsq of a vector": lambda m, a, b: m.lstsq(a[:, :2], b[0]),
}


def _parts(found):
    """The arrays of a result; what is made of integers has no derivative."""
    return [x for x in (found if isinstance(found, tuple) else (found,)) if x is not None]


@pytest.mark.parametrize("kind", "fc")
@pytest.mark.parametrize("name", CALLS)
def test_each_argument_means_what_it_means_to_scipy(name, kind):
    """The triangle that is not read holds other numbers; the derivative is that of differences of SciPy's values."""
    call, a = CALLS[name], _numbers(kind, 4, 4)
    b = a @ a.conj().T + 4 * numpy.eye(4)
    da, db = _numbers(kind, 4, 4), _numbers(kind, 4, 4)
    db = db + db.conj().T
    expected = call(scipy.linalg, a, b)
    found, moved = jvp(lambda a, b: call(copied, a, b), (a, b), (da, db))
    assert isinstance(found, tuple) == isinstance(expected, tuple)
    h = 1e-5
    ahead, behind = (_parts(call(scipy.linalg, a + s * da, b + s * db)) for s in (h, -h))
    for x, y, dx, above, below in zip(_parts(found), _parts(expected), _parts(moved), ahead, behind, strict=True):
        numpy.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-10)
        if numpy.asarray(y).dtype.kind in "fc":
            difference = (above - below) / (2 * h)
            numpy.testing.assert_allclose(
                dx, difference, rtol=1e-4, atol=1e-5 * (1 + numpy.max(numpy.abs(difference), initial=0))
            )


@pytest.mark.parametrize("name", ["det", "inv", "eigvals", "svdvals", "pinv", "norm"])
def test_numbers_that_are_not_finite_raise_as_in_scipy(name):
    a = numpy.full((3, 3), numpy.nan)
    with pytest.raises(ValueError, match="infs or NaNs"):
        jvp(getattr(copied, name), (a,), (a,))


def test_packed_reflectors_are_refused():
    a = numpy.eye(3)
    with pytest.raises(NotImplementedError, match="raw"):
        jvp(lambda a: copied.qr(a, mode="raw"), (a,), (a,))


def test_an_unknown_argument_is_named_with_its_function():
    with pytest.raises(TypeError, match=r"eigh\(\): .*typ"):
        jvp(lambda a: copied.eigh(a, typ=2), (numpy.eye(2),), (numpy.eye(2),))
