"""Special functions as called: the values are those of SciPy, for lists, keywords, empty arrays and every shape."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from wirtinger import NotDifferentiableError, grad, gradcheck, jvp, special, vjp
from wirtinger.special.ufuncs.ufunc_rules import RULES

# values are SciPy's

PLAIN_CALLS = {
    "logsumexp": [(np.array([1.0, 2.0, -1.0]),), ([[1.0, 2.0]], 1), (np.array([1, 2]), 0, np.array([2, -1]))],
    "softmax": [(np.array([1.0, 2.0, -1.0]),), ([[1.0, 2.0]], 1)],
    "log_softmax": [(np.array([1.0, 2.0, -1000.0]),), (np.array([[1.0], [2.0]], np.float32), 0)],
    "polygamma": [(1, 2.0), ([0, 1, 2], 1.5), (2, np.array([1, 2, 3]))],
    "multigammaln": [(3.0, 2), (np.array([3.0, 4.5]), 3)],
    "zeta": [(2.0,), (np.array([2.0, 3.5]), 1.5), (2 + 1j,), (3,)],
    "lambertw": [(1.0,), (np.array([-0.2, 0.5]), -1), (1 + 2j, 3)],
    "spherical_jn": [(2, 1.5), ([0, 1], np.array([0.0, 1 + 1j])), (2, 1.5, True)],
    "comb": [(5, 2), (5.5, np.array([1, 9])), (5, 0)],
    "perm": [(5, 2)],
    "factorial": [(5,), (np.array([2.5, -1.0]),)],
    "diric": [(np.array([0.0, 1.0]), 5)],
    "legendre_p": [(3, 0.4)],
    "sph_harm_y": [(3, 1, 0.4, 1.2)],
}


@pytest.mark.parametrize("name", PLAIN_CALLS)
def test_a_plain_call_gives_what_scipy_gives(name):
    for args in PLAIN_CALLS[name]:
        found, expected = getattr(special, name)(*args), getattr(scipy.special, name)(*args)
        np.testing.assert_allclose(found, expected, rtol=1e-14)
        assert np.asarray(found).dtype == np.asarray(expected).dtype
        assert np.shape(found) == np.shape(expected)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize(
    ("name", "others"),
    [("ker", ()), ("hyperu", (0.3, 0.3)), ("eval_legendre", (2.5,)), ("pbdv", (0.5,)), ("itairy", ())],
)
def test_better_values_of_masked_arrays_and_matrices(name, others):
    ours, theirs = getattr(special, name), getattr(scipy.special, name)
    for x in (np.ma.array([0.3, 0.6, 0.9], mask=[False, True, False]), np.asmatrix([[0.3, 0.9]])):
        found, expected = ours(*others, x), theirs(*others, x)
        if not isinstance(found, tuple):
            found, expected = (found,), (expected,)
        for part, known in zip(found, expected, strict=True):
            assert type(part) is type(known)
            assert np.array_equal(np.ma.getmaskarray(part), np.ma.getmaskarray(known))
            np.testing.assert_allclose(np.ma.filled(part, 0.0), np.ma.filled(known, 0.0), rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_return_sign(dtype):
    a, b = np.array([0.3, 1.0, -0.5], dtype), np.array([1.0, -2.0, 0.5], dtype)
    for weights in (b, b * (1 + 0.5j)):
        found = special.logsumexp(a, b=weights, return_sign=True)
        for x, y in zip(found, scipy.special.logsumexp(a, b=weights, return_sign=True), strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-6)
            assert x.dtype == y.dtype


# functions that SciPy computes for NumPy's arrays only

HOST_ONLY = {
    "spherical_jn": (lambda z: special.spherical_jn([0, 1, 4], z), "fc"),
    "spherical_yn": (lambda z: special.spherical_yn([0, 1, 4], z), "fc"),
    "spherical_in": (lambda z: special.spherical_in([0, 1, 4], z), "fc"),
    "spherical_kn": (lambda z: special.spherical_kn([0, 1, 4], z), "fc"),
    "spherical_jn, derivative": (lambda z: special.spherical_jn(2, z, True), "fc"),
    "lambertw": (special.lambertw, "fc"),
    "lambertw, branch -1": (lambda z: special.lambertw(z, -1), "fc"),
    "legendre_p": (lambda z: special.legendre_p(3, z / 4), "f"),
    "assoc_legendre_p": (lambda z: special.assoc_legendre_p(3, 1, z / 4), "f"),
    "sph_legendre_p": (lambda t: special.sph_legendre_p(3, 1, t), "f"),
    "sph_harm_y": (lambda t: special.sph_harm_y(3, 1, t, 2 * t), "f"),
}


@pytest.mark.parametrize("name", HOST_ONLY)
def test_derivatives_of_functions_for_numpy_arrays(name):
    f, kinds = HOST_ONLY[name]
    assert gradcheck(f, np.array([0.7, 1.5, 2.9]))
    if "c" in kinds:
        assert gradcheck(f, np.array([0.7 + 0.2j, 1.5 - 0.3j, 2.9j + 0.1]))


def test_derivatives_of_legendre_functions():
    third = grad(grad(grad(lambda z: special.legendre_p(3, z)[0])))
    assert third(0.3) == pytest.approx(15)
    np.testing.assert_allclose(jvp(lambda z: special.legendre_p(3, z, diff_n=1), (0.3,), (1.0,))[1], [-0.825, 4.5])


# missing derivatives of functions


def test_functions_of_integers_have_no_derivative():
    with pytest.raises(NotDifferentiableError, match="function of integers"):
        grad(lambda n: special.comb(n, 2, exact=True))(5.0)


def test_a_derivative_that_is_not_asked_for_does_not_matter():
    assert grad(lambda x: special.gammainc(2.0, x))(1.0) == pytest.approx(np.exp(-1.0))
    _, pullback = vjp(lambda x: special.gammainc(np.array([1.0, 2.0]), x), 1.0)
    assert pullback(np.ones(2))[0] == pytest.approx(2 * np.exp(-1.0))


# ufunc calls


def test_lists_numbers_and_keywords():
    x = np.array([0.3, 0.6])
    expected = special.betainc([1.0, 2.0], 3, x)
    value, first_derivative = jvp(lambda x: special.betainc([1.0, 2.0], 3, x), (x,), (np.ones(2),))
    np.testing.assert_array_equal(value, expected)
    np.testing.assert_allclose(first_derivative, [3 * 0.7**2, 12 * 0.6 * 0.4**2])
    mask = np.array([True, False])
    _, first_derivative = jvp(lambda x: special.betainc([1.0, 2.0], 3, x, where=mask, out=None), (x,), (np.ones(2),))
    np.testing.assert_allclose(first_derivative, [3 * 0.7**2, 0])


@pytest.mark.parametrize("name", ["airy", "betainc", "erf", "jve", "voigt_profile", "ellipj"])
def test_empty_arrays(name):
    f = getattr(special, name)
    x = np.zeros((0, 3))
    args = [0.5] * (f.nin - 1)
    total = grad(lambda x: np.sum(np.real(f(*args, x)[0] if f.nout > 1 else f(*args, x))))(x)
    assert total.shape == (0, 3)


def test_wofz_of_a_real_argument():
    x = np.array([0.3, -1.2])
    first_derivative = jvp(special.wofz, (x,), (np.ones(2),))[1]
    np.testing.assert_allclose(first_derivative, -2 * x * special.wofz(x) + 2j / np.sqrt(np.pi), rtol=1e-14)
    np.testing.assert_allclose(
        grad(lambda x: np.sum(np.imag(special.wofz(x))))(x), np.imag(first_derivative), rtol=1e-14
    )


SHAPES = {
    "matrices": lambda x, i: x,
    "numbers": lambda x, i: x[0, 0].item(),
    "arrays without axes": lambda x, i: x[0, 0].reshape(()),
    "empty arrays": lambda x, i: x[:0],
    "shapes that broadcast": lambda x, i: x if i == 0 else x[0, :1],
    "bytes in the other order": lambda x, i: read_only(x.astype(x.dtype.newbyteorder())),
}


def read_only(x):
    x.flags.writeable = False
    return x


WHOLE = {
    name: count
    for count, names in {
        1: ["eval_hermite", "eval_hermitenorm", "expn", "kn", "pdtri", "smirnov", "smirnovi", "yn"],
        2: ["bdtr", "bdtrc", "bdtri", "nbdtr", "nbdtrc", "nbdtri"],
    }.items()
    for name in names
}
"""How many of the first arguments are integers; the spheroidal functions have two, too."""


def columns_of(f):
    """Arguments (nin, 2, 3) of a ufunc, inside its domain as far as one range does."""
    columns = list(np.random.default_rng(0).uniform(0.2, 0.8, (f.nin, 2, 3)))
    is_spheroidal = f.__name__.startswith(("pro_", "obl_"))
    for i in range(2 if is_spheroidal else WHOLE.get(f.__name__, 0)):
        columns[i] = np.full((2, 3), 1 + i)
    if f.__name__.startswith("pro_rad"):
        columns[-1] += 1
    return columns


@pytest.mark.parametrize("name", sorted(f.__name__ for f in RULES))
def test_results_have_the_shapes_and_types_of_scipys(name):
    ours, theirs = getattr(special, name), getattr(scipy.special, name)
    for shaped in SHAPES.values():
        args = [shaped(x, i) for i, x in enumerate(columns_of(theirs))]
        found, expected = ours(*args), theirs(*args)
        for w, e in zip(*((x if isinstance(x, tuple) else (x,)) for x in (found, expected)), strict=True):
            assert type(w) is type(e)
            assert w.dtype == e.dtype
            assert np.shape(w) == np.shape(e)
    with pytest.raises(TypeError, match=r"positional arguments|at most"):
        ours(*args, *(np.zeros(np.shape(e)) for _ in range(theirs.nout + 1)))


def derivative_in(f, args, i):
    """The tangents of the outputs along one argument, as one array."""
    out = jvp(lambda x: f(*args[:i], x, *args[i + 1 :]), (args[i],), (np.ones_like(args[i]),))[1]
    return np.array(out)


@pytest.mark.parametrize("name", sorted(f.__name__ for f in RULES))
def test_derivatives_do_not_depend_on_the_shape(name):
    """Matrices, strided and of another order in memory, and numbers have the derivatives of vectors."""
    f, rule = getattr(special, name), RULES[getattr(scipy.special, name)]
    columns = columns_of(getattr(scipy.special, name))
    vectors = [x.reshape(-1) for x in columns]
    strided = [read_only(np.repeat(x, 2, axis=-1)[:, ::2]) for x in columns]
    turned = [read_only(np.asfortranarray(x)) for x in columns]
    for i, partial in enumerate(rule.partials):
        if not callable(partial) or columns[i].dtype.kind != "f":
            continue
        try:
            expected = derivative_in(f, vectors, i)
        except NotDifferentiableError:
            continue
        for args in (columns, strided, turned):
            np.testing.assert_allclose(
                derivative_in(f, args, i), expected.reshape(*expected.shape[:-1], 2, 3), rtol=1e-9
            )
        numbers = [x.reshape(-1)[4] for x in columns]
        np.testing.assert_allclose(derivative_in(f, numbers, i), expected[..., 4], rtol=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(f.__name__ for f in RULES))
def test_derivatives_do_not_depend_on_singular_neighbours(name):
    """An element that is 0, tiny, infinite or NaN spoils no other."""
    f, rule = getattr(special, name), RULES[getattr(scipy.special, name)]
    vectors = [x.reshape(-1) for x in columns_of(getattr(scipy.special, name))]
    count = len(vectors[0])
    places = [
        (j, x) for j, column in enumerate(vectors) if column.dtype.kind == "f" for x in (0.0, 1e-300, np.inf, np.nan)
    ]
    beside = [np.concatenate([column, np.repeat(column[:1], len(places))]) for column in vectors]
    for k, (j, x) in enumerate(places):
        beside[j][count + k] = x
    for i, partial in enumerate(rule.partials):
        if not callable(partial) or vectors[i].dtype.kind != "f":
            continue
        try:
            expected, found = derivative_in(f, vectors, i), derivative_in(f, beside, i)
        except (NotDifferentiableError, special.SpecialFunctionError):  # SciPy has no memory for an infinite order
            continue
        np.testing.assert_allclose(found[..., :count], expected, rtol=1e-9)
