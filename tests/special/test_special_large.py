"""Large arrays over several threads: the same bits, dtypes, errors and derivatives as in one piece."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.special

from wirtinger import jvp, num_threads, special, value_and_grad
from wirtinger.backends.native.large_arrays import LARGE
from wirtinger.backends.native.ufuncs import with_kernels
from wirtinger.special.ufuncs.large_arrays import blocked

SIZE = LARGE + 37
RANDOM = np.random.default_rng(4)
X, P = RANDOM.uniform(0.1, 10, SIZE), RANDOM.uniform(0.05, 0.95, SIZE)
CALLS = {
    "erf": (X,),
    "gammaln": (X,),
    "airy": (X,),
    "jv": (1.5, X),
    "kv": (P, X),
    "gammainc": (P, X),
    "betainc": (2, np.float64(3.5), P),
    "expn": (3, X),
    "hankel1": (0.5, X + 1j * P),
    "xlogy": (P.astype(np.float32), 2.0),
}


def same(ours, theirs):
    """Whether results are equal bit by bit."""
    ours, theirs = (x if isinstance(x, tuple) else (x,) for x in (ours, theirs))
    return all(
        (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()) for a, b in zip(ours, theirs, strict=True)
    )


def opaque_call(function):
    """The ufunc that computes the values: SciPy's, or that of the C library."""
    return with_kernels(function) or function


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_values_are_scipys_bit_by_bit(name, threads):
    with num_threads(threads):
        assert same(getattr(special, name)(*CALLS[name]), opaque_call(getattr(scipy.special, name))(*CALLS[name]))


UNUSUAL = {
    "strided": lambda f: f(np.repeat(X, 2)[::2]),
    "fortran": lambda f: f(np.asfortranarray(X[:100000].reshape(200, 500))),
    "broadcast": lambda f: f(X) + f(X[:, None][:3]),
    "integers": lambda f: f(np.arange(SIZE)),
    "bool": lambda f: f(X > 1),
    "swapped": lambda f: f(X.astype(">f8")),
    "out": lambda f: f(X, out=np.empty(SIZE)),
    "out by position": lambda f: f(X, np.empty(SIZE)),
    "dtype": lambda f: f(X, dtype=np.float32),
    "shaped": lambda f: f(X[:100000].reshape(10, 100, 100)),
    "masked": lambda f: np.ma.getdata(f(np.ma.masked_less(X, 1.0))),
}


@pytest.mark.parametrize("case", UNUSUAL)
def test_unusual_calls_are_scipys(case):
    with num_threads(2):
        assert same(UNUSUAL[case](special.erf), UNUSUAL[case](opaque_call(scipy.special.erf)))


def test_errors_of_special_functions_are_raised():
    poles = np.zeros(SIZE)
    with num_threads(2), special.errstate(singular="raise"), pytest.raises(special.SpecialFunctionError):
        special.gammaln(poles)
    with num_threads(2):
        assert np.all(special.gammaln(poles) == np.inf)


def test_a_wrong_call_fails_as_scipys_does():
    for f in (special.jv, scipy.special.jv):
        with pytest.raises(TypeError):
            f(X)
        with pytest.raises(TypeError, match="not supported for the input types"):
            f(X, X.astype(object))


def test_it_is_the_ufunc():
    f = special.jv
    assert f == scipy.special.jv
    assert scipy.special.jv == f
    assert hash(f) == hash(scipy.special.jv)
    assert isinstance(f, np.ufunc)
    assert (f.nin, f.nout, f.types, f.__name__) == (2, 1, scipy.special.jv.types, "jv")
    assert special.psi is special.digamma
    assert pickle.loads(pickle.dumps(f)) is f
    np.testing.assert_array_equal(f.outer([0, 1], [2.0]), scipy.special.jv.outer([0, 1], [2.0]))
    assert special.gammainc(2.0, 3.0) == scipy.special.gammainc(2.0, 3.0)


PLAIN = {
    "lambertw": (lambda f: f(X), lambda f: f(X - 0.5j, 1)),
    "spherical_jn": (lambda f: f(2, X), lambda f: f(np.arange(SIZE) % 5, X, True)),
    "sph_harm_y": (lambda f: f(3, 2, P, X), lambda f: f(3, 2, P, 0.5)),
    "zeta": (lambda f: f(-X), lambda f: f(2.5, X)),
}


@pytest.mark.parametrize("name", PLAIN)
def test_functions_that_are_no_ufuncs(name):
    for call in PLAIN[name]:
        with num_threads(2):
            found = call(getattr(special, name))
        assert same(found, call(getattr(scipy.special, name)))


GRADIENTS = {
    "erf": (lambda x: special.erf(x), X),
    "jv": (lambda x: special.jv(1.5, x), X),
    "airy": (lambda x: special.airy(x)[2], P),
    "betainc": (lambda x: special.betainc(2.5, 3.5, x), P),
    "hankel1": (lambda z: special.hankel1(0.5, z), X + 1j * P),
    "plain SciPy": (lambda x: scipy.special.gammainc(1.5, x), X),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_derivatives_do_not_depend_on_the_pieces(name):
    f, x = GRADIENTS[name]

    def derivatives():
        gradient = value_and_grad(lambda x: np.sum(np.real(f(x))))(x)[1]
        return gradient, jvp(f, (x,), (np.ones_like(x),))[1]

    with num_threads(1):
        alone = derivatives()
    with num_threads(3):
        together = derivatives()
    small = value_and_grad(lambda x: np.sum(np.real(f(x))))(x[:50])[1]
    assert same(together, alone)
    np.testing.assert_allclose(alone[0][:50], small, rtol=1e-14)


@pytest.mark.parametrize("size", [20_000, SIZE])
@pytest.mark.parametrize("name", ["airye", "elliprg", "kv"])
def test_bits_of_complex_derivatives_do_not_depend_on_the_size(name, size):
    """From 16384 complex numbers on, NumPy takes the memory of a second factor without a name for a product."""
    angle, few = np.exp(3j * P), 1000
    points = {"airye": (12 * X * angle,), "elliprg": (X + 1j * P, P - 2j, X * angle), "kv": (P, X * angle)}[name]
    f = getattr(special, name)

    def derivatives(places):
        given = tuple(x[places] for x in points)
        return jvp(f, given, tuple(np.multiply(0.3, x) for x in given))[1]

    found = derivatives(np.arange(size) % few)
    found = found if isinstance(found, tuple) else (found,)
    assert same(tuple(w[:few] for w in found), derivatives(np.arange(few)))


def test_blocks_of_a_partial_derivative():
    def several(w, x, y):
        return w[0] * x, 2.0, x + y

    w = (X, P)
    whole, blocks = several(w, X, 3.0), blocked(several)(w, X, 3.0)
    assert same((blocks[0], blocks[2]), (whole[0], whole[2]))
    assert blocks[1] == 2.0
    assert blocked(lambda w, x: 1.0)(X, P) == 1.0
